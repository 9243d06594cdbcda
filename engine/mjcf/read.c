// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE  // strtod_l
#include "mjcf/read.h"
#include "mjcf/source.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void mji_readFail(mjiReader* r, const mjiXML* elem, const char* format, ...) {
  char reason[600];
  va_list args;
  va_start(args, format);
  vsnprintf(reason, sizeof reason, format, args);
  va_end(args);
  if (r->error && r->nerror > 0)
    snprintf(r->error, r->nerror, "%s:%d: %s: %s", elem->file, elem->line, elem->name, reason);
  longjmp(r->onfail, 1);
}

void mji_readFailSpec(mjiReader* r, const mjiXML* elem) {
  // the text of the specification may begin with the place of this element: do not say it twice
  char place[mjiMAX_NAME + 32];
  const char* text = mjs_getError(r->spec);
  int n = snprintf(place, sizeof place, "%.256s:%d: ", elem->file, elem->line);
  mji_readFail(r, elem, "%s", strncmp(text, place, (size_t)n) ? text : text + n);
}

void* mji_readAlloc(mjiReader* r, const mjiXML* elem, size_t size) {
  void* p = mji_treeAlloc(r->tree, size);
  if (!p) mji_readFail(r, elem, "out of memory");
  return p;
}

// ---- text to numbers

static const char* skipSpace(const char* s) {
  while (*s == ' ' || *s == '\t' || *s == '\n' || *s == '\r' || *s == '\f' || *s == '\v') s++;
  return s;
}

// number of words
static int countTokens(const char* s) {
  int n = 0;
  for (s = skipSpace(s); *s; s = skipSpace(s)) {
    n++;
    while (*s && !isspace((unsigned char)*s)) s++;
  }
  return n;
}

// a number must be followed by space or the end
static void checkEnd(mjiReader* r, const mjiXML* elem, const char* name, const char* start, const char* end) {
  int n = 0;
  while (n < 32 && start[n] && !isspace((unsigned char)start[n])) n++;
  if (end == start || (*end && !isspace((unsigned char)*end)))
    mji_readFail(r, elem, "%s: '%.*s' is not the kind of number needed", name, n, start);
  if (errno == ERANGE) mji_readFail(r, elem, "%s: '%.*s' is out of range", name, n, start);
}

// NaN in a structure means that nothing was given, so a document may not have it
static void checkNumber(mjiReader* r, const mjiXML* elem, const char* name, double x) {
  if (isnan(x)) mji_readFail(r, elem, "%s must have numbers only, not 'nan'", name);
}

static double nextDouble(mjiReader* r, const mjiXML* elem, const char* name, const char** s) {
  char* end;
  errno = 0;
  const char* start = skipSpace(*s);
  double x = strtod_l(start, &end, r->numbers);
  checkEnd(r, elem, name, start, end);
  checkNumber(r, elem, name, x);
  *s = end;
  return x;
}

static float nextFloat(mjiReader* r, const mjiXML* elem, const char* name, const char** s) {
  char* end;
  errno = 0;
  const char* start = skipSpace(*s);
  float x = strtof_l(start, &end, r->numbers);
  checkEnd(r, elem, name, start, end);
  checkNumber(r, elem, name, (double)x);
  *s = end;
  return x;
}

static int nextInt(mjiReader* r, const mjiXML* elem, const char* name, const char** s) {
  char* end;
  errno = 0;
  const char* start = skipSpace(*s);
  long x = strtol(start, &end, 10);
  if (x < INT_MIN || x > INT_MAX) errno = ERANGE;
  checkEnd(r, elem, name, start, end);
  *s = end;
  return (int)x;
}

// How many values an attribute has, from least to most. An empty list is allowed and changes nothing.
static int countValues(mjiReader* r, const mjiXML* elem, const char* name, const char* text, int least, int most) {
  int n = countTokens(text);
  if (n > most) mji_readFail(r, elem, "%s has %d values, at most %d are allowed", name, n, most);
  if (n && n < least) mji_readFail(r, elem, "%s has %d values, %d are needed", name, n, least);
  return n;
}

static int countOne(mjiReader* r, const mjiXML* elem, const char* name, const char* text) {
  if (!countValues(r, elem, name, text, 1, 1)) mji_readFail(r, elem, "%s is empty, one value is needed", name);
  return 1;
}

// ---- single attributes

const char* mji_readText(mjiReader* r, const mjiXML* elem, const char* name, int required) {
  const char* text = mji_xmlAttr(elem, name);
  if (required && (!text || !*text)) mji_readFail(r, elem, "%s must be given", name);
  return text;
}

int mji_readGiven(const mjiXML* elem, const char* name) {
  const char* text = mji_xmlAttr(elem, name);
  return text && *skipSpace(text);
}

int mji_readNums(mjiReader* r, const mjiXML* elem, const char* name, double* out, int least, int most) {
  const char* text = mji_xmlAttr(elem, name);
  if (!text) return 0;
  int n = countValues(r, elem, name, text, least, most);
  for (int i = 0; i < n; i++) out[i] = nextDouble(r, elem, name, &text);
  return n;
}

double mji_readNum(mjiReader* r, const mjiXML* elem, const char* name, double otherwise) {
  double x = otherwise;
  mji_readNums(r, elem, name, &x, 1, 1);
  return x;
}

int mji_readInt(mjiReader* r, const mjiXML* elem, const char* name, int otherwise) {
  const char* text = mji_xmlAttr(elem, name);
  if (!text) return otherwise;
  countOne(r, elem, name, text);
  return nextInt(r, elem, name, &text);
}

static int findWord(mjiReader* r, const mjiXML* elem, const char* name, const mjiWord* words, const char* text) {
  for (; words->text; words++)
    if (!strcmp(words->text, text)) return words->value;
  mji_readFail(r, elem, "invalid keyword '%.64s' in attribute '%s'", text, name);
}

int mji_readWord(mjiReader* r, const mjiXML* elem, const char* name, const mjiWord* words, int otherwise) {
  const char* text = mji_xmlAttr(elem, name);
  return text ? findWord(r, elem, name, words, text) : otherwise;
}

char* mji_readPath(mjiReader* r, const mjiXML* elem, const char* folder, const char* text) {
  enum { MAX_PATH = 4096 };
  size_t size = mjMAX(strlen(text) + 1, (size_t)MAX_PATH);
  char* path = mji_readAlloc(r, elem, size);
  if (!mji_pathResolve(path, size, r->vfs, r->dir, folder, mji_treeFolder(r->tree, elem), text))
    mji_readFail(r, elem, "file name too long");
  return path;
}

// folder of the assets of an element
static const char* folderOf(const mjiReader* r, const mjiXML* elem) {
  const mjsCompiler* c = &r->spec->compiler;
  return mjs_getString(strcmp(elem->name, "texture") ? c->meshdir : c->texturedir);
}

// ---- lists

double* mji_readDoubles(mjiReader* r, const mjiXML* elem, const char* name, int* n) {
  const char* text = mji_xmlAttr(elem, name);
  *n = text ? countTokens(text) : 0;
  if (!text) return NULL;
  double* out = mji_readAlloc(r, elem, (size_t)(*n + 1) * sizeof *out);
  for (int i = 0; i < *n; i++) out[i] = nextDouble(r, elem, name, &text);
  return out;
}

float* mji_readFloats(mjiReader* r, const mjiXML* elem, const char* name, int* n) {
  const char* text = mji_xmlAttr(elem, name);
  *n = text ? countTokens(text) : 0;
  if (!text) return NULL;
  float* out = mji_readAlloc(r, elem, (size_t)(*n + 1) * sizeof *out);
  for (int i = 0; i < *n; i++) out[i] = nextFloat(r, elem, name, &text);
  return out;
}

int* mji_readInts(mjiReader* r, const mjiXML* elem, const char* name, int* n) {
  const char* text = mji_xmlAttr(elem, name);
  *n = text ? countTokens(text) : 0;
  if (!text) return NULL;
  int* out = mji_readAlloc(r, elem, (size_t)(*n + 1) * sizeof *out);
  for (int i = 0; i < *n; i++) out[i] = nextInt(r, elem, name, &text);
  return out;
}

// ---- rows

// an empty list leaves what the default class gives
static void readList(mjiReader* r, const mjiXML* elem, const mjiAttrRow* row, void* field) {
  int n;
  if (row->kind == mjiNUMS) {
    double* x = mji_readDoubles(r, elem, row->name, &n);
    if (n) mjs_setDouble(*(mjDoubleVec**)field, x, n);
  } else if (row->kind == mjiFLTS) {
    float* x = mji_readFloats(r, elem, row->name, &n);
    if (n) mjs_setFloat(*(mjFloatVec**)field, x, n);
  } else {
    int* x = mji_readInts(r, elem, row->name, &n);
    if (n) mjs_setInt(*(mjIntVec**)field, x, n);
  }
}

static void readQuat(mjiReader* r, const mjiXML* elem, const mjiAttrRow* row, double* quat) {
  mji_readNums(r, elem, row->name, quat, 4, 4);
  if (!quat[0] && !quat[1] && !quat[2] && !quat[3])
    mji_readFail(r, elem, "zero quaternion in attribute '%s'", row->name);
}

static void readOrientation(mjiReader* r, const mjiXML* elem, const mjiAttrRow* row, mjsOrientation* alt) {
  double* part[] = {[mjORIENTATION_AXISANGLE] = alt->axisangle,
                    [mjORIENTATION_XYAXES] = alt->xyaxes,
                    [mjORIENTATION_ZAXIS] = alt->zaxis,
                    [mjORIENTATION_EULER] = alt->euler};
  if (mji_readNums(r, elem, row->name, part[row->value], row->least, row->most)) alt->type = (mjtOrientation)row->value;
}

// on or off words that act on one bit
static void readFlag(mjiReader* r, const mjiXML* elem, const mjiAttrRow* row, const char* text, int* bits) {
  int on = findWord(r, elem, row->name, mji_wordsFlag, text);
  int set = row->kind == mjiSET ? on : !on;
  *bits = set ? *bits | row->value : *bits & ~row->value;
}

static void readRow(mjiReader* r, const mjiXML* elem, const mjiAttrRow* row, const char* text, void* dest) {
  void* field = (char*)dest + row->offset;
  const char* name = row->name;
  int n;
  switch ((mjiAttrKind)row->kind) {
    case mjiNUM: mji_readNums(r, elem, name, field, row->least, row->most); break;
    case mjiFLT:
      n = countValues(r, elem, name, text, row->least, row->most);
      for (int i = 0; i < n; i++) ((float*)field)[i] = nextFloat(r, elem, name, &text);
      break;
    case mjiINT:
      n = row->most == 1 ? countOne(r, elem, name, text) : countValues(r, elem, name, text, row->least, row->most);
      for (int i = 0; i < n; i++) ((int*)field)[i] = nextInt(r, elem, name, &text);
      break;
    case mjiBOOL: *(mjtByte*)field = (mjtByte)findWord(r, elem, name, mji_wordsBool, text); break;
    case mjiWORD:
    case mjiLIMIT: *(int*)field = findWord(r, elem, name, row->words, text); break;
    case mjiWORDBYTE: *(mjtByte*)field = (mjtByte)findWord(r, elem, name, row->words, text); break;
    case mjiWORDNUM: *(double*)field = findWord(r, elem, name, row->words, text); break;
    case mjiTEXT: mjs_setString(*(mjString**)field, text); break;
    case mjiFILE: mjs_setString(*(mjString**)field, mji_readPath(r, elem, folderOf(r, elem), text)); break;
    case mjiNUMS:
    case mjiFLTS:
    case mjiINTS: readList(r, elem, row, field); break;
    case mjiQUAT: readQuat(r, elem, row, field); break;
    case mjiORIENT: readOrientation(r, elem, row, field); break;
    case mjiUNSET:
    case mjiSET: readFlag(r, elem, row, text, field); break;
    case mjiGROUP:
    case mjiOTHER: break;
  }
}

static int readGroup(mjiReader* r, const mjiXML* elem, const mjiAttrRow* rows, void* dest) {
  int orientations = 0;
  for (const mjiAttrRow* row = rows; row->name; row++) {
    if (row->kind == mjiGROUP) {
      orientations += readGroup(r, elem, row->group, dest);
      continue;
    }
    const char* text = mji_xmlAttr(elem, row->name);
    if (!text) continue;
    orientations += row->kind == mjiQUAT || (row->kind == mjiORIENT && *skipSpace(text));
    readRow(r, elem, row, text, dest);
  }
  return orientations;
}

void mji_readRows(mjiReader* r, const mjiXML* elem, const mjiAttrRow* rows, void* dest) {
  if (readGroup(r, elem, rows, dest) > 1) mji_readFail(r, elem, "more than one orientation");
}

void mji_readLine(mjiReader* r, const mjiXML* elem, mjString* info) {
  char line[mjiMAX_NAME + 32];
  if (elem->file == r->tree->root->file && !r->depth) snprintf(line, sizeof line, "line %d", elem->line);
  else snprintf(line, sizeof line, "line %d of %.256s", elem->line, elem->file);
  mjs_setString(info, line);
}

void mji_readIdentity(mjiReader* r, const mjiXML* elem, mjsElement* element, mjString* info) {
  if (info) mji_readLine(r, elem, info);
  const char* name = mji_xmlAttr(elem, "name");
  if (name && *name && mjs_setName(element, name)) mji_readFailSpec(r, elem);
}

const mjsDefault* mji_readClass(mjiReader* r, const mjiXML* elem, const char* attr, const mjsDefault* otherwise) {
  const char* name = mji_xmlAttr(elem, attr);
  if (!name) return otherwise;
  const mjsDefault* def = mjs_findDefault(r->spec, name);
  if (!def) mji_readFail(r, elem, "there is no default class '%s'", name);
  return def;
}
