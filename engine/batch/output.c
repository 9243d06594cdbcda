// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "batch/output.h"

#include <stddef.h>
#include <string.h>

#include <mujoco/mjxmacro.h>
#include <sheaf/batch.h>

#include "model/work.h"

typedef enum { ARRAY, TIME, ENERGY, NCON, NEFC, DENSE_M } Source;

typedef struct {
  const char* name;
  Source source;
  size_t offset;  // of the pointer in mjData
} Output;

// rows for arrays of numbers come from the field table; other types expand to nothing
#define ROW_mjtNum(name) {#name, ARRAY, offsetof(mjData, name)},
#define ROW_int(name)
#define ROW_mjtByte(name)
#define ROW_uintptr_t(name)

static const Output outputs[] = {{"time", TIME, 0}, {"energy", ENERGY, 0}, {"ncon", NCON, 0},
                                 {"nefc", NEFC, 0}, {"M", DENSE_M, 0},
#define X(type, name, nr, nc) ROW_##type(name)
                                 MJDATA_POINTERS
#undef X
};

enum { NOUTPUT = sizeof outputs / sizeof outputs[0] };

int sheaf_outputCount(void) { return NOUTPUT; }

const char* sheaf_outputName(int i) { return i >= 0 && i < NOUTPUT ? outputs[i].name : NULL; }

int mji_outputFind(const char* name) {
  // M is both the dense matrix and a compressed array of mjData; the matrix comes first
  for (int i = 0; name && i < NOUTPUT; i++) {
    if (!strcmp(outputs[i].name, name)) return i;
  }
  return -1;
}

static void arrayShape(const mjModel* m, size_t offset, int shape[2]) {
  MJDATA_POINTERS_PREAMBLE(m)
  (void)nv;
#define X(type, name, nr, nc)             \
  if (offset == offsetof(mjData, name)) { \
    shape[0] = (int)m->nr;                \
    shape[1] = (int)(nc);                 \
    return;                               \
  }
  MJDATA_POINTERS
#undef X
}

int mji_outputShape(const mjModel* m, int output, int shape[2]) {
  int s[2] = {1, 1};
  switch (outputs[output].source) {
    case ARRAY: arrayShape(m, outputs[output].offset, s); break;
    case ENERGY: s[0] = 2; break;
    case DENSE_M: s[0] = s[1] = (int)m->nv; break;
    case TIME:
    case NCON:
    case NEFC: break;
  }
  if (shape) memcpy(shape, s, sizeof s);
  return s[0] * s[1];
}

int sheaf_outputSize(const mjModel* m, const char* name, int shape[2]) {
  int i = mji_outputFind(name);
  return i < 0 ? -1 : mji_outputShape(m, i, shape);
}

// Outputs that kernels compute over lanes, by stage. An output that is not listed here makes a request run one state at
// a time. So a new array of mjData is correct, but slow, until it is added here.
static const struct {
  int needs;
  const char* names;
} made[] = {
    // given, or integrated
    {0, "time qpos qvel act qacc_warmstart ctrl qfrc_applied xfrc_applied mocap_pos mocap_quat userdata plugin_state"},
    // position
    {0, "xpos xquat xmat xipos ximat xanchor xaxis geom_xpos geom_xmat site_xpos site_xmat subtree_com cdof cinert"},
    {0, "crb M qLD qLDiagInv ten_length actuator_length"},
    // velocity
    {0, "cvel cdof_dot ten_velocity actuator_velocity qfrc_bias"},
    {0, "qfrc_spring qfrc_damper qfrc_gravcomp qfrc_fluid qfrc_passive"},
    // acceleration
    {0, "act_dot actuator_force qfrc_actuator qfrc_smooth qacc_smooth qacc qfrc_constraint qfrc_inverse"},
    // made when asked for
    {MJI_NEED_SENSOR, "sensordata"},
    {MJI_NEED_ENERGY, "energy"},
    {MJI_NEED_RNEPOST, "cacc cfrc_int cfrc_ext"},
    {MJI_NEED_SUBTREE, "subtree_linvel subtree_angmom"},
};

// is the word in the list, whose words have one space between them?
static int listed(const char* list, const char* word) {
  size_t n = strlen(word);
  for (const char* p = list; (p = strstr(p, word)); p += n) {
    if ((p == list || p[-1] == ' ') && (p[n] == ' ' || !p[n])) return 1;
  }
  return 0;
}

int mji_outputNeeds(int output) {
  for (size_t i = 0; i < sizeof made / sizeof made[0]; i++) {
    if (listed(made[i].names, outputs[output].name)) return made[i].needs;
  }
  return MJI_NEED_SCALAR;
}

// dense inertia from the compressed rows of the lower triangle
static void copyDense(const mjModel* m, const mjData* d, int nlane, int lane, mjtNum* dst) {
  int nv = (int)m->nv;
  memset(dst, 0, sizeof(mjtNum) * (size_t)nv * nv);
  for (int i = 0; i < nv; i++) {
    for (int k = m->M_rowadr[i], end = k + m->M_rownnz[i]; k < end; k++) {
      int j = m->M_colind[k];
      dst[(size_t)i * nv + j] = dst[(size_t)j * nv + i] = d->M[(size_t)k * nlane + lane];
    }
  }
}

void mji_outputCopy(const mjModel* m, const mjData* d, int output, int lane, mjtNum* dst) {
  const mjiWork* w = mji_work(d);
  int nlane = w->nlane;
  switch (outputs[output].source) {
    case ARRAY: {
      mjtNum* src;
      memcpy(&src, (const char*)d + outputs[output].offset, sizeof src);
      mji_gatherLane(dst, src, mji_outputShape(m, output, NULL), nlane, lane);
      break;
    }
    case TIME: *dst = mji_time((mjData*)d)[lane]; break;
    case ENERGY: mji_gatherLane(dst, mji_energy((mjData*)d), 2, nlane, lane); break;
    case NCON: *dst = d->ncon; break;
    case NEFC: *dst = d->nefc; break;
    case DENSE_M: copyDense(m, d, nlane, lane, dst); break;
  }
}
