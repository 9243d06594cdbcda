// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The server's side of the spawner (models/spawner.h): starts it, asks it for helpers, and starts it again if it ends
// unexpectedly.
//
// The spawner is this same executable, started as `sheaf spawn-compilers`. Only the loop thread calls these functions.
#ifndef SHEAF_SERVER_MODELS_COMPILER_PROCESS_H_
#define SHEAF_SERVER_MODELS_COMPILER_PROCESS_H_

#include <stdbool.h>
#include <sys/types.h>

#include <uv.h>

#include "base/failure.h"
#include "models/sandbox.h"

typedef struct srv_helper srv_helper;
typedef struct srv_spawned srv_spawned;

typedef enum { SRV_HELPER_ENDED, SRV_HELPER_NOT_STARTED, SRV_HELPER_LOST } srv_helper_end;

// A helper process; part of a struct of its user.
struct srv_helper {
  // Called once after a start. `status` is that of waitpid, an errno, or 0 when the spawner was lost with its helpers.
  void (*ended)(srv_helper* helper, srv_helper_end how, int status);
  srv_helper* next;
  uint64_t id;
};

typedef struct srv_compiler {
  uv_loop_t* loop;
  const char* executable;
  srv_spawned* spawned;  // NULL: none runs
  srv_helper* helpers;   // those that run
  uint64_t last_id;
  uint64_t started;  // uv_hrtime of the last start
  uint64_t losses;   // how often the spawner ended unexpectedly
  int layers;        // layers of the sandbox that hold; 0: not known yet
  bool closing;
} srv_compiler;

// Start the spawner. A failure is logged; the next helper tries again.
void srv_compiler_open(srv_compiler* c, uv_loop_t* loop, const char* executable);

// End the spawner as soon as no helper runs.
void srv_compiler_close(srv_compiler* c);

// Start a helper on two descriptors, which stay the caller's. `ended` is not called after a negative return.
int srv_compiler_spawn(srv_compiler* c, srv_helper* helper, int input, int output, const srv_sandbox_limits* limits,
                       srv_error* error);

// The spawner's process; 0 when there is none.
pid_t srv_compiler_pid(const srv_compiler* c);

// Kill a helper; `ended` will be called.
void srv_compiler_kill(srv_compiler* c, const srv_helper* helper);

#endif  // SHEAF_SERVER_MODELS_COMPILER_PROCESS_H_
