// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Height fields: from a PNG image, a binary file (rows, columns, floats), or the specification.

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "compile/asset_file.h"
#include "spec/vec.h"

#define MINIMUM_RANGE 1e-14f

static int fail(mjiAssetSource* s, const char* reason) {
  snprintf(s->error, sizeof s->error, "%s", reason);
  return -1;
}

void mji_hfield_free(mjiHField* h) {
  mju_free(h->data);
  mju_free(h->path);
  *h = (mjiHField){0};
}

static int allocate(mjiHField* out, int64_t nrow, int64_t ncol, mjiAssetSource* s) {
  if (nrow < 1 || ncol < 1 || nrow > INT32_MAX || ncol > INT32_MAX || nrow * ncol > INT32_MAX / 4)
    return fail(s, "height field has no rows or columns, or too many");
  out->nrow = (int)nrow;
  out->ncol = (int)ncol;
  out->data = mju_malloc((size_t)nrow * ncol * sizeof *out->data);
  return out->data ? 0 : fail(s, "out of memory");
}

// the first row of the image is the far edge, the first row of the field the near one
static int readImage(mjiHField* out, const mjiBytes* bytes, mjiAssetSource* s) {
  mjiPNG png;
  if (mji_png_header(&png, bytes)) return fail(s, "not a PNG image, or too large");
  unsigned char* pixels = mji_png_first(bytes, &png);
  if (!pixels) return fail(s, "cannot decode PNG image");
  int bad = allocate(out, png.height, png.width, s);
  for (int r = 0; !bad && r < out->nrow; r++)
    for (int c = 0; c < out->ncol; c++)
      out->data[(size_t)r * out->ncol + c] = pixels[(size_t)(out->nrow - 1 - r) * out->ncol + c];
  mju_free(pixels);
  return bad;
}

static int readBinary(mjiHField* out, const mjiBytes* bytes, mjiAssetSource* s) {
  int32_t size[2];
  if (bytes->size < sizeof size) return fail(s, "height field file has no header");
  memcpy(size, bytes->data, sizeof size);
  if (size[0] <= 0 || size[1] <= 0) return fail(s, "height field file has no rows or columns");
  size_t n = (bytes->size - sizeof size) / 4;
  if ((size_t)size[0] * (size_t)size[1] != n || bytes->size != sizeof size + 4 * n)
    return fail(s, "unexpected size of height field file");
  if (allocate(out, size[0], size[1], s)) return -1;
  memcpy(out->data, (const char*)bytes->data + sizeof size, 4 * n);
  return 0;
}

static int readFile(mjiHField* out, const mjsHField* hfield, mjiAssetSource* s) {
  const char* name = mjs_getString(hfield->file);
  const char* type = mjs_getString(hfield->content_type);
  mjiBytes bytes;
  if (mji_asset_read(&bytes, &out->path, name, s)) return -1;
  int png = mji_contentIs(type, "image/png") || (!*type && mji_asset_hasSuffix(name, ".png"));
  if (!png && strchr(type, '/') && !mji_contentIs(type, "image/vnd.mujoco.hfield")) {
    snprintf(s->error, sizeof s->error, "height fields of content type '%.64s' cannot be read", type);
    mji_bytesFree(&bytes);
    return -1;
  }
  int bad = png ? readImage(out, &bytes, s) : readBinary(out, &bytes, s);
  mji_bytesFree(&bytes);
  return bad;
}

static int readList(mjiHField* out, const mjsHField* hfield, mjiAssetSource* s) {
  const mjiVec* v = (const mjiVec*)hfield->userdata;
  if (hfield->nrow < 1 || hfield->ncol < 1 || v->num != (int64_t)hfield->nrow * hfield->ncol)
    return fail(s, "height field is not specified: rows, columns and data do not fit");
  if (allocate(out, hfield->nrow, hfield->ncol, s)) return -1;
  memcpy(out->data, v->data, (size_t)v->num * sizeof *out->data);
  return 0;
}

// scale heights to the range from zero to one; a flat field lies at zero
static void normalize(mjiHField* out) {
  size_t n = (size_t)out->nrow * out->ncol;
  float lo = out->data[0], hi = out->data[0];
  for (size_t i = 0; i < n; i++) {
    lo = fminf(lo, out->data[i]);
    hi = fmaxf(hi, out->data[i]);
  }
  for (size_t i = 0; i < n; i++) {
    out->data[i] -= lo;
    if (hi - lo > MINIMUM_RANGE) out->data[i] /= hi - lo;
  }
}

int mji_hfield_compile(mjiHField* out, const mjsHField* hfield, mjiAssetSource* s) {
  *out = (mjiHField){0};
  s->error[0] = 0;
  int bad = 0;
  for (int i = 0; i < 4 && !bad; i++)
    if (!(hfield->size[i] > 0)) bad = fail(s, "size of a height field must be positive");
  bad = bad || (*mjs_getString(hfield->file) ? readFile(out, hfield, s) : readList(out, hfield, s));
  if (bad) mji_hfield_free(out);
  else normalize(out);
  return bad ? -1 : 0;
}
