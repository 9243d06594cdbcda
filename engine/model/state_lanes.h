// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// States of several lanes at once: what a group writes in each step costs less so than lane by lane (model/work.h).
#ifndef SHEAF_MODEL_STATE_LANES_H_
#define SHEAF_MODEL_STATE_LANES_H_

#include <mujoco/mujoco.h>

// The first `count` lanes of lane data as states whose beginnings are `stride` numbers apart; spec is a combination of
// mjtState.
void mji_getLanes(const mjModel* m, const mjData* lanes, int count, mjtNum* state, size_t stride, unsigned int spec);

// The same for an element-major array: dst[lane*stride + i] = src[i*nlane + lane].
void mji_gatherLanes(mjtNum* dst, size_t stride, const mjtNum* src, int n, int nlane, int count);

// The same to numbers of requests, and from them to all lanes: dst[i*nlane + lane] = row[lane][i].
void mji_toRequests(double* dst, size_t stride, const mjtNum* src, int n, int nlane, int count);
void mji_fromRequests(mjtNum* dst, const double* const* row, int n, int nlane);

#endif  // SHEAF_MODEL_STATE_LANES_H_
