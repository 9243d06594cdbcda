// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Rays with answers known by geometry, and distances between geoms.

#include "support/test.h"

#include <math.h>
#include <string.h>

static const mjtNum origin[3] = {0, 0, 0}, eye[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

static mjtNum down(int type, const mjtNum size[3], mjtNum x, mjtNum z) {
  return mju_rayGeom(origin, eye, size, ((mjtNum[]){x, 0, z}), ((mjtNum[]){0, 0, -2}), type);
}

TEST(primitives_from_above_and_inside) {
  const mjtNum size[3] = {1, 2, 3};
  CHECK_NEAR(down(mjGEOM_PLANE, size, 0, 4), 2, 1e-15);
  CHECK_NEAR(down(mjGEOM_PLANE, size, 1.5, 4), -1, 0);
  CHECK_NEAR(down(mjGEOM_PLANE, size, 0, -4), -1, 0);
  CHECK_NEAR(down(mjGEOM_SPHERE, size, 0, 4), 1.5, 1e-15);
  CHECK_NEAR(down(mjGEOM_SPHERE, size, 0, 0), .5, 1e-15);
  CHECK_NEAR(down(mjGEOM_CAPSULE, size, 0, 5), 1, 1e-15);
  CHECK_NEAR(down(mjGEOM_CAPSULE, size, 0, 0), 1.5, 1e-15);
  CHECK_NEAR(down(mjGEOM_ELLIPSOID, size, 0, 5), 1, 1e-15);
  CHECK_NEAR(down(mjGEOM_CYLINDER, size, .5, 4), 1, 1e-15);
  CHECK_NEAR(down(mjGEOM_CYLINDER, size, 1.5, 4), -1, 0);
  CHECK_NEAR(down(mjGEOM_BOX, size, .5, 4), .5, 1e-15);
  CHECK_NEAR(down(mjGEOM_BOX, size, .5, 0), 1.5, 1e-15);
}

static const char scene[] =
    "<mujoco><asset><mesh name='m' vertex='-.1 -.1 -.1 .1 -.1 -.1 -.1 .1 -.1 .1 .1 -.1 -.1 -.1 .1 "
    ".1 -.1 .1 -.1 .1 .1 .1 .1 .1'/>"
    "<hfield name='h' nrow='2' ncol='2' size='1 1 1 .5' elevation='0 0 1 1'/></asset><worldbody>"
    "<geom type='hfield' hfield='h' pos='5 0 0'/><body pos='0 0 1'><freejoint/>"
    "<geom type='mesh' mesh='m' group='1'/></body><body pos='0 0 3'><freejoint/>"
    "<geom size='.2'/></body></worldbody></mujoco>";

TEST(scene_with_groups_bodies_and_static_geoms) {
  mjModel* m = test_model(scene);
  if (!m) return;
  mjData* d = mj_makeData(m);
  mj_kinematics(m, d);
  const mjtNum up[3] = {0, 0, 1}, fall[3] = {0, 0, -1};
  const mjtByte group0[6] = {1, 0, 0, 0, 0, 0};
  int id;
  CHECK_NEAR(mj_ray(m, d, origin, up, NULL, 1, -1, &id), .9, 1e-7);
  CHECK_EQ(id, 1);
  CHECK_NEAR(mj_ray(m, d, origin, up, group0, 1, -1, &id), 2.8, 1e-15);
  CHECK_EQ(id, 2);
  CHECK_NEAR(mj_ray(m, d, origin, up, NULL, 1, 1, &id), 2.8, 1e-15);
  CHECK_NEAR(mj_ray(m, d, origin, fall, NULL, 1, -1, &id), -1, 0);
  CHECK_EQ(id, -1);

  // the first row of elevations is at the largest y, where the field is 0; it falls from 1 to 0
  // with y
  const mjtNum above[3] = {5, 0, 2};
  CHECK_NEAR(mj_ray(m, d, above, fall, NULL, 1, -1, &id), 1.5, 1e-12);
  CHECK_NEAR(mj_ray(m, d, above, fall, NULL, 0, -1, &id), -1, 0);

  // through a wall, and from below
  CHECK_NEAR(mj_rayHfield(m, d, 0, ((mjtNum[]){3, -.9, .5}), ((mjtNum[]){1, 0, 0})), 1, 1e-12);
  CHECK_NEAR(mj_rayHfield(m, d, 0, ((mjtNum[]){5, -.9, -2}), up), 1.5, 1e-12);

  mjtNum vec[6] = {0, 0, 1, 0, 0, -1}, dist[2];
  int ids[2];
  mj_multiRay(m, d, origin, vec, NULL, 1, -1, ids, dist, 2, 10);
  CHECK_NEAR(dist[0], .9, 1e-7);
  CHECK(ids[0] == 1 && ids[1] == -1 && dist[1] == -1);
  mj_deleteData(d);
  mj_deleteModel(m);
}

TEST(distance_and_segment) {
  mjModel* m = test_model(scene);
  if (!m) return;
  mjData* d = mj_makeData(m);
  mj_kinematics(m, d);
  mjtNum seg[6];
  CHECK_NEAR(mj_geomDistance(m, d, 2, 1, 5, seg), 1.7, 1e-7);
  CHECK_ARRAY(seg, ((mjtNum[]){0, 0, 2.8, 0, 0, 1.1}), 6, 1e-7);

  // beyond the limit: the limit and no segment
  CHECK_EQ(mj_geomDistance(m, d, 1, 2, .5, seg), .5);
  CHECK_ARRAY(seg, ((mjtNum[6]){0}), 6, 0);
  mj_deleteData(d);
  mj_deleteModel(m);
}

// a field of one row has walls but no surface, and rays that are no numbers meet nothing
TEST(fields_without_cells_and_rays_without_numbers) {
  mjModel* m = test_model(
      "<mujoco><asset><hfield name='h' nrow='1' ncol='3' elevation='0 1 .5' size='1 1 1 .1'/></asset>"
      "<worldbody><geom type='hfield' hfield='h'/></worldbody></mujoco>");
  if (!m) return;
  mjData* d = mj_makeData(m);
  mj_forward(m, d);
  mjtNum from[3] = {0.3, -3, 0.2}, along[3] = {0, 1, 0}, below[3] = {0, 0, -1}, nan[3] = {NAN, NAN, NAN};
  for (int i = -20; i <= 20; i++) {
    from[0] = 0.1 * i;
    CHECK(mj_rayHfield(m, d, 0, from, along) >= -1);
    CHECK(mj_rayHfield(m, d, 0, from, below) >= -1);
  }
  CHECK_EQ(mj_rayHfield(m, d, 0, nan, below), -1);
  CHECK_EQ(mj_rayHfield(m, d, 0, from, nan), -1);
  mj_deleteData(d);
  mj_deleteModel(m);
}

static mjtNum rayDown(const mjModel* m, const mjData* d, int what, mjtNum x, mjtNum y, int* vert) {
  *vert = -7;
  return mju_rayFlex(m, d, 0, what & 1, (what & 2) > 0, (what & 4) > 0, (what & 8) > 0, 0, ((mjtNum[]){x, y, 3}),
                     ((mjtNum[]){0, 0, -2}), vert);
}

// vertices and edges are thick, faces are not; the skin is edges and faces
TEST(rays_meet_parts_of_flexes) {
  mjModel* m = test_model(
      "<mujoco><worldbody><body name='b' pos='0 0 1'><flexcomp name='f' type='direct' dim='2' radius='.1' element='0 1 "
      "2' "
      "point='0 0 0 1 0 0 0 1 0'/></body></worldbody></mujoco>");
  if (!m) return;
  mjData* d = mj_makeData(m);
  mj_forward(m, d);
  int vert;
  CHECK_NEAR(rayDown(m, d, 1, 0, 0, &vert), .95, 1e-14);
  CHECK_EQ(vert, 0);
  CHECK_EQ(rayDown(m, d, 1, .7, 0, &vert), -1);
  CHECK_EQ(vert, -7);
  CHECK_NEAR(rayDown(m, d, 2, .7, 0, &vert), .95, 1e-14);
  CHECK_EQ(vert, 1);
  CHECK_NEAR(rayDown(m, d, 4, .7, 0.01, &vert), 1, 1e-14);
  CHECK_EQ(rayDown(m, d, 4, .7, -.01, &vert), -1);
  CHECK_NEAR(rayDown(m, d, 8, .7, 0, &vert), .95, 1e-14);
  CHECK_NEAR(rayDown(m, d, 8, .3, .3, &vert), 1, 1e-14);
  CHECK_EQ(rayDown(m, d, 0, .3, .3, &vert), -1);
  mj_deleteData(d);
  mj_deleteModel(m);
}
