// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The sides of a contact: which bodies it acts on. Rows, wrenches, islands, sleep, sensors and adhesion ask here and
// work on the bodies of a side and their weights, not on geoms.
#ifndef SHEAF_MODEL_CONTACT_SIDE_H_
#define SHEAF_MODEL_CONTACT_SIDE_H_

#include <mujoco/mujoco.h>

// Bodies that carry the contact point, each by its weight; the weights add up to one.
typedef struct mjiSide_ {
  int n;  // number of bodies; 0 if the side belongs to nothing of the model
  const int* body;
  const mjtNum* weight;
} mjiSide;

// Side 0 or 1, from the geoms of a contact. A geom is one body with weight 1.
static inline mjiSide mji_contactSide(const mjModel* m, const int geom[2], int side) {
  static const mjtNum whole = 1;
  if (geom[side] < 0) return (mjiSide){0, NULL, NULL};
  return (mjiSide){1, m->geom_bodyid + geom[side], &whole};
}

// Nonzero if both sides belong to the model.
static inline int mji_contactHasSides(const mjModel* m, const int geom[2]) {
  return mji_contactSide(m, geom, 0).n && mji_contactSide(m, geom, 1).n;
}

// Nonzero if a body carries a side.
static inline int mji_sideHasBody(mjiSide side, int body) {
  for (int i = 0; i < side.n; i++) {
    if (side.body[i] == body) return 1;
  }
  return 0;
}

// Where the bodies and weights of a side of a flex are written. They are valid as long as the room.
typedef struct mjiSideRoom_ {
  int body[mjMAXFLEXNODES];
  mjtNum weight[mjMAXFLEXNODES];
} mjiSideRoom;

// A side that is an element or a vertex of a flex, of one state. A vertex is carried by its body, or by the nodes of
// the flex. An element is carried by its vertices; the nearer one is to the contact point, the larger is its weight.
// If both an element and one of its vertices are given, the side is the element without the vertex. A side that the
// model does not have is empty. (flex_side.c, side_lanes.c)
mjiSide mji_flexSide(const mjModel* m, const mjData* d, const int part[3], const mjtNum pos[3], mjiSideRoom* room);

// Which of its vertices an element leaves to the other side of a contact; -1 for none. Of a vertex, the vertex.
static inline int mji_sideVertex(const int flex[2], const int elem[2], const int vert[2], int side) {
  return elem[side] >= 0 && flex[0] == flex[1] ? vert[!side] : vert[side];
}

// Side i of a contact or of a contact record of one state.
#define mji_sideOf(m, d, con, i, room)                                                                                 \
  ((con)->geom[i] >= 0 || !(m)->nflex                                                                                  \
       ? mji_contactSide(m, (con)->geom, i)                                                                            \
       : mji_flexSide(                                                                                                 \
             m, d,                                                                                                     \
             (const int[3]){(con)->flex[i], (con)->elem[i], mji_sideVertex((con)->flex, (con)->elem, (con)->vert, i)}, \
             (const mjtNum*)(con)->pos, room))

#endif  // SHEAF_MODEL_CONTACT_SIDE_H_
