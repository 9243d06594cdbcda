// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The filter by oriented boxes leaves out no pair that touches, and nearly all long geoms that pass each other.

#include "support/test.h"

#include "lanes/lanes.h"

#include "collide/oriented_box.h"

static const char scene[] =
    "<mujoco><asset><mesh name='m' vertex='0 0 0 .6 0 0 0 .1 0 0 0 .1 .6 .1 .1'/></asset><worldbody>"
    "<geom type='plane' size='1 1 1'/><geom size='.2'/><geom type='capsule' size='.05 .4'/>"
    "<geom type='ellipsoid' size='.05 .1 .4'/><geom type='cylinder' size='.1 .3'/><geom type='box' size='.05 .3 .1'/>"
    "<geom type='mesh' mesh='m'/></worldbody></mujoco>";

typedef struct Pose_ {
  mjtNum pos[3], mat[9];
} Pose;

static mjtNum noise(unsigned* seed) {
  *seed = *seed * 1664525u + 1013904223u;
  return (mjtNum)(*seed >> 8) / (1 << 23) - 1;
}

static Pose randomPose(unsigned* seed) {
  Pose p;
  mjtNum quat[4];
  for (int k = 0; k < 3; k++) p.pos[k] = .4 * noise(seed);
  for (int k = 0; k < 4; k++) quat[k] = noise(seed);
  mju_normalize4(quat);
  mju_quat2Mat(p.mat, quat);
  return p;
}

static LANE(Shape) shapeAt(const mjModel* m, int geom, const Pose* p) {
  return (LANE(Shape)){m, NULL, geom, m->geom_type[geom], m->geom_size + 3 * geom, p->pos, p->mat};
}

static int hits(const LANE(Shape)* a, const LANE(Shape)* b, mjtNum margin) {
  mjiHit hit[mjMAXCONPAIR];
  mjiShape one[2];
  laneShape(&one[0], a, 0);
  laneShape(&one[1], b, 0);
  mjiPairFunc func = mji_pair_func(a->type, b->type);
  return func ? func(hit, &one[0], &one[1], margin) : 0;
}

// of poses without a contact, the share that the filter recognizes
static double checkPair(const mjModel* m, int geom1, int geom2) {
  unsigned seed = (unsigned)(7 * geom1 + 100 * geom2 + 1);
  int apart = 0, recognized = 0, lost = 0;
  for (int i = 0; i < 3000; i++) {
    mjtNum margin = i % 3 ? 0 : .03;
    Pose p1 = randomPose(&seed), p2 = randomPose(&seed);
    LANE(Shape) a = shapeAt(m, geom1, &p1), b = shapeAt(m, geom2, &p2);
    int touch = hits(&a, &b, margin) > 0, meet = m_any(orientedBoxesMeet(&a, &b, margin, m_full()));
    lost += touch && !meet;
    apart += !touch;
    recognized += !touch && !meet;
  }
  CHECK_EQ(lost, 0);
  return apart ? (double)recognized / apart : 1;
}

TEST(no_pair_that_touches_is_left_out_and_most_others_are) {
  mjModel* m = test_model(scene);
  if (!m) return;
  for (int geom1 = 0; geom1 < m->ngeom; geom1++) {
    for (int geom2 = mjMAX(1, geom1); geom2 < m->ngeom; geom2++) {
      double share = checkPair(m, geom1, geom2);             // least where corners of a box are far from an ellipsoid
      if (!(share > .75)) CHECK_EQ(10 * geom1 + geom2, -1);  // which pair
    }
  }
  mj_deleteModel(m);
}

TEST(a_lane_that_is_not_near_stays_out) {
  mjModel* m = test_model(scene);
  if (!m) return;
  Pose p = {{0}, {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  LANE(Shape) a = shapeAt(m, 4, &p), b = shapeAt(m, 5, &p);
  CHECK_EQ(m_any(orientedBoxesMeet(&a, &b, 0, m_none())), 0);
  CHECK_EQ(m_any(orientedBoxesMeet(&a, &b, 0, m_full())), 1);
  mj_deleteModel(m);
}

TEST(numbers_that_are_not_finite_leave_nothing_out) {
  mjModel* m = test_model(scene);
  if (!m) return;
  Pose p = {{0}, {1, 0, 0, 0, 1, 0, 0, 0, 1}}, q = p;
  q.pos[0] = NAN;
  for (int geom1 = 0; geom1 < m->ngeom; geom1++) {
    LANE(Shape) a = shapeAt(m, geom1, &p), b = shapeAt(m, 6, &q);
    CHECK_EQ(m_any(orientedBoxesMeet(&a, &b, 0, m_full())), 1);
  }
  mj_deleteModel(m);
}
