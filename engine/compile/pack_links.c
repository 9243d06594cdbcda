// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// From the working copy to the model: contact pairs, equalities, tendons, actuators, sensors.

#include <string.h>

#include "compile/compile.h"
#include "model/actuator_row.h"
#include "model/equality_row.h"

static int idOf(const mjiCompile* c, mjtObj type, const mjString* name) {
  return mji_names_find(c, type, mjs_getString(name));
}

static void packPair(mjiCompile* c, int i) {
  mjModel* m = c->m;
  const mjsPair* pair = &mji_get(c, mjOBJ_PAIR, i)->as.pair;
  int geom1 = idOf(c, mjOBJ_GEOM, pair->geomname1);
  int geom2 = idOf(c, mjOBJ_GEOM, pair->geomname2);
  int body1 = m->geom_bodyid[geom1], body2 = m->geom_bodyid[geom2];
  m->pair_dim[i] = pair->condim;
  m->pair_geom1[i] = body1 <= body2 ? geom1 : geom2;
  m->pair_geom2[i] = body1 <= body2 ? geom2 : geom1;
  m->pair_signature[i] = mji_links_signature(body1, body2);
}

static void packExclude(mjiCompile* c, int i) {
  const mjsExclude* exclude = &mji_get(c, mjOBJ_EXCLUDE, i)->as.exclude;
  c->m->exclude_signature[i] =
      mji_links_signature(idOf(c, mjOBJ_BODY, exclude->bodyname1), idOf(c, mjOBJ_BODY, exclude->bodyname2));
}

static void packEquality(mjiCompile* c, int i) {
  mjModel* m = c->m;
  const mjsEquality* eq = &mji_get(c, mjOBJ_EQUALITY, i)->as.equality;
  mjtObj type = mji_equalityObject(eq->type, eq->objtype);
  int second = *mjs_getString(eq->name2) != 0;
  m->eq_type[i] = eq->type;
  m->eq_obj1id[i] = idOf(c, type, eq->name1);
  m->eq_obj2id[i] = second ? idOf(c, type, eq->name2) : type == mjOBJ_BODY ? 0 : -1;
  m->eq_objtype[i] = eq->objtype;
  m->eq_active0[i] = eq->active;
}

// ---- tendons

static void packWrap(mjiCompile* c, const mjiElem* e, int adr) {
  mjModel* m = c->m;
  m->wrap_type[adr] = e->as.wrap.type;
  m->wrap_objid[adr] = -1;
  switch (e->as.wrap.type) {
    case mjWRAP_JOINT:
      m->wrap_objid[adr] = idOf(c, mjOBJ_JOINT, &e->wrap->target);
      m->wrap_prm[adr] = e->wrap->prm;
      break;
    case mjWRAP_PULLEY: m->wrap_prm[adr] = e->wrap->prm; break;
    case mjWRAP_SITE: m->wrap_objid[adr] = idOf(c, mjOBJ_SITE, &e->wrap->target); break;
    default:
      m->wrap_objid[adr] = idOf(c, mjOBJ_GEOM, &e->wrap->target);
      m->wrap_prm[adr] = idOf(c, mjOBJ_SITE, &e->wrap->sidesite);
  }
}

static int wrapBody(const mjModel* m, int adr) {
  int id = m->wrap_objid[adr];
  switch (m->wrap_type[adr]) {
    case mjWRAP_JOINT: return m->jnt_bodyid[id];
    case mjWRAP_SITE: return m->site_bodyid[id];
    case mjWRAP_PULLEY: return 0;
    default: return m->geom_bodyid[id];
  }
}

// how many trees the path touches, and the first two of them
static void packTendonTrees(mjModel* m, int i, mjtByte* seen) {
  memset(seen, 0, (size_t)m->ntree);
  m->tendon_treeid[2 * i] = m->tendon_treeid[2 * i + 1] = -1;
  for (int k = 0; k < m->tendon_num[i]; k++) {
    int tree = m->body_treeid[wrapBody(m, m->tendon_adr[i] + k)];
    if (tree < 0 || seen[tree]) continue;
    seen[tree] = 1;
    if (m->tendon_treenum[i] < 2) m->tendon_treeid[2 * i + m->tendon_treenum[i]] = tree;
    m->tendon_treenum[i]++;
  }
}

static void packTendon(mjiCompile* c, int i, int* adr) {
  mjModel* m = c->m;
  const mjiElem* e = mji_get(c, mjOBJ_TENDON, i);
  const mjsTendon* ten = &e->as.tendon;
  m->tendon_adr[i] = *adr;
  m->tendon_num[i] = e->list.num;
  for (int k = 0; k < e->list.num; k++) packWrap(c, mji_elem_at(&e->list, k), (*adr)++);

  m->tendon_matid[i] = idOf(c, mjOBJ_MATERIAL, ten->material);
  m->tendon_group[i] = ten->group;
  m->tendon_limited[i] = (mjtByte)ten->limited;
  m->tendon_actfrclimited[i] = (mjtByte)ten->actfrclimited;
  mju_copy(m->tendon_lengthspring + 2 * i, ten->springlength, 2);
}

// ---- actuators

static void packActuator(mjiCompile* c, int i, int* actadr) {
  mjModel* m = c->m;
  const mjsActuator* act = &mji_get(c, mjOBJ_ACTUATOR, i)->as.actuator;
  const mjiTransmissionRow* row = mji_transmissionRow(act->trntype);
  m->actuator_trntype[i] = act->trntype;
  m->actuator_dyntype[i] = act->dyntype;
  m->actuator_gaintype[i] = act->gaintype;
  m->actuator_biastype[i] = act->biastype;
  m->actuator_trnid[2 * i] = idOf(c, row->object, act->target);
  const mjString* second = row->second == mjiSECOND_REQUIRED   ? act->slidersite
                           : row->second == mjiSECOND_OPTIONAL ? act->refsite
                                                               : NULL;
  m->actuator_trnid[2 * i + 1] = second ? idOf(c, mjOBJ_SITE, second) : -1;
  m->actuator_actnum[i] = act->actdim;
  m->actuator_actadr[i] = act->actdim ? *actadr : -1;
  *actadr += act->actdim;
  m->actuator_group[i] = act->group;
  m->actuator_ctrllimited[i] = (mjtByte)act->ctrllimited;
  m->actuator_forcelimited[i] = (mjtByte)act->forcelimited;
  m->actuator_actlimited[i] = (mjtByte)act->actlimited;
  m->actuator_actearly[i] = act->actearly;
  m->actuator_plugin[i] = mji_plugin_id(&act->plugin);
}

// ---- sensors

static void packSensor(mjiCompile* c, int i, int* adr) {
  mjModel* m = c->m;
  const mjsSensor* sensor = &mji_get(c, mjOBJ_SENSOR, i)->as.sensor;
  m->sensor_type[i] = sensor->type;
  m->sensor_datatype[i] = sensor->datatype;
  m->sensor_needstage[i] = sensor->needstage;
  m->sensor_objtype[i] = sensor->objtype;
  m->sensor_objid[i] = idOf(c, sensor->objtype, sensor->objname);
  m->sensor_reftype[i] = sensor->reftype;
  m->sensor_refid[i] = idOf(c, sensor->reftype, sensor->refname);
  for (int k = 0; k < mjNSENS; k++) m->sensor_intprm[mjNSENS * i + k] = sensor->intprm[k];
  m->sensor_dim[i] = sensor->dim;
  m->sensor_adr[i] = *adr;
  *adr += sensor->dim;
  m->sensor_plugin[i] = mji_plugin_id(&sensor->plugin);
}

void mji_pack_links(mjiCompile* c) {
  mjModel* m = c->m;
  int wrapadr = 0, actadr = 0, sensoradr = 0;
  for (int i = 0; i < m->npair; i++) packPair(c, i);
  for (int i = 0; i < m->nexclude; i++) packExclude(c, i);
  for (int i = 0; i < m->neq; i++) packEquality(c, i);
  mjtByte* seen = mji_vec_alloc((size_t)m->ntree + 1);
  for (int i = 0; i < m->ntendon; i++) {
    packTendon(c, i, &wrapadr);
    packTendonTrees(m, i, seen);
  }
  free(seen);
  for (int i = 0; i < m->nu; i++) packActuator(c, i, &actadr);
  for (int i = 0; i < m->nsensor; i++) packSensor(c, i, &sensoradr);
}
