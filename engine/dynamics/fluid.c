// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Forces of the surrounding medium on bodies that move through it.

#include "lanes/lanes.h"
#include "lanes/kernels.h"

#include "dynamics/fluid.h"
#include "dynamics/passive.h"
#include "model/each_span.h"
#include "model/number.h"
#include "model/work.h"

// a divisor that is not zero: x, but at least mjMINVAL
static inline V positive(V x) { return v_max(x, v_set1(mjMINVAL)); }

// add a force and torque at pos, in the axes of mat, to the dofs that move body b
static void pushShape(const mjModel* m, mjData* d, int b, const V* pos, const V* mat, const V* local) {
  const mjiPlan* plan = mji_plan(m);
  const V* com = CLANES(d->subtree_com) + 3 * m->body_rootid[b];
  V wrench[6], offset[3], moment[3];
  mulMat3(wrench, mat, local);
  mulMat3(wrench + 3, mat, local + 3);
  for (int k = 0; k < 3; k++) offset[k] = pos[k] - com[k];
  cross3(moment, offset, wrench + 3);
  for (int k = 0; k < 3; k++) wrench[k] = wrench[k] + moment[k];

  const int* chain = plan->chain_ind + plan->chain_adr[b];
  V* qfrc = LANES(d->qfrc_fluid);
  for (int c = 0; c < plan->chain_num[b]; c++) {
    qfrc[chain[c]] = qfrc[chain[c]] + dot6(CLANES(d->cdof) + 6 * chain[c], wrench);
  }
}

// drag of the box with a body's inertia: that of a sphere in slow flow, and quadratic drag per face
void LANE(boxFlowForce)(const mjModel* m, const mjData* d, int b, const V vel[6], V force[6]) {
  N viscosity = OPT(viscosity)[0], density = OPT(density)[0], box[3];
  inertiaBox(m, d, b, box);
  N diameter = (box[0] + box[1] + box[2]) / 3;
  for (int k = 0; k < 3; k++) {
    N a = box[(k + 1) % 3], c = box[(k + 2) % 3];
    V turn = vel[k], move = vel[3 + k];
    force[k] = -mjPI * diameter * diameter * diameter * viscosity * turn -
               density * box[k] * (a * a * a * a + c * c * c * c) / 64 * (v_abs(turn) * turn);
    force[3 + k] = -3 * mjPI * diameter * viscosity * move - 0.5 * density * a * c * (v_abs(move) * move);
  }
}

static void boxForce(const mjModel* m, mjData* d, int b) {
  const V* pos = CLANES(d->xipos) + 3 * b;
  const V* mat = CLANES(d->ximat) + 9 * b;
  V vel[6], force[6];
  localFlow(m, d, vel, b, pos, mat);
  LANE(boxFlowForce)(m, d, b, vel, force);
  pushShape(m, d, b, pos, mat, force);
}

// added mass: the fluid that an ellipsoid carries along has momenta p and L in the frame of the shape. The frame turns
// with w and moves with v, so the shape feels the force p x w and the torque p x v + L x w.
static void addedMass(const FluidCoef* coef, N density, const V* vel, V* force) {
  V p[3], L[3], push[3], turn1[3], turn2[3];
  for (int k = 0; k < 3; k++) {
    p[k] = density * coef->virtual_mass[k] * vel[3 + k];
    L[k] = density * coef->virtual_inertia[k] * vel[k];
  }
  cross3(push, p, vel);
  cross3(turn1, p, vel + 3);
  cross3(turn2, L, vel);
  for (int k = 0; k < 3; k++) {
    force[k] = turn1[k] + turn2[k];
    force[3 + k] = push[k];
  }
}

// lift and drag of an ellipsoid
static void liftAndDrag(const mjModel* m, const mjData* d, int geom, const V* vel, V* force) {
  const FluidCoef* coef = fluidCoef(m, geom);
  N viscosity = OPT(viscosity)[0], density = OPT(density)[0];
  const V* w = vel;
  const V* v = vel + 3;
  Ellipsoid e;
  makeEllipsoid(m, d, geom, vel, &e);

  // area of the projection along the velocity, and cosine of the angle between its normal n and the velocity
  V area = mjPI * v_sqrt(e.den / positive(e.num));
  V cosine = e.num / positive(e.speed * e.den);
  V n[3], circulation[3], kutta[3], magnus[3];
  for (int k = 0; k < 3; k++) n[k] = e.sqr[k] * v[k];

  // lift by circulation that the shape (Kutta) and the spin (Magnus) cause
  V strength = coef->kutta_lift * density * cosine * area;
  cross3(circulation, n, v);
  for (int k = 0; k < 3; k++) circulation[k] = circulation[k] * strength;
  cross3(kutta, circulation, v);
  cross3(magnus, w, v);
  N spin = coef->magnus_lift * density * e.volume;

  // drag: linear as for a sphere, quadratic with the blunt and the slender part of the surface
  V drag = 3 * mjPI * e.diameter * viscosity +
           density * e.speed * (area * coef->blunt_drag + coef->slender_drag * (e.area - area));
  V swirl[3];
  for (int k = 0; k < 3; k++) swirl[k] = w[k] * e.rotdrag[k];
  V rotdrag = mjPI * e.diameter * e.diameter * e.diameter * viscosity + density * v_sqrt(dot3(swirl, swirl));

  for (int k = 0; k < 3; k++) {
    force[k] = force[k] - rotdrag * w[k];
    force[3 + k] = force[3 + k] + (spin * magnus[k] + kutta[k] - drag * v[k]);
  }
}

void LANE(ellipsoidFlowForce)(const mjModel* m, const mjData* d, int geom, const V vel[6], V force[6]) {
  const FluidCoef* coef = fluidCoef(m, geom);
  addedMass(coef, OPT(density)[0], vel, force);
  liftAndDrag(m, d, geom, vel, force);
  for (int k = 0; k < 6; k++) force[k] = force[k] * coef->interaction;
}

static void ellipsoidForce(const mjModel* m, mjData* d, int geom) {
  int b = m->geom_bodyid[geom];
  const V* pos = CLANES(d->geom_xpos) + 3 * geom;
  const V* mat = CLANES(d->geom_xmat) + 9 * geom;
  V vel[6], force[6];
  localFlow(m, d, vel, b, pos, mat);
  LANE(ellipsoidFlowForce)(m, d, geom, vel, force);
  pushShape(m, d, b, pos, mat, force);
}

static inline void fluidSpan(const mjModel* m, mjData* d, mjiSpan s, V* x) {
  for (int b = s.body; b < s.body_end; b++) {
    if (m->body_mass[b] < mjMINVAL) continue;
    if (!bodyIsEllipsoids(m, b)) {
      boxForce(m, d, b);
      continue;
    }
    for (int g = m->body_geomadr[b]; g < m->body_geomadr[b] + m->body_geomnum[b]; g++) {
      if (fluidCoef(m, g)->interaction != 0) ellipsoidForce(m, d, g);
    }
  }
}

void LANE(fluid)(const mjModel* m, mjData* d) { mji_eachSpan(m, d, fluidSpan, NULL); }
