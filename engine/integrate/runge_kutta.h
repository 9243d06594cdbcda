// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The classical scheme of Runge and Kutta: evaluation i starts from the rates of evaluation i-1, for a share of the
// time step, and has a weight in the mean.
#ifndef SHEAF_INTEGRATE_RUNGE_KUTTA_H_
#define SHEAF_INTEGRATE_RUNGE_KUTTA_H_

#include "lanes/lanes.h"

enum { MJI_NSTAGE = 4 };

static const lane_t mji_rkNode[MJI_NSTAGE] = {0, 0.5, 0.5, 1};
static const lane_t mji_rkWeight[MJI_NSTAGE] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};

#endif  // SHEAF_INTEGRATE_RUNGE_KUTTA_H_
