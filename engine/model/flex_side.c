// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "lanes/kernels.h"

#include "model/contact_side.h"

mjiSide mji_flexSide(const mjModel* m, const mjData* d, const int part[3], const mjtNum pos[3], mjiSideRoom* room) {
  int n = LANE1(flexSide)(m, d, part, pos, room->body, room->weight);
  return (mjiSide){n, room->body, room->weight};
}
