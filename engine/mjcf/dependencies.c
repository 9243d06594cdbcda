// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// mju_getXMLDependencies: the files that loading a model would open, found as the reader and the
// compiler find them, without opening the assets.

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "mjcf/include.h"
#include "mjcf/schema.h"
#include "mjcf/source.h"
#include "mjcf/urdf.h"
#include "spec/vec.h"

enum { MAX_PATH = 4096, MAX_DEPTH = 10 };

typedef struct {
  mjiVec* found;  // each path once
  char error[MJI_ERROR_TEXT];
} Search;

// folders that the compiler settings of one document name
typedef struct {
  const char* dir;  // of the document
  const mjiTree* tree;
  const char* mesh;
  const char* texture;
  int strip;
} Folders;

static int searchFile(Search* s, const char* path, int depth);

// 1 if the path is new
static int add(Search* s, const char* path) {
  for (int i = 0; i < s->found->num; i++)
    if (!strcmp(mji_vec_textAt(s->found, i), path)) return 0;
  mjs_appendString(s->found, path);
  return 1;
}

static void addIncluded(void* search, const char* path) { add(search, path); }

// ---- assets

static const char* includedFrom(const Folders* in, const mjiXML* elem) {
  return elem ? mji_treeFolder(in->tree, elem) : NULL;
}

// elem: where it is named, NULL if in the main document
static void addAsset(Search* s, const Folders* in, const mjiXML* elem, const char* folder, const char* name) {
  char file[MAX_PATH], local[MAX_PATH], path[MAX_PATH];
  if (!name || !*name) return;
  if (!mji_pathResolve(file, sizeof file, NULL, in->dir, folder, includedFrom(in, elem), name)) return;
  if (!mji_pathAsset(local, sizeof local, folder, in->strip, file)) return;
  if (mji_pathJoin(path, sizeof path, in->dir, local)) add(s, path);
}

static int addModel(Search* s, const Folders* in, const mjiXML* elem, int depth) {
  char found[MAX_PATH], path[MAX_PATH];
  const char* file = mji_xmlAttr(elem, "file");
  if (!file || !mji_pathResolve(found, sizeof found, NULL, in->dir, "", includedFrom(in, elem), file) ||
      !mji_pathJoin(path, sizeof path, in->dir, found))
    return 1;
  return searchFile(s, path, depth + 1);
}

static int visit(Search* s, const Folders* in, const mjiXML* elem, int depth) {
  static const char* const side[] = {"fileright", "fileleft", "fileup", "filedown", "filefront", "fileback"};
  const char* file = mji_xmlAttr(elem, "file");
  if (!strcmp(elem->name, "texture")) {
    addAsset(s, in, elem, in->texture, file);
    for (int i = 0; i < 6; i++) addAsset(s, in, elem, in->texture, mji_xmlAttr(elem, side[i]));
  } else if (!strcmp(elem->name, "model")) {
    if (!addModel(s, in, elem, depth)) return 0;
  } else if (file) {
    addAsset(s, in, elem, in->mesh, file);
  }
  for (const mjiXML* c = elem->first; c; c = c->next)
    if (!visit(s, in, c, depth)) return 0;
  return 1;
}

// ---- documents

static void readFolders(Folders* in, const mjiXML* root) {
  for (const mjiXML* c = root->first; c; c = c->next) {
    if (strcmp(c->name, "compiler")) continue;
    const char* both = mji_xmlAttr(c, "assetdir");
    const char* mesh = mji_xmlAttr(c, "meshdir");
    const char* texture = mji_xmlAttr(c, "texturedir");
    const char* strip = mji_xmlAttr(c, "strippath");
    if (both) in->mesh = in->texture = both;
    if (mesh) in->mesh = mesh;
    if (texture) in->texture = texture;
    if (strip) in->strip = !strcmp(strip, "true");
  }
}

// meshes of a URDF document, whose reader knows which there are
static int searchURDF(Search* s, mjiTree* tree, const char* dir) {
  mjSpec* spec = mji_readDocument(tree, tree->root, NULL, dir, NULL, s->error, sizeof s->error);
  if (!spec) return 0;
  Folders in = {.dir = dir, .mesh = mjs_getString(spec->compiler.meshdir), .texture = ""};
  for (mjsElement* e = mjs_firstElement(spec, mjOBJ_MESH); e; e = mjs_nextElement(spec, e))
    addAsset(s, &in, NULL, in.mesh, mjs_getString(mjs_asMesh(e)->file));
  mj_deleteSpec(spec);
  return 1;
}

static int searchTree(Search* s, mjiTree* tree, const char* path, const mjiBytes* bytes, int depth) {
  char dir[MAX_PATH];
  mji_bytesDir(dir, sizeof dir, bytes, path);
  tree->root = mji_treeRead(tree, path, bytes->data, bytes->size, s->error, sizeof s->error);
  if (!tree->root) return 0;
  if (mji_urdfIs(tree->root)) return searchURDF(s, tree, dir);
  mjiListener listener = {addIncluded, s};
  if (!mji_includeListen(tree, tree->root, NULL, dir, &listener, s->error, sizeof s->error)) return 0;
  Folders in = {.dir = dir, .tree = tree, .mesh = "", .texture = ""};
  readFolders(&in, tree->root);
  return visit(s, &in, tree->root, depth);
}

// 1 unless something cannot be read
static int searchFile(Search* s, const char* path, int depth) {
  if (!add(s, path)) return 1;
  if (depth > MAX_DEPTH) {
    snprintf(s->error, sizeof s->error, "%.900s: models nested deeper than %d", path, MAX_DEPTH);
    return 0;
  }
  mjiBytes bytes;
  if (!mji_bytesRead(&bytes, NULL, "", path)) {
    snprintf(s->error, sizeof s->error, "%.900s: cannot open: %s", path, bytes.why);
    return 0;
  }
  mjiTree* tree = mji_treeMake();
  int ok = tree && searchTree(s, tree, path, &bytes, depth);
  if (!tree) snprintf(s->error, sizeof s->error, "out of memory");
  mji_treeDelete(tree);
  mji_bytesFree(&bytes);
  return ok;
}

void mju_getXMLDependencies(const char* filename, mjStringVec* dependencies) {
  Search s = {.found = dependencies};
  mji_vec_resize(s.found, 0);
  if (!searchFile(&s, filename, 0)) mju_error("mju_getXMLDependencies: %s", s.error);
}
