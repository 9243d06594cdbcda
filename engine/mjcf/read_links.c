// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Contact pairs and exclusions, equalities, tendons.

#include <string.h>

#include "mjcf/read.h"
#include "model/equality_row.h"

static const mjsDefault* classOf(mjiReader* r, const mjiXML* elem) {
  return mji_readClass(r, elem, "class", mjs_getSpecDefault(r->spec));
}

void mji_readContact(mjiReader* r, const mjiXML* section) {
  for (const mjiXML* c = section->first; c; c = c->next) {
    if (!strcmp(c->name, "pair")) {
      mjsPair* pair = mjs_addPair(r->spec, classOf(r, c));
      mji_readIdentity(r, c, pair->element, pair->info);
      mji_readRows(r, c, mji_rowsPair, pair);
    } else {
      mjsExclude* exclude = mjs_addExclude(r->spec);
      mji_readIdentity(r, c, exclude->element, exclude->info);
      mji_readRows(r, c, mji_rowsExclude, exclude);
    }
  }
}

// ---- equality

// connect and weld join two bodies, or two sites
static void readEnds(mjiReader* r, const mjiXML* elem, mjsEquality* eq) {
  const char* body1 = mji_xmlAttr(elem, "body1");
  const char* body2 = mji_xmlAttr(elem, "body2");
  const char* site1 = mji_xmlAttr(elem, "site1");
  const char* site2 = mji_xmlAttr(elem, "site2");
  int anchor = mji_readGiven(elem, "anchor");
  int connect = eq->type == mjEQ_CONNECT;

  int onbody = body1 || body2 || anchor || mji_xmlAttr(elem, "relpose");
  int onsite = site1 || site2;
  if (onbody && onsite) mji_readFail(r, elem, "bodies and sites cannot be mixed");
  if (onsite ? !site1 || !site2 : !body1 || (connect && !anchor))
    mji_readFail(r, elem, "%s must be given, or two sites", connect ? "body1 and anchor" : "body1");
  eq->objtype = onsite ? mjOBJ_SITE : mjOBJ_BODY;
  mjs_setString(eq->name1, onsite ? site1 : body1);
  if (onsite || body2) mjs_setString(eq->name2, onsite ? site2 : body2);
  if (!onsite && !anchor) mju_zero3(eq->data);
}

void mji_readEquality(mjiReader* r, const mjiXML* section) {
  for (const mjiXML* c = section->first; c; c = c->next) {
    int type = mji_equalityType(c->name);
    const mjiEqualityRow* row = mji_equalityRow(type);
    mjsEquality* eq = mjs_addEquality(r->spec, classOf(r, c));
    eq->type = (mjtEq)type;
    mji_readIdentity(r, c, eq->element, eq->info);

    mji_readRows(r, c, mji_schemaElem(mji_elemsEquality, c->name)->attr, eq);
    if (row->ends == mjiENDS_POINTS) readEnds(r, c, eq);
  }
}

// ---- tendon

void mji_readTendonRows(mjiReader* r, const mjiXML* elem, const mjiAttrRow* rows, mjsTendon* tendon) {
  mji_readRows(r, elem, rows, tendon);
  // one length, or a range without spring force
  if (mji_readNums(r, elem, "springlength", tendon->springlength, 0, 2) == 1)
    tendon->springlength[1] = tendon->springlength[0];
}

// a number that an element of a path needs
static double readFactor(mjiReader* r, const mjiXML* elem, const char* name) {
  if (!mji_readGiven(elem, name)) mji_readFail(r, elem, "%s must be given", name);
  return mji_readNum(r, elem, name, 1);
}

static void readWrap(mjiReader* r, const mjiXML* elem, mjsTendon* tendon) {
  mjsWrap* wrap;
  if (!strcmp(elem->name, "site")) {
    wrap = mjs_wrapSite(tendon, mji_readText(r, elem, "site", 1));
  } else if (!strcmp(elem->name, "geom")) {
    const char* side = mji_xmlAttr(elem, "sidesite");
    wrap = mjs_wrapGeom(tendon, mji_readText(r, elem, "geom", 1), side ? side : "");
  } else if (!strcmp(elem->name, "pulley")) {
    wrap = mjs_wrapPulley(tendon, readFactor(r, elem, "divisor"));
  } else {
    wrap = mjs_wrapJoint(tendon, mji_readText(r, elem, "joint", 1), readFactor(r, elem, "coef"));
  }
  mji_readIdentity(r, elem, wrap->element, wrap->info);
}

void mji_readTendon(mjiReader* r, const mjiXML* section) {
  for (const mjiXML* c = section->first; c; c = c->next) {
    mjsTendon* tendon = mjs_addTendon(r->spec, classOf(r, c));
    mji_readIdentity(r, c, tendon->element, tendon->info);
    mji_readTendonRows(r, c, mji_rowsSpatial, tendon);
    for (const mjiXML* w = c->first; w; w = w->next) readWrap(r, w, tendon);
  }
}
