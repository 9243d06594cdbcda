// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Runs a fuzz target over a folder of inputs.
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t n);

enum { INPUT_BYTES = 1 << 16, PATH_BYTES = 4096 };

// the bytes in a block of exactly their size, so that a sanitizer sees the end
static int runFile(const char* path) {
  FILE* file = fopen(path, "rb");
  if (!file) return 0;
  uint8_t* bytes = malloc(INPUT_BYTES);
  size_t n = bytes ? fread(bytes, 1, INPUT_BYTES, file) : 0;
  fclose(file);
  if (!n) return free(bytes), 0;
  uint8_t* exact = realloc(bytes, n);
  LLVMFuzzerTestOneInput(exact ? exact : bytes, n);
  free(exact ? exact : bytes);
  return 1;
}

int main(int argc, char** argv) {
  DIR* folder = argc == 2 ? opendir(argv[1]) : NULL;
  if (!folder) {
    fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
    return 2;
  }
  int files = 0;
  for (struct dirent* entry; (entry = readdir(folder));) {
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/%s", argv[1], entry->d_name);
    if (entry->d_name[0] != '.') files += runFile(path);
  }
  closedir(folder);
  printf("%d inputs\n", files);
  return files ? 0 : 1;
}
