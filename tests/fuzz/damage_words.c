// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Every integer of saved models set to what is never right, or one off: each file is refused, or what it holds is
// simulated. It uses fuzz_mjb.c, which makes the checksum right again.
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "mjb_models.h"

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t n);

int main(int argc, char** argv) {
  static const struct {
    uint8_t kind;  // of fuzz_mjb.c: 0 sets an integer, 1 adds to it
    int32_t value;
  } damages[] = {{0, -1}, {0, 0}, {0, INT_MAX}, {0, INT_MIN}, {1, 1}, {1, -1}, {1, 1 << 20}};
  long every = argc > 1 ? atol(argv[1]) : 1, files = 0;
  for (int model = 0; model < FUZZ_MODELS; model++) {
    for (size_t word = 0; word < fuzz_mjb_integers(model); word += (size_t)every) {
      for (size_t k = 0; k < sizeof damages / sizeof *damages; k++) {
        uint32_t value = (uint32_t)damages[k].value;
        uint8_t input[] = {(uint8_t)model,        damages[k].kind,        (uint8_t)word,
                           (uint8_t)(word >> 8),  (uint8_t)(word >> 16),  (uint8_t)value,
                           (uint8_t)(value >> 8), (uint8_t)(value >> 16), (uint8_t)(value >> 24)};
        LLVMFuzzerTestOneInput(input, sizeof input);
        files++;
      }
    }
  }
  printf("%ld damaged files\n", files);
  return 0;
}
