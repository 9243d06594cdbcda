// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Reading the files of assets.
#ifndef SHEAF_COMPILE_ASSET_FILE_H_
#define SHEAF_COMPILE_ASSET_FILE_H_

#include "compile/asset.h"
#include "mjcf/source.h"

// Read a file that an asset names; path, unless NULL, becomes the name. Returns 0, or
// -1 with the reason in source.
int mji_asset_read(mjiBytes* out, char** path, const char* name, mjiAssetSource* source);

// The name of a file as models keep it: without folders if strippath asks for that, without "." and "..". To be freed.
char* mji_asset_path(const char* name, const mjiAssetSource* source);

// Does a name end like this, in any case of letters?
int mji_asset_hasSuffix(const char* name, const char* suffix);

typedef struct mjiPNG_ {
  int width, height;
  int srgb;  // says that it is sRGB
} mjiPNG;

// Size of a PNG image from its header. Returns 0, or -1 if it is none.
int mji_png_header(mjiPNG* out, const mjiBytes* bytes);

// First channel of a PNG image, one byte a pixel, from the top row down: to be freed. NULL if it
// cannot be decoded.
unsigned char* mji_png_first(const mjiBytes* bytes, const mjiPNG* header);

#endif  // SHEAF_COMPILE_ASSET_FILE_H_
