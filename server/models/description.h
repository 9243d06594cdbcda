// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The reply that describes a model to clients. It is made once, when the model is loaded, and belongs to the model: all
// clients that ask get the same bytes, which count as bytes of the model.
#ifndef SHEAF_SERVER_MODELS_DESCRIPTION_H_
#define SHEAF_SERVER_MODELS_DESCRIPTION_H_

#include "manifest.h"
#include "models/loaded.h"
#include "wire/out.h"

// What clients may rely on (proto/README.md).
enum { SRV_REPLY_CONTROL = 16 << 20 };

typedef struct {
  srv_reply reply;  // its arrays lie in the model
  uint64_t bytes;   // of the control message
} srv_description;

// Describe a loaded model; refuses one that cannot be described in SRV_REPLY_CONTROL bytes. Runs on a thread of libuv's
// pool.
int srv_description_make(srv_description* d, const srv_loaded* model, const uint8_t hash[SHEAF_HASH_BYTES],
                         srv_error* error);

void srv_description_free(srv_description* d);

#endif  // SHEAF_SERVER_MODELS_DESCRIPTION_H_
