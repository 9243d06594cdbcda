// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "model/lanes_ok.h"

#include "model/equality_row.h"

// Trees that sleep differ from lane to lane, and with them the lists that all kernels walk: a group runs while all are
// awake (model/sleep_lanes.h). Without islands one state counts only in steps without rows, tendons that are equal are
// an error of each step, and a tree that sleeps from the start leaves nothing to run.
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

// Plugins are code of the user, which sees one state at a time, as callbacks do (mji_hasUserCode).
int mji_lanesOk(const mjModel* m) { return !m->nflex && !m->nplugin && (!mjENABLED(mjENBL_SLEEP) || mayStartAwake(m)); }
