// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Limits of actuator forces, of actuators and of tendons. Include lanes/lanes.h first.
#ifndef SHEAF_DERIVE_ACTUATOR_LIMIT_H_
#define SHEAF_DERIVE_ACTUATOR_LIMIT_H_

#include <mujoco/mujoco.h>

// The slope of an actuator's own force as moment arms feel it: zero at the actuator's limit. At the limit of a tendon
// its actuators share a force that is given, so what one pulls more the others pull less; then the slope says what all
// of them do, along the moment arms of this one.
V LANE(slopeInLimits)(const mjModel* m, mjData* d, int i, V slope);

#endif  // SHEAF_DERIVE_ACTUATOR_LIMIT_H_
