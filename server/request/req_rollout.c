// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Rollout: steps from given states under given controls.
#include <stddef.h>

#include "request/handlers.h"
#include "request/work.h"

#define AT(field) offsetof(sheafRollout, field)
#define I32 SHEAF__DTYPE__DTYPE_I32

// every length must be within the rollout
static int check_lengths(const srv_job* job, srv_error* error) {
  const sheafRollout* r = &job->request.rollout;
  for (int i = 0; i < r->nbatch; i++) {
    if (r->length[i] < 1 || r->length[i] > r->nstep) {
      return srv_error_field(error, "length", "numbers from 1 to nstep", "%d in row %d", r->length[i], i);
    }
  }
  return 0;
}

static const srv_input_row inputs[] = {
    {"state0", AT(state0), AT(nstate0), {SRV_DIM_NSTATE}, .required = true},
    {"control", AT(control), AT(ncontrol), {SRV_DIM_ANY, SRV_DIM_NCONTROL}},
    {"warmstart0", AT(warmstart0), AT(nwarmstart0), {SRV_DIM_NV}},
    {"length", AT(length), -1, .dtype = I32, .check = check_lengths},
    {0},
};

static const srv_output_row outputs[] = {
    {"state", AT(state), {SRV_DIM_NSTEP, SRV_DIM_NSTATE}, SRV_OUT_DEFAULT},
    {"sensordata", AT(sensordata), {SRV_DIM_NSTEP, SRV_DIM_NSENSORDATA}, SRV_OUT_DEFAULT},
    {"final_state", AT(final_state), {SRV_DIM_NSTATE}},
    {"final_warmstart", AT(final_warmstart), {SRV_DIM_NV}},
    {"status", AT(status), {0}, SRV_OUT_ALWAYS, I32},
    {"badstep", AT(badstep), {0}, SRV_OUT_ALWAYS, I32},
    {0},
};

static const srv_work_table table = {SHEAF_ROLLOUT, sizeof(sheafRollout), inputs, outputs, AT(output)};

void srv_req_rollout(srv_service* service, srv_call* call, const void* unpacked) {
  const Sheaf__Rollout* m = unpacked;
  srv_work w;
  if (!srv_work_begin(&w, service, call, &table, m->work)) return;
  sheafRollout* r = &w.job->request.rollout;
  if (m->nstep < 1 || m->nstep > INT32_MAX) {
    srv_work_refuse(&w, "nstep", "1 to 2147483647", m->nstep);
  } else if (m->hold > INT32_MAX) {
    srv_work_refuse(&w, "hold", "0 to 2147483647", m->hold);
  } else if (m->control_spec & ~(unsigned)mjSTATE_INTEGRATION) {
    srv_work_refuse(&w, "control_spec", "mjtState bits", m->control_spec);
  } else {
    r->nstep = (int)m->nstep;
    r->hold = (int)m->hold;
    r->control_spec = m->control_spec;
    w.size[SRV_DIM_NSTEP] = m->nstep;
    if (m->control_spec) w.size[SRV_DIM_NCONTROL] = (uint64_t)mj_stateSize(w.model->m, m->control_spec);
    srv_work_finish(&w);
  }
}
