// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Forward and inverse dynamics of a single joint with dry friction and a contact, perturbed by random controls.
//
//   single_joint STEPS [SOLVER]    0: PGS, 1: CG, 2: Newton (default)
//
// Prints for each step: time; the friction impulse of forward and of inverse dynamics; the same of the contact, and of
// the motor.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mujoco/mujoco.h>

#include "../xorshift.h"

static const char text[] =
    "<mujoco><option timestep='.01' iterations='1000' tolerance='1e-12'/><worldbody><geom type='plane' size='2 2 .1'/>"
    "<body pos='0 0 .4'><joint name='arm' axis='0 1 0' frictionloss='.6'/>"
    "<geom type='capsule' fromto='0 0 0 .6 0 0' size='.02' density='300' contype='0' conaffinity='0'/>"
    "<geom pos='.6 0 0' size='.05' density='300'/></body></worldbody>"
    "<actuator><motor joint='arm' gear='3'/></actuator></mujoco>";

static mjModel* load(void) {
  mjVFS vfs;
  char error[300];
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, "arm.xml", text, sizeof text - 1);
  mjModel* m = mj_loadXML("arm.xml", &vfs, error, sizeof error);
  mj_deleteVFS(&vfs);
  if (!m) fprintf(stderr, "%s\n", error), exit(1);
  return m;
}

// impulses of a step: of the joint's friction, and of the contact along its normal
static void impulses(const mjModel* m, const mjData* d, double* friction, double* contact) {
  mjtNum force[6];
  *friction = *contact = 0;
  for (int i = 0; i < d->nefc; i++) {
    if (d->efc_type[i] == mjCNSTR_FRICTION_DOF) *friction += d->efc_force[i] * m->opt.timestep;
  }
  for (int i = 0; i < d->ncon; i++) {
    mj_contactForce(m, d, i, force);
    *contact += force[0] * m->opt.timestep;
  }
}

int main(int argc, char** argv) {
  int nstep = argc > 1 ? atoi(argv[1]) : 1000;
  mjModel* m = load();
  m->opt.solver = argc > 2 ? atoi(argv[2]) : mjSOL_NEWTON;
  mjData *d = mj_makeData(m), *inverse = mj_makeData(m);
  for (int t = 0; t < nstep; t++) {
    double friction[2], contact[2];
    if (t % 10 == 0) d->ctrl[0] = noise();
    mj_forward(m, d);
    impulses(m, d, friction, contact);

    // inverse dynamics know the state and the acceleration, nothing else
    inverse->qpos[0] = d->qpos[0];
    inverse->qvel[0] = d->qvel[0];
    inverse->qacc[0] = d->qacc[0];
    mj_inverse(m, inverse);
    impulses(m, inverse, friction + 1, contact + 1);
    double h = m->opt.timestep, motor[2] = {h * d->qfrc_actuator[0], h * inverse->qfrc_inverse[0]};
    printf("%g %.12g %.12g %.12g %.12g ", d->time, friction[0], friction[1], contact[0], contact[1]);
    printf("%.12g %.12g\n", motor[0], motor[1]);
    mj_step(m, d);
  }
  mj_deleteData(d);
  mj_deleteData(inverse);
  mj_deleteModel(m);
  return 0;
}
