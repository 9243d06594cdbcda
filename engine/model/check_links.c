// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Elements that act on others: tendons, equalities, actuators, cameras and lights, contacts.
#include "model/check.h"

static int isScalar(const mjModel* m, int joint) {
  return m->jnt_type[joint] == mjJNT_SLIDE || m->jnt_type[joint] == mjJNT_HINGE;
}

static int idOk(const mjModel* m, int objtype, int id) {
  return id >= 0 && id < mji_checkCount(m, objtype);
}

// ---- tendons

static int isWrapGeom(int type) {
  return type == mjWRAP_SPHERE || type == mjWRAP_CYLINDER;
}

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
  if (type == mjWRAP_JOINT && !isScalar(m, id)) return "wrap_objid";
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
    int joins = type == mjEQ_CONNECT || type == mjEQ_WELD;
    int object = joins ? m->eq_objtype[i] : type == mjEQ_JOINT ? mjOBJ_JOINT : mjOBJ_TENDON;
    if (!joins && type != mjEQ_JOINT && type != mjEQ_TENDON) return "eq_type";
    if (joins && object != mjOBJ_BODY && object != mjOBJ_SITE) return "eq_objtype";
    if (!idOk(m, object, id1)) return "eq_obj1id";
    if (!idOk(m, object, id2) && (joins || id2 != -1)) return "eq_obj2id";
    if (type == mjEQ_JOINT && (!isScalar(m, id1) || (id2 >= 0 && !isScalar(m, id2)))) return "eq_obj1id";
  }
  return NULL;
}

// ---- actuators

// numbers of moments that have a place: joints know their dofs, other transmissions may reach all
static int momentSize(const mjModel* m, int i) {
  int type = m->actuator_trntype[i];
  if (type != mjTRN_JOINT && type != mjTRN_JOINTINPARENT) return m->nv;
  switch (m->jnt_type[m->actuator_trnid[2 * i]]) {
    case mjJNT_FREE: return 6;
    case mjJNT_BALL: return 3;
    default:         return 1;
  }
}

static const char* checkTransmission(const mjModel* m, int i) {
  int type = m->actuator_trntype[i], id = m->actuator_trnid[2 * i], id2 = m->actuator_trnid[2 * i + 1];
  static const int object[] = {
      [mjTRN_JOINT] = mjOBJ_JOINT,      [mjTRN_JOINTINPARENT] = mjOBJ_JOINT,
      [mjTRN_SLIDERCRANK] = mjOBJ_SITE, [mjTRN_TENDON] = mjOBJ_TENDON,
      [mjTRN_SITE] = mjOBJ_SITE,        [mjTRN_BODY] = mjOBJ_BODY,
  };
  if (type < mjTRN_JOINT || type > mjTRN_BODY) return "actuator_trntype";
  if (!idOk(m, object[type], id)) return "actuator_trnid";
  int second = type == mjTRN_SLIDERCRANK || id2 != -1;
  return second && !idOk(m, mjOBJ_SITE, id2) ? "actuator_trnid" : NULL;
}

static const char* checkActuators(const mjModel* m) {
  int64_t moments = 0;
  int next = 0;
  for (int i = 0; i < m->nu; i++) {
    const char* wrong = checkTransmission(m, i);
    if (wrong) return wrong;
    moments += momentSize(m, i);

    // activations lie in the order of actuators; only those of users have several
    int n = m->actuator_actnum[i], type = m->actuator_dyntype[i];
    if (type == mjDYN_NONE ? n != 0 : n < 1 || (n > 1 && type != mjDYN_USER)) return "actuator_actnum";
    if (m->actuator_actadr[i] != (n ? next : -1) || n > m->na - next) return "actuator_actadr";
    next += n;
  }
  return next != m->na ? "na" : moments != m->nJmom ? "nJmom" : NULL;
}

// ---- cameras and lights

static int seesTarget(int mode, int target) {
  return (mode != mjCAMLIGHT_TARGETBODY && mode != mjCAMLIGHT_TARGETBODYCOM) || target >= 0;
}

static const char* checkViews(const mjModel* m) {
  for (int i = 0; i < m->ncam; i++) {
    if (!seesTarget(m->cam_mode[i], m->cam_targetbodyid[i])) return "cam_targetbodyid";
  }
  for (int i = 0; i < m->nlight; i++) {
    if (!seesTarget(m->light_mode[i], m->light_targetbodyid[i])) return "light_targetbodyid";
  }
  return NULL;
}

// ---- contacts

static int isCondim(int n) {
  return n == 1 || n == 3 || n == 4 || n == 6;
}

static const char* checkContacts(const mjModel* m) {
  for (int i = 0; i < m->ngeom; i++) {
    if (!isCondim(m->geom_condim[i])) return "geom_condim";
  }
  for (int i = 0; i < m->npair; i++) {
    if (!isCondim(m->pair_dim[i])) return "pair_dim";
  }
  return NULL;
}

const char* mji_checkLinks(const mjModel* m) {
  static const char* (*const check[])(const mjModel*) = {checkTendons, checkEqualities, checkActuators,
                                                         checkViews, checkContacts};
  const char* wrong = NULL;
  for (size_t i = 0; i < sizeof check / sizeof check[0] && !wrong; i++) wrong = check[i](m);
  return wrong;
}
