// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// What must hold for the forces inside of a flex, whatever the reference says: they move neither the center of mass nor
// turn the whole, and those of springs and of elasticity come from an energy.

#include <math.h>
#include <stdio.h>

#include "property/golden_models.h"

#define LOOSE "<contact selfcollide='none' internal='false' contype='0' conaffinity='0'/>"

// damping of bending is none of these forces: it turns what turns
static const char* const flexes[] = {
    "dim='1' count='5 1 1'><edge stiffness='50' damping='.3'/>",
    "dim='2' count='4 3 1'><elasticity young='100' poisson='.2' thickness='.02' elastic2d='stretch' damping='.1'/>",
    "dim='2' count='4 3 1'><elasticity young='900' poisson='.2' thickness='.02' elastic2d='bend'/>",
    "dim='2' count='3 3 1'><edge damping='.2'/><elasticity young='100' thickness='.02' elastic2d='both'/>",
    "dim='3' count='3 2 3'><elasticity young='100' poisson='.3' damping='.1'/>",
};
enum { NFLEX = sizeof flexes / sizeof *flexes };

static mjModel* makeModel(int i) {
  char text[1000];
  snprintf(
      text, sizeof text,
      "<mujoco><option gravity='0 0 0' timestep='1e-3' integrator='RK4'><flag energy='enable'/></option><worldbody>"
      "<body name='p'><flexcomp name='f' type='grid' spacing='.1 .1 .1' radius='.01' %s" LOOSE
      "</flexcomp></body></worldbody></mujoco>",
      flexes[i]);
  return test_model(text);
}

// every vertex somewhere near its place, with a velocity
static void scatter(const mjModel* m, mjData* d) {
  for (int i = 0; i < m->nv; i++) {
    d->qpos[i] = 0.02 * sin(7 * i + 1);
    d->qvel[i] = 0.3 * cos(5 * i + 2);
  }
}

TEST(forces_inside_a_flex_add_up_to_no_force_and_no_torque) {
  for (int i = 0; i < NFLEX; i++) {
    mjModel* m = makeModel(i);
    if (!m) return;
    mjData* d = mj_makeData(m);
    scatter(m, d);
    mj_forward(m, d);
    double force[3] = {0}, torque[3] = {0}, cross[3], size = 0;
    for (int v = 0; v < m->nflexvert; v++) {
      const double* f = d->qfrc_passive + m->body_dofadr[m->flex_vertbodyid[v]];
      mju_addTo3(force, f);
      mju_cross(cross, d->flexvert_xpos + 3 * v, f);
      mju_addTo3(torque, cross);
      size = fmax(size, mju_norm3(f));
    }
    CHECK(size > 1e-3);
    CHECK(mju_norm3(force) < 1e-13 * m->nv * size);
    CHECK(mju_norm3(torque) < 1e-13 * m->nv * size);
    mj_deleteData(d);
    mj_deleteModel(m);
  }
}

// how the forces change with each coordinate, by central differences
static void slopes(const mjModel* m, mjData* d, double* slope) {
  const double step = 1e-6;
  for (int k = 0; k < m->nv; k++) {
    const double at = d->qpos[k];
    for (int side = 0; side < 2; side++) {
      d->qpos[k] = at + (side ? step : -step);
      mj_forward(m, d);
      for (int i = 0; i < m->nv; i++) {
        double* s = slope + m->nv * i + k;
        *s = (side ? *s + d->qfrc_spring[i] : -d->qfrc_spring[i]);
      }
    }
    for (int i = 0; i < m->nv; i++) slope[m->nv * i + k] /= 2 * step;
    d->qpos[k] = at;
  }
}

TEST(elastic_forces_come_from_an_energy) {
  for (int i = 0; i < NFLEX; i++) {
    mjModel* m = makeModel(i);
    if (!m) return;
    mjData* d = mj_makeData(m);
    scatter(m, d);
    mju_zero(d->qvel, m->nv);  // Rayleigh damping is part of the elastic forces
    const int nv = (int)m->nv;
    double *slope = numbers(nv * nv), *turned = numbers(nv * nv), size = 0;
    slopes(m, d, slope);
    mju_transpose(turned, slope, nv, nv);
    for (int k = 0; k < nv * nv; k++) size = fmax(size, fabs(slope[k]));
    CHECK(size > 0.1);
    CHECK_ARRAY(slope, turned, nv * nv, 1e-8 * size);  // differences of forces of size 10 by steps of 1e-6
    free(slope);
    free(turned);
    mj_deleteData(d);
    mj_deleteModel(m);
  }
}

TEST(a_rope_of_springs_keeps_its_energy_and_momentum) {
  mjModel* m = makeModel(0);
  if (!m) return;
  m->flex_edgedamping[0] = 0;
  mjData* d = mj_makeData(m);
  scatter(m, d);
  mj_forward(m, d);
  mj_subtreeVel(m, d);
  const double energy = d->energy[0] + d->energy[1];
  double linear[3], angular[3];
  mju_copy3(linear, d->subtree_linvel);
  mju_copy3(angular, d->subtree_angmom);
  for (int i = 0; i < 500; i++) mj_step(m, d);
  mj_forward(m, d);
  mj_subtreeVel(m, d);
  CHECK(energy > 0.01 && mju_norm3(angular) > 1e-3);
  CHECK_NEAR(d->energy[0] + d->energy[1], energy, 1e-6 * energy);  // RK4 with 1 ms
  CHECK_ARRAY(d->subtree_linvel, linear, 3, 1e-12);
  CHECK_ARRAY(d->subtree_angmom, angular, 3, 1e-9);
  mj_deleteData(d);
  mj_deleteModel(m);
}
