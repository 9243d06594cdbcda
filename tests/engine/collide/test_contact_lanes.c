// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Contacts of a lane group have the bits and the order of the contacts of each state alone.

#include "support/test.h"

#include <stdio.h>
#include <string.h>

#include "lanes/kernels.h"
#include "model/work.h"

enum { NSTATE = 16, MAXCON = 200 };

// planes, spheres, capsules (two of them parallel now and then; one over a corner of a box), a ball inside of a box,
// and pairs without a lane function
static const char scene[] =
    "<mujoco><option sdf_initpoints='6'/><asset><mesh name='ball' builtin='sphere' params='0' scale='.1 .1 "
    ".1'/></asset>"
    "<worldbody><geom type='plane' size='5 5 .1'/><geom type='box' size='.2 .2 .1'/>"
    "<body pos='0 0 .15'><freejoint/><geom size='.1'/><geom size='.1' pos='.15 0 0'/><geom size='.02' pos='.1 0 "
    "-.1'/></body>"
    "<body pos='.2 .2 .12'><freejoint/><geom type='capsule' size='.03 .1' euler='0 60 20'/></body>"
    "<body pos='.1 .1 .2'><freejoint/><geom type='capsule' size='.06 .2' euler='0 90 0'/></body>"
    "<body pos='.1 .15 .25'><freejoint/><geom type='capsule' size='.06 .2' euler='0 90 0'/></body>"
    "<body pos='-.1 .1 .2'><freejoint/><geom type='cylinder' size='.1 .1' margin='.02'/></body>"
    "<body pos='-.1 -.1 .2'><freejoint/><geom type='box' size='.1 .1 .05' condim='4'/></body>"
    "<body pos='.1 -.1 .2'><freejoint/><geom type='ellipsoid' size='.1 .1 .05'/></body>"
    "<body pos='0 -.2 .2'><freejoint/><geom type='sdf' mesh='ball'/></body>"
    "<body pos='0 -.3 .2'><freejoint/><geom type='mesh' mesh='ball'/></body>"
    "</worldbody></mujoco>";

// convex shapes through each other, aligned in every fourth state: two kinds of hulls, a mesh without one, shapes that
// grow by a margin, and one whose polytope needs more room than lanes have
static const char convex[] =
    "<mujoco><option ccd_tolerance='1e-9'><flag %s/></option><default><geom type='mesh'/></default><asset>"
    "<mesh name='large' builtin='sphere' params='3' scale='.1 .12 .1'/>"
    "<mesh name='small' builtin='sphere' params='0' scale='.1 .1 .1'/>"
    "<mesh name='cube' vertex='.1 .1 .1 -.1 .1 .1 .1 -.1 .1 -.1 -.1 .1 .1 .1 -.1 -.1 .1 -.1 .1 -.1 -.1 -.1 -.1 -.1 "
    ".1 0 0 -.1 0 0 0 .1 0'/>"
    "<mesh name='tetra' vertex='.1 .1 .1 -.1 -.1 .1 .1 -.1 -.1 -.1 .1 -.1'/></asset><worldbody>"
    "<body pos='0 0 0'><freejoint/><geom mesh='large'/></body><body pos='.1 0 0'><freejoint/><geom "
    "mesh='small'/></body>"
    "<body pos='.2 0 0'><freejoint/><geom mesh='cube'/></body><body pos='.2 .2 0'><freejoint/><geom "
    "mesh='tetra'/></body>"
    "<body pos='.3 .1 0'><freejoint/><geom type='cylinder' size='.1 .1'/></body>"
    "<body pos='.2 .1 .1'><freejoint/><geom type='box' size='.1 .1 .05' margin='.01'/></body>"
    "<body pos='.1 .1 .1'><freejoint/><geom type='ellipsoid' size='.1 .08 .05'/></body>"
    "<body pos='.1 .2 .1'><freejoint/><geom mesh='cube'/></body></worldbody></mujoco>";

static double noise(unsigned* seed) {
  *seed = *seed * 1664525u + 1013904223u;
  return (double)(*seed >> 8) / (1 << 23) - 1;
}

static void makeState(const mjModel* m, int i, double* qpos) {
  unsigned seed = 77u * (unsigned)i + 5;
  double change[64];
  for (int k = 0; k < m->nv; k++) change[k] = (i % 4 ? .1 : 0) * noise(&seed);
  mju_copy(qpos, m->qpos0, m->nq);
  mj_integratePos(m, qpos, change, 1);
}

// a record of any lane count: 13 numbers over lanes, what all lanes share, the mask of lanes, whole numbers
typedef struct Shared_ {
  double includemargin, friction[5], solref[2], solreffriction[2], solimp[5], mu;
} Shared;

typedef struct Whole_ {
  int dim, old[2], geom[2], flex[2], elem[2], vert[2], exclude, efc_address;
} Whole;

static size_t roundUp(size_t n, size_t align) { return (n + align - 1) / align * align; }

static size_t maskAt(size_t nlane) { return roundUp(13 * 8 * nlane + sizeof(Shared), 8 * nlane); }

static const char* recordAt(const mjData* d, size_t nlane, int i) {
  size_t size = roundUp(maskAt(nlane) + 8 * nlane + sizeof(Whole), 8 * nlane);
  return (const char*)d->contact + (size_t)i * size;
}

static void compareLane(const mjData* d, int nlane, int lane, const mjData* one) {
  int n = 0;
  for (int i = 0; i < d->ncon; i++) {
    const char* record = recordAt(d, (size_t)nlane, i);
    const double* num = (const double*)record;
    const Shared* shared = (const Shared*)(num + 13 * nlane);
    const char* mask = record + maskAt((size_t)nlane);
    const Whole* whole = (const Whole*)(mask + 8 * nlane);
    int64_t on;
    memcpy(&on, mask + 8 * lane, sizeof on);
    if (!on) {
      for (int k = 0; k < 13; k++) CHECK_EQ(num[k * nlane + lane], 0);
      continue;
    }
    const mjContact* con = one->contact + n++;
    if (n > one->ncon) break;
    CHECK_EQ(num[lane], con->dist);
    for (int k = 0; k < 3; k++) CHECK_EQ(num[(1 + k) * nlane + lane], con->pos[k]);
    for (int k = 0; k < 9; k++) CHECK_EQ(num[(4 + k) * nlane + lane], con->frame[k]);
    CHECK_EQ(whole->geom[0], con->geom[0]);
    CHECK_EQ(whole->geom[1], con->geom[1]);
    CHECK_EQ(whole->dim, con->dim);
    CHECK_EQ(whole->exclude, con->exclude);
    CHECK(!memcmp(shared->friction, con->friction, sizeof con->friction));
  }
  CHECK_EQ(n, one->ncon);
}

static void compareGroup(const mjModel* m, const mjiKernels* lanes, const mjiKernels* single, int first) {
  mjData *group = mji_makeLaneData(m, lanes->nlane), *one = mj_makeData(m);
  double qpos[64];
  for (int l = 0; l < lanes->nlane; l++) {
    makeState(m, (first + l) % NSTATE, qpos);
    mji_scatterLane(group->qpos, qpos, (int)m->nq, lanes->nlane, l);
  }
  lanes->kinematics(m, group);
  lanes->collision(m, group);
  for (int l = 0; l < lanes->nlane; l++) {
    makeState(m, (first + l) % NSTATE, one->qpos);
    single->kinematics(m, one);
    single->collision(m, one);
    compareLane(group, lanes->nlane, l, one);
  }
  mj_deleteData(one);
  mj_deleteData(group);
}

static void compareLanes(int nlane) {
  const mjiKernels* lanes = mji_kernels(nlane);
  if (!lanes) {
    test_skip("this CPU has no such lanes");
    return;
  }
  mjModel* m = test_model(scene);
  if (!m) return;
  for (int first = 0; first < NSTATE; first += 3) compareGroup(m, lanes, mji_kernels1(), first);

  // without the pair list: broad phase
  m->geom_contype[2] = 3;
  for (int first = 0; first < NSTATE; first += 3) compareGroup(m, lanes, mji_kernels1(), first);
  mj_deleteModel(m);
}

static const char* const flags[] = {"multiccd='disable'", "multiccd='enable'", "nativeccd='disable'"};

static void compareConvex(int nlane, const char* flag) {
  const mjiKernels* lanes = mji_kernels(nlane);
  char text[sizeof convex + 20];
  snprintf(text, sizeof text, convex, flag);
  mjModel* m = lanes ? test_model(text) : NULL;
  if (!m) return;
  for (int first = 0; first < NSTATE; first += 3) compareGroup(m, lanes, mji_kernels1(), first);

  // a program that makes its hulls a little larger
  for (int i = 0; i < 3 * m->nmeshvert; i++) m->mesh_vert[i] *= 1.01f;
  compareGroup(m, lanes, mji_kernels1(), 1);
  mj_deleteModel(m);
}

TEST(four_lanes_have_the_bits_of_one) {
  compareLanes(4);
  for (int i = 0; i < 3; i++) compareConvex(4, flags[i]);
}

TEST(eight_lanes_have_the_bits_of_one) {
  compareLanes(8);
  for (int i = 0; i < 3; i++) compareConvex(8, flags[i]);
}

// changed contact bits send the same model through the broad phase, with the same contacts
TEST(broad_phase_finds_what_the_list_has) {
  mjModel* m = test_model(scene);
  if (!m) return;
  mjData *a = mj_makeData(m), *b = mj_makeData(m);
  for (int i = 0; i < NSTATE; i++) {
    makeState(m, i, a->qpos);
    mju_copy(b->qpos, a->qpos, m->nq);
    mj_kinematics(m, a);
    mj_kinematics(m, b);
    m->geom_contype[2] = 1;
    mj_collision(m, a);
    m->geom_contype[2] = 3;
    mj_collision(m, b);
    CHECK(a->ncon > 0);
    CHECK_EQ(a->ncon, b->ncon);
    CHECK(!memcmp(a->contact, b->contact, sizeof(mjContact) * (size_t)a->ncon));
  }
  mj_deleteData(a);
  mj_deleteData(b);
  mj_deleteModel(m);
}
