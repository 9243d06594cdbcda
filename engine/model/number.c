// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "model/number.h"

#include <math.h>
#include <mujoco/mjxmacro.h>
#include <string.h>

#include "base/memory.h"
#include "model/flex_parts.h"
#include "model/geom_size.h"
#include "model/model.h"

// ---- rows

typedef struct {
  const char* name;
  size_t offset;  // of the pointer in mjModel, or of the numbers themselves
  int inside;     // numbers in mjModel itself; 0: an array
  mjiFollows follows;
  mjiKeeps keeps;
  mjiRange range;
} Row;

// clang-format off
static const Row rows[mjiNNUM] = {
#define R(field, FOLLOWS, KEEPS, RANGE) \
  {#field, offsetof(mjModel, field), 0, mjiFOLLOWS_##FOLLOWS, mjiKEEPS_##KEEPS, mjiRANGE_##RANGE},
#define O(field, n, FOLLOWS, KEEPS, RANGE) \
  {"opt." #field, offsetof(mjModel, opt.field), n, mjiFOLLOWS_##FOLLOWS, mjiKEEPS_##KEEPS, mjiRANGE_##RANGE},
#define S(field, FOLLOWS, KEEPS, RANGE) \
  {"stat." #field, offsetof(mjModel, stat.field), 1, mjiFOLLOWS_##FOLLOWS, mjiKEEPS_##KEEPS, mjiRANGE_##RANGE},
    MJI_MODEL_NUMBERS(R) MJI_OPTION_NUMBERS(O) MJI_STATISTIC_NUMBERS(S) MJI_FLEX_NUMBERS(R)
#undef R
#undef O
#undef S
};
// clang-format on

int mji_findNumber(const char* name) {
  for (int i = 0; i < mjiNNUM; i++) {
    if (!strcmp(rows[i].name, name)) return i;
  }
  return -1;
}

const char* mji_numberName(mjiNumber number) { return rows[number].name; }
mjiFollows mji_numberFollows(mjiNumber number) { return rows[number].follows; }

void mji_numberShape(const mjModel* m, mjiNumber number, int shape[2]) {
  size_t offset = rows[number].offset;
  shape[0] = rows[number].inside;
  shape[1] = 1;
  if (shape[0]) return;
  MJMODEL_POINTERS_PREAMBLE(m)
#define X(type, name, nr, nc)              \
  if (offset == offsetof(mjModel, name)) { \
    shape[0] = (int)m->nr;                 \
    shape[1] = (int)(nc);                  \
    return;                                \
  }
  MJMODEL_POINTERS
#undef X
}

const char* mji_numberRows(mjiNumber number) {
  size_t offset = rows[number].offset;
  if (rows[number].inside) return NULL;
#define X(type, name, nr, nc) \
  if (offset == offsetof(mjModel, name)) return #nr;
  MJMODEL_POINTERS
#undef X
  return NULL;
}

// where a model, or a view of a model, has a number
static mjtNum* address(mjModel* m, mjiNumber number) {
  const Row* row = rows + number;
  void* field = (char*)m + row->offset;
  return row->inside ? (mjtNum*)field : *(mjtNum**)field;
}

const mjtNum* mji_baseNumber(const mjModel* m, mjiNumber number, size_t* n) {
  int shape[2];
  mji_numberShape(m, number, shape);
  *n = (size_t)shape[0] * (size_t)shape[1];
  return address((mjModel*)m, number);
}

mjtNum* mji_moveNumber(mjModel* m, mjiNumber number, mjtNum* own) {
  size_t n;
  const mjtNum* old = mji_baseNumber(m, number, &n);
  if (rows[number].inside) return address(m, number);
  if (n) memcpy(own, old, n * sizeof(mjtNum));
  *(mjtNum**)(void*)((char*)m + rows[number].offset) = own;
  return own;
}

mjiRange mji_numberRange(mjiNumber number) { return rows[number].range; }

// ---- structure

static int wrapsGeoms(const mjModel* m, size_t tendon) {
  for (int i = m->tendon_adr[tendon]; i < m->tendon_adr[tendon] + m->tendon_num[tendon]; i++) {
    if (m->wrap_type[i] == mjWRAP_SPHERE || m->wrap_type[i] == mjWRAP_CYLINDER) return 1;
  }
  return 0;
}

// does a change of value k from `old` change what kernels take from the model?
static int breaks(const mjModel* m, mjiKeeps keeps, size_t element, mjtNum old) {
  switch (keeps) {
    case mjiKEEPS_ZEROS_ASLEEP: return old == 0 && mjENABLED(mjENBL_SLEEP) && m->tendon_treenum[element] == 2;
    case mjiKEEPS_ZEROS_WRAPPED: return old == 0 && wrapsGeoms(m, element);
    case mjiKEEPS_EDGES: return old == 0 && !mji_flexHasJacobian(m, (int)element);
    case mjiKEEPS_SIMPLE: return m->body_simple[element] != 0;
    case mjiKEEPS_SIMPLE_JOINTS: return m->body_simple[m->jnt_bodyid[element]] != 0;
    case mjiKEEPS_PATHS: return m->wrap_type[element] != mjWRAP_JOINT;
    case mjiKEEPS_SHAPES: return !mji_isPrimitive(m->geom_type[element]);
    default: return 0;
  }
}

// values per body or joint of a number that some bodies or joints must keep
static size_t widthOf(mjiNumber number) {
  if (number == mjiNUM_body_iquat) return 4;
  mjiKeeps keeps = rows[number].keeps;
  return keeps == mjiKEEPS_SIMPLE || keeps == mjiKEEPS_SIMPLE_JOINTS || keeps == mjiKEEPS_SHAPES ? 3 : 1;
}

int mji_numberBreaks(const mjModel* m, mjiNumber number, const mjtNum* value) {
  size_t n, width = widthOf(number);
  const mjtNum* old = mji_baseNumber(m, number, &n);
  if (rows[number].keeps == mjiKEEPS_NOTHING) return -1;
  for (size_t k = 0; k < n; k++) {
    if (value[k] != old[k] && breaks(m, rows[number].keeps, k / width, old[k])) return (int)k;
  }
  return -1;
}

static int keepsZeros(mjiNumber number) {
  mjiKeeps keeps = rows[number].keeps;
  return keeps == mjiKEEPS_ZEROS || keeps == mjiKEEPS_ZEROS_ASLEEP || keeps == mjiKEEPS_ZEROS_WRAPPED;
}

int mji_numberShared(mjiNumber number) {
  return rows[number].keeps == mjiKEEPS_SHARED || rows[number].keeps == mjiKEEPS_EDGES;
}

int mji_numberRaises(const mjModel* m, mjiNumber number, const mjtNum* value, mjtNum* base) {
  size_t n;
  const mjtNum* old = mji_baseNumber(m, number, &n);
  int raises = 0;
  for (size_t k = 0; k < n && keepsZeros(number); k++) {
    if (old[k] != 0 || value[k] == 0) continue;
    raises = 1;
    base[k] = value[k];
  }
  return raises;
}

void mji_pointNumber(mjModel* m, mjiNumber number, mjtNum* value) {
  const Row* row = rows + number;
  void* field = (char*)m + row->offset;
  if (row->inside) memcpy(field, value, (size_t)row->inside * sizeof(mjtNum));
  else *(mjtNum**)field = value;
  if (number == mjiNUM_body_gravcomp) {
    m->ngravcomp = 0;
    for (int b = 0; b < m->nbody; b++) m->ngravcomp += value[b] != 0;
  }
}

const mjModel* mji_commonModel(const mjModel* m, mjData* lanes) {
  mjiWork* w = mji_work(lanes);
  *w->common = *m;
  for (int i = 0; i < mjiNNUM; i++) {
    if (mji_numberShared((mjiNumber)i)) mji_pointNumber(w->common, (mjiNumber)i, address(w->view, (mjiNumber)i));
  }
  return w->common;
}

// ---- ranges

// without a branch for each number, because a server checks very many
static int allFinite(const mjtNum* x, size_t n) {
  mjtNum sum = 0;
  for (size_t i = 0; i < n; i++) sum += x[i] * 0;
  return sum == 0;
}

static int isUnit(const mjtNum* x, int n) {
  mjtNum sum = 0;
  for (int i = 0; i < n; i++) sum += x[i] * x[i];
  return fabs(sum - 1) < 1e-5;  // accept numbers that were rounded to single precision
}

static int isInertia(const mjtNum* I) {
  if (!(I[0] >= mjMINVAL && I[1] >= mjMINVAL && I[2] >= mjMINVAL)) return 0;
  return I[0] + I[1] >= I[2] && I[0] + I[2] >= I[1] && I[1] + I[2] >= I[0];
}

static int isSame(const mjtNum* a, const mjtNum* b, size_t n) {
  for (size_t i = 0; i < n; i++) {
    if (a[i] != b[i]) return 0;
  }
  return 1;
}

// values are checked in groups: returns what was expected of a group, NULL if the group is right
static const char* badGroup(const mjModel* m, mjiRange range, size_t group, const mjtNum* x) {
  switch (range) {
    case mjiRANGE_NOT_NEGATIVE: return x[0] >= 0 ? NULL : "a number of at least 0";
    case mjiRANGE_POSITIVE: return x[0] >= mjMINVAL ? NULL : "a number above 0";
    case mjiRANGE_INERTIA:
      return isInertia(x) ? NULL : "three moments above 0, none larger than the sum of the other two";
    case mjiRANGE_UNIT3: return isUnit(x, 3) ? NULL : "a vector of length 1";
    case mjiRANGE_UNIT4: return isUnit(x, 4) ? NULL : "a quaternion of length 1";
    case mjiRANGE_SIZES:
      for (int i = 0; i < mji_numSizes(m->geom_type[group]); i++) {
        if (!(x[i] > 0)) return "sizes above 0";
      }
      return NULL;
    case mjiRANGE_ASCENDING: return x[0] < x[1] ? NULL : "two numbers, the first less than the second";
    default: return NULL;
  }
}

int mji_numberBad(const mjModel* m, mjiNumber number, const mjtNum* value, const char** expected) {
  static const size_t groups[] = {[mjiRANGE_INERTIA] = 3,
                                  [mjiRANGE_UNIT3] = 3,
                                  [mjiRANGE_UNIT4] = 4,
                                  [mjiRANGE_SIZES] = 3,
                                  [mjiRANGE_ASCENDING] = 2};
  mjiRange range = rows[number].range;
  size_t n, width = range < sizeof groups / sizeof groups[0] && groups[range] ? groups[range] : 1;
  const mjtNum* base = mji_baseNumber(m, number, &n);
  *expected = "a finite number";
  if (!allFinite(value, n)) {
    for (size_t k = 0; k < n; k++) {
      if (!isfinite(value[k])) return (int)k;
    }
  }
  for (size_t k = 0; k + width <= n && range != mjiRANGE_FINITE; k += width) {
    if (isSame(value + k, base + k, width)) continue;
    *expected = badGroup(m, range, k / width, value + k);
    if (*expected) return (int)k;
  }
  return -1;
}

// ---- copies and views

static size_t bytesOf(const mjModel* m, mjiNumber number) {
  size_t n;
  mji_baseNumber(m, number, &n);
  return rows[number].inside ? 0 : mji_alignUp(n * sizeof(mjtNum), MJI_ALIGN);
}

// arrays of a lane's view
static size_t viewBytes(const mjModel* m) {
  size_t total = 0;
  for (int i = 0; i < mjiNNUM; i++) total += bytesOf(m, (mjiNumber)i);
  return total;
}

// copies for kernels
static size_t copyBytes(const mjModel* m, int nlane) {
  size_t total = 0, n;
  for (int i = 0; i < mjiNNUM && nlane > 1; i++) {
    mji_baseNumber(m, (mjiNumber)i, &n);
    total += mji_alignUp(n * (size_t)nlane * sizeof(mjtNum), MJI_ALIGN);
  }
  return total;
}

static size_t headBytes(int nlane) {
  return mji_alignUp(((size_t)nlane + 1) * sizeof(mjModel), MJI_ALIGN) +
         mji_alignUp(mjiNNUM * (sizeof(mjtNum*) + sizeof(size_t) + 1), MJI_ALIGN);
}

size_t mji_numberBytes(const mjModel* m, int nlane) {
  return headBytes(nlane) + (size_t)nlane * viewBytes(m) + copyBytes(m, nlane);
}

// views, addresses and sizes of the copies, marks; then arrays of the views, copies
static int allocate(const mjModel* m, mjiWork* w) {
  size_t bytes = mji_numberBytes(m, w->nlane);
  w->numbers = mji_tryMalloc(bytes);
  if (!w->numbers) return 0;
  w->numbers_bytes = bytes;
  w->view = w->numbers;
  w->common = w->view + w->nlane;
  w->number = (mjtNum**)(void*)((char*)w->numbers + mji_alignUp(((size_t)w->nlane + 1) * sizeof(mjModel), MJI_ALIGN));
  w->number_size = (size_t*)(void*)(w->number + mjiNNUM);
  w->moved = (unsigned char*)(w->number_size + mjiNNUM);
  char* p = (char*)w->numbers + headBytes(w->nlane) + (size_t)w->nlane * viewBytes(m);
  for (int i = 0; i < mjiNNUM; i++) {
    mji_baseNumber(m, (mjiNumber)i, w->number_size + i);
    w->number[i] = w->nlane > 1 ? (mjtNum*)(void*)p : NULL;
    p += mji_alignUp(w->number_size[i] * (size_t)w->nlane * sizeof(mjtNum), MJI_ALIGN);
  }
  memset(w->moved, 1, mjiNNUM);
  return 1;
}

// The arrays of a view, one after the other: bytes of all, and where a view has arrays of its own, which begin at p.
static size_t eachArray(const mjiWork* w, mjModel* view, char* p) {
  size_t bytes = 0;
  for (int i = 0; i < mjiNNUM; i++) {
    if (rows[i].inside) continue;
    if (view) *(mjtNum**)(void*)((char*)view + rows[i].offset) = (mjtNum*)(void*)(p + bytes);
    bytes += mji_alignUp(w->number_size[i] * sizeof(mjtNum), MJI_ALIGN);
  }
  return bytes;
}

// A view has arrays of its own where a row names them, and shares the others with the model.
static void makeView(const mjModel* m, mjiWork* w, int lane) {
  mjModel* view = w->view + lane;
  *view = *m;
  eachArray(w, view, (char*)w->numbers + headBytes(w->nlane) + (size_t)lane * eachArray(w, NULL, NULL));
}

static void writeNumber(mjiWork* w, mjiNumber number, int lane, const mjtNum* value) {
  size_t n = w->number_size[number];
  mjtNum* own = address(w->view + lane, number);
  if (own != value) mju_copy(own, value, (int)n);
  if (w->number[number]) mji_scatterLane(w->number[number], value, (int)n, w->nlane, lane);
  w->moved[number] = 1;
}

int mji_ownNumbers(const mjModel* m, mjData* lanes) {
  mjiWork* w = mji_work(lanes);
  if (!w->numbers && !allocate(m, w)) return 0;
  for (int l = 0; l < w->nlane; l++) makeView(m, w, l);
  for (int i = 0; i < mjiNNUM; i++) {
    // most numbers equal those of the model already
    size_t bytes = w->number_size[i] * sizeof(mjtNum);
    const mjtNum* value = address((mjModel*)m, (mjiNumber)i);
    int same = !w->moved[i] && !rows[i].inside && !memcmp(address(w->view, (mjiNumber)i), value, bytes);
    for (int l = 0; l < w->nlane && !same; l++) writeNumber(w, (mjiNumber)i, l, value);
    w->moved[i] = 0;
  }
  w->owns = 1;
  w->number_owner = 0;
  return 1;
}

void mji_disownNumbers(mjData* lanes) { mji_work(lanes)->owns = 0; }

const mjtNum* mji_ownNumber(const mjData* lanes, int lane, mjiNumber number, size_t* n) {
  const mjiWork* w = mji_work(lanes);
  *n = w->number_size[number];
  return address(w->view + lane, number);
}

const mjtNum* mji_oldNumber(const mjModel* m, const mjData* lanes, mjiNumber number, size_t* n) {
  *n = mji_work(lanes)->number_size[number];
  return address((mjModel*)m, number);
}

void mji_setNumber(mjData* lanes, mjiNumber number, int lane, const mjtNum* value) {
  size_t n;
  const mjtNum* own = mji_ownNumber(lanes, lane, number, &n);
  // most of what mj_setConst writes is the same for all rows
  if (own != value && !memcmp(own, value, n * sizeof(mjtNum))) return;
  writeNumber(mji_work(lanes), number, lane, value);
}

const mjModel* mji_laneModel(const mjModel* m, const mjData* lanes, int lane) {
  const mjiWork* w = mji_work(lanes);
  return w->owns == 1 ? w->view + lane : m;
}
