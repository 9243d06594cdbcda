// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The meaning of a geom's sizes, by its type. For meshes, height fields and signed distance fields the compiler
// computes the sizes; their shape is in other arrays.
#ifndef SHEAF_MODEL_GEOM_SIZE_H_
#define SHEAF_MODEL_GEOM_SIZE_H_

#include <math.h>

#include <mujoco/mujoco.h>

// Do the sizes give the shape?
static inline int mji_isPrimitive(int type) {
  return type == mjGEOM_PLANE || (type >= mjGEOM_SPHERE && type <= mjGEOM_BOX);
}

// How many sizes a geom must have, each above zero.
static inline int mji_numSizes(int type) {
  switch (type) {
    case mjGEOM_SPHERE: return 1;
    case mjGEOM_CAPSULE:
    case mjGEOM_CYLINDER: return 2;
    case mjGEOM_ELLIPSOID:
    case mjGEOM_BOX: return 3;
    default: return 0;
  }
}

// Radius of the sphere about the center of a primitive that holds it; 0 for a plane, which no sphere holds.
static inline mjtNum mji_primitiveRadius(int type, const mjtNum* size) {
  switch (type) {
    case mjGEOM_SPHERE: return size[0];
    case mjGEOM_CAPSULE: return size[0] + size[1];
    case mjGEOM_CYLINDER: return sqrt(size[0] * size[0] + size[1] * size[1]);
    case mjGEOM_ELLIPSOID: return fmax(fmax(size[0], size[1]), size[2]);
    case mjGEOM_BOX: return mju_norm3(size);
    default: return 0;
  }
}

#endif  // SHEAF_MODEL_GEOM_SIZE_H_
