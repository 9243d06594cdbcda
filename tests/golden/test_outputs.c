// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Geometric outputs of forward requests against numbers that record_outputs.py took from the reference. An output may
// have more numbers in a row than were recorded: the first of each are compared where there is one row.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sheaf/batch.h>

#include "support/test.h"

enum { NUMBERS = 1 << 14 };

static int readNumbers(FILE* file, mjtNum* x) {
  int n = 0;
  if (fscanf(file, "%d", &n) != 1 || n < 0 || n > NUMBERS) return -1;
  for (int i = 0; i < n; i++) {
    if (fscanf(file, "%lf", x + i) != 1) return -1;
  }
  return n;
}

static void compare(const char* name, double tol, const mjtNum* want, const mjtNum* got, int n) {
  double scale = 1, worst = 0;
  for (int i = 0; i < n; i++) scale = fmax(scale, fabs(want[i]));
  for (int i = 0; i < n; i++) worst = fmax(worst, fabs(got[i] - want[i]));
  char text[200];
  snprintf(text, sizeof text, "%s is off by %.3g", name, worst / scale);
  test_check(n > 0 && worst <= tol * scale, __FILE__, __LINE__, text);
}

static void golden(const char* model) {
  char path[512], word[16], name[100], error[300] = "";
  snprintf(path, sizeof path, "%s/golden/models/%s.xml", SHEAF_TEST_DIR, model);
  mjModel* m = mj_loadXML(path, NULL, error, sizeof error);
  CHECK_TEXT(error, "");
  snprintf(path, sizeof path, "%s/golden/outputs/%s.txt", SHEAF_TEST_DIR, model);
  FILE* file = fopen(path, "r");
  sheafPoolConfig config = {.size = sizeof config, .nthread = 1, .nlane = 4};
  sheafPool* pool = sheaf_openPool(&config, NULL);
  mjtNum *qpos = calloc(NUMBERS, sizeof *qpos), *qvel = calloc(NUMBERS, sizeof *qvel);
  mjtNum *want = calloc(NUMBERS, sizeof *want), *got = calloc(NUMBERS, sizeof *got);
  int nexpect = 0;
  while (file && fscanf(file, "%15s", word) == 1) {
    double tol;
    if (!strcmp(word, "qpos")) CHECK_EQ(readNumbers(file, qpos), m->nq);
    if (!strcmp(word, "qvel")) CHECK_EQ(readNumbers(file, qvel), m->nv);
    if (strcmp(word, "expect") != 0) continue;
    int n = fscanf(file, "%lf", &tol) == 1 ? readNumbers(file, want) : -1;
    if (n < 0 || fscanf(file, " | %99[^\n]", name) != 1) break;
    CHECK(sheaf_outputSize(m, name, NULL) >= n);
    sheafOutput out = {name, got};
    sheafForward r = {.size = sizeof r,
                      .nbatch = 1,
                      .qpos = qpos,
                      .nqpos = 1,
                      .qvel = qvel,
                      .nqvel = 1,
                      .output = &out,
                      .noutput = 1};
    CHECK_EQ(sheaf_forward(pool, m, &r, NULL), 0);
    compare(name, tol, want, got, n);
    nexpect++;
  }
  CHECK_EQ(nexpect, 3 * 18);
  if (file) fclose(file);
  sheaf_closePool(pool);
  mj_deleteModel(m);
  free(qpos);
  free(qvel);
  free(want);
  free(got);
}

TEST(outputs_of_stack) { golden("stack"); }
TEST(outputs_of_walker) { golden("walker"); }
