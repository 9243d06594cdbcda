// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Deformable bodies: a <flexcomp> is written as the flex and the bodies that it made.

#include <stdlib.h>
#include <string.h>

#include "mjcf/write.h"

static void writePart(mjiWriter* w, const char* tag, const mjiAttrRow* rows, const mjsFlex* flex) {
  size_t start = mji_writeOpen(w, tag);
  mji_writeRows(w, rows, flex, mji_writeInitial(w, mjOBJ_FLEX));
  mji_writeCloseUsed(w, tag, start);
}

// n names, of which the list may have only one
static void writeNames(mjiWriter* w, const char* name, const mjStringVec* names, int n) {
  const mjiVec* v = (const mjiVec*)names;
  size_t size = 1;
  for (int i = 0; i < n; i++) size += strlen(mji_vec_textAt(v, v->num == 1 ? 0 : i)) + 1;
  char *text = mji_vec_alloc(size), *to = text;
  for (int i = 0; i < n; i++) {
    const char* from = mji_vec_textAt(v, v->num == 1 ? 0 : i);
    if (!*from) mji_writeFail(w, "a body of the flex has no name");
    if (i) *to++ = ' ';
    to = stpcpy(to, from);
  }
  mji_writeText(w, name, text);
  free(text);
}

void mji_writeFlex(mjiWriter* w, const mjiElem* e) {
  const mjsFlex* flex = &e->as.flex;
  mji_writeBegin(w, "flex", e, NULL);
  if (((const mjiVec*)flex->node)->num) {
    const mjiVec* node = (const mjiVec*)flex->node;
    for (int i = 0; i < node->num; i++) {
      if (((const double*)node->data)[i]) mji_writeFail(w, "places of nodes have no attribute");
    }
  }
  mji_writeRows(w, mji_rowsFlex, flex, mji_writeInitial(w, mjOBJ_FLEX));
  const int nbody = ((const mjiVec*)flex->vertbody)->num, nnode = ((const mjiVec*)flex->nodebody)->num;
  // the reference crashes where a flex with nodes names one body for all vertices
  writeNames(w, "body", flex->vertbody, nnode && nbody == 1 ? ((const mjiVec*)flex->vert)->num / 3 : nbody);
  if (nnode) writeNames(w, "node", flex->nodebody, nnode);
  writePart(w, "contact", mji_rowsFlexContact, flex);
  writePart(w, "edge", mji_rowsFlexEdge, flex);
  writePart(w, "elasticity", mji_rowsFlexElasticity, flex);
  mji_writeClose(w, "flex");
}
