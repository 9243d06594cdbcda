// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Lists of what takes part in a step, for elements that are not consecutive while some trees sleep (span.h has the
// others).
#ifndef SHEAF_MODEL_ACTIVE_H_
#define SHEAF_MODEL_ACTIVE_H_

#include "lanes/variant.h"
#include "model/work.h"

// Element k of a list is mji_listed(list, k). While nothing sleeps, id is NULL and the list is all elements in order.
typedef struct {
  const int* id;
  int n;
} mjiList;

// How many elements of a kind the model has.
static inline int mji_countOf(const mjModel* m, mjiListKind kind) {
  switch (kind) {
    case MJI_JOINTS: return (int)m->njnt;
    case MJI_DOFS: return (int)m->nv;
    case MJI_ACTUATORS: return (int)m->nu;
    case MJI_SENSORS: return (int)m->nsensor;
    case MJI_TENDONS: return (int)m->ntendon;
    case MJI_EQUALITIES: return (int)m->neq;
    case MJI_PAIRS: return mji_plan(m)->npair;
    default: return 0;
  }
}

// Does everything take part? In a group of lanes always.
static inline int mji_allActive(const mjModel* m, const mjData* d) {
  return !ONE_STATE || __builtin_expect(d->ntree_awake == m->ntree, 1);
}

static inline mjiList mji_listOf(const mjModel* m, const mjData* d, mjiListKind kind) {
  if (mji_allActive(m, d)) return (mjiList){NULL, mji_countOf(m, kind)};
  const mjiWork* w = mji_work(d);
  return (mjiList){w->list[kind], w->nlist[kind]};
}

static inline int mji_listed(mjiList list, int k) { return list.id ? list.id[k] : k; }

// Is element i in the list? For loops over all elements: i ascends from call to call, and *k, zero at first, counts the
// elements of the list that were met.
static inline int mji_isListed(mjiList list, int* k, int i) {
  if (!list.id) return 1;
  if (*k >= list.n || list.id[*k] != i) return 0;
  ++*k;
  return 1;
}

// Does any body of a tree take part? With none, nothing moves.
static inline int mji_anyActive(const mjModel* m, const mjData* d) { return !ONE_STATE || !m->ntree || d->ntree_awake; }

// Does any of two bodies take part? Otherwise they cannot come into contact.
static inline int mji_pairActive(const mjModel* m, const mjData* d, int body1, int body2) {
  if (mji_allActive(m, d)) return 1;
  int tree1 = m->body_treeid[body1], tree2 = m->body_treeid[body2];
  return (tree1 >= 0 && d->tree_awake[tree1]) || (tree2 >= 0 && d->tree_awake[tree2]);
}

#endif  // SHEAF_MODEL_ACTIVE_H_
