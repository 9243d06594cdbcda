// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Which variant of the kernels this source is compiled for. Ordinary sources are compiled once, for one state.
#ifndef SHEAF_LANES_VARIANT_H_
#define SHEAF_LANES_VARIANT_H_

#ifndef SHEAF_LANES
#define SHEAF_LANES 1
#define SHEAF_VARIANT b1
#endif

// nonzero if each lane has its own numbers of the model (model/number.h)
#ifndef SHEAF_OWN_NUMBERS
#define SHEAF_OWN_NUMBERS 0
#endif

#define MJI_CAT3_(a, b, c) a##b##c
#define MJI_CAT3(a, b, c) MJI_CAT3_(a, b, c)

// LANE(kinematics) is mji_kinematics_v4 in the four-lane object
#define LANE(name) MJI_CAT3(mji_##name, _, SHEAF_VARIANT)

// Does this variant compute a single state? Code for a single state only stands behind `if (ONE_STATE && ...)`.
enum { ONE_STATE = SHEAF_LANES == 1 };

#endif  // SHEAF_LANES_VARIANT_H_
