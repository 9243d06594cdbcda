// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// MPR against libccd, which the reference calls: the same bits.

#include <ccd/ccd.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "collide/convex.h"
#include "collide/mpr.h"
#include "support/test.h"

void mji_mprSupport_b1(mjtNum point[3], mjiConvex* c, const mjtNum dir[3]);

static const char* const kShapes[] = {"sphere' size='.1",      "capsule' size='.05 .1", "ellipsoid' size='.1 .08 .05",
                                      "cylinder' size='.1 .1", "box' size='.1 .1 .1",   "mesh' mesh='ball",
                                      "mesh' mesh='cube",      "mesh' mesh='tetra",     "box' size='.1 .05 .2"};
enum { NSHAPE = sizeof kShapes / sizeof *kShapes, NPOSE = 300 };

static mjModel* makePair(int first, int second) {
  char text[2000];
  snprintf(
      text, sizeof text,
      "<mujoco><option ccd_iterations='50'/><asset><mesh name='ball' builtin='sphere' params='3' scale='.1 .12 .1'/>"
      "<mesh name='cube' vertex='.1 .1 .1 -.1 .1 .1 .1 -.1 .1 -.1 -.1 .1 .1 .1 -.1 -.1 .1 -.1 .1 -.1 -.1 -.1 -.1 -.1'/>"
      "<mesh name='tetra' vertex='.1 .1 .1 -.1 -.1 .1 .1 -.1 -.1 -.1 .1 -.1'/></asset><worldbody>"
      "<geom type='%s'/><body><freejoint/><geom mass='1' type='%s'/></body></worldbody></mujoco>",
      kShapes[first], kShapes[second]);
  return test_model(text);
}

static mjtNum noise(unsigned* state) {
  *state = *state * 1664525u + 1013904223u;
  return (mjtNum)(*state >> 8) / (1 << 23) - 1;
}

// Every third pose is aligned with the axes, so that faces, edges and corners tie; some of these have one center.
static void makePose(mjiShape* s, int i, unsigned* state) {
  for (int k = 0; k < 3; k++) s->pos[k] = .22 * noise(state);
  mjtNum quat[4] = {noise(state), noise(state), noise(state), noise(state)};
  mju_normalize4(quat);
  mju_quat2Mat(s->mat, quat);
  if (i % 3) return;
  for (int k = 0; k < 9; k++) s->mat[k] = k % 4 == 0;
  for (int k = 0; k < 3; k++) s->pos[k] = .05 * round(3 * noise(state));
}

static void support(const void* shape, const ccd_vec3_t* dir, ccd_vec3_t* point) {
  mji_mprSupport_b1(point->v, (mjiConvex*)(size_t)shape, dir->v);
}

static void center(const void* shape, ccd_vec3_t* point) {
  memcpy(point, ((const mjiConvex*)shape)->center, sizeof *point);
}

// depth, direction and place; zero without a contact
static int withLibrary(mjtNum found[7], const mjiShape s[2], mjtNum margin) {
  mjiConvex c[2];
  for (int i = 0; i < 2; i++) mji_support_init(&c[i], &s[i], .5 * margin);
  ccd_t ccd;
  CCD_INIT(&ccd);
  ccd.support1 = ccd.support2 = support;
  ccd.center1 = ccd.center2 = center;
  ccd.max_iterations = (unsigned long)s->m->opt.ccd_iterations;
  ccd.mpr_tolerance = s->m->opt.ccd_tolerance;
  ccd_real_t depth;
  ccd_vec3_t dir, pos;
  if (ccdMPRPenetration(&c[0], &c[1], &ccd, &depth, &dir, &pos) || ccdVec3Eq(&dir, ccd_vec3_origin)) return 0;
  found[0] = margin - depth;
  mju_normalize3(dir.v);
  mju_copy3(found + 1, dir.v);
  mju_copy3(found + 4, pos.v);
  return 1;
}

// has the normal of such a shape errors that are mended from its surface?
static int isRound(const mjiShape* s) {
  return s->type == mjGEOM_SPHERE || s->type == mjGEOM_CAPSULE || s->type == mjGEOM_ELLIPSOID ||
         s->type == mjGEOM_CYLINDER;
}

static int comparePose(const mjiShape s[2], mjtNum margin) {
  mjiConvex c[2];
  mjtNum expected[7];
  mjiHit hit;
  for (int i = 0; i < 2; i++) mji_support_init(&c[i], &s[i], .5 * margin);
  int n = withLibrary(expected, s, margin);
  CHECK_EQ(mji_convex_mpr(&hit, s->m, &c[0], &c[1], margin), n);
  if (!n) return 0;
  CHECK_EQ(hit.dist, expected[0]);
  CHECK(!memcmp(hit.pos, expected + 4, sizeof hit.pos));
  if (!isRound(&s[0]) && !isRound(&s[1])) CHECK(!memcmp(hit.normal, expected + 1, sizeof hit.normal));
  return 1;
}

TEST(contacts_have_the_bits_of_libccd) {
#ifdef __FP_FAST_FMA
  // the engine has the bits of other processors there, which round twice
  test_skip("the system's libccd rounds a product and a sum once");
  return;
#endif
  unsigned state = 3;
  int contacts = 0;
  for (int i = 0; i < NSHAPE * NSHAPE; i++) {
    mjModel* m = makePair(i / NSHAPE, i % NSHAPE);
    if (!m) return;
    mjData* d = mj_makeData(m);
    mj_kinematics(m, d);
    mjiShape s[2];
    for (int k = 0; k < 2; k++) mji_pair_shape(&s[k], m, d, k);
    for (int k = 0; k < NPOSE; k++) {
      makePose(&s[0], k, &state);
      makePose(&s[1], k, &state);
      contacts += comparePose(s, k % 5 ? 0 : .01);
    }
    mj_deleteData(d);
    mj_deleteModel(m);
  }
  CHECK(contacts > NSHAPE * NSHAPE * NPOSE / 4);
}
