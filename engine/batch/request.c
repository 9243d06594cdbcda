// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Requests by their rows (sheaf/request_table.h): copies of a caller's request in the layout of this version, shapes of
// arrays, and checks.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "batch/columns.h"
#include "batch/evaluator.h"
#include "batch/output.h"
#include "batch/params.h"

#define SHEAF_ARGS(Type, name) sheaf##Type
#define SHEAF_CONTROL_FIELD progress
#define SHEAF_CONTROL_END (offsetof(Args, user) + sizeof(void*))
#include <sheaf/request_rows.h>

const sheafRequest* sheaf_requestInfo(int kind) { return sheaf_rowOf(kind); }

// ---- fields

static const void* pointerOf(const void* request, const sheafField* f) {
  const void* value;
  memcpy(&value, (const char*)request + f->offset, sizeof value);
  return value;
}

static int getInt(const void* request, size_t offset) {
  int value;
  memcpy(&value, (const char*)request + offset, sizeof value);
  return value;
}

// the number in a field; a double can hold every value of every type
static double readNumber(const void* request, const sheafField* f) {
  if (f->type != SHEAF_TYPE_real) {
    int value = getInt(request, f->offset);
    return f->type == SHEAF_TYPE_bits ? (double)(unsigned int)value : value;
  }
  double value;
  memcpy(&value, (const char*)request + f->offset, sizeof value);
  return value;
}

static double getOption(const void* request, const sheafField* f) {
  double value = readNumber(request, f);
  return value == 0 ? f->initial : value;
}

static void setOption(void* request, const sheafField* f, double value) {
  char* at = (char*)request + f->offset;
  double real = value;
  unsigned int bits = f->type == SHEAF_TYPE_bits ? (unsigned int)value : (unsigned int)(int)value;
  if (f->type == SHEAF_TYPE_real) {
    memcpy(at, &real, sizeof real);
  } else {
    memcpy(at, &bits, sizeof bits);
  }
}

static const sheafField* findRole(int kind, sheafRole role) {
  const sheafField* f = sheaf_rowOf(kind)->fields;
  while (f->name && f->role != role) f++;
  return f->name ? f : NULL;
}

// Most names differ in their first letter, and hundreds are looked at for a request.
static int isName(const char* a, const char* b) { return a[0] == b[0] && !strcmp(a, b); }

static const sheafField* findField(int kind, const char* name) {
  const sheafField* f = sheaf_rowOf(kind)->fields;
  while (f->name && !isName(f->name, name)) f++;
  return f->name ? f : NULL;
}

// ---- shapes

static int64_t recordsOf(int kind, const void* request) {
  double nstep = getOption(request, findField(kind, "nstep")), every = getOption(request, findField(kind, "every"));
  return every < 0 ? 1 : (int64_t)nstep / (int64_t)every;
}

int sheaf_numberBytes(int kind, const void* request) {
  const sheafField* f = findField(kind, "dtype");
  return f ? (int)getOption(request, f) : (int)sizeof(double);
}

// the list of columns of a request; NULL and 0: all
static const int32_t* columnsOf(int kind, const void* request, int* n) {
  const sheafField* f = findRole(kind, SHEAF_ROLE_COLUMNS);
  const int32_t* column = f ? pointerOf(request, f) : NULL;
  *n = column ? mjMAX(0, getInt(request, f->count)) : 0;
  return column;
}

static int64_t sizeOf(const mjModel* m, int kind, const void* request, const char* word) {
  if (word[0] >= '0' && word[0] <= '9') return atoi(word);
  const sheafField* f = findField(kind, word);
  if (f && f->role == SHEAF_ROLE_SIZE) return getInt(request, f->offset);
  if (f && f->role == SHEAF_ROLE_OPTION) return (int64_t)getOption(request, f);
  if (!strcmp(word, "nrecord")) return recordsOf(kind, request);
  if (!strcmp(word, "ntrajectory")) return 1 + (int64_t)getOption(request, findField(kind, "ntop"));
  int ncolumn;
  const int32_t* column = columnsOf(kind, request, &ncolumn);
  int64_t columns = sheaf_columnSize(word, (int)m->nv, (int)m->na, (int)m->nu, column, ncolumn);
  if (columns >= 0) return columns;
  if (strcmp(word, "ncontrol")) return (int64_t)sheaf_modelNumber(m, word);
  f = findField(kind, "control_spec");
  return mj_stateSize(m, (unsigned int)getOption(request, f));
}

// the next word of a shape; returns what follows, NULL if there is none
static const char* nextWord(const char* shape, char word[32]) {
  size_t n = 0;
  while (*shape == ' ') shape++;
  for (; shape[n] && shape[n] != ' ' && n < 31; n++) word[n] = shape[n];
  word[n] = 0;
  int whole = !shape[n] || shape[n] == ' ';
  return n && whole ? shape + n : NULL;
}

const sheafField* sheaf_fieldSize(int kind, const sheafField* field, int k) {
  char word[32];
  const char* rest = field->shape;
  for (int i = -1; i <= k && rest; i++) rest = nextWord(rest, word);
  return rest ? findField(kind, word) : NULL;
}

int sheaf_fieldShape(const mjModel* m, int kind, const void* request, const sheafField* field, int64_t shape[4]) {
  char word[32];
  int n = 0;
  const char* rest = nextWord(field->shape, word);  // the batch
  while (rest && (rest = nextWord(rest, word)) && n < 4) shape[n++] = sizeOf(m, kind, request, word);
  return n;
}

size_t mji_rowSize(const mjModel* m, int kind, const void* request, const sheafField* field) {
  int64_t shape[4];
  size_t n = 1;
  for (int i = sheaf_fieldShape(m, kind, request, field, shape); i > 0; i--) n *= (size_t)shape[i - 1];
  return n;
}

// ---- checks: each looks at one thing in all fields

typedef struct {
  const mjModel* m;
  int kind;
  const void* r;
  int nbatch;
  sheafStatus* status;
  int first, count;  // rows whose numbers are looked at
} Check;

// the end of these rows in an array of n
static int endOf(const Check* c, int n) { return mjMIN(n - c->first, c->count) + c->first; }

static int checkBatch(const Check* c) {
  if (!c->m) return mji_status(c->status, SHEAF_INVALID_ARGUMENT, "model", "expected a model, got NULL");
  if (c->nbatch >= 1) return 0;
  return mji_status(c->status, SHEAF_INVALID_ARGUMENT, "nbatch", "expected 1 or more, got %d", c->nbatch);
}

// what depends on more than one number of the row
static int checkValue(const Check* c, const sheafField* f, double x) {
  if (!strcmp(f->name, "every") && x > getOption(c->r, findField(c->kind, "nstep"))) {
    return mji_status(c->status, SHEAF_INVALID_ARGUMENT, f->name, "expected 1 to nstep (%d), or -1, got %.10g",
                      (int)getOption(c->r, findField(c->kind, "nstep")), x);
  }
  if (!strcmp(f->name, "dtype") && x != 4 && x != 8) {
    return mji_status(c->status, SHEAF_INVALID_ARGUMENT, f->name, "expected 4 or 8, got %.10g", x);
  }
  return 0;
}

static int checkOption(const Check* c, const sheafField* f) {
  double x = getOption(c->r, f);
  if (f->role != SHEAF_ROLE_OPTION || f->type == SHEAF_TYPE_flag) return 0;
  if (f->type == SHEAF_TYPE_bits) {
    unsigned int most = (unsigned int)f->most, bits = (unsigned int)x;
    if (!(bits & ~most)) return 0;
    return mji_status(c->status, SHEAF_INVALID_ARGUMENT, f->name, "expected bits of 0x%x, got 0x%x", most, bits);
  }
  if (x >= f->least && x <= f->most) return checkValue(c, f, x);
  return mji_status(c->status, SHEAF_INVALID_ARGUMENT, f->name, "expected %.10g to %.10g, got %.10g", f->least, f->most,
                    x);
}

// an input that is required must be there, with one row or nbatch rows
static int checkInput(const Check* c, const sheafField* f) {
  if (f->role != SHEAF_ROLE_INPUT) return 0;
  const void* data = pointerOf(c->r, f);
  if (!data && f->when == SHEAF_WHEN_REQUIRED) {
    return mji_status(c->status, SHEAF_INVALID_ARGUMENT, f->name, "expected an array, got NULL");
  }
  int count = f->count ? getInt(c->r, f->count) : c->nbatch;
  if (!data || count == c->nbatch || count == 1) return 0;
  return mji_status(c->status, SHEAF_INVALID_ARGUMENT, f->name, "expected %d rows or 1, got %d", c->nbatch, count);
}

// a size must be at least 1 if an array whose shape contains it is given
static int checkSize(const Check* c, const sheafField* size) {
  if (size->role != SHEAF_ROLE_SIZE || getInt(c->r, size->offset) >= 1) return 0;
  for (const sheafField* f = sheaf_rowOf(c->kind)->fields; f->name; f++) {
    if (f->role != SHEAF_ROLE_INPUT || !pointerOf(c->r, f) || !strstr(f->shape, size->name)) continue;
    return mji_status(c->status, SHEAF_INVALID_ARGUMENT, size->name, "expected 1 or more, got %d",
                      getInt(c->r, size->offset));
  }
  return 0;
}

static int checkNamed(const Check* c, const sheafField* f) {
  if (f->role != SHEAF_ROLE_NAMED) return 0;
  const sheafOutput* output = pointerOf(c->r, f);
  int n = getInt(c->r, f->count);
  if (n < 0 || n > MJI_MAXOUTPUT) {
    return mji_status(c->status, SHEAF_INVALID_ARGUMENT, "noutput", "expected 0 to %d, got %d", MJI_MAXOUTPUT, n);
  }
  if (n && !output) {
    return mji_status(c->status, SHEAF_INVALID_ARGUMENT, "output", "expected %d outputs, got NULL", n);
  }
  mjiChoice choice;
  mjiBrackets store;
  store.nrange = store.nprobe = 0;  // the rest has many kilobytes
  for (int i = 0; i < n; i++) {
    int err = mji_choose(c->m, output[i].name, &choice, &store, c->status)
                  ? SHEAF_INVALID_ARGUMENT
                  : mji_checkKindOfOutput(c->kind, output[i].name, &choice, c->status);
    if (err) return err;
    if (!output[i].data) {
      return mji_status(c->status, SHEAF_INVALID_ARGUMENT, "output", "expected a place for \"%s\", got NULL",
                        output[i].name);
    }
  }
  return 0;
}

static int keepsConstants(const Check* c) { return getOption(c->r, findField(c->kind, "keep_constants")) != 0; }

static int checkParams(const Check* c, const sheafField* f) {
  if (f->role != SHEAF_ROLE_PARAMS) return 0;
  return mji_checkParams(c->m, pointerOf(c->r, f), getInt(c->r, f->count), c->nbatch, keepsConstants(c), c->status);
}

static int checkColumns(const Check* c, const sheafField* f) {
  if (f->role != SHEAF_ROLE_COLUMNS) return 0;
  return mji_checkColumns(c->m, c->kind, pointerOf(c->r, f), getInt(c->r, f->count), c->status);
}

static int checkField(const Check* c, const sheafField* f) {
  static int (*const checks[])(const Check*, const sheafField*) = {checkOption, checkInput,  checkSize,
                                                                   checkNamed,  checkParams, checkColumns};
  int err = 0;
  for (size_t i = 0; !err && i < sizeof checks / sizeof checks[0]; i++) err = checks[i](c, f);
  return err;
}

static int checkParamValues(const Check* c) {
  const sheafField* f = findRole(c->kind, SHEAF_ROLE_PARAMS);
  return f ? mji_checkParamValues(c->m, pointerOf(c->r, f), getInt(c->r, f->count), c->first, c->count, c->status) : 0;
}

// each row of times ascends
static int checkTimes(const Check* c, const sheafField* f) {
  const double* x = f->role == SHEAF_ROLE_INPUT && f->type == SHEAF_TYPE_times ? pointerOf(c->r, f) : NULL;
  size_t n = x ? mji_rowSize(c->m, c->kind, c->r, f) : 0;
  for (int i = c->first; x && i < endOf(c, getInt(c->r, f->count)); i++) {
    const double* at = x + (size_t)i * n;
    for (size_t k = 0; k < n; k++) {
      if (isfinite(at[k]) && (!k || at[k] > at[k - 1])) continue;
      return mji_status(c->status, SHEAF_INVALID_ARGUMENT, f->name,
                        "expected finite numbers that ascend, got %.10g at place %d of row %d", at[k], (int)k, i);
    }
  }
  return 0;
}

// numbers in arrays that may not be any: integers, times, and parameters
static int checkNumbers(const Check* c) {
  for (const sheafField* f = sheaf_rowOf(c->kind)->fields; f->name; f++) {
    const int32_t* x = f->role == SHEAF_ROLE_INPUT && f->type == SHEAF_TYPE_i32 ? pointerOf(c->r, f) : NULL;
    int err = checkTimes(c, f);
    if (err) return err;
    if (!x) continue;
    int most = (int)getOption(c->r, findField(c->kind, f->text));
    for (int i = c->first; i < endOf(c, c->nbatch); i++) {
      if (x[i] >= 0 && x[i] <= most) continue;
      return mji_status(c->status, SHEAF_INVALID_ARGUMENT, f->name, "expected numbers from 0 to %d, got %d in row %d",
                        most, x[i], i);
    }
  }
  return checkParamValues(c);
}

// ---- requests of callers

// A copy in the layout of this version, with room for the list of named outputs behind it; NULL with the reason in
// status.
static void* copyRequest(int kind, const void* request, sheafStatus* status) {
  const sheafRequest* row = sheaf_rowOf(kind);
  if (!row) {
    mji_status(status, SHEAF_INVALID_ARGUMENT, "kind", "expected a sheafKind, got %d", kind);
    return NULL;
  }
  void* copy = malloc(row->size + MJI_MAXOUTPUT * sizeof(sheafOutput));
  if (!copy) {
    mji_status(status, SHEAF_RESOURCE_EXHAUSTED, "", "out of memory");
  } else if (mji_copyVersion(copy, row->size, row->first, request, status)) {
    free(copy);
    copy = NULL;
  }
  return copy;
}

// replace options that were left out by their defaults
void mji_resolveOptions(int kind, void* copy) {
  for (const sheafField* f = sheaf_rowOf(kind)->fields; f->name; f++) {
    if (f->role == SHEAF_ROLE_OPTION) setOption(copy, f, getOption(copy, f));
  }
}

// copy the list of named outputs, because the caller may free it before the job is over
static void keepNamed(int kind, char* copy) {
  const sheafRequest* row = sheaf_rowOf(kind);
  const sheafField* f = findRole(kind, SHEAF_ROLE_NAMED);
  sheafOutput* list = (sheafOutput*)(void*)(copy + row->size);
  if (!f || !getInt(copy, f->count)) return;
  memcpy(list, pointerOf(copy, f), sizeof(sheafOutput) * (size_t)getInt(copy, f->count));
  memcpy(copy + f->offset, &list, sizeof list);
}

int sheaf_checkField(const mjModel* m, int kind, const void* request, const sheafField* field, sheafStatus* status) {
  const Check c = {m, kind, request, ((const mjiAnyRequest*)request)->nbatch, status, 0, 0};
  return checkField(&c, field);
}

int sheaf_checkNumbers(const mjModel* m, int kind, const void* request, int first, int count, sheafStatus* status) {
  const Check c = {m, kind, request, ((const mjiAnyRequest*)request)->nbatch, status, first, count};
  return checkNumbers(&c);
}

void* mji_takeRequest(const mjModel* m, int kind, const void* request, int before, sheafStatus* status) {
  char* copy = copyRequest(kind, request, status);
  if (!copy) return NULL;
  const Check c = {m, kind, copy, ((const mjiAnyRequest*)(void*)copy)->nbatch, status, 0, INT32_MAX};
  int err = checkBatch(&c);
  for (const sheafField* f = sheaf_rowOf(kind)->fields; !before && !err && f->name; f++) err = checkField(&c, f);
  if (err || checkNumbers(&c)) {
    free(copy);
    return NULL;
  }
  mji_resolveOptions(kind, copy);
  keepNamed(kind, copy);
  return copy;
}

const double* mji_inputOf(const sheafJob* job, const char* name, int* count) {
  const sheafField* f = findField(job->kind, name);
  if (!f || f->role != SHEAF_ROLE_INPUT) return NULL;
  *count = f->count ? getInt(job->request, f->count) : ((const mjiAnyRequest*)job->request)->nbatch;
  return pointerOf(job->request, f);
}

const int32_t* mji_columnsOf(const sheafJob* job, int* n) { return columnsOf(job->kind, job->request, n); }

static void readNamed(const mjModel* m, const sheafOutput* list, int n, size_t rows, int nominal, mjiNamed* named) {
  named->n = named->needs = named->stage = 0;
  named->brackets.nrange = named->brackets.nprobe = 0;
  for (int i = 0; i < n; i++) {
    int k = named->n;
    mjiChoice* choice = &named->choice[k];
    if (mji_isNominal(list[i].name) != nominal) continue;
    mji_choose(m, list[i].name, choice, &named->brackets, NULL);
    named->row[k] = rows * (size_t)choice->size;
    named->data[k] = list[i].data;
    named->n++;
    if (choice->output >= MJI_CHOSE_NUMBER) continue;
    named->needs |= mji_outputNeeds(choice->output);
    int stage = mji_outputStage(choice->output);
    if (stage > named->stage) named->stage = stage;
  }
}

static void findNamed(const sheafJob* job, int nominal, mjiNamed* named) {
  const sheafField* f = findRole(job->kind, SHEAF_ROLE_NAMED);
  int n = f ? getInt(job->request, f->count) : 0;
  size_t rows = n && !nominal ? mji_rowSize(job->m, job->kind, job->request, f) : 1;
  readNamed(job->m, n ? pointerOf(job->request, f) : NULL, n, rows, nominal, named);
}

void mji_findNamed(const sheafJob* job, mjiNamed* named) { findNamed(job, 0, named); }
void mji_findNominal(const sheafJob* job, mjiNamed* named) { findNamed(job, 1, named); }

void mji_readNamed(const mjModel* m, const sheafOutput* list, int n, size_t rows, mjiNamed* named) {
  readNamed(m, list, n, rows, 0, named);
}

int mji_takeRequestParams(sheafJob* job, sheafStatus* status) {
  const sheafField* f = findRole(job->kind, SHEAF_ROLE_PARAMS);
  if (!f) return 0;
  int keep = getOption(job->request, findField(job->kind, "keep_constants")) != 0;
  return mji_takeParams(job, pointerOf(job->request, f), getInt(job->request, f->count), keep, status);
}

void sheaf_requestSize(const mjModel* m, int kind, const void* request, double* units, double* bytes) {
  const sheafField* f = findField(kind, "nstep");
  *units = f ? getOption(request, f) : 1;
  *bytes = 0;
  if (kind == SHEAF_ROLLOUT) *bytes = mji_rolloutBytes(m, request);
  if (kind == SHEAF_INVERSE_REGRESSOR || kind == SHEAF_TRANSITION_REGRESSOR) {
    *bytes = mji_regressorBytes(m, kind, request) / ((const mjiAnyRequest*)request)->nbatch;
  }
  if (kind != SHEAF_SAMPLE) return;
  sheafSample r = *(const sheafSample*)request;
  mji_resolveOptions(kind, &r);
  mji_sampleSize(m, &r, units, bytes);
}

void mji_takeControl(int kind, const void* request, sheafProgress* progress, void** user) {
  const sheafField* f = findRole(kind, SHEAF_ROLE_CONTROL);
  memcpy(progress, (const char*)request + f->offset, sizeof *progress);
  memcpy(user, (const char*)request + f->offset + sizeof *progress, sizeof *user);
}

// ---- rows that were not computed

void mji_undefine(void* data, size_t first, size_t n, int bytes) {
  for (size_t i = first; i < first + n && bytes == sizeof(double); i++) ((double*)data)[i] = NAN;
  for (size_t i = first; i < first + n && bytes == sizeof(float); i++) ((float*)data)[i] = NAN;
}

void mji_fillRows(sheafJob* job, int first, int count, int status) {
  int bytes = sheaf_numberBytes(job->kind, job->request);
  for (const sheafField* f = sheaf_rowOf(job->kind)->fields; f->name; f++) {
    void* data = f->role == SHEAF_ROLE_OUTPUT ? (void*)pointerOf(job->request, f) : NULL;
    if (!data) continue;
    size_t n = mji_rowSize(job->m, job->kind, job->request, f), from = n * (size_t)first, to = n * (size_t)count + from;
    if (f->type != SHEAF_TYPE_i32) {
      mji_undefine(data, from, to - from, f->type == SHEAF_TYPE_num ? bytes : (int)sizeof(double));
      continue;
    }
    int value = strcmp(f->name, "status") ? 0 : status;
    for (size_t i = from; i < to; i++) ((int32_t*)data)[i] = value;
  }
  for (int nominal = 0; nominal < 2; nominal++) {
    mjiNamed named;
    findNamed(job, nominal, &named);
    for (int k = 0; k < named.n; k++) {
      mji_undefine(named.data[k], named.row[k] * (size_t)first, named.row[k] * (size_t)count, bytes);
    }
  }
}
