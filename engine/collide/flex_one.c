// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "lanes/lanes.h"

#include "collide/flex_collide.h"
#include "collide/flex_lanes.h"

void LANE(flexStart)(const mjModel* m, mjData* d, LANE(Flexes)* flexes) {
  (void)m, (void)d;
  flexes->body = 0;
}

int LANE(flexVisit)(const mjModel* m, mjData* d, LANE(Flexes)* flexes, int end) {
  for (; flexes->body < end; flexes->body++) {
    if (mji_flex_collideBody(m, d, flexes->body)) return 1;
  }
  return 0;
}

void LANE(flexFinish)(const mjModel* m, mjData* d, LANE(Flexes)* flexes) {
  if (!LANE(flexVisit)(m, d, flexes, (int)m->nbody)) mji_flex_collideFlexes(m, d);
}
