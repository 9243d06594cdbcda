// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Elements of cost terms by name.

#include <stdio.h>
#include <string.h>

#include "batch/choice.h"
#include "pool/pool.h"

// Arrays that terms may weigh: what has the names of their elements, and where they begin in which source.
typedef struct {
  const char *name, *rows;
  int source, first, count;
} Array;

enum { NARRAY = 7 };

static void listArrays(const mjModel* m, Array array[NARRAY]) {
  int nq = (int)m->nq, nv = (int)m->nv, state = SHEAF_SOURCE_STATE;
  const Array all[NARRAY] = {{"sensordata", "nsensordata", SHEAF_SOURCE_SENSORDATA, 0, (int)m->nsensordata},
                             {"ctrl", "nu", SHEAF_SOURCE_CTRL, 0, (int)m->nu},
                             {"state", NULL, state, 0, mj_stateSize(m, mjSTATE_FULLPHYSICS)},
                             {"time", NULL, state, 0, 1},
                             {"qpos", "nq", state, 1, nq},
                             {"qvel", "nv", state, 1 + nq, nv},
                             {"act", "na", state, 1 + nq + nv, (int)m->na}};
  memcpy(array, all, sizeof all);
}

int sheaf_costElements(const mjModel* m, const char* of, sheafCostTerm* term, sheafStatus* status) {
  Array array[NARRAY];
  size_t n = of ? strcspn(of, "[") : 0;
  listArrays(m, array);
  for (int i = 0; i < NARRAY; i++) {
    const Array* a = array + i;
    if (strlen(a->name) != n || strncmp(a->name, of, n) != 0) continue;
    int first, count = mji_chooseRows(m, of, a->rows, a->count, &first, status);
    if (count < 0 && status) strcpy(status->field, "cost");
    if (count < 0) return SHEAF_INVALID_ARGUMENT;
    if (!count)
      return mji_status(status, SHEAF_INVALID_ARGUMENT, "cost", "expected elements, got \"%.60s\", which has none", of);
    term->source = a->source;
    term->first = a->first + first;
    term->count = count;
    return mji_succeed(status);
  }
  return mji_status(
      status, SHEAF_INVALID_ARGUMENT, "cost",
      "expected sensordata, ctrl, state, time, qpos, qvel or act, or elements of one: qpos[...], got \"%.60s\"",
      of ? of : "(null)");
}
