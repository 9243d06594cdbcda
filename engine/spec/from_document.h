// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// What a specification keeps of the document that it was read from.
#ifndef SHEAF_SPEC_FROM_DOCUMENT_H_
#define SHEAF_SPEC_FROM_DOCUMENT_H_

#include <mujoco/mujoco.h>

void mji_spec_setDocument(mjSpec* s, const char* file);

// A model among the assets of the document, found by its name from now on; freed with s.
void mji_spec_addModel(mjSpec* s, mjSpec* model);

#endif  // SHEAF_SPEC_FROM_DOCUMENT_H_
