// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Included before every source of the single-precision engine: functions of <math.h> with their names for doubles are
// those for floats, but in the few sources that compute with doubles, too.
#ifndef SHEAF_SINGLE_REAL_MATH_H_
#define SHEAF_SINGLE_REAL_MATH_H_

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <math.h>

#ifndef MJI_DOUBLE_MATH
#define acos acosf
#define asin asinf
#define atan2 atan2f
#define ceil ceilf
#define copysign copysignf
#define cos cosf
#define cosh coshf
#define exp expf
#define fabs fabsf
#define floor floorf
#define fmax fmaxf
#define fmin fminf
#define fmod fmodf
#define hypot hypotf
#define log logf
#define log1p log1pf
#define pow powf
#define round roundf
#define sin sinf
#define sinh sinhf
#define sqrt sqrtf
#define tan tanf
#define tanh tanhf
#endif

#endif  // SHEAF_SINGLE_REAL_MATH_H_
