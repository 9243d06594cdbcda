// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Meshes of a few faces where a rule of MuJoCo 3.4.0 shows. Numbers and orders: asked there.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/test.h"

// a mesh with these vertices and faces, a shell, seen only
static mjModel* compileShell(const char* vertex, const char* face, const char* attributes) {
  char xml[2000];
  snprintf(xml, sizeof xml,
           "<mujoco><asset><mesh name='m' inertia='shell' vertex='%s' face='%s' %s/></asset>"
           "<worldbody><geom type='mesh' mesh='m' contype='0' conaffinity='0'/></worldbody></mujoco>",
           vertex, face, attributes);
  return test_model(xml);
}

// a polygon made of these vertices in this order
static int hasPolygon(const mjModel* m, int n, const int* vert) {
  for (int p = 0; p < m->mesh_polynum[0]; p++) {
    int k = 0;
    while (m->mesh_polyvertnum[p] == n && k < n && m->mesh_polyvert[m->mesh_polyvertadr[p] + k] == vert[k]) k++;
    if (k == n) return 1;
  }
  return 0;
}

TEST(polygon_of_three_edges_is_not_traced) {
  mjModel* m = compileShell("0 0 0  1 0 0  0 1 0  .3 .3 0  .1 .1 -3", "3 1 2  1 3 0  3 2 0  0 1 4", "");
  if (!m) return;
  CHECK(hasPolygon(m, 3, (int[]){1, 0, 2}));
  mj_deleteModel(m);
}

TEST(polygon_of_four_edges_is_traced) {
  mjModel* m = compileShell("0 0 0  1 0 0  1 1 0  0 1 0  .4 .3 0  .1 .1 -3", "4 1 2  0 1 4  4 2 3  3 0 4  0 1 5", "");
  if (!m) return;
  int found = 0;
  for (int s = 0; s < 4; s++) found += hasPolygon(m, 4, (int[]){s, (s + 1) % 4, (s + 2) % 4, (s + 3) % 4});
  CHECK_EQ(found, 1);
  mj_deleteModel(m);
}

TEST(triangle_without_area_is_a_polygon_of_its_own) {
  mjModel* m = compileShell("0 0 0  1 0 0  0 1 0  .3 .2 -1  0 0 -1.2  .7 0 -1", "0 0 1  0 1 2  3 4 5", "");
  if (!m) return;
  CHECK_EQ(m->mesh_polynum[0], 3);
  CHECK(hasPolygon(m, 3, (int[]){0, 0, 1}));
  CHECK(!isfinite(m->mesh_polynormal[0]));
  mj_deleteModel(m);
}

// two meshes of one file, which only the geom of the first can collide with
static mjModel* compileTwice(const char* first, const char* second) {
  static const char tetrahedron[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
  char xml[1000], error[500] = "";
  snprintf(xml, sizeof xml,
           "<mujoco><asset><mesh name='a' file='m.obj' %s/><mesh name='b' file='./m.obj' %s/></asset>"
           "<worldbody><geom type='mesh' mesh='a'/><geom type='mesh' mesh='b' contype='0' conaffinity='0'/>"
           "</worldbody></mujoco>",
           first, second);
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, "m.obj", tetrahedron, sizeof tetrahedron - 1);
  mj_addBufferVFS(&vfs, "t.xml", xml, (int)strlen(xml));
  mjModel* m = mj_loadXML("t.xml", &vfs, error, sizeof error);
  mj_deleteVFS(&vfs);
  CHECK(m != NULL);
  return m;
}

TEST(meshes_of_one_file_are_made_once) {
  mjModel* m = compileTwice("refpos='1 2 3'", "refpos='1 2 3' smoothnormal='true'");
  if (!m) return;
  for (int k = 0; k < 3; k++) CHECK_EQ(m->mesh_pos[k], m->mesh_pos[3 + k]);
  CHECK(m->mesh_graphadr[0] >= 0);
  CHECK_EQ(m->mesh_graphadr[1], -1);  // its geom needs no hull
  CHECK(strcmp(m->paths + m->mesh_pathadr[1], "m.obj") == 0);
  mj_deleteModel(m);
}

// nor does a mesh that no geom has, although the first was made with one for its inertia
TEST(hulls_for_inertia_stay_with_their_mesh) {
  const char xml[] =
      "<mujoco><asset><mesh name='a' file='m.obj' inertia='convex'/><mesh name='b' file='m.obj' inertia='convex'/>"
      "<mesh name='c' file='m.obj' inertia='convex'/></asset><worldbody><geom type='mesh' mesh='a'/>"
      "<geom type='mesh' mesh='c' contype='0' conaffinity='0'/></worldbody></mujoco>";
  mjVFS vfs;
  char error[500];
  mj_defaultVFS(&vfs);
  static const char obj[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 4 3\nf 1 2 4\nf 2 3 4\n";
  mj_addBufferVFS(&vfs, "m.obj", obj, sizeof obj - 1);
  mj_addBufferVFS(&vfs, "t.xml", xml, sizeof xml - 1);
  mjModel* m = mj_loadXML("t.xml", &vfs, error, sizeof error);
  mj_deleteVFS(&vfs);
  CHECK(m != NULL);
  if (!m) return;
  CHECK_EQ(m->mesh_graphadr[0], 0);
  CHECK_EQ(m->mesh_graphadr[1], -1);
  CHECK(m->mesh_graphadr[2] > 0);
  mj_deleteModel(m);
}

// 3.4.0 gives the second the place of the first
TEST(meshes_of_one_file_have_their_own_places) {
  mjModel* m = compileTwice("refpos='1 2 3'", "refpos='4 5 6'");
  if (!m) return;
  for (int k = 0; k < 3; k++) CHECK_NEAR(m->mesh_pos[k] - m->mesh_pos[3 + k], 3, 1e-12);
  mj_deleteModel(m);

  // half a turn about x: y and z of the center change their signs
  m = compileTwice("", "refquat='0 1 0 0'");
  if (!m) return;
  CHECK_ARRAY(m->mesh_pos, ((mjtNum[]){.25, .25, .25, .25, -.25, -.25}), 6, 1e-12);
  mj_deleteModel(m);
}

TEST(meshes_of_one_file_differ_by_scale) {
  mjModel* m = compileTwice("refpos='1 2 3'", "refpos='4 5 6' scale='1 1 1.5'");
  if (!m) return;
  CHECK_NEAR(m->mesh_pos[0] - m->mesh_pos[3], 3, 1e-12);
  CHECK_NEAR(m->mesh_pos[5], 1.5 * (.25 - 6), 1e-12);
  mj_deleteModel(m);
}

TEST(edge_removes_the_oldest_that_runs_the_other_way) {
  mjModel* m = compileShell("0 0 0  1 0 0  1 1 0  0 1 0  .2 .3 -1", "0 1 2  0 1 2  0 2 3  0 1 4", "");
  if (!m) return;
  CHECK_EQ(m->mesh_polynum[0], 3);
  CHECK(hasPolygon(m, 4, (int[]){0, 1, 2, 3}));
  CHECK(hasPolygon(m, 3, (int[]){0, 1, 2}));
  mj_deleteModel(m);
}

TEST(boundary_that_misses_its_start_is_no_polygon) {
  mjModel* m = compileShell("-1.2 .2 0  -.9 -.5 0  .5 -.4 0  1.3 -.3 0  -1.4 -.8 0  .1 .1 -3",
                            "2 4 3  3 0 2  4 3 2  1 2 0  4 1 0  0 1 5", "");
  if (!m) return;
  CHECK_EQ(m->mesh_polynum[0], 2);
  CHECK(hasPolygon(m, 3, (int[]){4, 3, 2}));
  mj_deleteModel(m);
}

TEST(edge_to_its_own_vertex_counts_if_it_is_the_oldest) {
  const char* vertex = "0 0 0  1 0 0  0 1 0  .3 .2 -1  0 0 -1.2  .7 0 -1";
  mjModel* m = compileShell(vertex, "0 0 1  3 3 4  0 1 2  3 4 5", "");
  if (!m) return;
  CHECK_EQ(m->mesh_polynum[0], 3);
  CHECK(hasPolygon(m, 3, (int[]){0, 0, 1}));
  mj_deleteModel(m);
}

// two faces at a vertex, along z and x, the second of half the area (twice that is given): how far their normal leans
static double lean(double parallelogram) {
  char vertex[400];
  double a = sqrt(parallelogram), b = sqrt(parallelogram / 2);
  snprintf(vertex, sizeof vertex, "0 0 0  %.17g 0 0  0 %.17g 0  0 0 %.17g  0 %.17g 0  5 5 5  6 5 5  5 6 5  5 5 6", a, a,
           b, -b);
  mjModel* m = compileShell(vertex, "0 1 2  0 3 4  5 7 6  5 6 8  6 7 8  7 5 8", "smoothnormal='true'");
  if (!m) return -1;
  double normal[3] = {m->mesh_normal[0], m->mesh_normal[1], m->mesh_normal[2]}, v[3];
  mju_rotVecQuat(v, normal, m->mesh_quat);
  mj_deleteModel(m);
  return fabs(v[0] / v[2]);
}

TEST(faces_below_half_a_ten_millionth_leave_normals) {
  CHECK_NEAR(lean(1e-2), .5, 1e-5);
  CHECK_NEAR(lean(2.02e-7), .5, 1e-5);
  CHECK_NEAR(lean(1.98e-7), 0, 1e-5);
}

// eight spheres at the corners of a cube: the root of their tree is divided along the first axis;
// where the sides are so long that rounding hides 1e-14, along the last of two
TEST(equal_sides_divide_along_the_first) {
  static const struct {
    double side, height;
    int want;  // second leaf of the lower half: corner 1 (x first) or corner 4
  } rows[] = {{1, 1, 0}, {63.375, 1, 0}, {63.875, 1, 1}};
  for (int r = 0; r < 3; r++) {
    char geoms[1000] = "", xml[1500];
    int n = 0;
    for (int i = 0; i < 8; i++)
      n += snprintf(geoms + n, sizeof geoms - (size_t)n, "<geom size='.125' pos='%g %g %g'/>",
                    i & 4 ? rows[r].side : -rows[r].side, i & 2 ? rows[r].side : -rows[r].side,
                    i & 1 ? rows[r].height : -rows[r].height);
    snprintf(xml, sizeof xml,
             "<mujoco><worldbody><body><joint/><inertial pos='0 0 0' mass='1' diaginertia='1 1 "
             "1'/>%s</body></worldbody></mujoco>",
             geoms);
    mjModel* m = test_model(xml);
    if (!m) return;
    const mjtNum* left = m->bvh_aabb + 6 * (m->body_bvhadr[1] + m->bvh_child[2 * m->body_bvhadr[1]]);
    int axis = left[0] < 0 ? 0 : left[1] < 0 ? 1 : 2;
    CHECK_EQ(axis, rows[r].want);
    mj_deleteModel(m);
  }
}

// lists of a program are not read beyond their ends
TEST(face_lists_must_fit_the_faces) {
  static const float vert[15] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1};
  static const int face[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
  for (int i = 0; i < 8; i++) {
    mjSpec* s = mj_makeSpec();
    mjsMesh* mesh = mjs_addMesh(s, NULL);
    int faces = i & 1, normals = i & 2;
    mjs_setName(mesh->element, "m");
    mjs_setFloat(mesh->uservert, vert, faces ? 12 : 15);
    if (faces) mjs_setInt(mesh->userface, face, 12);
    mjs_setFloat(normals ? mesh->usernormal : mesh->usertexcoord, vert, normals ? 12 : 8);
    mjs_setInt(normals ? mesh->userfacenormal : mesh->userfacetexcoord, face, i & 4 ? 12 : 3);
    mjModel* m = mj_compile(s, NULL);
    CHECK_EQ(m != NULL, faces && i & 4);
    mj_deleteModel(m);
    mj_deleteSpec(s);
  }
}

// what qhull cannot be asked for
TEST(hull_has_four_vertices_or_more) {
  for (int num = -1; num < 6; num++) {
    mjSpec* s = mj_makeSpec();
    mjsMesh* mesh = mjs_addMesh(s, NULL);
    double subdivision[1] = {1};
    mjs_setName(mesh->element, "m");
    CHECK_EQ(mjs_makeMesh(mesh, mjMESH_BUILTIN_SPHERE, subdivision, 1), 0);
    mesh->maxhullvert = num;
    mjsGeom* geom = mjs_addGeom(mjs_findBody(s, "world"), NULL);
    geom->type = mjGEOM_MESH;
    mjs_setString(geom->meshname, "m");
    mjModel* m = mj_compile(s, NULL);
    CHECK_EQ(m != NULL, num == -1 || num >= 4);
    mj_deleteModel(m);
    mj_deleteSpec(s);
  }
}
