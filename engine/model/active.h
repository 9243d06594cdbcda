// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Lists of what takes part in a step, for elements that are not consecutive where trees sleep (span.h has the others).
#ifndef SHEAF_MODEL_ACTIVE_H_
#define SHEAF_MODEL_ACTIVE_H_

#include "lanes/variant.h"
#include "model/work.h"

// element k of a list is mji_listed(list, k); everything in order while nothing sleeps
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
    default: return 0;
  }
}

static inline mjiList mji_listOf(const mjModel* m, const mjData* d, mjiListKind kind) {
  if (!ONE_STATE || d->ntree_awake == m->ntree) return (mjiList){NULL, mji_countOf(m, kind)};
  const mjiWork* w = mji_work(d);
  return (mjiList){w->list[kind], w->nlist[kind]};
}

static inline int mji_listed(mjiList list, int k) { return list.id ? list.id[k] : k; }

#endif  // SHEAF_MODEL_ACTIVE_H_
