// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Distances of a mesh, interpolated between the corners of the leaves of its octree. Outside of the root, the distance
// to the root is added to what the nearest point of the root has.

#include "collide/sdf.h"

#include "collide/vec3.h"

// nearest points stay so far inside of the root, as in the reference
static const mjtNum INSET = 1e-6;

// a leaf, and where a point is in it: 0 at the lower corner, 1 at the upper
typedef struct Place_ {
  const mjtNum* coeff;
  mjtNum at[3];
  mjtNum size[3];     // of the leaf
  mjtNum outside[3];  // from the root to the point; zero inside
} Place;

static void enter(Place* p, const mjModel* m, int mesh, const mjtNum x[3]) {
  size_t root = (size_t)m->mesh_octadr[mesh], node = root;
  const mjtNum* box = m->oct_aabb + 6 * root;
  mjtNum inside[3];
  for (int k = 0; k < 3; k++) {
    mjtNum lo = box[k] - box[3 + k], hi = box[k] + box[3 + k];
    p->outside[k] = x[k] < lo ? x[k] - lo : x[k] > hi ? x[k] - hi : 0;
    inside[k] = x[k] < lo ? lo + INSET : x[k] > hi ? hi - INSET : x[k];
  }
  while (m->oct_child[8 * node] >= 0) {
    box = m->oct_aabb + 6 * node;
    int child = (inside[0] >= box[0]) + 2 * (inside[1] >= box[1]) + 4 * (inside[2] >= box[2]);
    node = root + (size_t)m->oct_child[8 * node + (size_t)child];
  }
  box = m->oct_aabb + 6 * node;
  p->coeff = m->oct_coeff + 8 * node;
  for (int k = 0; k < 3; k++) {
    p->size[k] = 2 * box[3 + k];
    p->at[k] = (inside[k] - (box[k] - box[3 + k])) / p->size[k];
  }
}

// interpolate linearly along each axis; along axis `slope`, take the difference instead
static mjtNum interpolate(const Place* p, int slope) {
  mjtNum sum = 0;
  for (int j = 0; j < 8; j++) {
    mjtNum weight = 1;
    for (int k = 0; k < 3; k++) {
      int up = j >> k & 1;
      if (k == slope) weight *= up ? 1 : -1;
      else weight *= up ? p->at[k] : 1 - p->at[k];
    }
    sum += weight * p->coeff[j];
  }
  return sum;
}

mjtNum mji_octree_distance(const mjModel* m, int mesh, const mjtNum x[3]) {
  Place p;
  enter(&p, m, mesh, x);
  return norm3(p.outside) + interpolate(&p, -1);
}

mjtNum mji_octree_gradient(const mjModel* m, int mesh, mjtNum gradient[3], const mjtNum x[3]) {
  Place p;
  enter(&p, m, mesh, x);
  mjtNum away = norm3(p.outside);
  for (int k = 0; k < 3; k++) {
    gradient[k] = p.outside[k] != 0 ? p.outside[k] / away : interpolate(&p, k) / p.size[k];
  }
  return away + interpolate(&p, -1);
}
