// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Textures: their sizes, from parameters or file headers. The engine draws nothing, so pixels stay zero in the model;
// their number is right.

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "compile/asset_file.h"
#include "spec/vec.h"

enum { MAX_SIDE = 1 << 15, MAX_BUILTIN = 256 << 20 };  // pixels; bytes

static int fail(mjiAssetSource* s, const char* reason) {
  snprintf(s->error, sizeof s->error, "%s", reason);
  return -1;
}

void mji_texture_free(mjiTexture* t) {
  mju_free(t->data);
  mju_free(t->path);
  *t = (mjiTexture){0};
}

// a cube has its six faces one above the other in one image
static int setBuiltin(mjiTexture* out, const mjsTexture* texture, mjiAssetSource* s) {
  if (texture->width < 1 || texture->width > MAX_SIDE) return fail(s, "a builtin texture needs a width");
  int flat = texture->type == mjTEXTURE_2D;
  if (flat && (texture->height < 1 || texture->height > MAX_SIDE))
    return fail(s, "the height does not fit a builtin texture of this type");
  out->width = texture->width;
  out->height = flat ? texture->height : 6 * texture->width;
  if ((int64_t)out->width * out->height * out->nchannel > MAX_BUILTIN) return fail(s, "builtin texture is too large");
  return 0;
}

// width and height of an image: PNG, or the binary format (two ints, three bytes a pixel)
static int readSize(mjiTexture* out, const mjsTexture* texture, const char* name, int size[2], mjiAssetSource* s) {
  const char* type = mjs_getString(texture->content_type);
  mjiBytes bytes;
  if (mji_asset_read(&bytes, NULL, name, s)) return -1;
  int bad = 0;
  if (mji_contentIs(type, "image/png") || (!*type && mji_asset_hasSuffix(name, ".png"))) {
    mjiPNG png = {0};
    bad = mji_png_header(&png, &bytes) ? fail(s, "not a PNG image, or too large") : 0;
    size[0] = png.width;
    size[1] = png.height;
    if (!texture->colorspace) out->colorspace = png.srgb ? mjCOLORSPACE_SRGB : mjCOLORSPACE_LINEAR;
  } else {
    int32_t header[2] = {0};
    if (bytes.size >= sizeof header) memcpy(header, bytes.data, sizeof header);
    size_t n = (size_t)header[0] * (size_t)header[1] * 3;
    if (header[0] < 1 || header[1] < 1 || header[0] > MAX_SIDE || header[1] > MAX_SIDE ||
        bytes.size != sizeof header + n)
      bad = fail(s, "unexpected size of texture file");
    size[0] = header[0];
    size[1] = header[1];
    if (!texture->colorspace) out->colorspace = mjCOLORSPACE_LINEAR;
  }
  mji_bytesFree(&bytes);
  return bad;
}

// read the size of one image, for all faces or with a grid of them
static int readOne(mjiTexture* out, const mjsTexture* texture, const char* name, mjiAssetSource* s) {
  int size[2];
  if (readSize(out, texture, name, size, s)) return -1;
  out->width = size[0];
  out->height = size[1];
  if (texture->type == mjTEXTURE_2D) return 0;
  const int* grid = texture->gridsize;
  if (grid[0] < 1 || grid[1] < 1 || grid[0] * (int64_t)grid[1] > 12)
    return fail(s, "gridsize must be positive, with at most 12 cells");
  int side = size[0] / grid[1];
  if (side < 1 || side * grid[1] != size[0] || side * grid[0] != size[1])
    return fail(s, "image size must be an integer multiple of gridsize");
  // a grid says which face is in each cell; a single image is every face
  int cells = grid[0] * grid[1];
  for (int i = 0; cells > 1 && i < cells; i++) {
    if (!texture->gridlayout[i] || !strchr(".RLUDFB", texture->gridlayout[i]))
      return fail(s, "gridlayout may only have the letters . R L U D F B");
  }
  out->width = side;
  out->height = cells == 1 ? side : 6 * side;
  return 0;
}

// read the sizes of an image for each face of a cube: all square and of one size; missing faces are black
static int readFaces(mjiTexture* out, const mjsTexture* texture, mjiAssetSource* s) {
  const mjiVec* files = (const mjiVec*)texture->cubefiles;
  for (int i = 0; i < files->num && i < 6; i++) {
    const char* name = mji_vec_textAt(files, i);
    if (!*name) continue;
    int size[2];
    if (readSize(out, texture, name, size, s)) return -1;
    if (size[0] != size[1] || (out->width && size[0] != out->width))
      return fail(s, "images of cube faces must be square and of one size");
    out->width = size[0];
    out->height = 6 * size[0];
  }
  return out->width ? 0 : fail(s, "texture has neither file nor builtin type");
}

// copy pixels that the specification has
static int copyData(mjiTexture* out, const mjiVec* data, mjiAssetSource* s) {
  if (data->num != (int64_t)out->width * out->height * out->nchannel)
    return fail(s, "texture data must have width*height*nchannel bytes");
  out->data = mju_malloc((size_t)data->num);
  if (!out->data) return fail(s, "out of memory");
  memcpy(out->data, data->data, (size_t)data->num);
  return 0;
}

int mji_texture_compile(mjiTexture* out, const mjsTexture* texture, mjiAssetSource* s) {
  *out = (mjiTexture){.nchannel = texture->nchannel, .colorspace = texture->colorspace};
  s->error[0] = 0;
  const char* name = mjs_getString(texture->file);
  const mjiVec* data = (const mjiVec*)texture->data;
  int bad;
  // the model keeps the name of the file even if a builtin type is used instead; it keeps no files of faces
  out->path = mji_asset_path(name, s);
  if (texture->nchannel < 1 || texture->nchannel > 4) bad = fail(s, "nchannel must be between 1 and 4");
  else if (texture->builtin != mjBUILTIN_NONE) bad = setBuiltin(out, texture, s);
  else if (data->num) {
    out->width = texture->width;
    out->height = texture->height;
    bad = copyData(out, data, s);
  } else if (*name) bad = readOne(out, texture, name, s);
  else if (texture->type == mjTEXTURE_2D) bad = fail(s, "a 2d texture needs a file or a builtin type");
  else bad = readFaces(out, texture, s);
  if (bad) mji_texture_free(out);
  return bad ? -1 : 0;
}
