// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Box-constrained quadratic programs: minimize x'Hx/2 + x'g, lower <= x <= upper, by projected
// Newton.
#include <mujoco/mujoco.h>

static const mjtNum MINGRAD = 1e-16;  // free gradient and relative improvement at which to stop
static const mjtNum BACKTRACK = 0.5;  // factor of the step in the line search
static const mjtNum MINSTEP = 1e-22;
static const mjtNum ARMIJO = 0.1;  // least improvement of a step, as a part of what the slope promises
enum { MAXITER = 100 };

typedef struct {
  int n;
  const mjtNum *H, *g, *lower, *upper;
} Problem;

static mjtNum clamp(const Problem* p, int i, mjtNum x) {
  if (p->lower && x < p->lower[i]) x = p->lower[i];
  if (p->upper && x > p->upper[i]) x = p->upper[i];
  return x;
}

// H * x, of which only the lower triangle is given
static void mulHessian(const Problem* p, mjtNum* res, const mjtNum* x) {
  for (int i = 0; i < p->n; i++) {
    const mjtNum* row = p->H + i * p->n;
    res[i] = mju_dot(row, x, i + 1);
    mju_addToScl(res, row, x[i], i);
  }
}

// product: n numbers
static mjtNum objective(const Problem* p, const mjtNum* x, mjtNum* product) {
  mulHessian(p, product, x);
  return 0.5 * mju_dot(x, product, p->n) + mju_dot(x, p->g, p->n);
}

// list the free dimensions: those that are not at a bound with a gradient that pushes against it
static int findFree(const Problem* p, const mjtNum* x, const mjtNum* grad, int* index) {
  int nfree = 0;
  for (int i = 0; i < p->n; i++) {
    int low = p->lower && x[i] == p->lower[i] && grad[i] > 0;
    int high = p->upper && x[i] == p->upper[i] && grad[i] < 0;
    if (!low && !high) index[nfree++] = i;
  }
  return nfree;
}

// factor of the free part of H; 0 if it is not positive definite
static int factor(const Problem* p, mjtNum* R, const int* index, int nfree) {
  for (int i = 0; i < nfree; i++) {
    for (int j = 0; j <= i; j++) R[i * nfree + j] = p->H[index[i] * p->n + index[j]];
  }
  return mju_cholFactor(R, nfree, mjMINVAL) == nfree;
}

// longest step whose improvement is at least ARMIJO times what the slope promises; 0 if there is none
static mjtNum lineSearch(const Problem* p, const mjtNum* x, const mjtNum* search, mjtNum value, mjtNum slope,
                         mjtNum* candidate, mjtNum* product) {
  for (mjtNum step = 1; step >= MINSTEP; step *= BACKTRACK) {
    for (int i = 0; i < p->n; i++) candidate[i] = clamp(p, i, x[i] + step * search[i]);
    if ((objective(p, candidate, product) - value) / (step * slope) >= ARMIJO) return step;
  }
  return 0;
}

// scratch vectors, which lie in R behind the factor
typedef struct {
  mjtNum *grad, *search, *candidate, *rhs;
} Scratch;

// Newton step of the free dimensions: Hfree * dx = -(gradient there)
static void newtonStep(const Problem* p, const mjtNum* R, const int* index, int nfree, Scratch* s) {
  mju_zero(s->search, p->n);
  for (int i = 0; i < nfree; i++) s->rhs[i] = -s->grad[index[i]];
  mju_cholSolve(s->rhs, R, s->rhs, nfree);
  for (int i = 0; i < nfree; i++) s->search[index[i]] = s->rhs[i];
}

static mjtNum freeNorm(const mjtNum* grad, const int* index, int nfree) {
  mjtNum sum = 0;
  for (int i = 0; i < nfree; i++) sum += grad[index[i]] * grad[index[i]];
  return sqrt(sum);
}

int mju_boxQP(mjtNum* res, mjtNum* R, int* index, const mjtNum* H, const mjtNum* g, int n, const mjtNum* lower,
              const mjtNum* upper) {
  if (n <= 0) mju_error("mju_boxQP: there are %d unknowns, expected one or more", n);
  Problem p = {n, H, g, lower, upper};
  mjtNum* extra = R + n * n;
  Scratch s = {extra, extra + n, extra + 2 * n, extra + 3 * n};
  if (!index) index = (int*)(void*)(extra + 4 * n);
  for (int i = 0; i < n; i++) {
    if (lower && upper && lower[i] >= upper[i]) {
      mju_error("mju_boxQP: upper bound %d is not larger than the lower bound", i);
      return -1;
    }
    res[i] = clamp(&p, i, res[i]);
  }

  mjtNum value = objective(&p, res, s.rhs);
  for (int iter = 0; iter < MAXITER; iter++) {
    mulHessian(&p, s.grad, res);
    mju_addTo(s.grad, g, n);
    int nfree = findFree(&p, res, s.grad, index);
    if (!factor(&p, R, index, nfree)) return -1;
    if (freeNorm(s.grad, index, nfree) < MINGRAD) return nfree;

    newtonStep(&p, R, index, nfree, &s);
    mjtNum slope = mju_dot(s.search, s.grad, n);
    if (slope >= 0 || lineSearch(&p, res, s.search, value, slope, s.candidate, s.rhs) == 0) return nfree;

    mjtNum old = value;
    mju_copy(res, s.candidate, n);
    value = objective(&p, res, s.rhs);
    if (old - value < MINGRAD * fabs(old)) return nfree;
  }
  return -1;
}

static mjtNum* allocNum(int n) { return mju_malloc((size_t)n * sizeof(mjtNum)); }

void mju_boxQPmalloc(mjtNum** res, mjtNum** R, int** index, mjtNum** H, mjtNum** g, int n, mjtNum** lower,
                     mjtNum** upper) {
  *res = allocNum(n);
  *R = allocNum(n * (n + 7));
  *H = allocNum(n * n);
  *g = allocNum(n);
  if (lower) *lower = allocNum(n);
  if (upper) *upper = allocNum(n);
  if (index) *index = mju_malloc((size_t)n * sizeof(int));
}
