// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// A document to a spec. Sections may be repeated and stand in any order, so they are visited by
// kind. The tree comes after the elements that refer to it, because <replicate> copies those, too. Keyframes come
// last, because they have numbers for the complete model.

#define _GNU_SOURCE  // newlocale
#include <stdio.h>
#include <string.h>

#include "mjcf/include.h"
#include "mjcf/read.h"
#include "mjcf/source.h"
#include "mjcf/urdf.h"
#include "spec/from_document.h"

static void readDeformable(mjiReader* r, const mjiXML* section) {
  for (const mjiXML* c = section->first; c; c = c->next) {
    if (!strcmp(c->name, "skin")) mji_readSkin(r, c);
    else mji_readFlex(r, c);
  }
}

static const struct {
  const char* name;
  void (*read)(mjiReader* r, const mjiXML* section);
} sections[] = {
    {"compiler", mji_readCompiler},   {"option", mji_readOption},       {"size", mji_readSize},
    {"default", mji_readDefault},     {"extension", mji_readExtension}, {"custom", mji_readCustom},
    {"visual", mji_readVisual},       {"statistic", mji_readStatistic}, {"asset", mji_readAsset},
    {"contact", mji_readContact},     {"deformable", readDeformable},   {"equality", mji_readEquality},
    {"tendon", mji_readTendon},       {"actuator", mji_readActuator},   {"sensor", mji_readSensor},
    {"worldbody", mji_readWorldBody}, {"keyframe", mji_readKeyframe},
};

static void readSections(mjiReader* r, const mjiXML* root) {
  if (strcmp(root->name, "mujoco")) mji_readFail(r, root, "root element must be 'mujoco' or 'robot'");
  mji_readCheck(r, root);
  if (r->tree->comment) mjs_setString(r->spec->comment, r->tree->comment);
  const char* name = mji_xmlAttr(root, "model");
  if (name) mjs_setString(r->spec->modelname, name);
  for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
    for (const mjiXML* c = root->first; c; c = c->next)
      if (!strcmp(c->name, sections[i].name)) sections[i].read(r, c);
  mji_readKeyOrder(r, root);
}

mjSpec* mji_readDocument(mjiTree* tree, const mjiXML* root, const mjVFS* vfs, const char* dir, const mjiReader* outer,
                         char* error, int nerror) {
  // the reader lives in the tree: locals may not change between setjmp and longjmp
  mjiReader* r = mji_treeAlloc(tree, sizeof *r);
  mjSpec* spec = r ? mj_makeSpec() : NULL;
  locale_t numbers = spec ? newlocale(LC_ALL_MASK, "C", NULL) : (locale_t)0;
  if (!numbers) {
    snprintf(error, nerror, "%s:%d: %s: out of memory", root->file, root->line, root->name);
    if (spec) mj_deleteSpec(spec);
    return NULL;
  }
  r->tree = tree;
  r->vfs = vfs;
  r->dir = dir;
  r->depth = outer ? outer->depth + 1 : 0;
  r->ndocument = outer ? outer->ndocument : &r->own;
  r->error = error;
  r->nerror = nerror;
  r->spec = spec;
  r->numbers = numbers;

  int failed = setjmp(r->onfail);
  if (!failed) {
    mjs_setDeepCopy(spec, 1);
    mjs_setString(spec->modelfiledir, dir);
    mji_spec_setDocument(spec, root->file);
    if (mji_urdfIs(root)) mji_urdfRead(r, root);
    else readSections(r, root);
    mjs_setDeepCopy(spec, 0);
  }
  for (int i = 0; i < r->nmodel; i++) {
    if (failed) mj_deleteSpec(r->model[i]);
    else mji_spec_addModel(spec, r->model[i]);
  }
  freelocale(numbers);
  if (failed) mj_deleteSpec(spec);
  return failed ? NULL : spec;
}

mjSpec* mji_parseText(const char* name, const char* dir, const char* text, size_t size, const mjVFS* vfs,
                      const mjiReader* outer, char* error, int nerror) {
  mjiTree* tree = mji_treeMake();
  mjSpec* spec = NULL;
  if (tree) {
    tree->root = mji_treeRead(tree, name, text, size, error, nerror);
    // URDF does not include files: as in the reference, an <include> there has no effect
    if (tree->root && (mji_urdfIs(tree->root) || mji_includeExpand(tree, tree->root, vfs, dir, error, nerror)))
      spec = mji_readDocument(tree, tree->root, vfs, dir, outer, error, nerror);
  }
  mji_treeDelete(tree);
  // whatever is wrong in the document has been told
  if (!spec && !*error) snprintf(error, nerror, "%s: out of memory", name);
  return spec;
}

mjSpec* mji_parseFile(const char* name, const mjVFS* vfs, const mjiReader* outer, char* error, int nerror) {
  char dir[4096];
  mjiBytes bytes;
  if (!mji_bytesRead(&bytes, vfs, "", name)) {
    snprintf(error, nerror, "%s: cannot open: %s", name, bytes.why);
    return NULL;
  }
  mji_bytesDir(dir, sizeof dir, &bytes, name);
  mjSpec* spec = mji_parseText(name, dir, bytes.data, bytes.size, vfs, outer, error, nerror);
  mji_bytesFree(&bytes);
  return spec;
}
