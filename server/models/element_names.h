// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Names of a model's elements. The engine takes any bytes of any length; clients get all names in one message of valid
// UTF-8.
#ifndef SHEAF_SERVER_MODELS_ELEMENT_NAMES_H_
#define SHEAF_SERVER_MODELS_ELEMENT_NAMES_H_

#include <stdbool.h>
#include <stddef.h>

#include <mujoco/mujoco.h>

enum { SRV_NAME_BYTES = 1024, SRV_NAMES_BYTES = 4 << 20 };

// Are the names of a compiled model fit for clients? If not, text tells which one is not, and where it was written;
// spec is NULL for a model that came compiled.
bool srv_names_check(mjSpec* spec, const mjModel* m, const char* main, char* text, size_t size);

#endif  // SHEAF_SERVER_MODELS_ELEMENT_NAMES_H_
