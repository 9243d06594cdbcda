// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Whole models against numbers that record.py took from the reference. Each file of numbers/ says
// what to do and what must come out, line by line; record.py describes the lines.

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mujoco/mjxmacro.h>
#include <sheaf/batch.h>

#include "support/test.h"

enum { NAME = 64, NUMBERS = 1 << 16 };

typedef struct {
  mjModel* m;
  mjData* d;
  FILE* file;
  const char* model;
  int line;
  mjtNum* values;  // numbers of the line
  mjtNum* got;
  mjtNum* fd[4];  // A B C D
} Golden;

static void fail(const Golden* g, const char* what, const char* name) {
  char text[200];
  snprintf(text, sizeof text, "%s:%d: %s %s", g->model, g->line, what, name);
  test_check(0, __FILE__, __LINE__, text);
}

static int readNumbers(Golden* g, char name[NAME]) {
  int n = 0;
  if (fscanf(g->file, "%63s %d", name, &n) != 2 || n < 1 || n > NUMBERS) {
    fail(g, "cannot read", name);
    return 0;
  }
  for (int i = 0; i < n; i++) {
    if (fscanf(g->file, "%lf", g->values + i) != 1) fail(g, "too few numbers", name);
  }
  return n;
}

// largest difference, relative to the largest number of the array where that is above one
static void compare(const Golden* g, const char* name, int n, double tol) {
  double scale = 1, worst = 0;
  for (int i = 0; i < n; i++) scale = fmax(scale, fabs(g->values[i]));
  for (int i = 0; i < n; i++) {
    double off = fabs(g->got[i] - g->values[i]);
    if (!(off <= worst)) worst = off;
  }
  if (worst <= tol * scale) {
    CHECK(n > 0);
    return;
  }
  char what[NAME];
  snprintf(what, sizeof what, "off by %.3g:", worst / scale);
  fail(g, what, name);
}

// ---- arrays by name

static int modelArray(Golden* g, const char* name) {
  int64_t shape[2];
  char type;
  const void* p = sheaf_modelArray(g->m, name, shape, &type);
  int n = p ? (int)(shape[0] * shape[1]) : 0;
  for (int i = 0; i < n; i++) {
    g->got[i] = type == 'd'   ? ((const double*)p)[i]
                : type == 'f' ? (double)((const float*)p)[i]
                              : (double)((const int*)p)[i];
  }
  return n;
}

static mjtNum* dataArray(const Golden* g, const char* name, int* n) {
  const mjModel* m = g->m;
  mjData* d = g->d;
  const struct {
    const char* name;
    size_t offset;
    int64_t n;
  } table[] = {
#define X(type, field, nr, nc) {#field, offsetof(mjData, field), (int64_t)m->nr * (nc)},
#undef MJ_M
#define MJ_M(n) m->n
      MJDATA_POINTERS
#undef X
  };
  if (!strcmp(name, "energy")) {
    *n = 2;
    return d->energy;
  }
  for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
    if (strcmp(table[i].name, name)) continue;
    *n = (int)table[i].n;
    return *(mjtNum**)((char*)d + table[i].offset);
  }
  *n = 0;
  return NULL;
}

static int contactDistances(Golden* g) {
  for (int i = 0; i < g->d->ncon; i++) g->got[i] = g->d->contact[i].dist;
  return g->d->ncon;
}

// the first four columns of a derivative
static int derivative(Golden* g, char name) {
  int ndx = 2 * (int)g->m->nv + (int)g->m->na, nu = (int)g->m->nu;
  int rows = name <= 'B' ? ndx : (int)g->m->nsensordata;
  int cols = name == 'A' || name == 'C' ? ndx : nu;
  int take = cols < 4 ? cols : 4;
  for (int i = 0; i < rows * take; i++) g->got[i] = g->fd[name - 'A'][i / take * cols + i % take];
  return rows * take;
}

// ---- lines

static void doCompiled(Golden* g) {
  char name[NAME] = "";
  int n = readNumbers(g, name), have = modelArray(g, name);
  if (n != have) fail(g, "other size:", name);
  else compare(g, name, n, 1e-9);
}

static void doOption(Golden* g) {
  char name[NAME] = "";
  int value = 0;
  if (fscanf(g->file, "%63s %d", name, &value) != 2) fail(g, "cannot read", "option");
  if (!strcmp(name, "integrator")) g->m->opt.integrator = value;
  else if (!strcmp(name, "cone")) g->m->opt.cone = value;
  else if (!strcmp(name, "solver")) g->m->opt.solver = value;
  else fail(g, "no option", name);
}

static void doSet(Golden* g) {
  char name[NAME] = "";
  int n = readNumbers(g, name), have = 0;
  mjtNum* p = dataArray(g, name, &have);
  if (n != have) fail(g, "other size:", name);
  else mju_copy(p, g->values, n);
}

static void runDerivatives(Golden* g) {
  int ndx = 2 * (int)g->m->nv + (int)g->m->na, nu = (int)g->m->nu, ns = (int)g->m->nsensordata;
  const int size[4] = {ndx * ndx, ndx * nu, ns * ndx, ns * nu};
  for (int i = 0; i < 4; i++) {
    free(g->fd[i]);
    g->fd[i] = size[i] ? calloc(size[i], sizeof(mjtNum)) : NULL;
  }
  mjd_transitionFD(g->m, g->d, 1e-6, 1, g->fd[0], g->fd[1], g->fd[2], g->fd[3]);
}

static void doRun(Golden* g) {
  char what[NAME] = "";
  if (fscanf(g->file, "%63s", what) != 1) fail(g, "cannot read", "run");
  if (!strcmp(what, "forward")) mj_forward(g->m, g->d);
  else if (!strcmp(what, "inverse")) mj_inverse(g->m, g->d);
  else if (!strcmp(what, "step")) mj_step(g->m, g->d);
  else if (!strcmp(what, "fd")) runDerivatives(g);
  else fail(g, "cannot run", what);
}

static void doExpect(Golden* g) {
  double tol = 0;
  char name[NAME] = "";
  if (fscanf(g->file, "%lf", &tol) != 1) fail(g, "cannot read", "expect");
  int n = readNumbers(g, name), have = 0;
  if (!strcmp(name, "dist")) {
    have = contactDistances(g);
  } else if (strlen(name) == 1 && *name >= 'A' && *name <= 'D') {
    have = derivative(g, *name);
  } else {
    const mjtNum* p = dataArray(g, name, &have);
    if (p && have == n) mju_copy(g->got, p, n);
  }
  if (n != have) fail(g, "other size:", name);
  else compare(g, name, n, tol);
}

static void doReset(Golden* g) { mj_resetData(g->m, g->d); }

static void carryOut(Golden* g) {
  static const struct {
    const char* word;
    void (*run)(Golden*);
  } table[] = {{"compiled", doCompiled}, {"option", doOption}, {"reset", doReset},
               {"set", doSet},           {"run", doRun},       {"expect", doExpect}};
  char word[NAME];
  while (fscanf(g->file, "%63s", word) == 1) {
    size_t i = 0, n = sizeof table / sizeof table[0];
    while (i < n && strcmp(table[i].word, word)) i++;
    if (i == n) {
      fail(g, "no such line:", word);
      return;
    }
    g->line++;
    table[i].run(g);
  }
  CHECK(g->line > 100);
}

// a model that is saved loads again, to the same bytes
static void checkSaved(const mjModel* m) {
  int size = (int)mj_sizeModel(m);
  char *saved = malloc((size_t)size), *again = malloc((size_t)size);
  mj_saveModel(m, NULL, saved, size);
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, "m.mjb", saved, size);
  mjModel* loaded = mj_loadModel("m.mjb", &vfs);
  CHECK(loaded != NULL);
  if (loaded) {
    mj_saveModel(loaded, NULL, again, size);
    CHECK_EQ(memcmp(saved, again, (size_t)size), 0);
  }
  mj_deleteModel(loaded);
  mj_deleteVFS(&vfs);
  free(saved);
  free(again);
}

static void golden(const char* model, const char* type) {
  char path[500], error[500] = "";
  snprintf(path, sizeof path, "%s/golden/models/%s.%s", SHEAF_TEST_DIR, model, type);
  Golden g = {.model = model, .m = mj_loadXML(path, NULL, error, sizeof error)};
  snprintf(path, sizeof path, "%s/golden/numbers/%s.txt", SHEAF_TEST_DIR, model);
  g.file = fopen(path, "r");
  if (!g.m || !g.file) {
    test_check(0, __FILE__, __LINE__, g.m ? path : error);
  } else {
    checkSaved(g.m);
    g.d = mj_makeData(g.m);
    g.values = malloc(NUMBERS * sizeof(mjtNum));
    g.got = malloc(NUMBERS * sizeof(mjtNum));
    carryOut(&g);
  }
  if (g.file) fclose(g.file);
  for (int i = 0; i < 4; i++) free(g.fd[i]);
  free(g.values);
  free(g.got);
  mj_deleteData(g.d);
  mj_deleteModel(g.m);
}

TEST(arm) { golden("arm", "xml"); }
TEST(limb) { golden("limb", "xml"); }
TEST(robot) { golden("robot", "urdf"); }
TEST(stack) { golden("stack", "xml"); }
TEST(terrain) { golden("terrain", "xml"); }
TEST(walker) { golden("walker", "xml"); }
