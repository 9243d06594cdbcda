// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Inverse dynamics.
#include <stddef.h>

#include "request/handlers.h"
#include "request/work.h"

#define AT(field) offsetof(sheafInverse, field)
#define INPUT(name, ...) {#name, AT(name), AT(n##name), {__VA_ARGS__}}

static const srv_input_row inputs[] = {
    INPUT(qpos, SRV_DIM_NQ),
    INPUT(qvel, SRV_DIM_NV),
    INPUT(qacc, SRV_DIM_NV),
    INPUT(mocap_pos, SRV_DIM_NMOCAP, SRV_DIM_3),
    INPUT(mocap_quat, SRV_DIM_NMOCAP, SRV_DIM_4),
    {0},
};

static const srv_output_row outputs[] = {
    {"qfrc_inverse", AT(qfrc_inverse), {SRV_DIM_NV}, SRV_OUT_DEFAULT},
    {"status", AT(status), {0}, SRV_OUT_ALWAYS, SHEAF__DTYPE__DTYPE_I32},
    {0},
};

static const srv_work_table table = {SHEAF_INVERSE, sizeof(sheafInverse), inputs, outputs, AT(output)};

void srv_req_inverse(srv_service* service, srv_call* call, const void* unpacked) {
  const Sheaf__Inverse* m = unpacked;
  srv_work w;
  if (!srv_work_begin(&w, service, call, &table, m->work)) return;
  w.job->request.inverse.discrete = m->discrete;
  srv_work_finish(&w);
}
