// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "batch/columns.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "batch/choice.h"
#include "batch/evaluator.h"
#include "pool/pool.h"

// The columns of one kind: what has the names of their elements, and where they begin.
typedef struct {
  const char *name, *rows;
  int first, count;
} Kind;

static int ofSteps(int kind) { return kind == SHEAF_TRANSITION_FD || kind == SHEAF_TRANSITION_DERIVATIVES; }

static int haveColumns(int kind) {
  return ofSteps(kind) || kind == SHEAF_INVERSE_FD || kind == SHEAF_INVERSE_DERIVATIVES;
}

static void listKinds(const mjModel* m, int request, Kind kind[MJI_COLUMN_KINDS]) {
  int nv = (int)m->nv, na = (int)m->na, nu = (int)m->nu, steps = ofSteps(request);
  kind[0] = (Kind){"qpos", "nv", 0, nv};
  kind[1] = (Kind){"qvel", "nv", nv, nv};
  kind[2] = steps ? (Kind){"act", "na", 2 * nv, na} : (Kind){"qacc", "nv", 2 * nv, nv};
  kind[3] = steps ? (Kind){"ctrl", "nu", 2 * nv + na, nu} : (Kind){"", NULL, 3 * nv, 0};
}

static int countAll(const Kind kind[MJI_COLUMN_KINDS]) { return kind[3].first + kind[3].count; }

size_t mji_columnRoom(const mjModel* m) { return 3 * (size_t)(3 * m->nv + m->na + m->nu); }

// ---- checks

// "qvel[3]"
static void nameColumn(const Kind kind[MJI_COLUMN_KINDS], int number, char* out, size_t size) {
  int k = MJI_COLUMN_KINDS - 1;
  while (k && number < kind[k].first) k--;
  snprintf(out, size, "%s[%d]", kind[k].name, number - kind[k].first);
}

int mji_checkColumns(const mjModel* m, int kind, const int32_t* column, int n, sheafStatus* status) {
  Kind all[MJI_COLUMN_KINDS];
  listKinds(m, kind, all);
  int most = countAll(all), twice = -1;
  if (n < 0) return mji_status(status, SHEAF_INVALID_ARGUMENT, "columns", "expected 0 or more, got %d", n);
  if (n && !column) return mji_status(status, SHEAF_INVALID_ARGUMENT, "columns", "expected %d columns, got NULL", n);
  char* seen = calloc((size_t)most + 1, 1);
  if (!seen) return mji_status(status, SHEAF_RESOURCE_EXHAUSTED, "", "out of memory");
  for (int i = 0; i < n && twice < 0; i++) {
    if (column[i] < 0 || column[i] >= most) {
      free(seen);
      return mji_status(status, SHEAF_INVALID_ARGUMENT, "columns", "expected numbers from 0 to %d, got %d", most - 1,
                        column[i]);
    }
    if (seen[column[i]]++) twice = column[i];
  }
  free(seen);
  if (twice < 0) return 0;
  char name[32];
  nameColumn(all, twice, name, sizeof name);
  return mji_status(status, SHEAF_INVALID_ARGUMENT, "columns", "expected each column once, got %d, which is %s, twice",
                    twice, name);
}

// ---- names

// the array that a name begins with; NULL with the reason in status
static const Kind* findKind(const Kind kind[MJI_COLUMN_KINDS], const char* name, sheafStatus* status) {
  size_t n = name ? strcspn(name, "[") : 0;
  for (int k = 0; k < MJI_COLUMN_KINDS && n; k++) {
    if (strlen(kind[k].name) == n && !strncmp(kind[k].name, name, n)) return kind + k;
  }
  const char* comma = kind[3].rows ? ", " : "";
  mji_status(status, SHEAF_INVALID_ARGUMENT, "columns",
             "expected qpos, qvel, %s%s%s, or elements of one: qvel[...], got \"%.60s\"", kind[2].name, comma,
             kind[3].name, name ? name : "(null)");
  return NULL;
}

int sheaf_columns(const mjModel* m, int kind, const char* name, int32_t* column, int room, sheafStatus* status) {
  Kind all[MJI_COLUMN_KINDS];
  mjiRowRange range[MJI_MAXRANGE];
  if (!haveColumns(kind)) {
    mji_status(status, SHEAF_INVALID_ARGUMENT, "kind", "expected a request that has columns, got %d", kind);
    return -1;
  }
  listKinds(m, kind, all);
  const Kind* k = findKind(all, name, status);
  if (!k) return -1;
  int nrange = mji_listRows(m, name, k->rows, k->count, range, MJI_MAXRANGE, status), n = 0;
  if (nrange < 0 && status) strcpy(status->field, "columns");
  if (nrange < 0) return -1;
  for (int r = 0; r < nrange; r++) {
    for (int i = 0; i < range[r].count; i++, n++) {
      if (n < room) column[n] = k->first + range[r].first + i;
    }
  }
  mji_succeed(status);
  return n;
}

// ---- of a job

// kind of a column, with those of a state as one where the request has steps
static int groupOf(const Kind kind[MJI_COLUMN_KINDS], int steps, int number) {
  int k = MJI_COLUMN_KINDS - 1;
  while (k && number < kind[k].first) k--;
  return steps && k < 3 ? 0 : k;
}

void mji_findChosen(const sheafJob* job, int* room, mjiChosen* c) {
  Kind kind[MJI_COLUMN_KINDS];
  int n, steps = ofSteps(job->kind), places[MJI_COLUMN_KINDS] = {0}, found[MJI_COLUMN_KINDS] = {0};
  const int32_t* given = mji_columnsOf(job, &n);
  listKinds(job->m, job->kind, kind);
  int all = countAll(kind);
  *c = (mjiChosen){.whole = !n || n == all, .number = room, .index = room + all, .place = room + 2 * all};

  // places first, by the number of the column
  for (int i = 0; i < all; i++) c->place[i] = -1;
  for (int i = 0; i < (n ? n : all); i++) {
    int number = n ? given[i] : i;
    c->place[number] = places[groupOf(kind, steps, number)]++;
  }
  for (int k = 0; k < MJI_COLUMN_KINDS; k++) {
    c->begin[k] = c->n;
    for (int i = kind[k].first; i < kind[k].first + kind[k].count; i++) {
      int place = c->place[i];
      if (place < 0) continue;
      c->whole &= place == found[groupOf(kind, steps, i)]++;
      c->number[c->n] = i;
      c->index[c->n] = i - kind[k].first;
      c->place[c->n++] = place;
    }
  }
  c->begin[MJI_COLUMN_KINDS] = c->n;
}
