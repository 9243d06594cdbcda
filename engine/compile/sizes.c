// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Sizes of the model.

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include <mujoco/mjxmacro.h>

#include "compile/compile.h"
#include "model/actuator_row.h"
#include "model/equality_row.h"
#include "model/model.h"
#include "model/names.h"

void mji_sizes_add(int* total, int64_t n) { *total = n > INT_MAX - (int64_t)*total ? INT_MAX : (int)(*total + n); }

static int momentSize(const mjiCompile* c, const mjsActuator* act, int nv) {
  int joint = mji_transmissionRow(act->trntype)->object == mjOBJ_JOINT;
  return mji_momentSize(act->trntype, joint ? (int)mji_names_get(c, mjOBJ_JOINT, act->target)->as.joint.type : -1, nv);
}

static void countElements(const mjiCompile* c, mjModel* sizes) {
  sizes->ngeom = mji_count(c, mjOBJ_GEOM);
  sizes->nsite = mji_count(c, mjOBJ_SITE);
  sizes->ncam = mji_count(c, mjOBJ_CAMERA);
  sizes->nlight = mji_count(c, mjOBJ_LIGHT);
  sizes->nmesh = mji_count(c, mjOBJ_MESH);
  sizes->nskin = mji_count(c, mjOBJ_SKIN);
  sizes->nhfield = mji_count(c, mjOBJ_HFIELD);
  sizes->ntex = mji_count(c, mjOBJ_TEXTURE);
  sizes->nmat = mji_count(c, mjOBJ_MATERIAL);
  sizes->npair = mji_count(c, mjOBJ_PAIR);
  sizes->nexclude = mji_count(c, mjOBJ_EXCLUDE);
  sizes->neq = mji_count(c, mjOBJ_EQUALITY);
  sizes->ntendon = mji_count(c, mjOBJ_TENDON);
  sizes->nu = mji_count(c, mjOBJ_ACTUATOR);
  sizes->nsensor = mji_count(c, mjOBJ_SENSOR);
  sizes->nnumeric = mji_count(c, mjOBJ_NUMERIC);
  sizes->ntext = mji_count(c, mjOBJ_TEXT);
  sizes->ntuple = mji_count(c, mjOBJ_TUPLE);
}

// what elements hold
static void countContents(const mjiCompile* c, mjModel* sizes) {
  for (int i = 0; i < sizes->ntendon; i++) {
    mji_sizes_add(&sizes->nwrap, mji_get(c, mjOBJ_TENDON, i)->list.num);
  }
  for (int i = 0; i < sizes->nu; i++) {
    const mjsActuator* act = &mji_get(c, mjOBJ_ACTUATOR, i)->as.actuator;
    mji_sizes_add(&sizes->na, act->actdim);
    mji_sizes_add(&sizes->nJmom, momentSize(c, act, sizes->nv));
  }
  for (int i = 0; i < sizes->nsensor; i++) {
    mji_sizes_add(&sizes->nsensordata, mji_get(c, mjOBJ_SENSOR, i)->as.sensor.dim);
  }
  for (int i = 0; i < sizes->nnumeric; i++) {
    mji_sizes_add(&sizes->nnumericdata, mji_get(c, mjOBJ_NUMERIC, i)->as.numeric.size);
  }
  for (int i = 0; i < sizes->ntext; i++) {
    const mjsText* text = &mji_get(c, mjOBJ_TEXT, i)->as.text;
    mji_sizes_add(&sizes->ntextdata, (int64_t)strlen(mjs_getString(text->data)) + 1);
  }
  for (int i = 0; i < sizes->ntuple; i++) {
    const mjiVec* names = mji_get(c, mjOBJ_TUPLE, i)->as.tuple.objname;
    mji_sizes_add(&sizes->ntupledata, names->num);
  }
  for (int i = 0; i < sizes->neq; i++) {
    sizes->nemax += mji_equalityRow(mji_get(c, mjOBJ_EQUALITY, i)->as.equality.type)->nemax;
  }
}

static void copyGiven(const mjSpec* s, mjModel* sizes) {
  sizes->nuser_body = s->nuser_body;
  sizes->nuser_jnt = s->nuser_jnt;
  sizes->nuser_geom = s->nuser_geom;
  sizes->nuser_site = s->nuser_site;
  sizes->nuser_cam = s->nuser_cam;
  sizes->nuser_tendon = s->nuser_tendon;
  sizes->nuser_actuator = s->nuser_actuator;
  sizes->nuser_sensor = s->nuser_sensor;
  sizes->nuserdata = s->nuserdata;
  sizes->nemax = s->nemax;  // on top of what the equalities need
  sizes->njmax = s->njmax;
  sizes->nconmax = s->nconmax;
}

// The arena: the size given, or room for the stack and for contacts and constraints, in whole megabytes. Old models say
// with nconmax and njmax how many to expect; others get 100 and 500. Numbers below -1 go into the sum as they are, as
// in the reference.
static mjtSize arenaSize(const mjSpec* s, const mjModel* m) {
  if (s->memory >= 0) return s->memory;
  // in floating point, which is exact here and cannot overflow
  double ncon = m->nconmax == -1 ? 100 : m->nconmax;
  double nj = m->njmax == -1 ? 500 : m->njmax;
  double num = sizeof(mjtNum), integer = sizeof(int);

  double stack = s->nstack;
  if (stack == -1) {
    double rows = nj + m->neq + m->nv;
    mjtSize elements =
        m->nq + m->nv + m->nu + m->na + m->nbody + m->njnt + m->ngeom + m->nsite + m->neq + m->ntendon + m->nwrap;
    stack = mjMAX(1000, 5 * rows * rows + 20 * elements);
  }
  double bytes = stack * num + ncon * (double)sizeof(mjContact) + nj * (8 * integer + 14 * num) + m->nv * 3 * integer +
                 nj * m->nv * (2 * integer + 2 * num) + nj * nj * (integer + num);
  const double megabyte = 1 << 20;
  double whole = ceil(bytes / megabyte) * megabyte;
  return whole < (double)INT64_MAX ? (mjtSize)whole : INT64_MAX;
}

// Structures over dofs follow from the tree, so they are counted on a small model that has nothing else.
static int countTree(mjiCompile* c, mjModel* sizes) {
  mjModel* tree = mji_vec_alloc(sizeof(mjModel));
  tree->nq = sizes->nq;
  tree->nv = sizes->nv;
  tree->nbody = sizes->nbody;
  tree->njnt = sizes->njnt;
  tree->ntree = sizes->ntree;
  c->m = mji_allocModel(tree);
  free(tree);
  if (!c->m) return mji_compile_error(c, NULL, "out of memory");
  mji_tree_pack(c);
  int large = mji_sparse_count(c->m, sizes);
  mj_deleteModel(c->m);
  c->m = NULL;
  return large ? mji_compile_error(c, NULL, "the tree of bodies is too deep") : 0;
}

// ---- limits

// bytes that the specification asks for without giving data
static double askedFor(const mjModel* m) {
  double user = (double)m->nuser_body * m->nbody + (double)m->nuser_jnt * m->njnt + (double)m->nuser_geom * m->ngeom +
                (double)m->nuser_site * m->nsite + (double)m->nuser_cam * m->ncam +
                (double)m->nuser_tendon * m->ntendon + (double)m->nuser_actuator * m->nu +
                (double)m->nuser_sensor * m->nsensor;
  double key = 1.0 + m->nq + m->nv + m->na + m->nu + 7.0 * m->nmocap;
  double data = (double)m->nuserdata + m->nsensordata + m->na + m->nnumericdata;
  return sizeof(mjtNum) * (user + m->nkey * key + data);
}

// Addresses within arrays are of type int, and no specification gets much memory without giving data.
static int checkSizes(mjiCompile* c, const mjModel* sizes) {
  const char* large = NULL;
#define X(name) \
  if (sizes->name >= INT_MAX) large = #name;
  MJMODEL_INTS
#undef X
  if (large) return mji_compile_error(c, NULL, "the model is too large: %s is at its limit", large);
  double asked = askedFor(sizes);
  if (asked <= MJI_MAXASKED) return 0;
  return mji_compile_error(c, NULL,
                           "user data, keyframes, sensors and activations take %.0f megabytes, "
                           "at most %d are allowed",
                           asked / (1 << 20), MJI_MAXASKED >> 20);
}

int mji_sizes_count(mjiCompile* c, mjModel* sizes) {
  const mjSpec* s = &c->w->pub;
  memset(sizes, 0, sizeof(mjModel));
  copyGiven(s, sizes);
  mji_tree_count(c, sizes);
  if (countTree(c, sizes)) return -1;
  countElements(c, sizes);
  countContents(c, sizes);
  mji_assets_count(c, sizes);
  mji_skin_count(c, sizes);
  mji_flex_count(c, sizes);
  mji_plugin_count(c, sizes);
  sizes->nkey = mjMAX(s->nkey, mji_count(c, mjOBJ_KEY));
  sizes->nbvhstatic = mji_bvh_count(c);
  sizes->nbvhdynamic = mji_bvh_countDynamic(c);
  sizes->nbvh = sizes->nbvhstatic + sizes->nbvhdynamic;
  sizes->nnames = mji_pack_countNames(c, sizes);
  sizes->nnames_map = mji_sizeNamesMap(sizes);
  if (checkSizes(c, sizes)) return -1;
  sizes->narena = arenaSize(s, sizes);
  return 0;
}
