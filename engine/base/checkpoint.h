// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Checkpoints: points at which a computation of many parts may wait or end.
//
// A row of derivatives of a large model takes many seconds, and neither a client that has left nor one that waits for a
// worker can wait for its end. So loops over columns call mji_checkpoint once for each. Whoever runs such a computation
// in a thread (the pool) may set a watcher there: the watcher may keep the thread waiting, or leave with mju_error, as
// any error leaves. Without a watcher, as in programs that call the engine themselves, a checkpoint does nothing.
#ifndef SHEAF_BASE_CHECKPOINT_H_
#define SHEAF_BASE_CHECKPOINT_H_

#include <stddef.h>

typedef struct mjiWatcher_ {
  void (*reached)(struct mjiWatcher_* self);
} mjiWatcher;

// Set the watcher of this thread; NULL: none.
void mji_setWatcher(mjiWatcher* watcher);

// Nothing but results, and scratch of the data, may be in use here: after an error nobody frees anything else.
void mji_checkpoint(void);

// A checkpoint after each 2^16 numbers: for loops whose turns are short. `spent` counts them, and begins with zero.
static inline void mji_rest(size_t* spent, size_t n) {
  if ((*spent += n) < (size_t)1 << 16) return;
  *spent = 0;
  mji_checkpoint();
}

#endif  // SHEAF_BASE_CHECKPOINT_H_
