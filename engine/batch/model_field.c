// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Fields of a model by name, from the field tables.

#include <math.h>
#include <string.h>

#include <mujoco/mjxmacro.h>
#include <sheaf/batch.h>

// Requests ask for sizes many times, and most names differ in their first two letters.
static inline int is(const char* name, const char* field) {
  return name[0] == field[0] && name[1] == field[1] && !strcmp(name, field);
}

double sheaf_modelNumber(const mjModel* m, const char* name) {
  if (!strcmp(name, "nstate")) return mj_stateSize(m, mjSTATE_FULLPHYSICS);
  if (!strcmp(name, "ndxu")) return 2 * (double)m->nv + (double)m->na + (double)m->nu;
  if (!strcmp(name, "ndx")) return 2 * (double)m->nv + (double)m->na;
#define X(field) \
  if (is(name, #field)) return (double)m->field;
  MJMODEL_INTS
#undef X
#define X(type, field) \
  if (is(name, #field)) return (double)m->opt.field;
  MJOPTION_SCALARS
#undef X
  return NAN;
}

#define CODE(type) \
  _Generic((type*)0, double* : 'd', float* : 'f', int* : 'i', int64_t* : 'l', mjtByte* : 'b', default : 'c')

const void* sheaf_modelArray(const mjModel* m, const char* name, int64_t shape[2], char* type) {
  MJMODEL_POINTERS_PREAMBLE(m)
#define X(t, field, nr, nc)    \
  if (!strcmp(name, #field)) { \
    shape[0] = (int64_t)m->nr; \
    shape[1] = (int64_t)(nc);  \
    *type = CODE(t);           \
    return m->field;           \
  }
  MJMODEL_POINTERS
#undef X
  return NULL;
}
