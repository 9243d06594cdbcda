// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Text to tree. Models in the wild were written for a forgiving parser: attributes without space between them, "&" and
// "<" in values, "--" in comments, any bytes above 127. This one reads what that one reads, in place in one copy of the
// text; only document types are refused. Structure that does not matter to models (text, comments) is skipped.

#include "mjcf/xml.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef enum { FAILED, READ, DONE } Progress;

typedef struct {
  mjiTree* tree;
  const char* file;
  char* at;                       // next character; the text ends with a zero
  int line;                       // its line
  int begun;                      // something other than declarations was seen
  int depth;
  mjiXML* root;
  mjiXML* open;                   // innermost open element
  char* error;
  int nerror;
} Parser;

static Progress fail(const Parser* p, const char* element, const char* format, ...) {
  char reason[256];
  va_list args;
  va_start(args, format);
  vsnprintf(reason, sizeof reason, format, args);
  va_end(args);
  if (p->error && p->nerror > 0)
    snprintf(p->error, p->nerror, "%s:%d: %.64s: %s", p->file, p->line, element, reason);
  return FAILED;
}

static const char* openName(const Parser* p) {
  return p->open ? p->open->name : "file";
}

// ---- characters

static int isSpace(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

static int startsName(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == ':' || (c & 0x80);
}

static size_t nameLength(const char* s) {
  if (!startsName(*s)) return 0;
  size_t n = 1;
  while (startsName(s[n]) || (s[n] >= '0' && s[n] <= '9') || s[n] == '.' || s[n] == '-') n++;
  return n;
}

// go on, counting lines
static void moveTo(Parser* p, char* to) {
  for (char* c = p->at; (c = memchr(c, '\n', (size_t)(to - c))); c++) p->line++;
  p->at = to;
}

static void skipSpace(Parser* p) {
  char* c = p->at;
  while (isSpace(*c)) c++;
  moveTo(p, c);
}

// ---- values

// the byte or bytes of a character; zero ends the text, as it does in C
static char* putUTF8(char* out, unsigned c) {
  if (c < 0x80) {
    *out++ = (char)c;
  } else if (c < 0x800) {
    *out++ = (char)(0xC0 | c >> 6);
    *out++ = (char)(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    *out++ = (char)(0xE0 | c >> 12);
    *out++ = (char)(0x80 | (c >> 6 & 0x3F));
    *out++ = (char)(0x80 | (c & 0x3F));
  } else {
    *out++ = (char)(0xF0 | c >> 18);
    *out++ = (char)(0x80 | (c >> 12 & 0x3F));
    *out++ = (char)(0x80 | (c >> 6 & 0x3F));
    *out++ = (char)(0x80 | (c & 0x3F));
  }
  return out;
}

// "&#65;" or "&#x41;": the length read, or 0 if it is none
static size_t readCharacter(const char* s, unsigned* code) {
  int hex = s[2] == 'x';
  size_t n = hex ? 3 : 2;
  for (*code = 0; s[n] != ';'; n++) {
    char c = s[n];
    int digit = c >= '0' && c <= '9'          ? c - '0'
                : hex && c >= 'a' && c <= 'f' ? c - 'a' + 10
                : hex && c >= 'A' && c <= 'F' ? c - 'A' + 10
                                              : -1;
    if (digit < 0) return 0;
    *code = *code * (hex ? 16 : 10) + (unsigned)digit;
    if (*code > 0x10FFFF) return 0;
  }
  return n + 1;
}

static size_t readEntity(const char* s, unsigned* code) {
  static const struct {
    const char* text;
    char code;
  } table[] = {{"&quot;", '"'}, {"&amp;", '&'}, {"&apos;", '\''}, {"&lt;", '<'}, {"&gt;", '>'}};
  if (s[1] == '#') return readCharacter(s, code);
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    size_t n = strlen(table[i].text);
    if (strncmp(s, table[i].text, n)) continue;
    *code = (unsigned char)table[i].code;
    return n;
  }
  return 0;
}

// in place: entities become characters, and each kind of line end becomes one
static void decode(char* s) {
  char* first = s + strcspn(s, "&\r");
  if (!*first) return;
  s = first > s ? first - 1 : s;
  char* out = s;
  while (*s) {
    unsigned code;
    size_t n = *s == '&' ? readEntity(s, &code) : 0;
    if (n) {
      out = putUTF8(out, code);
      s += n;
    } else if (*s == '\r' || (*s == '\n' && s[1] == '\r')) {
      s += 1 + (s[1] == (*s == '\r' ? '\n' : '\r'));
      *out++ = '\n';
    } else {
      *out++ = *s++;
    }
  }
  *out = 0;
}

// ---- tags

static Progress readAttr(Parser* p, const char* element, mjiXMLAttr* out) {
  char* name = p->at;
  size_t n = nameLength(name);
  if (n > mjiMAX_NAME) return fail(p, element, "attribute name too long");
  moveTo(p, name + n);
  skipSpace(p);
  if (*p->at != '=') return fail(p, element, "attribute '%.*s' has no value", (int)n, name);
  p->at++;
  skipSpace(p);
  char quote = *p->at;
  if (quote != '"' && quote != '\'')
    return fail(p, element, "value of '%.*s' is not in quotes", (int)n, name);
  char* value = ++p->at;
  char* end = strchr(value, quote);
  if (!end) return fail(p, element, "value of '%.*s' is not closed", (int)n, name);
  if (end - value > mjiMAX_VALUE)
    return fail(p, element, "value of '%.*s' too long", (int)n, name);
  moveTo(p, end + 1);
  name[n] = *end = 0;
  decode(value);
  *out = (mjiXMLAttr){name, value};
  return READ;
}

// up to the end of the tag, which stays
static Progress readAttrs(Parser* p, mjiXML* e) {
  mjiXMLAttr attr[mjiMAX_ATTRS];
  int n = 0;
  for (skipSpace(p); startsName(*p->at); skipSpace(p)) {
    if (n == mjiMAX_ATTRS) return fail(p, e->name, "more than %d attributes", mjiMAX_ATTRS);
    if (!readAttr(p, e->name, attr + n)) return FAILED;
    for (int i = 0; i < n; i++)
      if (!strcmp(attr[i].name, attr[n].name))
        return fail(p, e->name, "duplicate attribute '%s'", attr[n].name);
    n++;
  }
  e->nattr = n;
  if (!n) return READ;
  e->attr = mji_treeAlloc(p->tree, (size_t)n * sizeof *attr);
  if (!e->attr) return fail(p, e->name, "out of memory");
  memcpy(e->attr, attr, (size_t)n * sizeof *attr);
  return READ;
}

// an element with its name
static mjiXML* makeElement(Parser* p, size_t n) {
  mjiXML* e = mji_treeAlloc(p->tree, sizeof *e);
  char* name = mji_treeAlloc(p->tree, n + 1);
  if (!e || !name) return fail(p, openName(p), "out of memory"), NULL;
  memcpy(name, p->at, n);
  e->name = name;
  e->file = p->file;
  e->line = p->line;
  return e;
}

// hang it under the innermost open element; only the first one of a document counts
static void hang(Parser* p, mjiXML* e) {
  e->parent = p->open;
  if (!p->open) p->root = p->root ? p->root : e;
  else if (p->open->last) p->open->last = p->open->last->next = e;
  else p->open->first = p->open->last = e;
}

static Progress readOpening(Parser* p, size_t n) {
  if (p->depth == mjiMAX_DEPTH)
    return fail(p, openName(p), "nested deeper than %d", mjiMAX_DEPTH);
  if (++p->tree->nelem > mjiMAX_ELEMENTS)
    return fail(p, openName(p), "more than %d elements", mjiMAX_ELEMENTS);
  mjiXML* e = makeElement(p, n);
  if (!e) return FAILED;
  moveTo(p, p->at + n);
  if (!readAttrs(p, e)) return FAILED;
  int empty = *p->at == '/';
  p->at += empty;
  if (*p->at != '>') return fail(p, e->name, "tag is not well-formed");
  p->at++;
  hang(p, e);
  if (!empty) {
    p->open = e;
    p->depth++;
  }
  return READ;
}

// attributes of a closing tag are read and forgotten
static Progress readClosing(Parser* p, size_t n) {
  const char* name = p->at;
  mjiXML e = {.name = openName(p)};
  moveTo(p, p->at + n);
  if (!readAttrs(p, &e)) return FAILED;
  if (*p->at != '>') return fail(p, openName(p), "tag is not well-formed");
  p->at++;

  // models with one closing tag too many are in use: what follows them is not read
  if (!p->open) return DONE;
  if (strncmp(p->open->name, name, n) || p->open->name[n])
    return fail(p, p->open->name, "mismatched tag </%.*s>", (int)n, name);
  p->open = p->open->parent;
  p->depth--;
  return READ;
}

static Progress readTag(Parser* p) {
  p->at++;
  skipSpace(p);
  int closing = *p->at == '/';
  p->at += closing;
  size_t n = nameLength(p->at);
  if (!n) return fail(p, openName(p), "'<' without the name of an element");
  if (n > mjiMAX_NAME) return fail(p, openName(p), "element name too long");
  return closing ? readClosing(p, n) : readOpening(p, n);
}

// ---- what is skipped

static Progress skipPast(Parser* p, size_t start, const char* end, const char* what) {
  char* found = strstr(p->at + start, end);
  if (!found) return fail(p, openName(p), "%s is not closed", what);
  moveTo(p, found + strlen(end));
  return READ;
}

static Progress skipMarkup(Parser* p) {
  p->begun = 1;
  if (!strncmp(p->at, "<!--", 4)) return skipPast(p, 4, "-->", "comment");
  if (!strncmp(p->at, "<![CDATA[", 9)) return skipPast(p, 9, "]]>", "CDATA section");
  if (!strncmp(p->at, "<!DOCTYPE", 9))
    return fail(p, openName(p), "document type declarations are not allowed");
  return skipPast(p, 2, ">", "'<!'");
}

static Progress skipDeclaration(Parser* p) {
  if (p->begun) return fail(p, openName(p), "declaration is not at the beginning");
  return skipPast(p, 2, "?>", "declaration");
}

static Progress skipText(Parser* p) {
  p->begun = 1;
  char* next = strchr(p->at, '<');
  if (!next) return fail(p, openName(p), "text after the last element");
  moveTo(p, next);
  return READ;
}

// one tag, or one piece between tags
static Progress readNext(Parser* p) {
  skipSpace(p);
  if (!*p->at) return p->open ? fail(p, p->open->name, "element is not closed") : DONE;
  if (*p->at != '<') return skipText(p);
  if (p->at[1] == '?') return skipDeclaration(p);
  if (p->at[1] == '!') return skipMarkup(p);
  p->begun = 1;
  return readTag(p);
}

mjiXML* mji_treeRead(mjiTree* tree, const char* file, const char* text, size_t size, char* error,
                     int nerror) {
  Parser p = {.tree = tree, .file = file, .line = 1, .error = error, .nerror = nerror};
  if (size > mjiMAX_TEXT) return fail(&p, "file", "larger than %d bytes", mjiMAX_TEXT), NULL;
  p.file = mji_treeText(tree, file);
  p.at = mji_treeAlloc(tree, size + 1);
  if (!p.file || !p.at) {
    p.file = file;
    return fail(&p, "file", "out of memory"), NULL;
  }
  memcpy(p.at, text, size);
  if (!strncmp(p.at, "\xEF\xBB\xBF", 3)) p.at += 3;

  Progress progress = READ;
  while (progress == READ) progress = readNext(&p);
  if (progress == FAILED) return NULL;
  return p.root ? p.root : (fail(&p, "file", "no element found"), NULL);
}
