// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Sizes of the model.

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "compile/compile.h"
#include "model/model.h"
#include "model/names.h"

enum { MAX_STATE = 100000000 };

// numbers of actuator moments that are stored: joints know their dofs, other transmissions may reach all
static int momentSize(const mjiCompile* c, const mjsActuator* act, int nv) {
  if (act->trntype != mjTRN_JOINT && act->trntype != mjTRN_JOINTINPARENT) return nv;
  switch (mji_names_get(c, mjOBJ_JOINT, act->target)->as.joint.type) {
    case mjJNT_FREE: return 6;
    case mjJNT_BALL: return 3;
    default: return 1;
  }
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
  for (int i = 0; i < sizes->ntendon; i++) sizes->nwrap += mji_get(c, mjOBJ_TENDON, i)->list.num;
  for (int i = 0; i < sizes->nu; i++) {
    const mjsActuator* act = &mji_get(c, mjOBJ_ACTUATOR, i)->as.actuator;
    sizes->na += act->actdim;
    sizes->nJmom += momentSize(c, act, sizes->nv);
  }
  for (int i = 0; i < sizes->nsensor; i++) {
    sizes->nsensordata += mji_get(c, mjOBJ_SENSOR, i)->as.sensor.dim;
  }
  for (int i = 0; i < sizes->nnumeric; i++) {
    sizes->nnumericdata += mji_get(c, mjOBJ_NUMERIC, i)->as.numeric.size;
  }
  for (int i = 0; i < sizes->ntext; i++) {
    const mjsText* text = &mji_get(c, mjOBJ_TEXT, i)->as.text;
    sizes->ntextdata += (int)strlen(mjs_getString(text->data)) + 1;
  }
  for (int i = 0; i < sizes->ntuple; i++) {
    const mjiVec* names = mji_get(c, mjOBJ_TUPLE, i)->as.tuple.objname;
    sizes->ntupledata += names->num;
  }
  for (int i = 0; i < sizes->neq; i++) {
    mjtEq type = mji_get(c, mjOBJ_EQUALITY, i)->as.equality.type;
    sizes->nemax += type == mjEQ_CONNECT ? 3 : type == mjEQ_WELD ? 7 : 1;
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
  sizes->njmax = s->njmax;
  sizes->nconmax = s->nconmax;
}

// The arena: the size given, or room for the stack and for contacts and constraints, in whole megabytes.
// Models from before the arena say how many contacts and constraints to expect; others get 100 and 500.
static mjtSize arenaSize(const mjSpec* s, const mjModel* m) {
  if (s->memory >= 0) return s->memory;
  // in floating point, which is exact here and cannot overflow
  double ncon = m->nconmax == -1 ? 100 : m->nconmax;
  double nj = m->njmax == -1 ? 500 : m->njmax;
  double num = sizeof(mjtNum), integer = sizeof(int);

  double stack = s->nstack;
  if (stack < 0) {
    double rows = nj + m->neq + m->nv;
    mjtSize elements = m->nq + m->nv + m->nu + m->na + m->nbody + m->njnt + m->ngeom + m->nsite +
                       m->neq + m->ntendon + m->nwrap;
    stack = mjMAX(1000, 5 * rows * rows + 20 * elements);
  }
  double bytes = stack * num + ncon * (double)sizeof(mjContact) + nj * (8 * integer + 14 * num) +
                 m->nv * 3 * integer + nj * m->nv * (2 * integer + 2 * num) +
                 nj * nj * (integer + num);
  const double megabyte = 1 << 20;
  double whole = ceil(bytes / megabyte) * megabyte;
  return whole < (double)INT64_MAX ? (mjtSize)whole : INT64_MAX;
}

// Structures over dofs are counted on a small model that has only the tree.
static int countTree(mjiCompile* c, mjModel* sizes) {
  mjModel* tree = mji_vec_alloc(sizeof(mjModel));
  tree->nq = sizes->nq;
  tree->nv = sizes->nv;
  tree->nbody = sizes->nbody;
  tree->njnt = sizes->njnt;
  tree->ntree = sizes->ntree;
  tree->nuser_body = sizes->nuser_body;
  tree->nuser_jnt = sizes->nuser_jnt;
  c->m = mji_allocModel(tree);
  free(tree);
  if (!c->m) return mji_compile_error(c, NULL, "out of memory");
  mji_tree_pack(c);
  int large = mji_sparse_count(c->m, sizes);
  mj_deleteModel(c->m);
  c->m = NULL;
  return large ? mji_compile_error(c, NULL, "the tree of bodies is too deep") : 0;
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
  sizes->nkey = mjMAX(s->nkey, mji_count(c, mjOBJ_KEY));
  sizes->nbvh = sizes->nbvhstatic = mji_bvh_count(c);
  sizes->nnames = mji_pack_countNames(c, sizes);
  sizes->nnames_map = mji_sizeNamesMap(sizes);
  sizes->narena = arenaSize(s, sizes);

  // addresses within these are of type int, and so is the size of a state
  if (sizes->na > MAX_STATE || sizes->nsensordata > MAX_STATE || sizes->nJmom > INT_MAX) {
    return mji_compile_error(c, NULL, "too many activations, sensor values or actuator moments");
  }
  return 0;
}
