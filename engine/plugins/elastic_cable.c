// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// mujoco.elasticity.cable: elastic torques along a chain of bodies that share an instance.
//
// Between a body and its parent in the chain the material is bent and twisted by the rotation vector of their relative
// orientation, less that of the rest shape. The moment on the body is minus that vector times (torsion G, bending E
// about y, bending E about z), the stiffness of the cross section, over the length between the two. It is given in the
// frame of the parent, on which the opposite acts. `twist` is the shear modulus G and `bend` Young's modulus E, in
// pascals. The rest shape is that of qpos0, or straight with flat="true".
#include <math.h>
#include <stdint.h>

#include "plugins/plugins.h"

typedef struct {
  mjtNum stiffness[3];  // of the moment over the length; about x, y, z
  mjtNum rest[3];       // rotation vector at rest
  int linked;           // the body before it in the model is its parent, and in the chain
} Link;

typedef struct {
  int first, n;  // bodies
  Link link[];
} Cable;

static int none(const mjModel* m, int instance) { return 0; }

// second moments of the cross section of the body's first geom, which lies along x: torsion, about y, about z
static int section(const mjModel* m, int body, mjtNum moment[3]) {
  if (!m->body_geomnum[body]) return -1;
  int geom = m->body_geomadr[body];
  const mjtNum* size = m->geom_size + 3 * geom;
  int type = m->geom_type[geom];
  if (type == mjGEOM_CAPSULE || type == mjGEOM_CYLINDER) {
    moment[0] = mjPI * pow(size[0], 4) / 2;
    moment[1] = moment[2] = moment[0] / 2;
    return 0;
  }
  if (type != mjGEOM_BOX) return -1;
  mjtNum a = mju_max(size[1], size[2]), b = mju_min(size[1], size[2]);
  // torsion of a rectangle with half sides a and b, a series cut after its second term
  moment[0] = a * pow(b, 3) * (16. / 3 - 3.36 * b / a * (1 - pow(b / a, 4) / 12));
  moment[1] = pow(2 * size[2], 3) * 2 * size[1] / 12;
  moment[2] = pow(2 * size[1], 3) * 2 * size[2] / 12;
  return 0;
}

// the rotation that the joint between a body and its parent adds, in qpos or qpos0; NULL if it has none
static const mjtNum* turn(const mjModel* m, const mjtNum* qpos, int body) {
  if (!m->body_jntnum[body]) return NULL;
  int joint = m->body_jntadr[body] + m->body_jntnum[body] - 1;
  return m->jnt_type[joint] == mjJNT_BALL ? qpos + m->jnt_qposadr[joint] : NULL;
}

// rotation vector of a body's orientation in its parent
static void bend(const mjModel* m, const mjtNum* qpos, int body, mjtNum vec[3]) {
  mjtNum quat[4];
  const mjtNum* ball = turn(m, qpos, body);
  mju_copy4(quat, m->body_quat + 4 * body);
  if (ball) mju_mulQuat(quat, quat, ball);
  mju_quat2Vel(vec, quat, 1);
}

static void setLink(const mjModel* m, int instance, Link* link, int body) {
  mjtNum moment[3], young = mji_config_num(m, instance, "bend", NULL),
                    shear = mji_config_num(m, instance, "twist", NULL);
  section(m, body, moment);
  mjtNum length = mju_norm3(m->body_pos + 3 * body);
  link->linked = length > mjMINVAL && m->body_plugin[body - 1] == instance && m->body_parentid[body] == body - 1;
  if (!link->linked) return;
  for (int k = 0; k < 3; k++) link->stiffness[k] = moment[k] * (k ? young : shear) / length;
  if (!mji_config_is(m, instance, "flat", "true")) bend(m, m->qpos0, body, link->rest);
}

static int isNumber(const mjModel* m, int instance, const char* attribute) {
  mjtNum x;
  if (mji_config_nums(m, instance, attribute, &x, 1) >= 0) return 1;
  mju_warning("%s must be a finite number, not '%.100s'", attribute, mj_getPluginConfig(m, instance, attribute));
  return 0;
}

static int init(const mjModel* m, mjData* d, int instance) {
  if (!isNumber(m, instance, "twist") || !isNumber(m, instance, "bend")) return -1;
  int first = 1, end;
  while (first < m->nbody && m->body_plugin[first] != instance) first++;
  for (end = first; end < m->nbody && m->body_plugin[end] == instance; end++) {
    mjtNum moment[3];
    if (!section(m, end, moment)) continue;
    mju_warning("body %d must have a capsule, a cylinder or a box first", end);
    return -1;
  }
  size_t size = sizeof(Cable) + (size_t)(end - first) * sizeof(Link);
  Cable* cable = mju_malloc(size);
  if (!cable) return -1;
  *cable = (Cable){.first = first, .n = end - first};
  for (int i = 0; i < cable->n; i++) {
    cable->link[i] = (Link){.linked = 0};
    setLink(m, instance, cable->link + i, first + i);
  }
  d->plugin_data[instance] = (uintptr_t)cable;
  return 0;
}

static void destroy(mjData* d, int instance) {
  mju_free((void*)d->plugin_data[instance]);  // NOLINT: the interface keeps pointers as integers
  d->plugin_data[instance] = 0;
}

// add a moment of the world on a body
static void push(const mjModel* m, mjData* d, int body, const mjtNum moment[3]) {
  mjtNum force[3] = {0};
  mj_applyFT(m, d, force, moment, d->xpos + 3 * body, body, d->qfrc_passive);
}

static void compute(const mjModel* m, mjData* d, int instance, int capability) {
  const Cable* cable = (const Cable*)d->plugin_data[instance];  // NOLINT
  for (int i = 0; i < cable->n; i++) {
    const Link* link = cable->link + i;
    int body = cable->first + i;
    mjtNum moment[3];
    if (!link->linked) continue;
    bend(m, d->qpos, body, moment);
    for (int k = 0; k < 3; k++) moment[k] = -link->stiffness[k] * (moment[k] - link->rest[k]);
    mju_rotVecQuat(moment, moment, d->xquat + 4 * (body - 1));
    push(m, d, body, moment);
    mju_scl3(moment, moment, -1);
    push(m, d, body - 1, moment);
  }
}

static const char* const attributes[] = {"twist", "bend", "flat", "vmax"};

const mjpPlugin mji_plugin_cable = {.name = "mujoco.elasticity.cable",
                                    .nattribute = sizeof attributes / sizeof *attributes,
                                    .attributes = attributes,
                                    .capabilityflags = mjPLUGIN_PASSIVE,
                                    .nstate = none,
                                    .init = init,
                                    .destroy = destroy,
                                    .compute = compute};
