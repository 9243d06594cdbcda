// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Elements that link others: contact pairs, excluded pairs of bodies, equality constraints.

#include <stdlib.h>

#include "compile/compile.h"
#include "model/equality_row.h"

// ---- pairs of bodies, identified by (lower id << 16) + higher id

int mji_links_signature(int body1, int body2) {
  int low = body1 < body2 ? body1 : body2;
  int high = body1 < body2 ? body2 : body1;
  return (low << 16) + high;
}

static int pairSignature(const mjiCompile* c, const mjiElem* e) {
  int body[2];
  const mjString* names[2] = {e->as.pair.geomname1, e->as.pair.geomname2};
  for (int i = 0; i < 2; i++) {
    int geom = mji_names_find(c, mjOBJ_GEOM, mjs_getString(names[i]));
    body[i] = mji_get(c, mjOBJ_GEOM, geom)->parent->id;
  }
  return mji_links_signature(body[0], body[1]);
}

static int excludeSignature(const mjiCompile* c, const mjiElem* e) {
  return mji_links_signature(mji_names_find(c, mjOBJ_BODY, mjs_getString(e->as.exclude.bodyname1)),
                             mji_names_find(c, mjOBJ_BODY, mjs_getString(e->as.exclude.bodyname2)));
}

typedef struct {
  int signature;
  mjiElem* e;
} Sortable;

static int compareSortable(const void* a, const void* b) {
  const Sortable *x = a, *y = b;
  if (x->signature != y->signature) return x->signature < y->signature ? -1 : 1;
  return (x->e->id > y->e->id) - (x->e->id < y->e->id);
}

// sort by signature: the collision stage looks pairs up by it
static void sortBySignature(mjiCompile* c, mjtObj type, int (*signature)(const mjiCompile*, const mjiElem*)) {
  mjiVec* list = c->w->list + type;
  Sortable* all = mji_vec_alloc((size_t)list->num * sizeof(Sortable));
  for (int i = 0; i < list->num; i++) {
    all[i].e = mji_elem_at(list, i);
    all[i].signature = signature(c, all[i].e);
  }
  qsort(all, (size_t)list->num, sizeof(Sortable), compareSortable);
  for (int i = 0; i < list->num; i++) {
    ((void**)list->data)[i] = all[i].e;
    all[i].e->id = i;
  }
  free(all);
}

static int compilePair(mjiCompile* c, mjiElem* e) {
  mjsPair* pair = &e->as.pair;
  if (pair->condim != 1 && pair->condim != 3 && pair->condim != 4 && pair->condim != 6) {
    return mji_compile_error(c, e, "condim must be 1, 3, 4 or 6, not %d", pair->condim);
  }
  int geom1 = mji_names_resolve(c, e, mjOBJ_GEOM, pair->geomname1);
  if (geom1 < 0) return -1;
  int geom2 = mji_names_resolve(c, e, mjOBJ_GEOM, pair->geomname2);
  if (geom2 < 0) return -1;
  return 0;
}

static int compileExclude(mjiCompile* c, mjiElem* e) {
  mjsExclude* exclude = &e->as.exclude;
  if (mji_names_resolve(c, e, mjOBJ_BODY, exclude->bodyname1) < 0) return -1;
  return mji_names_resolve(c, e, mjOBJ_BODY, exclude->bodyname2) < 0 ? -1 : 0;
}

// ---- equalities

static int checkEqJoint(mjiCompile* c, const mjiElem* e, int id) {
  mjtJoint type = mji_get(c, mjOBJ_JOINT, id)->as.joint.type;
  if (type == mjJNT_HINGE || type == mjJNT_SLIDE) return 0;
  return mji_compile_error(c, e, "only hinge and slide joints can be coupled");
}

static int compileEquality(mjiCompile* c, mjiElem* e) {
  mjsEquality* eq = &e->as.equality;
  const mjiEqualityRow* row = mji_equalityRow(eq->type);
  if (!row) return mji_compile_error(c, e, "equality of distances is not supported");
  if (row->ends == mjiENDS_FLEXES) return mji_names_resolve(c, e, mjOBJ_FLEX, eq->name1) < 0 ? -1 : 0;
  mjtObj type = mji_equalityObject(eq->type, eq->objtype);
  if (type == mjOBJ_BODY && eq->objtype != mjOBJ_BODY) {
    return mji_compile_error(c, e, "connect and weld are for bodies or sites");
  }
  int id1 = mji_names_resolve(c, e, type, eq->name1);
  if (id1 < 0) return -1;
  if (type == mjOBJ_JOINT && checkEqJoint(c, e, id1)) return -1;

  // without a second object: the world, or for joints and tendons a constant
  int id2 = type == mjOBJ_BODY ? 0 : -1;
  if (*mjs_getString(eq->name2)) {
    id2 = mji_names_resolve(c, e, type, eq->name2);
    if (id2 < 0) return -1;
    if (type == mjOBJ_JOINT && checkEqJoint(c, e, id2)) return -1;
  } else if (type == mjOBJ_SITE) {
    return mji_compile_error(c, e, "an equality between sites needs two of them");
  }
  if (id1 == id2) return mji_compile_error(c, e, "the two objects must differ");
  return 0;
}

int mji_links_compile(mjiCompile* c) {
  if (mji_count(c, mjOBJ_BODY) > 1 << 16 && mji_count(c, mjOBJ_PAIR) + mji_count(c, mjOBJ_EXCLUDE)) {
    return mji_compile_error(c, NULL, "contact pairs and excludes need fewer than 65536 bodies");
  }
  static const struct {
    mjtObj type;
    int (*compile)(mjiCompile*, mjiElem*);
  } kinds[] = {{mjOBJ_PAIR, compilePair}, {mjOBJ_EXCLUDE, compileExclude}, {mjOBJ_EQUALITY, compileEquality}};
  for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
    for (int i = 0; i < mji_count(c, kinds[k].type); i++) {
      if (kinds[k].compile(c, mji_get(c, kinds[k].type, i))) return -1;
    }
  }
  sortBySignature(c, mjOBJ_PAIR, pairSignature);
  sortBySignature(c, mjOBJ_EXCLUDE, excludeSignature);
  return 0;
}
