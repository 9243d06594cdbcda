// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Which function answers for which pair of geom types, inside and in the public table.

#include <string.h>

#include "collide/pair.h"
#include "collide/vec3.h"

enum { MAXHIT = mjMAXCONPAIR };

void mji_pair_shape(mjiShape* shape, const mjModel* m, const mjData* d, int geom) {
  shape->m = m;
  shape->d = d;
  shape->geom = geom;
  shape->type = m->geom_type[geom];
  shape->size = m->geom_size + 3 * geom;
  memcpy(shape->pos, d->geom_xpos + 3 * geom, sizeof shape->pos);
  memcpy(shape->mat, d->geom_xmat + 9 * geom, sizeof shape->mat);
}

void mji_shape_relative(mjtNum pos[3], mjtNum mat[9], const mjiShape* a, const mjiShape* b) {
  mjtNum offset[3], axis[3];
  sub3(offset, a->pos, b->pos);
  rotateBack3(pos, b->mat, offset);
  for (int k = 0; k < 3; k++) {
    axis3(offset, a->mat, k);
    rotateBack3(axis, b->mat, offset);
    for (int i = 0; i < 3; i++) mat[3 * i + k] = axis[i];
  }
}

// run a pair function on two geoms and write what it finds as contacts
static int collideGeoms(mjiPairFunc func, const mjModel* m, const mjData* d, mjContact* con, int g1, int g2,
                        mjtNum margin) {
  mjiShape a, b;
  mjiHit hit[MAXHIT];
  mji_pair_shape(&a, m, d, g1);
  mji_pair_shape(&b, m, d, g2);
  int n = func(hit, &a, &b, margin);
  for (int i = 0; i < n; i++) {
    con[i].dist = hit[i].dist;
    copy3(con[i].pos, hit[i].pos);
    copy3(con[i].frame, hit[i].normal);
    copy3(con[i].frame + 3, hit[i].tangent);
    set3(con[i].frame + 6, 0, 0, 0);
  }
  return n;
}

// one public function per pair function, so that users can move entries of the table
// clang-format off
#define MJI_PAIR_FUNCS                                                                          \
  F(planeSphere) F(planeCapsule) F(planeEllipsoid) F(planeCylinder) F(planeBox) F(planeMesh)    \
  F(sphereSphere) F(sphereCapsule) F(sphereCylinder) F(sphereBox) F(capsuleCapsule)             \
  F(capsuleBox) F(boxBox) F(convex) F(hfield) F(sdf) F(meshSdf)
// clang-format on

#define F(name)                                                                                       \
  static int name(const mjModel* m, const mjData* d, mjContact* con, int g1, int g2, mjtNum margin) { \
    return collideGeoms(mji_pair_##name, m, d, con, g1, g2, margin);                                  \
  }
MJI_PAIR_FUNCS
#undef F

// rows: first type, columns: second type; T expands one cell
// clang-format off
#define NONE NULL
#define MJI_PAIR_TABLE(T) {                                                                     \
  /*             plane hfield sphere           capsule            ellipsoid           cylinder           box            mesh           sdf */ \
  /* plane    */ {NONE, NONE, T(planeSphere),  T(planeCapsule),   T(planeEllipsoid),  T(planeCylinder),  T(planeBox),   T(planeMesh), T(planeMesh)}, \
  /* hfield   */ {NONE, NONE, T(hfield),       T(hfield),         T(hfield),          T(hfield),         T(hfield),     T(hfield),     NONE}, \
  /* sphere   */ {NONE, NONE, T(sphereSphere), T(sphereCapsule),  T(convex),          T(sphereCylinder), T(sphereBox),  T(convex),     T(sdf)}, \
  /* capsule  */ {NONE, NONE, NONE,            T(capsuleCapsule), T(convex),          T(convex),         T(capsuleBox), T(convex),     T(sdf)}, \
  /* ellipsoid*/ {NONE, NONE, NONE,            NONE,              T(convex),          T(convex),         T(convex),     T(convex),     T(sdf)}, \
  /* cylinder */ {NONE, NONE, NONE,            NONE,              NONE,               T(convex),         T(convex),     T(convex),     T(sdf)}, \
  /* box      */ {NONE, NONE, NONE,            NONE,              NONE,               NONE,              T(boxBox),     T(convex),     T(sdf)}, \
  /* mesh     */ {NONE, NONE, NONE,            NONE,              NONE,               NONE,              NONE,          T(convex),     T(meshSdf)}, \
  /* sdf      */ {NONE, NONE, NONE,            NONE,              NONE,               NONE,              NONE,          NONE,          T(sdf)}}
// clang-format on

#define INSIDE(name) mji_pair_##name
static const mjiPairFunc pairTable[mjNGEOMTYPES][mjNGEOMTYPES] = MJI_PAIR_TABLE(INSIDE);

#define PUBLIC(name) name
mjfCollision mjCOLLISIONFUNC[mjNGEOMTYPES][mjNGEOMTYPES] = MJI_PAIR_TABLE(PUBLIC);
static const mjfCollision builtin[mjNGEOMTYPES][mjNGEOMTYPES] = MJI_PAIR_TABLE(PUBLIC);

mjiPairFunc mji_pair_func(int type1, int type2) { return pairTable[type1][type2]; }

int mji_pair_replaced(int type1, int type2) { return mjCOLLISIONFUNC[type1][type2] != builtin[type1][type2]; }

int mji_pair_anyReplaced(void) { return memcmp(mjCOLLISIONFUNC, builtin, sizeof builtin) != 0; }
