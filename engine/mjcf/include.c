// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "mjcf/include.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "mjcf/source.h"

enum { MAX_PATH = 4096 };

typedef struct {
  mjiTree* tree;
  const mjVFS* vfs;
  const char* dir;                    // of the main file
  const char* seen[mjiMAX_INCLUDES];  // names as written, to refuse repeats and cycles
  int nseen;
  const mjiListener* listener;
  char* error;
  int nerror;
} Expansion;

static int fail(Expansion* x, const mjiXML* elem, const char* format, ...) {
  char reason[512];
  va_list args;
  va_start(args, format);
  vsnprintf(reason, sizeof reason, format, args);
  va_end(args);
  if (x->error && x->nerror > 0)
    snprintf(x->error, x->nerror, "%s:%d: %s: %s", elem->file, elem->line, elem->name, reason);
  return 0;
}

// names are relative to the main file, or else to the file that includes
static int readNamed(Expansion* x, const mjiXML* inc, const char* name, mjiBytes* bytes, char* found, size_t size) {
  char path[MAX_PATH];
  *bytes = (mjiBytes){.why = "the path is too long"};
  if (!mji_pathResolve(found, size, x->vfs, x->dir, "", mji_treeFolder(x->tree, inc), name)) return 0;
  if (!mji_bytesRead(bytes, x->vfs, x->dir, found)) return 0;
  if (x->listener && mji_pathJoin(path, sizeof path, x->dir, found)) x->listener->opened(x->listener->arg, path);
  return 1;
}

// root of a document of these bytes; NULL with the reason
static mjiXML* readBytes(Expansion* x, const mjiXML* inc, const char* file, const mjiBytes* bytes) {
  char folder[MAX_PATH];
  mji_bytesDir(folder, sizeof folder, bytes, file);
  if (!mji_treeInclude(x->tree, file, folder)) return fail(x, inc, "out of memory"), NULL;
  return mji_treeRead(x->tree, file, bytes->data, bytes->size, x->error, x->nerror);
}

// root of the included file, or NULL
static mjiXML* readIncluded(Expansion* x, const mjiXML* inc) {
  const char* name = mji_xmlAttr(inc, "file");
  if (!name) return fail(x, inc, "file must be given"), NULL;
  if (inc->first) return fail(x, inc, "nothing can stand in an include"), NULL;
  for (int i = 0; i < x->nseen; i++)
    if (!strcmp(x->seen[i], name)) return fail(x, inc, "file '%s' was included before", name), NULL;
  if (x->nseen == mjiMAX_INCLUDES) return fail(x, inc, "more than %d included files", mjiMAX_INCLUDES), NULL;
  x->seen[x->nseen++] = name;

  char found[MAX_PATH];
  mjiBytes bytes;
  if (!readNamed(x, inc, name, &bytes, found, sizeof found))
    return fail(x, inc, "cannot open file '%s': %s", name, bytes.why), NULL;
  mjiXML* root = readBytes(x, inc, found, &bytes);
  mji_bytesFree(&bytes);
  if (root && !root->first) return fail(x, inc, "there is nothing in file '%s'", name), NULL;
  return root;
}

// put the children of root where inc stands; link points at inc
static void splice(mjiXML** link, mjiXML* root) {
  mjiXML* inc = *link;
  mjiXML* parent = inc->parent;
  for (mjiXML* c = root->first; c; c = c->next) c->parent = parent;
  if (root->last) {
    root->last->next = inc->next;
    *link = root->first;
  } else {
    *link = inc->next;
  }
}

static int expandChildren(Expansion* x, mjiXML* elem, int depth) {
  // one document may not be deep, and neither may the sum of included ones
  if (depth > mjiMAX_DEPTH) return fail(x, elem, "nested deeper than %d", mjiMAX_DEPTH);
  mjiXML** link = &elem->first;
  elem->last = NULL;
  while (*link) {
    mjiXML* c = *link;
    if (!strcmp(c->name, "include")) {
      mjiXML* root = readIncluded(x, c);
      if (!root) return 0;
      splice(link, root);
      continue;
    }
    if (!expandChildren(x, c, depth + 1)) return 0;
    elem->last = c;
    link = &c->next;
  }
  return 1;
}

int mji_includeExpand(mjiTree* tree, mjiXML* root, const mjVFS* vfs, const char* dir, char* error, int nerror) {
  return mji_includeListen(tree, root, vfs, dir, NULL, error, nerror);
}

int mji_includeListen(mjiTree* tree, mjiXML* root, const mjVFS* vfs, const char* dir, const mjiListener* listener,
                      char* error, int nerror) {
  Expansion x = {.tree = tree, .vfs = vfs, .dir = dir, .listener = listener, .error = error, .nerror = nerror};
  return expandChildren(&x, root, 1);
}
