// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The Newton Hessian: accumulate M + J'WJ, factor it as L'DL, solve.
//
// W is block diagonal: one weight per row, folded into dim x dim for the edges of a pyramid, and
// the cone Hessian for elliptic contacts. `sum` follows the iterate by differences: a block is
// added again only if its weights changed in some lane; where they did not change the difference is
// exactly zero. Differences of huge weights would leave their rounding in place of M: then the sum
// begins again.
//
// The factor keeps rows D*L rather than L, so no pass of divisions is needed; each row gathers the
// contributions of the rows below it with up to eight columns in registers.

#include "lanes/lanes.h"

#include <mujoco/mujoco.h>

#include "constraint/block.h"
#include "model/work.h"
#include "solve/primal.h"

static V* stackV(mjData* d, size_t n) { return LANES(mji_stackNum(d, n ? n : 1)); }

// place of row i in the value arrays: column j is at [rowBase + j] (dense) or [rowBase + index]
// (sparse)
static inline size_t rowBase(const mjiPattern* s, int i) {
  return s->dense ? (size_t)i * (i + 1) / 2 : (size_t)s->rowadr[i];
}

static size_t valueCount(const mjiPattern* s) {
  return s->dense ? (size_t)s->nv * (s->nv + 1) / 2 : (size_t)s->rowadr[s->nv];
}

// sum = M in these lanes, where it is zero in M's gaps
static void startFromM(LANE(Primal)* p, M on) {
  const mjModel* m = p->m;
  const mjiPattern* s = &p->pattern;
  const V* inertia = CLANES(p->d->M);
  for (int i = 0; i < p->nv; i++) {
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

void LANE(hessianInit)(LANE(Primal)* p) {
  mjData* d = p->d;
  mji_patternMake(p->m, d, p->block, p->nblock, &p->pattern);
  size_t n = valueCount(&p->pattern);
  p->sum = stackV(d, n);
  p->factor = stackV(d, n);
  p->dinv = stackV(d, p->nv);
  p->temp = stackV(d, p->nv);
  p->weight = stackV(d, p->nefc);

  // entries outside the pattern are read by the gathering rows and must be zero
  memset(p->sum, 0, n * sizeof(V));
  memset(p->factor, 0, n * sizeof(V));
  memset(p->weight, 0, p->nefc * sizeof(V));
  startFromM(p, ~m_none());

  size_t ncone = 0;
  for (int k = 0; k < p->nblock; k++) {
    if (p->block[k].type == mjCNSTR_CONTACT_ELLIPTIC)
      ncone += (size_t)p->block[k].dim * p->block[k].dim;
  }
  p->coneweight = stackV(d, ncone);
  memset(p->coneweight, 0, ncone * sizeof(V));
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

#if SHEAF_LANES == 1
// The same for dense rows. Columns of a block are two runs at most, as a rule, of neighbouring
// dofs; `run` is the length of the first, or of all if the rest has gaps.
static inline int firstRun(const mjiBlock* b) {
  int n = b->ncol, run = 1;
  while (run < n && b->col[run] == b->col[0] + run) run++;
  return run == n || b->col[n - 1] - b->col[run] == n - 1 - run ? run : 0;
}

#define ADD_RUNS(TERM)                                                        \
  if (run) {                                                                  \
    V* restrict to = row + col[0];                                            \
    for (int j = 0; j < (i < run ? i + 1 : run); j++) to[j] = to[j] + (TERM); \
    if (i >= run) to = row + col[run] - run;                                  \
    for (int j = run; j <= i; j++) to[j] = to[j] + (TERM);                    \
  } else {                                                                    \
    for (int j = 0; j <= i; j++) row[col[j]] = row[col[j]] + (TERM);          \
  }

static inline void addDense3(V* restrict sum, const mjiBlock* b, const V* restrict B) {
  const V* restrict J0 = CLANES(b->J);
  int n = b->ncol, run = firstRun(b);
  const V* restrict J1 = J0 + n, * restrict J2 = J1 + n;
  const int* col = b->col;
  for (int i = 0; i < n; i++) {
    V* restrict row = sum + (size_t)col[i] * (col[i] + 1) / 2;
    V b0 = B[i], b1 = B[n + i], b2 = B[2 * n + i];
    ADD_RUNS(b0 * J0[j] + b1 * J1[j] + b2 * J2[j])
  }
}
#else
// the same for dense rows; two rows share the loads of J
static inline void addDense3(V* restrict sum, const mjiBlock* b, const V* restrict B) {
  const V* restrict J0 = CLANES(b->J);
  int n = b->ncol, i = 0;
  const V* restrict J1 = J0 + n, * restrict J2 = J1 + n;
  const int* col = b->col;
  for (; i < n; i += 2) {
    int pair = i + 1 < n, k = i + pair;
    V* restrict row = sum + (size_t)col[i] * (col[i] + 1) / 2;
    V* restrict next = sum + (size_t)col[k] * (col[k] + 1) / 2;
    V b0 = B[i], b1 = B[n + i], b2 = B[2 * n + i], c0 = B[k], c1 = B[n + k], c2 = B[2 * n + k];
    for (int j = 0; j <= i; j++) {
      V j0 = J0[j], j1 = J1[j], j2 = J2[j];
      row[col[j]] = row[col[j]] + (b0 * j0 + b1 * j1 + b2 * j2);
      if (pair) next[col[j]] = next[col[j]] + (c0 * j0 + c1 * j1 + c2 * j2);
    }
    if (pair) next[col[k]] = next[col[k]] + (c0 * J0[k] + c1 * J1[k] + c2 * J2[k]);
  }
}
#endif

static inline void addDense1(V* restrict sum, const mjiBlock* b, V weight) {
  const V* restrict J = CLANES(b->J);
  const int* col = b->col;
  for (int i = 0; i < b->ncol; i++) {
    V* restrict row = sum + (size_t)col[i] * (col[i] + 1) / 2;
    V t = weight * J[i];
    for (int j = 0; j <= i; j++) row[col[j]] = row[col[j]] + t * J[j];
  }
}

// pyramid edges J_0 +- mu_k J_k with weights w: fold into the star-shaped dim x dim matrix and add
static void addPyramid(LANE(Primal)* p, const mjiBlock* b, const V* w, V* restrict B) {
  const V* restrict J = CLANES(b->J);
  int n = b->ncol, dim = b->dim;
  V center = v_zero(), arm[6], diag[6];
  for (int k = 1; k < dim; k++) {
    V plus = w[2 * k - 2], minus = w[2 * k - 1];
    double mu = b->friction[k - 1];
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
  if (dim == 3 && p->pattern.dense) {
    addDense3(p->sum, b, B);
  } else {
    addProducts(p, b, B);
  }
}

// independent rows with weights w
static void addRows(LANE(Primal)* p, const mjiBlock* b, const V* w, V* restrict B) {
  const V* J = CLANES(b->J);
  if (b->dim == 1 && p->pattern.dense) {
    addDense1(p->sum, b, w[0]);
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

// weights of the rows of a block at the iterate: D where the penalty is quadratic
static void rowWeights(const LANE(Primal)* p, const mjiBlock* b, V* w) {
  const mjData* d = p->d;
  const V *D = CLANES(d->efc_D) + b->efcadr, *x = p->Jaref + b->efcadr;
  if (b->type == mjCNSTR_EQUALITY) {
    for (int i = 0; i < b->nrow; i++) w[i] = D[i];
  } else if (b->type <= mjCNSTR_FRICTION_TENDON) {
    const V *R = CLANES(d->efc_R) + b->efcadr, *loss = CLANES(d->efc_frictionloss) + b->efcadr;
    for (int i = 0; i < b->nrow; i++) {
      w[i] = v_and(v_lt(v_abs(x[i]), R[i] * loss[i]), D[i]);
    }
  } else {
    for (int i = 0; i < b->nrow; i++) w[i] = v_and(v_lt(x[i], v_zero()), D[i]);
  }
}

// replace old weights by new ones in live lanes and leave the difference in w; lanes where there is
// any
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

// lanes in which weights have been so large that subtracting them leaves too little of M
static M isWorn(const LANE(Primal)* p) {
  const V* inertia = CLANES(p->d->M);
  const mjiPattern* s = &p->pattern;
  M worn = m_none();
  for (int i = 0; i < p->nv; i++) {
    int diag = s->dense ? i : s->rowadr[i + 1] - s->rowadr[i] - 1;
    const V* own = inertia + p->m->M_rowadr[i] + p->m->M_rownnz[i] - 1;
    worn = worn | v_lt(1e8 * *own, p->sum[rowBase(s, i) + diag]);
  }
  return worn;
}

// sum = M + J'WJ with the weights at hand, in these lanes
static __attribute__((noinline, cold)) void startAgain(LANE(Primal)* p, M on, V* B) {
  V w[36];
  const V* cone = p->coneweight;
  size_t n = valueCount(&p->pattern);
  for (size_t i = 0; i < n; i++) p->sum[i] = v_sel(on, v_zero(), p->sum[i]);
  startFromM(p, on);
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

int LANE(hessianUpdate)(LANE(Primal)* p) {
  mjData* d = p->d;
  V w[36];
  V* cone = p->coneweight;
  M worn = isWorn(p), changed = m_none();
  int nchange = 0, maxB = 1;
  for (int k = 0; k < p->nblock; k++) {
    if (p->block[k].dim * p->block[k].ncol > maxB) maxB = p->block[k].dim * p->block[k].ncol;
  }
  mj_markStack(d);
  V* B = stackV(d, maxB);

  for (int k = 0; k < p->nblock; k++) {
    const mjiBlock* b = p->block + k;
    int segment = p->parts->block[k];
    M live = segment < 0 ? m_none() : partMask(p->parts, segment, p->live);
    M differ;
    if (b->type == mjCNSTR_CONTACT_ELLIPTIC) {
      int n = b->dim * b->dim;
      LANE(coneHessian)(p->m, d, b, p->Jaref + b->efcadr, w);
      differ = difference(cone, w, n, live);
      cone += n;
    } else {
      rowWeights(p, b, w);
      differ = difference(p->weight + b->efcadr, w, b->nrow, live);
    }
    if (!m_any(differ)) continue;
    addBlock(p, b, w, B);
    changed = changed | differ;
    nchange++;
  }
  if (m_any(worn & changed)) startAgain(p, worn & changed, B);
  mj_freeStack(d);
  return nchange;
}

// one tile of up to eight columns of row i, with or without gaps between them
#define TILE(N, INDEX)                                                         \
  case N: {                                                                    \
    V acc[N];                                                                  \
    for (int n = 0; n < N; n++) acc[n] = in[INDEX];                            \
    for (int k = 0; k < ndep; k++) {                                           \
      const V* restrict below = p->factor + (size_t)dep[k] * (dep[k] + 1) / 2; \
      V t = ratio[k];                                                          \
      for (int n = 0; n < N; n++) acc[n] = acc[n] - t * below[INDEX];          \
    }                                                                          \
    for (int n = 0; n < N; n++) out[INDEX] = acc[n];                           \
    break;                                                                     \
  }
#define TILES(INDEX)                                                                        \
  TILE(1, INDEX)                                                                            \
  TILE(2, INDEX) TILE(3, INDEX) TILE(4, INDEX) TILE(5, INDEX) TILE(6, INDEX) TILE(7, INDEX) \
      TILE(8, INDEX)

// columns of the next tile: with one lane they are neighbours, so that they fit in vectors
static inline int tileSize(const int* col, int n) {
  if (SHEAF_LANES > 1) return n < 8 ? n : 8;
  int size = 1;
  while (size < 8 && size < n && col[size] == col[0] + size) size++;
  return size;
}

static void factorDenseRow(LANE(Primal)* p, int i, const int* col, int ncol, const int* dep,
                           int ndep) {
  const V* in = p->sum + (size_t)i * (i + 1) / 2;
  V* out = p->factor + (size_t)i * (i + 1) / 2;
  V* ratio = p->temp;
  for (int k = 0; k < ndep; k++) {
    ratio[k] = p->factor[(size_t)dep[k] * (dep[k] + 1) / 2 + i] * p->dinv[dep[k]];
  }
  for (int start = 0, size; start < ncol; start += size) {
    const int* c = col + start;
    size = tileSize(c, ncol - start);
    if (c[size - 1] - c[0] == size - 1) {
      int c0 = c[0];
      switch (size) { TILES(c0 + n) }
    } else {
      switch (size) { TILES(c[n]) }
    }
  }
}

static void factorSparseRow(LANE(Primal)* p, int i, const int* dep, int ndep) {
  const mjiPattern* s = &p->pattern;
  int start = s->rowadr[i], ncol = s->rowadr[i + 1] - start;
  V* out = p->factor + start;
  for (int n = 0; n < ncol; n++) out[n] = p->sum[start + n];
  for (int k = 0; k < ndep; k++) {
    const int* col = s->col + s->rowadr[dep[k]];
    const V* below = p->factor + s->rowadr[dep[k]];

    // columns of the row below, up to i, are a subset of those of row i
    int last = 0;
    while (col[last] != i) last++;
    V t = below[last] * p->dinv[dep[k]];
    for (int e = 0, n = 0; e <= last; e++, n++) {
      while (s->col[start + n] != col[e]) n++;
      out[n] = out[n] - t * below[e];
    }
  }
}

// two sums shorten the chain of additions
static inline V dotDense(const V* restrict row, const V* restrict x, const int* restrict col,
                         int n) {
  V even = v_zero(), odd = v_zero();
  int k = 0;
  for (; k + 1 < n; k += 2) {
    even = even + row[col[k]] * x[col[k]];
    odd = odd + row[col[k + 1]] * x[col[k + 1]];
  }
  if (k < n) even = even + row[col[k]] * x[col[k]];
  return even + odd;
}

static inline V dotSparse(const V* restrict row, const V* restrict x, const int* restrict col,
                          int n) {
  V sum = v_zero();
  for (int k = 0; k < n; k++) sum = sum + row[k] * x[col[k]];
  return sum;
}

static void factorRow(LANE(Primal)* p, int i) {
  const mjiPattern* s = &p->pattern;
  const int* dep = s->dep + s->depadr[i];
  int ndep = s->depadr[i + 1] - s->depadr[i], ncol = s->rowadr[i + 1] - s->rowadr[i];
  V* diag;
  if (s->dense) {
    factorDenseRow(p, i, s->col + s->rowadr[i], ncol, dep, ndep);
    diag = p->factor + rowBase(s, i) + i;
  } else {
    factorSparseRow(p, i, dep, ndep);
    diag = p->factor + rowBase(s, i) + ncol - 1;
  }

  // weights only add to the pivots of M, which was factored in the same order: what is below has lost all digits
  const mjModel* m = p->m;
  V own = CLANES(p->d->qLD)[m->M_rowadr[i] + m->M_rownnz[i] - 1];
  *diag = v_max(*diag, v_max(0.999 * own, v_set1(mjMINVAL)));
  p->dinv[i] = 1.0 / *diag;
}

// x = inv(L') x, and inv(D), by row i
static inline void eliminateRow(const LANE(Primal)* p, V* restrict x, int i) {
  const mjiPattern* s = &p->pattern;
  const V* row = p->factor + rowBase(s, i);
  const int* col = s->col + s->rowadr[i];
  int n = s->rowadr[i + 1] - s->rowadr[i] - 1;
  V t = x[i] * p->dinv[i];
  if (s->dense) {
    for (int k = 0; k < n; k++) x[col[k]] = x[col[k]] - row[col[k]] * t;
  } else {
    for (int k = 0; k < n; k++) x[col[k]] = x[col[k]] - row[k] * t;
  }
  x[i] = t;
}

// x = inv(L) x by row i
static inline void substituteRow(const LANE(Primal)* p, V* restrict x, int i) {
  const mjiPattern* s = &p->pattern;
  const V* row = p->factor + rowBase(s, i);
  const int* col = s->col + s->rowadr[i];
  int n = s->rowadr[i + 1] - s->rowadr[i] - 1;
  V t = s->dense ? dotDense(row, x, col, n) : dotSparse(row, x, col, n);
  x[i] = x[i] - t * p->dinv[i];
}

void LANE(hessianSolve)(LANE(Primal)* p, V* restrict x, const V* restrict y, int factor) {
  for (int i = 0; i < p->nv; i++) x[i] = y[i];

  // a row serves for the elimination while it is still close
  for (int i = p->nv - 1; i >= 0; i--) {
    if (factor) factorRow(p, i);
    eliminateRow(p, x, i);
  }
  for (int i = 0; i < p->nv; i++) substituteRow(p, x, i);
}
