// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Narrow phase of one state: functions from two shapes to contacts ("hits").
//
// Every function returns the number of hits with dist <= margin, at most mjMAXCONPAIR, in the order
// in which they become contacts. Shapes come in order of their type, lower first. The normal points
// from the first to the second. tangent is a wish for the second axis of the contact frame; zero:
// any axis will do.
#ifndef SHEAF_COLLIDE_PAIR_H_
#define SHEAF_COLLIDE_PAIR_H_

#include <mujoco/mujoco.h>

typedef struct mjiShape_ {
  const mjModel* m;
  const mjData* d;  // for plugins; of one state, or not used
  int geom;         // -1 if there is no geom behind it
  int type;         // mjtGeom
  const mjtNum* size;
  mjtNum pos[3];
  mjtNum mat[9];

  // an element of a flex (type mjGEOM_FLEX): up to four corners in its frame, and size[0], the radius around them
  int ncorner;
  const mjtNum (*corner)[3];
} mjiShape;

typedef struct mjiHit_ {
  mjtNum dist;
  mjtNum pos[3];
  mjtNum normal[3];
  mjtNum tangent[3];
} mjiHit;

typedef int (*mjiPairFunc)(mjiHit* hit, const mjiShape* a, const mjiShape* b, mjtNum margin);

// pair_round.c: pairs that round.h and capsule_box.h also compute over lanes
int mji_pair_planeSphere(mjiHit* hit, const mjiShape* a, const mjiShape* b, mjtNum margin);
int mji_pair_planeCapsule(mjiHit* hit, const mjiShape* a, const mjiShape* b, mjtNum margin);
int mji_pair_sphereSphere(mjiHit* hit, const mjiShape* a, const mjiShape* b, mjtNum margin);
int mji_pair_sphereCapsule(mjiHit* hit, const mjiShape* a, const mjiShape* b, mjtNum margin);
int mji_pair_capsuleCapsule(mjiHit* hit, const mjiShape* a, const mjiShape* b, mjtNum margin);
int mji_pair_sphereBox(mjiHit* hit, const mjiShape* a, const mjiShape* b, mjtNum margin);
int mji_pair_capsuleBox(mjiHit* hit, const mjiShape* a, const mjiShape* b, mjtNum margin);

// pair_round.c: for one state only
int mji_pair_parallelCapsules(mjiHit* hit, const mjiShape* a, const mjiShape* b, mjtNum margin);
int mji_pair_sphereCylinder(mjiHit* hit, const mjiShape* a, const mjiShape* b, mjtNum margin);

// pair_plane.c
int mji_pair_planeEllipsoid(mjiHit* hit, const mjiShape* a, const mjiShape* b, mjtNum margin);
int mji_pair_planeCylinder(mjiHit* hit, const mjiShape* a, const mjiShape* b, mjtNum margin);
int mji_pair_planeBox(mjiHit* hit, const mjiShape* a, const mjiShape* b, mjtNum margin);
int mji_pair_planeMesh(mjiHit* hit, const mjiShape* a, const mjiShape* b, mjtNum margin);

// box_box.c
int mji_pair_boxBox(mjiHit* hit, const mjiShape* a, const mjiShape* b, mjtNum margin);

// pair_sdf.c, mesh_sdf.c: at most mjMAXCONPAIR contacts of a signed distance field with another shape, with a mesh
int mji_pair_sdf(mjiHit* hit, const mjiShape* a, const mjiShape* b, mjtNum margin);
int mji_pair_meshSdf(mjiHit* hit, const mjiShape* a, const mjiShape* b, mjtNum margin);

// convex.c, pair_hfield.c
int mji_pair_convex(mjiHit* hit, const mjiShape* a, const mjiShape* b, mjtNum margin);
int mji_pair_hfield(mjiHit* hit, const mjiShape* a, const mjiShape* b, mjtNum margin);

// Function of a pair of geom types, lower first; NULL if they never collide. (pair_table.c)
mjiPairFunc mji_pair_func(int type1, int type2);

// Nonzero if mjCOLLISIONFUNC of these types was replaced by the user.
int mji_pair_replaced(int type1, int type2);

// Nonzero if any entry was replaced: lane groups do not call user functions, so run one lane then.
int mji_pair_anyReplaced(void);

// Shape of a geom of one state's data.
void mji_pair_shape(mjiShape* shape, const mjModel* m, const mjData* d, int geom);

// Frame of shape a in that of shape b.
void mji_shape_relative(mjtNum pos[3], mjtNum mat[9], const mjiShape* a, const mjiShape* b);

#endif  // SHEAF_COLLIDE_PAIR_H_
