// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#ifndef SHEAF_MUJOCO_MJTNUM_H_
#define SHEAF_MUJOCO_MJTNUM_H_

#include <stdint.h>

#ifdef MJI_SINGLE
typedef float mjtNum;  // inside the library only: its engine of single precision
#else
typedef double mjtNum;  // every physical quantity
#endif
typedef unsigned char mjtByte;  // flags and small codes
typedef int64_t mjtSize;        // counts of bytes and of large arrays

#define mjMINVAL 1E-15  // smallest value that is used as a divisor

#endif  // SHEAF_MUJOCO_MJTNUM_H_
