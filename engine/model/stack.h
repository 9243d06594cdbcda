// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The arena of a data and its two ends.
#ifndef SHEAF_MODEL_STACK_H_
#define SHEAF_MODEL_STACK_H_

#include <mujoco/mujoco.h>

// Memory for an arena, not initialized; NULL if there is none. With several lanes the arena is large and hardly used,
// so it is mapped without a promise of the system that all of it is there at once; then `mapped` is set.
void* mji_tryArena(size_t bytes, int nlane, int* mapped);

// Give an arena back; mapped as mji_tryArena set it.
void mji_freeArena(void* arena, size_t bytes, int mapped);

// Make the whole arena addressable again, before it is freed or filled.
void mji_unpoisonArena(const mjData* d);

// Empty both ends and poison everything.
void mji_resetArena(mjData* d);

// Take exactly the first bytes of the arena as allocated. 0 if it is smaller.
int mji_arenaReserve(mjData* d, size_t bytes);

#endif  // SHEAF_MODEL_STACK_H_
