// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Compiles models in a process of their own, so that a hostile or broken model costs a process and not the server.
//
// The helper is this same executable, started as `sheaf compile-model`. It gets the files through an anonymous file on
// its standard input, gives up everything else (no new files, bounded memory and processor time), compiles, and
// leaves the saved model or the compiler's text in another anonymous file on its standard output.
#ifndef SHEAF_SERVER_MODELS_COMPILER_PROCESS_H_
#define SHEAF_SERVER_MODELS_COMPILER_PROCESS_H_

#include <uv.h>

#include "base/failure.h"
#include "base/limits.h"
#include "manifest.h"

typedef struct srv_compile srv_compile;

// What the helper left; valid within the callback, which may set the error.
typedef struct {
  const void* bytes;  // saved model
  uint64_t size;
  const double* states;  // (nrow x nstate) after a reset, then of each keyframe
  uint64_t nrow, nstate;
  const char* warning;
  srv_error* error;
} srv_compiled;

// Takes the result on a thread of libuv's pool: loading is work too. Not called if there is none.
typedef void (*srv_compile_load)(void* user, const srv_compiled* compiled);

// The end, on the loop thread; the error's code is 0 if all went well.
typedef void (*srv_compile_done)(void* user, const srv_error* error);

// Write the files into an anonymous file for the helper: a descriptor, or -1.
int srv_compile_pack(const char* main, const sheaf_file* files, size_t nfile);

// Start the helper on a packed input, whose descriptor it takes over. NULL on failure.
srv_compile* srv_compile_start(uv_loop_t* loop, const char* helper, int input, const srv_limits* limits,
                               srv_compile_load load, srv_compile_done done, void* user, srv_error* error);

// Kill the helper; done will be called.
void srv_compile_kill(srv_compile* c);

// The helper's main function: standard input to standard output, limits from its arguments.
int srv_compile_helper(const char* cpu_s, const char* bytes);

#endif  // SHEAF_SERVER_MODELS_COMPILER_PROCESS_H_
