// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Reading of what brackets of forms hold. form_table.c has the forms.

#define _GNU_SOURCE  // strtod_l

#include "batch/form.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "batch/nearest.h"

enum { MOST_ROWS = 1 << 16, LISTED = 100 };

// what is being read
typedef struct {
  const mjModel* m;
  const char* name;  // of the output
  mjiBrackets* store;
  locale_t numbers;  // where a point is a point, whatever the program has set
  sheafStatus* status;
} Reader;

static int refuse(const Reader* r, const char* expected, const char* got) {
  return mji_refuseBrackets(r->name, expected, got, r->status);
}

const char* mji_formSyntax(const mjiForm* form) {
  static const char* const syntax[] = {
      [MJI_TAKES_ELEMENTS] = "elements",
      [MJI_TAKES_COUNT] = "a number of rows from 1 to 65536",
      [MJI_TAKES_POINTS] = "BODY at X Y Z",
      [MJI_TAKES_RAYS] = "SITE, SITE along X Y Z or X Y Z along X Y Z",
      [MJI_TAKES_PAIRS] = "GEOM to GEOM or GEOM to GEOM within DISTANCE",
  };
  return syntax[form->takes];
}

// ---- parts of an item

// a name or a number of an element
typedef struct {
  const mjModel* m;
  mjtObj type;
} Kind;

static const char* nameOf(const void* user, int id) {
  const Kind* kind = user;
  return mj_id2name(kind->m, kind->type, id);
}

static int findElement(const Reader* r, mjtObj type, int count, const char* what, const char* text) {
  int id = mj_name2id(r->m, type, text);
  if (id < 0 && text[0]) id = mji_readIndex(text, strlen(text), -1, count - 1);
  if (id >= 0) return id;
  const Kind kind = {r->m, type};
  char list[LISTED], expected[LISTED + 64];
  mji_nearest(list, sizeof list, text, nameOf, &kind, count);
  snprintf(expected, sizeof expected, "a number from 0 to %d or one of the %s %s", count - 1, what, list);
  return refuse(r, expected, text);
}

// n numbers of sensible size and nothing else; nonzero if the text is that
static int readNumbers(const Reader* r, const char* text, int n, mjtNum* x) {
  char* end;
  for (int i = 0; i < n; i++, text = end) {
    x[i] = strtod_l(text, &end, r->numbers);
    if (end == text || !(fabs(x[i]) <= mjMAXVAL) || (*end && *end != ' ')) return 0;
  }
  return text[strspn(text, " ")] == 0;
}

// What is behind a word with spaces around it, which is cut off; NULL if the word is not there.
static char* splitAt(char* item, const char* word) {
  char* at = strstr(item, word);
  if (!at) return NULL;
  *at = 0;
  mji_trim(item);
  return mji_trim(at + strlen(word));
}

// ---- items

static int readPoint(const Reader* r, char* item, mjiProbe* p) {
  char* at = splitAt(item, " at ");
  p->id[0] = findElement(r, mjOBJ_BODY, (int)r->m->nbody, "bodies", item);
  if (p->id[0] < 0) return -1;
  return !at || readNumbers(r, at, 3, p->x) ? 0 : refuse(r, "three numbers behind \"at\"", at);
}

static int readRay(const Reader* r, char* item, mjiProbe* p) {
  char* along = splitAt(item, " along ");
  p->id[0] = -1;
  if (mj_name2id(r->m, mjOBJ_SITE, item) >= 0 || !readNumbers(r, item, 3, p->x)) {
    p->id[0] = findElement(r, mjOBJ_SITE, (int)r->m->nsite, "sites", item);
    if (p->id[0] < 0) return -1;
  }
  p->x[5] = 1;  // the z axis of a site
  if (!along) return p->id[0] < 0 ? refuse(r, "\"along\" and a direction behind the origin", item) : 0;
  if (readNumbers(r, along, 3, p->x + 3) && mju_norm3(p->x + 3) > mjMINVAL) {
    mju_normalize3(p->x + 3);
    return 0;
  }
  return refuse(r, "a direction of three numbers behind \"along\"", along);
}

// planes and height fields have no distance from each other
static int hasDistance(const mjModel* m, const int geom[2]) {
  int flat = 0;
  for (int k = 0; k < 2; k++) {
    int type = m->geom_type[geom[k]];
    flat += type == mjGEOM_PLANE || type == mjGEOM_HFIELD;
  }
  return flat < 2;
}

static int readPair(const Reader* r, char* item, mjiProbe* p) {
  char* to = splitAt(item, " to ");
  if (!to) return refuse(r, "GEOM to GEOM", item);
  char* within = splitAt(to, " within ");
  p->x[0] = mjMAXVAL;
  if (within && (!readNumbers(r, within, 1, p->x) || p->x[0] < 0)) {
    return refuse(r, "a distance of 0 or more behind \"within\"", within);
  }
  const char* name[] = {item, to};
  for (int k = 0; k < 2; k++) {
    p->id[k] = findElement(r, mjOBJ_GEOM, (int)r->m->ngeom, "geoms", name[k]);
    if (p->id[k] < 0) return -1;
  }
  return hasDistance(r->m, p->id) ? 0 : refuse(r, "geoms of which one at most is a plane or a height field", to);
}

static int readProbes(const Reader* r, const mjiForm* form, char* list, mjiChoice* choice) {
  mjiBrackets* s = r->store;
  choice->probe = s->probe + s->nprobe;
  for (char *item = list, *next; item; item = next) {
    next = strchr(item, ',');
    if (next) *next++ = 0;
    if (s->nprobe == MJI_MAXPROBE) return refuse(r, "at most 256 points, rays and pairs in a request", item);
    mjiProbe* p = &s->probe[s->nprobe++];
    *p = (mjiProbe){{0}, {0}};
    int err = form->takes == MJI_TAKES_POINTS ? readPoint(r, mji_trim(item), p)
              : form->takes == MJI_TAKES_RAYS ? readRay(r, mji_trim(item), p)
                                              : readPair(r, mji_trim(item), p);
    if (err) return err;
    choice->nprobe++;
  }
  return 0;
}

int mji_readForm(const mjModel* m, const char* text, char* list, mjiChoice* choice, mjiBrackets* store,
                 sheafStatus* status) {
  const mjiForm* form = choice->form;
  Reader r = {.m = m, .name = text, .store = store, .status = status};
  int columns = form->columns ? form->columns : (int)m->nv;
  if (form->takes == MJI_TAKES_COUNT) {
    choice->count = list[0] ? mji_readIndex(list, strlen(list), -1, MOST_ROWS) : -1;
    if (choice->count < 1) return refuse(&r, mji_formSyntax(form), list);
    choice->shape[0] = choice->count;
    choice->shape[1] = columns;
    return 0;
  }
  r.numbers = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  if (!r.numbers) return refuse(&r, "memory", "none");
  int err = readProbes(&r, form, list, choice);
  freelocale(r.numbers);
  if (err) return err;
  choice->shape[0] = choice->nprobe * form->each;
  choice->shape[1] = columns;

  // one row of several columns is a vector
  if (choice->shape[0] == 1 && form->columns) {
    choice->shape[0] = columns;
    choice->shape[1] = 1;
  }
  return 0;
}
