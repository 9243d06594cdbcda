// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "model/flex_parts.h"

const char* mji_flexLacks(const mjModel* m) { return m->nflex ? "models with flexes cannot be stepped yet" : NULL; }
