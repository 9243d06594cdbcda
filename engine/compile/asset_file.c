// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "compile/asset_file.h"

#include <errno.h>
#include <png.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { MAX_PATH = 4096, MAX_IMAGE = 1 << 15 };   // pixels a side

// copy a path without "." and, where possible, without ".."
static void simplify(char* out, const char* path) {
  char* end = out;
  while (*path) {
    size_t n = strcspn(path, "/");
    n += path[n] == '/';
    int up = !strncmp(path, "../", 3);
    if (up && end > out && strcmp(end - 1, "/") == 0 &&
        (end - out < 3 || memcmp(end - 3, "../", 3))) {
      for (end--; end > out && end[-1] != '/';) end--;
    } else if (strncmp(path, "./", 2)) {
      memcpy(end, path, n);
      end += n;
    }
    path += n;
    *end = 0;
  }
  *end = 0;
}

int mji_asset_read(mjiBytes* out, char** path, const char* name, mjiAssetSource* s) {
  if (s->strippath) name = mji_pathBase(name);
  char local[MAX_PATH];
  if (!mji_pathJoin(local, sizeof local, s->assetdir, name)) {
    snprintf(s->error, sizeof s->error, "file name is too long");
    return -1;
  }
  if (!mji_bytesRead(out, s->vfs, s->modeldir, local)) {
    snprintf(s->error, sizeof s->error, "cannot open file '%.300s': %s", local, strerror(errno));
    return -1;
  }
  if (path && !*path) {
    *path = mju_malloc(strlen(name) + 1);
    if (*path) simplify(*path, name);
  }
  return 0;
}

int mji_asset_hasSuffix(const char* name, const char* suffix) {
  size_t n = strlen(name), k = strlen(suffix);
  return n >= k && !strcasecmp(name + n - k, suffix);
}

// ---- PNG

static uint32_t bigEndian(const unsigned char* p) {
  return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

int mji_png_header(mjiPNG* out, const mjiBytes* bytes) {
  const unsigned char* p = bytes->data;
  size_t n = bytes->size;
  if (n < 33 || png_sig_cmp(p, 0, 8) || memcmp(p + 12, "IHDR", 4)) return -1;
  uint32_t width = bigEndian(p + 16), height = bigEndian(p + 20);
  if (!width || !height || width > MAX_IMAGE || height > MAX_IMAGE) return -1;
  *out = (mjiPNG){(int)width, (int)height, 0};

  // chunks before the pixels: length, type, data, checksum
  for (size_t at = 8; at + 12 <= n && memcmp(p + at + 4, "IDAT", 4);
       at += 12 + (size_t)bigEndian(p + at))
    if (!memcmp(p + at + 4, "sRGB", 4)) out->srgb = 1;
  return 0;
}

static void readChunk(png_structp png, png_bytep out, size_t n) {
  mjiBytes* left = png_get_io_ptr(png);
  if (n > left->size) png_error(png, "file ends early");
  memcpy(out, left->data, n);
  left->data = (const char*)left->data + n;
  left->size -= n;
}

// a library does not print
static void onWarning(png_structp png, const char* text) {
  (void)png, (void)text;
}

static void onError(png_structp png, const char* text) {
  (void)text;
  png_longjmp(png, 1);
}

unsigned char* mji_png_first(const mjiBytes* bytes, const mjiPNG* header) {
  mjiBytes left = *bytes;
  size_t n = (size_t)header->width * header->height;
  // room for four channels: the image is decoded whole, for interlaced ones
  unsigned char* pixels = mju_malloc(4 * n);
  png_bytep* row = mju_malloc((size_t)header->height * sizeof *row);
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, onError, onWarning);
  png_infop info = png ? png_create_info_struct(png) : NULL;
  volatile int ok = 0;
  if (info && pixels && row && !setjmp(png_jmpbuf(png))) {
    png_set_read_fn(png, &left, readChunk);
    png_read_info(png, info);
    png_set_strip_16(png);
    png_set_expand(png);
    png_read_update_info(png, info);
    size_t channels = png_get_channels(png, info);
    for (int r = 0; r < header->height; r++) row[r] = pixels + (size_t)r * header->width * channels;
    png_read_image(png, row);
    for (size_t i = 0; i < n; i++) pixels[i] = pixels[channels * i];
    ok = 1;
  }
  png_destroy_read_struct(&png, &info, NULL);
  mju_free(row);
  if (!ok) mju_free(pixels);
  return ok ? pixels : NULL;
}
