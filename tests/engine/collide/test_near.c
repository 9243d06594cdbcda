// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Boxes that leave out pairs of a long list lose no contact.

#include <string.h>

#include "lanes/lanes.h"

#include "collide/near.h"
#include "model/work.h"
#include "support/test.h"

// bodies of all shapes and one of two geoms, margins, and a predefined pair that reaches further than all boxes
static const char* const kCrowd =
    "<mujoco><asset><mesh name='tetra' vertex='0 0 0  .2 0 0  0 .2 0  0 0 .2'/></asset><worldbody>"
    "<geom type='plane' size='2 2 .1'/><geom type='box' size='.4 .02 .3' pos='.1 .2 .3' euler='10 20 30' margin='.01'/>"
    "<replicate count='4' offset='.01 .02 .03' euler='5 7 11'>"
    "<body><freejoint/><geom type='sphere' size='.05'/></body>"
    "<body><freejoint/><geom type='capsule' size='.02 .2'/><geom type='capsule' size='.03 .1' pos='.1 0 0'/></body>"
    "<body><freejoint/><geom type='box' size='.2 .01 .1' margin='.02'/></body>"
    "<body><freejoint/><geom type='cylinder' size='.05 .1'/></body>"
    "<body><freejoint/><geom type='ellipsoid' size='.05 .1 .2'/></body>"
    "<body><freejoint/><geom type='mesh' mesh='tetra'/></body>"
    "</replicate>"
    "<body><freejoint/><geom name='a' type='sphere' size='.01'/></body>"
    "<body><freejoint/><geom name='b' type='sphere' size='.01'/></body></worldbody>"
    "<contact><pair geom1='a' geom2='b' margin='3'/></contact></mujoco>";

static void scatter(const mjModel* m, mjData* d, unsigned* seed) {
  for (int i = 0; i < m->nq; i++) {
    *seed = *seed * 1664525u + 1013904223u;
    d->qpos[i] = (mjtNum)(*seed >> 8) / (1 << 24) * 1.2 - 0.6;
  }
  mj_normalizeQuat(m, d->qpos);
}

// With a contact bit that matches nothing, the list of the plan is not valid, and bodies are swept and pruned instead.
TEST(boxes_of_bodies_and_geoms_lose_no_contact) {
  mjModel* m = test_model(kCrowd);
  if (!m) return;
  mjData *d = mj_makeData(m), *swept = mj_makeData(m);
  CHECK(nearIsWorthIt(m, mji_plan(m)));
  unsigned seed = 1;
  int total = 0;
  for (int i = 0; i < 300; i++) {
    scatter(m, d, &seed);
    mju_copy(swept->qpos, d->qpos, m->nq);
    mj_fwdPosition(m, d);
    m->geom_contype[0] ^= 1 << 20;
    mj_fwdPosition(m, swept);
    m->geom_contype[0] ^= 1 << 20;
    CHECK_EQ(d->ncon, swept->ncon);
    for (int c = 0; c < d->ncon && d->ncon == swept->ncon; c++) {
      CHECK(!memcmp(&d->contact[c].dist, &swept->contact[c].dist, 13 * sizeof(mjtNum)));
      CHECK_EQ(d->contact[c].geom1, swept->contact[c].geom1);
      CHECK_EQ(d->contact[c].geom2, swept->contact[c].geom2);
    }
    total += d->ncon;
  }
  CHECK(total > 3000);
  mj_deleteData(swept);
  mj_deleteData(d);
  mj_deleteModel(m);
}
