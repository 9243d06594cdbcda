// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Sensors, custom fields, keyframes.

#include <string.h>

#include "mjcf/sensor_kind.h"
#include "mjcf/write.h"

// ---- sensors

static void writeObject(mjiWriter* w, const char* typeattr, const char* nameattr, mjtObj type, const char* name) {
  if (!*name) return;
  const char* text = mju_type2Str(type);
  if (!text) mji_writeFail(w, "the type of object %d has no name", type);
  else mji_writeText(w, typeattr, text);
  mji_writeText(w, nameattr, name);
}

static const char* surfaceAttr(mjtObj type, int first) {
  switch (type) {
    case mjOBJ_SITE: return "site";
    case mjOBJ_BODY: return first ? "body1" : "body2";
    case mjOBJ_XBODY: return first ? "subtree1" : "subtree2";
    default: return first ? "geom1" : "geom2";
  }
}

static void writeSurfaces(mjiWriter* w, const mjsSensor* s) {
  const char *one = mjs_getString(s->objname), *two = mjs_getString(s->refname);
  if (*one) mji_writeText(w, surfaceAttr(s->objtype, 1), one);
  if (*two) mji_writeText(w, surfaceAttr(s->reftype, 0), two);
}

static void writeContactData(mjiWriter* w, const mjsSensor* s) {
  char data[200] = "";
  for (const mjiWord* word = mji_wordsContactData; word->text; word++) {
    if (!(s->intprm[0] & 1 << word->value)) continue;
    if (*data) strcat(data, " ");
    strcat(data, word->text);
  }
  if (s->intprm[0] != 1 << mjCONDATA_FOUND) mji_writeText(w, "data", data);
  if (s->intprm[1]) mji_writeWord(w, "reduce", mji_wordsContactReduce, s->intprm[1]);
  if (s->intprm[2] != 1) mji_writeInts(w, "num", s->intprm + 2, 1);
}

static void writeUser(mjiWriter* w, const mjsSensor* s) {
  mji_writeInts(w, "dim", &s->dim, 1);
  if (s->needstage != mjSTAGE_ACC) mji_writeWord(w, "needstage", mji_wordsStage, s->needstage);
  if (s->datatype) mji_writeWord(w, "datatype", mji_wordsDataType, s->datatype);
}

static void writeAttachment(mjiWriter* w, const mjsSensor* s, const mjiSensorKind* kind) {
  const char *obj = mjs_getString(s->objname), *ref = mjs_getString(s->refname);
  switch (kind->on) {
    case mjiON_ONE:
      mji_writeText(w, kind->obj, obj);
      if (kind->ref) mji_writeText(w, kind->ref, ref);
      break;
    case mjiON_OBJECT:
      writeObject(w, "objtype", "objname", s->objtype, obj);
      writeObject(w, "reftype", "refname", s->reftype, ref);
      break;
    case mjiON_OBJECT_SITE:
      writeObject(w, "objtype", "objname", s->objtype, obj);
      mji_writeText(w, kind->ref, ref);
      break;
    case mjiON_TWO_GEOMS: writeSurfaces(w, s); break;
    case mjiON_CONTACT:
      writeSurfaces(w, s);
      writeContactData(w, s);
      break;
    case mjiON_PLUGIN:
      writeObject(w, "objtype", "objname", s->objtype, obj);
      writeObject(w, "reftype", "refname", s->reftype, ref);
      break;
    case mjiON_NOTHING: break;
  }
}

static void writeSensor(mjiWriter* w, const mjiElem* e) {
  const mjsSensor* s = &e->as.sensor;
  const mjiSensorKind* kind = mji_sensorKinds;
  while (kind->name && kind->type != s->type) kind++;
  if (!kind->name) {
    mji_writeFail(w, "sensors of type %d have no element", s->type);
    return;
  }
  mji_writeBegin(w, kind->name, e, NULL);
  writeAttachment(w, s, kind);
  mji_writeRows(w, mji_rowsSensor, s, mji_writeInitial(w, mjOBJ_SENSOR));
  if (s->type == mjSENS_USER) writeUser(w, s);
  if (s->type == mjSENS_PLUGIN) mji_writePluginUse(w, &s->plugin);
  mji_writeClose(w, kind->name);
}

void mji_writeSensor(mjiWriter* w) {
  size_t start = mji_writeOpen(w, "sensor");
  const mjiVec* list = w->spec->list + mjOBJ_SENSOR;
  for (int i = 0; i < list->num; i++) writeSensor(w, mji_elem_at(list, i));
  w->elem = NULL;
  mji_writeCloseUsed(w, "sensor", start);
}

// ---- custom fields

static void writeNumeric(mjiWriter* w, const mjiElem* e) {
  const mjiVec* data = e->as.numeric.data;
  int size = e->as.numeric.size;
  mji_writeBegin(w, "numeric", e, NULL);
  if (size > mjiMAX_NUMERIC) mji_writeFail(w, "size %d is above %d", size, mjiMAX_NUMERIC);
  if (size != data->num) mji_writeInts(w, "size", &size, 1);
  mji_writeNums(w, "data", data->data, data->num);
  mji_writeClose(w, "numeric");
}

static void writeText(mjiWriter* w, const mjiElem* e) {
  mji_writeBegin(w, "text", e, NULL);
  mji_writeRows(w, mji_rowsText, &e->as.text, mji_writeInitial(w, mjOBJ_TEXT));
  mji_writeClose(w, "text");
}

static void writeTuple(mjiWriter* w, const mjiElem* e) {
  const mjiVec *type = e->as.tuple.objtype, *name = e->as.tuple.objname, *prm = e->as.tuple.objprm;
  mji_writeBegin(w, "tuple", e, NULL);
  for (int i = 0; i < name->num; i++) {
    const double* x = (const double*)prm->data + i;
    mji_writeOpen(w, "element");
    writeObject(w, "objtype", "objname", ((const int*)type->data)[i], mji_vec_textAt(name, i));
    if (*x) mji_writeNums(w, "prm", x, 1);
    mji_writeClose(w, "element");
  }
  mji_writeClose(w, "tuple");
}

void mji_writeCustom(mjiWriter* w) {
  static const struct {
    mjtObj type;
    void (*write)(mjiWriter* w, const mjiElem* e);
  } kinds[] = {{mjOBJ_NUMERIC, writeNumeric}, {mjOBJ_TEXT, writeText}, {mjOBJ_TUPLE, writeTuple}};
  size_t start = mji_writeOpen(w, "custom");
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    const mjiVec* list = w->spec->list + kinds[k].type;
    for (int i = 0; i < list->num; i++) kinds[k].write(w, mji_elem_at(list, i));
  }
  w->elem = NULL;
  mji_writeCloseUsed(w, "custom", start);
}

// ---- keyframes

// a list, or NULL if all its numbers are zero: those need not be written
static const mjiVec* unlessZero(const mjiVec* list) {
  const double* x = list->data;
  for (int i = 0; i < list->num; i++)
    if (x[i] != 0) return list;
  return NULL;
}

void mji_writeKeyframe(mjiWriter* w) {
  size_t start = mji_writeOpen(w, "keyframe");
  const mjiVec* list = w->spec->list + mjOBJ_KEY;
  for (int i = 0; i < list->num; i++) {
    const mjiElem* e = mji_elem_at(list, i);
    mjsKey key = e->as.key;
    key.qvel = (mjDoubleVec*)unlessZero(key.qvel);
    key.act = (mjDoubleVec*)unlessZero(key.act);
    key.ctrl = (mjDoubleVec*)unlessZero(key.ctrl);
    mji_writeBegin(w, "key", e, NULL);
    mji_writeRows(w, mji_rowsKey, &key, mji_writeInitial(w, mjOBJ_KEY));
    mji_writeClose(w, "key");
  }
  w->elem = NULL;
  mji_writeCloseUsed(w, "keyframe", start);
}
