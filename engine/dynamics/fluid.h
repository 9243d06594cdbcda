// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Shapes in a fluid, for the forces (fluid.c) and their derivatives by velocity
// (integrate/derivative_fluid.c).
//
// A body with a geom whose fluidshape is "ellipsoid" is a set of ellipsoids, one for each such geom; any other body is
// the box that has its inertia. Forces follow from the velocity of the shape relative to the medium, in the shape's
// frame.
#ifndef SHEAF_DYNAMICS_FLUID_H_
#define SHEAF_DYNAMICS_FLUID_H_

#include "lanes/lanes.h"

#include "dynamics/spatial.h"
#include "model/number.h"

// coefficients of a geom as they lie in geom_fluid
typedef struct {
  mjtNum interaction;  // scales everything; 0: not an ellipsoid
  mjtNum blunt_drag;
  mjtNum slender_drag;
  mjtNum angular_drag;
  mjtNum kutta_lift;
  mjtNum magnus_lift;
  mjtNum virtual_mass[3];
  mjtNum virtual_inertia[3];
} FluidCoef;
_Static_assert(sizeof(FluidCoef) == mjNFLUID * sizeof(mjtNum), "geom_fluid holds a FluidCoef");

static inline const FluidCoef* fluidCoef(const mjModel* m, int geom) {
  return (const FluidCoef*)(const void*)(m->geom_fluid + mjNFLUID * geom);
}

static inline int bodyIsEllipsoids(const mjModel* m, int b) {
  for (int g = m->body_geomadr[b]; g < m->body_geomadr[b] + m->body_geomnum[b]; g++) {
    if (fluidCoef(m, g)->interaction > 0) return 1;
  }
  return 0;
}

// full side lengths of the box with the mass and inertia of a body
static inline void inertiaBox(const mjModel* m, const mjData* d, int b, N box[3]) {
  const N* I = NUM(body_inertia) + 3 * b;
  for (int k = 0; k < 3; k++) {
    N rest = I[(k + 1) % 3] + I[(k + 2) % 3] - I[k];
    box[k] = n_sqrt(n_max(n_set1(mjMINVAL), rest) / NUM(body_mass)[b] * 6);
  }
}

// semi-axes of the ellipsoid that stands for a geom
static inline void semiAxes(const mjModel* m, const mjData* d, int geom, N axes[3]) {
  const N* size = NUM(geom_size) + 3 * geom;
  int type = m->geom_type[geom];
  for (int k = 0; k < 3; k++) axes[k] = size[k];
  if (type == mjGEOM_SPHERE || type == mjGEOM_CAPSULE || type == mjGEOM_CYLINDER) {
    axes[1] = size[0];
    axes[2] = type == mjGEOM_SPHERE ? size[0] : size[1];
    if (type == mjGEOM_CAPSULE) axes[2] += size[0];
  }
}

// velocity of a frame of body b relative to the medium, in the axes of the frame, rotation first
static inline void localFlow(const mjModel* m, const mjData* d, V vel[6], int b, const V* pos, const V* mat) {
  const V* cvel = CLANES(d->cvel) + 6 * b;
  const V* com = CLANES(d->subtree_com) + 3 * m->body_rootid[b];
  V offset[3], turn[3], linear[3];
  for (int k = 0; k < 3; k++) offset[k] = pos[k] - com[k];
  cross3(turn, offset, cvel);
  for (int k = 0; k < 3; k++) linear[k] = cvel[3 + k] - turn[k] - OPT(wind)[k];
  mulMatT3(vel, mat, cvel);
  mulMatT3(vel + 3, mat, linear);
}

// Force on a shape that moves relative to the medium, both in its own frame: on the box of a body, on the ellipsoid of
// a geom. (fluid.c)
void LANE(boxFlowForce)(const mjModel* m, const mjData* d, int b, const V vel[6], V force[6]);
void LANE(ellipsoidFlowForce)(const mjModel* m, const mjData* d, int geom, const V vel[6], V force[6]);

// what depends on an ellipsoid and on the direction it moves in
typedef struct {
  N axis[3];     // semi-axes
  N sqr[3];      // squared products of the two other axes
  N volume;      // of the ellipsoid
  N area;        // largest cross-section
  N diameter;    // of the sphere that stands for it in slow flow
  N rotdrag[3];  // angular drag about each axis: coefficient of the quadratic torque
  V speed;       // linear
  V num, den;    // v'*diag(sqr)*v, v'*diag(sqr^2)*v
} Ellipsoid;

static inline void makeEllipsoid(const mjModel* m, const mjData* d, int geom, const V* vel, Ellipsoid* e) {
  const FluidCoef* coef = fluidCoef(m, geom);
  N* s = e->axis;
  semiAxes(m, d, geom, s);
  N largest = n_max(s[0], n_max(s[1], s[2])), smallest = n_min(s[0], n_min(s[1], s[2]));
  N middle = s[0] + s[1] + s[2] - largest - smallest;
  e->volume = 4.0 / 3 * mjPI * s[0] * s[1] * s[2];
  e->area = mjPI * largest * middle;
  e->diameter = 2.0 / 3 * (s[0] + s[1] + s[2]);

  // moments of the surfaces that a rotation sweeps: about each axis, and the largest that any axis may have
  N most = 8.0 / 15 * mjPI * middle * (largest * largest * largest * largest);
  e->num = e->den = v_zero();
  for (int k = 0; k < 3; k++) {
    N a = s[(k + 1) % 3], b = s[(k + 2) % 3], far = n_max(a, b);
    N moment = 8.0 / 15 * mjPI * s[k] * (far * far * far * far);
    e->rotdrag[k] = coef->angular_drag * moment + coef->slender_drag * (most - moment);
    e->sqr[k] = a * b * (a * b);
    V v = vel[3 + k];
    e->num = e->num + e->sqr[k] * (v * v);
    e->den = e->den + e->sqr[k] * e->sqr[k] * (v * v);
  }
  e->speed = v_sqrt(vel[3] * vel[3] + vel[4] * vel[4] + vel[5] * vel[5]);
}

#endif  // SHEAF_DYNAMICS_FLUID_H_
