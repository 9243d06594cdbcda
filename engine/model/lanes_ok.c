// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "model/lanes_ok.h"

// Plugins are code of the user. Like callbacks (mji_hasUserCode), they see one state at a time.
//
// Trees of flexes come to rest by contacts of many bodies, which only one state counts.
int mji_lanesOk(const mjModel* m) {
  int sleepy = m->nflex && m->opt.enableflags & mjENBL_SLEEP;
  return !sleepy && !m->nplugin;
}
