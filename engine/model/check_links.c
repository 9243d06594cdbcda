// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Elements that act on others: tendons, equalities, actuators, contacts.
#include "model/check.h"
#include "model/equality_row.h"
#include "model/actuator_row.h"

static int isScalar(const mjModel* m, int joint) {
  return m->jnt_type[joint] == mjJNT_SLIDE || m->jnt_type[joint] == mjJNT_HINGE;
}

static int idOk(const mjModel* m, int objtype, int id) { return id >= 0 && id < mji_checkCount(m, objtype); }

// ---- tendons

static int isWrapGeom(int type) { return type == mjWRAP_SPHERE || type == mjWRAP_CYLINDER; }

// the object at a place of the path, and the site on the side of a geom
static const char* checkWrap(const mjModel* m, int w) {
  static const int object[] = {[mjWRAP_JOINT] = mjOBJ_JOINT,
                               [mjWRAP_SITE] = mjOBJ_SITE,
                               [mjWRAP_SPHERE] = mjOBJ_GEOM,
                               [mjWRAP_CYLINDER] = mjOBJ_GEOM};
  int type = m->wrap_type[w], id = m->wrap_objid[w];
  if (type < mjWRAP_JOINT || type > mjWRAP_CYLINDER) return "wrap_type";
  if (type == mjWRAP_PULLEY) return NULL;
  if (!idOk(m, object[type], id)) return "wrap_objid";
  if (!isWrapGeom(type)) return NULL;
  mjtNum side = m->wrap_prm[w];
  return side >= -1 && side < m->nsite && side == (int)side ? NULL : "wrap_prm";
}

// joints only, or sites with geoms between them and pulleys between branches
static int pathOk(const mjModel* m, int tendon) {
  const int* type = m->wrap_type + m->tendon_adr[tendon];
  int n = m->tendon_num[tendon], fixed = type[0] == mjWRAP_JOINT;
  for (int i = 0; i < n; i++) {
    if ((type[i] == mjWRAP_JOINT) != fixed) return 0;
    int before = i > 0 ? type[i - 1] : mjWRAP_NONE, after = i < n - 1 ? type[i + 1] : mjWRAP_NONE;
    if (isWrapGeom(type[i]) && (before != mjWRAP_SITE || after != mjWRAP_SITE)) return 0;
    if (isWrapGeom(type[i]) && m->tendon_armature[tendon]) return 0;
    if (type[i] == mjWRAP_PULLEY && after == mjWRAP_NONE) return 0;
  }
  return fixed || n > 1;
}

static const char* checkTendons(const mjModel* m) {
  for (int w = 0; w < m->nwrap; w++) {
    const char* wrong = checkWrap(m, w);
    if (wrong) return wrong;
  }
  int next = 0;
  for (int i = 0; i < m->ntendon; i++) {
    if (m->tendon_adr[i] != next || m->tendon_num[i] < 1) return "tendon_adr";
    next += m->tendon_num[i];
    if (!pathOk(m, i)) return "wrap_type";
  }
  return next == m->nwrap ? NULL : "tendon_num";
}

// ---- equalities

static const char* checkEqualities(const mjModel* m) {
  for (int i = 0; i < m->neq; i++) {
    int type = m->eq_type[i], id1 = m->eq_obj1id[i], id2 = m->eq_obj2id[i];
    const mjiEqualityRow* row = mji_equalityRow(type);
    if (!row) return "eq_type";
    if (row->ends == mjiENDS_FLEXES) {
      if (!idOk(m, mjOBJ_FLEX, id1)) return "eq_obj1id";
      continue;
    }
    int points = row->ends == mjiENDS_POINTS;
    if (points && m->eq_objtype[i] != mjOBJ_BODY && m->eq_objtype[i] != mjOBJ_SITE) return "eq_objtype";
    int object = mji_equalityObject(type, m->eq_objtype[i]);
    if (!idOk(m, object, id1)) return "eq_obj1id";
    if (!idOk(m, object, id2) && (points || id2 != -1)) return "eq_obj2id";
    if (id1 == id2) return "eq_obj2id";
    if (row->ends != mjiENDS_JOINTS) continue;
    if (!isScalar(m, id1) || (id2 >= 0 && !isScalar(m, id2))) return "eq_obj1id";
  }
  return NULL;
}

// ---- actuators

static const char* checkTransmission(const mjModel* m, int i) {
  int id = m->actuator_trnid[2 * i], id2 = m->actuator_trnid[2 * i + 1];
  const mjiTransmissionRow* row = mji_transmissionRow(m->actuator_trntype[i]);
  if (!row) return "actuator_trntype";
  if (!idOk(m, row->object, id)) return "actuator_trnid";
  int second = row->second == mjiSECOND_REQUIRED || id2 != -1;
  return second && !idOk(m, mjOBJ_SITE, id2) ? "actuator_trnid" : NULL;
}

static int momentSize(const mjModel* m, int i) {
  int joint = mji_transmissionRow(m->actuator_trntype[i])->object == mjOBJ_JOINT;
  return mji_momentSize(m->actuator_trntype[i], joint ? m->jnt_type[m->actuator_trnid[2 * i]] : -1, m->nv);
}

static const char* checkActuators(const mjModel* m) {
  int64_t moments = 0;
  int next = 0;
  for (int i = 0; i < m->nu; i++) {
    const char* wrong = checkTransmission(m, i);
    if (wrong) return wrong;
    moments += momentSize(m, i);

    // activations lie in the order of actuators; only those of users and plugins have several
    int n = m->actuator_actnum[i], type = m->actuator_dyntype[i];
    int plugin = m->actuator_plugin[i] >= 0;
    if (plugin ? n < 0 : type == mjDYN_NONE ? n != 0 : n < 1 || (n > 1 && type != mjDYN_USER)) return "actuator_actnum";
    if (m->actuator_actadr[i] != (n ? next : -1) || n > m->na - next) return "actuator_actadr";
    next += n;
  }
  return next != m->na ? "na" : moments != m->nJmom ? "nJmom" : NULL;
}

// ---- contacts

static int isCondim(int n) { return n == 1 || n == 3 || n == 4 || n == 6; }

// two bodies, the lower first, as pairs and excludes name them
static uint32_t signatureOf(uint32_t body1, uint32_t body2) {
  return body1 < body2 ? (body1 << 16) + body2 : (body2 << 16) + body1;
}

// Collision walks pairs and excludes along with pairs of bodies, so signatures must ascend.
static const char* checkSignatures(const mjModel* m) {
  uint32_t before = 0;
  for (int i = 0; i < m->npair; i++) {
    uint32_t signature = (uint32_t)m->pair_signature[i];
    int body1 = m->geom_bodyid[m->pair_geom1[i]], body2 = m->geom_bodyid[m->pair_geom2[i]];
    if (signature < before || signature != signatureOf((uint32_t)body1, (uint32_t)body2)) return "pair_signature";
    before = signature;
  }
  before = 0;
  for (int i = 0; i < m->nexclude; i++) {
    uint32_t signature = (uint32_t)m->exclude_signature[i];
    uint32_t low = signature >> 16, high = signature & 0xffff;
    if (signature < before || low > high || high >= (uint32_t)m->nbody) return "exclude_signature";
    before = signature;
  }
  return NULL;
}

static const char* checkContacts(const mjModel* m) {
  for (int i = 0; i < m->ngeom; i++) {
    if (!isCondim(m->geom_condim[i])) return "geom_condim";
  }
  for (int i = 0; i < m->npair; i++) {
    if (!isCondim(m->pair_dim[i])) return "pair_dim";
  }
  return checkSignatures(m);
}

const char* mji_checkLinks(const mjModel* m) {
  static const char* (*const check[])(const mjModel*) = {checkTendons, checkEqualities, checkActuators, checkContacts};
  const char* wrong = NULL;
  for (size_t i = 0; i < sizeof check / sizeof check[0] && !wrong; i++) wrong = check[i](m);
  return wrong;
}
