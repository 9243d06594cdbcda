// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Files that live in memory. See mj_defaultVFS.
#ifndef SHEAF_BASE_VFS_H_
#define SHEAF_BASE_VFS_H_

#include <stddef.h>

#include <mujoco/mujoco.h>

// Content of a file, which belongs to the vfs, and its size. Looks for the whole name ("." and ".."
// resolved, case matters), then for the lower-case name without its directory. NULL if there is
// none or vfs is NULL. An empty file has a content that is not NULL.
const void* mji_vfsFind(const mjVFS* vfs, const char* name, size_t* size);

#endif  // SHEAF_BASE_VFS_H_
