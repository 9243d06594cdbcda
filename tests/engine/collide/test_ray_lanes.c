// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Range finders of all lanes: the bits of mj_ray, which knows nothing of bundles and tiles, for any lane count.

#include "support/lanes_check.h"

enum { NROW = 40, NCOL = 55, NFINDER = 70 };  // a field of several tiles, and more rays than are in a bundle

static const char head[] =
    "<mujoco><compiler autolimits='true'/><asset><hfield name='hills' nrow='40' ncol='55' size='3 2 .7 .1'/>"
    "<mesh name='brick' vertex='-.2 -.1 -.1 .2 -.1 -.1 -.2 .1 -.1 .2 .1 -.1 -.2 -.1 .1 .2 -.1 .1 -.2 .1 .1 .2 .1 .1'/>"
    "</asset><worldbody><geom type='plane' size='0 2 .1' pos='0 0 -.5'/>"
    "<geom type='hfield' hfield='hills' euler='3 -2 20'/><geom type='box' size='.1 5 5' pos='4 0 0' euler='0 5 0'/>"
    "<body pos='1 0 1'><freejoint/><geom type='capsule' size='.2 .3'/><geom type='sphere' size='.1' pos='0 1 "
    "0'/></body>"
    "<body pos='-1 0 1'><freejoint/><geom type='cylinder' size='.3 .2'/></body>"
    "<body pos='0 1 1'><freejoint/><geom type='ellipsoid' size='.3 .2 .1'/>"
    "<geom type='mesh' mesh='brick' pos='0 -.6 0'/></body>"
    "<body pos='0 -1 1'><freejoint/><geom type='box' size='.3 .2 .1'/><geom size='3' rgba='0 0 0 0' mass='0'/></body>"
    "<body pos='0 0 1'><freejoint/><geom type='box' size='.1 .1 .1'/>";

// the body in the middle looks around; every fourth finder has a cutoff
static mjModel* lookout(void) {
  static char text[32000];
  char *at = text + sprintf(text, "%s", head), finder[20000], *end = finder;
  for (int i = 0; i < NFINDER; i++) {
    at += sprintf(at, "<site name='s%d' pos='%g 0 .1' zaxis='%g %g %g'/>", i, .01 * (i % 3), cos(2.4 * i), sin(2.4 * i),
                  i % 9 ? 1 - 2. * i / NFINDER : -2);
    end += sprintf(end, "<rangefinder site='s%d' cutoff='%g'/>", i, i % 4 ? 0 : 1.5);
  }
  sprintf(at, "</body></worldbody><sensor>%s</sensor></mujoco>", finder);
  mjModel* m = test_model(text);
  for (int i = 0; m && i < NROW * NCOL; i++) {
    m->hfield_data[i] = (float)(.5 + .3 * sin(.3 * (i % NCOL)) + .2 * cos(i / NCOL) * (i % 7 == 0));
  }
  return m;
}

static void forward(const mjiKernels* k, const mjModel* m, mjData* d) {
  k->forward(m, d, MJI_POSITION, MJI_ACCELERATION, MJI_WANT_ALL);
}

// how many finders have the distance of mj_ray, cut off; counts those that hit each geom
static int agreeWithRays(const mjModel* m, const mjData* d, int* hits) {
  int equal = 0;
  for (int i = 0; i < m->nsensor; i++) {
    int site = m->sensor_objid[i], geom;
    const mjtNum *mat = d->site_xmat + 9 * site, ray[3] = {mat[2], mat[5], mat[8]};
    mjtNum x = mj_ray(m, d, d->site_xpos + 3 * site, ray, NULL, 1, m->site_bodyid[site], &geom);
    if (geom >= 0) hits[geom]++;
    if (m->sensor_cutoff[i] > 0 && x > m->sensor_cutoff[i]) x = m->sensor_cutoff[i];
    equal += d->sensordata[i] == x;
  }
  return equal;
}

TEST(finders_have_the_bits_of_single_rays) {
  mjModel* m = lookout();
  if (!m) return;
  CHECK(mji_lanesOk(m));
  mjData* d = mj_makeData(m);
  int hits[16] = {0};
  for (int seed = 0; seed < 40; seed++) {
    lanes_state(m, d, (uint64_t)seed);
    forward(mji_kernels1(), m, d);
    CHECK_EQ(agreeWithRays(m, d, hits), NFINDER);
  }

  // everything is hit but what is transparent, and what looks
  for (int geom = 0; geom < m->ngeom; geom++) CHECK((hits[geom] > 0) == (geom != 9 && geom != 10));
  const LaneArray array[] = {LANE_ARRAY(sensordata, m->nsensordata)};
  lanes_check(m, forward, array, 1);
  mj_deleteData(d);
  mj_deleteModel(m);
}

// only a binary file can have a site without orientation: it looks nowhere
TEST(a_finder_without_direction_sees_nothing) {
  mjModel* m = lookout();
  if (!m) return;
  mjData* d = mj_makeData(m);
  forward(mji_kernels1(), m, d);
  CHECK(d->sensordata[0] >= 0);
  for (int k = 0; k < 9; k++) d->site_xmat[k] = 0;
  mj_sensorPos(m, d);
  CHECK_EQ(d->sensordata[0], -1);
  mj_deleteData(d);
  mj_deleteModel(m);
}

// a field with rows too long for scratch is walked cell by cell
TEST(fields_with_long_rows_have_no_tiles) {
  mjModel* m = test_model(
      "<mujoco><size memory='10K'/><asset><hfield name='h' nrow='2' ncol='500000' size='1000 1 1 "
      ".1'/></asset><worldbody>"
      "<geom type='hfield' hfield='h'/><body pos='0 0 2'><freejoint/><geom size='.1'/><site name='s' zaxis='1 0 "
      "-1'/></body>"
      "</worldbody><sensor><rangefinder site='s'/></sensor></mujoco>");
  if (!m) return;
  for (int i = 0; i < 2 * m->hfield_ncol[0]; i++) m->hfield_data[i] = 0.5f;
  mjData* d = mj_makeData(m);
  forward(mji_kernels1(), m, d);
  CHECK_NEAR(d->sensordata[0], 1.5 * sqrt(2), 1e-12);
  mj_deleteData(d);
  mj_deleteModel(m);
}
