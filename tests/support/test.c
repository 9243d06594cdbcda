// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct {
  const char* file;
  const char* name;
  testFunc func;
} Test;

enum { MAXTEST = 2000 };

static Test tests[MAXTEST];
static int ntest, nfail, nskip;
static int failed, skipped;  // in the running test

void test_register(const char* file, const char* name, testFunc func) {
  if (ntest == MAXTEST) abort();
  tests[ntest++] = (Test){file, name, func};
}

static void fail(const char* file, int line) {
  failed = 1;
  printf("  %s:%d: ", file, line);
}

void test_check(int ok, const char* file, int line, const char* what) {
  if (ok) return;
  fail(file, line);
  printf("%s\n", what);
}

static int isNear(double got, double want, double tol) { return fabs(got - want) <= tol * fmax(1, fabs(want)); }

void test_checkNear(double got, double want, double tol, const char* file, int line, const char* what) {
  if (isNear(got, want, tol)) return;
  fail(file, line);
  printf("%s is %.17g, expected %.17g (off by %.3g)\n", what, got, want, fabs(got - want));
}

void test_checkArray(const double* got, const double* want, int n, double tol, const char* file, int line,
                     const char* what) {
  for (int i = 0; i < n; i++) {
    if (isNear(got[i], want[i], tol)) continue;
    fail(file, line);
    printf("%s[%d] is %.17g, expected %.17g (off by %.3g)\n", what, i, got[i], want[i], fabs(got[i] - want[i]));
    return;
  }
}

void test_checkText(const char* got, const char* want, const char* file, int line, const char* what) {
  if (got && (*want ? strstr(got, want) != NULL : !*got)) return;
  fail(file, line);
  printf("%s is \"%s\", expected it to contain \"%s\"\n", what, got ? got : "(null)", want);
}

void test_skip(const char* reason) {
  skipped = 1;
  printf("  skipped: %s\n", reason);
}

int test_emulated(void) { return getenv("TEST_EMULATED") != NULL; }

mjModel* test_model(const char* xml) {
  char error[1000] = "";
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, "test.xml", xml, (int)strlen(xml));
  mjModel* m = mj_loadXML("test.xml", &vfs, error, sizeof error);
  mj_deleteVFS(&vfs);
  if (!m) {
    failed = 1;
    printf("  model does not compile: %s\n", error);
  }
  return m;
}

void test_rejects(const char* xml, const char* expect) {
  char error[1000] = "";
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, "test.xml", xml, (int)strlen(xml));
  mjModel* m = mj_loadXML("test.xml", &vfs, error, sizeof error);
  mj_deleteVFS(&vfs);
  if (m) {
    failed = 1;
    printf("  model compiles, expected an error with \"%s\"\n", expect);
    mj_deleteModel(m);
  } else if (!strstr(error, expect)) {
    failed = 1;
    printf("  error is \"%s\", expected it to contain \"%s\"\n", error, expect);
  }
}

// with TEST_TIMES, what a test takes of processors
static void runTest(const Test* test) {
  clock_t start = clock();
  test->func();
  if (getenv("TEST_TIMES")) printf("%8.2f s  %s\n", (double)(clock() - start) / CLOCKS_PER_SEC, test->name);
}

static int hasEnd(const char* text, const char* end) {
  size_t n = strlen(text), k = strlen(end);
  return n >= k && !strcmp(text + n - k, end);
}

// No argument asks for all tests, others for those whose names contain one of them or whose files end with one.
static int isAsked(const Test* test, int argc, char** argv) {
  for (int i = 1; i < argc; i++) {
    if (strstr(test->name, argv[i]) || hasEnd(test->file, argv[i])) return 1;
  }
  return argc < 2;
}

int main(int argc, char** argv) {
  int nrun = 0;
  for (int i = 0; i < ntest; i++) {
    if (!isAsked(&tests[i], argc, argv)) continue;
    failed = skipped = 0;
    runTest(&tests[i]);
    nrun++;
    nfail += failed;
    nskip += skipped && !failed;
    if (failed) printf("FAILED %s (%s)\n", tests[i].name, tests[i].file);
    fflush(stdout);
  }
  // Nothing else points to the first byte of its elements, so valgrind would report them as possibly lost.
  mj_freeLastXML();
  printf("%d passed, %d failed, %d skipped\n", nrun - nfail - nskip, nfail, nskip);
  return nfail || !nrun;
}
