// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// mujoco.sensor.touch_grid: forces of contacts on the body of a site, as an image seen from the site. Bodies that have
// no joints between them and this body are part of it.
//
// The site looks along its negative z axis. A contact of its body falls into a bin by its azimuth and elevation;
// `size` is the number of bins of each, `fov` their ranges to both sides in degrees, and `gamma` between 0 and 1 makes
// bins in the middle smaller. Each bin has the sum of forces and torques of its contacts on the body, in the frame of
// the site, with the z axis first: `nchannel` of z, x, y of the force, then of the torque. Values of one channel lie
// together, elevation by elevation.
#include <math.h>

#include "plugins/plugins.h"

enum { MAX_SIZE = 4096 };  // bins in one direction

typedef struct {
  int channels, size[2];
  mjtNum fov[2], gamma;
} Grid;

// what is wrong with the attributes; NULL if nothing
static const char* readGrid(const mjModel* m, int instance, Grid* g) {
  int given;
  mjtNum channels = mji_config_num(m, instance, "nchannel", &given), size[2];
  g->channels = given ? (int)mju_clip(channels, 0, 7) : 1;
  g->gamma = mji_config_num(m, instance, "gamma", NULL);
  if (g->channels < 1 || g->channels > 6) return "nchannel must be between 1 and 6";
  if (mji_config_nums(m, instance, "size", size, 2) != 2) return "size must have two numbers";
  if (mji_config_nums(m, instance, "fov", g->fov, 2) != 2) return "fov must have two numbers";
  for (int k = 0; k < 2; k++) {
    if (size[k] < 1 || size[k] > MAX_SIZE) return "size must be between 1 and 4096";
    g->size[k] = (int)size[k];
  }
  if (g->fov[0] <= 0 || g->fov[0] > 180) return "fov: the horizontal field of view must be between 0 and 180 degrees";
  if (g->fov[1] <= 0 || g->fov[1] > 90) return "fov: the vertical field of view must be between 0 and 90 degrees";
  if (g->gamma < 0 || g->gamma > 1) return "gamma must be between 0 and 1";
  return NULL;
}

static int none(const mjModel* m, int instance) { return 0; }

static int nsensordata(const mjModel* m, int instance, int sensor_id) {
  Grid g;
  const char* wrong = readGrid(m, instance, &g);
  if (wrong) mju_error("mujoco.sensor.touch_grid: %s", wrong);
  return wrong ? -1 : g.channels * g.size[0] * g.size[1];
}

static int init(const mjModel* m, mjData* d, int instance) {
  Grid g;
  if (readGrid(m, instance, &g)) return -1;
  for (int i = 0; i < m->nsensor; i++) {
    if (m->sensor_plugin[i] != instance) continue;
    if (m->sensor_objtype[i] == mjOBJ_SITE) continue;
    mju_warning("sensor %d must be attached to a site", i);
    return -1;
  }
  return 0;
}

// Which of n bins between -fov and fov holds an angle? -1 if none does. An edge belongs to the bin below.
static int binOf(mjtNum angle, int n, mjtNum fov, mjtNum gamma) {
  mjtNum reach = fov * mjPI / 180;
  for (int i = 0; i <= n; i++) {
    mjtNum x = -1 + 2.0 * i / n;
    if (angle <= reach * (gamma * pow(x, 5) + (1 - gamma) * x)) return i - 1;
  }
  return -1;
}

// the bin of a point, -1 outside of the field of view
static int findBin(const Grid* g, const mjtNum point[3]) {
  int column = binOf(atan2(point[0], -point[2]), g->size[0], g->fov[0], g->gamma);
  int row = binOf(atan2(point[1], sqrt(point[0] * point[0] + point[2] * point[2])), g->size[1], g->fov[1], g->gamma);
  return column < 0 || row < 0 ? -1 : row * g->size[0] + column;
}

// Add what a contact does to the body: `sign` is 1 where the contact's force acts on it, -1 where its opposite does.
static void addContact(const mjModel* m, const mjData* d, const Grid* g, int site, int contact, mjtNum sign,
                       mjtNum* out) {
  const mjContact* con = d->contact + contact;
  const mjtNum* mat = d->site_xmat + 9 * site;
  mjtNum point[3], wrench[6];
  mju_sub3(point, con->pos, d->site_xpos + 3 * site);
  mju_mulMatTVec3(point, mat, point);
  int bin = findBin(g, point);
  if (bin < 0) return;
  mj_contactForce(m, d, contact, wrench);
  for (int c = 0; c < g->channels; c++) {
    mjtNum world[3], local[3];
    mju_mulMatTVec3(world, con->frame, wrench + 3 * (c / 3));
    mju_mulMatTVec3(local, mat, world);
    out[c * g->size[0] * g->size[1] + bin] += sign * local[(c + 2) % 3];
  }
}

static void computeSensor(const mjModel* m, const mjData* d, const Grid* g, int sensor) {
  int site = m->sensor_objid[sensor], weld = m->body_weldid[m->site_bodyid[site]];
  mjtNum* out = d->sensordata + m->sensor_adr[sensor];
  mju_zero(out, m->sensor_dim[sensor]);
  for (int i = 0; i < d->ncon; i++) {
    for (int k = 0; k < 2; k++) {
      int geom = d->contact[i].geom[k];
      if (geom < 0 || m->body_weldid[m->geom_bodyid[geom]] != weld) continue;
      addContact(m, d, g, site, i, k ? 1 : -1, out);
    }
  }
}

static void compute(const mjModel* m, mjData* d, int instance, int capability) {
  Grid g;
  readGrid(m, instance, &g);
  for (int i = 0; i < m->nsensor; i++) {
    if (m->sensor_plugin[i] == instance) computeSensor(m, d, &g, i);
  }
}

static const char* const attributes[] = {"nchannel", "size", "fov", "gamma"};

const mjpPlugin mji_plugin_touchGrid = {.name = "mujoco.sensor.touch_grid",
                                        .nattribute = sizeof attributes / sizeof *attributes,
                                        .attributes = attributes,
                                        .capabilityflags = mjPLUGIN_SENSOR,
                                        .needstage = mjSTAGE_ACC,
                                        .nstate = none,
                                        .nsensordata = nsensordata,
                                        .init = init,
                                        .compute = compute};
