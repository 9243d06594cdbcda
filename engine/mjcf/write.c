// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Rows to attributes: the mirror of read.c. A row has a kind; writeRow is one line per kind.

#include "mjcf/write.h"

#include <math.h>
#include <string.h>

// ---- are values what the reader starts from?

static int sameNum(double a, double b) { return (a == b && signbit(a) == signbit(b)) || (isnan(a) && isnan(b)); }

static int sameAt(const mjiAttrRow* row, const void* a, const void* b, int i) {
  switch ((mjiAttrKind)row->kind) {
    case mjiFLT: return sameNum(((const float*)a)[i], ((const float*)b)[i]);
    case mjiINT: return ((const int*)a)[i] == ((const int*)b)[i];
    default: return sameNum(((const double*)a)[i], ((const double*)b)[i]);
  }
}

// How many numbers to write: none if all equal those of the class. If the row allows fewer, up to the last that
// differs.
static int countNumbers(const mjiAttrRow* row, const void* a, const void* b) {
  // NaN in front means that nothing is given
  if (row->kind == mjiNUM && isnan(*(const double*)a) && isnan(*(const double*)b)) return 0;
  int n = row->most;
  while (n && sameAt(row, a, b, n - 1)) n--;
  return n && row->least ? row->most : n;
}

// a struct that only holds initial values has null pointers for its texts and lists
static const char* textOf(const void* field) {
  const mjiVec* v = *(mjiVec* const*)field;
  return v ? mji_vec_text(v) : "";
}

static int numOf(const void* field) {
  const mjiVec* v = *(mjiVec* const*)field;
  return v ? v->num : 0;
}

static int sameList(const void* field, const void* other) {
  if (!numOf(field) || !numOf(other)) return numOf(field) == numOf(other);
  return mji_vec_equal(*(mjiVec* const*)field, *(mjiVec* const*)other);
}

// ---- rows

static void writeNumbers(mjiWriter* w, const mjiAttrRow* row, const void* field, const void* other) {
  int n = row->flags & mjiREQUIRED ? row->most : countNumbers(row, field, other);
  if (!n) return;
  if (row->kind == mjiFLT) mji_writeFlts(w, row->name, field, n);
  else if (row->kind == mjiINT) mji_writeInts(w, row->name, field, n);
  else mji_writeNums(w, row->name, field, n);
}

static void writeList(mjiWriter* w, const mjiAttrRow* row, const void* field, const void* other) {
  if (sameList(field, other)) return;
  const mjiVec* v = *(mjiVec* const*)field;

  // an empty list would leave that of the class in place, so write a zero, which means the same
  static const double zero = 0;
  if (!v || !v->num) {
    if (row->kind == mjiNUMS) mji_writeNums(w, row->name, &zero, 1);
    else mji_writeFail(w, "attribute '%s' cannot be taken back from its default class", row->name);
  } else if (row->kind == mjiNUMS) {
    mji_writeNums(w, row->name, v->data, v->num);
  } else if (row->kind == mjiFLTS) {
    mji_writeFlts(w, row->name, v->data, v->num);
  } else {
    mji_writeInts(w, row->name, v->data, v->num);
  }
}

static void writeWord(mjiWriter* w, const mjiAttrRow* row, int value, int other) {
  if (value != other) mji_writeWord(w, row->name, row->words, value);
}

static void writeWordNum(mjiWriter* w, const mjiAttrRow* row, double value, double other) {
  if (value == other) return;
  if (value == (int)value) mji_writeWord(w, row->name, row->words, (int)value);
  else mji_writeFail(w, "attribute '%s' has no word for the value %g", row->name, value);
}

// write a limit, on or off, unless the reader would come to the same by the range or the class
static void writeLimit(mjiWriter* w, const mjiAttrRow* row, const void* src, int limited, int other, int inclass) {
  if (!inclass && other == mjLIMITED_AUTO) {
    const double* range = (const double*)((const char*)src + row->value);
    other = range[0] < range[1];

    // of forces on tendons it is said: 3.4.0 does not find out
    if (limited && row->flags & mjiINMODEL) other = 0;
  }
  writeWord(w, row, limited, other);
}

static void writeText(mjiWriter* w, const mjiAttrRow* row, const char* text, const char* other) {
  if (row->flags & mjiREQUIRED || strcmp(text, other)) mji_writeText(w, row->name, text);
}

static void writeFlag(mjiWriter* w, const mjiAttrRow* row, int bits, int other) {
  int on = (bits & row->value) != 0;
  if (row->kind == mjiUNSET) on = !on;
  if ((bits ^ other) & row->value) mji_writeWord(w, row->name, mji_wordsFlag, on);
}

static void writeRow(mjiWriter* w, const mjiAttrRow* row, const void* src, const void* base, int inclass) {
  const void* f = (const char*)src + row->offset;
  const void* g = (const char*)base + row->offset;
  switch ((mjiAttrKind)row->kind) {
    case mjiNUM:
    case mjiFLT:
    case mjiINT:
    case mjiQUAT: writeNumbers(w, row, f, g); break;
    case mjiBOOL: {
      mjiAttrRow words = *row;
      words.words = mji_wordsBool;
      writeWord(w, &words, *(const mjtByte*)f, *(const mjtByte*)g);
      break;
    }
    case mjiWORD: writeWord(w, row, *(const int*)f, *(const int*)g); break;
    case mjiWORDBYTE: writeWord(w, row, *(const mjtByte*)f, *(const mjtByte*)g); break;
    case mjiWORDNUM: writeWordNum(w, row, *(const double*)f, *(const double*)g); break;
    case mjiLIMIT: writeLimit(w, row, src, *(const int*)f, *(const int*)g, inclass); break;
    case mjiTEXT:
    case mjiFILE: writeText(w, row, textOf(f), textOf(g)); break;
    case mjiNUMS:
    case mjiFLTS:
    case mjiINTS: writeList(w, row, f, g); break;
    case mjiUNSET:
    case mjiSET: writeFlag(w, row, *(const int*)f, *(const int*)g); break;
    case mjiORIENT:  // the compiler has made a quaternion of it
    case mjiGROUP:
    case mjiOTHER: break;
  }
}

void mji_writeRows(mjiWriter* w, const mjiAttrRow* rows, const void* src, mjiBase base) {
  for (const mjiAttrRow* row = rows; row->name; row++) {
    int own = row->flags & (mjiOWN | mjiINMODEL);
    if (row->kind == mjiGROUP) mji_writeRows(w, row->group, src, base);
    else if (!(row->flags & mjiCONSUMED || (own && base.inclass)))
      writeRow(w, row, src, own ? base.initial : base.given, base.inclass);
  }
}

int mji_writeDiffers(mjiWriter* w, const mjiAttrRow* rows, const void* src, mjiBase base) {
  size_t before = w->size;
  mji_writeRows(w, rows, src, base);
  int differs = w->size != before;
  w->size = before;
  w->text[before] = 0;
  return differs;
}

// ---- elements

mjiBase mji_writeInitial(mjiWriter* w, mjtObj type) {
  if (!w->initial[type]) w->initial[type] = mji_elem_make(w->spec, type);
  return (mjiBase){&w->initial[type]->as, &w->initial[type]->as, 0};
}

mjiBase mji_writeBase(mjiWriter* w, const mjiElem* e) {
  mjiBase base = mji_writeInitial(w, e->head.elemtype);
  const mjiElem* values = e->dclass ? mji_class_values(e->dclass, e->head.elemtype) : NULL;
  if (values) base.given = &values->as;
  return base;
}

void mji_writeBegin(mjiWriter* w, const char* tag, const mjiElem* e, const mjiElem* inherited) {
  mji_writeOpen(w, tag);
  w->elem = e;
  // custom fields must have a name, even an empty one
  mjtObj type = e->head.elemtype;
  int custom = type == mjOBJ_NUMERIC || type == mjOBJ_TEXT || type == mjOBJ_TUPLE;
  if (*mji_elem_name(e) || custom) mji_writeText(w, "name", mji_elem_name(e));
  int inclass = e->dclass && mji_class_values(e->dclass, e->head.elemtype);
  const mjiElem* dclass = inclass ? e->dclass : NULL;
  if (!inherited) inherited = w->spec->mainclass;
  if (dclass && dclass != inherited) mji_writeText(w, "class", mji_elem_name(dclass));
}
