// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "model/lanes_ok.h"

// Plugins are code of the user. Like callbacks (mji_hasUserCode), they see one state at a time.
int mji_lanesOk(const mjModel* m) { return !m->nflex && !m->nplugin; }
