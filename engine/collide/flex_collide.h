// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Contacts of flexes. One state. The functions return nonzero if there was no room for a contact.
#ifndef SHEAF_COLLIDE_FLEX_COLLIDE_H_
#define SHEAF_COLLIDE_FLEX_COLLIDE_H_

#include <mujoco/mujoco.h>

// Contacts of the geoms of a body with all flexes.
int mji_flex_collideBody(const mjModel* m, mjData* d, int body);

// Contacts of flexes with each other, then within each flex.
int mji_flex_collideFlexes(const mjModel* m, mjData* d);

#endif  // SHEAF_COLLIDE_FLEX_COLLIDE_H_
