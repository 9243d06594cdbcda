// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Runs a fuzz target on random inputs: how many, which seed.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t n);

enum { INPUT_BYTES = 128 };

// splitmix64
static uint64_t next(uint64_t* state) {
  uint64_t z = *state += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

int main(int argc, char** argv) {
  long count = argc > 1 ? atol(argv[1]) : 100000;
  uint64_t state = argc > 2 ? strtoull(argv[2], NULL, 10) : 1, bytes[INPUT_BYTES / sizeof(uint64_t)];
  for (long i = 0; i < count; i++) {
    for (size_t k = 0; k < sizeof bytes / sizeof *bytes; k++) bytes[k] = next(&state);
    LLVMFuzzerTestOneInput((const uint8_t*)bytes, sizeof bytes);
  }
  printf("%ld random inputs\n", count);
  return 0;
}
