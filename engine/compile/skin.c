// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Skins: kept for renderers. Vertex weights are normalized.

#include <string.h>

#include "compile/compile.h"

static int sumSizes(const mjiVec* lists) {
  int n = 0;
  for (int i = 0; i < lists->num; i++) n += mji_vec_at(lists, i)->num;
  return n;
}

static int checkBones(mjiCompile* c, const mjiElem* e) {
  const mjsSkin* skin = &e->as.skin;
  const mjiVec *names = skin->bodyname, *ids = skin->vertid, *weights = skin->vertweight;
  const mjiVec *pos = skin->bindpos, *quat = skin->bindquat, *vert = skin->vert;
  if (pos->num != 3 * names->num || quat->num != 4 * names->num || ids->num != names->num ||
      weights->num != names->num) {
    return mji_compile_error(c, e, "the arrays of bones differ in length");
  }
  for (int i = 0; i < names->num; i++) {
    const char* name = mji_vec_textAt(names, i);
    if (mji_names_find(c, mjOBJ_BODY, name) < 0) {
      return mji_compile_error(c, e, "there is no body named '%.200s'", name);
    }
    const mjiVec *id = mji_vec_at(ids, i), *weight = mji_vec_at(weights, i);
    if (!id->num || id->num != weight->num) {
      return mji_compile_error(c, e, "bone %d needs as many weights as vertices", i);
    }
    for (int k = 0; k < id->num; k++) {
      int v = ((const int*)id->data)[k];
      if (v < 0 || v >= vert->num / 3) {
        return mji_compile_error(c, e, "bone %d: there is no vertex %d", i, v);
      }
    }
  }
  return 0;
}

// weights of a vertex sum to one
static int normalizeWeights(mjiCompile* c, mjiElem* e) {
  const mjiVec *ids = e->as.skin.vertid, *weights = e->as.skin.vertweight;
  int nvert = ((const mjiVec*)e->as.skin.vert)->num / 3;
  float* total = mji_vec_alloc((size_t)nvert * sizeof(float));
  for (int pass = 0; pass < 2; pass++) {
    for (int i = 0; i < ids->num; i++) {
      const int* id = mji_vec_at(ids, i)->data;
      float* weight = mji_vec_at(weights, i)->data;
      for (int k = 0; k < mji_vec_at(ids, i)->num; k++) {
        if (pass) weight[k] /= total[id[k]];
        else total[id[k]] += weight[k];
      }
    }
    for (int v = 0; v < nvert; v++) {
      if (total[v] > 1e-14f) continue;
      free(total);
      return mji_compile_error(c, e, "the weights of vertex %d add up to nothing", v);
    }
  }
  free(total);
  return 0;
}

static void normalizeQuats(const mjiVec* quats) {
  float* q = quats->data;
  for (int i = 0; i < quats->num / 4; i++, q += 4) {
    mjtNum quat[4];
    mju_f2n(quat, q, 4);
    mji_unit(quat, 4);
    mju_n2f(q, quat, 4);
  }
}

static int compileSkin(mjiCompile* c, mjiElem* e) {
  mjsSkin* skin = &e->as.skin;
  const mjiVec *vert = skin->vert, *face = skin->face, *tex = skin->texcoord, *bones = skin->bodyname;
  if (*mjs_getString(skin->file)) {
    if (vert->num || face->num || tex->num || bones->num) {
      return mji_compile_error(c, e, "lists and a file cannot both be given");
    }
    mjiAssetSource source = mji_assets_source(c, e, 0);
    if (mji_skin_read(skin, &source)) return mji_compile_error(c, e, "%s", source.error);
  }
  if (!vert->num || !face->num || !bones->num) {
    return mji_compile_error(c, e, "vertices, faces and bones are needed");
  }
  if (vert->num % 3 || face->num % 3) {
    return mji_compile_error(c, e, "vertices and faces come in threes");
  }
  if (tex->num && tex->num != 2 * (vert->num / 3)) {
    return mji_compile_error(c, e, "there must be as many texture coordinates as vertices");
  }
  for (int i = 0; i < face->num; i++) {
    int v = ((const int*)face->data)[i];
    if (v < 0 || v >= vert->num / 3) return mji_compile_error(c, e, "there is no vertex %d", v);
  }
  if (*mjs_getString(skin->material) && mji_names_resolve(c, e, mjOBJ_MATERIAL, skin->material) < 0) {
    return -1;
  }
  if (checkBones(c, e) || normalizeWeights(c, e)) return -1;
  normalizeQuats(skin->bindquat);
  return 0;
}

int mji_skin_compile(mjiCompile* c) {
  for (int i = 0; i < mji_count(c, mjOBJ_SKIN); i++) {
    if (compileSkin(c, mji_get(c, mjOBJ_SKIN, i))) return -1;
  }
  return 0;
}

void mji_skin_count(const mjiCompile* c, mjModel* sizes) {
  for (int i = 0; i < mji_count(c, mjOBJ_SKIN); i++) {
    const mjsSkin* skin = &mji_get(c, mjOBJ_SKIN, i)->as.skin;
    sizes->nskinvert += ((const mjiVec*)skin->vert)->num / 3;
    sizes->nskintexvert += ((const mjiVec*)skin->texcoord)->num / 2;
    sizes->nskinface += ((const mjiVec*)skin->face)->num / 3;
    sizes->nskinbone += ((const mjiVec*)skin->bodyname)->num;
    sizes->nskinbonevert += sumSizes(skin->vertid);
  }
}

static void copyVec(void* dst, const mjiVec* v, size_t size) {
  if (v->num) memcpy(dst, v->data, (size_t)v->num * size);
}

// bones of one skin; at: running addresses
static void packBones(mjiCompile* c, const mjsSkin* skin, mjModel* at) {
  mjModel* m = c->m;
  const mjiVec *names = skin->bodyname, *ids = skin->vertid, *weights = skin->vertweight;
  copyVec(m->skin_bonebindpos + 3 * at->nskinbone, skin->bindpos, sizeof(float));
  copyVec(m->skin_bonebindquat + 4 * at->nskinbone, skin->bindquat, sizeof(float));
  for (int k = 0; k < names->num; k++, at->nskinbone++) {
    const mjiVec *id = mji_vec_at(ids, k), *weight = mji_vec_at(weights, k);
    m->skin_bonebodyid[at->nskinbone] = mji_names_find(c, mjOBJ_BODY, mji_vec_textAt(names, k));
    m->skin_bonevertadr[at->nskinbone] = at->nskinbonevert;
    m->skin_bonevertnum[at->nskinbone] = id->num;
    copyVec(m->skin_bonevertid + at->nskinbonevert, id, sizeof(int));
    copyVec(m->skin_bonevertweight + at->nskinbonevert, weight, sizeof(float));
    at->nskinbonevert += id->num;
  }
}

static void packSkin(mjiCompile* c, int i, mjModel* at) {
  mjModel* m = c->m;
  const mjsSkin* skin = &mji_get(c, mjOBJ_SKIN, i)->as.skin;
  const mjiVec *vert = skin->vert, *tex = skin->texcoord, *face = skin->face;
  m->skin_matid[i] = mji_names_find(c, mjOBJ_MATERIAL, mjs_getString(skin->material));
  m->skin_group[i] = skin->group;
  memcpy(m->skin_rgba + 4 * i, skin->rgba, sizeof skin->rgba);
  m->skin_inflate[i] = skin->inflate;
  m->skin_vertadr[i] = at->nskinvert;
  m->skin_vertnum[i] = vert->num / 3;
  m->skin_texcoordadr[i] = tex->num ? at->nskintexvert : -1;
  m->skin_faceadr[i] = at->nskinface;
  m->skin_facenum[i] = face->num / 3;
  m->skin_boneadr[i] = at->nskinbone;
  m->skin_bonenum[i] = ((const mjiVec*)skin->bodyname)->num;
  copyVec(m->skin_vert + 3 * at->nskinvert, vert, sizeof(float));
  copyVec(m->skin_texcoord + 2 * at->nskintexvert, tex, sizeof(float));
  copyVec(m->skin_face + 3 * at->nskinface, face, sizeof(int));
  packBones(c, skin, at);
  at->nskinvert += vert->num / 3;
  at->nskintexvert += tex->num / 2;
  at->nskinface += face->num / 3;
}

void mji_skin_pack(mjiCompile* c) {
  mjModel* at = mji_vec_alloc(sizeof(mjModel));
  for (int i = 0; i < c->m->nskin; i++) packSkin(c, i, at);
  free(at);
}
