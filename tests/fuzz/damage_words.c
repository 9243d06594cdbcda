// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Every integer of saved models set to what is never right, or one off: each file is refused, or what it holds is
// simulated. It uses fuzz_mjb.c, which makes the checksum right again.
//
//   damage_words [EVERY [FILE]]    one word in EVERY; of FILE, an input of fuzz_mjb.c that is a whole file
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mjb_models.h"

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t n);

enum { SET, ADD, FILE_BYTES = 1 << 16 };

static const struct {
  uint8_t kind;  // as in fuzz_mjb.c
  int32_t value;
} damages[] = {{SET, -1}, {SET, 0}, {SET, INT_MAX}, {SET, INT_MIN}, {ADD, 1}, {ADD, -1}, {ADD, 1 << 20}};

enum { NDAMAGE = sizeof damages / sizeof *damages };

static long damage_model(int model, size_t word, int k) {
  uint32_t value = (uint32_t)damages[k].value;
  uint8_t input[] = {(uint8_t)model,        damages[k].kind,        (uint8_t)word,
                     (uint8_t)(word >> 8),  (uint8_t)(word >> 16),  (uint8_t)value,
                     (uint8_t)(value >> 8), (uint8_t)(value >> 16), (uint8_t)(value >> 24)};
  LLVMFuzzerTestOneInput(input, sizeof input);
  return 1;
}

// the first byte says that the rest is a file
static long damage_file(const uint8_t* bytes, size_t n, size_t word, int k) {
  uint8_t* changed = malloc(n);
  uint32_t value;
  if (!changed) abort();
  memcpy(changed, bytes, n);
  memcpy(&value, bytes + 1 + 4 * word, sizeof value);
  value = damages[k].kind == ADD ? value + (uint32_t)damages[k].value : (uint32_t)damages[k].value;
  memcpy(changed + 1 + 4 * word, &value, sizeof value);
  LLVMFuzzerTestOneInput(changed, n);
  free(changed);
  return 1;
}

int main(int argc, char** argv) {
  static uint8_t bytes[FILE_BYTES];
  size_t every = argc > 1 ? strtoul(argv[1], NULL, 10) : 1;
  FILE* file = argc > 2 ? fopen(argv[2], "rb") : NULL;
  size_t n = file ? fread(bytes, 1, sizeof bytes, file) : 0;
  long files = 0;
  if (!every || (argc > 2 && n < 5)) return 2;
  if (file) fclose(file);
  for (size_t word = 0; 4 * word + 4 < n; word += every) {
    for (int k = 0; k < NDAMAGE; k++) files += damage_file(bytes, n, word, k);
  }
  for (int model = 0; model < FUZZ_MODELS && !n; model++) {
    for (size_t word = 0; word < fuzz_mjb_integers(model); word += every) {
      for (int k = 0; k < NDAMAGE; k++) files += damage_model(model, word, k);
    }
  }
  printf("%ld damaged files\n", files);
  return 0;
}
