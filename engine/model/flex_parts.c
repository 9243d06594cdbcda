// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "model/flex_parts.h"

const char* mji_flexLacks(const mjModel* m) {
  if (m->nflex && m->opt.enableflags & mjENBL_SLEEP) return "a model with flexes cannot sleep yet";
  for (int f = 0; f < m->nflex; f++) {
    if (m->flex_passive[f]) return "passive contacts of flexes are not computed yet";
  }
  return NULL;
}
