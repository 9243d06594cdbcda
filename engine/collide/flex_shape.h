// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Contacts of elements of flexes: segments, triangles and tetrahedra with a radius. One state.
#ifndef SHEAF_COLLIDE_FLEX_SHAPE_H_
#define SHEAF_COLLIDE_FLEX_SHAPE_H_

#include "collide/pair.h"

// An element. As a shape it is a capsule (a segment) or a polytope with corners.
typedef struct mjiElement_ {
  mjiShape shape;
  mjtNum size[3];       // radius, half length of a segment
  mjtNum corner[4][3];  // global
  int dim;              // 1 to 3
} mjiElement;

// Element e of flex f.
void mji_flex_element(mjiElement* element, const mjModel* m, const mjData* d, int f, int e);

// Vertex v of flex f, as a ball.
void mji_flex_ball(mjiElement* ball, const mjModel* m, const mjData* d, int f, int v);

// Contacts of a geom (not a plane) with an element; returns the number of hits. Normals point to the element.
int mji_flex_geomElement(mjiHit* hit, const mjiShape* geom, const mjiElement* element, mjtNum margin);

// Contacts of two elements.
int mji_flex_elements(mjiHit* hit, const mjiElement* a, const mjiElement* b, mjtNum margin);

// Contact of a ball with a triangle that has a radius.
int mji_flex_ballTriangle(mjiHit* hit, const mjtNum center[3], mjtNum radius, const mjtNum corner[3][3],
                          mjtNum thickness, mjtNum margin);

#endif  // SHEAF_COLLIDE_FLEX_SHAPE_H_
