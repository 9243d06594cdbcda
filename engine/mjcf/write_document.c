// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// A compiled specification to a document: sections in order.

#define _GNU_SOURCE  // newlocale, uselocale
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>

#include "mjcf/write.h"

static void writeSections(mjiWriter* w) {
  static void (*const sections[])(mjiWriter * w) = {
      mji_writeCompiler,  mji_writeOption,     mji_writeSize,     mji_writeVisual, mji_writeStatistic,
      mji_writeExtension, mji_writeDefault,    mji_writeCustom,   mji_writeAsset,  mji_writeWorldBody,
      mji_writeContact,   mji_writeDeformable, mji_writeEquality, mji_writeTendon, mji_writeActuator,
      mji_writeSensor,    mji_writeKeyframe,
  };
  const mjSpec* s = &w->spec->pub;
  mji_writeOpen(w, "mujoco");
  mji_writeText(w, "model", mjs_getString(s->modelname));
  if (*mjs_getString(s->comment)) mji_writeComment(w, mjs_getString(s->comment));
  for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
    // sections are apart from each other
    size_t before = w->size;
    if (i) mji_writeGap(w);
    size_t after = w->size;
    sections[i](w);
    if (w->size == after && i && !*w->error) w->text[w->size = before] = 0;
  }
  mji_writeClose(w, "mujoco");
}

char* mji_writeDocument(const mjSpec* s, size_t* size, char* error, int nerror) {
  mjiSpec* compiled = s ? ((const mjiSpec*)s)->compiled : NULL;
  const char* reason = !s          ? "there is no specification"
                       : !compiled ? "only a compiled specification can be written"
                       : s->element->signature != compiled->made.signature
                           ? "elements were added or deleted: it must be compiled again before it is written"
                           : NULL;
  if (reason) {
    snprintf(error, (size_t)nerror, "%s", reason);
    return NULL;
  }
  mjiWriter w = {.spec = compiled};
  w.mixed = mji_writeIsMixed(compiled);
  w.fullpaths = mji_writeNeedsPaths(compiled);

  // numbers have a decimal point in any locale of the user
  locale_t numbers = newlocale(LC_ALL_MASK, "C", NULL);
  if (!numbers) {
    snprintf(error, (size_t)nerror, "out of memory");
    return NULL;
  }
  locale_t old = uselocale(numbers);
  writeSections(&w);
  uselocale(old);
  freelocale(numbers);

  for (int i = 0; i < mjNOBJECT; i++)
    if (w.initial[i]) mji_elem_free(w.initial[i]);
  if (!*w.error) {
    *size = w.size;
    return w.text;
  }
  snprintf(error, (size_t)nerror, "%s", w.error);
  free(w.text);
  return NULL;
}
