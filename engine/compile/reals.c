// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The table of numbers that elements and the model hold alike. What is not here goes one way only
// and is in the pack functions: gravcomp, ranges of actuator forces on joints, intrinsics of cameras,
// reach of lights and a few more keep the value that they were compiled with.

#include "compile/reals.h"

#include <stddef.h>
#include <string.h>

typedef struct {
  mjtObj type;
  size_t array;  // of the model
  size_t field;  // of the element
  size_t bytes;  // of one element
} Row;

#define SIZE(member) sizeof(((mjiElem*)0)->as.member)
#define ROW(Type, array, member) {mjOBJ_##Type, offsetof(mjModel, array), offsetof(mjiElem, as.member), SIZE(member)},

// clang-format off
static const Row rows[] = {
  ROW(BODY, body_pos, body.pos)
  ROW(BODY, body_quat, body.quat)
  ROW(BODY, body_ipos, body.ipos)
  ROW(BODY, body_iquat, body.iquat)
  ROW(BODY, body_mass, body.mass)
  ROW(BODY, body_inertia, body.inertia)

  ROW(JOINT, jnt_solref, joint.solref_limit)
  ROW(JOINT, jnt_solimp, joint.solimp_limit)
  ROW(JOINT, jnt_pos, joint.pos)
  ROW(JOINT, jnt_axis, joint.axis)
  ROW(JOINT, jnt_stiffness, joint.stiffness)
  ROW(JOINT, jnt_range, joint.range)
  ROW(JOINT, jnt_margin, joint.margin)

  ROW(GEOM, geom_solmix, geom.solmix)
  ROW(GEOM, geom_solref, geom.solref)
  ROW(GEOM, geom_solimp, geom.solimp)
  ROW(GEOM, geom_size, geom.size)
  ROW(GEOM, geom_pos, geom.pos)
  ROW(GEOM, geom_quat, geom.quat)
  ROW(GEOM, geom_friction, geom.friction)
  ROW(GEOM, geom_margin, geom.margin)
  ROW(GEOM, geom_gap, geom.gap)
  ROW(GEOM, geom_rgba, geom.rgba)

  ROW(SITE, site_size, site.size)
  ROW(SITE, site_pos, site.pos)
  ROW(SITE, site_quat, site.quat)
  ROW(SITE, site_rgba, site.rgba)

  ROW(CAMERA, cam_pos, camera.pos)
  ROW(CAMERA, cam_quat, camera.quat)
  ROW(CAMERA, cam_fovy, camera.fovy)
  ROW(CAMERA, cam_ipd, camera.ipd)

  ROW(LIGHT, light_pos, light.pos)
  ROW(LIGHT, light_dir, light.dir)
  ROW(LIGHT, light_attenuation, light.attenuation)
  ROW(LIGHT, light_cutoff, light.cutoff)
  ROW(LIGHT, light_exponent, light.exponent)
  ROW(LIGHT, light_ambient, light.ambient)
  ROW(LIGHT, light_diffuse, light.diffuse)
  ROW(LIGHT, light_specular, light.specular)

  ROW(MATERIAL, mat_texrepeat, material.texrepeat)
  ROW(MATERIAL, mat_emission, material.emission)
  ROW(MATERIAL, mat_specular, material.specular)
  ROW(MATERIAL, mat_shininess, material.shininess)
  ROW(MATERIAL, mat_reflectance, material.reflectance)
  ROW(MATERIAL, mat_rgba, material.rgba)

  ROW(PAIR, pair_solref, pair.solref)
  ROW(PAIR, pair_solreffriction, pair.solreffriction)
  ROW(PAIR, pair_solimp, pair.solimp)
  ROW(PAIR, pair_margin, pair.margin)
  ROW(PAIR, pair_gap, pair.gap)
  ROW(PAIR, pair_friction, pair.friction)

  ROW(EQUALITY, eq_solref, equality.solref)
  ROW(EQUALITY, eq_solimp, equality.solimp)
  ROW(EQUALITY, eq_data, equality.data)

  ROW(TENDON, tendon_width, tendon.width)
  ROW(TENDON, tendon_solref_lim, tendon.solref_limit)
  ROW(TENDON, tendon_solimp_lim, tendon.solimp_limit)
  ROW(TENDON, tendon_solref_fri, tendon.solref_friction)
  ROW(TENDON, tendon_solimp_fri, tendon.solimp_friction)
  ROW(TENDON, tendon_range, tendon.range)
  ROW(TENDON, tendon_actfrcrange, tendon.actfrcrange)
  ROW(TENDON, tendon_margin, tendon.margin)
  ROW(TENDON, tendon_stiffness, tendon.stiffness)
  ROW(TENDON, tendon_damping, tendon.damping)
  ROW(TENDON, tendon_armature, tendon.armature)
  ROW(TENDON, tendon_frictionloss, tendon.frictionloss)
  ROW(TENDON, tendon_rgba, tendon.rgba)

  ROW(ACTUATOR, actuator_dynprm, actuator.dynprm)
  ROW(ACTUATOR, actuator_gainprm, actuator.gainprm)
  ROW(ACTUATOR, actuator_biasprm, actuator.biasprm)
  ROW(ACTUATOR, actuator_ctrlrange, actuator.ctrlrange)
  ROW(ACTUATOR, actuator_forcerange, actuator.forcerange)
  ROW(ACTUATOR, actuator_actrange, actuator.actrange)
  ROW(ACTUATOR, actuator_gear, actuator.gear)
  ROW(ACTUATOR, actuator_cranklength, actuator.cranklength)
  ROW(ACTUATOR, actuator_lengthrange, actuator.lengthrange)

  ROW(SENSOR, sensor_cutoff, sensor.cutoff)
  ROW(SENSOR, sensor_noise, sensor.noise)
};
// clang-format on

// user values: a list in the element, rows of equal length in the model
typedef struct {
  mjtObj type;
  size_t array;
  size_t length;  // of a row: a size of the model
  size_t list;
} UserRow;

#define USER(Type, array, length, member) \
  {mjOBJ_##Type, offsetof(mjModel, array), offsetof(mjModel, length), offsetof(mjiElem, as.member)},

// clang-format off
static const UserRow userRows[] = {
  USER(BODY, body_user, nuser_body, body.userdata)
  USER(JOINT, jnt_user, nuser_jnt, joint.userdata)
  USER(GEOM, geom_user, nuser_geom, geom.userdata)
  USER(SITE, site_user, nuser_site, site.userdata)
  USER(CAMERA, cam_user, nuser_cam, camera.userdata)
  USER(TENDON, tendon_user, nuser_tendon, tendon.userdata)
  USER(ACTUATOR, actuator_user, nuser_actuator, actuator.userdata)
  USER(SENSOR, sensor_user, nuser_sensor, sensor.userdata)
};
// clang-format on

// address of an array of the model
static char* arrayOf(const mjModel* m, size_t offset) { return *(char* const*)(const void*)((const char*)m + offset); }

// ---- to the model

static void packUser(mjModel* m, const mjiSpec* w, const UserRow* row) {
  size_t length = (size_t) * (const int*)(const void*)((const char*)m + row->length);
  mjtNum* array = (mjtNum*)(void*)arrayOf(m, row->array);
  const mjiVec* list = w->list + row->type;
  for (int i = 0; i < list->num; i++) {
    const char* e = (const char*)mji_elem_at(list, i);
    const mjiVec* user = *(mjiVec* const*)(const void*)(e + row->list);
    if (user->num) memcpy(array + length * (size_t)i, user->data, (size_t)user->num * sizeof(mjtNum));
  }
}

void mji_reals_pack(mjModel* m, const mjiSpec* w) {
  for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
    const Row* row = rows + k;
    const mjiVec* list = w->list + row->type;
    char* array = arrayOf(m, row->array);
    for (int i = 0; i < list->num; i++) {
      const char* e = (const char*)mji_elem_at(list, i);
      memcpy(array + row->bytes * (size_t)i, e + row->field, row->bytes);
    }
  }
  for (size_t k = 0; k < sizeof userRows / sizeof userRows[0]; k++) packUser(m, w, userRows + k);
}

// ---- from the model

// values that were not given stay so as long as they are zero
static void copyUser(mjiSpec* w, const mjModel* m, const UserRow* row) {
  int length = *(const int*)(const void*)((const char*)m + row->length);
  const mjtNum* array = (const mjtNum*)(void*)arrayOf(m, row->array);
  const mjiVec* list = w->list + row->type;
  for (int i = 0; i < list->num; i++) {
    const mjtNum* value = array + (size_t)length * (size_t)i;
    mjiVec* user = *(mjiVec**)(void*)((char*)mji_elem_at(list, i) + row->list);
    if (user->num || !mju_isZero(value, length)) mji_vec_set(user, value, length);
  }
}

void mji_reals_copyBack(mjiSpec* w, const mjModel* m) {
  for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
    const Row* row = rows + k;
    const mjiVec* list = w->list + row->type;
    const char* array = arrayOf(m, row->array);
    for (int i = 0; i < list->num; i++) {
      memcpy((char*)mji_elem_at(list, i) + row->field, array + row->bytes * (size_t)i, row->bytes);
    }
  }
  for (size_t k = 0; k < sizeof userRows / sizeof userRows[0]; k++) copyUser(w, m, userRows + k);
}
