// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Polytopes in poses where many faces, edges and corners tie: their depth is known in closed form.

#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// half the side of a cube; a power of two, so that the mesh has it exactly
static const mjtNum HALF = 0.125;

static const char* const kCubes =
    "<mujoco><asset><mesh name='m' vertex='-.125 -.125 -.125 .125 -.125 -.125 -.125 .125 -.125 .125 .125 -.125"
    " -.125 -.125 .125 .125 -.125 .125 -.125 .125 .125 .125 .125 .125'/></asset><worldbody>"
    "<geom type='%s'/><body><freejoint/><geom type='mesh' mesh='m' mass='1'/></body></worldbody></mujoco>";

static mjModel* makeCubes(const char* first) {
  char xml[1000];
  snprintf(xml, sizeof xml, kCubes, first);
  return test_model(xml);
}

// a number between -1 and 1 that looks random
static mjtNum noise(unsigned* state) {
  *state = *state * 1664525u + 1013904223u;
  return (mjtNum)(*state >> 8) / (1 << 23) - 1;
}

// signed distance of two cubes whose sides are parallel
static mjtNum gapOf(const mjtNum offset[3]) {
  mjtNum gap = -mjMAXVAL;
  for (int k = 0; k < 3; k++) gap = fmax(gap, fabs(offset[k]) - 2 * HALF);
  return gap;
}

// the contact's depth, or zero without a contact, is that of the offset
static void checkDepth(const mjModel* m, mjData* d, const mjtNum offset[3]) {
  mju_copy(d->geom_xpos + 3, offset, 3);
  mj_collision(m, d);
  mjtNum gap = gapOf(offset);
  if (fabs(gap) > 1e-14) CHECK_EQ(d->ncon, gap < 0);
  if (d->ncon) CHECK_NEAR(d->contact[0].dist, gap, 1e-12);
}

// edge to edge, corner to corner and every mixture, with some distance in the ninth digit
static void checkStacks(const char* first) {
  static const mjtNum steps[] = {-2, -1, 0, 1, 2};
  mjModel* m = makeCubes(first);
  if (!m) return;
  mjData* d = mj_makeData(m);
  mj_kinematics(m, d);
  unsigned state = 1;
  for (int i = 0; i < 125 * 40; i++) {
    mjtNum offset[3];
    for (int k = 0, n = i; k < 3; k++, n /= 5) offset[k] = HALF * steps[n % 5] + 1e-9 * noise(&state);
    checkDepth(m, d, offset);
  }
  mj_deleteData(d);
  mj_deleteModel(m);
}

// the same without any distance: centers that coincide, faces in one plane
static void checkTies(const char* first) {
  static const mjtNum steps[] = {-1.5, -1, -.5, 0, .5, 1, 1.5};
  mjModel* m = makeCubes(first);
  if (!m) return;
  mjData* d = mj_makeData(m);
  mj_kinematics(m, d);
  for (int i = 0; i < 343; i++) {
    mjtNum offset[3];
    for (int k = 0, n = i; k < 3; k++, n /= 7) offset[k] = HALF * steps[n % 7];
    checkDepth(m, d, offset);
  }
  mj_deleteData(d);
  mj_deleteModel(m);
}

TEST(mesh_cubes_whose_faces_coincide) { checkTies("mesh' mesh='m"); }
TEST(box_and_mesh_cube_whose_faces_coincide) { checkTies("box' size='.125 .125 .125"); }

// a box within a box whose top faces coincide: the inner one leaves through the top, by its thickness
TEST(distance_of_a_box_within_a_box) {
  mjModel* m = test_model(
      "<mujoco><worldbody><geom type='box' size='.3 .3 .3'/>"
      "<geom type='box' size='.1 .1 .027' pos='.05 .02 .273'/></worldbody></mujoco>");
  if (!m) return;
  mjData* d = mj_makeData(m);
  mj_kinematics(m, d);
  mjtNum fromto[6];
  CHECK_NEAR(mj_geomDistance(m, d, 0, 1, 1, fromto), -.054, 1e-12);
  CHECK_NEAR(mj_geomDistance(m, d, 1, 0, 1, fromto), -.054, 1e-12);
  CHECK_NEAR(fabs(fromto[5] - fromto[2]), .054, 1e-12);
  mj_deleteData(d);
  mj_deleteModel(m);
}

// rounding must not invent a contact, nor lose one, where a cylinder stands next to a box
TEST(cylinder_on_a_box) {
  mjModel* m = test_model(
      "<mujoco><worldbody><geom type='cylinder' size='.125 .25'/>"
      "<geom type='box' size='.25 .25 .25'/></worldbody></mujoco>");
  if (!m) return;
  mjData* d = mj_makeData(m);
  mj_kinematics(m, d);
  unsigned state = 1;
  for (int i = 0; i < 2000; i++) {
    mjtNum* pos = d->geom_xpos + 3;
    for (int k = 0; k < 2; k++) pos[k] = .125 * (i / (k ? 3 : 1) % 3 - 1) + 1e-9 * noise(&state);
    pos[2] = .5 + 1e-9 * noise(&state);
    mjtNum gap = pos[2] - .5;
    mjtNum dist = mj_geomDistance(m, d, 0, 1, 1, NULL);
    CHECK_NEAR(dist, gap, 1e-10);
  }
  mj_deleteData(d);
  mj_deleteModel(m);
}

TEST(mesh_cubes_edge_to_edge) { checkStacks("mesh' mesh='m"); }
TEST(box_and_mesh_cube_edge_to_edge) { checkStacks("box' size='.125 .125 .125"); }

// With the contacts that multiccd adds, a stack stays where it is: bodies sink into each other by less than a
// millimeter each, and turn by less than a hundredth. (One contact for each pair cannot hold a stack, here or in the
// reference.)
TEST(a_stack_of_mesh_cubes_stands_for_10000_steps) {
  enum { CUBES = 5 };
  char text[2000] =
      "<mujoco><option tolerance='1e-14'><flag multiccd='enable'/></option><asset><mesh name='m' vertex='-1 -1 -1 1 -1 "
      "-1 -1 1 -1 1 1 -1 "
      "-1 -1 1 1 -1 1 -1 1 1 1 1 1' scale='.1 .1 .1'/></asset><worldbody><geom type='plane' size='5 5 .1'/>";
  for (int i = 0; i < CUBES; i++) {
    sprintf(text + strlen(text), "<body pos='0 0 %g'><freejoint/><geom type='mesh' mesh='m'/></body>", .1 + .2 * i);
  }
  strcat(text, "</worldbody></mujoco>");
  mjModel* m = test_model(text);
  if (!m) return;
  mjData* d = mj_makeData(m);
  for (int i = 0; i < 10000; i++) mj_step(m, d);
  for (int i = 0; i < CUBES; i++) {
    const mjtNum *pos = d->qpos + 7 * i, *was = m->qpos0 + 7 * i;
    for (int k = 0; k < 3; k++) CHECK_NEAR(pos[k], was[k], .001 * (i + 1));
    for (int k = 4; k < 7; k++) CHECK(fabs(pos[k]) < .01);
  }
  mj_deleteData(d);
  mj_deleteModel(m);
}

// the patch of both boxes lies far from one of them; the depth is that of mj_geomDistance of the reference
TEST(boxes_deep_in_each_other_have_a_contact) {
  mjModel* m = test_model(
      "<mujoco><worldbody><geom type='box' size='1 .9 .1'/><body pos='.1 -.8 .1' quat='.4 -.8 -.2 .4'><freejoint/>"
      "<geom type='box' size='.4 .5 .7'/></body></worldbody></mujoco>");
  mjData* d = mj_makeData(m);
  mj_forward(m, d);
  CHECK_EQ(d->ncon, 1);
  CHECK_NEAR(d->contact[0].dist, -0.72, 1e-6);  // ccd_tolerance
  mj_deleteData(d);
  mj_deleteModel(m);
}

// A large box stands off a mesh by a gap, in any direction: the gap is that of the mesh's farthest vertex, found by
// trying all. The hull has so many vertices that the search for the farthest starts at one of several.
TEST(farthest_vertex_of_a_large_hull) {
  mjModel* m = test_model(
      "<mujoco><asset><mesh name='ball' builtin='sphere' params='3' scale='.1 .2 .3'/></asset><worldbody>"
      "<geom type='box' size='5 5 5'/><body><freejoint/><geom type='mesh' mesh='ball' "
      "mass='1'/></body></worldbody></mujoco>");
  if (!m) return;
  CHECK(m->mesh_vertnum[0] > 500);
  mjData* d = mj_makeData(m);
  mj_kinematics(m, d);
  unsigned state = 1;
  for (int i = 0; i < 2000; i++) {
    mjtNum quat[4], most = -mjMAXVAL, gap = i % 2 ? .05 : -.01, *pos = d->geom_xpos, *mat = d->geom_xmat;
    for (int k = 0; k < 4; k++) quat[k] = noise(&state);
    mju_normalize4(quat);
    mju_quat2Mat(mat, quat);

    // the box's third axis, in the frame of the mesh, points from the mesh to the box
    mjtNum up[3] = {mat[2], mat[5], mat[8]}, local[3];
    mju_mulMatTVec3(local, mat + 9, up);
    for (int v = 0; v < m->mesh_vertnum[0]; v++) {
      const float* p = m->mesh_vert + 3 * v;
      most = fmax(most, p[0] * local[0] + p[1] * local[1] + p[2] * local[2]);
    }
    for (int k = 0; k < 3; k++) pos[k] = pos[3 + k] + (most + gap + 5) * up[k];
    CHECK_NEAR(mj_geomDistance(m, d, 0, 1, 1, NULL), gap, 1e-9);
  }
  mj_deleteData(d);
  mj_deleteModel(m);
}

// how far a mesh reaches in a direction, by trying all vertices
static mjtNum reachOf(const mjModel* m, const mjData* d, int geom, const mjtNum dir[3]) {
  mjtNum local[3], most = -mjMAXVAL;
  mju_mulMatTVec3(local, d->geom_xmat + 9 * geom, dir);
  for (int v = 0; v < m->mesh_vertnum[0]; v++) {
    const float* p = m->mesh_vert + 3 * v;
    most = fmax(most, p[0] * local[0] + p[1] * local[1] + p[2] * local[2]);
  }
  return most + mju_dot3(d->geom_xpos + 3 * geom, dir);
}

// how far one mesh must go along a direction to leave the other
static mjtNum overlapAlong(const mjModel* m, const mjData* d, const mjtNum dir[3]) {
  mjtNum back[3] = {-dir[0], -dir[1], -dir[2]};
  return reachOf(m, d, 0, dir) + reachOf(m, d, 1, back);
}

// Two large hulls in each other: the depth is their overlap along the normal, and no other direction has less. The
// default of 35 iterations is too few for hulls this deep in each other.
TEST(depth_of_large_hulls_is_the_least_overlap) {
  mjModel* m = test_model(
      "<mujoco><option ccd_iterations='200'/><asset><mesh name='ball' builtin='sphere' params='3' scale='.1 .2 "
      ".3'/></asset><worldbody>"
      "<geom type='mesh' mesh='ball'/><body><freejoint/><geom type='mesh' mesh='ball' mass='1'/></body>"
      "</worldbody></mujoco>");
  if (!m) return;
  mjData* d = mj_makeData(m);
  mj_kinematics(m, d);
  unsigned state = 1;
  int ncontact = 0;
  for (int i = 0; i < 300; i++) {
    for (int geom = 0; geom < 2; geom++) {
      mjtNum quat[4];
      for (int k = 0; k < 4; k++) quat[k] = noise(&state);
      mju_normalize4(quat);
      mju_quat2Mat(d->geom_xmat + 9 * geom, quat);
      for (int k = 0; k < 3; k++) d->geom_xpos[3 * geom + k] = .15 * noise(&state);
    }
    mj_collision(m, d);
    if (!d->ncon) continue;
    ncontact++;
    mjtNum depth = -d->contact[0].dist;
    CHECK_NEAR(overlapAlong(m, d, d->contact[0].frame), depth, 1e-8);
    for (int k = 0; k < 100; k++) {
      mjtNum dir[3];
      for (int j = 0; j < 3; j++) dir[j] = d->contact[0].frame[j] + (k % 2 ? .1 : 2) * noise(&state);
      mju_normalize3(dir);
      CHECK(overlapAlong(m, d, dir) > depth - 1e-8);
    }
  }
  CHECK(ncontact > 200);
  mj_deleteData(d);
  mj_deleteModel(m);
}
