// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Bad numbers in the state. A single state is reset with a warning, as documented for mj_step. A lane of a group is
// marked, and gets the initial state: computing with bad numbers would slow down the whole group.

#include "lanes/lanes.h"
#include "lanes/kernels.h"

#include "dynamics/spatial.h"
#include "model/work.h"
#include "pipeline/pipeline.h"

// lanes in which any of n numbers is not finite or too large
static M badNumbers(const mjtNum* x_, int n) {
  const V* x = CLANES(x_);
  M bad = m_none();
  V limit = v_set1(mjMAXVAL);
  for (int i = 0; i < n; i++) bad = bad | ~v_le(v_abs(x[i]), limit);
  return bad;
}

// where bad: x = value, broadcast
static void replace(mjtNum* x_, const mjtNum* value, int n, M bad) {
  V* x = LANES(x_);
  for (int i = 0; i < n; i++) x[i] = v_sel(bad, v_set1(value ? value[i] : 0), x[i]);
}

// remember the first cause, and set the lane to the initial state
static void retire(const mjModel* m, mjData* d, M bad, int warning) {
  mjiWork* work = mji_work(d);
  for (int i = 0; i < SHEAF_LANES; i++) {
    if (!m_get(bad, i)) continue;
    if (!work->bad[i]) work->badcode[i] = warning;
    work->bad[i] = -1;
  }
  replace(d->qpos, m->qpos0, m->nq, bad);
  replace(d->qvel, NULL, m->nv, bad);
  replace(d->act, NULL, m->na, bad);
  replace(d->qacc_warmstart, NULL, m->nv, bad);
}

// nonzero if one state was reset
static int reject(const mjModel* m, mjData* d, M bad, const mjtNum* x, int warning) {
  if (!ONE_STATE) {
    retire(m, d, bad, warning);
    return 0;
  }
  int i = 0;
  while (!mju_isBad(x[i])) i++;
  return mji_rejectState(m, d, warning, i);
}

void LANE(checkState)(const mjModel* m, mjData* d) {
  M bad = badNumbers(d->qpos, m->nq);
  if (m_any(bad)) reject(m, d, bad, d->qpos, mjWARN_BADQPOS);
  bad = badNumbers(d->qvel, m->nv);
  if (m_any(bad)) reject(m, d, bad, d->qvel, mjWARN_BADQVEL);
}

int LANE(checkAcc)(const mjModel* m, mjData* d) {
  M bad = badNumbers(d->qacc, m->nv);
  if (!m_any(bad)) return 0;
  if (reject(m, d, bad, d->qacc, mjWARN_BADQACC) || ONE_STATE) return ONE_STATE;

  // a lane whose accelerations are bad does not move in this step
  retire(m, d, bad, mjWARN_BADQACC);
  replace(d->qacc, NULL, m->nv, bad);
  replace(d->qfrc_smooth, NULL, m->nv, bad);
  replace(d->qfrc_constraint, NULL, m->nv, bad);
  replace(d->act_dot, NULL, m->na, bad);
  return 0;
}
