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

TEST(the_smallest_limit_of_all_groups_above_holds) {
  char root[] = "/tmp/sheaf-group-XXXXXX", path[256], membership[256];
  CHECK(mkdtemp(root));
  snprintf(membership, sizeof membership, "%s/membership", root);
  for (const char** at = (const char*[]){"/a", "/a/b", "/a/b/c", NULL}; *at; at++) {
    snprintf(path, sizeof path, "%s%s", root, *at);
    CHECK(!mkdir(path, 0700));
  }
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
  snprintf(path, sizeof path, "rm -r %s", root);
  CHECK(!system(path));
}

TEST(limits_of_version_1_hold) {
  char root[] = "/tmp/sheaf-group-XXXXXX", path[256], membership[256];
  CHECK(mkdtemp(root));
  snprintf(membership, sizeof membership, "%s/membership", root);
  for (const char** at = (const char*[]){"/memory", "/memory/a", "/memory/a/b", "/x", NULL}; *at; at++) {
    snprintf(path, sizeof path, "%s%s", root, *at);
    CHECK(!mkdir(path, 0700));
  }
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
  snprintf(path, sizeof path, "rm -r %s", root);
  CHECK(!system(path));
}
