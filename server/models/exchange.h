// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// What the server, the spawner and the helpers exchange: messages on a socket between server and spawner, two anonymous
// files between server and helper. All are the same executable, so structs are sent as they lie in memory.
#ifndef SHEAF_SERVER_MODELS_EXCHANGE_H_
#define SHEAF_SERVER_MODELS_EXCHANGE_H_

#include <stdint.h>

enum { SRV_EXCHANGE_TEXT = 1024, SRV_SPAWNER_FD = 3, SRV_SPAWNER_CHILDREN = 64 };

typedef enum {
  // to the spawner
  SRV_SPAWN_START,  // a helper; input and output come with the message
  SRV_SPAWN_KILL,
  // from the spawner
  SRV_SPAWN_READY,   // sent once: `layers` of the sandbox hold here
  SRV_SPAWN_ENDED,   // a helper ended: `status` is that of waitpid
  SRV_SPAWN_FAILED,  // a helper could not be started: `status` is an errno
} srv_spawn_kind;

typedef struct {
  uint64_t id;  // of a compilation
  uint32_t kind;
  int32_t status;
  int32_t layers;
  uint32_t cpu_s;
  uint64_t memory_bytes;
  uint64_t output_bytes;
} srv_spawn_message;

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
  uint64_t bytes;  // of the model when it is loaded
  char error[SRV_EXCHANGE_TEXT];
  char warning[SRV_EXCHANGE_TEXT];
} srv_exchange_output;

#endif  // SHEAF_SERVER_MODELS_EXCHANGE_H_
