// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// A model on its server.
#ifndef SHEAF_CLIENT_CLIENT_MODEL_H_
#define SHEAF_CLIENT_CLIENT_MODEL_H_

#include "internal.h"

struct sheafc_model {
  sheafc_model_info info;
  char* main;
  sheaf_file* files;  // sorted by name; contents in `bytes`
  size_t nfile;
  uint8_t* bytes;
  uint64_t nbyte;
  Sheaf__ModelInfoReply* reply;
  uint8_t* data;  // its tensors
  size_t data_len;
};

#endif  // SHEAF_CLIENT_CLIENT_MODEL_H_
