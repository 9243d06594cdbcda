// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Form of the two anonymous files between the server and its helper: both are the same executable, so numbers are as
// the machine has them.
#ifndef SHEAF_SERVER_MODELS_EXCHANGE_H_
#define SHEAF_SERVER_MODELS_EXCHANGE_H_

#include <stdint.h>

enum { SRV_EXCHANGE_TEXT = 1024 };

// then the name of the main file, and for each file an srv_exchange_file, its name and its content
typedef struct {
  uint64_t nfile;
  uint64_t main_len;  // with the zero byte
} srv_exchange_input;

typedef struct {
  uint64_t name_len;  // with the zero byte
  uint64_t size;
} srv_exchange_file;

// then nrow full-physics states of nstate numbers: after a reset, then of each keyframe; then the saved model
typedef struct {
  uint64_t size;  // of the saved model; 0: there is none, and error tells why
  uint64_t nrow, nstate;
  char error[SRV_EXCHANGE_TEXT];
  char warning[SRV_EXCHANGE_TEXT];
} srv_exchange_output;

#endif  // SHEAF_SERVER_MODELS_EXCHANGE_H_
