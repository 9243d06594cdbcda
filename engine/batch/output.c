// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "batch/output.h"

#include <stddef.h>
#include <string.h>

#include <mujoco/mjxmacro.h>
#include <sheaf/batch.h>

#include "batch/form.h"

// rows for arrays of numbers come from the field table; other types expand to nothing
#define ROW_mjtNum(name) {#name, MJI_OUTPUT_ARRAY, offsetof(mjData, name)},
#define ROW_int(name)
#define ROW_mjtByte(name)
#define ROW_uintptr_t(name)

static const mjiOutput outputs[] = {{"time", MJI_OUTPUT_TIME, 0},
                                    {"energy", MJI_OUTPUT_ENERGY, 0},
                                    {"ncon", MJI_OUTPUT_NCON, 0},
                                    {"nefc", MJI_OUTPUT_NEFC, 0},
                                    {"solver_niter", MJI_OUTPUT_NITER, 0},
                                    {"M", MJI_OUTPUT_DENSE_M, 0},
                                    {"qM", MJI_OUTPUT_LEGACY_M, 0},
#define X(type, name, nr, nc) ROW_##type(name)
                                    MJDATA_POINTERS
#undef X
};

enum { NOUTPUT = sizeof outputs / sizeof outputs[0] };

// forms follow
int sheaf_outputCount(void) {
  int n = NOUTPUT;
  while (mji_formAt(n - NOUTPUT)) n++;
  return n;
}

const mjiForm* mji_outputForm(int output) { return mji_formAt(output - NOUTPUT); }

const char* sheaf_outputName(int i) {
  const mjiForm* form = mji_outputForm(i);
  return form ? form->name : i >= 0 && i < NOUTPUT ? outputs[i].name : NULL;
}

const mjiOutput* mji_outputAt(int output) { return output < NOUTPUT ? &outputs[output] : NULL; }

int mji_outputFind(const char* name) {
  // M and qM are both outputs of their own and arrays of mjData; the first are meant
  const char* one;
  for (int i = 0; name && (one = sheaf_outputName(i)); i++) {
    if (!strcmp(one, name)) return i;
  }
  return -1;
}

const char* mji_outputRows(int output) {
  if (mji_outputForm(output)) return mji_outputForm(output)->rows;
  if (outputs[output].source == MJI_OUTPUT_DENSE_M) return "nv";
  if (outputs[output].source == MJI_OUTPUT_LEGACY_M) return "nM";
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
  const mjiForm* form = mji_outputForm(output);
  shape[0] = shape[1] = 1;
  if (form) {
    if (form->takes != MJI_TAKES_ELEMENTS) return 0;
    shape[0] = (int)sheaf_modelNumber(m, form->rows);
    shape[1] = (int)m->nv;
    return 1;
  }
  switch (outputs[output].source) {
    case MJI_OUTPUT_ARRAY: arrayShape(m, outputs[output].offset, shape); break;
    case MJI_OUTPUT_ENERGY: shape[0] = 2; break;
    case MJI_OUTPUT_DENSE_M: shape[0] = shape[1] = (int)m->nv; break;
    case MJI_OUTPUT_LEGACY_M: shape[0] = (int)m->nM; break;
    case MJI_OUTPUT_TIME:
    case MJI_OUTPUT_NCON:
    case MJI_OUTPUT_NEFC:
    case MJI_OUTPUT_NITER: break;
  }
  return 1;
}

// Outputs that kernels compute over lanes, by stage. An output that is not listed here makes a request run one state at
// a time. So a new array of mjData is correct, but slow, until it is added here.
static const struct {
  int stage, needs;
  const char* names;
} made[] = {
    // given, or integrated
    {mjSTAGE_NONE, 0, "time qpos qvel act qacc_warmstart ctrl qfrc_applied xfrc_applied mocap_pos mocap_quat userdata"},
    {mjSTAGE_NONE, 0, "plugin_state"},
    // position
    {mjSTAGE_POS, 0, "xpos xquat xmat xipos ximat xanchor xaxis geom_xpos geom_xmat site_xpos site_xmat subtree_com"},
    {mjSTAGE_POS, 0, "cdof cinert ten_length actuator_length ncon nefc"},
    {mjSTAGE_POS, MJI_NEED_INERTIA, "crb M qM qLD qLDiagInv"},
    // velocity
    {mjSTAGE_VEL, 0, "cvel cdof_dot ten_velocity actuator_velocity qfrc_bias"},
    {mjSTAGE_VEL, 0, "qfrc_spring qfrc_damper qfrc_gravcomp qfrc_fluid qfrc_passive"},
    // acceleration
    {mjSTAGE_ACC, 0, "act_dot actuator_force qfrc_actuator qfrc_smooth qacc_smooth qacc qfrc_constraint qfrc_inverse"},
    {mjSTAGE_ACC, 0, "solver_niter"},
    // made when asked for
    {mjSTAGE_ACC, MJI_NEED_SENSOR, "sensordata"},
    {mjSTAGE_VEL, MJI_NEED_ENERGY, "energy"},
    {mjSTAGE_ACC, MJI_NEED_RNEPOST, "cacc cfrc_int cfrc_ext"},
    {mjSTAGE_VEL, MJI_NEED_SUBTREE, "subtree_linvel subtree_angmom"},
};

// is the word in the list, whose words have one space between them?
static int listed(const char* list, const char* word) {
  size_t n = strlen(word);
  for (const char* p = list; (p = strstr(p, word)); p += n) {
    if ((p == list || p[-1] == ' ') && (p[n] == ' ' || !p[n])) return 1;
  }
  return 0;
}

// the line of `made` with an output, -1 if there is none
static int lineOf(int output) {
  for (size_t i = 0; i < sizeof made / sizeof made[0]; i++) {
    if (listed(made[i].names, outputs[output].name)) return (int)i;
  }
  return -1;
}

int mji_outputNeeds(int output) {
  if (mji_outputForm(output)) return 0;
  int line = lineOf(output);
  return line < 0 ? MJI_NEED_SCALAR : made[line].needs;
}

int mji_outputStage(int output) {
  if (mji_outputForm(output)) return mji_outputForm(output)->stage;
  int line = lineOf(output);
  return line < 0 ? mjSTAGE_ACC : made[line].stage;
}
