// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Settings of a whole model: compiler, option, size, visual, statistic.

#include <ctype.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "mjcf/read.h"

void mji_readCompiler(mjiReader* r, const mjiXML* section) {
  mjsCompiler* c = &r->spec->compiler;

  // assetdir stands for both directories; the specific ones win
  const char* text = mji_xmlAttr(section, "assetdir");
  if (text) {
    mjs_setString(c->meshdir, text);
    mjs_setString(c->texturedir, text);
  }
  mji_readRows(r, section, mji_rowsCompiler, r->spec);

  if ((text = mji_xmlAttr(section, "eulerseq"))) {
    if (strlen(text) != 3) mji_readFail(r, section, "eulerseq must have three letters");
    memcpy(c->eulerseq, text, 3);
  }
  if (mji_readWord(r, section, "coordinate", mji_wordsCoordinate, 0) == 1)
    mji_readFail(r, section, "global coordinates are not supported");

  const mjiXML* range = mji_xmlChild(section, "lengthrange");
  if (range) mji_readRows(r, range, mji_rowsLengthRange, r->spec);
}

void mji_readOption(mjiReader* r, const mjiXML* section) {
  mji_readRows(r, section, mji_rowsOption, r->spec);

  // groups of actuators as bits
  int n;
  const int* group = mji_readInts(r, section, "actuatorgroupdisable", &n);
  if (n > 31) mji_readFail(r, section, "actuatorgroupdisable has %d numbers, more than groups", n);
  for (int i = 0; i < n; i++) {
    if (group[i] < 0 || group[i] > 30)
      mji_readFail(r, section, "actuatorgroupdisable: %d is not from 0 to 30", group[i]);
    r->spec->option.disableactuator |= 1 << group[i];
  }

  const mjiXML* flag = mji_xmlChild(section, "flag");
  if (flag) mji_readRows(r, flag, mji_rowsFlag, r->spec);
}

// an integer with an optional suffix K, M, G, T, P, E; -1 means automatic
static mjtSize readMemory(mjiReader* r, const mjiXML* section, const char* text) {
  while (isspace((unsigned char)*text)) text++;
  char* end;
  errno = 0;
  unsigned long long size = strtoull(text, &end, 10);
  int automatic = !strncmp(text, "-1", 2);
  int shift = 0;
  const char* suffix = *end ? strchr("KMGTPE", toupper((unsigned char)*end)) : NULL;
  if (suffix && !automatic) {
    shift = 10 * (int)(suffix - "KMGTPE" + 1);
    end++;
  }
  while (isspace((unsigned char)*end)) end++;
  int valid = !*end && !errno && (automatic || isdigit((unsigned char)text[*text == '+']));
  if (!valid || (!automatic && size > (unsigned long long)INT64_MAX >> shift))
    mji_readFail(r, section, "memory must be an integer with an optional suffix K, M, G, T, P or E");
  return automatic ? -1 : (mjtSize)(size << shift);
}

void mji_readSize(mjiReader* r, const mjiXML* section) {
  mjSpec* s = r->spec;
  mji_readRows(r, section, mji_rowsSize, s);
  static const char* const bounded[] = {"nconmax",   "nuser_body",   "nuser_jnt",      "nuser_geom",  "nuser_site",
                                        "nuser_cam", "nuser_tendon", "nuser_actuator", "nuser_sensor"};
  for (size_t i = 0; i < sizeof bounded / sizeof *bounded; i++)
    if (mji_readInt(r, section, bounded[i], 0) < -1) mji_readFail(r, section, "%s must be at least -1", bounded[i]);

  const char* memory = mji_xmlAttr(section, "memory");
  if (memory) s->memory = readMemory(r, section, memory);
  if (mji_xmlAttr(section, "nstack")) s->nstack = mji_readInt(r, section, "nstack", -1);

  // memory replaces nstack and njmax, so it excludes them
  static const char* const old[] = {"nstack", "njmax"};
  for (int i = 0; i < 2; i++)
    if (s->memory != -1 && mji_readInt(r, section, old[i], -1) != -1)
      mji_readFail(r, section, "memory and %s cannot both be given", old[i]);
}

void mji_readStatistic(mjiReader* r, const mjiXML* section) {
  mji_readRows(r, section, mji_rowsStatistic, r->spec);
  if (r->spec->stat.extent <= 0) mji_readFail(r, section, "extent must be positive");
}

void mji_readVisual(mjiReader* r, const mjiXML* section) {
  for (const mjiXML* c = section->first; c; c = c->next)
    for (const mjiElemRow* row = mji_elemsVisual; row->name; row++)
      if (!strcmp(row->name, c->name)) mji_readRows(r, c, row->attr, r->spec);

  const mjiXML* global = mji_xmlChild(section, "global");
  if (global && r->spec->visual.global.realtime <= 0) mji_readFail(r, global, "realtime must be positive");
  const mjiXML* map = mji_xmlChild(section, "map");
  if (map && r->spec->visual.map.znear <= 0) mji_readFail(r, map, "znear must be positive");
}
