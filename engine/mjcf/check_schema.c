// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Is every element and attribute of a document in the schema, and as often as it may be?
//
// Within frames and replicates the reference does not ask its schema: what is unknown there has no effect, and what may
// stand once may stand twice. Documents have come to rely on it. Only what a body, a frame or a replicate holds must be
// something that can be read.

#include <string.h>

#include "mjcf/read.h"

static const mjiAttrRow* findAttr(const mjiAttrRow* rows, const char* name) {
  for (; rows->name; rows++) {
    if (rows->kind == mjiGROUP) {
      const mjiAttrRow* row = findAttr(rows->group, name);
      if (row) return row;
    } else if (!strcmp(rows->name, name) || !strcmp(rows->name, "*")) {
      return rows;
    }
  }
  return NULL;
}

static void checkRequired(mjiReader* r, const mjiXML* elem, const mjiAttrRow* rows, int indefault) {
  for (; rows->name; rows++) {
    if (rows->kind == mjiGROUP) {
      checkRequired(r, elem, rows->group, indefault);
    } else if (rows->flags & mjiREQUIRED && !(indefault && rows->flags & mjiINMODEL)) {
      // an empty name or prefix counts as given
      int text = !strcmp(rows->name, "name") || !strcmp(rows->name, "prefix");
      if (!text || !mji_xmlAttr(elem, rows->name)) mji_readText(r, elem, rows->name, 1);
    }
  }
}

// where an element stands
enum {
  IN_DEFAULT = 1,  // in a default class
  IN_FRAME = 2,    // in a frame or replicate, at any depth
};

static void checkAttrs(mjiReader* r, const mjiXML* elem, const mjiAttrRow* rows, int where) {
  int indefault = where & IN_DEFAULT;
  for (int i = 0; i < elem->nattr && !(where & IN_FRAME); i++) {
    const mjiAttrRow* row = findAttr(rows, elem->attr[i].name);
    if (!row || (indefault && row->flags & mjiINMODEL))
      mji_readFail(r, elem, "%s is not an attribute of this element", elem->attr[i].name);
  }
  checkRequired(r, elem, rows, indefault);
}

static void checkTimes(mjiReader* r, const mjiXML* elem, const mjiXML* child) {
  for (const mjiXML* before = elem->first; before != child; before = before->next)
    if (!strcmp(before->name, child->name))
      mji_readFail(r, child, "only one such element is allowed in '%s'", elem->name);
}

static void checkChildren(mjiReader* r, const mjiXML* elem, const mjiElemRow* rows, int where) {
  int inframe = where & IN_FRAME;
  for (const mjiXML* c = elem->first; c; c = c->next) {
    const mjiElemRow* row = mji_schemaElem(rows, c->name);
    if (!row && inframe && rows != mji_elemsBody) continue;
    if (!row) mji_readFail(r, c, "such an element cannot stand in '%s'", elem->name);
    if (row->times == '?' && !inframe) checkTimes(r, elem, c);

    int within = where;
    if (!strcmp(c->name, "default")) within |= IN_DEFAULT;
    if (row->attr == mji_rowsFrame || !strcmp(c->name, "replicate")) within |= IN_FRAME;
    checkAttrs(r, c, row->attr, within);
    checkChildren(r, c, row->child, within);
  }
}

void mji_readCheck(mjiReader* r, const mjiXML* root) {
  for (int i = 0; i < root->nattr; i++)
    if (strcmp(root->attr[i].name, "model"))
      mji_readFail(r, root, "%s is not an attribute of this element", root->attr[i].name);
  checkChildren(r, root, mji_elemsRoot, 0);
}
