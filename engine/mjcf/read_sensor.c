// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Sensors, custom fields, keyframes. What a sensor is attached to is the row of its kind.

#include <string.h>

#include "mjcf/read.h"
#include "mjcf/sensor_kind.h"
#include "spec/element.h"

// type and name of an object, both or neither
static void readObject(mjiReader* r, const mjiXML* e, const char* typeattr, const char* nameattr, mjtObj* type,
                       mjString* dest) {
  const char* typetext = mji_xmlAttr(e, typeattr);
  const char* name = mji_xmlAttr(e, nameattr);
  if (typetext) {
    *type = (mjtObj)mju_str2Type(typetext);
  }
  if (!typetext != !name) mji_readFail(r, e, "%s and %s must be given together", typeattr, nameattr);
  // An unknown type leaves the name out. The compiler refuses the sensor if it needs an object.
  if (name && *type != mjOBJ_UNKNOWN) mjs_setString(dest, name);
}

// one of several attributes, each naming an object of its type; 0 if none is given
static int readOneOf(mjiReader* r, const mjiXML* e, const char* const* names, const mjtObj* types, int n, mjtObj* type,
                     mjString* dest) {
  int found = 0;
  for (int i = 0; i < n; i++) {
    const char* name = mji_xmlAttr(e, names[i]);
    if (!name) continue;
    if (found++) mji_readFail(r, e, "'%s' cannot be combined with another object", names[i]);
    if (!*name) mji_readFail(r, e, "'%s' is empty", names[i]);
    *type = types[i];
    mjs_setString(dest, name);
  }
  return found;
}

static void readTwoGeoms(mjiReader* r, const mjiXML* e, mjsSensor* s) {
  static const char* const one[] = {"body1", "geom1"};
  static const char* const two[] = {"body2", "geom2"};
  static const mjtObj types[] = {mjOBJ_BODY, mjOBJ_GEOM};
  if (!readOneOf(r, e, one, types, 2, &s->objtype, s->objname)) mji_readFail(r, e, "geom1 or body1 must be given");
  if (!readOneOf(r, e, two, types, 2, &s->reftype, s->refname)) mji_readFail(r, e, "geom2 or body2 must be given");
}

// Which fields of a contact are reported, as bits. The document must name them in their order.
static int readContactData(mjiReader* r, const mjiXML* e) {
  const char* text = mji_xmlAttr(e, "data");
  if (!text || !mji_readGiven(e, "data")) return 1 << mjCONDATA_FOUND;
  int bits = 0, last = -1;
  while (*(text += strspn(text, " \t\r\n"))) {
    size_t n = strcspn(text, " \t\r\n");
    const mjiWord* word = mji_wordsContactData;
    while (word->text && (strlen(word->text) != n || strncmp(word->text, text, n))) word++;
    if (!word->text) mji_readFail(r, e, "invalid keyword '%.*s' in attribute 'data'", (int)n, text);
    if (word->value <= last) mji_readFail(r, e, "data: '%s' must come before what precedes it, and once", word->text);
    last = word->value;
    bits |= 1 << last;
    text += n;
  }
  return bits;
}

static void readContactSensor(mjiReader* r, const mjiXML* e, mjsSensor* s) {
  static const char* const one[] = {"site", "body1", "subtree1", "geom1"};
  static const char* const two[] = {"body2", "subtree2", "geom2"};
  static const mjtObj types[] = {mjOBJ_SITE, mjOBJ_BODY, mjOBJ_XBODY, mjOBJ_GEOM};
  readOneOf(r, e, one, types, 4, &s->objtype, s->objname);
  readOneOf(r, e, two, types + 1, 3, &s->reftype, s->refname);
  s->intprm[0] = readContactData(r, e);
  s->intprm[1] = mji_readWord(r, e, "reduce", mji_wordsContactReduce, 0);
  s->intprm[2] = mji_readInt(r, e, "num", 1);
  if (s->intprm[2] <= 0) mji_readFail(r, e, "num must be positive");
}

static void readUserSensor(mjiReader* r, const mjiXML* e, mjsSensor* s) {
  s->needstage = (mjtStage)mji_readWord(r, e, "needstage", mji_wordsStage, mjSTAGE_ACC);
  s->datatype = (mjtDataType)mji_readWord(r, e, "datatype", mji_wordsDataType, mjDATATYPE_REAL);
  mji_readText(r, e, "dim", 1);
  s->dim = mji_readInt(r, e, "dim", 0);
}

static void readSensor(mjiReader* r, const mjiXML* e, const mjiSensorKind* kind) {
  mjsSensor* s = mjs_addSensor(r->spec);
  mji_readIdentity(r, e, s->element, s->info);
  mji_readRows(r, e, mji_rowsSensor, s);
  s->type = kind->type;
  s->objtype = kind->objtype;
  s->reftype = kind->reftype;

  switch (kind->on) {
    case mjiON_ONE:
      mjs_setString(s->objname, mji_readText(r, e, kind->obj, 1));
      if (kind->ref) mjs_setString(s->refname, mji_readText(r, e, kind->ref, 1));
      break;
    case mjiON_OBJECT:
      readObject(r, e, "objtype", "objname", &s->objtype, s->objname);
      readObject(r, e, "reftype", "refname", &s->reftype, s->refname);
      break;
    case mjiON_OBJECT_SITE:
      readObject(r, e, "objtype", "objname", &s->objtype, s->objname);
      mjs_setString(s->refname, mji_readText(r, e, kind->ref, 1));
      break;
    case mjiON_TWO_GEOMS: readTwoGeoms(r, e, s); break;
    case mjiON_CONTACT: readContactSensor(r, e, s); break;
    case mjiON_PLUGIN:
      readObject(r, e, "objtype", "objname", &s->objtype, s->objname);
      readObject(r, e, "reftype", "refname", &s->reftype, s->refname);
      mji_readPlugin(r, e, &s->plugin);
      break;
    case mjiON_NOTHING: break;
  }
  if (s->type == mjSENS_USER) readUserSensor(r, e, s);
}

void mji_readSensor(mjiReader* r, const mjiXML* section) {
  for (const mjiXML* c = section->first; c; c = c->next)
    for (const mjiSensorKind* kind = mji_sensorKinds; kind->name; kind++)
      if (!strcmp(kind->name, c->name)) readSensor(r, c, kind);
}

// ---- custom fields

static void readNumeric(mjiReader* r, const mjiXML* e) {
  mjsNumeric* numeric = mjs_addNumeric(r->spec);
  mji_readIdentity(r, e, numeric->element, numeric->info);

  // data is padded with zeros up to size, and may not be longer
  int n;
  const double* data = mji_readDoubles(r, e, "data", &n);
  int size = mji_readInt(r, e, "size", n);
  if (size < 1 || size > mjiMAX_NUMERIC) mji_readFail(r, e, "size must be between 1 and %d", mjiMAX_NUMERIC);
  if (n > size) mji_readFail(r, e, "data has %d values, size is %d", n, size);
  double padded[mjiMAX_NUMERIC] = {0};
  for (int i = 0; i < n; i++) padded[i] = data[i];
  mjs_setDouble(numeric->data, padded, size);
  numeric->size = size;
}

static void readTuple(mjiReader* r, const mjiXML* e) {
  mjsTuple* tuple = mjs_addTuple(r->spec);
  mji_readIdentity(r, e, tuple->element, tuple->info);
  int n = 0;
  for (const mjiXML* c = e->first; c; c = c->next) n++;
  int* type = mji_readAlloc(r, e, (size_t)n * sizeof *type);
  double* prm = mji_readAlloc(r, e, (size_t)n * sizeof *prm);
  int i = 0;
  for (const mjiXML* c = e->first; c; c = c->next, i++) {
    type[i] = mju_str2Type(mji_readText(r, c, "objtype", 1));
    if (type[i] == mjOBJ_UNKNOWN) mji_readFail(r, c, "objtype is no type of object");
    mjs_appendString(tuple->objname, mji_readText(r, c, "objname", 1));
    prm[i] = mji_readNum(r, c, "prm", 0);
  }
  mjs_setInt(tuple->objtype, type, n);
  mjs_setDouble(tuple->objprm, prm, n);
}

void mji_readCustom(mjiReader* r, const mjiXML* section) {
  for (const mjiXML* c = section->first; c; c = c->next) {
    if (!strcmp(c->name, "numeric")) {
      readNumeric(r, c);
    } else if (!strcmp(c->name, "tuple")) {
      readTuple(r, c);
    } else {
      mjsText* text = mjs_addText(r->spec);
      mji_readIdentity(r, c, text->element, text->info);
      mji_readRows(r, c, mji_rowsText, text);
    }
  }
}

// ---- keyframes

void mji_readKeyframe(mjiReader* r, const mjiXML* section) {
  for (const mjiXML* c = section->first; c; c = c->next) {
    mjsKey* key = mjs_addKey(r->spec);
    mji_readIdentity(r, c, key->element, key->info);
    mji_readRows(r, c, mji_rowsKey, key);
  }
}

void mji_readKeyOrder(mjiReader* r, const mjiXML* root) {
  const mjiVec* keys = mji_spec(r->spec)->list + mjOBJ_KEY;
  int n = r->nattachedkey, own = keys->num - n;
  mjiElem** list = keys->data;
  if (!n || !own) return;
  mjiElem** attached = mji_readAlloc(r, root, (size_t)n * sizeof *attached);
  memcpy(attached, list, (size_t)n * sizeof *list);
  memmove(list, list + n, (size_t)own * sizeof *list);
  memcpy(list + own, attached, (size_t)n * sizeof *list);
  for (int i = 0; i < keys->num; i++) list[i]->id = i;
}
