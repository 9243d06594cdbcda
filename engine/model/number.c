// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "model/number.h"

#include <mujoco/mjxmacro.h>
#include <string.h>

#include "base/memory.h"
#include "model/model.h"

// ---- rows

typedef struct {
  const char* name;
  size_t offset;  // of the pointer in mjModel, or of the numbers themselves
  int option;     // numbers in mjOption; 0: an array
  mjiFollows follows;
  mjiKeeps keeps;
} Row;

static const Row rows[mjiNNUM] = {
#define R(field, FOLLOWS, KEEPS) {#field, offsetof(mjModel, field), 0, mjiFOLLOWS_##FOLLOWS, mjiKEEPS_##KEEPS},
#define O(field, n, FOLLOWS, KEEPS) \
  {"opt." #field, offsetof(mjModel, opt.field), n, mjiFOLLOWS_##FOLLOWS, mjiKEEPS_##KEEPS},
    MJI_MODEL_NUMBERS(R) MJI_OPTION_NUMBERS(O)
#undef R
#undef O
};

int mji_findNumber(const char* name) {
  for (int i = 0; i < mjiNNUM; i++) {
    if (!strcmp(rows[i].name, name)) return i;
  }
  return -1;
}

const char* mji_numberName(mjiNumber number) { return rows[number].name; }
mjiFollows mji_numberFollows(mjiNumber number) { return rows[number].follows; }

// length of the array of the model whose pointer is at an offset
static size_t arrayLength(const mjModel* m, size_t offset) {
  MJMODEL_POINTERS_PREAMBLE(m)
#define X(type, name, nr, nc) \
  if (offset == offsetof(mjModel, name)) return (size_t)m->nr * (size_t)(nc);
  MJMODEL_POINTERS
#undef X
  return 0;
}

const mjtNum* mji_baseNumber(const mjModel* m, mjiNumber number, size_t* n) {
  const Row* row = rows + number;
  const char* field = (const char*)m + row->offset;
  *n = row->option ? (size_t)row->option : arrayLength(m, row->offset);
  return row->option ? (const mjtNum*)(const void*)field : *(mjtNum* const*)(const void*)field;
}

// where a model, or a view of a model, has a number
static mjtNum* address(mjModel* m, mjiNumber number) {
  const Row* row = rows + number;
  void* field = (char*)m + row->offset;
  return row->option ? (mjtNum*)field : *(mjtNum**)field;
}

// ---- structure

// does a change of value k from `old` change what kernels take from the model?
static int breaks(const mjModel* m, mjiKeeps keeps, size_t element, mjtNum old) {
  switch (keeps) {
    case mjiKEEPS_ZEROS: return old == 0;
    case mjiKEEPS_SIMPLE: return m->body_simple[element] != 0;
    case mjiKEEPS_SIMPLE_JOINTS: return m->body_simple[m->jnt_bodyid[element]] != 0;
    case mjiKEEPS_PATHS: return m->wrap_type[element] != mjWRAP_JOINT;
    default: return 0;
  }
}

// values per body or joint of a number that some bodies or joints must keep
static size_t widthOf(mjiNumber number) {
  if (number == mjiNUM_body_iquat) return 4;
  return rows[number].keeps == mjiKEEPS_SIMPLE || rows[number].keeps == mjiKEEPS_SIMPLE_JOINTS ? 3 : 1;
}

int mji_numberBreaks(const mjModel* m, mjiNumber number, const mjtNum* value) {
  size_t n, width = widthOf(number);
  const mjtNum* old = mji_baseNumber(m, number, &n);
  for (size_t k = 0; k < n; k++) {
    if (value[k] != old[k] && breaks(m, rows[number].keeps, k / width, old[k])) return (int)k;
  }
  return -1;
}

// ---- copies and views

static size_t numbersOfLane(const mjModel* m) {
  size_t total = 0, n;
  for (int i = 0; i < mjiNNUM; i++) {
    mji_baseNumber(m, (mjiNumber)i, &n);
    total += mji_alignUp(n * sizeof(mjtNum), MJI_ALIGN);
  }
  return total;
}

// a view has its own copy of each number in the table, and shares all other arrays with the model
static char* makeView(const mjModel* m, mjModel* view, char* p) {
  *view = *m;
  for (int i = 0; i < mjiNNUM; i++) {
    size_t n;
    const mjtNum* value = mji_baseNumber(m, (mjiNumber)i, &n);
    if (rows[i].option) continue;
    memcpy(p, value, n * sizeof(mjtNum));
    *(mjtNum**)(void*)((char*)view + rows[i].offset) = (mjtNum*)(void*)p;
    p += mji_alignUp(n * sizeof(mjtNum), MJI_ALIGN);
  }
  return p;
}

int mji_ownNumbers(const mjModel* m, mjData* lanes) {
  mjiWork* w = mji_work(lanes);
  size_t nlane = (size_t)w->nlane, each = numbersOfLane(m);
  size_t views = mji_alignUp(nlane * sizeof(mjModel), MJI_ALIGN);
  if (!w->numbers) w->numbers = mji_tryMalloc(views + 2 * nlane * each + mjiNNUM * sizeof(mjtNum*));
  if (!w->numbers) return 0;

  // views, their arrays, the copies for kernels, the addresses of these
  char* p = (char*)w->numbers + views;
  w->view = w->numbers;
  for (size_t l = 0; l < nlane; l++) p = makeView(m, w->view + l, p);
  p = (char*)w->numbers + views + nlane * each;
  w->number = (mjtNum**)(void*)(p + nlane * each);
  for (int i = 0; i < mjiNNUM; i++) {
    size_t n;
    const mjtNum* value = mji_baseNumber(m, (mjiNumber)i, &n);
    w->number[i] = (mjtNum*)(void*)p;
    for (int l = 0; l < w->nlane; l++) mji_scatterLane(w->number[i], value, (int)n, w->nlane, l);
    p += nlane * mji_alignUp(n * sizeof(mjtNum), MJI_ALIGN);
  }
  return 1;
}

void mji_setNumber(const mjModel* m, mjData* lanes, mjiNumber number, int lane, const mjtNum* value) {
  mjiWork* w = mji_work(lanes);
  size_t n;
  mji_baseNumber(m, number, &n);
  mjtNum* own = address(w->view + lane, number);
  if (own != value) mju_copy(own, value, (int)n);
  mji_scatterLane(w->number[number], value, (int)n, w->nlane, lane);
}

const mjModel* mji_laneModel(const mjModel* m, const mjData* lanes, int lane) {
  const mjiWork* w = mji_work(lanes);
  return w->view ? w->view + lane : m;
}
