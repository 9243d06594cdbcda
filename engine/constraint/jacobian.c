// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The constraint Jacobian as users of mjData read it: efc_J, dense or compressed rows. The engine
// itself works on blocks; nothing here is needed for a step.

#include <string.h>

#include <mujoco/mujoco.h>

#include "constraint/block_ops.h"
#include "constraint/rows.h"
#include "model/contact_side.h"
#include "model/row_class.h"

// find the dofs that move all bodies of a contact: its compressed row lists them too, with zeros
static int commonDofs(const mjModel* m, const mjData* d, const mjiBlock* b, const int** dofs) {
  if (!mji_isContact(b->type)) return 0;
  const mjiPlan* plan = mji_plan(m);
  int n = -1;
  for (int k = 0; k < 2; k++) {
    mjiSideRoom room;
    mjiSide side = mji_sideOf(m, d, d->contact + b->id, k, &room);
    if (!side.n) return 0;
    for (int i = 0; i < side.n; i++) {
      const int* chain = plan->chain_ind + plan->chain_adr[side.body[i]];
      int num = plan->chain_num[side.body[i]], same = 0;
      if (n < 0) *dofs = chain;
      while (same < num && (n < 0 || same < n) && chain[same] == (*dofs)[same]) same++;
      n = same;
    }
  }
  return n;
}

void mji_block_scatter(const mjiBlock* b, int i, mjtNum* row) {
  for (int c = 0; c < b->ncol; c++) row[b->col[c]] = mji_block_entry(b, i, c);
}

// all rows of a block into dense rows of nv columns
static void scatterBlock(const mjiBlock* b, mjtNum* row, size_t nv) {
  if (b->type != mjCNSTR_CONTACT_PYRAMIDAL) {
    for (int i = 0; i < b->nrow; i++, row += nv) mji_block_scatter(b, i, row);
    return;
  }
  for (int k = 1; k < b->dim; k++, row += 2 * nv) {
    const mjtNum *normal = b->J, *side = b->J + k * b->ncol;
    mjtNum mu = b->friction[k - 1];
    for (int c = 0; c < b->ncol; c++) {
      mjtNum t = mu * side[c];
      row[b->col[c]] = normal[c] + t;
      row[nv + (size_t)b->col[c]] = normal[c] - t;
    }
  }
}

static int exportDense(const mjModel* m, mjData* d, int nrow) {
  size_t nv = (size_t)m->nv, n = (size_t)nrow * nv;
  d->nJ = (int)n;
  d->efc_J = mji_arenaNum(d, n);
  if (!d->efc_J) return 0;
  memset(d->efc_J, 0, n * sizeof(mjtNum));

  const mjiWork* w = mji_work(d);
  for (const mjiBlock* b = w->block; b < w->block + w->nblock; b++) {
    scatterBlock(b, d->efc_J + (size_t)b->efcadr * nv, nv);
  }
  return 1;
}

void mji_findSupernodes(int nrow, const int* rownnz, const int* rowadr, const int* colind, int* rowsuper) {
  for (int r = nrow - 1; r >= 0; r--) {
    rowsuper[r] = 0;
    if (r == nrow - 1 || rownnz[r] != rownnz[r + 1]) continue;
    const int *col = colind + rowadr[r], *next = colind + rowadr[r + 1];
    if (memcmp(col, next, (size_t)rownnz[r] * sizeof(int)) == 0) rowsuper[r] = rowsuper[r + 1] + 1;
  }
}

static int exportSparse(const mjModel* m, mjData* d) {
  const mjiWork* w = mji_work(d);
  const mjiBlock* end = w->block + w->nblock;
  size_t nefc = (size_t)d->nefc;
  const int* common;
  d->nJ = 0;
  for (const mjiBlock* b = w->block; b < end; b++) {
    d->nJ += b->nrow * (b->ncol + commonDofs(m, d, b, &common));
  }
  int* ints = mji_arenaAlloc(d, (3 * nefc + (size_t)d->nJ) * sizeof(int), _Alignof(int));
  d->efc_J = mji_arenaNum(d, (size_t)d->nJ);
  if (!ints || !d->efc_J) return 0;
  d->efc_J_rownnz = ints;
  d->efc_J_rowadr = ints + nefc;
  d->efc_J_rowsuper = ints + 2 * nefc;
  d->efc_J_colind = ints + 3 * nefc;

  int adr = 0;
  for (const mjiBlock* b = w->block; b < end; b++) {
    int ncommon = commonDofs(m, d, b, &common);
    for (int i = 0; i < b->nrow; i++) {
      int r = b->efcadr + i;
      d->efc_J_rowadr[r] = adr;
      d->efc_J_rownnz[r] = ncommon + b->ncol;
      for (int c = 0; c < ncommon; c++, adr++) {
        d->efc_J_colind[adr] = common[c];
        d->efc_J[adr] = 0;
      }
      for (int c = 0; c < b->ncol; c++, adr++) {
        d->efc_J_colind[adr] = b->col[c];
        d->efc_J[adr] = mji_block_entry(b, i, c);
      }
    }
  }
  mji_findSupernodes(d->nefc, d->efc_J_rownnz, d->efc_J_rowadr, d->efc_J_colind, d->efc_J_rowsuper);
  return 1;
}

void mji_exportRows(const mjModel* m, mjData* d) {
  const mjiWork* w = mji_work(d);
  if (w->mixed) mju_warning("solref mixes its two formats, using the default instead");
  int sparse = mj_isSparse(m), nrow = d->nefc + (sparse ? 0 : w->ndropped);
  if (!nrow) return;
  int ok = sparse ? exportSparse(m, d) : exportDense(m, d, nrow);
  if (!ok) mji_rows_giveUp(d, d->contact + d->ncon);
}

// ---- public functions

void mj_mulJacVec(const mjModel* m, const mjData* d, mjtNum* res, const mjtNum* vec) {
  LANE(blockMulJ)(m, d, res, vec);
}

void mj_mulJacTVec(const mjModel* m, const mjData* d, mjtNum* res, const mjtNum* vec) {
  // like the reference, do not write the result if there are no rows
  if (!d->nefc) return;
  LANE(blockMulJT)(m, d, res, vec);
}

void mj_contactForce(const mjModel* m, const mjData* d, int id, mjtNum result[6]) {
  mju_zero(result, 6);
  if (id < 0 || id >= d->ncon || d->contact[id].efc_address < 0 || !d->efc_force) return;
  const mjContact* con = d->contact + id;
  const mjtNum* force = d->efc_force + con->efc_address;
  if (con->dim > 1 && m->opt.cone == mjCONE_PYRAMIDAL) {
    mju_decodePyramid(result, force, con->friction, con->dim);
  } else {
    mju_copy(result, force, con->dim);
  }
}
