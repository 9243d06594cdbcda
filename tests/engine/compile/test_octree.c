// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Octrees of signed distances, which a specification asks for with needsdf.

#include <math.h>
#include <string.h>

#include "support/test.h"

static mjModel* compileMesh(const float* vert, int nvert) {
  mjSpec* s = mj_makeSpec();
  mjsMesh* mesh = mjs_addMesh(s, NULL);
  mjs_setName(mesh->element, "m");
  mjs_setFloat(mesh->uservert, vert, 3 * nvert);
  mesh->needsdf = 1;
  mjsGeom* geom = mjs_addGeom(mjs_findBody(s, "world"), NULL);
  geom->type = mjGEOM_MESH;
  mjs_setString(geom->meshname, "m");
  mjModel* m = mj_compile(s, NULL);
  CHECK(m);
  mj_deleteSpec(s);
  return m;
}

// numbers of the reference for a geom of type sdf with this mesh
TEST(octree_has_the_cells_and_distances_of_the_reference) {
  const float vert[] = {0, 0, 0, 1, 0, 0, 0, 1.2f, 0, 0, 0, .9f, 1, 1, 1};
  mjModel* m = compileMesh(vert, 5);
  CHECK(m->noct == 30441 && m->mesh_octadr[0] == 0 && m->mesh_octnum[0] == 30441);
  int depth[8] = {0};
  for (int i = 0; i < m->noct; i++) depth[m->oct_depth[i]]++;
  const int expected[] = {1, 8, 64, 464, 2136, 7616, 20152};
  for (int i = 0; i < 7; i++) CHECK(depth[i] == expected[i]);
  const double box[] = {0.04894193786587531, 0.18493477477362197, -0.11373854116911669,
                        0.7197589254781581,  0.7789494738360544,  0.9173208822756198};
  for (int i = 0; i < 6; i++) CHECK_NEAR(m->oct_aabb[i], box[i], 1e-9);
  const double root[] = {0.739764192452753,  0.7147632268296119, 0.9340653545817454, 1.1198720769490462,
                         0.5232316730747729, 0.611142237761389,  0.9133316636713338, 1.04727821825099};
  const double first[] = {0.739764192452753,   0.30154334383481063, 0.7600804755889085, 0.32927494080429043,
                          0.27083909352883645, 0.23487337874046738, 0.3224546215768298, -0.1757315660656036};
  for (int i = 0; i < 8; i++) {
    CHECK_NEAR(m->oct_coeff[i], root[i], 1e-9);
    CHECK_NEAR(m->oct_coeff[8 + i], first[i], 1e-9);
  }
  mj_deleteModel(m);
}

// value at a point in a cell of the octree
static double fieldAt(const mjModel* m, const double x[3]) {
  int k = 0;
  while (m->oct_child[8 * k] >= 0) {
    const double* c = m->oct_aabb + 6 * k;
    k = m->oct_child[8 * k + (x[0] > c[0]) + 2 * (x[1] > c[1]) + 4 * (x[2] > c[2])];
  }
  double sum = 0;
  for (int j = 0; j < 8; j++) {
    double weight = 1;
    for (int a = 0; a < 3; a++) {
      const double* box = m->oct_aabb + 6 * k;
      double t = (x[a] - box[a]) / (2 * box[3 + a]) + 0.5;
      weight *= j >> a & 1 ? t : 1 - t;
    }
    sum += weight * m->oct_coeff[8 * k + j];
  }
  return sum;
}

// A box, whose distance is known: the field is near it, and has no steps between leaves of different size.
TEST(octree_of_a_box_has_its_distances_without_steps) {
  const double half[3] = {0.5, 0.4, 0.3};
  float vert[24];
  for (int i = 0; i < 24; i++) vert[i] = (float)((i / 3 >> i % 3 & 1 ? 1 : -1) * half[i % 3]);
  mjModel* m = compileMesh(vert, 8);
  double size[3], mean = 0;
  for (int a = 0; a < 3; a++) size[a] = m->oct_aabb[3 + a];
  int n = 0;
  for (int i = 0; i < 3000; i++) {
    double x[3], gap[3], outside = 0, inside = -INFINITY;
    for (int a = 0; a < 3; a++) {
      x[a] = size[a] * (2 * fmod((i + 1) * (a == 0 ? 0.7548776662 : a == 1 ? 0.5698402910 : 0.3247179572), 1) - 1);
      gap[a] = fabs(x[a]) - size[a] / 1.1;
      outside += gap[a] > 0 ? gap[a] * gap[a] : 0;
      inside = fmax(inside, gap[a]);
    }
    double exact = inside > 0 ? sqrt(outside) : inside, found = fieldAt(m, x);
    // a leaf of the second level has a diagonal of 0.4, and the field bends at planes through the middle
    CHECK_NEAR(found, exact, 0.1);
    mean += fabs(found - exact);
    n++;
    for (int a = 0; a < 3; a++) {
      double y[3] = {x[0], x[1], x[2]};
      for (int j = 1; j < 64; j += 9) {
        double at = size[a] * (2 * j / 64.0 - 1);
        y[a] = at - 1e-9;
        double before = fieldAt(m, y);
        y[a] = at + 1e-9;
        CHECK_NEAR(fieldAt(m, y), before, 1e-8);
      }
    }
  }
  CHECK(mean / n < 0.01);
  mj_deleteModel(m);
}
