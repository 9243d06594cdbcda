// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The memory that the control groups of this process allow, in both versions (libuv knows the root of version 1 only).
// A service file or a container may set such a limit, and the system ends a server that uses more, so defaults must not
// follow from the memory of the machine alone.
#ifndef SHEAF_SERVER_BASE_GROUP_MEMORY_H_
#define SHEAF_SERVER_BASE_GROUP_MEMORY_H_

#include <stdint.h>

// The smallest limit of the groups named in `membership` (/proc/self/cgroup) that lie under `root` (/sys/fs/cgroup);
// 0 if there is none.
uint64_t srv_group_memory(const char* membership, const char* root);

#endif  // SHEAF_SERVER_BASE_GROUP_MEMORY_H_
