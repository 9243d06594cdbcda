// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Forward dynamics at given states.
#include <stddef.h>

#include "request/handlers.h"
#include "request/work.h"

#define AT(field) offsetof(sheafForward, field)
#define INPUT(name, ...) {#name, AT(name), AT(n##name), {__VA_ARGS__}}

static const srv_input_row inputs[] = {
    INPUT(qpos, SRV_DIM_NQ),
    INPUT(qvel, SRV_DIM_NV),
    INPUT(act, SRV_DIM_NA),
    INPUT(ctrl, SRV_DIM_NU),
    INPUT(qfrc_applied, SRV_DIM_NV),
    INPUT(xfrc_applied, SRV_DIM_NBODY, SRV_DIM_6),
    INPUT(mocap_pos, SRV_DIM_NMOCAP, SRV_DIM_3),
    INPUT(mocap_quat, SRV_DIM_NMOCAP, SRV_DIM_4),
    INPUT(warmstart, SRV_DIM_NV),
    INPUT(time, SRV_DIM_ONE),
    {0},
};

static const srv_output_row outputs[] = {
    {"qacc", -1, {0}, SRV_OUT_DEFAULT},
    {"status", AT(status), {0}, SRV_OUT_ALWAYS, SHEAF__DTYPE__DTYPE_I32},
    {0},
};

static const srv_work_table table = {SHEAF_FORWARD, sizeof(sheafForward), inputs, outputs, AT(output)};

void srv_req_forward(srv_service* service, srv_call* call, const void* unpacked) {
  const Sheaf__Forward* m = unpacked;
  srv_work w;
  if (!srv_work_begin(&w, service, call, &table, m->work)) return;
  if (m->stage < 0 || m->stage > mjSTAGE_ACC) {
    srv_work_refuse(&w, "stage", "0 to 3", m->stage);
    return;
  }
  w.job->request.forward.stage = m->stage;
  srv_work_finish(&w);
}
