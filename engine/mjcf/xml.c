// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE  // memmem
#include "mjcf/xml.h"

#include <expat.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- memory: a chain of blocks, freed together

typedef struct mjiBlock_ {
  struct mjiBlock_* next;
  size_t used, size;
} mjiBlock;

enum { BLOCK_SIZE = 64 << 10, ALIGN = 16 };

// data start after the header, rounded up so that every allocation is aligned
static const size_t header = (sizeof(mjiBlock) + ALIGN - 1) & ~(size_t)(ALIGN - 1);

mjiTree* mji_treeMake(void) {
  return calloc(1, sizeof(mjiTree));
}

void mji_treeDelete(mjiTree* tree) {
  if (!tree) return;
  for (mjiBlock* b = tree->block; b;) {
    mjiBlock* next = b->next;
    free(b);
    b = next;
  }
  free(tree);
}

void* mji_treeAlloc(mjiTree* tree, size_t size) {
  size = (size + ALIGN - 1) & ~(size_t)(ALIGN - 1);
  mjiBlock* b = tree->block;
  if (!b || b->size - b->used < size) {
    size_t space = size > BLOCK_SIZE ? size : BLOCK_SIZE;
    b = malloc(header + space);
    if (!b) return NULL;
    *b = (mjiBlock){tree->block, 0, space};
    tree->block = b;
  }
  void* out = (char*)b + header + b->used;
  b->used += size;
  return memset(out, 0, size);
}

char* mji_treeText(mjiTree* tree, const char* text) {
  size_t n = strlen(text) + 1;
  char* copy = mji_treeAlloc(tree, n);
  return copy ? memcpy(copy, text, n) : NULL;
}

// ---- parsing

typedef struct {
  mjiTree* tree;
  const char* file;
  int line0;                      // lines skipped before the text that the parser sees
  XML_Parser parser;
  mjiXML* root;
  mjiXML* open;                  // innermost open element
  int depth;
  char* error;
  int nerror;
  int failed;
} Reading;

// first failure wins; parsing stops
static void stop(Reading* r, const char* element, const char* format, ...) {
  if (r->failed) return;
  r->failed = 1;
  char reason[256];
  va_list args;
  va_start(args, format);
  vsnprintf(reason, sizeof reason, format, args);
  va_end(args);
  int line = r->line0 + (int)XML_GetCurrentLineNumber(r->parser);
  if (r->error && r->nerror > 0)
    snprintf(r->error, r->nerror, "%s:%d: %.64s: %s", r->file, line, element, reason);
  XML_StopParser(r->parser, XML_FALSE);
}

// copy attributes of the element that opens; 0 on failure
static int copyAttrs(Reading* r, mjiXML* e, const char** atts) {
  int n = 0;
  while (atts[2 * n]) n++;
  if (n > mjiMAX_ATTRS) return stop(r, e->name, "more than %d attributes", mjiMAX_ATTRS), 0;
  e->attr = mji_treeAlloc(r->tree, (size_t)n * sizeof *e->attr);
  if (!e->attr) return stop(r, e->name, "out of memory"), 0;
  for (int i = 0; i < n; i++) {
    if (strlen(atts[2 * i]) > mjiMAX_NAME) return stop(r, e->name, "attribute name too long"), 0;
    if (strlen(atts[2 * i + 1]) > mjiMAX_VALUE)
      return stop(r, e->name, "value of '%s' too long", atts[2 * i]), 0;
    e->attr[i].name = mji_treeText(r->tree, atts[2 * i]);
    e->attr[i].value = mji_treeText(r->tree, atts[2 * i + 1]);
    if (!e->attr[i].name || !e->attr[i].value) return stop(r, e->name, "out of memory"), 0;
  }
  e->nattr = n;
  return 1;
}

static void XMLCALL onOpen(void* user, const char* name, const char** atts) {
  Reading* r = user;
  if (r->failed) return;
  if (strlen(name) > mjiMAX_NAME) return stop(r, "element", "name too long");
  if (++r->depth > mjiMAX_DEPTH) return stop(r, name, "nested deeper than %d", mjiMAX_DEPTH);
  if (++r->tree->nelem > mjiMAX_ELEMENTS)
    return stop(r, name, "more than %d elements", mjiMAX_ELEMENTS);

  mjiXML* e = mji_treeAlloc(r->tree, sizeof *e);
  if (!e || !(e->name = mji_treeText(r->tree, name))) return stop(r, name, "out of memory");
  e->file = r->file;
  e->line = r->line0 + (int)XML_GetCurrentLineNumber(r->parser);
  if (!copyAttrs(r, e, atts)) return;

  // hang it under the innermost open element
  e->parent = r->open;
  if (!r->open) r->root = e;
  else if (r->open->last) r->open->last = r->open->last->next = e;
  else r->open->first = r->open->last = e;
  r->open = e;
}

static void XMLCALL onClose(void* user, const char* name) {
  Reading* r = user;
  (void)name;
  if (r->failed) return;
  r->open = r->open->parent;
  r->depth--;
}

static void XMLCALL onDoctype(void* user, const char* name, const char* sysid, const char* pubid,
                              int has_internal) {
  (void)sysid, (void)pubid, (void)has_internal;
  stop(user, name, "document type declarations are not allowed");
}

// Models in the wild have comments with "--" inside, which strict XML forbids: replace comments by
// spaces before parsing, keeping line breaks, in a copy of the text.
static void blankComments(char* text, size_t size) {
  char* end = text + size;
  for (char* p = text; p + 3 < end; p++) {
    if (*p != '<') continue;
    if (end - p > 9 && !memcmp(p, "<![CDATA[", 9)) {
      char* close = memmem(p, end - p, "]]>", 3);
      if (!close) return;
      p = close + 2;
    } else if (!memcmp(p, "<!--", 4)) {
      char* close = memmem(p + 4, end - p - 4, "-->", 3);
      if (!close) return;  // left for the parser to report
      for (; p < close + 3; p++)
        if (*p != '\n' && *p != '\r') *p = ' ';
      p--;
    }
  }
}

// spaces before the XML declaration are tolerated; returns their number and counts lines
static size_t leadingSpace(const char* text, size_t size, int* line) {
  size_t n = 0;
  while (n < size && (text[n] == ' ' || text[n] == '\t' || text[n] == '\r' || text[n] == '\n'))
    *line += text[n++] == '\n';
  return n;
}

mjiXML* mji_treeRead(mjiTree* tree, const char* file, const char* text, size_t size, char* error,
                      int nerror) {
  Reading r = {.tree = tree, .file = mji_treeText(tree, file), .error = error, .nerror = nerror};
  r.parser = r.file ? XML_ParserCreate(NULL) : NULL;
  if (!r.parser) {
    snprintf(error, nerror, "%s:0: file: out of memory", file);
    return NULL;
  }
  if (size > mjiMAX_TEXT) {
    stop(&r, "file", "larger than %d bytes", mjiMAX_TEXT);
    XML_ParserFree(r.parser);
    return NULL;
  }

  size_t skip = leadingSpace(text, size, &r.line0);
  size -= skip;
  char* copy = malloc(size + 1);
  if (copy) {
    memcpy(copy, text + skip, size);
    copy[size] = 0;
    blankComments(copy, size);
  }

  XML_SetUserData(r.parser, &r);
  XML_SetElementHandler(r.parser, onOpen, onClose);
  XML_SetStartDoctypeDeclHandler(r.parser, onDoctype);
  if (!copy) stop(&r, "file", "out of memory");
  else if (size == 0) stop(&r, "file", "empty");
  else if (XML_Parse(r.parser, copy, (int)size, 1) == XML_STATUS_ERROR)
    stop(&r, r.open ? r.open->name : "file", "%s", XML_ErrorString(XML_GetErrorCode(r.parser)));

  free(copy);
  XML_ParserFree(r.parser);
  return r.failed ? NULL : r.root;
}

// ---- access

const char* mji_xmlAttr(const mjiXML* elem, const char* name) {
  for (int i = 0; i < elem->nattr; i++)
    if (!strcmp(elem->attr[i].name, name)) return elem->attr[i].value;
  return NULL;
}

mjiXML* mji_xmlChild(const mjiXML* elem, const char* name) {
  for (mjiXML* c = elem->first; c; c = c->next)
    if (!strcmp(c->name, name)) return c;
  return NULL;
}

mjiXML* mji_xmlNext(const mjiXML* elem) {
  for (mjiXML* c = elem->next; c; c = c->next)
    if (!strcmp(c->name, elem->name)) return c;
  return NULL;
}
