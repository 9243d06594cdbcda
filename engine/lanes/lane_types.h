// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The numbers of one lane, and how many lanes there may be.
#ifndef SHEAF_LANES_LANE_TYPES_H_
#define SHEAF_LANES_LANE_TYPES_H_

#include <stdint.h>

// A number of one lane: the type of an element of V. An element of M or U has the same size. In single precision there
// are twice as many lanes in the same bytes (single/README.md).
#ifdef MJI_SINGLE
typedef float lane_t;
typedef int32_t lane_mask_t;
typedef uint32_t lane_bits_t;
#define LANE_INT_MAX INT32_MAX
#define LANE_HUGE 1e30f
enum { MJI_MAX_LANES = 16 };
#else
typedef double lane_t;
typedef int64_t lane_mask_t;
typedef uint64_t lane_bits_t;
#define LANE_INT_MAX INT64_MAX
#define LANE_HUGE 1e300
enum { MJI_MAX_LANES = 8 };
#endif

#endif  // SHEAF_LANES_LANE_TYPES_H_
