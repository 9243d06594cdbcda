// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Numbers of the model that a lane may have for itself, one row per array of mjModel or field of mjOption or
// mjStatistic. Kernels read them as NUM(field), OPT(field) and STAT(field) (model/number.h); requests take them as
// parameters of their rows (batch/params.h).
//
//   R(field, FOLLOWS, KEEPS, RANGE)         an array of mjModel; those of flexes are a list of their own
//   O(field, n, FOLLOWS, KEEPS, RANGE)      n numbers of mjOption
//   S(field, FOLLOWS, KEEPS, RANGE)         a number of mjStatistic
//
// FOLLOWS: what must be computed again when it changes
//   NOTHING
//   CONSTANTS   what mj_setConst derives: masses of subtrees, inverse weights, lengths at qpos0
//   BOUNDS      these and bounding radii of geoms
//   DERIVED     nothing, because mj_setConst computes the number itself
// KEEPS: which values must stay as in the model, because kernels take the structure from the model
//   NOTHING
//   ZEROS          zeros: where the model has no spring, damper, friction loss, mass, ..., kernels skip it. A request
//                  whose rows have some is computed with a model that has them (mji_takeParams)
//   ZEROS_ASLEEP   as ZEROS; for tendons between two trees zeros stay where the model lets trees sleep
//   ZEROS_WRAPPED  as ZEROS; for tendons that wrap around geoms zeros stay
//   SHARED         what lanes side by side have in common: rows that differ in it are computed in groups of their own
//   EDGES          as SHARED; zeros stay for flexes whose edges have no Jacobian
//   SIMPLE         values of simple bodies, whose inertia is diagonal
//   SIMPLE_JOINTS  values of joints of simple bodies
//   PATHS          numbers of pulleys and side sites in paths of tendons; coefficients of joints may change
//   SHAPES         values of meshes, height fields and signed distance fields
// RANGE: which values the compiler would take where they differ from those of the model
//   FINITE, NOT_NEGATIVE
//   POSITIVE       at least mjMINVAL
//   INERTIA        three moments of at least mjMINVAL, none larger than the sum of the others
//   UNIT3, UNIT4   vectors and quaternions of length 1
//   SIZES          above zero, those that the type of the geom has
//   ASCENDING      pairs: the first is less than the second
#ifndef SHEAF_TABLES_NUMBER_TABLE_H_
#define SHEAF_TABLES_NUMBER_TABLE_H_

// clang-format off
#define MJI_MODEL_NUMBERS(R)                                        \
  R(qpos0,                CONSTANTS,  NOTHING,       FINITE)       \
  R(qpos_spring,          CONSTANTS,  NOTHING,       FINITE)       \
  R(body_pos,             CONSTANTS,  NOTHING,       FINITE)       \
  R(body_quat,            CONSTANTS,  NOTHING,       UNIT4)        \
  R(body_ipos,            CONSTANTS,  SIMPLE,        FINITE)       \
  R(body_iquat,           CONSTANTS,  SIMPLE,        UNIT4)        \
  R(body_mass,            CONSTANTS,  ZEROS,         POSITIVE)     \
  R(body_inertia,         CONSTANTS,  NOTHING,       INERTIA)      \
  R(body_gravcomp,        NOTHING,    ZEROS,         FINITE)       \
  R(body_subtreemass,     DERIVED,    NOTHING,       NOT_NEGATIVE) \
  R(body_invweight0,      DERIVED,    NOTHING,       NOT_NEGATIVE) \
  R(jnt_pos,              CONSTANTS,  SIMPLE_JOINTS, FINITE)       \
  R(jnt_axis,             CONSTANTS,  SIMPLE_JOINTS, UNIT3)        \
  R(jnt_stiffness,        NOTHING,    ZEROS,         FINITE)       \
  R(jnt_range,            NOTHING,    NOTHING,       ASCENDING)    \
  R(jnt_actfrcrange,      NOTHING,    NOTHING,       ASCENDING)    \
  R(jnt_margin,           NOTHING,    NOTHING,       FINITE)       \
  R(jnt_solref,           NOTHING,    NOTHING,       FINITE)       \
  R(jnt_solimp,           NOTHING,    NOTHING,       FINITE)       \
  R(dof_armature,         CONSTANTS,  NOTHING,       NOT_NEGATIVE) \
  R(dof_damping,          NOTHING,    ZEROS,         FINITE)       \
  R(dof_frictionloss,     NOTHING,    ZEROS,         NOT_NEGATIVE) \
  R(dof_solref,           NOTHING,    NOTHING,       FINITE)       \
  R(dof_solimp,           NOTHING,    NOTHING,       FINITE)       \
  R(dof_invweight0,       DERIVED,    NOTHING,       NOT_NEGATIVE) \
  R(dof_M0,               DERIVED,    NOTHING,       FINITE)       \
  R(dof_length,           DERIVED,    NOTHING,       NOT_NEGATIVE) \
  R(geom_pos,             CONSTANTS,  NOTHING,       FINITE)       \
  R(geom_quat,            CONSTANTS,  NOTHING,       UNIT4)        \
  R(geom_size,            BOUNDS,     SHAPES,        SIZES)        \
  R(geom_friction,        NOTHING,    NOTHING,       NOT_NEGATIVE) \
  R(geom_solmix,          NOTHING,    NOTHING,       NOT_NEGATIVE) \
  R(geom_solref,          NOTHING,    NOTHING,       FINITE)       \
  R(geom_solimp,          NOTHING,    NOTHING,       FINITE)       \
  R(geom_margin,          NOTHING,    NOTHING,       FINITE)       \
  R(geom_gap,             NOTHING,    NOTHING,       FINITE)       \
  R(geom_rbound,          DERIVED,    NOTHING,       NOT_NEGATIVE) \
  R(geom_fluid,           NOTHING,    SHARED,        FINITE)       \
  R(site_pos,             CONSTANTS,  NOTHING,       FINITE)       \
  R(site_quat,            CONSTANTS,  NOTHING,       UNIT4)        \
  R(site_size,            NOTHING,    SHARED,        NOT_NEGATIVE) \
  R(cam_pos,              CONSTANTS,  NOTHING,       FINITE)       \
  R(cam_quat,             CONSTANTS,  NOTHING,       UNIT4)        \
  R(cam_fovy,             NOTHING,    SHARED,        POSITIVE)     \
  R(cam_pos0,             DERIVED,    NOTHING,       FINITE)       \
  R(cam_poscom0,          DERIVED,    NOTHING,       FINITE)       \
  R(cam_mat0,             DERIVED,    NOTHING,       FINITE)       \
  R(light_pos,            CONSTANTS,  NOTHING,       FINITE)       \
  R(light_dir,            CONSTANTS,  NOTHING,       FINITE)       \
  R(light_pos0,           DERIVED,    NOTHING,       FINITE)       \
  R(light_poscom0,        DERIVED,    NOTHING,       FINITE)       \
  R(light_dir0,           DERIVED,    NOTHING,       FINITE)       \
  R(pair_friction,        NOTHING,    NOTHING,       NOT_NEGATIVE) \
  R(pair_solref,          NOTHING,    NOTHING,       FINITE)       \
  R(pair_solreffriction,  NOTHING,    NOTHING,       FINITE)       \
  R(pair_solimp,          NOTHING,    NOTHING,       FINITE)       \
  R(pair_margin,          NOTHING,    NOTHING,       FINITE)       \
  R(pair_gap,             NOTHING,    NOTHING,       FINITE)       \
  R(eq_data,              CONSTANTS,  NOTHING,       FINITE)       \
  R(eq_solref,            NOTHING,    NOTHING,       FINITE)       \
  R(eq_solimp,            NOTHING,    NOTHING,       FINITE)       \
  R(tendon_range,         NOTHING,    NOTHING,       ASCENDING)    \
  R(tendon_actfrcrange,   NOTHING,    NOTHING,       ASCENDING)    \
  R(tendon_margin,        NOTHING,    NOTHING,       FINITE)       \
  R(tendon_stiffness,     NOTHING,    ZEROS_ASLEEP,  FINITE)       \
  R(tendon_damping,       NOTHING,    ZEROS_ASLEEP,  FINITE)       \
  R(tendon_armature,      CONSTANTS,  ZEROS_WRAPPED, NOT_NEGATIVE) \
  R(tendon_frictionloss,  NOTHING,    ZEROS,         NOT_NEGATIVE) \
  R(tendon_lengthspring,  CONSTANTS,  NOTHING,       FINITE)       \
  R(tendon_solref_lim,    NOTHING,    NOTHING,       FINITE)       \
  R(tendon_solimp_lim,    NOTHING,    NOTHING,       FINITE)       \
  R(tendon_solref_fri,    NOTHING,    NOTHING,       FINITE)       \
  R(tendon_solimp_fri,    NOTHING,    NOTHING,       FINITE)       \
  R(tendon_length0,       DERIVED,    NOTHING,       FINITE)       \
  R(tendon_invweight0,    DERIVED,    NOTHING,       NOT_NEGATIVE) \
  R(wrap_prm,             CONSTANTS,  PATHS,         FINITE)       \
  R(actuator_dynprm,      NOTHING,    NOTHING,       FINITE)       \
  R(actuator_gainprm,     CONSTANTS,  ZEROS,         FINITE)       \
  R(actuator_biasprm,     CONSTANTS,  ZEROS,         FINITE)       \
  R(actuator_ctrlrange,   NOTHING,    NOTHING,       ASCENDING)    \
  R(actuator_forcerange,  NOTHING,    NOTHING,       ASCENDING)    \
  R(actuator_actrange,    NOTHING,    NOTHING,       ASCENDING)    \
  R(actuator_gear,        CONSTANTS,  NOTHING,       FINITE)       \
  R(actuator_cranklength, CONSTANTS,  NOTHING,       POSITIVE)     \
  R(actuator_acc0,        DERIVED,    NOTHING,       NOT_NEGATIVE) \
  R(actuator_length0,     DERIVED,    NOTHING,       FINITE)       \
  R(actuator_lengthrange, NOTHING,    NOTHING,       ASCENDING)    \
  R(sensor_cutoff,        NOTHING,    SHARED,        NOT_NEGATIVE)

#define MJI_OPTION_NUMBERS(O)                            \
  O(timestep,         1, NOTHING,  NOTHING, POSITIVE)     \
  O(impratio,         1, NOTHING,  NOTHING, NOT_NEGATIVE) \
  O(gravity,          3, NOTHING,  NOTHING, FINITE)       \
  O(wind,             3, NOTHING,  NOTHING, FINITE)       \
  O(magnetic,         3, NOTHING,  NOTHING, FINITE)       \
  O(density,          1, NOTHING,  ZEROS,   NOT_NEGATIVE) \
  O(viscosity,        1, NOTHING,  ZEROS,   NOT_NEGATIVE) \
  O(tolerance,        1, NOTHING,  SHARED,  NOT_NEGATIVE) \
  O(ls_tolerance,     1, NOTHING,  SHARED,  NOT_NEGATIVE) \
  O(noslip_tolerance, 1, NOTHING,  SHARED,  NOT_NEGATIVE) \
  O(ccd_tolerance,    1, NOTHING,  SHARED,  NOT_NEGATIVE) \
  O(sleep_tolerance,  1, NOTHING,  SHARED,  NOT_NEGATIVE) \
  O(o_margin,         1, NOTHING,  SHARED,  FINITE)       \
  O(o_solref,         2, NOTHING,  SHARED,  FINITE)       \
  O(o_solimp,         5, NOTHING,  SHARED,  FINITE)       \
  O(o_friction,       5, NOTHING,  SHARED,  NOT_NEGATIVE)

#define MJI_STATISTIC_NUMBERS(S)                     \
  S(meaninertia,  DERIVED,  NOTHING,  POSITIVE)

#define MJI_FLEX_NUMBERS(R)                                        \
  R(flex_friction,        NOTHING,    SHARED,        NOT_NEGATIVE) \
  R(flex_solmix,          NOTHING,    SHARED,        NOT_NEGATIVE) \
  R(flex_solref,          NOTHING,    SHARED,        FINITE)       \
  R(flex_solimp,          NOTHING,    SHARED,        FINITE)       \
  R(flex_margin,          NOTHING,    SHARED,        FINITE)       \
  R(flex_gap,             NOTHING,    SHARED,        FINITE)       \
  R(flex_radius,          NOTHING,    SHARED,        NOT_NEGATIVE) \
  R(flex_stiffness,       NOTHING,    SHARED,        FINITE)       \
  R(flex_bending,         NOTHING,    SHARED,        FINITE)       \
  R(flex_damping,         CONSTANTS,  EDGES,         NOT_NEGATIVE) \
  R(flex_edgestiffness,   CONSTANTS,  EDGES,         NOT_NEGATIVE) \
  R(flex_edgedamping,     CONSTANTS,  EDGES,         NOT_NEGATIVE) \
  R(flexedge_length0,     DERIVED,    NOTHING,       NOT_NEGATIVE) \
  R(flexedge_invweight0,  DERIVED,    NOTHING,       NOT_NEGATIVE)
// clang-format on

#endif  // SHEAF_TABLES_NUMBER_TABLE_H_
