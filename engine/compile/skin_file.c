// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Binary skin files: four counts (vertices, texture coordinates, faces, bones), the arrays, then
// each bone with its name, pose, and the vertices it moves.

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "compile/asset_file.h"

enum { BONE_NAME = 40 };

typedef struct {
  const char* at;
  size_t left;
} Cursor;

// take the next n items of four bytes, perhaps not aligned; NULL if the file is too short
static const void* take(Cursor* c, size_t n) {
  if (n > c->left / 4) return NULL;
  const void* p = c->at;
  c->at += 4 * n;
  c->left -= 4 * n;
  return p;
}

static int readBone(Cursor* c, mjsSkin* skin, float pos[3], float quat[4]) {
  const char* text = take(c, BONE_NAME / 4);
  const void *p = take(c, 3), *q = take(c, 4), *num = take(c, 1);
  int32_t n;
  if (!text || !p || !q || !num) return -1;
  memcpy(pos, p, 3 * sizeof *pos);
  memcpy(quat, q, 4 * sizeof *quat);
  memcpy(&n, num, sizeof n);
  const void* id = n > 0 ? take(c, (size_t)n) : NULL;
  const void* weight = n > 0 ? take(c, (size_t)n) : NULL;
  if (!id || !weight) return -1;

  char name[BONE_NAME + 1] = {0};
  memcpy(name, text, BONE_NAME);
  mjs_appendString(skin->bodyname, name);
  mjs_appendIntVec(skin->vertid, id, n);
  mjs_appendFloatVec(skin->vertweight, weight, n);
  return 0;
}

static int readAll(Cursor* c, mjsSkin* skin) {
  int32_t n[4];
  const void* header = take(c, 4);
  if (!header) return -1;
  memcpy(n, header, sizeof n);
  for (int i = 0; i < 4; i++)
    if (n[i] < 0 || (size_t)n[i] > c->left / 4) return -1;

  const void *vert = take(c, 3 * (size_t)n[0]), *tex = take(c, 2 * (size_t)n[1]);
  const void* face = take(c, 3 * (size_t)n[2]);
  if (!vert || !tex || !face) return -1;
  mjs_setFloat(skin->vert, vert, 3 * n[0]);
  mjs_setFloat(skin->texcoord, tex, 2 * n[1]);
  mjs_setInt(skin->face, face, 3 * n[2]);

  float* pos = mju_malloc((7 * (size_t)n[3] + 1) * sizeof *pos);
  int bad = !pos;
  for (int i = 0; !bad && i < n[3]; i++) bad = readBone(c, skin, pos + 3 * i, pos + 3 * n[3] + 4 * i);
  if (!bad) {
    mjs_setFloat(skin->bindpos, pos, 3 * n[3]);
    mjs_setFloat(skin->bindquat, pos + 3 * n[3], 4 * n[3]);
  }
  mju_free(pos);
  return bad || c->left;
}

int mji_skin_read(mjsSkin* skin, mjiAssetSource* s) {
  mjiBytes bytes;
  if (mji_asset_read(&bytes, NULL, mjs_getString(skin->file), s)) return -1;
  Cursor c = {bytes.data, bytes.size};
  int bad = readAll(&c, skin);
  mji_bytesFree(&bytes);
  if (bad) snprintf(s->error, sizeof s->error, "the counts of the skin file do not fit its size");
  return bad ? -1 : 0;
}
