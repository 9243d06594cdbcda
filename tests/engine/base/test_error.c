// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "support/test.h"

#include <setjmp.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"

TEST(trap_catches_an_error) {
  mjiTrap trap;
  volatile int reached = 0;
  if (mji_tryBegin(&trap)) {
    reached = 1;
    CHECK_TEXT(trap.text, "joint 7");
  } else {
    mju_error("no joint %d", 7);
    reached = 2;
  }
  CHECK_EQ(reached, 1);
}

TEST(an_error_has_up_to_1023_characters) {
  mjiTrap trap;
  if (mji_tryBegin(&trap)) {
    CHECK_EQ(strlen(trap.text), 1023);
  } else {
    mju_error("%2000d", 7);
  }
}

TEST(traps_nest) {
  mjiTrap outer, inner;
  volatile int order = 0;
  if (mji_tryBegin(&outer)) {
    CHECK_TEXT(outer.text, "second");
    CHECK_EQ(order, 1);
    order = 2;
  } else {
    if (mji_tryBegin(&inner)) {
      CHECK_TEXT(inner.text, "first");
      order = 1;
      mju_error("second");
    } else {
      mju_error("first");
    }
  }
  CHECK_EQ(order, 2);
}

static char lastError[100], lastWarning[100];
static jmp_buf escape;

static void keepError(const char* text) {
  strncpy(lastError, text, sizeof lastError - 1);
  longjmp(escape, 1);
}

static void keepWarning(const char* text) { strncpy(lastWarning, text, sizeof lastWarning - 1); }

TEST(user_handlers) {
  mju_user_error = keepError;
  mju_user_warning = keepWarning;
  if (!setjmp(escape)) mju_error_i("bad %d", 3);
  CHECK_TEXT(lastError, "bad 3");
  if (!setjmp(escape)) mju_error_s("bad %s", "name");
  CHECK_TEXT(lastError, "bad name");
  mju_warning("half %g", 0.5);
  CHECK_TEXT(lastWarning, "half 0.5");
  mju_warning_s("a %s", "b");
  CHECK_TEXT(lastWarning, "a b");

  // a trap comes before the handler
  mjiTrap trap;
  lastError[0] = 0;
  if (mji_tryBegin(&trap)) {
    CHECK_TEXT(trap.text, "inside");
  } else {
    mju_error("inside");
  }
  CHECK_EQ(lastError[0], 0);
  mju_clearHandlers();
  CHECK(!mju_user_error && !mju_user_warning);
}

static size_t length;

static void measureAndLeave(const char* text) {
  length = strlen(text);
  longjmp(escape, 1);
}

static void measure(const char* text) { length = strlen(text); }

// length of what a handler gets
static size_t toldBy(int call, const char* text) {
  length = 0;
  if (setjmp(escape)) return length;
  switch (call) {
    case 0: mju_error("%s", text); break;
    case 1: mju_error_s("%s", text); break;
    case 2: mju_error_i(text, 0); break;
    case 3: mju_warning("%s", text); break;
    case 4: mju_warning_s("%s", text); break;
    default: mju_warning_i(text, 0);
  }
  return length;
}

TEST(handlers_get_up_to_1023_characters) {
  static char name[2001];
  memset(name, 'x', 2000);
  static const size_t lengths[] = {999, 1000, 1001, 1023, 1024, 2000};
  mju_user_error = measureAndLeave;
  mju_user_warning = measure;
  for (int i = 0; i < 6; i++) {
    size_t want = lengths[i] < 1023 ? lengths[i] : 1023;
    for (int call = 0; call < 6; call++) CHECK_EQ(toldBy(call, name + 2000 - lengths[i]), want);
  }
  mju_clearHandlers();
}

static int nmalloc, nfree;

static void* countMalloc(size_t size) {
  nmalloc++;
  return malloc(size);
}

static void countFree(void* p) {
  nfree++;
  free(p);
}

TEST(allocation_hooks) {
  mju_user_malloc = countMalloc;
  mju_user_free = countFree;
  mju_free(mju_malloc(100));
  mju_free(NULL);
  mju_clearHandlers();
  CHECK(nmalloc == 1 && nfree == 1);
}

TEST(allocations_are_counted_and_aligned) {
  int64_t before = mji_countMalloc();
  void* p = mju_malloc(1);
  void* q = mji_tryCalloc(1000);
  CHECK_EQ(mji_countMalloc() - before, 2);
  CHECK(!((uintptr_t)p % 64) && !((uintptr_t)q % 64));
  CHECK(((char*)q)[999] == 0);
  mju_free(p);
  mju_free(q);
}
