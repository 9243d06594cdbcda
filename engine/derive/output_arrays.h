// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#ifndef SHEAF_DERIVE_OUTPUT_ARRAYS_H_
#define SHEAF_DERIVE_OUTPUT_ARRAYS_H_

#include <stddef.h>

#include <mujoco/mujoco.h>

// clang-format off
#define MJI_SLOPED_ARRAYS \
  /* inputs, and the solution */ \
  X(qpos) X(qvel) X(act) X(ctrl) X(qacc) \
  /* position */ \
  X(xpos) X(xquat) X(xmat) X(xipos) X(ximat) X(xanchor) X(xaxis) X(geom_xpos) X(geom_xmat) X(site_xpos) X(site_xmat) \
  X(subtree_com) X(cdof) X(cinert) X(ten_length) X(actuator_length) \
  /* velocity */ \
  X(cvel) X(cdof_dot) X(ten_velocity) X(actuator_velocity) X(qfrc_bias) X(qfrc_spring) X(qfrc_damper) X(qfrc_gravcomp) \
  X(qfrc_fluid) X(qfrc_passive) X(subtree_linvel) X(subtree_angmom) \
  /* acceleration */ \
  X(act_dot) X(actuator_force) X(qfrc_actuator) X(qfrc_constraint) X(sensordata) X(cacc) X(cfrc_int) X(cfrc_ext)
// clang-format on

#endif  // SHEAF_DERIVE_OUTPUT_ARRAYS_H_
