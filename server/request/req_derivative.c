// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// TransitionFD and InverseFD: finite-difference derivatives.
#include <math.h>
#include <stddef.h>

#include "request/handlers.h"
#include "request/work.h"

static const double default_eps = 1e-6;

// the nudge, or the default for 0; a nudge that is not a small positive number is refused
static bool read_eps(srv_work* w, double eps, mjtNum* out) {
  *out = eps == 0 ? default_eps : eps;
  if (isfinite(eps) && eps >= 0) return true;
  srv_work_refuse(w, "eps", "a positive number", eps);
  return false;
}

#define AT(field) offsetof(sheafTransitionFD, field)

static const srv_input_row transition_inputs[] = {
    {"state", AT(state), -1, {SRV_DIM_NSTATE}, .required = true},
    {"ctrl", AT(ctrl), AT(nctrl), {SRV_DIM_NU}},
    {"warmstart", AT(warmstart), AT(nwarmstart), {SRV_DIM_NV}},
    {0},
};

static const srv_output_row transition_outputs[] = {
    {"A", AT(A), {SRV_DIM_NDX, SRV_DIM_NDX}, SRV_OUT_DEFAULT},
    {"B", AT(B), {SRV_DIM_NDX, SRV_DIM_NU}, SRV_OUT_DEFAULT},
    {"C", AT(C), {SRV_DIM_NSENSORDATA, SRV_DIM_NDX}, SRV_OUT_DEFAULT},
    {"D", AT(D), {SRV_DIM_NSENSORDATA, SRV_DIM_NU}, SRV_OUT_DEFAULT},
    {"status", AT(status), {0}, SRV_OUT_ALWAYS, SHEAF__DTYPE__DTYPE_I32},
    {0},
};

static const srv_work_table transition_table = {SHEAF_TRANSITION_FD, sizeof(sheafTransitionFD),
                                                transition_inputs, transition_outputs, -1};

void srv_req_transition_fd(srv_service* service, srv_call* call, const void* unpacked) {
  const Sheaf__TransitionFD* m = unpacked;
  srv_work w;
  if (!srv_work_begin(&w, service, call, &transition_table, m->work)) return;
  if (!read_eps(&w, m->eps, &w.job->request.transition.eps)) return;
  w.job->request.transition.centered = m->centered;
  srv_work_finish(&w);
}

#undef AT
#define AT(field) offsetof(sheafInverseFD, field)

static const srv_input_row inverse_inputs[] = {
    {"qpos", AT(qpos), AT(nqpos), {SRV_DIM_NQ}},
    {"qvel", AT(qvel), AT(nqvel), {SRV_DIM_NV}},
    {"qacc", AT(qacc), AT(nqacc), {SRV_DIM_NV}},
    {0},
};

static const srv_output_row inverse_outputs[] = {
    {"DfDq", AT(DfDq), {SRV_DIM_NV, SRV_DIM_NV}, SRV_OUT_DEFAULT},
    {"DfDv", AT(DfDv), {SRV_DIM_NV, SRV_DIM_NV}, SRV_OUT_DEFAULT},
    {"DfDa", AT(DfDa), {SRV_DIM_NV, SRV_DIM_NV}, SRV_OUT_DEFAULT},
    {"status", AT(status), {0}, SRV_OUT_ALWAYS, SHEAF__DTYPE__DTYPE_I32},
    {0},
};

static const srv_work_table inverse_table = {SHEAF_INVERSE_FD, sizeof(sheafInverseFD), inverse_inputs,
                                             inverse_outputs, -1};

void srv_req_inverse_fd(srv_service* service, srv_call* call, const void* unpacked) {
  const Sheaf__InverseFD* m = unpacked;
  srv_work w;
  if (!srv_work_begin(&w, service, call, &inverse_table, m->work)) return;
  if (!read_eps(&w, m->eps, &w.job->request.inverse_fd.eps)) return;
  w.job->request.inverse_fd.flg_actuation = m->actuation;
  srv_work_finish(&w);
}
