// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Where a specification was read from, for messages about its elements.
#ifndef SHEAF_SPEC_DOCUMENT_H_
#define SHEAF_SPEC_DOCUMENT_H_

#include <mujoco/mujoco.h>

void mji_spec_setDocument(mjSpec* s, const char* file);

#endif  // SHEAF_SPEC_DOCUMENT_H_
