// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// GMSH files, formats 2.2 and 4.1. A file is a list of sections, $Name to $EndName; $MeshFormat is the first and says
// whether the others hold text or binary numbers. Nodes have tags, by which elements refer to them.
//
// Bytes are hostile: counts are compared with the number of bytes that are left before memory is taken for them.

#define _GNU_SOURCE  // newlocale, strtod_l

#include "formats/gmsh.h"

#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mujoco/mujoco.h>

enum { MAX_NAME = 40, MAX_NODES = 4 };   // letters of a section's name; nodes of an element
enum { MIN_NODE = 7, MIN_ELEMENT = 4 };  // bytes that each takes at least

typedef struct {
  int64_t tag;
  int point;
} Tag;

typedef struct {
  const char *start, *at, *end;  // from at on is what is left; *end is 0
  locale_t numbers;              // a decimal point in any locale of the user
  int old, binary;               // old: format 2.2
  Tag* tag;                      // of the points, ascending
  int64_t nelem;                 // as the file says
  mjiGmsh* out;
  char* error;
} Reader;

__attribute__((format(printf, 2, 3))) static int fail(Reader* r, const char* format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(r->error, 500, format, args);
  va_end(args);
  return -1;
}

// where: the place in the file
static int failAt(Reader* r, const char* reason) {
  return fail(r, "byte %lld: %s", (long long)(r->at - r->start), reason);
}

// ---- numbers

static int64_t bytesLeft(const Reader* r) { return r->end - r->at; }

static int takeBytes(Reader* r, void* to, size_t n) {
  if ((size_t)bytesLeft(r) < n) return failAt(r, "the file ends within its numbers");
  memcpy(to, r->at, n);
  r->at += n;
  return 0;
}

// size: bytes of the integer in a binary file, 4 or 8
static int readInt(Reader* r, int64_t* out, int size) {
  if (r->binary && size == 8) return takeBytes(r, out, sizeof *out);
  if (r->binary) {
    int32_t small = 0;
    const int bad = takeBytes(r, &small, sizeof small);
    *out = small;
    return bad;
  }
  char* end;
  *out = strtoll(r->at, &end, 10);
  if (end == r->at) return failAt(r, "an integer is missing");
  r->at = end;
  return 0;
}

static int readInts(Reader* r, int64_t* out, int n, int size) {
  for (int i = 0; i < n; i++) {
    if (readInt(r, out + i, size)) return -1;
  }
  return 0;
}

static int readReal(Reader* r, double* out) {
  if (r->binary) {
    if (takeBytes(r, out, sizeof *out)) return -1;
  } else {
    char* end;
    *out = strtod_l(r->at, &end, r->numbers);
    if (end == r->at) return failAt(r, "a number is missing");
    r->at = end;
  }
  return isfinite(*out) ? 0 : failAt(r, "a coordinate is not finite");
}

// size of tags and counts of nodes and elements in a binary file
static int sizeOf(const Reader* r) { return r->old ? 4 : 8; }

// ---- sections

static void skipSpace(Reader* r) {
  while (r->at < r->end && (*r->at == ' ' || *r->at == '\t' || *r->at == '\r' || *r->at == '\n')) r->at++;
}

static int skipLine(Reader* r) {
  const char* newline = memchr(r->at, '\n', (size_t)bytesLeft(r));
  if (!newline) return fail(r, "the file ends within a line");
  r->at = newline + 1;
  return 0;
}

// Read the name of the next section. Returns 0 at the end of the file, else 1, or -1.
static int openSection(Reader* r, char name[MAX_NAME]) {
  skipSpace(r);
  if (r->at == r->end) return 0;
  const size_t n = *r->at == '$' ? strcspn(r->at + 1, " \t\r\n") : 0;
  if (!n || n >= MAX_NAME) return failAt(r, "a section must begin with $ and a name");
  memcpy(name, r->at + 1, n);
  name[n] = 0;
  r->at += n + 1;
  return skipLine(r) ? -1 : 1;
}

static int closeSection(Reader* r, const char* name) {
  const size_t n = strlen(name);
  skipSpace(r);
  if (strncmp(r->at, "$End", 4) || strncmp(r->at + 4, name, n))
    return fail(r, "$%s does not end with $End%s", name, name);
  r->at += 4 + n;
  return 0;
}

// Find the end of a section that is not read. It may hold bytes of any value.
static int skipSection(Reader* r, const char* name) {
  char end[MAX_NAME + 8];
  const int n = snprintf(end, sizeof end, "$End%s", name);
  while (r->at < r->end) {
    const char* next = memchr(r->at, '$', (size_t)bytesLeft(r));
    if (!next) break;
    r->at = next;
    if (bytesLeft(r) >= n && !memcmp(r->at, end, (size_t)n)) return closeSection(r, name);
    r->at++;
  }
  return fail(r, "$%s does not end with $End%s", name, name);
}

// ---- $MeshFormat: the version, 0 or 1 for text or binary, and the size of large integers

static int readFormat(Reader* r) {
  char name[MAX_NAME];
  double version = 0;
  int64_t kind[2] = {0}, one = 0;
  if (r->at == r->end) return fail(r, "the file is empty");
  if (*r->at != '$' || openSection(r, name) < 0 || strcmp(name, "MeshFormat")) {
    return fail(r, "a GMSH file must begin with $MeshFormat");
  }
  if (readReal(r, &version) || readInts(r, kind, 2, 0)) return -1;
  if (version != 2.2 && version != 4.1) return fail(r, "formats 2.2 and 4.1 are read, not %g", version);
  if (kind[0] != 0 && kind[0] != 1)
    return fail(r, "the format must be 0 (text) or 1 (binary), not %lld", (long long)kind[0]);
  r->old = version == 2.2;
  if (kind[0] == 0) return closeSection(r, name);
  if (kind[1] != 8) return fail(r, "sizes of 8 bytes are read, not of %lld", (long long)kind[1]);
  r->binary = 1;
  if (skipLine(r) || readInt(r, &one, 4)) return -1;
  if (one != 1) return fail(r, "binary numbers are read with the lowest byte first");
  return closeSection(r, name);
}

// ---- $Nodes

static int compareTags(const void* a, const void* b) {
  const int64_t x = ((const Tag*)a)->tag, y = ((const Tag*)b)->tag;
  return (x > y) - (x < y);
}

static int sortTags(Reader* r) {
  const int n = r->out->npoint;
  qsort(r->tag, (size_t)n, sizeof *r->tag, compareTags);
  for (int i = 1; i < n; i++) {
    if (r->tag[i].tag == r->tag[i - 1].tag) return fail(r, "there are two nodes %lld", (long long)r->tag[i].tag);
  }
  return 0;
}

static int readTag(Reader* r, int point) {
  r->tag[point].point = point;
  return readInt(r, &r->tag[point].tag, sizeOf(r));
}

static int readPoint(Reader* r, int point) {
  for (int k = 0; k < 3; k++) {
    if (readReal(r, r->out->point + 3 * point + k)) return -1;
  }
  return 0;
}

// Memory for all nodes. Tags and coordinates of each take some bytes of the file.
static int reserveNodes(Reader* r, int64_t n) {
  if (r->out->point) return fail(r, "there are two sections $Nodes");
  if (n < 1 || n > INT32_MAX / 8 || n > bytesLeft(r) / MIN_NODE)
    return fail(r, "the file has no room for %lld nodes", (long long)n);
  r->out->point = mju_malloc(3 * (size_t)n * sizeof(double));
  r->tag = mju_malloc((size_t)n * sizeof *r->tag);
  if (!r->out->point || !r->tag) return fail(r, "out of memory");
  r->out->npoint = (int)n;
  return 0;
}

// Nodes of a curve or a surface may have coordinates on it, too.
static int skipParameters(Reader* r, int64_t dim) {
  double unused;
  for (int64_t k = 0; k < dim && k < 3; k++) {
    if (readReal(r, &unused)) return -1;
  }
  return 0;
}

// the nodes of one entity: all tags, then all places
static int readNodeBlock(Reader* r, int* at) {
  int64_t entity[3] = {0}, n = 0;  // dimension, tag, whether there are coordinates on it
  if (readInts(r, entity, 3, 4) || readInt(r, &n, 8)) return -1;
  const int first = *at;
  if (n < 0 || n > r->out->npoint - first) return fail(r, "there are more nodes than $Nodes says");
  *at = first + (int)n;
  for (int i = first; i < *at; i++) {
    if (readTag(r, i)) return -1;
  }
  for (int i = first; i < *at; i++) {
    if (readPoint(r, i) || skipParameters(r, entity[2] ? entity[0] : 0)) return -1;
  }
  return 0;
}

static int readNodeBlocks(Reader* r) {
  int64_t size[4] = {0};  // blocks, nodes, lowest and highest tag
  int at = 0;
  if (readInts(r, size, 4, 8) || reserveNodes(r, size[1])) return -1;
  for (int64_t i = 0; i < size[0]; i++) {
    if (readNodeBlock(r, &at)) return -1;
  }
  return at == r->out->npoint ? 0 : fail(r, "there are fewer nodes than $Nodes says");
}

// In format 2.2 a count is text, in binary files too.
static int readCount(Reader* r, int64_t* n) {
  const int binary = r->binary;
  r->binary = 0;
  const int bad = readInt(r, n, 0);
  r->binary = binary;
  return bad || (binary && skipLine(r)) ? -1 : 0;
}

static int readNodeList(Reader* r) {
  int64_t n = 0;
  if (readCount(r, &n) || reserveNodes(r, n)) return -1;
  for (int i = 0; i < r->out->npoint; i++) {
    if (readTag(r, i) || readPoint(r, i)) return -1;
  }
  return 0;
}

static int readNodes(Reader* r) { return (r->old ? readNodeList(r) : readNodeBlocks(r)) || sortTags(r) ? -1 : 0; }

// ---- $Elements

static int findPoint(Reader* r, int64_t tag, int* out) {
  const Tag key = {.tag = tag};
  const Tag* found = bsearch(&key, r->tag, (size_t)r->out->npoint, sizeof key, compareTags);
  if (!found) return fail(r, "element %d: there is no node %lld", r->out->nelem, (long long)tag);
  *out = found->point;
  return 0;
}

// the dimension that a type of elements has; 0 if such elements are not read
static int dimOf(int64_t type) { return type == 1 ? 1 : type == 2 ? 2 : type == 4 ? 3 : 0; }

static int setType(Reader* r, int64_t type) {
  const int dim = dimOf(type);
  if (!dim) {
    return fail(r, "elements must be lines (1), triangles (2) or tetrahedra (4), not of type %lld", (long long)type);
  }
  if (r->out->dim && r->out->dim != dim) return fail(r, "all elements must be of one type");
  if (r->out->dim) return 0;
  r->out->dim = dim;
  r->out->elem = mju_malloc((size_t)r->nelem * (size_t)(dim + 1) * sizeof(int));
  return r->out->elem ? 0 : fail(r, "out of memory");
}

// ntag: numbers before the nodes
static int readElement(Reader* r, int64_t ntag) {
  const int n = r->out->dim + 1;
  int64_t node[MAX_NODES] = {0}, unused;
  if (r->out->nelem >= r->nelem) return fail(r, "there are more elements than $Elements says");
  for (int64_t i = 0; i < ntag; i++) {
    if (readInt(r, &unused, sizeOf(r))) return -1;
  }
  if (readInts(r, node, n, sizeOf(r))) return -1;
  for (int k = 0; k < n; k++) {
    if (findPoint(r, node[k], r->out->elem + n * r->out->nelem + k)) return -1;
  }
  r->out->nelem++;
  return 0;
}

static int reserveElements(Reader* r, int64_t n) {
  if (!r->out->point) return fail(r, "$Nodes must stand before $Elements");
  if (r->out->dim) return fail(r, "there are two sections $Elements");
  if (n < 1 || n > INT32_MAX / 8 || n > bytesLeft(r) / MIN_ELEMENT)
    return fail(r, "the file has no room for %lld elements", (long long)n);
  r->nelem = n;
  return 0;
}

// the elements of one entity
static int readElementBlock(Reader* r) {
  int64_t entity[3] = {0}, n = 0;  // dimension, tag, type of elements
  if (readInts(r, entity, 3, 4) || readInt(r, &n, 8) || setType(r, entity[2])) return -1;
  if (entity[0] != r->out->dim)
    return fail(r, "elements of type %lld do not fill %lld dimensions", (long long)entity[2], (long long)entity[0]);
  for (int64_t i = 0; i < n; i++) {
    if (readElement(r, 1)) return -1;
  }
  return 0;
}

static int readElementBlocks(Reader* r) {
  int64_t size[4] = {0};  // blocks, elements, lowest and highest tag
  if (readInts(r, size, 4, 8) || reserveElements(r, size[1])) return -1;
  for (int64_t i = 0; i < size[0]; i++) {
    if (readElementBlock(r)) return -1;
  }
  return 0;
}

// Format 2.2: in text each element has its number, its type and the count of its tags; in binary files a few elements
// have type and count in common.
static int readElementList(Reader* r) {
  int64_t total = 0, head[3] = {0};
  if (readCount(r, &total) || reserveElements(r, total)) return -1;
  while (r->out->nelem < total) {
    if (readInts(r, head, 3, 4)) return -1;
    const int64_t type = r->binary ? head[0] : head[1], n = r->binary ? head[1] : 1;
    if (n < 1) return fail(r, "a block of elements has none");
    if (head[2] < 0 || setType(r, type)) return head[2] < 0 ? fail(r, "the number of tags is negative") : -1;
    for (int64_t i = 0; i < n; i++) {
      if (readElement(r, head[2] + r->binary)) return -1;
    }
  }
  return 0;
}

static int readElements(Reader* r) {
  if (r->old ? readElementList(r) : readElementBlocks(r)) return -1;
  return r->out->nelem == r->nelem ? 0 : fail(r, "there are fewer elements than $Elements says");
}

// ---- the file

static int readSections(Reader* r) {
  char name[MAX_NAME];
  int more, bad = readFormat(r);
  while (!bad && (more = openSection(r, name)) != 0) {
    if (more < 0) return -1;
    const int nodes = !strcmp(name, "Nodes"), elements = !strcmp(name, "Elements");
    if (nodes) bad = readNodes(r) || closeSection(r, name);
    else if (elements) bad = readElements(r) || closeSection(r, name);
    else bad = skipSection(r, name);
  }
  if (bad) return -1;
  return r->out->nelem ? 0 : fail(r, "the file has no sections $Nodes and $Elements");
}

int mji_gmsh_read(mjiGmsh* out, const void* data, size_t size, char error[500]) {
  *out = (mjiGmsh){0};
  char* copy = mju_malloc(size + 1);  // a zero ends it, so that no number reaches beyond
  if (!copy) return snprintf(error, 500, "out of memory"), -1;
  if (size) memcpy(copy, data, size);
  copy[size] = 0;
  Reader r = {.start = copy, .at = copy, .end = copy + size, .out = out, .error = error};
  r.numbers = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  const int bad = r.numbers ? readSections(&r) : fail(&r, "out of memory");
  if (r.numbers) freelocale(r.numbers);
  mju_free(copy);
  mju_free(r.tag);
  return bad ? -1 : 0;
}

void mji_gmsh_free(mjiGmsh* gmsh) {
  mju_free(gmsh->point);
  mju_free(gmsh->elem);
  *gmsh = (mjiGmsh){0};
}
