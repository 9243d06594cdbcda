// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Contact pairs and exclusions, equalities, tendons, actuators.

#include <string.h>

#include "mjcf/write.h"
#include "model/equality_row.h"

// ---- contact

void mji_writeContact(mjiWriter* w) {
  size_t start = mji_writeOpen(w, "contact");
  const mjiVec* pairs = w->spec->list + mjOBJ_PAIR;
  for (int i = 0; i < pairs->num; i++) {
    const mjiElem* e = mji_elem_at(pairs, i);
    mji_writeBegin(w, "pair", e, NULL);
    mji_writeRows(w, mji_rowsPair, &e->as.pair, mji_writeBase(w, e));
    mji_writeClose(w, "pair");
  }
  const mjiVec* excludes = w->spec->list + mjOBJ_EXCLUDE;
  for (int i = 0; i < excludes->num; i++) {
    const mjiElem* e = mji_elem_at(excludes, i);
    mji_writeBegin(w, "exclude", e, NULL);
    mji_writeRows(w, mji_rowsExclude, &e->as.exclude, mji_writeBase(w, e));
    mji_writeClose(w, "exclude");
  }
  w->elem = NULL;
  mji_writeCloseUsed(w, "contact", start);
}

// ---- equality

// Connect and weld join two bodies, or two sites. Sites have a pose, so no anchor is written for them.
static void writeEnds(mjiWriter* w, const mjsEquality* eq, mjsEquality* rest) {
  int onsite = eq->objtype == mjOBJ_SITE;
  const char* name2 = mjs_getString(eq->name2);
  mji_writeText(w, onsite ? "site1" : "body1", mjs_getString(eq->name1));
  if (*name2) mji_writeText(w, onsite ? "site2" : "body2", name2);

  // the reader starts with an anchor of zero, but demands one for connect between bodies
  const mjsEquality* initial = mji_writeInitial(w, mjOBJ_EQUALITY).initial;
  int anchor = !onsite && (eq->type == mjEQ_CONNECT || !mju_isZero(eq->data, 3));
  if (anchor) mji_writeNums(w, "anchor", eq->data, 3);
  mju_copy3(rest->data, initial->data);
  if (onsite) mju_copy(rest->data + 3, initial->data + 3, 7);
}

static void writeEquality(mjiWriter* w, const mjiElem* e) {
  mjsEquality eq = e->as.equality;
  const mjiEqualityRow* known = mji_equalityRow(eq.type);
  if (!known) {
    mji_writeFail(w, "equalities of type %d have no element", eq.type);
    return;
  }
  const mjiElemRow* row = mji_schemaElem(mji_elemsEquality, known->word);

  mji_writeBegin(w, row->name, e, NULL);
  if (known->ends == mjiENDS_POINTS) writeEnds(w, &e->as.equality, &eq);

  // a class has no data: compare with initial values
  mjiBase base = mji_writeBase(w, e);
  mjsEquality given = *(const mjsEquality*)base.given;
  memcpy(given.data, ((const mjsEquality*)base.initial)->data, sizeof given.data);
  base.given = &given;
  mji_writeRows(w, row->attr, &eq, base);
  mji_writeClose(w, row->name);
}

void mji_writeEquality(mjiWriter* w) {
  size_t start = mji_writeOpen(w, "equality");
  const mjiVec* list = w->spec->list + mjOBJ_EQUALITY;
  for (int i = 0; i < list->num; i++) writeEquality(w, mji_elem_at(list, i));
  w->elem = NULL;
  mji_writeCloseUsed(w, "equality", start);
}

// ---- tendon

void mji_writeTendonRows(mjiWriter* w, const mjiAttrRow* rows, const mjsTendon* tendon, mjiBase base) {
  const mjsTendon* given = base.given;
  const double *rest = tendon->springlength, *other = given->springlength;
  mji_writeRows(w, rows, tendon, base);
  if (rest[0] != other[0] || rest[1] != other[1]) mji_writeNums(w, "springlength", rest, rest[0] == rest[1] ? 1 : 2);
}

static void writeWrap(mjiWriter* w, const mjiElem* e) {
  const mjiWrapInfo* wrap = e->wrap;
  switch (e->as.wrap.type) {
    case mjWRAP_JOINT:
      mji_writeOpen(w, "joint");
      mji_writeText(w, "joint", mji_vec_text(&wrap->target));
      mji_writeNums(w, "coef", &wrap->prm, 1);
      mji_writeClose(w, "joint");
      break;
    case mjWRAP_PULLEY:
      mji_writeOpen(w, "pulley");
      mji_writeNums(w, "divisor", &wrap->prm, 1);
      mji_writeClose(w, "pulley");
      break;
    case mjWRAP_SITE:
      mji_writeOpen(w, "site");
      mji_writeText(w, "site", mji_vec_text(&wrap->target));
      mji_writeClose(w, "site");
      break;
    default:
      mji_writeOpen(w, "geom");
      mji_writeText(w, "geom", mji_vec_text(&wrap->target));
      if (wrap->sidesite.num) mji_writeText(w, "sidesite", mji_vec_text(&wrap->sidesite));
      mji_writeClose(w, "geom");
  }
}

static void writeTendon(mjiWriter* w, const mjiElem* e) {
  int fixed = e->list.num && mji_elem_at(&e->list, 0)->as.wrap.type == mjWRAP_JOINT;
  const char* tag = fixed ? "fixed" : "spatial";
  mji_writeBegin(w, tag, e, NULL);
  const mjiAttrRow* rows = fixed ? mji_rowsFixed : mji_rowsSpatial;
  mji_writeTendonRows(w, rows, &e->as.tendon, mji_writeBase(w, e));
  for (int i = 0; i < e->list.num; i++) writeWrap(w, mji_elem_at(&e->list, i));
  mji_writeClose(w, tag);
}

void mji_writeTendon(mjiWriter* w) {
  size_t start = mji_writeOpen(w, "tendon");
  const mjiVec* list = w->spec->list + mjOBJ_TENDON;
  for (int i = 0; i < list->num; i++) writeTendon(w, mji_elem_at(list, i));
  w->elem = NULL;
  mji_writeCloseUsed(w, "tendon", start);
}

// ---- actuator: a shortcut has become what it stands for

static void writeTarget(mjiWriter* w, const mjsActuator* a) {
  for (const mjiTargetRow* row = mji_actuatorTargets; row->name; row++)
    if (row->type == a->trntype) mji_writeText(w, row->name, mjs_getString(a->target));
  if (a->trntype == mjTRN_SLIDERCRANK) mji_writeText(w, "slidersite", mjs_getString(a->slidersite));
  if (a->trntype == mjTRN_SITE && *mjs_getString(a->refsite)) mji_writeText(w, "refsite", mjs_getString(a->refsite));
}

static void writeActuator(mjiWriter* w, const mjiElem* e) {
  mjsActuator a = e->as.actuator;
  mjiBase base = mji_writeBase(w, e);

  // the compiler counted activations; leave the count out if a reader would find the same
  const mjsActuator* given = base.given;
  if (given->actdim == -1 && a.actdim == (a.dyntype != mjDYN_NONE)) a.actdim = -1;
  // only slider-cranks have a crank: elsewhere a program may have left any number
  if (a.trntype != mjTRN_SLIDERCRANK) a.cranklength = given->cranklength;
  const char* tag = a.plugin.active ? "plugin" : "general";
  mji_writeBegin(w, tag, e, NULL);
  writeTarget(w, &a);
  mji_writeRows(w, a.plugin.active ? mji_rowsActuatorPlugin : mji_rowsGeneral, &a, base);
  if (a.plugin.active) mji_writePluginUse(w, &a.plugin);
  mji_writeClose(w, tag);
}

void mji_writeActuator(mjiWriter* w) {
  size_t start = mji_writeOpen(w, "actuator");
  const mjiVec* list = w->spec->list + mjOBJ_ACTUATOR;
  for (int i = 0; i < list->num; i++) writeActuator(w, mji_elem_at(list, i));
  w->elem = NULL;
  mji_writeCloseUsed(w, "actuator", start);
}
