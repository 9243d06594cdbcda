// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "lanes/lanes.h"

#include <string.h>

#include "model/work.h"
#include "solve/hessian.h"
#include "solve/kept_hessian.h"
#include "solve/primal.h"

// Where weights differ from solve to solve, keeping the Hessian costs time and saves none: stop after so many misses.
enum { PATIENCE = 4 };

static size_t bytesOf(size_t n) { return n * sizeof(V); }

int LANE(hessianBorrow)(LANE(Primal)* p) {
  mjiKeptHessian* kept = mji_work(p->d)->hessian;
  if (!kept || kept->misses >= PATIENCE) return 0;
  if (memcmp(kept->weight, p->weight, bytesOf(p->nweight))) {
    kept->misses++;
    return 0;
  }
  kept->misses = 0;
  p->own = (LANE(Values)){p->sum, LANES(kept->other), p->dinv};
  p->sum = LANES(kept->sum);
  p->factor = LANES(kept->factor);
  p->dinv = LANES(kept->dinv);
  return p->borrows = 1;
}

void LANE(hessianOwn)(LANE(Primal)* p) {
  memcpy(p->own.sum, p->sum, bytesOf(valueCount(&p->pattern)));
  p->sum = p->own.sum;
  p->factor = p->own.factor;
  p->dinv = p->own.dinv;
  p->borrows = 0;
  mji_patternAllStale(&p->pattern);
}

static mjiKeptHessian* makeKept(mjData* d, size_t n, size_t nv, size_t nweight) {
  mjiKeptHessian* kept = mji_arenaAlloc(d, sizeof *kept, _Alignof(mjiKeptHessian));
  mjtNum* value = kept ? mji_arenaNum(d, 3 * n + nv + nweight + 1) : NULL;
  size_t nlane = (size_t)mji_work(d)->nlane;
  if (!value) return NULL;
  *kept = (mjiKeptHessian){.sum = value,
                           .factor = value + n * nlane,
                           .other = value + 2 * n * nlane,
                           .dinv = value + 3 * n * nlane,
                           .weight = value + (3 * n + nv) * nlane};
  memset(kept->other, 0, bytesOf(n));
  return kept;
}

void LANE(hessianKeep)(LANE(Primal)* p) {
  mjiWork* w = mji_work(p->d);
  if (!w->repeats) return;
  size_t n = valueCount(&p->pattern), nv = (size_t)p->nv;
  if (!w->hessian) w->hessian = makeKept(p->d, n, nv, p->nweight);
  mjiKeptHessian* kept = w->hessian;
  if (!kept || kept->misses >= PATIENCE) return;
  memcpy(kept->sum, p->sum, bytesOf(n));
  memcpy(kept->factor, p->factor, bytesOf(n));
  memcpy(kept->dinv, p->dinv, bytesOf(nv));
  memcpy(kept->weight, p->weight, bytesOf(p->nweight));
}
