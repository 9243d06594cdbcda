// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Numbers that an element and the model hold alike: packing moves them one way, mj_copyBack the other.
#ifndef SHEAF_COMPILE_REALS_H_
#define SHEAF_COMPILE_REALS_H_

#include "spec/element.h"

// Elements of w are in the order of the model.
void mji_reals_pack(mjModel* m, const mjiSpec* w);
void mji_reals_copyBack(mjiSpec* w, const mjModel* m);

#endif  // SHEAF_COMPILE_REALS_H_
