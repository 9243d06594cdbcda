// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Arithmetic on sizes that come from a peer.
#ifndef SHEAF_SERVER_BASE_CHECKED_H_
#define SHEAF_SERVER_BASE_CHECKED_H_

#include <stdbool.h>
#include <stdint.h>

// *out = a * b; false if it does not fit.
static inline bool srv_mul(uint64_t a, uint64_t b, uint64_t* out) { return !__builtin_mul_overflow(a, b, out); }

// *out = a + b; false if it does not fit.
static inline bool srv_add(uint64_t a, uint64_t b, uint64_t* out) { return !__builtin_add_overflow(a, b, out); }

#endif  // SHEAF_SERVER_BASE_CHECKED_H_
