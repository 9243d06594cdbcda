// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The Newton Hessian: accumulate M + J'WJ. solve/hessian_factor.c factors it.
//
// W is block diagonal: one weight per row, which for the edges of a pyramid fold into a dim x dim matrix, and the cone
// Hessian for elliptic contacts. `sum` is updated by differences: a block is added again only if its weights changed in
// some lane, and in lanes where they did not change the difference is exactly zero. Subtracting a huge weight leaves
// rounding errors that may be as large as M, so after huge weights the sum is computed again from M.

#include "lanes/lanes.h"

#include <mujoco/mujoco.h>

#include "constraint/block_lanes.h"
#include "model/row_class.h"
#include "model/work.h"
#include "solve/hessian.h"
#include "solve/primal.h"
#include "solve/scratch.h"

// set rows of sum = M in these lanes; on entry, entries that M does not have are zero in them
static void startFromM(LANE(Primal)* p, M on, mjiSegment dofs) {
  const mjModel* m = p->m;
  const mjiPattern* s = &p->pattern;
  const V* inertia = CLANES(p->d->M);
  for (int i = dofs.adr; i < dofs.adr + dofs.num; i++) {
    V* row = p->sum + rowBase(s, i);
    int adr = m->M_rowadr[i], end = adr + m->M_rownnz[i];
    if (s->dense) {
      for (; adr < end; adr++) {
        V* to = row + m->M_colind[adr];
        *to = v_sel(on, inertia[adr], *to);
      }
    } else {
      for (int k = s->rowadr[i]; adr < end; k++) {
        V* to = row + k - s->rowadr[i];
        if (s->col[k] == m->M_colind[adr]) *to = v_sel(on, inertia[adr++], *to);
      }
    }
  }
}

// Bounds: the least pivot that the factor may have, and the largest diagonal of `sum` that still has enough digits of
// M.
static void boundPivots(LANE(Primal)* p) {
  const mjModel* m = p->m;
  for (int i = 0; i < p->nv; i++) {
    int diag = m->M_rowadr[i] + m->M_rownnz[i] - 1;

    // Weights are not negative, and M was factored in the same order, so no pivot can be less than that of M. One
    // that is less consists of rounding errors.
    p->bound[2 * i] = v_max(0.999 * CLANES(p->d->qLD)[diag], v_set1(mjMINVAL));
    p->bound[2 * i + 1] = 1e8 * CLANES(p->d->M)[diag];
  }
}

static void allocate(LANE(Primal)* p) {
  mjData* d = p->d;
  mji_patternMake(p->m, d, p->block, p->nblock, &p->pattern);
  size_t n = valueCount(&p->pattern), nv = (size_t)p->nv, nefc = (size_t)p->nefc;
  size_t ncone = 0, nproduct = 0;
  for (const mjiBlock* b = p->block; b < p->block + p->nblock; b++) {
    size_t nB = (size_t)b->dim * (size_t)b->ncol;
    if (nB > nproduct) nproduct = nB;
    if (b->type == mjCNSTR_CONTACT_ELLIPTIC) ncone += (size_t)b->dim * (size_t)b->dim;
  }
  size_t ntemp = p->pattern.dense ? nv : MJI_NODE_ROWS * nv;
  V* next = stackV(d, 2 * n + nefc + ncone + 3 * nv + ntemp + nproduct);
  p->sum = takeV(&next, n);
  p->factor = takeV(&next, n);
  p->weight = takeV(&next, nefc);
  p->coneweight = takeV(&next, ncone);

  p->nweight = nefc + ncone;
  p->dinv = takeV(&next, nv);
  p->bound = takeV(&next, 2 * nv);
  p->temp = takeV(&next, ntemp);
  p->products = takeV(&next, nproduct);
}

// sum += J' W J for the columns of a block; B = W J is dim x ncol
static void addProducts(LANE(Primal)* p, const mjiBlock* b, const V* restrict B) {
  const mjiPattern* s = &p->pattern;
  const V* restrict J = CLANES(b->J);
  int n = b->ncol, dim = b->dim;
  const int* col = b->col;
  for (int i = 0; i < n; i++) {
    V* restrict row = p->sum + rowBase(s, col[i]);
    int place = s->dense ? 0 : s->rowadr[col[i]];
    for (int j = 0; j <= i; j++) {
      V t = B[i] * J[j];
      for (int r = 1; r < dim; r++) t = t + B[r * n + i] * J[r * n + j];
      if (s->dense) {
        row[col[j]] = row[col[j]] + t;
      } else {
        while (s->col[place] != col[j]) place++;
        row[place - s->rowadr[col[i]]] = row[place - s->rowadr[col[i]]] + t;
      }
    }
  }
}

static inline void addDense1(const mjiPattern* s, V* restrict sum, const mjiBlock* b, V weight) {
  const V* restrict J = CLANES(b->J);
  const int* col = b->col;
  for (int i = 0; i < b->ncol; i++) {
    V* restrict row = sum + denseRow(s, col[i]);
    V t = weight * J[i];
    for (int j = 0; j <= i; j++) row[col[j]] = row[col[j]] + t * J[j];
  }
}

// B = W J for the star-shaped dim x dim matrix W that the weights w of pyramid edges J_0 +- mu_k J_k fold into
static inline void foldPyramid(const mjiBlock* b, const V* w, V* restrict B, int dim) {
  const V* restrict J = CLANES(b->J);
  int n = b->ncol;
  V center = v_zero(), arm[6], diag[6];
  for (int k = 1; k < dim; k++) {
    V plus = w[2 * k - 2], minus = w[2 * k - 1];
    N mu = frictionOf(b)[k - 1];
    center = center + (plus + minus);
    arm[k] = mu * (plus - minus);
    diag[k] = (mu * mu) * (plus + minus);
  }
  for (int i = 0; i < n; i++) {
    V t = center * J[i];
    for (int k = 1; k < dim; k++) {
      t = t + arm[k] * J[k * n + i];
      B[k * n + i] = arm[k] * J[i] + diag[k] * J[k * n + i];
    }
    B[i] = t;
  }
}

static void addPyramid(LANE(Primal)* p, const mjiBlock* b, const V* w, V* restrict B) {
  if (b->dim == 3) {
    foldPyramid(b, w, B, 3);
  } else {
    foldPyramid(b, w, B, b->dim);
  }
  if (b->dim == 3 && p->pattern.dense) {
    LANE(addDense3)(&p->pattern, p->sum, b, B);
  } else {
    addProducts(p, b, B);
  }
}

// independent rows with weights w
static void addRows(LANE(Primal)* p, const mjiBlock* b, const V* w, V* restrict B) {
  const V* J = CLANES(b->J);
  if (b->dim == 1 && p->pattern.dense) {
    addDense1(&p->pattern, p->sum, b, w[0]);
    return;
  }
  for (int r = 0; r < b->dim; r++) {
    for (int i = 0; i < b->ncol; i++) B[r * b->ncol + i] = w[r] * J[r * b->ncol + i];
  }
  addProducts(p, b, B);
}

static void addCone(LANE(Primal)* p, const mjiBlock* b, const V* W, V* restrict B) {
  const V* J = CLANES(b->J);
  int n = b->ncol, dim = b->dim;
  for (int r = 0; r < dim; r++) {
    for (int i = 0; i < n; i++) {
      V t = W[r * dim] * J[i];
      for (int s = 1; s < dim; s++) t = t + W[r * dim + s] * J[s * n + i];
      B[r * n + i] = t;
    }
  }
  addProducts(p, b, B);
}

void LANE(rowWeights)(const mjData* d, const mjiBlock* b, const V* x, V* w) {
  const V* D = CLANES(d->efc_D) + b->efcadr;
  if (b->type == mjCNSTR_EQUALITY) {
    for (int i = 0; i < b->nrow; i++) w[i] = D[i];
  } else if (mji_isFriction(b->type)) {
    const V *R = CLANES(d->efc_R) + b->efcadr, *loss = CLANES(d->efc_frictionloss) + b->efcadr;
    for (int i = 0; i < b->nrow; i++) {
      w[i] = v_and(v_lt(v_abs(x[i]), R[i] * loss[i]), D[i]);
    }
  } else {
    for (int i = 0; i < b->nrow; i++) w[i] = v_and(v_lt(x[i], v_zero()), D[i]);
  }
}

// Replace old weights by new ones in live lanes, and leave the differences in w. Returns the lanes that have any.
static M difference(V* old, V* w, int n, M live) {
  M changed = m_none();
  for (int i = 0; i < n; i++) {
    V next = v_sel(live, w[i], old[i]);
    w[i] = next - old[i];
    old[i] = next;
    changed = changed | ~v_eq(w[i], v_zero());
  }
  return changed;
}

// sum += J' w J of a block
static inline void addBlock(LANE(Primal)* p, const mjiBlock* b, const V* w, V* B) {
  if (b->type == mjCNSTR_CONTACT_ELLIPTIC) {
    addCone(p, b, w, B);
  } else if (b->type == mjCNSTR_CONTACT_PYRAMIDAL) {
    addPyramid(p, b, w, B);
  } else {
    addRows(p, b, w, B);
  }
}

// lanes in which `sum` holds weights so large that subtracting them would leave too few digits of M
static M isWorn(const LANE(Primal)* p) {
  const mjiPattern* s = &p->pattern;
  M worn = m_none();
  for (int k = 0; k < p->parts->nsegment; k++) {
    mjiSegment dofs = p->parts->segment[k];
    for (int i = dofs.adr; !isIdle(p->parts, k) && i < dofs.adr + dofs.num; i++) {
      size_t diag = s->dense ? denseRow(s, i) + (size_t)i : (size_t)s->rowadr[i + 1] - 1;
      worn = worn | v_lt(p->bound[2 * i + 1], p->sum[diag]);
    }
  }
  return worn;
}

// compute sum = M + J'WJ again from the current weights, in these lanes
static __attribute__((noinline, cold)) void startAgain(LANE(Primal)* p, M on, V* B) {
  V w[36];
  const V* cone = p->coneweight;
  size_t n = valueCount(&p->pattern);
  for (size_t i = 0; i < n; i++) p->sum[i] = v_sel(on, v_zero(), p->sum[i]);
  startFromM(p, on, (mjiSegment){0, p->nv});
  for (int k = 0; k < p->nblock; k++) {
    const mjiBlock* b = p->block + k;
    int elliptic = b->type == mjCNSTR_CONTACT_ELLIPTIC, nw = elliptic ? b->dim * b->dim : b->nrow;
    const V* from = elliptic ? cone : p->weight + b->efcadr;
    M any = m_none();
    for (int i = 0; i < nw; i++) {
      w[i] = v_and(on, from[i]);
      any = any | ~v_eq(w[i], v_zero());
    }
    if (elliptic) cone += nw;
    if (m_any(any)) addBlock(p, b, w, B);
  }
}

static M liveIn(const LANE(Primal)* p, int block) {
  int segment = p->parts->block[block];
  return segment < 0 ? m_none() : partMask(p->parts, segment, p->live);
}

// the weights that the first update will find, in p->weight
static void firstWeights(LANE(Primal)* p) {
  V w[36];
  V* cone = p->coneweight;
  for (int k = 0; k < p->nblock; k++) {
    const mjiBlock* b = p->block + k;
    M live = liveIn(p, k);
    int elliptic = b->type == mjCNSTR_CONTACT_ELLIPTIC, n = elliptic ? b->dim * b->dim : b->nrow;
    V *rows = p->weight + b->efcadr, *to = elliptic ? cone : rows;
    if (elliptic) LANE(coneHessian)(p->m, p->d, b, p->Jaref + b->efcadr, w);
    else LANE(rowWeights)(p->d, b, p->Jaref + b->efcadr, w);
    for (int i = 0; elliptic && i < b->nrow; i++) rows[i] = v_zero();
    for (int i = 0; i < n; i++) to[i] = v_sel(live, w[i], v_zero());
    if (elliptic) cone += n;
  }
}

// zeros in a row, left of its n columns, where none of these is
static inline void clearGaps(V* row, const int* col, int n) {
  for (int k = 0, j = 0; k < n; k++, j++) {
    for (; j < col[k]; j++) row[j] = v_zero();
  }
}

// Rows of a dense sum over lanes: M, and zeros at the other places of the pattern. No other place is read.
static void beginDenseLanes(LANE(Primal)* p, mjiSegment dofs) {
  const mjModel* m = p->m;
  const mjiPattern* s = &p->pattern;
  for (int i = dofs.adr; i < dofs.adr + dofs.num; i++) {
    V* restrict row = p->sum + denseRow(s, i);
    const V* restrict inertia = CLANES(p->d->M) + m->M_rowadr[i];
    const int *col = s->col + s->rowadr[i], *own = m->M_colind + m->M_rowadr[i];
    int n = s->rowadr[i + 1] - s->rowadr[i], nown = m->M_rownnz[i];
    if (n == nown) {
      for (int k = 0; k < n; k++) row[col[k]] = inertia[k];
    } else {
      for (int k = 0, from = 0; k < n; k++) row[col[k]] = own[from] == col[k] ? inertia[from++] : v_zero();
    }
    if (!s->tree) clearGaps(p->factor + denseRow(s, i), col, n);
  }
}

// Begin rows of the sum. The dense factorization also reads entries outside of the pattern, so they must be zero: with
// one state those of whole blocks of columns, with lanes those that only rows above have.
static void beginRows(LANE(Primal)* p, mjiSegment dofs) {
  const mjiPattern* s = &p->pattern;
  if (!ONE_STATE && s->dense) {
    beginDenseLanes(p, dofs);
    return;
  }
  size_t start = rowBase(s, dofs.adr), n = rowBase(s, dofs.adr + dofs.num) - start;
  if (s->dense) memset(p->factor + start, 0, n * sizeof(V));
  memset(p->sum + start, 0, n * sizeof(V));
  startFromM(p, ~m_none(), dofs);
}

void LANE(hessianInit)(LANE(Primal)* p) {
  allocate(p);
  boundPivots(p);
  if (mji_work(p->d)->hessian) {
    firstWeights(p);
    if (LANE(hessianBorrow)(p)) return;
  }

  memset(p->weight, 0, p->nweight * sizeof(V));
  for (int s = 0; s < p->parts->nsegment; s++) {
    if (!isIdle(p->parts, s) || mji_work(p->d)->repeats) beginRows(p, p->parts->segment[s]);
  }
}

// rows in which `sum` changes if a block is added: its last one, which hands on what changes, stands for all
static inline void markStale(mjiPattern* s, const mjiBlock* b) {
  if (!b->ncol) return;
  int last = b->col[b->ncol - 1];
  if (s->dense) {
    s->stale[last] = 1;
  } else {
    s->super.stale[s->super.of[last]] = 1;
  }
}

int LANE(hessianUpdate)(LANE(Primal)* p) {
  mjData* d = p->d;
  V w[36];
  V* cone = p->coneweight;
  M worn = isWorn(p), changed = m_none();
  int nchange = 0;
  V* B = p->products;

  for (int k = 0; k < p->nblock; k++) {
    const mjiBlock* b = p->block + k;
    M live = liveIn(p, k), differ;
    if (b->type == mjCNSTR_CONTACT_ELLIPTIC) {
      int n = b->dim * b->dim;
      LANE(coneHessian)(p->m, d, b, p->Jaref + b->efcadr, w);
      differ = difference(cone, w, n, live);
      cone += n;
    } else {
      LANE(rowWeights)(d, b, p->Jaref + b->efcadr, w);
      differ = difference(p->weight + b->efcadr, w, b->nrow, live);
    }
    if (!m_any(differ)) continue;
    if (p->borrows) LANE(hessianOwn)(p);
    markStale(&p->pattern, b);
    addBlock(p, b, w, B);
    changed = changed | differ;
    nchange++;
  }
  if (!m_any(worn & changed)) return nchange;
  startAgain(p, worn & changed, B);
  mji_patternAllStale(&p->pattern);
  return nchange;
}
