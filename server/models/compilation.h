// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Compiles one model in a process of its own, so that a hostile or broken model costs a process and not the server.
//
// The files go to a helper (models/helper.h) in an anonymous file. It writes its result to another anonymous file,
// which is checked and loaded here.
#ifndef SHEAF_SERVER_MODELS_COMPILATION_H_
#define SHEAF_SERVER_MODELS_COMPILATION_H_

#include <uv.h>

#include "base/failure.h"
#include "base/limits.h"
#include "manifest.h"
#include "models/compiler_process.h"

typedef struct srv_compile srv_compile;

// The helper's result; valid within the callback, which may set the error.
typedef struct {
  const void* bytes;  // saved model
  uint64_t size;
  const double* states;  // (nrow x nstate) after a reset, then of each keyframe
  uint64_t nrow, nstate;
  const char* warning;
  srv_error* error;
} srv_compiled;

typedef struct {
  // On the loop thread, before memory is allocated for the model: may it have this many bytes, with its states, as its
  // compiler says? A negative return ends the compilation.
  int (*admit)(void* user, uint64_t bytes, srv_error* error);
  // On a thread of libuv's pool: loading is work too. Not called if there is no result.
  void (*load)(void* user, const srv_compiled* compiled);
  // The end, on the loop thread; the error's code is 0 if all went well.
  void (*done)(void* user, const srv_error* error);
} srv_compile_events;

// Write the files into an anonymous file for the helper: a descriptor, or -1.
int srv_compile_pack(const char* main, const sheaf_file* files, size_t nfile);

// Start the helper on a packed input, whose descriptor is taken over. NULL on failure.
srv_compile* srv_compile_start(srv_compiler* compiler, int input, const srv_limits* limits,
                               const srv_compile_events* events, void* user, srv_error* error);

// Kill the helper, for a reason that `done` will be told. False if it has ended already and its result is being loaded.
bool srv_compile_kill(srv_compile* c, const srv_error* why);

#endif  // SHEAF_SERVER_MODELS_COMPILATION_H_
