// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Tests register themselves: TEST(gyro_is_in_site_frame) { ... CHECK_NEAR(got, want, 1e-12); }
// One executable per folder; run it with parts of tests' names, or with names of files, to filter. A failed check is
// reported with its place and the test goes on; the process exits with 1 if any failed.
#ifndef SHEAF_TESTS_SUPPORT_TEST_H_
#define SHEAF_TESTS_SUPPORT_TEST_H_

#include <mujoco/mujoco.h>

// Is this the build of a sanitizer, which takes more time and keeps memory of its own for each byte that is touched?
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

typedef void (*testFunc)(void);

void test_register(const char* file, const char* name, testFunc func);
void test_check(int ok, const char* file, int line, const char* what);
void test_checkNear(double got, double want, double tol, const char* file, int line, const char* what);
void test_checkArray(const double* got, const double* want, int n, double tol, const char* file, int line,
                     const char* what);
void test_checkText(const char* got, const char* want, const char* file, int line, const char* what);

// Count this test as skipped, with a reason.
void test_skip(const char* reason);

// Do the tests run under an emulator of another processor (TEST_EMULATED)? Its times, memory and limits are not those
// of the program.
int test_emulated(void);

// Compile a model from MJCF text; a compile error fails the test and returns NULL.
mjModel* test_model(const char* xml);

// Compile text that must be rejected: fails the test unless the error contains `expect`.
void test_rejects(const char* xml, const char* expect);

#define TEST(name)                                                                                                \
  static void test_##name(void);                                                                                  \
  __attribute__((constructor)) static void register_##name(void) { test_register(__FILE__, #name, test_##name); } \
  static void test_##name(void)

#define CHECK(cond) test_check(!!(cond), __FILE__, __LINE__, #cond)
#define CHECK_EQ(got, want) CHECK((got) == (want))
// absolute, or relative to want where that is larger than one
#define CHECK_NEAR(got, want, tol) test_checkNear((got), (want), (tol), __FILE__, __LINE__, #got)
#define CHECK_ARRAY(got, want, n, tol) test_checkArray((got), (want), (n), (tol), __FILE__, __LINE__, #got)
// the text contains what is expected; it is empty if nothing is
#define CHECK_TEXT(got, want) test_checkText((got), (want), __FILE__, __LINE__, #got)

#endif  // SHEAF_TESTS_SUPPORT_TEST_H_
