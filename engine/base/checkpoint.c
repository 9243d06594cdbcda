// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "base/checkpoint.h"

#include <stddef.h>

static _Thread_local mjiWatcher* watcher;

void mji_setWatcher(mjiWatcher* w) { watcher = w; }

void mji_checkpoint(void) {
  if (watcher) watcher->reached(watcher);
}
