// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "model/flex_parts.h"

const char* mji_flexLacks(const mjModel* m) {
  for (int f = 0; f < m->nflex; f++) {
    if (m->flex_contype[f] || m->flex_conaffinity[f] || m->flex_internal[f]) {
      return "contacts of flexes are not computed yet, but a flex has contype, conaffinity or internal contacts";
    }
    if (m->opt.enableflags & mjENBL_SLEEP) return "a model with flexes cannot sleep yet";
  }
  return NULL;
}
