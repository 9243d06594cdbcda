// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Numbers of the model that a lane may have for itself, one row per array of mjModel or field of mjOption. Kernels read
// them as NUM(field) and OPT(field) (model/number.h).
//
//   R(field, FOLLOWS, KEEPS)         an array of mjModel
//   O(field, n, FOLLOWS, KEEPS)      n numbers of mjOption
//     FOLLOWS   what must be computed again when it changes:
//       NOTHING
//       CONSTANTS   what mj_setConst derives: masses of subtrees, inverse weights, lengths at qpos0
//       BOUNDS      bounding volumes of geoms
//       DERIVED     nothing, because mj_setConst computes the number itself
//     KEEPS     which values must stay as in the model, because kernels take the structure from the model:
//       NOTHING
//       ZEROS           zeros: where the model has no spring, damper, friction loss, mass, ..., kernels skip it
//       SIMPLE          values of simple bodies, whose inertia is diagonal
//       SIMPLE_JOINTS   values of joints of simple bodies
//       PATHS           numbers of pulleys and side sites in paths of tendons; coefficients of joints may change
#ifndef SHEAF_TABLES_NUMBER_TABLE_H_
#define SHEAF_TABLES_NUMBER_TABLE_H_

// clang-format off
#define MJI_MODEL_NUMBERS(R)                         \
  R(qpos0,                CONSTANTS,  NOTHING)       \
  R(qpos_spring,          CONSTANTS,  NOTHING)       \
  R(body_pos,             CONSTANTS,  NOTHING)       \
  R(body_quat,            CONSTANTS,  NOTHING)       \
  R(body_ipos,            CONSTANTS,  SIMPLE)        \
  R(body_iquat,           CONSTANTS,  SIMPLE)        \
  R(body_mass,            CONSTANTS,  ZEROS)         \
  R(body_inertia,         CONSTANTS,  NOTHING)       \
  R(body_gravcomp,        NOTHING,    ZEROS)         \
  R(body_subtreemass,     DERIVED,    NOTHING)       \
  R(body_invweight0,      DERIVED,    NOTHING)       \
  R(jnt_pos,              CONSTANTS,  SIMPLE_JOINTS) \
  R(jnt_axis,             CONSTANTS,  SIMPLE_JOINTS) \
  R(jnt_stiffness,        NOTHING,    ZEROS)         \
  R(jnt_range,            NOTHING,    NOTHING)       \
  R(jnt_actfrcrange,      NOTHING,    NOTHING)       \
  R(jnt_margin,           NOTHING,    NOTHING)       \
  R(jnt_solref,           NOTHING,    NOTHING)       \
  R(jnt_solimp,           NOTHING,    NOTHING)       \
  R(dof_armature,         CONSTANTS,  NOTHING)       \
  R(dof_damping,          NOTHING,    ZEROS)         \
  R(dof_frictionloss,     NOTHING,    ZEROS)         \
  R(dof_solref,           NOTHING,    NOTHING)       \
  R(dof_solimp,           NOTHING,    NOTHING)       \
  R(dof_invweight0,       DERIVED,    NOTHING)       \
  R(dof_M0,               DERIVED,    NOTHING)       \
  R(geom_pos,             NOTHING,    NOTHING)       \
  R(geom_quat,            NOTHING,    NOTHING)       \
  R(geom_size,            BOUNDS,     NOTHING)       \
  R(geom_friction,        NOTHING,    NOTHING)       \
  R(geom_solmix,          NOTHING,    NOTHING)       \
  R(geom_solref,          NOTHING,    NOTHING)       \
  R(geom_solimp,          NOTHING,    NOTHING)       \
  R(geom_margin,          NOTHING,    NOTHING)       \
  R(geom_gap,             NOTHING,    NOTHING)       \
  R(geom_rbound,          DERIVED,    NOTHING)       \
  R(site_pos,             NOTHING,    NOTHING)       \
  R(site_quat,            NOTHING,    NOTHING)       \
  R(cam_pos,              CONSTANTS,  NOTHING)       \
  R(cam_quat,             CONSTANTS,  NOTHING)       \
  R(cam_pos0,             DERIVED,    NOTHING)       \
  R(cam_poscom0,          DERIVED,    NOTHING)       \
  R(cam_mat0,             DERIVED,    NOTHING)       \
  R(light_pos,            CONSTANTS,  NOTHING)       \
  R(light_dir,            CONSTANTS,  NOTHING)       \
  R(light_pos0,           DERIVED,    NOTHING)       \
  R(light_poscom0,        DERIVED,    NOTHING)       \
  R(light_dir0,           DERIVED,    NOTHING)       \
  R(pair_friction,        NOTHING,    NOTHING)       \
  R(pair_solref,          NOTHING,    NOTHING)       \
  R(pair_solreffriction,  NOTHING,    NOTHING)       \
  R(pair_solimp,          NOTHING,    NOTHING)       \
  R(pair_margin,          NOTHING,    NOTHING)       \
  R(pair_gap,             NOTHING,    NOTHING)       \
  R(eq_data,              NOTHING,    NOTHING)       \
  R(eq_solref,            NOTHING,    NOTHING)       \
  R(eq_solimp,            NOTHING,    NOTHING)       \
  R(tendon_range,         NOTHING,    NOTHING)       \
  R(tendon_actfrcrange,   NOTHING,    NOTHING)       \
  R(tendon_margin,        NOTHING,    NOTHING)       \
  R(tendon_stiffness,     NOTHING,    ZEROS)         \
  R(tendon_damping,       NOTHING,    ZEROS)         \
  R(tendon_armature,      CONSTANTS,  ZEROS)         \
  R(tendon_frictionloss,  NOTHING,    ZEROS)         \
  R(tendon_lengthspring,  NOTHING,    NOTHING)       \
  R(tendon_solref_lim,    NOTHING,    NOTHING)       \
  R(tendon_solimp_lim,    NOTHING,    NOTHING)       \
  R(tendon_solref_fri,    NOTHING,    NOTHING)       \
  R(tendon_solimp_fri,    NOTHING,    NOTHING)       \
  R(tendon_length0,       DERIVED,    NOTHING)       \
  R(tendon_invweight0,    DERIVED,    NOTHING)       \
  R(wrap_prm,             CONSTANTS,  PATHS)         \
  R(actuator_dynprm,      NOTHING,    NOTHING)       \
  R(actuator_gainprm,     NOTHING,    NOTHING)       \
  R(actuator_biasprm,     NOTHING,    NOTHING)       \
  R(actuator_ctrlrange,   NOTHING,    NOTHING)       \
  R(actuator_forcerange,  NOTHING,    NOTHING)       \
  R(actuator_actrange,    NOTHING,    NOTHING)       \
  R(actuator_gear,        CONSTANTS,  NOTHING)       \
  R(actuator_cranklength, CONSTANTS,  NOTHING)       \
  R(actuator_acc0,        DERIVED,    NOTHING)       \
  R(actuator_length0,     DERIVED,    NOTHING)       \
  R(actuator_lengthrange, NOTHING,    NOTHING)

#define MJI_OPTION_NUMBERS(O)         \
  O(gravity,    3, NOTHING,  NOTHING) \
  O(wind,       3, NOTHING,  NOTHING) \
  O(magnetic,   3, NOTHING,  NOTHING) \
  O(density,    1, NOTHING,  ZEROS)   \
  O(viscosity,  1, NOTHING,  ZEROS)
// clang-format on

#endif  // SHEAF_TABLES_NUMBER_TABLE_H_
