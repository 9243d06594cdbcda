// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Meshes made from parameters. Numbers are those of MuJoCo 3.4.0; the live tests sweep parameters.

#include "support/test.h"
#include "spec/element.h"

// make a mesh; its vertices in v, three numbers each
static mjSpec* make(mjtMeshBuiltin type, double* params, int n, mjsMesh** mesh) {
  mjSpec* spec = mj_makeSpec();
  *mesh = mjs_addMesh(spec, NULL);
  if (!mjs_makeMesh(*mesh, type, params, n)) return spec;
  mj_deleteSpec(spec);
  return NULL;
}

static int refused(mjtMeshBuiltin type, double* params, int n) {
  mjsMesh* mesh;
  mjSpec* spec = make(type, params, n, &mesh);
  if (spec) mj_deleteSpec(spec);
  return !spec;
}

TEST(a_wedge_has_a_vertex_and_a_frame_per_cell) {
  mjsMesh* mesh;
  mjSpec* spec = make(mjMESH_BUILTIN_WEDGE, (double[]){3, 2, 60, 30, 0}, 5, &mesh);
  CHECK(spec);
  if (!spec) return;
  const mjiVec *vert = (mjiVec*)mesh->uservert, *normal = (mjiVec*)mesh->usernormal;
  CHECK_EQ(vert->num, 18);
  CHECK_EQ(normal->num, 54);
  CHECK_EQ(((mjiVec*)mesh->userface)->num, 0);
  const double first[] = {-0.620885134, -0.258819044, -0.739942133};
  const double frame[] = {-0.620885134, -0.258819044, -0.739942133, 0.766044438, 0,
                          -0.642787635, -0.166365668, 0.965925813,  -0.198266894};
  for (int i = 0; i < 3; i++) CHECK_NEAR(((float*)vert->data)[i], first[i], 1e-7);
  for (int i = 0; i < 9; i++) CHECK_NEAR(((float*)normal->data)[i], frame[i], 1e-7);
  mj_deleteSpec(spec);
}

TEST(gamma_draws_cells_to_the_middle) {
  mjsMesh* mesh;
  mjSpec* spec = make(mjMESH_BUILTIN_WEDGE, (double[]){4, 3, 60, 90, 1}, 5, &mesh);
  CHECK(spec);
  if (!spec) return;
  const double first[] = {-0.362348706, -0.709388494, -0.604542255};
  for (int i = 0; i < 3; i++) {
    CHECK_NEAR(((float*)((mjiVec*)mesh->uservert)->data)[i], first[i], 1e-7);
  }
  mj_deleteSpec(spec);
}

TEST(a_plate_is_a_shell) {
  mjsMesh* mesh;
  mjSpec* spec = make(mjMESH_BUILTIN_PLATE, (double[]){3, 2}, 2, &mesh);
  CHECK(spec);
  if (!spec) return;
  const int face[] = {0, 2, 1, 3, 1, 2, 2, 4, 3, 5, 3, 4};
  CHECK_EQ(mesh->inertia, mjMESH_INERTIA_SHELL);
  CHECK_EQ(((mjiVec*)mesh->userface)->num, 12);
  for (int i = 0; i < 12; i++) CHECK_EQ(((int*)((mjiVec*)mesh->userface)->data)[i], face[i]);
  CHECK_NEAR(((float*)((mjiVec*)mesh->uservert)->data)[0], -2.0 / 3, 1e-7);
  mj_deleteSpec(spec);
}

TEST(a_vertex_may_have_several_normals) {
  mjModel* m = test_model(
      "<mujoco><asset><mesh name='m' builtin='plate' params='2 2'/></asset><worldbody>"
      "<geom type='mesh' mesh='m' contype='0' conaffinity='0'/></worldbody></mujoco>");
  if (!m) return;
  CHECK_EQ(m->nmeshnormal, 12);
  for (int i = 0; i < 6; i++) CHECK_EQ(m->mesh_facenormal[i], 3 * m->mesh_face[i]);
  mj_deleteModel(m);
}

TEST(parameters_out_of_range_are_refused) {
  CHECK(refused(mjMESH_BUILTIN_NONE, (double[]){1}, 1));
  CHECK(refused(mjMESH_BUILTIN_SPHERE, (double[]){5}, 1));
  CHECK(refused(mjMESH_BUILTIN_SPHERE, (double[]){-1}, 1));
  CHECK(!refused(mjMESH_BUILTIN_SPHERE, (double[]){-0.5}, 1));
  CHECK(refused(mjMESH_BUILTIN_SPHERE, (double[]){1e300}, 1));
  CHECK(refused(mjMESH_BUILTIN_SUPERTORUS, (double[]){5, 0.5, 0, 1}, 4));
  CHECK(refused(mjMESH_BUILTIN_WEDGE, (double[]){3, 3, 181, 60, 0}, 5));
  CHECK(refused(mjMESH_BUILTIN_WEDGE, (double[]){3, 3, 60, 91, 0}, 5));
  CHECK(refused(mjMESH_BUILTIN_WEDGE, (double[]){3, 3, 60, 60, 1.5}, 5));
  CHECK(refused(mjMESH_BUILTIN_WEDGE, (double[]){3, 3, 60, 60}, 4));
  CHECK(refused(mjMESH_BUILTIN_WEDGE, (double[]){999999, 999999, 60, 60, 0}, 5));
  CHECK(refused(mjMESH_BUILTIN_PLATE, (double[]){0, 3}, 2));
}

TEST(replicas_copy_tendons_that_also_touch_other_things) {
  mjModel* m = test_model(
      "<mujoco><worldbody><site name='w'/><replicate count='2' offset='1 0 0'><body name='p'><joint/>"
      "<geom size='.1'/><site name='ps'/></body></replicate></worldbody><tendon><spatial name='t'>"
      "<site site='ps'/><site site='w'/></spatial></tendon></mujoco>");
  if (!m) return;
  CHECK_EQ(m->ntendon, 2);
  const int sites[] = {1, 0, 2, 0};
  for (int i = 0; i < m->nwrap && i < 4; i++) CHECK_EQ(m->wrap_objid[i], sites[i]);
  mj_deleteModel(m);
}
