// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "spec/element.h"
#include "spec/reset_element.h"
#include "model/equality_row.h"
#include "model/actuator_row.h"

#include <stdlib.h>
#include <string.h>

// a container of a public struct; names of other elements say which type they refer to
typedef struct {
  size_t offset;
  mjiKind kind;
  mjtObj target;  // mjOBJ_UNKNOWN: not a reference
} Field;

typedef struct {
  mjtObj type;
  const char* name;
  size_t size;
  void (*init)(void* pub);
  Field field[MJI_MAXSTORE + 1];  // ends with a zero row; offset 0 is always `element`
} Row;

#define F(type, member, kind) \
  { offsetof(type, member), MJI_##kind, mjOBJ_UNKNOWN }
#define REF(type, member, kind, target) \
  { offsetof(type, member), MJI_##kind, mjOBJ_##target }
#define PLUGIN(type) \
  REF(type, plugin.name, STRING, PLUGIN), F(type, plugin.plugin_name, STRING), F(type, plugin.info, STRING)
#define INIT(fn) ((void (*)(void*))(fn))

// targets whose type is in another field (sensors, equalities, tuples) are left to the visitors below
// clang-format off
static const Row rows[] = {
  {mjOBJ_BODY, "body", sizeof(mjsBody), INIT(mjs_defaultBody),
   {F(mjsBody, childclass, STRING), F(mjsBody, userdata, DOUBLES), PLUGIN(mjsBody),
    F(mjsBody, info, STRING)}},
  {mjOBJ_FRAME, "frame", sizeof(mjsFrame), INIT(mjs_defaultFrame),
   {F(mjsFrame, childclass, STRING), F(mjsFrame, info, STRING)}},
  {mjOBJ_JOINT, "joint", sizeof(mjsJoint), INIT(mjs_defaultJoint),
   {F(mjsJoint, userdata, DOUBLES), F(mjsJoint, info, STRING)}},
  {mjOBJ_GEOM, "geom", sizeof(mjsGeom), INIT(mjs_defaultGeom),
   {REF(mjsGeom, material, STRING, MATERIAL), REF(mjsGeom, hfieldname, STRING, HFIELD),
    REF(mjsGeom, meshname, STRING, MESH), F(mjsGeom, userdata, DOUBLES), PLUGIN(mjsGeom),
    F(mjsGeom, info, STRING)}},
  {mjOBJ_SITE, "site", sizeof(mjsSite), INIT(mjs_defaultSite),
   {REF(mjsSite, material, STRING, MATERIAL), F(mjsSite, userdata, DOUBLES),
    F(mjsSite, info, STRING)}},
  {mjOBJ_CAMERA, "camera", sizeof(mjsCamera), INIT(mjs_defaultCamera),
   {REF(mjsCamera, targetbody, STRING, BODY), F(mjsCamera, userdata, DOUBLES),
    F(mjsCamera, info, STRING)}},
  {mjOBJ_LIGHT, "light", sizeof(mjsLight), INIT(mjs_defaultLight),
   {REF(mjsLight, targetbody, STRING, BODY), REF(mjsLight, texture, STRING, TEXTURE),
    F(mjsLight, info, STRING)}},
  {mjOBJ_FLEX, "flex", sizeof(mjsFlex), INIT(mjs_defaultFlex),
   {REF(mjsFlex, material, STRING, MATERIAL), REF(mjsFlex, nodebody, STRINGS, BODY),
    REF(mjsFlex, vertbody, STRINGS, BODY), F(mjsFlex, node, DOUBLES), F(mjsFlex, vert, DOUBLES),
    F(mjsFlex, elem, INTS), F(mjsFlex, texcoord, FLOATS), F(mjsFlex, elemtexcoord, INTS),
    F(mjsFlex, info, STRING)}},
  {mjOBJ_MESH, "mesh", sizeof(mjsMesh), INIT(mjs_defaultMesh),
   {F(mjsMesh, content_type, STRING), F(mjsMesh, file, STRING), F(mjsMesh, uservert, FLOATS),
    F(mjsMesh, usernormal, FLOATS), F(mjsMesh, usertexcoord, FLOATS), F(mjsMesh, userface, INTS),
    F(mjsMesh, userfacenormal, INTS), F(mjsMesh, userfacetexcoord, INTS), PLUGIN(mjsMesh),
    REF(mjsMesh, material, STRING, MATERIAL), F(mjsMesh, info, STRING)}},
  {mjOBJ_HFIELD, "hfield", sizeof(mjsHField), INIT(mjs_defaultHField),
   {F(mjsHField, content_type, STRING), F(mjsHField, file, STRING), F(mjsHField, userdata, FLOATS),
    F(mjsHField, info, STRING)}},
  {mjOBJ_SKIN, "skin", sizeof(mjsSkin), INIT(mjs_defaultSkin),
   {F(mjsSkin, file, STRING), REF(mjsSkin, material, STRING, MATERIAL), F(mjsSkin, vert, FLOATS),
    F(mjsSkin, texcoord, FLOATS), F(mjsSkin, face, INTS), REF(mjsSkin, bodyname, STRINGS, BODY),
    F(mjsSkin, bindpos, FLOATS), F(mjsSkin, bindquat, FLOATS), F(mjsSkin, vertid, INTLISTS),
    F(mjsSkin, vertweight, FLOATLISTS), F(mjsSkin, info, STRING)}},
  {mjOBJ_TEXTURE, "texture", sizeof(mjsTexture), INIT(mjs_defaultTexture),
   {F(mjsTexture, content_type, STRING), F(mjsTexture, file, STRING),
    F(mjsTexture, cubefiles, STRINGS), F(mjsTexture, data, BYTES), F(mjsTexture, info, STRING)}},
  {mjOBJ_MATERIAL, "material", sizeof(mjsMaterial), INIT(mjs_defaultMaterial),
   {REF(mjsMaterial, textures, STRINGS, TEXTURE), F(mjsMaterial, info, STRING)}},
  {mjOBJ_PAIR, "pair", sizeof(mjsPair), INIT(mjs_defaultPair),
   {REF(mjsPair, geomname1, STRING, GEOM), REF(mjsPair, geomname2, STRING, GEOM),
    F(mjsPair, info, STRING)}},
  {mjOBJ_EXCLUDE, "exclude", sizeof(mjsExclude), NULL,
   {REF(mjsExclude, bodyname1, STRING, BODY), REF(mjsExclude, bodyname2, STRING, BODY),
    F(mjsExclude, info, STRING)}},
  {mjOBJ_EQUALITY, "equality", sizeof(mjsEquality), INIT(mjs_defaultEquality),
   {F(mjsEquality, name1, STRING), F(mjsEquality, name2, STRING), F(mjsEquality, info, STRING)}},
  {mjOBJ_TENDON, "tendon", sizeof(mjsTendon), INIT(mjs_defaultTendon),
   {REF(mjsTendon, material, STRING, MATERIAL), F(mjsTendon, userdata, DOUBLES),
    F(mjsTendon, info, STRING)}},
  {mjOBJ_UNKNOWN, "wrap", sizeof(mjsWrap), NULL, {F(mjsWrap, info, STRING)}},
  {mjOBJ_ACTUATOR, "actuator", sizeof(mjsActuator), INIT(mjs_defaultActuator),
   {F(mjsActuator, target, STRING), REF(mjsActuator, refsite, STRING, SITE),
    REF(mjsActuator, slidersite, STRING, SITE), F(mjsActuator, userdata, DOUBLES),
    PLUGIN(mjsActuator), F(mjsActuator, info, STRING)}},
  {mjOBJ_SENSOR, "sensor", sizeof(mjsSensor), INIT(mjs_defaultSensor),
   {F(mjsSensor, objname, STRING), F(mjsSensor, refname, STRING), F(mjsSensor, userdata, DOUBLES),
    PLUGIN(mjsSensor), F(mjsSensor, info, STRING)}},
  {mjOBJ_NUMERIC, "numeric", sizeof(mjsNumeric), INIT(mjs_defaultNumeric),
   {F(mjsNumeric, data, DOUBLES), F(mjsNumeric, info, STRING)}},
  {mjOBJ_TEXT, "text", sizeof(mjsText), INIT(mjs_defaultText),
   {F(mjsText, data, STRING), F(mjsText, info, STRING)}},
  {mjOBJ_TUPLE, "tuple", sizeof(mjsTuple), INIT(mjs_defaultTuple),
   {F(mjsTuple, objtype, INTS), F(mjsTuple, objname, STRINGS), F(mjsTuple, objprm, DOUBLES),
    F(mjsTuple, info, STRING)}},
  {mjOBJ_KEY, "key", sizeof(mjsKey), INIT(mjs_defaultKey),
   {F(mjsKey, qpos, DOUBLES), F(mjsKey, qvel, DOUBLES), F(mjsKey, act, DOUBLES),
    F(mjsKey, mpos, DOUBLES), F(mjsKey, mquat, DOUBLES), F(mjsKey, ctrl, DOUBLES),
    F(mjsKey, info, STRING)}},
  {mjOBJ_PLUGIN, "plugin", sizeof(mjsPlugin), INIT(mjs_defaultPlugin),
   {F(mjsPlugin, name, STRING), F(mjsPlugin, plugin_name, STRING), F(mjsPlugin, info, STRING)}},
  {mjOBJ_DEFAULT, "default", sizeof(mjsDefault), NULL, {{0}}},
};
// clang-format on

static const Row* findRow(mjtObj type) {
  if (type == mjOBJ_XBODY) type = mjOBJ_BODY;
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    if (rows[i].type == type) return rows + i;
  }
  return NULL;
}

// the pointer member of the public struct
static void** memberOf(mjiElem* e, const Field* field) { return (void**)((char*)&e->as + field->offset); }

const char* mji_elem_typeName(mjtObj type) {
  const Row* row = type == mjOBJ_UNKNOWN ? NULL : findRow(type);
  return row ? row->name : "element";
}

int mji_elem_kid(mjtObj type) {
  switch (type) {
    case mjOBJ_BODY:
    case mjOBJ_XBODY: return MJI_KID_BODY;
    case mjOBJ_FRAME: return MJI_KID_FRAME;
    case mjOBJ_JOINT: return MJI_KID_JOINT;
    case mjOBJ_GEOM: return MJI_KID_GEOM;
    case mjOBJ_SITE: return MJI_KID_SITE;
    case mjOBJ_CAMERA: return MJI_KID_CAMERA;
    case mjOBJ_LIGHT: return MJI_KID_LIGHT;
    default: return -1;
  }
}

// point the members of the public struct at their storage
static void connect(mjiElem* e, const Row* row) {
  e->as.element = &e->head;
  for (int i = 0; row->field[i].offset; i++) *memberOf(e, row->field + i) = e->store + i;
}

void mji_elem_reconnect(mjiElem* e) { connect(e, findRow(e->head.elemtype)); }

mjiElem* mji_elem_make(mjiSpec* s, mjtObj type) {
  const Row* row = findRow(type);
  mjiElem* e = mji_vec_alloc(sizeof(mjiElem));
  e->head.elemtype = row->type;
  e->spec = s;
  e->id = e->made = -1;
  mji_vec_init(&e->name, MJI_STRING);
  mji_vec_init(&e->list, MJI_POINTERS);
  mji_vec_init(&e->shares, MJI_POINTERS);
  mji_vec_init(&e->config, MJI_STRINGS);
  for (int i = 0; row->field[i].offset; i++) mji_vec_init(e->store + i, row->field[i].kind);
  if (row->init) row->init(&e->as);
  connect(e, row);
  // a texture for each role, a file for each side
  if (type == mjOBJ_MATERIAL) mji_vec_resize(e->as.material.textures, mjNTEXROLE);
  if (type == mjOBJ_TEXTURE) mji_vec_resize(e->as.texture.cubefiles, 6);

  if (type == mjOBJ_BODY) {
    e->kid = mji_vec_alloc(MJI_NKID * sizeof(mjiVec));
    for (int i = 0; i < MJI_NKID; i++) mji_vec_init(e->kid + i, MJI_POINTERS);
  } else if (type == mjOBJ_UNKNOWN) {
    e->wrap = mji_vec_alloc(sizeof(mjiWrapInfo));
    mji_vec_init(&e->wrap->target, MJI_STRING);
    mji_vec_init(&e->wrap->sidesite, MJI_STRING);
    e->wrap->prm = 1;
  }
  return e;
}

void mji_elem_freeShares(mjiElem* key) {
  for (int i = 0; i < key->shares.num; i++) free(mji_vec_get(&key->shares, i));
  mji_vec_free(&key->shares);
}

void mji_elem_free(mjiElem* e) {
  const Row* row = findRow(e->head.elemtype);
  mji_user_free(e);
  for (int i = 0; row->field[i].offset; i++) mji_vec_free(e->store + i);
  if (e->kid) {
    for (int i = 0; i < MJI_NKID; i++) mji_vec_free(e->kid + i);
    free(e->kid);
  }
  if (e->wrap) {
    mji_vec_free(&e->wrap->target);
    mji_vec_free(&e->wrap->sidesite);
    free(e->wrap);
  }
  mji_vec_free(&e->list);
  mji_vec_free(&e->config);
  mji_elem_freeShares(e);
  free(e->settled);
  mji_vec_free(&e->name);
  free(e->info);
  free(e);
}

void mji_elem_unfit(const mjiFit* fit, double pos[3], double quat[4]) {
  // if the geom has not moved, its pose comes back to the last bit
  if (!memcmp(pos, fit->placedpos, sizeof fit->placedpos) && !memcmp(quat, fit->placedquat, sizeof fit->placedquat)) {
    mju_copy3(pos, fit->pos);
    mju_copy4(quat, fit->quat);
    return;
  }
  double backpos[3], backquat[4];
  mju_negPose(backpos, backquat, fit->placedpos, fit->placedquat);
  mju_mulPose(backpos, backquat, backpos, backquat, fit->pos, fit->quat);
  mju_mulPose(pos, quat, pos, quat, backpos, backquat);
}

const mjiVec* mji_elem_user(const mjiElem* e) {
  switch (e->head.elemtype) {
    case mjOBJ_BODY: return e->as.body.userdata;
    case mjOBJ_JOINT: return e->as.joint.userdata;
    case mjOBJ_GEOM: return e->as.geom.userdata;
    case mjOBJ_SITE: return e->as.site.userdata;
    case mjOBJ_CAMERA: return e->as.camera.userdata;
    case mjOBJ_TENDON: return e->as.tendon.userdata;
    case mjOBJ_ACTUATOR: return e->as.actuator.userdata;
    case mjOBJ_SENSOR: return e->as.sensor.userdata;
    default: return NULL;
  }
}

void mji_elem_copyFields(mjiElem* dst, const mjiElem* src) {
  const Row* row = findRow(src->head.elemtype);
  memcpy(&dst->as, &src->as, row->size);
  connect(dst, row);
  for (int i = 0; row->field[i].offset; i++) mji_vec_copy(dst->store + i, src->store + i);
  mji_vec_copy(&dst->config, &src->config);
  if (src->wrap) {
    mji_vec_copy(&dst->wrap->target, &src->wrap->target);
    mji_vec_copy(&dst->wrap->sidesite, &src->wrap->sidesite);
    dst->wrap->prm = src->wrap->prm;
  }
}

void mji_elem_reset(mjsElement* element) {
  mjiElem* e = mji_elem(element);
  mjiElem* blank = mji_elem_make(e->spec, element->elemtype);
  mji_elem_copyFields(e, blank);
  mji_elem_free(blank);
}

void mji_elem_copy(mjiElem* dst, const mjiElem* src) {
  mji_elem_copyFields(dst, src);
  mji_vec_copy(&dst->name, &src->name);
  dst->dclass = src->dclass;
  dst->frame = src->frame;
  dst->origin = src->origin;
}

typedef void (*Visitor)(void* arg, mjtObj type, mjiVec* text);

// type of the object that an actuator acts on: a joint until something is said
static mjtObj actuatorTarget(mjtTrn trntype) {
  const mjiTransmissionRow* row = mji_transmissionRow(trntype);
  return row ? row->object : mjOBJ_JOINT;
}

static mjtObj wrapTarget(mjtWrap type) {
  return type == mjWRAP_JOINT ? mjOBJ_JOINT : type == mjWRAP_SITE ? mjOBJ_SITE : mjOBJ_GEOM;
}

void mji_elem_references(mjiElem* e, Visitor visit, void* arg) {
  // references whose type is fixed
  const Row* row = findRow(e->head.elemtype);
  for (int i = 0; row->field[i].offset; i++) {
    if (row->field[i].target == mjOBJ_UNKNOWN) continue;
    if (row->field[i].kind == MJI_STRING) {
      visit(arg, row->field[i].target, e->store + i);
    } else {
      for (int k = 0; k < e->store[i].num; k++) {
        visit(arg, row->field[i].target, mji_vec_at(e->store + i, k));
      }
    }
  }

  // references whose type depends on the element
  switch (e->head.elemtype) {
    case mjOBJ_ACTUATOR: visit(arg, actuatorTarget(e->as.actuator.trntype), e->as.actuator.target); break;
    case mjOBJ_SENSOR:
      visit(arg, e->as.sensor.objtype, e->as.sensor.objname);
      visit(arg, e->as.sensor.reftype, e->as.sensor.refname);
      break;
    case mjOBJ_EQUALITY:
      visit(arg, mji_equalityObject(e->as.equality.type, e->as.equality.objtype), e->as.equality.name1);
      visit(arg, mji_equalityObject(e->as.equality.type, e->as.equality.objtype), e->as.equality.name2);
      break;
    case mjOBJ_TUPLE: {
      const mjiVec* types = e->as.tuple.objtype;
      mjiVec* names = e->as.tuple.objname;
      for (int k = 0; k < types->num && k < names->num; k++) {
        visit(arg, ((int*)types->data)[k], mji_vec_at(names, k));
      }
      break;
    }
    case mjOBJ_UNKNOWN:
      if (e->as.wrap.type != mjWRAP_PULLEY) {
        visit(arg, wrapTarget(e->as.wrap.type), &e->wrap->target);
        visit(arg, mjOBJ_SITE, &e->wrap->sidesite);
      }
      break;
    default: break;
  }
}

typedef struct {
  mjiElem* from;
  int missing;
} Search;

// Is the target there? Assets count: the compiler looks for them. An element that refers to itself does not.
static void checkReference(void* arg, mjtObj type, mjiVec* text) {
  Search* search = arg;
  int asset = type == mjOBJ_MESH || type == mjOBJ_HFIELD || type == mjOBJ_TEXTURE || type == mjOBJ_MATERIAL;
  if (!text->num || type == mjOBJ_UNKNOWN || asset) return;
  mjsElement* found = mjs_findElement(&search->from->spec->pub, type, mji_vec_text(text));
  if (!found || found == &search->from->head) search->missing = 1;
}

int mji_elem_isResolved(mjiElem* e) {
  Search search = {.from = e};
  mji_elem_references(e, checkReference, &search);
  for (int i = 0; i < e->list.num && e->head.elemtype == mjOBJ_TENDON; i++) {
    mji_elem_references(mji_elem_at(&e->list, i), checkReference, &search);
  }
  int twice = e->head.elemtype == mjOBJ_EQUALITY && e->as.equality.type != mjEQ_FLEX &&
              !strcmp(mji_vec_text(e->as.equality.name1), mji_vec_text(e->as.equality.name2));
  return !search.missing && !twice;
}

const char* mji_elem_name(const mjiElem* e) { return mji_vec_text(&e->name); }

// `info` is the last container of every public struct that has one
const char* mji_elem_info(const mjiElem* e) {
  const Row* row = findRow(e->head.elemtype);
  if (row->type == mjOBJ_DEFAULT) return "";
  int n = 0;
  while (row->field[n].offset) n++;
  return mji_vec_text(e->store + n - 1);
}

const mjsCompiler* mji_elem_compiler(const mjiElem* e) {
  return e->origin ? &e->origin->compiler : &e->spec->pub.compiler;
}
