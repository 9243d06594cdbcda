// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Which numbers of lanes there are here. A pool that is asked for lanes which the processor or the build lacks computes
// one state at a time. A test that compares lanes learns nothing from that, and in builds with sanitizers, which have
// no groups of eight, it would take most of its time.
#ifndef SHEAF_TESTS_SUPPORT_VARIANTS_H_
#define SHEAF_TESTS_SUPPORT_VARIANTS_H_

#include "lanes/kernels.h"

// 0: as many lanes as are best
static inline int test_hasLanes(int nlane) { return nlane == 0 || mji_kernels(nlane); }

#endif  // SHEAF_TESTS_SUPPORT_VARIANTS_H_
