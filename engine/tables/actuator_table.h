// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Actuators: transmissions, activation dynamics, gains and biases, one row each, in the order of their enums. The
// reader, the writer, the compiler, the checks, sleeping and the evaluation take what they know of a type from its row;
// actuate/README.md says how to add one.
//
//   T(TYPE, word, OBJECT, SECOND, evaluator)    a transmission
//     TYPE        mjTRN_TYPE
//     word        attribute of MJCF that names the object
//     OBJECT      mjOBJ_OBJECT: what it acts on
//     SECOND      a second object, always a site: NONE, OPTIONAL (refsite) or REQUIRED (slidersite)
//     evaluator   static function of actuate/transmission.c: length and moment arms
//
//   F(TYPE, word, evaluator)                    dynamics, a gain or a bias
//     TYPE        mjDYN_TYPE, mjGAIN_TYPE or mjBIAS_TYPE
//     word        keyword of MJCF
//     evaluator   static function of actuate/actuation.c
#ifndef SHEAF_TABLES_ACTUATOR_TABLE_H_
#define SHEAF_TABLES_ACTUATOR_TABLE_H_

// clang-format off
#define MJI_TRANSMISSIONS(T)                                                  \
  T(JOINT,         "joint",         JOINT,  NONE,     jointMoment)            \
  T(JOINTINPARENT, "jointinparent", JOINT,  NONE,     jointMoment)            \
  T(SLIDERCRANK,   "cranksite",     SITE,   REQUIRED, sliderCrankMoment)      \
  T(TENDON,        "tendon",        TENDON, NONE,     tendonMoment)           \
  T(SITE,          "site",          SITE,   OPTIONAL, siteMoment)             \
  T(BODY,          "body",          BODY,   NONE,     LANE(adhesionMoment))

#define MJI_DYNAMICS(F)                           \
  F(NONE,        "none",        noDynamics)       \
  F(INTEGRATOR,  "integrator",  integrator)       \
  F(FILTER,      "filter",      filter)           \
  F(FILTEREXACT, "filterexact", filter)           \
  F(MUSCLE,      "muscle",      muscleDynamics)   \
  F(USER,        "user",        userDynamics)

#define MJI_GAINS(F)                  \
  F(FIXED,  "fixed",  fixedGain)      \
  F(AFFINE, "affine", affineGain)     \
  F(MUSCLE, "muscle", muscleGain)     \
  F(USER,   "user",   userGain)

#define MJI_BIASES(F)                 \
  F(NONE,   "none",   noBias)         \
  F(AFFINE, "affine", affineBias)     \
  F(MUSCLE, "muscle", muscleBias)     \
  F(USER,   "user",   userBias)
// clang-format on

#endif  // SHEAF_TABLES_ACTUATOR_TABLE_H_
