// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "support/test.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

// this file sees assertions as a debug build does, whatever the build is
#undef SHEAF_ASSERT
#define SHEAF_ASSERT 1
#include "base/assert.h"

// what a child process wrote to stderr while it checked whether n is 3; its exit status
static int childSays(int n, char* text, size_t size) {
  int ends[2];
  if (pipe(ends)) return -1;
  fflush(NULL);
  pid_t child = fork();
  if (!child) {
    dup2(ends[1], STDERR_FILENO);
    MJ_ASSERT(n == 3);
    _exit(0);
  }
  close(ends[1]);
  ssize_t got = read(ends[0], text, size - 1);
  text[got > 0 ? got : 0] = 0;
  close(ends[0]);
  int status = -1;
  waitpid(child, &status, 0);
  return status;
}

TEST(a_true_assertion_does_nothing) {
  char text[300];
  int status = childSays(3, text, sizeof text);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  CHECK_EQ(strlen(text), 0);
}

TEST(a_false_assertion_names_file_line_and_condition_and_aborts) {
  char text[300];
  int status = childSays(4, text, sizeof text);
  CHECK(!WIFEXITED(status) || WEXITSTATUS(status) != 0);
  CHECK_TEXT(text, "test_assert.c:");
  CHECK_TEXT(text, ": assertion failed: n == 3");
}

#undef MJ_ASSERT
#undef SHEAF_ASSERT
#undef SHEAF_BASE_ASSERT_H_
#include "base/assert.h"

TEST(an_assertion_that_is_off_is_not_evaluated) {
  int calls = 0;
  MJ_ASSERT(++calls == 7);
  CHECK_EQ(calls, 0);
}
