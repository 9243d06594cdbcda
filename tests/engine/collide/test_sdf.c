// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Signed distances of geoms, their combinations, and the contacts that follow from them.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "support/test.h"

#define BALL "<asset><mesh name='ball' builtin='sphere' params='2' scale='.3 .3 .3'/></asset>"

static const mjtNum kIdentity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, kNone[3] = {0};

static mjModel* withGeoms(const char* geoms) {
  char xml[2000];
  snprintf(xml, sizeof xml,
           "<mujoco><option sdf_initpoints='20'/>" BALL
           "<worldbody>%s<body><freejoint/>"
           "<geom type='sdf' mesh='ball'/></body></worldbody></mujoco>",
           geoms);
  return test_model(xml);
}

// two geoms without plugins, with the second where the first is
static mjSDF pairOf(const mjModel* m, mjtSDFType type, int id[2], mjtGeom geomtype[2]) {
  static const mjpPlugin* none[2] = {NULL, NULL};
  for (int i = 0; i < 2; i++) geomtype[i] = m->geom_type[id[i]];
  return (mjSDF){none, id, type, (mjtNum*)kNone, (mjtNum*)kIdentity, geomtype};
}

// numbers of the reference
static const struct {
  const char* geom;
  double x[3], distance, gradient[3];
} kPoints[] = {
    {"<geom size='.2'/>", {.3, .2, .1}, 0.17416573867739416, {0.8017837257, 0.5345224838, 0.2672612419}},
    {"<geom type='plane' size='1 1 1'/>", {.1, .2, .3}, .3, {0, 0, 1}},
    {"<geom type='box' size='.2 .3 .1'/>", {.3, .2, .1}, .1, {1, 0, 0}},
    {"<geom type='box' size='.2 .3 .1'/>",
     {.1, .05, .02},
     -0.1323111862239924,
     {0.7557939949, 0.4534763969, 0.4723712468}},
    {"<geom type='box' size='.2 .3 .1'/>",
     {-.1, .1, 0},
     -0.13462912017836262,
     {-0.7427813527, 0.5570860145, 0.3713906764}},
    {"<geom type='capsule' size='.2 .3'/>",
     {.05, .1, .5},
     0.029128784747792014,
     {0.2182178902, 0.4364357805, 0.8728715609}},
    {"<geom type='cylinder' size='.3 .1'/>", {.2, .1, .09}, -.01, {0, 0, 1}},
    {"<geom type='cylinder' size='.2 .3'/>", {.18, -.02, .2}, -0.018892297237251693, {0.9938837347, -0.1104315261, 0}},
    {"<geom type='cylinder' size='.2 .3'/>", {.05, .1, .5}, .2, {0, 0, 1}},
    {"<geom type='ellipsoid' size='.2 .3 .1'/>",
     {.1, .05, .02},
     -0.07568768236086344,
     {0.3672893797, 0.0489559769, 0.928817433}},
};

TEST(distances_of_primitives_are_those_of_the_reference) {
  for (size_t i = 0; i < sizeof kPoints / sizeof *kPoints; i++) {
    mjModel* m = withGeoms(kPoints[i].geom);
    mjData* d = mj_makeData(m);
    int id[2] = {0, 0};
    mjtGeom type[2];
    mjSDF s = pairOf(m, mjSDFTYPE_SINGLE, id, type);
    mjtNum gradient[3];
    mjc_gradient(m, d, &s, gradient, kPoints[i].x);
    CHECK_NEAR(mjc_distance(m, d, &s, kPoints[i].x), kPoints[i].distance, 1e-15);
    CHECK_ARRAY(gradient, kPoints[i].gradient, 3, 1e-10);
    mj_deleteData(d);
    mj_deleteModel(m);
  }
}

TEST(gradients_are_zero_where_they_have_no_direction) {
  static const char* const geoms[] = {"<geom size='.2'/>", "<geom type='capsule' size='.1 .2'/>",
                                      "<geom type='ellipsoid' size='.1 .2 .3'/>",
                                      "<geom type='cylinder' size='.1 .2'/>"};
  for (int i = 0; i < 4; i++) {
    mjModel* m = withGeoms(geoms[i]);
    mjData* d = mj_makeData(m);
    int id[2] = {0, 0};
    mjtGeom type[2];
    mjSDF s = pairOf(m, mjSDFTYPE_SINGLE, id, type);
    mjtNum gradient[3], x[3] = {0};
    mjc_gradient(m, d, &s, gradient, x);
    CHECK_ARRAY(gradient, kNone, 3, 0);
    CHECK_NEAR(mjc_distance(m, d, &s, x), i == 0 ? -.2 : -.1, 1e-15);
    mj_deleteData(d);
    mj_deleteModel(m);
  }
}

// each combination has the gradient that differences of its values say
TEST(combinations_have_their_gradients) {
  mjModel* m = withGeoms("<geom type='ellipsoid' size='.1 .2 .3'/>");
  mjData* d = mj_makeData(m);
  int id[2] = {1, 0};
  mjtGeom geomtype[2];
  const mjtNum turned[9] = {0, -1, 0, 1, 0, 0, 0, 0, 1}, moved[3] = {.05, -.02, .1};
  static const mjtNum points[][3] = {{.11, .07, .05}, {.05, .12, .29}, {.21, -.17, .13}, {.5, .3, .6}};
  for (mjtSDFType type = mjSDFTYPE_INTERSECTION; type <= mjSDFTYPE_COLLISION; type++) {
    mjSDF s = pairOf(m, type, id, geomtype);
    s.relpos = (mjtNum*)moved;
    s.relmat = (mjtNum*)turned;
    for (int i = 0; i < 4; i++) {
      mjtNum gradient[3], slope[3];
      for (int k = 0; k < 3; k++) {
        mjtNum x[3] = {points[i][0], points[i][1], points[i][2]}, h = 1e-7;
        x[k] += h;
        mjtNum up = mjc_distance(m, d, &s, x);
        x[k] -= 2 * h;
        slope[k] = (up - mjc_distance(m, d, &s, x)) / (2 * h);
      }
      mjc_gradient(m, d, &s, gradient, points[i]);
      // that of the ellipsoid has length one, which differences of its distance have near its surface only
      if (type == mjSDFTYPE_INTERSECTION) mju_normalize3(slope), mju_normalize3(gradient);
      if (type == mjSDFTYPE_MIDSURFACE) CHECK_NEAR(mju_norm3(gradient), 1, 1e-12);
      else if (type == mjSDFTYPE_INTERSECTION) CHECK_ARRAY(gradient, slope, 3, 1e-6);
      else CHECK(mju_dot3(gradient, slope) > 0);
    }
  }
  mj_deleteData(d);
  mj_deleteModel(m);
}

// an octree is nearly the distance of the mesh, which is nearly a ball, inside and outside of its root
TEST(octrees_have_the_distance_of_their_mesh) {
  mjModel* m = withGeoms("");
  mjData* d = mj_makeData(m);
  CHECK(m->noct > 1000 && m->geom_plugin[0] == -1 && !mjc_getSDF(m, 0));
  int id[2] = {0, 0};
  mjtGeom type[2];
  mjSDF s = pairOf(m, mjSDFTYPE_SINGLE, id, type);
  static const double far[] = {.05, .2, .3, .4, 2};
  for (int i = 0; i < 5; i++) {
    mjtNum x[3] = {far[i] * .48, far[i] * .6, far[i] * .64}, gradient[3], normal[3] = {.48, .6, .64};
    CHECK_NEAR(mjc_distance(m, d, &s, x), far[i] - .3, .03);
    mjc_gradient(m, d, &s, gradient, x);
    if (i) CHECK_ARRAY(gradient, normal, 3, .25);
  }
  mj_deleteData(d);
  mj_deleteModel(m);
}

// A geom of each type lies .05 deep in the ball, from its side: the deepest contact says so.
TEST(contacts_of_each_type_have_the_depth) {
  static const char* const cases[] = {
      "<geom type='plane' size='1 1 1' pos='0 0 -.25'/>",
      "<geom size='.1' pos='0 0 .35'/>",
      "<geom type='capsule' size='.1 .2' euler='0 90 0' pos='0 0 .35'/>",
      "<geom type='ellipsoid' size='.2 .1 .1' pos='0 0 .35'/>",
      "<geom type='cylinder' size='.1 .2' pos='0 0 .45'/>",
      "<geom type='box' size='.2 .2 .1' pos='0 0 .35'/>",
      "<geom type='mesh' mesh='ball' pos='0 0 .55'/>",
      "<geom type='sdf' mesh='ball' pos='0 0 .55'/>",
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    mjModel* m = withGeoms(cases[i]);
    mjData* d = mj_makeData(m);
    mj_forward(m, d);
    CHECK(d->ncon > 0);
    double least = 0;
    for (int k = 0; k < d->ncon; k++) {
      least = fmin(least, d->contact[k].dist);
      CHECK(fabs(d->contact[k].frame[2]) > .5);
    }
    // flat geoms do not press the ball at its end, and descent ends before the deepest point
    CHECK(least < -.015 && least > -.056);
    CHECK_NEAR(mj_geomDistance(m, d, 0, 1, 1, NULL), least, 1e-6);
    mj_deleteData(d);
    mj_deleteModel(m);
  }
}

TEST(geoms_that_are_apart_have_no_contact_and_the_largest_distance) {
  mjModel* m = withGeoms("<geom size='.1' pos='0 0 .45' margin='.2'/><geom type='mesh' mesh='ball' pos='0 .7 0'/>");
  mjData* d = mj_makeData(m);
  mj_forward(m, d);
  CHECK_EQ(d->ncon, 0);
  CHECK(mj_geomDistance(m, d, 0, 2, .5, NULL) == .5 && mj_geomDistance(m, d, 2, 1, .7, NULL) == .7);
  mj_deleteData(d);
  mj_deleteModel(m);
}

TEST(there_are_no_more_contacts_than_a_pair_may_have) {
  mjModel* m = withGeoms("<geom size='.1' pos='0 0 .3'/><geom type='mesh' mesh='ball' pos='0 .1 0'/>");
  mjData* d = mj_makeData(m);
  m->opt.sdf_initpoints = 1000;
  mj_forward(m, d);
  int count[2] = {0};
  for (int k = 0; k < d->ncon; k++) count[d->contact[k].geom1]++;
  CHECK(count[0] == mjMAXCONPAIR && count[1] == mjMAXCONPAIR);
  mj_deleteData(d);
  mj_deleteModel(m);
}

TEST(rays_meet_fields_where_their_distance_is_zero) {
  mjModel* m = withGeoms("");
  mjData* d = mj_makeData(m);
  mj_forward(m, d);
  static const struct {
    mjtNum from[3], along[3], x;
  } kRays[] = {{{0, 0, 2}, {0, 0, -1}, 1.7},   {{0, 0, 2}, {0, 0, -2}, .85}, {{0, 0, 2}, {0, 0, 1}, -1},
               {{0, 0, .1}, {0, 0, -1}, -1},   {{.4, 0, 2}, {0, 0, -1}, -1}, {{.29, 0, 2}, {0, 0, -1}, 1.923},
               {{-1, .2, .1}, {.5, 0, 0}, 1.6}};
  for (size_t i = 0; i < sizeof kRays / sizeof *kRays; i++) {
    int geom = 5;
    mjtNum x = mj_ray(m, d, kRays[i].from, kRays[i].along, NULL, 1, -1, &geom);
    CHECK_NEAR(x, kRays[i].x, .03);
    CHECK_EQ(geom, kRays[i].x < 0 ? -1 : 0);
  }
  mj_deleteData(d);
  mj_deleteModel(m);
}

// ---- a ball of a plugin

static mjtNum ballDistance(const mjtNum x[3], const mjtNum* attribute) {
  if (attribute[0] > 8) mju_error("radius %g", attribute[0]);
  return mju_norm3(x) - attribute[0];
}

static mjtNum distanceOf(const mjtNum x[3], const mjData* d, int instance) {
  const mjtNum radius = .5;
  return ballDistance(x, &radius);
}

static void gradientOf(mjtNum gradient[3], const mjtNum x[3], const mjData* d, int instance) {
  mju_copy3(gradient, x);
  mju_normalize3(gradient);
}

static void attributeOf(mjtNum attribute[], const char* name[], const char* value[]) { attribute[0] = atof(value[0]); }

static void boxOf(mjtNum box[6], const mjtNum* attribute) {
  const mjtNum around[6] = {0, 0, 0, 1.1 * attribute[0], 1.2 * attribute[0], 1.3 * attribute[0]};
  mju_copy(box, around, 6);
}

static int none(const mjModel* m, int instance) { return 0; }

static void registerBall(void) {
  static const char* const attributes[] = {"radius"};
  mjpPlugin plugin = {.name = "test.ball",
                      .nattribute = 1,
                      .attributes = attributes,
                      .capabilityflags = mjPLUGIN_SDF,
                      .nstate = none,
                      .sdf_distance = distanceOf,
                      .sdf_gradient = gradientOf,
                      .sdf_staticdistance = ballDistance,
                      .sdf_attribute = attributeOf,
                      .sdf_aabb = boxOf};
  mjp_registerPlugin(&plugin);
}

#define PLUGIN_BALL(radius, geom)                                                                                \
  "<mujoco><extension><plugin plugin='test.ball'><instance name='b'><config key='radius' value='" radius         \
  "'/></instance></plugin></extension><option sdf_iterations='5' sdf_initpoints='14'/><asset><mesh name='m'>"    \
  "<plugin instance='b'/></mesh></asset><worldbody><geom type='sdf' mesh='m' contype='0'><plugin instance='b'/>" \
  "</geom><body pos='.6 .2 .1'><freejoint/>" geom "</body></worldbody></mujoco>"

// numbers of the reference, which has the same plugin
TEST(plugins_make_meshes_and_contacts) {
  registerBall();
  mjModel* m = test_model(PLUGIN_BALL(".5", "<geom size='.2'/>"));
  CHECK(m->nmeshvert == 32498 && m->nmeshface == 64992 && !m->noct);
  const float first[9] = {-0.03494102f, -0.072f,      -0.49351853f, -0.03021978f, -0.07419717f,
                          -0.49351853f, -0.03021978f, -0.072f,      -0.49386504f};
  for (int i = 0; i < 9; i++) CHECK_NEAR(m->mesh_vert[i], first[i], 1e-8);
  mjData* d = mj_makeData(m);
  mj_forward(m, d);
  CHECK_EQ(d->ncon, 14);
  const double pos[3] = {0.42754705878066424, 0.1451134922438689, 0.07450510060967003};
  const double normal[3] = {-0.9393098624969581, -0.3082834147911356, -0.15052680286467993};
  CHECK_NEAR(d->contact[0].dist, -0.028262245012309006, 1e-14);
  CHECK_ARRAY(d->contact[0].pos, pos, 3, 1e-14);
  CHECK_ARRAY(d->contact[0].frame, normal, 3, 1e-14);
  CHECK_NEAR(d->contact[13].dist, -0.025186408418240158, 1e-14);
  CHECK(mjc_getSDF(m, 0) == mjp_getPlugin("test.ball", NULL));
  mj_deleteData(d);
  mj_deleteModel(m);
}

TEST(meshes_of_plugins_without_a_surface_are_refused) {
  registerBall();
  test_rejects(PLUGIN_BALL("nan", "<geom size='.2'/>"), "mesh 'm': the box of plugin 'test.ball' has half sizes");
  test_rejects(PLUGIN_BALL("0", "<geom size='.2'/>"), "mesh 'm': the box of plugin 'test.ball' has half sizes");
  test_rejects(PLUGIN_BALL("9", "<geom size='.2'/>"), "mesh 'm': plugin 'test.ball' failed: radius 9");
}

// ---- any pose and size

static double noise(unsigned* seed) {
  *seed = *seed * 1664525u + 1013904223u;
  return (double)(*seed >> 8) / (1 << 24);
}

static void anyPose(mjData* d, int geom, unsigned* seed) {
  mjtNum quat[4];
  for (int k = 0; k < 3; k++) d->geom_xpos[3 * geom + k] = noise(seed) < .1 ? 0 : .8 * noise(seed) - .4;
  for (int k = 0; k < 4; k++) quat[k] = noise(seed) < .3 ? 0 : 2 * noise(seed) - 1;
  mju_normalize4(quat);
  mju_quat2Mat(d->geom_xmat + 9 * geom, quat);
}

TEST(contacts_are_finite_for_any_pose_and_size) {
  static const char geoms[] =
      "<geom size='1'/><geom type='capsule' size='1 1'/><geom type='ellipsoid' size='1 1 1'/><geom type='cylinder' "
      "size='1 1'/>"
      "<geom type='box' size='1 1 1'/><geom type='mesh' mesh='ball'/><geom type='sdf' mesh='ball'/>";
  mjModel* m = withGeoms(geoms);
  mjData* d = mj_makeData(m);
  int sdf = m->ngeom - 1, found = 0;
  unsigned seed = 3;
  mj_forward(m, d);
  for (int i = 0; i < 350; i++) {
    int other = i % sdf, type = m->geom_type[other], primitive = type < mjGEOM_MESH;
    for (int k = 0; k < 3 && primitive; k++) {
      mjtNum size = noise(&seed) < .2 ? pow(10, 9 * noise(&seed) - 6) : .02 + .3 * noise(&seed);
      m->geom_size[3 * other + k] = m->geom_aabb[6 * other + 3 + k] = size;
    }
    anyPose(d, sdf, &seed);
    anyPose(d, other, &seed);
    mjContact con[mjMAXCONPAIR];
    int n = mjCOLLISIONFUNC[type][mjGEOM_SDF](m, d, con, other, sdf, 0);
    CHECK(n >= 0 && n <= mjMAXCONPAIR);
    for (int c = 0; c < n; c++) {
      CHECK(con[c].dist <= 0 && isfinite(con[c].pos[0] + con[c].pos[1] + con[c].pos[2]));
      CHECK_NEAR(mju_norm3(con[c].frame), 1, 1e-9);
    }
    found += n > 0;
  }
  CHECK(found > 100);
  mj_deleteData(d);
  mj_deleteModel(m);
}
