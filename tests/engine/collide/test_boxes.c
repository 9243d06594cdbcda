// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Pairs of boxes: the deepest contact against brute force over all features, in both orders.

#include "support/test.h"

#include <math.h>

enum { POSES = 40000 };
static const mjtNum MARGIN = .3;

static mjtNum noise(uint64_t* state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (mjtNum)(*state >> 11) / ((uint64_t)1 << 52) - 1;
}

static void column(mjtNum r[3], const mjtNum* mat, int k) {
  for (int i = 0; i < 3; i++) r[i] = mat[3 * i + k];
}

// ---- brute force

// how far two boxes are apart along a direction; negative where they overlap
static mjtNum apartAlong(const mjModel* m, const mjData* d, const mjtNum direction[3]) {
  mjtNum offset[3], axis[3];
  mju_sub3(offset, d->geom_xpos + 3, d->geom_xpos);
  mjtNum apart = fabs(mju_dot3(offset, direction));
  for (int k = 0; k < 6; k++) {
    column(axis, d->geom_xmat + 9 * (k / 3), k % 3);
    apart -= m->geom_size[k] * fabs(mju_dot3(axis, direction));
  }
  return apart;
}

// the largest of these over the normals of faces and of pairs of edges: minus the depth of boxes that overlap
static mjtNum largestApart(const mjModel* m, const mjData* d) {
  mjtNum most = -mjMAXVAL, axis[6][3], across[3];
  for (int k = 0; k < 6; k++) {
    column(axis[k], d->geom_xmat + 9 * (k / 3), k % 3);
    most = fmax(most, apartAlong(m, d, axis[k]));
  }
  for (int k = 0; k < 9; k++) {
    mju_cross(across, axis[k / 3], axis[3 + k % 3]);
    mjtNum length = mju_norm3(across);
    if (length < 1e-7) continue;
    mju_scl3(across, across, 1 / length);
    most = fmax(most, apartAlong(m, d, across));
  }
  return most;
}

static void corner(mjtNum r[3], const mjModel* m, const mjData* d, int box, int which) {
  mjtNum axis[3];
  mju_copy3(r, d->geom_xpos + 3 * box);
  for (int k = 0; k < 3; k++) {
    column(axis, d->geom_xmat + 9 * box, k);
    mju_addToScl3(r, axis, m->geom_size[3 * box + k] * (which >> k & 1 ? 1 : -1));
  }
}

// distance of a point from a box
static mjtNum pointFromBox(const mjModel* m, const mjData* d, const mjtNum point[3], int box) {
  mjtNum offset[3], local[3];
  mju_sub3(offset, point, d->geom_xpos + 3 * box);
  mju_mulMatTVec3(local, d->geom_xmat + 9 * box, offset);
  for (int k = 0; k < 3; k++) local[k] = fmax(0, fabs(local[k]) - m->geom_size[3 * box + k]);
  return mju_norm3(local);
}

// distance of the inner points of two segments; mjMAXVAL if other points are nearer
static mjtNum innerDistance(const mjtNum p[3], const mjtNum q[3], const mjtNum u[3], const mjtNum v[3]) {
  mjtNum e[3], f[3], r[3], across[3];
  mju_sub3(e, q, p);
  mju_sub3(f, v, u);
  mju_sub3(r, u, p);
  mju_cross(across, e, f);
  mjtNum a = mju_dot3(e, e), b = mju_dot3(e, f), c = mju_dot3(f, f), det = a * c - b * b;
  if (det <= 1e-14 * a * c) return mjMAXVAL;
  mjtNum s = (c * mju_dot3(r, e) - b * mju_dot3(r, f)) / det, t = (b * mju_dot3(r, e) - a * mju_dot3(r, f)) / det;
  if (s < 0 || s > 1 || t < 0 || t > 1) return mjMAXVAL;
  return fabs(mju_dot3(r, across)) / mju_norm3(across);
}

// distance of boxes that do not overlap: each corner from the other box, each edge from each
static mjtNum distance(const mjModel* m, const mjData* d) {
  mjtNum least = mjMAXVAL, p[8][3], u[8][3];
  for (int i = 0; i < 8; i++) {
    corner(p[i], m, d, 0, i);
    corner(u[i], m, d, 1, i);
    least = fmin(least, fmin(pointFromBox(m, d, p[i], 1), pointFromBox(m, d, u[i], 0)));
  }
  for (int i = 0; i < 24; i++) {
    for (int j = 0; j < 24; j++) {
      int from = i / 3, to = from | 1 << i % 3, start = j / 3, end = start | 1 << j % 3;
      if (from != to && start != end) least = fmin(least, innerDistance(p[from], p[to], u[start], u[end]));
    }
  }
  return least;
}

// ---- poses

static void turn(mjtNum mat[9], uint64_t* state, mjtNum most) {
  mjtNum quat[4] = {most < 1, most * noise(state), most * noise(state), most * noise(state)};
  if (most >= 1) quat[0] = noise(state);
  mju_normalize4(quat);
  mju_quat2Mat(mat, quat);
}

// both anyhow, aligned with the world or nearly so, and a tenth of the sizes the same
static void scatter(mjModel* m, mjData* d, uint64_t* state, int i) {
  static const mjtNum spread[] = {1, 1, 0, 1e-3, 1e-9};
  for (int k = 0; k < 6; k++) m->geom_size[k] = i % 10 ? .2 + .15 * noise(state) : .25;
  for (int k = 0; k < 3; k++) d->geom_xpos[k] = 0;
  for (int k = 3; k < 6; k++) d->geom_xpos[k] = i % 20 ? .5 * noise(state) : .25 * floor(3 * noise(state));
  for (int box = 0; box < 2; box++) turn(d->geom_xmat + 9 * box, state, spread[i % 5]);
}

static void swapBoxes(mjModel* m, mjData* d) {
  mjtNum* arrays[] = {m->geom_size, d->geom_xpos, d->geom_xmat};
  for (int k = 0; k < 3; k++) {
    for (int i = 0, n = k == 2 ? 9 : 3; i < n; i++) {
      mjtNum kept = arrays[k][i];
      arrays[k][i] = arrays[k][n + i];
      arrays[k][n + i] = kept;
    }
  }
}

// the deepest contact's distance, mjMAXVAL without a contact; and whether it is true along its own normal
static mjtNum deepest(const mjModel* m, const mjData* d, mjtNum margin) {
  mjContact con[mjMAXCONPAIR];
  int n = mjCOLLISIONFUNC[mjGEOM_BOX][mjGEOM_BOX](m, d, con, 0, 1, margin);
  mjtNum least = mjMAXVAL;
  for (int i = 0; i < n; i++) least = fmin(least, con[i].dist);
  for (int i = 0; i < n; i++) {
    if (con[i].dist > least || fabs(least) < 1e-6) continue;
    CHECK_NEAR(apartAlong(m, d, con[i].frame), least, 2e-6);  // ccd_tolerance, where the convex search had to help
  }
  return least;
}

static mjModel* twoBoxes(void) {
  return test_model(
      "<mujoco><worldbody><geom type='box' size='.1 .1 .1'/><body><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
      "</worldbody></mujoco>");
}

TEST(deepest_contact_of_boxes_is_their_distance_in_both_orders) {
  mjModel* m = twoBoxes();
  if (!m) return;
  mjData* d = mj_makeData(m);
  mj_forward(m, d);
  uint64_t state = 1;
  int apart = 0, overlap = 0;
  for (int i = 0; i < POSES; i++) {
    scatter(m, d, &state, i);
    mjtNum along = largestApart(m, d), truth = along <= 0 ? along : distance(m, d);
    if (fabs(truth) < 1e-12 || fabs(truth - MARGIN) < 1e-9) continue;
    apart += truth > 0 && truth < MARGIN;
    overlap += truth < 0;
    for (int order = 0; order < 2; order++) {
      mjtNum dist = deepest(m, d, MARGIN);
      if (truth > MARGIN) {
        CHECK_EQ(dist, mjMAXVAL);
      } else {
        CHECK_NEAR(dist, truth, truth > 0 ? 1e-8 : 2e-6);
      }
      swapBoxes(m, d);
    }
  }
  CHECK(apart > POSES / 10);
  CHECK(overlap > POSES / 10);
  mj_deleteData(d);
  mj_deleteModel(m);
}

// Two boxes found by random pairs, one of them 4e-4 thick: the patch between their edges lies far from both. The convex
// search, which helped then, ends 1.3e-3 too early in one order, and 2e-7 with a margin.
TEST(edges_of_thin_boxes_have_the_depth_in_both_orders) {
  static const mjtNum size[6] = {1.3612077515831236,    0.1946860456244755,  0.00018280250678151034,
                                 0.0031236831281149843, 0.51826886396581984, 1.5191081101701382};
  static const mjtNum mat[18] = {0.026594969898430909, -0.93366643324882503, -0.35715500696548985, 0.93366643324882503,
                                 -0.1044498624743882,  0.3425743972533542,   -0.35715500696548985, -0.3425743972533542,
                                 0.86895516762718095,  -0.34367428706161163, -0.22707777597728601, 0.9112209765308863,
                                 0.92638935280461099,  0.077058712707754495, 0.36859832040593643,  -0.15391800227051622,
                                 0.97082317568805121,  0.18387933577218535};
  mjModel* m = twoBoxes();
  if (!m) return;
  mjData* d = mj_makeData(m);
  mju_copy(m->geom_size, size, 6);
  mju_copy(d->geom_xmat, mat, 18);
  static const mjtNum pos[6] = {-1.3701075761043717,  -9.9999999999999998e-13, -9.9999999999999998e-13,
                                -0.30301365682459758, 9.9999999999999998e-13,  0};
  mju_copy(d->geom_xpos, pos, 6);
  for (int order = 0; order < 2; order++) {
    CHECK_NEAR(largestApart(m, d), -0.1647962, 1e-7);
    CHECK_NEAR(deepest(m, d, 0), largestApart(m, d), 1e-12);
    CHECK_NEAR(deepest(m, d, .01), largestApart(m, d), 1e-12);
    swapBoxes(m, d);
  }
  mj_deleteData(d);
  mj_deleteModel(m);
}

// Two boxes found by random pairs. Their distance, which is also that of mj_geomDistance, is measured between two
// corners and not along the axis that separates them most, where it is 0.085 (the contact of 4.0.0). 3.4.0 has a depth
// of 2.03.
TEST(boxes_that_are_apart_have_the_distance_of_the_gap) {
  static const mjtNum size[6] = {1.7893148699168384, .56868467231250486, .32859922178988327,
                                 .62682154573891813, .41060120546272982, 4.3359016554185636};
  static const mjtNum xpos[6] = {-1.3816433966582742, -1, 1e-300, 0.99540703440909439, 0.5, 1};
  static const mjtNum xmat[18] = {0.95513419323283488,     0.27991860947038522,     -0.09676902908279697,
                                  0.29033378078313293,     -0.94947660897730801,    0.11916570287261216,
                                  -0.058523231742897891,   -0.14191455555057755,    -0.98814740310808336,
                                  -1.3262983406067016e-06, 0.0030152973617629374,   0.99999545397969747,
                                  -0.00087971096059044564, 0.99999506703305596,     -0.0030152973617629374,
                                  -0.99999961305335849,    -0.00087971096059044564, 1.3262983406067016e-06};
  mjModel* m = twoBoxes();
  if (!m) return;
  mjData* d = mj_makeData(m);
  mj_forward(m, d);
  mju_copy(m->geom_size, size, 6);
  mju_copy(d->geom_xpos, xpos, 6);
  mju_copy(d->geom_xmat, xmat, 18);
  CHECK_NEAR(deepest(m, d, MARGIN), 0.1016882335104484, 1e-14);
  mj_deleteData(d);
  mj_deleteModel(m);
}

// A finger that leans by three degrees stands before the wall of a drawer: two edges are nearest, and the other
// contacts of the patch keep the finger from turning. Expected: MuJoCo 3.4.0.
TEST(edges_that_are_nearly_faces_have_the_contacts_of_a_face) {
  static const mjtNum size[6] = {.045, .003, .015, .1, .008, .052}, pos[3] = {.0971989, .0063804, .0013548};
  static const mjtNum quat[4] = {.7046, .0195, -.709, -.0201};
  static const mjtNum want[3][4] = {{.000104379, .045052188, -.002362171, .015000326},
                                    {.000291995, .045145994, -.000680165, -.014999087},
                                    {.000109861, .04505493, .003, .015000344}};
  mjModel* m = twoBoxes();
  if (!m) return;
  mjData* d = mj_makeData(m);
  mju_copy(m->geom_size, size, 6);
  mju_copy3(d->qpos, pos);
  mju_copy4(d->qpos + 3, quat);
  mj_kinematics(m, d);
  mjContact con[mjMAXCONPAIR];
  CHECK_EQ(mjCOLLISIONFUNC[mjGEOM_BOX][mjGEOM_BOX](m, d, con, 0, 1, .001), 3);
  for (int i = 0; i < 3; i++) {
    CHECK_NEAR(con[i].dist, want[i][0], 1e-9);
    for (int k = 0; k < 3; k++) CHECK_NEAR(con[i].pos[k], want[i][1 + k], 1e-9);
    CHECK_NEAR(con[i].frame[0], .999980444, 1e-9);
  }
  mj_deleteData(d);
  mj_deleteModel(m);
}

// A box rests edge to edge beside another one, so that neither faces nor corners decide: two contacts, at the ends.
TEST(parallel_edges_have_two_contacts) {
  mjModel* m = twoBoxes();
  if (!m) return;
  mjData* d = mj_makeData(m);
  mj_forward(m, d);
  for (int k = 0; k < 6; k++) m->geom_size[k] = .1;
  m->geom_size[4] = .05;
  mju_zero(d->geom_xpos, 3);
  d->geom_xpos[3] = d->geom_xpos[5] = .23;
  d->geom_xpos[4] = 0;
  mjContact con[mjMAXCONPAIR];
  CHECK_EQ(mjCOLLISIONFUNC[mjGEOM_BOX][mjGEOM_BOX](m, d, con, 0, 1, MARGIN), 2);
  for (int i = 0; i < 2; i++) {
    CHECK_NEAR(con[i].dist, .03 * sqrt(2), 1e-15);
    CHECK_NEAR(con[i].frame[0], sqrt(.5), 1e-12);
    CHECK_NEAR(con[i].frame[2], sqrt(.5), 1e-12);
    CHECK_NEAR(con[i].pos[0], .115, 1e-15);
  }
  CHECK_NEAR(fabs(con[0].pos[1] - con[1].pos[1]), .1, 1e-15);
  mj_deleteData(d);
  mj_deleteModel(m);
}
