// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Assets. Files are only named here; the compiler loads them.

#include <stdlib.h>
#include <string.h>

#include "mjcf/read.h"
#include "mjcf/source.h"

enum {
  MAX_GROUP = 5,             // visualization groups
  MAX_ELEVATION = 64 << 20,  // values of a height field
};

// ---- meshes

void mji_readMeshRows(mjiReader* r, const mjiXML* elem, mjsMesh* mesh) {
  mji_readRows(r, elem, mji_rowsMesh, mesh);
  if (mji_xmlAttr(elem, "maxhullvert") && mesh->maxhullvert != -1 && mesh->maxhullvert <= 3)
    mji_readFail(r, elem, "maxhullvert must be at least 4, or -1 for no limit");
}

static void readMesh(mjiReader* r, const mjiXML* elem) {
  mjsMesh* mesh = mjs_addMesh(r->spec, mji_readClass(r, elem, "class", mjs_getSpecDefault(r->spec)));
  mji_readIdentity(r, elem, mesh->element, mesh->info);
  mji_readMeshRows(r, elem, mesh);
  const mjiXML* plugin = mji_xmlChild(elem, "plugin");
  if (plugin) mji_readPlugin(r, plugin, &mesh->plugin);

  // a generator instead of a file
  if (mji_xmlAttr(elem, "builtin")) {
    static const char* const other[] = {"file", "vertex"};
    int n, type = mji_readWord(r, elem, "builtin", mji_wordsMeshBuiltin, mjMESH_BUILTIN_NONE);
    for (size_t i = 0; i < sizeof other / sizeof *other; i++)
      if (i ? mji_readGiven(elem, other[i]) : mji_xmlAttr(elem, other[i]) != NULL)
        mji_readFail(r, elem, "builtin and %s cannot both be given", other[i]);
    mji_readText(r, elem, "params", 1);
    double* params = mji_readDoubles(r, elem, "params", &n);
    if (mjs_makeMesh(mesh, (mjtMeshBuiltin)type, params, n)) mji_readFailSpec(r, elem);
  }
}

// ---- height fields

static void readHField(mjiReader* r, const mjiXML* elem) {
  mjsHField* hfield = mjs_addHField(r->spec);
  mji_readIdentity(r, elem, hfield->element, hfield->info);
  mji_readRows(r, elem, mji_rowsHField, hfield);

  // without data the field is flat
  int n, nrow = hfield->nrow, ncol = hfield->ncol;
  const float* in = mji_readFloats(r, elem, "elevation", &n);
  if (mji_xmlAttr(elem, "file")) return;
  if (nrow < 1 || ncol < 1 || (long long)nrow * ncol > MAX_ELEVATION) {
    if (!in) return;  // the compiler says that the sizes are wrong
    mji_readFail(r, elem, "elevation needs positive nrow and ncol");
  }
  if (n && n != nrow * ncol)
    mji_readFail(r, elem, "elevation must have nrow*ncol = %d*%d values, got %d", nrow, ncol, n);

  // the document lists rows from the far edge (largest y), the model from the near one
  float* data = mji_readAlloc(r, elem, (size_t)nrow * ncol * sizeof *data);
  for (int i = 0; n && i < nrow; i++)
    memcpy(data + (size_t)(nrow - 1 - i) * ncol, in + (size_t)i * ncol, ncol * sizeof *data);
  mjs_setFloat(hfield->userdata, data, nrow * ncol);
}

// ---- skins

static void readBone(mjiReader* r, const mjiXML* elem, mjsSkin* skin, float* pos, float* quat) {
  mjs_appendString(skin->bodyname, mji_readText(r, elem, "body", 1));
  int n;
  const float* x = mji_readFloats(r, elem, "bindpos", &n);
  if (n != 3) mji_readFail(r, elem, "bindpos must have 3 values");
  memcpy(pos, x, 3 * sizeof *pos);
  x = mji_readFloats(r, elem, "bindquat", &n);
  if (n != 4) mji_readFail(r, elem, "bindquat must have 4 values");
  memcpy(quat, x, 4 * sizeof *quat);
  const int* id = mji_readInts(r, elem, "vertid", &n);
  mjs_appendIntVec(skin->vertid, id, n);
  x = mji_readFloats(r, elem, "vertweight", &n);
  mjs_appendFloatVec(skin->vertweight, x, n);
}

void mji_readSkinRows(mjiReader* r, const mjiXML* elem, const mjiAttrRow* rows, mjsSkin* skin) {
  mji_readRows(r, elem, rows, skin);
  if (skin->group < 0 || skin->group > MAX_GROUP) mji_readFail(r, elem, "group must be between 0 and %d", MAX_GROUP);
}

void mji_readSkin(mjiReader* r, const mjiXML* elem) {
  mjsSkin* skin = mjs_addSkin(r->spec);
  mji_readIdentity(r, elem, skin->element, skin->info);
  mji_readSkinRows(r, elem, mji_rowsSkin, skin);

  int nbone = 0;
  for (const mjiXML* c = elem->first; c; c = c->next) nbone++;
  float* pos = mji_readAlloc(r, elem, 3 * (size_t)nbone * sizeof *pos);
  float* quat = mji_readAlloc(r, elem, 4 * (size_t)nbone * sizeof *quat);
  int i = 0;
  for (const mjiXML* c = elem->first; c; c = c->next, i++) readBone(r, c, skin, pos + 3 * i, quat + 4 * i);
  mjs_setFloat(skin->bindpos, pos, 3 * nbone);
  mjs_setFloat(skin->bindquat, quat, 4 * nbone);
}

// ---- textures and materials

static void readTexture(mjiReader* r, const mjiXML* elem) {
  mjsTexture* texture = mjs_addTexture(r->spec);
  mji_readIdentity(r, elem, texture->element, texture->info);
  mji_readRows(r, elem, mji_rowsTexture, texture);

  const char* layout = mji_xmlAttr(elem, "gridlayout");
  if (layout) {
    size_t n = strlen(layout);
    long long cells = (long long)texture->gridsize[0] * texture->gridsize[1];
    if (n > sizeof texture->gridlayout || (long long)n != cells)
      mji_readFail(r, elem, "gridlayout must have gridsize letters, at most %zu", sizeof texture->gridlayout);
    memcpy(texture->gridlayout, layout, n);
  }
  static const char* const side[] = {"fileright", "fileleft", "fileup", "filedown", "filefront", "fileback"};
  const char* folder = mjs_getString(r->spec->compiler.texturedir);
  for (int i = 0; i < 6; i++) {
    const char* file = mji_xmlAttr(elem, side[i]);
    if (file) mjs_setInStringVec(texture->cubefiles, i, mji_readPath(r, elem, folder, file));
  }
}

void mji_readMaterial(mjiReader* r, const mjiXML* elem, mjsMaterial* material) {
  mji_readRows(r, elem, mji_rowsMaterial, material);
  const char* texture = mji_xmlAttr(elem, "texture");
  if (texture && *texture) mjs_setInStringVec(material->textures, mjTEXROLE_RGB, texture);

  for (const mjiXML* c = elem->first; c; c = c->next) {
    if (texture) mji_readFail(r, c, "the texture is given already, by an attribute of the material");
    int role = mji_readWord(r, c, "role", mji_wordsTextureRole, mjTEXROLE_USER);
    mjs_setInStringVec(material->textures, role, mji_readText(r, c, "texture", 1));
  }
}

static void addMaterial(mjiReader* r, const mjiXML* elem) {
  mjsMaterial* material = mjs_addMaterial(r->spec, mji_readClass(r, elem, "class", mjs_getSpecDefault(r->spec)));
  mji_readIdentity(r, elem, material->element, material->info);
  mji_readMaterial(r, elem, material);
}

// ---- models to attach from

static void readModel(mjiReader* r, const mjiXML* elem) {
  // a model may name models, and each of them others: count them all
  if (*r->ndocument == mjiMAX_MODELS) mji_readFail(r, elem, "more than %d models", mjiMAX_MODELS);
  ++*r->ndocument;
  if (r->depth == mjiMAX_MODELDEPTH) mji_readFail(r, elem, "models nested deeper than %d", mjiMAX_MODELDEPTH);
  char path[4096], reason[500] = "";
  const char* file = mji_readPath(r, elem, "", mji_readText(r, elem, "file", 1));
  if (!mji_pathJoin(path, sizeof path, r->dir, file)) mji_readFail(r, elem, "file name too long");
  const char* type = mji_xmlAttr(elem, "content_type");
  mjSpec* spec = mji_saysXML(file, type) ? mji_parseFile(path, r->vfs, r, reason, sizeof reason)
                                         : mji_decodeFile(path, type, r->vfs, reason, sizeof reason);
  if (!spec) mji_readFail(r, elem, "%s", reason);
  r->model[r->nmodel++] = spec;

  // known by the name given here, or else by its own
  const char* name = mji_xmlAttr(elem, "name");
  if (name) mjs_setString(spec->modelname, name);
}

void mji_readAsset(mjiReader* r, const mjiXML* section) {
  for (const mjiXML* c = section->first; c; c = c->next) {
    if (!strcmp(c->name, "mesh")) readMesh(r, c);
    else if (!strcmp(c->name, "hfield")) readHField(r, c);
    else if (!strcmp(c->name, "skin")) mji_readSkin(r, c);
    else if (!strcmp(c->name, "texture")) readTexture(r, c);
    else if (!strcmp(c->name, "material")) addMaterial(r, c);
    else readModel(r, c);
  }
}
