// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Settings of a whole model: compiler, option, size, visual, statistic.

#include <stdio.h>
#include <string.h>

#include "mjcf/write.h"

// compare with a specification of initial values; it has no texts and lists
static mjiBase against(const mjSpec* initial) { return (mjiBase){initial, initial, 0}; }

// ---- compiler

int mji_writeIsMixed(const mjiSpec* s) {
  const mjsCompiler* a = &s->pub.compiler;
  for (int i = 0; i < s->origins.num; i++) {
    const mjsCompiler* b = &((const mjiOrigin*)mji_vec_get(&s->origins, i))->compiler;
    if (a->boundmass != b->boundmass || a->boundinertia != b->boundinertia || a->balanceinertia != b->balanceinertia ||
        a->inertiagrouprange[0] != b->inertiagrouprange[0] || a->inertiagrouprange[1] != b->inertiagrouprange[1]) {
      return 1;
    }
  }
  return 0;
}

// What the compiler has done is not asked for again: angles, Euler sequences, automatic limits,
// fusing and discarding, alignment, and which inertia comes from geoms.
static void keepOpen(const mjiWriter* w, mjSpec* s) {
  mjSpec initial;
  mjs_defaultSpec(&initial);
  mjsCompiler* c = &s->compiler;
  c->degree = 0;
  c->autolimits = initial.compiler.autolimits;
  c->discardvisual = initial.compiler.discardvisual;
  c->fusestatic = initial.compiler.fusestatic;
  c->alignfree = initial.compiler.alignfree;
  c->inertiafromgeom = initial.compiler.inertiafromgeom;
  if (w->mixed) {
    c->boundmass = c->boundinertia = 0;
    c->balanceinertia = 0;
    memcpy(c->inertiagrouprange, initial.compiler.inertiagrouprange, sizeof c->inertiagrouprange);
  }
  if (w->fullpaths) c->meshdir = c->texturedir = NULL;
}

void mji_writeCompiler(mjiWriter* w) {
  mjSpec s = w->spec->pub, initial;
  mjs_defaultSpec(&initial);
  keepOpen(w, &s);
  mji_writeOpen(w, "compiler");
  mji_writeRows(w, mji_rowsCompiler, &s, against(&initial));
  size_t start = mji_writeOpen(w, "lengthrange");
  mji_writeRows(w, mji_rowsLengthRange, &s, against(&initial));
  mji_writeCloseUsed(w, "lengthrange", start);
  mji_writeClose(w, "compiler");
}

// ---- option

static void writeGroups(mjiWriter* w, int bits) {
  int group[31], n = 0;
  for (int i = 0; i < 31; i++)
    if (bits & 1 << i) group[n++] = i;
  if (n) mji_writeInts(w, "actuatorgroupdisable", group, n);
}

void mji_writeOption(mjiWriter* w) {
  const mjSpec* s = &w->spec->pub;
  mjSpec initial;
  mjs_defaultSpec(&initial);
  size_t start = mji_writeOpen(w, "option");
  mji_writeRows(w, mji_rowsOption, s, against(&initial));
  writeGroups(w, s->option.disableactuator);
  size_t flag = mji_writeOpen(w, "flag");
  mji_writeRows(w, mji_rowsFlag, s, against(&initial));
  mji_writeCloseUsed(w, "flag", flag);
  mji_writeCloseUsed(w, "option", start);
}

// ---- size

static int longestUser(const mjiWriter* w, mjtObj type) {
  int longest = 0;
  for (int i = 0; i < w->spec->list[type].num; i++) {
    int n = mji_elem_user(mji_elem_at(w->spec->list + type, i))->num;
    if (n > longest) longest = n;
  }
  return longest;
}

// with the largest suffix that leaves a whole number
static void writeMemory(mjiWriter* w, mjtSize memory) {
  static const char suffix[] = "KMGTPE";
  int unit = 0;
  while (memory && memory % 1024 == 0 && unit < 6) {
    memory /= 1024;
    unit++;
  }
  char text[32];
  const char* letter = suffix + (unit ? unit - 1 : 0);
  snprintf(text, sizeof text, "%lld%.*s", (long long)memory, unit > 0, letter);
  mji_writeText(w, "memory", text);
}

void mji_writeSize(mjiWriter* w) {
  const mjSpec* s = &w->spec->pub;
  mjSpec initial;
  mjs_defaultSpec(&initial);

  // sizes that a reader would count itself are not written
  initial.nkey = w->spec->list[mjOBJ_KEY].num;
  initial.nuser_body = longestUser(w, mjOBJ_BODY);
  initial.nuser_jnt = longestUser(w, mjOBJ_JOINT);
  initial.nuser_geom = longestUser(w, mjOBJ_GEOM);
  initial.nuser_site = longestUser(w, mjOBJ_SITE);
  initial.nuser_cam = longestUser(w, mjOBJ_CAMERA);
  initial.nuser_tendon = longestUser(w, mjOBJ_TENDON);
  initial.nuser_actuator = longestUser(w, mjOBJ_ACTUATOR);
  initial.nuser_sensor = longestUser(w, mjOBJ_SENSOR);
  if (s->nkey < initial.nkey) initial.nkey = s->nkey;

  size_t start = mji_writeOpen(w, "size");
  mji_writeRows(w, mji_rowsSize, s, against(&initial));
  int nstack = (int)s->nstack, limited = s->njmax != initial.njmax || s->nstack != initial.nstack;
  if (s->nstack != initial.nstack) mji_writeInts(w, "nstack", &nstack, 1);

  // an element may not have memory beside njmax or nstack, so memory gets an element of its own
  if (s->memory != initial.memory && limited) {
    mji_writeCloseUsed(w, "size", start);
    start = mji_writeOpen(w, "size");
  }
  if (s->memory != initial.memory) writeMemory(w, s->memory);
  mji_writeCloseUsed(w, "size", start);
}

// ---- visual and statistic

void mji_writeVisual(mjiWriter* w) {
  mjSpec initial;
  mjs_defaultSpec(&initial);
  size_t start = mji_writeOpen(w, "visual");
  for (const mjiElemRow* row = mji_elemsVisual; row->name; row++) {
    size_t at = mji_writeOpen(w, row->name);
    mji_writeRows(w, row->attr, &w->spec->pub, against(&initial));
    mji_writeCloseUsed(w, row->name, at);
  }
  mji_writeCloseUsed(w, "visual", start);
}

void mji_writeStatistic(mjiWriter* w) {
  mjSpec initial;
  mjs_defaultSpec(&initial);
  size_t start = mji_writeOpen(w, "statistic");
  mji_writeRows(w, mji_rowsStatistic, &w->spec->pub, against(&initial));
  mji_writeCloseUsed(w, "statistic", start);
}
