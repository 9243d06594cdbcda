// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// <flex>: a deformable body on bodies that are there.

#include <string.h>

#include "mjcf/read.h"

void mji_readFlexParts(mjiReader* r, const mjiXML* elem, mjsFlex* flex) {
  for (const mjiXML* c = elem->first; c; c = c->next) {
    if (!strcmp(c->name, "contact")) mji_readRows(r, c, mji_rowsFlexContact, flex);
    if (!strcmp(c->name, "edge")) mji_readRows(r, c, mji_rowsFlexEdge, flex);
    if (!strcmp(c->name, "elasticity")) mji_readRows(r, c, mji_rowsFlexElasticity, flex);
  }
}

void mji_readFlex(mjiReader* r, const mjiXML* elem) {
  mjsFlex* flex = mjs_addFlex(r->spec);
  mji_readIdentity(r, elem, flex->element, flex->info);
  mji_readRows(r, elem, mji_rowsFlex, flex);
  const char* node = mji_xmlAttr(elem, "node");
  mjs_setStringVec(flex->vertbody, mji_readText(r, elem, "body", 1));
  if (node) mjs_setStringVec(flex->nodebody, node);
  mji_readFlexParts(r, elem, flex);
}
