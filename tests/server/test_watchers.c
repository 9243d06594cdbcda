// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "net/watchers.h"

#include <sys/resource.h>
#include <unistd.h>

#include "support/test.h"

TEST(table_of_descriptors_has_its_size_from_the_start) {
  struct rlimit limit;
  uv_loop_t loop;
  uv_poll_t room;
  getrlimit(RLIMIT_NOFILE, &limit);
  unsigned most = limit.rlim_cur < SRV_MOST_WATCHERS ? (unsigned)limit.rlim_cur : SRV_MOST_WATCHERS;
  uv_loop_init(&loop);
  CHECK(loop.nwatchers < most);
  int before = dup(0);
  close(before);
  srv_watchers_reserve(&loop, &room);
  CHECK(loop.nwatchers >= most);

  // what it took is given back: the next descriptor has the same number, and the loop has nothing to wait for
  int after = dup(0);
  close(after);
  CHECK_EQ(after, before);
  CHECK_EQ(uv_run(&loop, UV_RUN_DEFAULT), 0);
  CHECK_EQ(uv_loop_close(&loop), 0);
}
