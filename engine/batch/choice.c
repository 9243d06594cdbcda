// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "batch/choice.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "batch/form.h"
#include "batch/nearest.h"
#include "batch/output.h"
#include "model/number.h"
#include "pool/pool.h"

// characters between brackets, and of a list of names in a message; numbers of a form for one state, which workers may
// need scratch for
enum { LONGEST = 16384, LISTED = 140, MOST = 1 << 22 };

// What has the names of an array's rows, by the size that says how many rows there are. Other arrays have rows by
// number.
// clang-format off
static const struct {
  const char* rows;
  mjtObj type;
  const char *count, *what;
} kinds[] = {
    {"nbody",       mjOBJ_BODY,     "nbody",   "bodies"},
    {"njnt",        mjOBJ_JOINT,    "njnt",    "joints"},
    {"ngeom",       mjOBJ_GEOM,     "ngeom",   "geoms"},
    {"nsite",       mjOBJ_SITE,     "nsite",   "sites"},
    {"ncam",        mjOBJ_CAMERA,   "ncam",    "cameras"},
    {"nlight",      mjOBJ_LIGHT,    "nlight",  "lights"},
    {"ntendon",     mjOBJ_TENDON,   "ntendon", "tendons"},
    {"nu",          mjOBJ_ACTUATOR, "nu",      "actuators"},
    {"nq",          mjOBJ_JOINT,    "njnt",    "joints"},
    {"nv",          mjOBJ_JOINT,    "njnt",    "joints"},
    {"na",          mjOBJ_ACTUATOR, "nu",      "actuators"},
    {"nsensordata", mjOBJ_SENSOR,   "nsensor", "sensors"},
    {"nmocap",      mjOBJ_BODY,     "nbody",   "mocap bodies"},
};
// clang-format on

// what is being read
typedef struct {
  const mjModel* m;
  const char* name;  // of the output
  const char* rows;
  int kind;  // in the table, -1: rows have no names
  int nrow;
  mjiRowRange* range;
  int n, room;
  sheafStatus* status;
} Reader;

static int findKind(const char* rows) {
  for (size_t i = 0; rows && i < sizeof kinds / sizeof kinds[0]; i++) {
    if (!strcmp(rows, kinds[i].rows)) return (int)i;
  }
  return -1;
}

// the rows of an element
static mjiRowRange rowsOf(const mjModel* m, const char* rows, int id) {
  static const int nq[] = {7, 4, 1, 1}, nv[] = {6, 3, 1, 1};  // by mjtJoint
  if (!strcmp(rows, "nq")) return (mjiRowRange){m->jnt_qposadr[id], nq[m->jnt_type[id]]};
  if (!strcmp(rows, "nv")) return (mjiRowRange){m->jnt_dofadr[id], nv[m->jnt_type[id]]};
  if (!strcmp(rows, "na")) return (mjiRowRange){m->actuator_actadr[id], m->actuator_actnum[id]};
  if (!strcmp(rows, "nsensordata")) return (mjiRowRange){m->sensor_adr[id], m->sensor_dim[id]};
  if (!strcmp(rows, "nmocap")) return (mjiRowRange){m->body_mocapid[id], m->body_mocapid[id] >= 0};
  return (mjiRowRange){id, 1};
}

// ---- what is wrong

static const char* nameOf(const void* user, int id) {
  const Reader* r = user;
  const char* name = mj_id2name(r->m, kinds[r->kind].type, id);
  return name && rowsOf(r->m, r->rows, id).count > 0 ? name : NULL;
}

static int refuse(const Reader* r, const char* expected, const char* got) {
  return mji_refuseBrackets(r->name, expected, got, r->status);
}

static int refuseElement(const Reader* r, const char* item) {
  char list[LISTED], expected[LISTED + 64];
  if (r->kind < 0) {
    snprintf(expected, sizeof expected, "numbers of rows from 0 to %d or ranges of them", r->nrow - 1);
  } else {
    mji_nearest(list, LISTED - 40, item, nameOf, r, (int)sheaf_modelNumber(r->m, kinds[r->kind].count));
    snprintf(expected, sizeof expected, "a row from 0 to %d, a range or one of the %s %s", r->nrow - 1,
             kinds[r->kind].what, list);
  }
  return refuse(r, expected, item);
}

static const char* outputAt(const void* user, int i) {
  (void)user;
  const char* name = sheaf_outputName(i);
  return mji_outputFind(name) == i ? name : NULL;
}

int mji_refuseOutput(const char* name, sheafStatus* status) {
  char list[LISTED];
  mji_nearest(list, sizeof list, name, outputAt, NULL, sheaf_outputCount());
  return mji_status(status, SHEAF_INVALID_ARGUMENT, "output", "expected one of %s, got \"%.60s\"", list, name);
}

// ---- items between brackets

static int addRange(Reader* r, int first, int count, const char* item) {
  for (int k = 0; k < r->n; k++) {
    if (first < r->range[k].first + r->range[k].count && r->range[k].first < first + count) {
      return refuse(r, "each row once", item);
    }
  }
  if (r->n && r->range[r->n - 1].first + r->range[r->n - 1].count == first) {
    r->range[r->n - 1].count += count;
    return 0;
  }
  if (r->n == r->room) return refuse(r, "fewer elements, or ranges of them", item);
  r->range[r->n++] = (mjiRowRange){first, count};
  return 0;
}

static int isElement(const Reader* r, const char* name) {
  return r->kind >= 0 && mj_name2id(r->m, kinds[r->kind].type, name) >= 0;
}

static int readItem(Reader* r, const char* item) {
  if (isElement(r, item)) {
    mjiRowRange rows = rowsOf(r->m, r->rows, mj_name2id(r->m, kinds[r->kind].type, item));
    return rows.count > 0 ? addRange(r, rows.first, rows.count, item) : refuseElement(r, item);
  }
  const char* colon = strchr(item, ':');
  if (!colon) {
    int i = item[0] ? mji_readIndex(item, strlen(item), -1, r->nrow - 1) : -1;
    return i < 0 ? refuseElement(r, item) : addRange(r, i, 1, item);
  }
  int first = mji_readIndex(item, (size_t)(colon - item), 0, r->nrow);
  int end = mji_readIndex(colon + 1, strlen(colon + 1), r->nrow, r->nrow);
  return first < 0 || end <= first ? refuseElement(r, item) : addRange(r, first, end - first, item);
}

// the name of one element, which may have commas in it, or items between commas
static int readItems(Reader* r, char* list, int* single) {
  *single = isElement(r, list) || !strpbrk(list, ",:");
  if (*single) return readItem(r, list);
  for (char *item = list, *next; item; item = next) {
    next = strchr(item, ',');
    if (next) *next++ = 0;
    int err = readItem(r, mji_trim(item));
    if (err) return err;
  }
  return 0;
}

// rows of an array, or elements of a form
static int readRows(const mjModel* m, const char* text, char* list, mjiChoice* choice, mjiBrackets* store,
                    sheafStatus* status) {
  int number = choice->output - MJI_CHOSE_NUMBER;
  const char* names = number >= 0 ? mji_numberRows((mjiNumber)number) : mji_outputRows(choice->output);
  Reader r = {.m = m, .name = text, .rows = names, .nrow = choice->shape[0]};
  r.kind = findKind(r.rows);
  r.range = store->range + store->nrange;
  r.room = MJI_MAXRANGE - store->nrange;
  r.status = status;
  int single, rows = 0;
  if (readItems(&r, mji_trim(list), &single)) return -1;
  for (int k = 0; k < r.n; k++) rows += r.range[k].count;
  choice->nrange = r.n;
  choice->range = r.range;
  choice->shape[0] = rows;
  store->nrange += r.n;

  // one row of a matrix is a vector
  if (single && rows == 1 && choice->shape[1] > 1 && !choice->form) {
    choice->shape[0] = choice->shape[1];
    choice->shape[1] = 1;
  }
  return 0;
}

static int readBrackets(const mjModel* m, const char* text, const char* open, mjiChoice* choice, mjiBrackets* store,
                        sheafStatus* status) {
  char list[LONGEST];
  size_t length = strlen(open);
  if (length > sizeof list) return mji_refuseBrackets(text, "at most 16384 characters in brackets", open, status);
  if (open[length - 1] != ']') {
    return mji_refuseBrackets(text, "elements between [ and ]", open, status);
  }
  snprintf(list, sizeof list, "%.*s", (int)(length - 2), open + 1);
  if (choice->form && choice->form->takes != MJI_TAKES_ELEMENTS) {
    return mji_readForm(m, text, mji_trim(list), choice, store, status);
  }
  return readRows(m, text, list, choice, store, status);
}

int mji_listRows(const mjModel* m, const char* text, const char* rows, int nrow, mjiRowRange* range, int room,
                 sheafStatus* status) {
  char list[LONGEST];
  const char* open = strchr(text, '[');
  size_t length = open ? strlen(open) : 0;
  Reader r = {.m = m, .name = text, .rows = rows, .nrow = nrow, .range = range, .room = room};
  int single;
  r.kind = findKind(rows);
  r.status = status;
  range[0] = (mjiRowRange){0, nrow};
  if (!open) return 1;
  if (length > sizeof list || open[length - 1] != ']') {
    return mji_refuseBrackets(text, "elements between [ and ]", open, status);
  }
  snprintf(list, sizeof list, "%.*s", (int)(length - 2), open + 1);
  return readItems(&r, mji_trim(list), &single) ? -1 : r.n;
}

int mji_chooseRows(const mjModel* m, const char* text, const char* rows, int nrow, int* first, sheafStatus* status) {
  mjiRowRange range;
  if (mji_listRows(m, text, rows, nrow, &range, 1, status) < 0) return -1;
  *first = range.first;
  return range.count;
}

// an output or a number of the model; returns its size
static int findArray(const mjModel* m, const char* name, mjiChoice* choice) {
  int number = mji_findNumber(name);
  choice->output = mji_outputFind(name);
  if (choice->output >= 0) {
    choice->form = mji_outputForm(choice->output);
    return mji_outputShape(m, choice->output, choice->shape);
  }
  if (number < 0) return 0;
  choice->output = MJI_CHOSE_NUMBER + number;
  mji_numberShape(m, (mjiNumber)number, choice->shape);
  return choice->shape[0] * choice->shape[1];
}

int mji_isNominal(const char* name) { return name && !strncmp(name, SHEAF_NOMINAL, strlen(SHEAF_NOMINAL)); }

int mji_choose(const mjModel* m, const char* text, mjiChoice* choice, mjiBrackets* store, sheafStatus* status) {
  char name[64];
  int nominal = mji_isNominal(text);
  if (nominal) text += strlen(SHEAF_NOMINAL);
  const char* open = text ? strchr(text, '[') : NULL;
  size_t n = text ? strcspn(text, "[") : 0;
  snprintf(name, sizeof name, "%.*s", (int)(n < sizeof name ? n : sizeof name - 1), text ? text : "");
  *choice = (mjiChoice){.output = -1, .nominal = nominal};
  int whole = findArray(m, name, choice);
  if (choice->output < 0) {
    mji_refuseOutput(text ? name : "(null)", status);
    return -1;
  }
  choice->columns = choice->shape[1];
  if (!open && !whole && choice->form) {
    return mji_refuseBrackets(text, mji_formSyntax(choice->form), "no brackets", status);
  }
  if (open && readBrackets(m, text, open, choice, store, status)) return -1;
  if (choice->form && choice->form->takes == MJI_TAKES_ELEMENTS) choice->shape[0] *= choice->form->each;
  int64_t size = (int64_t)choice->shape[0] * choice->shape[1];
  if (choice->form && size > MOST) return mji_refuseBrackets(text, "at most 4194304 numbers", "more", status);
  if (size > INT_MAX) return mji_refuseBrackets(text, "fewer than 2^31 numbers", "more", status);
  choice->size = (int)size;
  return 0;
}
