// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "model/lanes_ok.h"

// Plugins are code of the user, which sees one state at a time, as callbacks do (mji_hasUserCode). Trees that sleep
// differ from lane to lane, and with them the lists that all kernels walk: in a group all lanes would have to do what
// any of them does, and nothing would be won by sleeping.
int mji_lanesOk(const mjModel* m) { return !m->nflex && !m->nplugin && !mjENABLED(mjENBL_SLEEP); }
