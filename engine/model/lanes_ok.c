// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "model/lanes_ok.h"

#include "model/equality_row.h"

// Sleeping trees differ from lane to lane, and so do the lists that all kernels walk. A group of lanes therefore runs
// only while all trees are awake (model/sleep_lanes.h). Models that may sleep run one state at a time in three cases:
// without islands, because steps at rest then count only if they have no rows; with a tendon equality, because every
// step reports an error; with a tree asleep from the start, because a group could never run.
static int mayStartAwake(const mjModel* m) {
  if (mjDISABLED(mjDSBL_ISLAND)) return 0;
  for (int i = 0; i < m->neq; i++) {
    if (mji_equalityRow(m->eq_type[i])->ends == mjiENDS_TENDONS) return 0;
  }
  for (int t = 0; t < m->ntree; t++) {
    if (m->tree_sleep_policy[t] == mjSLEEP_INIT) return 0;
  }
  return 1;
}

// Plugins are code of the user. Like callbacks (mji_hasUserCode), they see one state at a time.
int mji_lanesOk(const mjModel* m) { return !m->nflex && !m->nplugin && (!mjENABLED(mjENBL_SLEEP) || mayStartAwake(m)); }
