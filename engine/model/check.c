// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "model/check.h"

#include <stdint.h>

#include "tables/reference_table.h"

// first <= index[i] < limit
static int indicesOk(const int* index, int n, int first, int limit) {
  for (int i = 0; i < n; i++) {
    if (index[i] < first || index[i] >= limit) return 0;
  }
  return 1;
}

static int rangesOk(const int* adr, const int* num, int n, int limit) {
  for (int i = 0; i < n; i++) {
    if (num[i] < 0 || (num[i] && (adr[i] < 0 || (int64_t)adr[i] + num[i] > limit))) return 0;
  }
  return 1;
}

// parents come before children, types are known, joints have room for their coordinates
static const char* checkTree(const mjModel* m) {
  for (int b = 1; b < m->nbody; b++) {
    if (m->body_parentid[b] >= b) return "body_parentid";
  }
  for (int i = 0; i < m->nv; i++) {
    if (m->dof_parentid[i] >= i) return "dof_parentid";
  }
  static const int nq[] = {7, 4, 1, 1}, nv[] = {6, 3, 1, 1};
  for (int j = 0; j < m->njnt; j++) {
    int type = m->jnt_type[j];
    if (type < mjJNT_FREE || type > mjJNT_HINGE) return "jnt_type";
    if (m->jnt_qposadr[j] + nq[type] > m->nq) return "jnt_qposadr";
    if (m->jnt_dofadr[j] + nv[type] > m->nv) return "jnt_dofadr";
  }
  return NULL;
}

static int countOf(const mjModel* m, int objtype) {
  switch (objtype) {
    case mjOBJ_BODY:
    case mjOBJ_XBODY:    return m->nbody;
    case mjOBJ_JOINT:    return m->njnt;
    case mjOBJ_DOF:      return m->nv;
    case mjOBJ_GEOM:     return m->ngeom;
    case mjOBJ_SITE:     return m->nsite;
    case mjOBJ_CAMERA:   return m->ncam;
    case mjOBJ_LIGHT:    return m->nlight;
    case mjOBJ_FLEX:     return m->nflex;
    case mjOBJ_MESH:     return m->nmesh;
    case mjOBJ_SKIN:     return m->nskin;
    case mjOBJ_HFIELD:   return m->nhfield;
    case mjOBJ_TEXTURE:  return m->ntex;
    case mjOBJ_MATERIAL: return m->nmat;
    case mjOBJ_PAIR:     return m->npair;
    case mjOBJ_EXCLUDE:  return m->nexclude;
    case mjOBJ_EQUALITY: return m->neq;
    case mjOBJ_TENDON:   return m->ntendon;
    case mjOBJ_ACTUATOR: return m->nu;
    case mjOBJ_SENSOR:   return m->nsensor;
    case mjOBJ_NUMERIC:  return m->nnumeric;
    case mjOBJ_TEXT:     return m->ntext;
    case mjOBJ_TUPLE:    return m->ntuple;
    case mjOBJ_KEY:      return m->nkey;
    case mjOBJ_PLUGIN:   return m->nplugin;
    default:             return 0;
  }
}

// objects of a type that is given beside the id
static const char* checkObjects(const mjModel* m) {
  for (int i = 0; i < m->nsensor; i++) {
    int type = m->sensor_objtype[i], ref = m->sensor_reftype[i];
    if (type != mjOBJ_UNKNOWN && !indicesOk(m->sensor_objid + i, 1, 0, countOf(m, type))) {
      return "sensor_objid";
    }
    if (ref != mjOBJ_UNKNOWN && !indicesOk(m->sensor_refid + i, 1, -1, countOf(m, ref))) {
      return "sensor_refid";
    }
  }
  for (int i = 0; i < m->neq; i++) {
    int n = countOf(m, m->eq_objtype[i]);
    if (m->eq_type[i] == mjEQ_JOINT) n = m->njnt;
    if (m->eq_type[i] == mjEQ_TENDON) n = m->ntendon;
    if (m->eq_type[i] >= mjEQ_FLEX) n = m->nflex;
    if (!indicesOk(m->eq_obj1id + i, 1, 0, n)) return "eq_obj1id";
    if (!indicesOk(m->eq_obj2id + i, 1, -1, n)) return "eq_obj2id";
  }
  for (int i = 0; i < m->ntupledata; i++) {
    int n = countOf(m, m->tuple_objtype[i]);
    if (!indicesOk(m->tuple_objid + i, 1, 0, n)) return "tuple_objid";
  }
  return NULL;
}

static const char* checkWraps(const mjModel* m) {
  for (int i = 0; i < m->nwrap; i++) {
    int n = 0;
    switch (m->wrap_type[i]) {
      case mjWRAP_JOINT:    n = m->njnt; break;
      case mjWRAP_SITE:     n = m->nsite; break;
      case mjWRAP_SPHERE:
      case mjWRAP_CYLINDER: n = m->ngeom; break;
      case mjWRAP_PULLEY:   continue;
      default:              return "wrap_type";
    }
    if (!indicesOk(m->wrap_objid + i, 1, 0, n)) return "wrap_objid";
  }
  return NULL;
}

static const char* checkActuators(const mjModel* m) {
  for (int i = 0; i < m->nu; i++) {
    int n = 0;
    switch (m->actuator_trntype[i]) {
      case mjTRN_JOINT:
      case mjTRN_JOINTINPARENT: n = m->njnt; break;
      case mjTRN_TENDON:        n = m->ntendon; break;
      case mjTRN_SLIDERCRANK:
      case mjTRN_SITE:          n = m->nsite; break;
      case mjTRN_BODY:          n = m->nbody; break;
      default:                  return "actuator_trntype";
    }
    if (!indicesOk(m->actuator_trnid + 2*i, 1, 0, n)) return "actuator_trnid";
    if (!indicesOk(m->actuator_trnid + 2*i + 1, 1, -1, m->nsite)) return "actuator_trnid";
  }
  return NULL;
}

static const char* checkGeoms(const mjModel* m) {
  for (int g = 0; g < m->ngeom; g++) {
    int type = m->geom_type[g];
    if (type < 0 || type >= mjNGEOMTYPES) return "geom_type";
    int n = type == mjGEOM_HFIELD ? m->nhfield : m->nmesh;
    int needed = type == mjGEOM_HFIELD || type == mjGEOM_MESH || type == mjGEOM_SDF;
    if (!indicesOk(m->geom_dataid + g, 1, needed ? 0 : -1, n)) return "geom_dataid";
  }
  return NULL;
}

static const char* checkAssets(const mjModel* m) {
  for (int i = 0; i < m->nhfield; i++) {
    int64_t size = (int64_t)m->hfield_nrow[i] * m->hfield_ncol[i];
    if (m->hfield_nrow[i] < 2 || m->hfield_ncol[i] < 2) return "hfield_nrow";
    if (m->hfield_adr[i] < 0 || m->hfield_adr[i] + size > m->nhfielddata) return "hfield_adr";
  }
  for (int i = 0; i < m->nmesh; i++) {
    const int* face = m->mesh_face + 3 * m->mesh_faceadr[i];
    if (!indicesOk(face, 3 * m->mesh_facenum[i], 0, m->mesh_vertnum[i])) return "mesh_face";
  }
  return NULL;
}

// texts end within their array
static const char* checkTexts(const mjModel* m) {
  if (m->nnames && m->names[m->nnames - 1]) return "names";
  if (m->npaths && m->paths[m->npaths - 1]) return "paths";
  return NULL;
}

const char* mji_checkModel(const mjModel* m) {
  if (m->nbody < 1) return "nbody";
#define INDEX(array, count, limit) \
  if (!indicesOk(m->array, m->count, 0, m->limit)) return #array;
#define OPTION(array, count, limit) \
  if (!indicesOk(m->array, m->count, -1, m->limit)) return #array;
#define RANGE(adr, num, count, limit) \
  if (!rangesOk(m->adr, m->num, m->count, m->limit)) return #adr;
  MJI_REFERENCES
#undef INDEX
#undef OPTION
#undef RANGE

  static const char* (*const check[])(const mjModel*) = {
      checkTree, checkObjects, checkWraps, checkActuators, checkGeoms, checkAssets, checkTexts,
  };
  for (size_t i = 0; i < sizeof check / sizeof check[0]; i++) {
    const char* wrong = check[i](m);
    if (wrong) return wrong;
  }
  return NULL;
}
