// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "compile/asset_file.h"

#include <png.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"

enum { MAX_PATH = 4096, MAX_IMAGE = 1 << 15 };  // pixels a side

char* mji_asset_path(const char* name, const mjiAssetSource* s) {
  if (s->strippath) name = mji_pathBase(name);
  char* path = mju_malloc(strlen(name) + 1);
  return path ? strcpy(path, name) : NULL;
}

int mji_asset_read(mjiBytes* out, char** path, const char* name, mjiAssetSource* s) {
  if (path && !*path) *path = mji_asset_path(name, s);
  char local[MAX_PATH];
  if (!mji_pathAsset(local, sizeof local, s->assetdir, s->strippath, name)) {
    snprintf(s->error, sizeof s->error, "file name is too long");
    return -1;
  }
  if (!mji_bytesRead(out, s->vfs, s->modeldir, local)) {
    snprintf(s->error, sizeof s->error, "cannot open file '%.300s': %s", local, out->why);
    return -1;
  }
  return 0;
}

int mji_asset_hasSuffix(const char* name, const char* suffix) {
  size_t n = strlen(name), k = strlen(suffix);
  return n >= k && !strcasecmp(name + n - k, suffix);
}

// ---- PNG

// Deflate makes at most 1032 bytes out of one, so an image says by the size of its file how large it may
// be: a small file that claims more is no image.
enum { MAX_INFLATE = 1032 };

static uint32_t bigEndian(const unsigned char* p) {
  return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

// bits of a pixel; 0 if there is no such kind of image
static unsigned pixelBits(unsigned depth, unsigned color) {
  static const unsigned char channels[] = {1, 0, 3, 1, 2, 0, 4};
  return color < sizeof channels && depth <= 16 ? depth * channels[color] : 0;
}

int mji_png_header(mjiPNG* out, const mjiBytes* bytes) {
  const unsigned char* p = bytes->data;
  size_t n = bytes->size;
  if (n < 33 || png_sig_cmp(p, 0, 8) || memcmp(p + 12, "IHDR", 4)) return -1;
  uint32_t width = bigEndian(p + 16), height = bigEndian(p + 20);
  if (!width || !height || width > MAX_IMAGE || height > MAX_IMAGE) return -1;
  uint64_t bits = (uint64_t)width * height * pixelBits(p[24], p[25]);
  if (!bits || bits / 8 / MAX_INFLATE > n) return -1;
  *out = (mjiPNG){(int)width, (int)height, 0};

  // chunks before the pixels: length, type, data, checksum
  for (size_t at = 8; at + 12 <= n && memcmp(p + at + 4, "IDAT", 4); at += 12 + (size_t)bigEndian(p + at))
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

// libpng prints warnings unless this function takes them
static void onWarning(png_structp png, const char* text) { (void)png, (void)text; }

static void onError(png_structp png, const char* text) {
  (void)text;
  png_longjmp(png, 1);
}

// Memory of the decoder. It is outside of the function that libpng jumps back to, so the jump cannot lose it.
typedef struct {
  png_structp png;
  png_infop info;
  unsigned char* pixels;
  png_bytep* row;
} Decoder;

static void freeDecoder(Decoder* d) {
  png_destroy_read_struct(&d->png, &d->info, NULL);
  mju_free(d->row);
  mju_free(d->pixels);
}

// Decode all rows at once, because interlaced images come in several passes. Returns 0 if that fails.
static int decode(Decoder* d, mjiBytes* left, const mjiPNG* header) {
  if (setjmp(png_jmpbuf(d->png))) return 0;
  png_set_read_fn(d->png, left, readChunk);
  png_set_user_limits(d->png, MAX_IMAGE, MAX_IMAGE);
  // no texts and profiles: libpng takes memory for as many bytes as they say to have, before it reads them
  png_set_keep_unknown_chunks(d->png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
  png_read_info(d->png, d->info);
  png_set_strip_16(d->png);
  png_set_expand(d->png);
  png_read_update_info(d->png, d->info);
  size_t nrow = png_get_rowbytes(d->png, d->info), height = (size_t)header->height;
  size_t channels = png_get_channels(d->png, d->info), n = height * (size_t)header->width;
  if (nrow != channels * (size_t)header->width) return 0;

  d->pixels = mji_tryMalloc(nrow * height);
  d->row = mji_tryMalloc(height * sizeof *d->row);
  if (!d->pixels || !d->row) return 0;
  for (size_t r = 0; r < height; r++) d->row[r] = d->pixels + r * nrow;
  png_read_image(d->png, d->row);
  for (size_t i = 0; i < n; i++) d->pixels[i] = d->pixels[channels * i];
  return 1;
}

unsigned char* mji_png_first(const mjiBytes* bytes, const mjiPNG* header) {
  mjiBytes left = *bytes;
  unsigned char* pixels = NULL;
  Decoder d = {.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, onError, onWarning)};
  if (d.png) d.info = png_create_info_struct(d.png);
  if (d.info && decode(&d, &left, header)) {
    pixels = d.pixels;
    d.pixels = NULL;
  }
  freeDecoder(&d);
  return pixels;
}
