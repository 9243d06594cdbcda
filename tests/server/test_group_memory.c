// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The memory that control groups allow.
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/group_memory.h"

static void write_text(const char* folder, const char* name, const char* text) {
  char path[256];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE* file = fopen(path, "w");
  CHECK(file);
  if (!file) return;
  fputs(text, file);
  fclose(file);
}

// A folder for groups, with those of `groups` in it and a file `membership`, whose path goes to `membership`.
static void make_groups(char* root, const char* const* groups, char membership[256]) {
  char path[256];
  CHECK(mkdtemp(root));
  snprintf(membership, 256, "%s/membership", root);
  for (; *groups; groups++) {
    snprintf(path, sizeof path, "%s%s", root, *groups);
    CHECK(!mkdir(path, 0700));
  }
}

static void remove_groups(const char* root) {
  char command[256];
  snprintf(command, sizeof command, "rm -r %s", root);
  CHECK(!system(command));
}

TEST(the_smallest_limit_of_all_groups_above_holds) {
  char root[] = "/tmp/sheaf-group-XXXXXX", membership[256];
  make_groups(root, (const char*[]){"/a", "/a/b", "/a/b/c", NULL}, membership);
  write_text(root, "membership", "1:memory:/elsewhere\n0::/a/b/c\n");
  CHECK_EQ(srv_group_memory(membership, root), 0);
  write_text(root, "a/b/c/memory.max", "max\n");
  CHECK_EQ(srv_group_memory(membership, root), 0);
  write_text(root, "a/memory.max", "5368709120\n");
  CHECK_EQ(srv_group_memory(membership, root), 5368709120);
  write_text(root, "a/b/memory.max", "1048576\n");
  CHECK_EQ(srv_group_memory(membership, root), 1048576);

  // as in a container, where the group is the root
  write_text(root, "membership", "0::/\n");
  write_text(root, "memory.max", "4096\n");
  CHECK_EQ(srv_group_memory(membership, root), 4096);
  write_text(root, "membership", "1:memory:/a\n");
  CHECK_EQ(srv_group_memory(membership, root), 0);
  CHECK_EQ(srv_group_memory("/nonexistent", root), 0);
  remove_groups(root);
}

TEST(limits_of_version_1_hold) {
  char root[] = "/tmp/sheaf-group-XXXXXX", membership[256];
  make_groups(root, (const char*[]){"/memory", "/memory/a", "/memory/a/b", "/x", NULL}, membership);
  write_text(root, "membership", "11:cpu,cpuacct:/x\n4:hugetlb,memory:/a/b\n1:name=memory:/x\n0::/x\n");
  write_text(root, "memory/memory.limit_in_bytes", "9223372036854771712\n");  // none
  CHECK_EQ(srv_group_memory(membership, root), 0);
  write_text(root, "memory/a/memory.limit_in_bytes", "5368709120\n");
  CHECK_EQ(srv_group_memory(membership, root), 5368709120);
  write_text(root, "memory/a/b/memory.limit_in_bytes", "1048576\n");
  CHECK_EQ(srv_group_memory(membership, root), 1048576);

  // both versions at once, and a container that sees its own group as the root
  write_text(root, "x/memory.max", "4096\n");
  CHECK_EQ(srv_group_memory(membership, root), 4096);
  write_text(root, "membership", "4:memory:/docker/f00\n");
  write_text(root, "memory/memory.limit_in_bytes", "8192\n");
  CHECK_EQ(srv_group_memory(membership, root), 8192);
  write_text(root, "membership", "4:memor:/a\n5:xmemory:/a\n6\n7:memory\n8:memory:a\n:\n");
  CHECK_EQ(srv_group_memory(membership, root), 0);
  remove_groups(root);
}
