// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "batch/output.h"

#include <stddef.h>
#include <string.h>

#include <mujoco/mjxmacro.h>
#include <sheaf/batch.h>

// rows for arrays of numbers come from the field table; other types expand to nothing
#define ROW_mjtNum(name) {#name, MJI_OUTPUT_ARRAY, offsetof(mjData, name)},
#define ROW_int(name)
#define ROW_mjtByte(name)
#define ROW_uintptr_t(name)

static const mjiOutput outputs[] = {{"time", MJI_OUTPUT_TIME, 0},
                                    {"energy", MJI_OUTPUT_ENERGY, 0},
                                    {"ncon", MJI_OUTPUT_NCON, 0},
                                    {"nefc", MJI_OUTPUT_NEFC, 0},
                                    {"M", MJI_OUTPUT_DENSE_M, 0},
#define X(type, name, nr, nc) ROW_##type(name)
                                    MJDATA_POINTERS
#undef X
};

enum { NOUTPUT = sizeof outputs / sizeof outputs[0] };

int sheaf_outputCount(void) { return NOUTPUT; }

const char* sheaf_outputName(int i) { return i >= 0 && i < NOUTPUT ? outputs[i].name : NULL; }

const mjiOutput* mji_outputAt(int output) { return &outputs[output]; }

int mji_outputFind(const char* name) {
  // M is both the dense matrix and a compressed array of mjData; the matrix comes first
  for (int i = 0; name && i < NOUTPUT; i++) {
    if (!strcmp(outputs[i].name, name)) return i;
  }
  return -1;
}

const char* mji_outputRows(int output) {
  if (outputs[output].source == MJI_OUTPUT_DENSE_M) return "nv";
  if (outputs[output].source != MJI_OUTPUT_ARRAY) return NULL;
#define X(type, name, nr, nc) \
  if (outputs[output].offset == offsetof(mjData, name)) return #nr;
  MJDATA_POINTERS
#undef X
  return NULL;
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
    case MJI_OUTPUT_ARRAY: arrayShape(m, outputs[output].offset, s); break;
    case MJI_OUTPUT_ENERGY: s[0] = 2; break;
    case MJI_OUTPUT_DENSE_M: s[0] = s[1] = (int)m->nv; break;
    case MJI_OUTPUT_TIME:
    case MJI_OUTPUT_NCON:
    case MJI_OUTPUT_NEFC: break;
  }
  if (shape) memcpy(shape, s, sizeof s);
  return s[0] * s[1];
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
