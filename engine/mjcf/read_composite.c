// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Composite objects: bodies generated from a short description.

#include <string.h>

#include "mjcf/read.h"

void mji_readComposite(mjiReader* r, const mjiXML* elem, mjsBody* body, mjsFrame* frame,
                       const mjsDefault* def) {
  (void)body, (void)frame, (void)def;
  mji_readFail(r, elem, "composite objects are not supported");
}
