// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Runs a fuzz target over a folder of inputs, each as it is, cut short, and with single bytes changed.
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t n);

enum { INPUT_BYTES = 1 << 16 };

static long runs;

// a copy of exactly this size, so that a sanitizer sees the end
static void run(const uint8_t* bytes, size_t n) {
  uint8_t* exact = malloc(n + !n);
  memcpy(exact, bytes, n);
  LLVMFuzzerTestOneInput(exact, n);
  free(exact);
  runs++;
}

static void mutate(uint8_t* bytes, size_t n) {
  static const uint8_t values[] = {0, 1, 0x7f, 0x80, 0xff};
  size_t step = n > 4096 ? n / 4096 : 1;
  run(bytes, n);
  for (size_t i = 0; i < n; i += step) {
    uint8_t old = bytes[i];
    run(bytes, i);
    for (size_t k = 0; k < sizeof values; k++) {
      bytes[i] = values[k];
      run(bytes, n);
    }
    bytes[i] = old;
  }
}

int main(int argc, char** argv) {
  static uint8_t bytes[INPUT_BYTES];
  char path[4096];
  DIR* folder = argc == 2 ? opendir(argv[1]) : NULL;
  if (!folder) {
    fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
    return 2;
  }
  int files = 0;
  for (struct dirent* entry; (entry = readdir(folder));) {
    snprintf(path, sizeof path, "%s/%s", argv[1], entry->d_name);
    FILE* file = entry->d_name[0] == '.' ? NULL : fopen(path, "rb");
    if (!file) continue;
    size_t n = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    mutate(bytes, n);
    files++;
  }
  closedir(folder);
  printf("%d inputs, %ld runs\n", files, runs);
  return files ? 0 : 1;
}
