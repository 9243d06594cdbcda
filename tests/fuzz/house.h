// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// A whole server inside this process, for fuzz targets: everything between its sockets and its workers. Clients are
// socket pairs, the model compiler is stand_in_compiler.c. One worker thread computes.
#ifndef SHEAF_TESTS_FUZZ_HOUSE_H_
#define SHEAF_TESTS_FUZZ_HOUSE_H_

#include <stdbool.h>

#include "base/limits.h"

typedef struct house house;

// Limits that a small input can reach.
srv_limits house_limits(void);

// A server that knows one model, whose hash is HOUSE_MODEL 32 times. `tokens` is a file of identities, or NULL. It
// aborts where a real one would not start.
enum { HOUSE_MODEL = 'm' };
house* house_open(const srv_limits* limits, const char* tokens);

// A new client's end of a socket that does not block.
int house_connect(house* h);

// Let the loop run so many turns that do not wait.
void house_turn(house* h, int turns);

// Let it run until no work is left, for a few milliseconds at most.
void house_wait(house* h);

// As after SIGTERM: refuse what comes, and cancel what runs if `hard`.
void house_drain(house* h, bool hard);

// All clients must have closed their ends. Aborts if anything of them is left, if a byte is still counted, or if the
// loop does not come to its end.
void house_close(house* h);

#endif  // SHEAF_TESTS_FUZZ_HOUSE_H_
