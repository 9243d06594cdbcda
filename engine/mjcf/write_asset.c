// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Assets: files stay files, what was given or generated in memory is written out.

#include <stdlib.h>
#include <string.h>

#include "mjcf/source.h"
#include "mjcf/write.h"

// ---- files

static int sameText(const mjiVec* a, const mjiVec* b) { return !strcmp(mji_vec_text(a), mji_vec_text(b)); }

int mji_writeNeedsPaths(const mjiSpec* s) {
  const mjSpec* pub = &s->pub;
  for (int i = 0; i < s->origins.num; i++) {
    const mjiOrigin* o = mji_vec_get(&s->origins, i);
    if (!sameText(&o->modelfiledir, pub->modelfiledir) || !sameText(&o->meshdir, pub->compiler.meshdir) ||
        !sameText(&o->texturedir, pub->compiler.texturedir)) {
      return 1;
    }
  }
  return 0;
}

// A file of an attached element lies in folders of its guest; it is written as seen from the folder of this model.
static int pathOf(const mjiWriter* w, const mjiElem* e, const char* file, char* out, size_t nout) {
  const mjsCompiler* c = mji_elem_compiler(e);
  const mjiVec* own = w->spec->pub.modelfiledir;
  const char* dir = mji_vec_text(e->origin ? &e->origin->modelfiledir : own);
  int texture = e->head.elemtype == mjOBJ_TEXTURE;
  char inner[4096];
  if (!mji_pathJoin(inner, sizeof inner, mjs_getString(texture ? c->texturedir : c->meshdir), file)) return 0;
  if (!strncmp(dir, mji_vec_text(own), (size_t)own->num)) dir += own->num;
  return mji_pathJoin(out, nout, dir, inner);
}

static void writeFile(mjiWriter* w, const mjiElem* e, const char* name, const char* file) {
  char path[4096];
  if (!*file) return;
  int full = w->fullpaths && e->head.elemtype != mjOBJ_SKIN;
  if (full && !pathOf(w, e, file, path, sizeof path)) mji_writeFail(w, "the path of a file is too long");
  else mji_writeText(w, name, full ? path : file);
}

// the rest of an element, with its file where this document finds it
static void writeAssetRows(mjiWriter* w, const mjiAttrRow* rows, const mjiElem* e, const mjString* file,
                           const void* src) {
  writeFile(w, e, "file", mjs_getString(file));
  mji_writeRows(w, rows, src, mji_writeBase(w, e));
}

// ---- meshes

static void writeMesh(mjiWriter* w, const mjiElem* e) {
  const mjsMesh* mesh = &e->as.mesh;
  mji_writeBegin(w, "mesh", e, NULL);
  if (((const mjiVec*)mesh->userfacenormal)->num || ((const mjiVec*)mesh->userfacetexcoord)->num)
    mji_writeFail(w, "normals and texture coordinates with ids of their own have no attribute");
  mjsMesh copy = *mesh;
  copy.file = NULL;
  writeAssetRows(w, mji_rowsMesh, e, mesh->file, &copy);
  mji_writePlugin(w, &mesh->plugin);
  mji_writeClose(w, "mesh");
}

// ---- height fields

static void writeHField(mjiWriter* w, const mjiElem* e) {
  const mjsHField* hfield = &e->as.hfield;
  const mjiVec* data = hfield->userdata;
  int nrow = hfield->nrow, ncol = hfield->ncol;
  mji_writeBegin(w, "hfield", e, NULL);
  mjsHField copy = *hfield;
  copy.file = NULL;
  writeAssetRows(w, mji_rowsHField, e, hfield->file, &copy);
  if (data->num && !*mjs_getString(hfield->file)) {
    // the document lists rows from the far edge (largest y), the specification from the near one
    const float* x = data->data;
    float* flipped = mji_vec_alloc((size_t)data->num * sizeof *flipped);
    for (int i = 0; i < nrow; i++)
      memcpy(flipped + (size_t)(nrow - 1 - i) * ncol, x + (size_t)i * ncol, (size_t)ncol * sizeof *x);
    mji_writeFlts(w, "elevation", flipped, data->num);
    free(flipped);
  }
  mji_writeClose(w, "hfield");
}

// ---- skins

static void writeBone(mjiWriter* w, const mjsSkin* skin, int i) {
  const mjiVec *pos = skin->bindpos, *quat = skin->bindquat;
  const mjiVec *id = mji_vec_at(skin->vertid, i), *weight = mji_vec_at(skin->vertweight, i);
  mji_writeOpen(w, "bone");
  mji_writeText(w, "body", mji_vec_textAt(skin->bodyname, i));
  mji_writeFlts(w, "bindpos", (const float*)pos->data + 3 * i, 3);
  mji_writeFlts(w, "bindquat", (const float*)quat->data + 4 * i, 4);
  mji_writeInts(w, "vertid", id->data, id->num);
  mji_writeFlts(w, "vertweight", weight->data, weight->num);
  mji_writeClose(w, "bone");
}

static void writeSkin(mjiWriter* w, const mjiElem* e) {
  mjsSkin skin = e->as.skin;
  mji_writeBegin(w, "skin", e, NULL);
  int infile = *mjs_getString(skin.file) != 0;
  if (infile) skin.vert = skin.texcoord = skin.face = NULL;
  mji_writeRows(w, mji_rowsSkin, &skin, mji_writeBase(w, e));
  int nbone = infile ? 0 : ((const mjiVec*)skin.bodyname)->num;
  for (int i = 0; i < nbone; i++) writeBone(w, &skin, i);
  mji_writeClose(w, "skin");
}

void mji_writeDeformable(mjiWriter* w) {
  size_t start = mji_writeOpen(w, "deformable");
  const mjiVec *flexes = w->spec->list + mjOBJ_FLEX, *skins = w->spec->list + mjOBJ_SKIN;
  for (int i = 0; i < flexes->num; i++) mji_writeFlex(w, mji_elem_at(flexes, i));
  for (int i = 0; i < skins->num; i++) writeSkin(w, mji_elem_at(skins, i));
  w->elem = NULL;
  mji_writeCloseUsed(w, "deformable", start);
}

// ---- textures and materials

static void writeTexture(mjiWriter* w, const mjiElem* e) {
  static const char* const side[] = {"fileright", "fileleft", "fileup", "filedown", "filefront", "fileback"};
  const mjsTexture* texture = &e->as.texture;
  mji_writeBegin(w, "texture", e, NULL);
  if (((const mjiVec*)texture->data)->num) mji_writeFail(w, "pixels in memory have no attribute");
  mjsTexture copy = *texture;
  copy.file = NULL;
  writeAssetRows(w, mji_rowsTexture, e, texture->file, &copy);

  int cells = texture->gridsize[0] * texture->gridsize[1];
  char layout[sizeof texture->gridlayout + 1] = {0};
  memcpy(layout, texture->gridlayout, sizeof texture->gridlayout);
  if (cells > 1 && cells < (int)sizeof layout) {
    layout[cells] = 0;
    mji_writeText(w, "gridlayout", layout);
  }
  const mjiVec* files = texture->cubefiles;
  for (int i = 0; i < files->num && i < 6; i++) writeFile(w, e, side[i], mji_vec_textAt(files, i));
  mji_writeClose(w, "texture");
}

// The name of the texture of a role, empty if there is none. The roles of documents are those from mjTEXROLE_RGB on:
// there is no word for mjTEXROLE_USER, which is for programs alone and is left out.
static const char* textureOf(const mjiVec* textures, int role) {
  return textures && role < textures->num ? mji_vec_textAt(textures, role) : "";
}

// does a material have other textures than its class?
static int layersDiffer(const mjiVec* textures, const mjiVec* other) {
  for (int i = mjTEXROLE_RGB; i < mjNTEXROLE; i++)
    if (strcmp(textureOf(textures, i), textureOf(other, i))) return 1;
  return 0;
}

static void writeLayers(mjiWriter* w, const mjiVec* textures) {
  int n = 0;
  for (int i = mjTEXROLE_RGB; i < mjNTEXROLE; i++) n += *textureOf(textures, i) != 0;
  const char* plain = textureOf(textures, mjTEXROLE_RGB);
  if (!n || (n == 1 && *plain)) {
    mji_writeText(w, "texture", plain);
    return;
  }
  for (int i = mjTEXROLE_RGB; i < mjNTEXROLE; i++) {
    if (!*textureOf(textures, i)) continue;
    mji_writeOpen(w, "layer");
    mji_writeWord(w, "role", mji_wordsTextureRole, i);
    mji_writeText(w, "texture", textureOf(textures, i));
    mji_writeClose(w, "layer");
  }
}

void mji_writeMaterialRows(mjiWriter* w, const mjsMaterial* material, mjiBase base) {
  const mjsMaterial* given = base.given;
  mji_writeRows(w, mji_rowsMaterial, material, base);
  if (!layersDiffer(material->textures, given->textures)) return;

  // a document adds layers to those of the class and cannot remove one
  for (int i = mjTEXROLE_RGB + 1; i < mjNTEXROLE; i++)
    if (*textureOf(given->textures, i) && !*textureOf(material->textures, i))
      mji_writeFail(w, "a texture of the default class cannot be taken back");
  writeLayers(w, material->textures);
}

static void writeMaterial(mjiWriter* w, const mjiElem* e) {
  mji_writeBegin(w, "material", e, NULL);
  mji_writeMaterialRows(w, &e->as.material, mji_writeBase(w, e));
  mji_writeClose(w, "material");
}

// ---- the section: what is referred to comes first

void mji_writeAsset(mjiWriter* w) {
  static const struct {
    mjtObj type;
    void (*write)(mjiWriter* w, const mjiElem* e);
  } kinds[] = {{mjOBJ_TEXTURE, writeTexture},
               {mjOBJ_MATERIAL, writeMaterial},
               {mjOBJ_MESH, writeMesh},
               {mjOBJ_HFIELD, writeHField}};
  size_t start = mji_writeOpen(w, "asset");
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    const mjiVec* list = w->spec->list + kinds[k].type;
    for (int i = 0; i < list->num; i++) kinds[k].write(w, mji_elem_at(list, i));
  }
  w->elem = NULL;
  mji_writeCloseUsed(w, "asset", start);
}
