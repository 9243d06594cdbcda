// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "solve/center.h"

#include <string.h>

#include "model/block.h"
#include "model/work.h"

// the next n bytes of a piece of memory; with none, only count them
static void* take(char** memory, size_t* used, size_t bytes) {
  size_t start = *used;
  *used += (bytes + 7) & ~(size_t)7;
  return *memory ? *memory + start : NULL;
}

static mjtNum* takeNum(char** memory, size_t* used, size_t n) { return take(memory, used, n * sizeof(mjtNum)); }

static mjiSparse takeSparse(char** memory, size_t* used, int n, int nnz) {
  mjiSparse s;
  s.adr = take(memory, used, ((size_t)n + 1) * sizeof(int));
  s.col = take(memory, used, (size_t)nnz * sizeof(int));
  s.value = takeNum(memory, used, (size_t)nnz);
  return s;
}

static size_t place(mjiCenter* c, const mjModel* m, const mjData* d, int nnz, char* memory) {
  const mjiWork* w = mji_work(d);
  size_t used = 0, nv = (size_t)m->nv, nefc = (size_t)d->nefc, nJ = 0;
  for (int k = 0; k < w->nblock; k++) nJ += (size_t)w->block[k].dim * (size_t)w->block[k].ncol;
  c->qacc = takeNum(&memory, &used, nv);
  c->smooth = takeNum(&memory, &used, nv);
  c->qfrc = takeNum(&memory, &used, nv);
  c->rest = takeNum(&memory, &used, nv);
  c->aref = takeNum(&memory, &used, nefc);
  c->Ja = takeNum(&memory, &used, nefc);
  c->weight = takeNum(&memory, &used, nefc);
  c->shift = takeNum(&memory, &used, nefc);
  c->M = takeSparse(&memory, &used, m->nv, 2 * (int)m->nC - m->nv);
  c->J = takeNum(&memory, &used, nJ);
  c->Jadr = take(&memory, &used, (size_t)w->nblock * sizeof(int));
  c->block = take(&memory, &used, nefc * sizeof(int));
  c->below = takeSparse(&memory, &used, m->nv, nnz - (int)nv);
  c->after = takeSparse(&memory, &used, m->nv, nnz - (int)nv);
  c->dinv = takeNum(&memory, &used, nv);
  c->known = take(&memory, &used, nefc);
  c->response = takeNum(&memory, &used, nefc * nv);
  c->gain = takeNum(&memory, &used, nefc * nefc);
  return used;
}

mjiCenter* mji_centerAlloc(const mjModel* m, mjData* d, int nnz) {
  mjiCenter size, *c;
  size_t bytes = place(&size, m, d, nnz, NULL);

  // the arena of lane data has more room: do without a center where that of one state may be too small
  if (bytes > (size_t)m->narena / 2) return NULL;
  c = mji_arenaAlloc(d, sizeof *c, _Alignof(mjiCenter));
  char* memory = c ? mji_arenaAlloc(d, bytes, 64) : NULL;
  if (!memory) return NULL;
  *c = (mjiCenter){.nv = m->nv, .nefc = d->nefc};
  place(c, m, d, nnz, memory);
  memset(c->known, 0, (size_t)c->nefc);
  return c;
}

void mji_centerColumns(mjiCenter* c) {
  const mjiSparse* s = &c->below;
  int *adr = c->after.adr, nv = c->nv;
  memset(adr, 0, ((size_t)nv + 1) * sizeof(int));
  for (int k = 0; k < s->adr[nv]; k++) adr[s->col[k] + 1]++;
  for (int j = 0; j < nv; j++) adr[j + 1] += adr[j];
  for (int i = 0; i < nv; i++) {
    for (int k = s->adr[i]; k < s->adr[i + 1]; k++) {
      int to = adr[s->col[k]]++;
      c->after.col[to] = i;
      c->after.value[to] = s->value[k];
    }
  }
  for (int j = nv; j > 0; j--) adr[j] = adr[j - 1];
  adr[0] = 0;
}

static void subtract(const mjiSparse* s, int i, mjtNum* x) {
  mjtNum t = x[i];
  for (int k = s->adr[i]; k < s->adr[i + 1]; k++) t -= s->value[k] * x[s->col[k]];
  x[i] = t;
}

// x = J_i', x zero on entry
static void scatterRow(const mjiCenter* c, const mjiBlock* b, int row, mjtNum* x) {
  const mjtNum* J = c->J + c->Jadr[c->block[row]];
  int i = row - b->efcadr, edges = b->type == mjCNSTR_CONTACT_PYRAMIDAL;
  for (int k = 0; k < b->ncol; k++) {
    if (!edges) {
      x[b->col[k]] = J[i * b->ncol + k];
      continue;
    }
    mjtNum side = b->friction[i / 2] * J[(i / 2 + 1) * b->ncol + k];
    x[b->col[k]] = i % 2 ? J[k] - side : J[k] + side;
  }
}

// y = J x for a block
static void mulBlock(const mjiCenter* c, const mjiBlock* b, int block, mjtNum* y, const mjtNum* x) {
  const mjtNum* J = c->J + c->Jadr[block];
  mjtNum base[6] = {0};
  for (int r = 0; r < b->dim; r++) {
    for (int k = 0; k < b->ncol; k++) base[r] += J[r * b->ncol + k] * x[b->col[k]];
  }
  for (int r = 0; r < b->nrow; r++) {
    if (b->type != mjCNSTR_CONTACT_PYRAMIDAL) {
      y[r] = base[r];
      continue;
    }
    mjtNum side = b->friction[r / 2] * base[r / 2 + 1];
    y[r] = r % 2 ? base[0] - side : base[0] + side;
  }
}

void mji_centerRespond(mjiCenter* c, const mjData* d, int row) {
  if (c->known[row]) return;
  const mjiWork* w = mji_work(d);
  mjtNum* x = c->response + (size_t)row * (size_t)c->nv;
  mjtNum* y = c->gain + (size_t)row * (size_t)c->nefc;
  memset(x, 0, (size_t)c->nv * sizeof *x);
  scatterRow(c, w->block + c->block[row], row, x);
  for (int i = c->nv - 1; i >= 0; i--) subtract(&c->after, i, x);
  for (int i = 0; i < c->nv; i++) x[i] *= c->dinv[i];
  for (int i = 0; i < c->nv; i++) subtract(&c->below, i, x);
  for (int k = 0; k < w->nblock; k++) mulBlock(c, w->block + k, k, y + w->block[k].efcadr, x);
  c->known[row] = 1;
}
