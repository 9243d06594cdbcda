// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// What the reader needs of an element beyond the public functions.
#ifndef SHEAF_SPEC_RESET_ELEMENT_H_
#define SHEAF_SPEC_RESET_ELEMENT_H_

#include <mujoco/mujoco.h>

// Give an element the initial values of its type, as if there were no default classes.
void mji_elem_reset(mjsElement* element);

#endif  // SHEAF_SPEC_RESET_ELEMENT_H_
