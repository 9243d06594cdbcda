// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The rows of transmissions in tables/actuator_table.h, to be asked by type.
#ifndef SHEAF_MODEL_ACTUATOR_ROW_H_
#define SHEAF_MODEL_ACTUATOR_ROW_H_

#include <mujoco/mujoco.h>

typedef enum { mjiSECOND_NONE, mjiSECOND_OPTIONAL, mjiSECOND_REQUIRED } mjiSecondSite;

typedef struct mjiTransmissionRow_ {
  const char* word;      // attribute of MJCF that names the object
  mjtObj object;         // what it acts on
  mjiSecondSite second;  // a second object, always a site
} mjiTransmissionRow;

// Row of a type of transmission (mjtTrn, which may come from a file); NULL if it has none.
const mjiTransmissionRow* mji_transmissionRow(int type);

// Bodies that actuator i of a model acts on. -1 for a tendon, and for a second site that the actuator does not have.
void mji_actuatorBodies(const mjModel* m, int i, int body[2]);

// Moment arms that are stored for an actuator: a joint has those of its dofs, other transmissions may have all nv.
int mji_momentSize(int trntype, int jnttype, int nv);

#endif  // SHEAF_MODEL_ACTUATOR_ROW_H_
