// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "model/check.h"

#include "model/names.h"
#include "model/plugin.h"
#include "tables/reference_table.h"

int mji_checkCount(const mjModel* m, int objtype) {
  switch (objtype) {
    case mjOBJ_BODY:
    case mjOBJ_XBODY: return m->nbody;
    case mjOBJ_JOINT: return m->njnt;
    case mjOBJ_DOF: return m->nv;
    case mjOBJ_GEOM: return m->ngeom;
    case mjOBJ_SITE: return m->nsite;
    case mjOBJ_CAMERA: return m->ncam;
    case mjOBJ_LIGHT: return m->nlight;
    case mjOBJ_FLEX: return m->nflex;
    case mjOBJ_MESH: return m->nmesh;
    case mjOBJ_SKIN: return m->nskin;
    case mjOBJ_HFIELD: return m->nhfield;
    case mjOBJ_TEXTURE: return m->ntex;
    case mjOBJ_MATERIAL: return m->nmat;
    case mjOBJ_PAIR: return m->npair;
    case mjOBJ_EXCLUDE: return m->nexclude;
    case mjOBJ_EQUALITY: return m->neq;
    case mjOBJ_TENDON: return m->ntendon;
    case mjOBJ_ACTUATOR: return m->nu;
    case mjOBJ_SENSOR: return m->nsensor;
    case mjOBJ_NUMERIC: return m->nnumeric;
    case mjOBJ_TEXT: return m->ntext;
    case mjOBJ_TUPLE: return m->ntuple;
    case mjOBJ_KEY: return m->nkey;
    case mjOBJ_PLUGIN: return m->nplugin;
    default: return 0;
  }
}

// sizes that no array has
static const char* checkSizes(const mjModel* m) {
  if (m->nbody < 1) return "nbody";
  if (m->nbvhstatic < 0 || m->nbvhdynamic < 0 || m->nbvh - m->nbvhstatic != m->nbvhdynamic) return "nbvh";
  if (m->nnames_map != mji_sizeNamesMap(m)) return "nnames_map";
  if (m->narena < 0) return "narena";
  if (m->nuserdata < 0) return "nuserdata";
  if (m->npluginstate < 0) return "npluginstate";
  return NULL;
}

static const char* checkOptions(const mjModel* m) {
  const mjOption* opt = &m->opt;
  if (opt->integrator < mjINT_EULER || opt->integrator > mjINT_IMPLICITFAST) return "opt.integrator";
  if (opt->cone < mjCONE_PYRAMIDAL || opt->cone > mjCONE_ELLIPTIC) return "opt.cone";
  if (opt->jacobian < mjJAC_DENSE || opt->jacobian > mjJAC_AUTO) return "opt.jacobian";
  if (opt->solver < mjSOL_PGS || opt->solver > mjSOL_NEWTON) return "opt.solver";
  return NULL;
}

static int rangesOk(const int* adr, const int* num, int n, int limit) {
  for (int i = 0; i < n; i++) {
    if (!mji_rangeOk(adr[i], num[i], limit)) return 0;
  }
  return 1;
}

static const char* checkReferences(const mjModel* m) {
#define INDEX(array, count, limit) \
  if (!mji_indicesOk(m->array, m->count, 0, m->limit)) return #array;
#define OPTION(array, count, limit) \
  if (!mji_indicesOk(m->array, m->count, -1, m->limit)) return #array;
#define RANGE(adr, num, count, limit) \
  if (!rangesOk(m->adr, m->num, m->count, m->limit)) return #adr;
#define WORD(array, count, first, limit) \
  if (!mji_indicesOk(m->array, m->count, first, limit)) return #array;
  MJI_REFERENCES
#undef INDEX
#undef OPTION
#undef RANGE
#undef WORD
  return NULL;
}

// names, paths and texts end within their arrays
static const char* checkTexts(const mjModel* m) {
  if (m->nnames && m->names[m->nnames - 1]) return "names";
  if (m->npaths && m->paths[m->npaths - 1]) return "paths";
  for (int i = 0; i < m->ntext; i++) {
    int n = m->text_size[i];
    if (n < 1 || m->text_data[m->text_adr[i] + n - 1]) return "text_data";
  }
  return NULL;
}

static const char* checkTuples(const mjModel* m) {
  for (int i = 0; i < m->ntupledata; i++) {
    int n = mji_checkCount(m, m->tuple_objtype[i]);
    if (!mji_indicesOk(m->tuple_objid + i, 1, 0, n)) return "tuple_objid";
  }
  return NULL;
}

const char* mji_checkModel(const mjModel* m) {
  // in this order: later checks use what earlier ones have found right
  static const char* (*const check[])(const mjModel*) = {
      checkSizes,     checkOptions,     checkReferences, checkTexts,  mji_checkTree,    mji_checkFlexes,
      mji_checkLinks, mji_checkSensors, mji_checkAssets, checkTuples, mji_plugin_check,
  };
  for (size_t i = 0; i < sizeof check / sizeof check[0]; i++) {
    const char* wrong = check[i](m);
    if (wrong) return wrong;
  }
  return NULL;
}
