// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// From a specification to a model that can be stepped.
#ifndef SHEAF_LOAD_LOAD_H_
#define SHEAF_LOAD_LOAD_H_

#include "spec/element.h"

// mj_compile, except that elements do not remember their ids yet. NULL after an error, which the specification keeps.
mjModel* mji_load_spec(mjiSpec* s, const mjVFS* vfs);

#endif  // SHEAF_LOAD_LOAD_H_
