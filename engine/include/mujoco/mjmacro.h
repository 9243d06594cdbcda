// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#ifndef SHEAF_MUJOCO_MJMACRO_H_
#define SHEAF_MUJOCO_MJMACRO_H_

// Larger and smaller of two values; each may be evaluated twice.
#define mjMAX(a, b) (((a) > (b)) ? (a) : (b))
#define mjMIN(a, b) (((a) < (b)) ? (a) : (b))

// Nonzero if a bit of mjOption.disableflags or enableflags is set; they expect a model named m in scope.
#define mjDISABLED(x) (m->opt.disableflags & (x))
#define mjENABLED(x) (m->opt.enableflags & (x))

// Nonzero if the group of actuator i is switched off; expects a model named m in scope.
#define mjACTUATORDISABLED(i) (m->opt.disableactuator & (1 << m->actuator_group[i]))

// Lets the compiler check the arguments of functions in the manner of printf.
#ifndef mjPRINTFLIKE
#if defined(__GNUC__)
#define mjPRINTFLIKE(n, m) __attribute__((format(printf, n, m)))
#else
#define mjPRINTFLIKE(n, m)
#endif
#endif

#endif  // SHEAF_MUJOCO_MJMACRO_H_
