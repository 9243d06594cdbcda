// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "mjcf/xml.h"

#include <stdlib.h>
#include <string.h>

// ---- memory: a chain of blocks, freed together

typedef struct mjiPage_ {
  struct mjiPage_* next;
  size_t used, size;
} mjiPage;

enum { BLOCK_SIZE = 64 << 10, ALIGN = 16 };

// data start after the header, rounded up so that every allocation is aligned
static const size_t header = (sizeof(mjiPage) + ALIGN - 1) & ~(size_t)(ALIGN - 1);

mjiTree* mji_treeMake(void) { return calloc(1, sizeof(mjiTree)); }

void mji_treeDelete(mjiTree* tree) {
  if (!tree) return;
  for (mjiPage* b = tree->page; b;) {
    mjiPage* next = b->next;
    free(b);
    b = next;
  }
  free(tree);
}

void* mji_treeAlloc(mjiTree* tree, size_t size) {
  size = (size + ALIGN - 1) & ~(size_t)(ALIGN - 1);
  mjiPage* b = tree->page;
  if (!b || b->size - b->used < size) {
    size_t space = size > BLOCK_SIZE ? size : BLOCK_SIZE;
    b = malloc(header + space);
    if (!b) return NULL;
    *b = (mjiPage){tree->page, 0, space};
    tree->page = b;
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

// ---- included files

typedef struct mjiIncluded_ {
  struct mjiIncluded_* next;
  const char* file;
  const char* folder;
} mjiIncluded;

int mji_treeInclude(mjiTree* tree, const char* file, const char* folder) {
  mjiIncluded* one = mji_treeAlloc(tree, sizeof *one);
  if (!one) return 0;
  *one = (mjiIncluded){tree->included, mji_treeText(tree, file), mji_treeText(tree, folder)};
  tree->included = one;
  return one->file && one->folder;
}

const char* mji_treeFolder(const mjiTree* tree, const mjiXML* elem) {
  for (const mjiIncluded* i = tree->included; i; i = i->next)
    if (!strcmp(i->file, elem->file)) return i->folder;
  return NULL;
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
