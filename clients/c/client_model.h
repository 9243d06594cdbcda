// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// A model on its server.
#ifndef SHEAF_CLIENT_CLIENT_MODEL_H_
#define SHEAF_CLIENT_CLIENT_MODEL_H_

#include "internal.h"

// shape of an output that was asked for
typedef struct sheafc_shape sheafc_shape;
struct sheafc_shape {
  sheafc_shape* next;
  int size;
  char name[];
};

struct sheafc_model {
  sheafc* client;
  sheafc_shape** shapes;  // the head of a list that grows while calls are made
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
