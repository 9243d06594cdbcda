// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The process that compiles one model.
//
// It gets the files through an anonymous file on its standard input, enters the sandbox, compiles, and writes the saved
// model or the compiler's error to another anonymous file on its standard output (formats: models/exchange.h).
#ifndef SHEAF_SERVER_MODELS_HELPER_H_
#define SHEAF_SERVER_MODELS_HELPER_H_

#include "models/sandbox.h"

_Noreturn void srv_compile_helper(const srv_sandbox_limits* limits);

#endif  // SHEAF_SERVER_MODELS_HELPER_H_
