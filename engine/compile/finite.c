// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Every number of a packed model is finite; only some bounds may be infinite. Other numbers would make states that are
// not finite. The check looks at the model, so it does not matter how numbers came into the specification.

#include <math.h>
#include <string.h>

#include "compile/compile.h"
#include "mujoco/mjxmacro.h"

// An infinite number means "no bound" in ranges and cutoffs, and the engine does not compute with user data.
static int allowsInfinity(const char* name) {
  return strstr(name, "range") || strstr(name, "user") || !strcmp(name, "numeric_data") ||
         !strcmp(name, "sensor_cutoff");
}

// A polygon without area has a normal without direction. It is compared and never added to anything.
static int allowsAll(const char* name) { return !strcmp(name, "mesh_polynormal"); }

// the element that a row of an array belongs to, for the message; NULL if the name of the array does not tell
static const mjiElem* owner(const mjiCompile* c, const char* name, int row) {
  static const struct {
    const char* prefix;
    mjtObj type;
  } kinds[] = {{"body_", mjOBJ_BODY},         {"jnt_", mjOBJ_JOINT},     {"geom_", mjOBJ_GEOM},
               {"site_", mjOBJ_SITE},         {"cam_", mjOBJ_CAMERA},    {"light_", mjOBJ_LIGHT},
               {"pair_", mjOBJ_PAIR},         {"eq_", mjOBJ_EQUALITY},   {"tendon_", mjOBJ_TENDON},
               {"actuator_", mjOBJ_ACTUATOR}, {"sensor_", mjOBJ_SENSOR}, {"key_", mjOBJ_KEY},
               {"hfield_", mjOBJ_HFIELD},     {"mesh_", mjOBJ_MESH}};
  if (!strncmp(name, "dof_", 4)) return mji_get(c, mjOBJ_JOINT, c->m->dof_jntid[row]);
  for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
    if (strncmp(name, kinds[k].prefix, strlen(kinds[k].prefix))) continue;
    return row < mji_count(c, kinds[k].type) ? mji_get(c, kinds[k].type, row) : NULL;
  }
  return NULL;
}

static int checkNums(mjiCompile* c, const char* name, const mjtNum* x, int rows, int cols) {
  if (allowsAll(name)) return 0;
  for (int i = 0; i < rows * cols; i++) {
    if (isfinite(x[i]) || (isinf(x[i]) && allowsInfinity(name))) continue;
    return mji_compile_error(c, owner(c, name, i / cols), "%s is %g, it must be a finite number", name, x[i]);
  }
  return 0;
}

// arrays of other types do not enter into the motion
#define CHECK_mjtNum(name, rows, cols) checkNums(c, #name, m->name, (int)(rows), (int)(cols))
#define CHECK_int(name, rows, cols) 0
#define CHECK_mjtByte(name, rows, cols) 0
#define CHECK_char(name, rows, cols) 0
#define CHECK_float(name, rows, cols) 0

static int checkArrays(mjiCompile* c, const mjModel* m) {
  MJMODEL_POINTERS_PREAMBLE(m)
  int bad = 0;
#define X(type, name, rows, cols) bad = bad || CHECK_##type(name, m->rows, cols);
  MJMODEL_POINTERS
#undef X
  return bad;
}

static int checkOption(mjiCompile* c, const mjOption* opt) {
#define X(type, name) \
  if (checkNums(c, "option: " #name, &opt->name, 1, 1)) return -1;
  MJOPTION_FLOATS
#undef X
#define X(name, n) \
  if (checkNums(c, "option: " #name, opt->name, 1, n)) return -1;
  MJOPTION_VECTORS
#undef X
  return 0;
}

int mji_finite_check(mjiCompile* c) { return checkOption(c, &c->m->opt) || checkArrays(c, c->m) ? -1 : 0; }
