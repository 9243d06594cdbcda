// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Text to tree, by expat, within limits and without document types.
//
// Values keep the bytes that they have: expat is told that each byte is a character (Latin-1), and the UTF-8 that
// it makes of those above 127 is taken back, as is what stands for control characters.

#include <expat.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mjcf/xml.h"
#include "mjcf/xml_forgive.h"

typedef struct {
  mjiTree* tree;
  const char* file;
  XML_Parser parser;
  const char* text;
  mjiXML* root;
  mjiXML* open;  // innermost open element
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
  int line = r->parser ? (int)XML_GetCurrentLineNumber(r->parser) : 1;
  if (r->error && r->nerror > 0) snprintf(r->error, r->nerror, "%s:%d: %.64s: %s", r->file, line, element, reason);
  if (r->parser) XML_StopParser(r->parser, XML_FALSE);
}

static const char* openName(const Reading* r) { return r->open ? r->open->name : "file"; }

// a copy with the bytes that the document has
static char* copyValue(mjiTree* tree, const char* value) {
  char* copy = mji_treeText(tree, value);
  if (!copy) return NULL;
  char* out = copy;
  for (const unsigned char* s = (const unsigned char*)copy; *s; s++) {
    int latin = *s == 0xC2 || *s == 0xC3, control = *s == (0xC0 | MJI_CONTROL >> 6);
    *out++ = latin ? (char)((*s & 3) << 6 | (s[1] & 0x3F)) : control ? (char)(s[1] & 0x3F) : (char)*s;
    s += latin || control;
  }
  *out = 0;
  return copy;
}

// attributes of the element that opens; 0 on failure
static int copyAttrs(Reading* r, mjiXML* e, const char** atts) {
  int n = 0;
  while (atts[2 * n]) n++;
  if (n > mjiMAX_ATTRS) return stop(r, e->name, "more than %d attributes", mjiMAX_ATTRS), 0;
  e->attr = mji_treeAlloc(r->tree, (size_t)n * sizeof *e->attr);
  if (!e->attr) return stop(r, e->name, "out of memory"), 0;
  for (int i = 0; i < n; i++) {
    const char *name = atts[2 * i], *value = atts[2 * i + 1];
    if (strlen(name) > mjiMAX_NAME) return stop(r, e->name, "attribute name too long"), 0;
    if (strlen(value) > mjiMAX_VALUE) return stop(r, e->name, "value of '%s' too long", name), 0;
    e->attr[i] = (mjiXMLAttr){mji_treeText(r->tree, name), copyValue(r->tree, value)};
    if (!e->attr[i].name || !e->attr[i].value) return stop(r, e->name, "out of memory"), 0;
  }
  e->nattr = n;
  return 1;
}

// hang it under the innermost open element
static void hang(Reading* r, mjiXML* e) {
  e->parent = r->open;
  if (!r->open) r->root = e;
  else if (r->open->last) r->open->last = r->open->last->next = e;
  else r->open->first = r->open->last = e;
  r->open = e;
  r->depth++;
}

static void XMLCALL onOpen(void* user, const char* name, const char** atts) {
  Reading* r = user;
  if (r->failed) return;
  if (strlen(name) > mjiMAX_NAME) return stop(r, openName(r), "element name too long");
  if (r->depth == mjiMAX_DEPTH) return stop(r, openName(r), "nested deeper than %d", mjiMAX_DEPTH);
  if (++r->tree->nelem > mjiMAX_ELEMENTS) return stop(r, openName(r), "more than %d elements", mjiMAX_ELEMENTS);
  mjiXML* e = mji_treeAlloc(r->tree, sizeof *e);
  if (!e || !(e->name = mji_treeText(r->tree, name))) return stop(r, openName(r), "out of memory");
  e->file = r->file;
  e->line = (int)XML_GetCurrentLineNumber(r->parser);
  if (copyAttrs(r, e, atts)) hang(r, e);
}

static void XMLCALL onClose(void* user, const char* name) {
  Reading* r = user;
  (void)name;
  if (r->failed) return;
  r->open = r->open->parent;
  r->depth--;
}

static void XMLCALL onDoctype(void* user, const char* name, const char* sysid, const char* pubid, int has_internal) {
  (void)name, (void)sysid, (void)pubid, (void)has_internal;
  stop(user, "file", "document type declarations are not allowed");
}

// those before the first element have been taken away
static void XMLCALL onInstruction(void* user, const char* target, const char* data) {
  (void)target, (void)data;
  stop(user, openName(user), "instructions are not allowed here");
}

// the element whose tag the parser is in, or the innermost open one
static const char* elementAt(const Reading* r, long at, char name[64]) {
  while (at > 0 && r->text[at] != '<') at--;
  size_t n = strcspn(r->text + at + 1, " \t\r\n</>=\"'!?");
  if (r->text[at] != '<' || n == 0 || n >= 64) return openName(r);
  memcpy(name, r->text + at + 1, n);
  name[n] = 0;
  return name;
}

// an error of the parser; tags after the root are not one, models with one closing tag too many are in use
static void explain(Reading* r) {
  enum XML_Error code = XML_GetErrorCode(r->parser);
  long at = XML_GetCurrentByteIndex(r->parser);
  char name[64];
  int after = r->root && !r->open;
  if (after && code == XML_ERROR_INVALID_TOKEN && (r->text[at] == '/' || r->text[at + 1] == '/')) {
    return;
  } else if (code == XML_ERROR_JUNK_AFTER_DOC_ELEMENT) {
    if (r->text[at] != '<') stop(r, "file", "text after the last element");
  } else if (code == XML_ERROR_TAG_MISMATCH || code == XML_ERROR_NO_ELEMENTS) {
    stop(r, openName(r), "%s",
         r->open && code == XML_ERROR_NO_ELEMENTS ? "element is not closed" : XML_ErrorString(code));
  } else {
    stop(r, elementAt(r, at, name), "%s", XML_ErrorString(code));
  }
}

// line ends within it are those of the system
static char* copyComment(mjiTree* tree, const char* text, size_t size) {
  char* copy = mji_treeAlloc(tree, size + 1);
  if (!copy) return NULL;
  char* out = copy;
  for (size_t i = 0; i < size; i++) {
    int end = text[i] == '\n' || text[i] == '\r';
    *out++ = end ? '\n' : text[i];
    if (end && i + 1 < size && text[i + 1] == (text[i] == '\n' ? '\r' : '\n')) i++;
  }
  *out = 0;
  return copy;
}

static void parse(Reading* r, size_t size) {
  XML_SetUserData(r->parser, r);
  XML_SetElementHandler(r->parser, onOpen, onClose);
  XML_SetStartDoctypeDeclHandler(r->parser, onDoctype);
  XML_SetProcessingInstructionHandler(r->parser, onInstruction);
  if (XML_Parse(r->parser, r->text, (int)size, 1) == XML_STATUS_ERROR) explain(r);
}

mjiXML* mji_treeRead(mjiTree* tree, const char* file, const char* text, size_t size, char* error, int nerror) {
  Reading r = {.tree = tree, .file = mji_treeText(tree, file), .error = error, .nerror = nerror};
  mjiForgiven copy = {0};
  int enough = size > mjiMAX_TEXT || mji_forgive(text, size, &copy);
  r.parser = XML_ParserCreate("ISO-8859-1");
  if (!r.file || !r.parser || !enough) {
    r.file = file;
    stop(&r, "file", "out of memory");
  } else if (size > mjiMAX_TEXT) {
    stop(&r, "file", "larger than %d bytes", mjiMAX_TEXT);
  } else if (copy.size > INT_MAX) {
    stop(&r, "file", "too many characters to replace");
  } else {
    r.text = copy.text;
    parse(&r, copy.size);
    if (!tree->root && copy.comment) tree->comment = copyComment(tree, copy.comment, copy.ncomment);
  }
  if (r.parser) XML_ParserFree(r.parser);
  free(copy.text);
  return r.failed ? NULL : r.root;
}
