// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// MJ_ASSERT(condition): what must be true here if the engine has no bug. When it is false, the process
// prints file, line and the text of the condition, and aborts.
//
// Assertions are on in Debug and sanitizer builds and off in release (CMake option SHEAF_ASSERT). Off,
// the condition is compiled but not evaluated, so it costs nothing and must have no side effects.
//
// Do not assert what a caller of the public API, a model or a request may get wrong: that is an error
// with a message (mju_error, sheafStatus) in every build.
#ifndef SHEAF_BASE_ASSERT_H_
#define SHEAF_BASE_ASSERT_H_

#ifndef SHEAF_ASSERT
#define SHEAF_ASSERT 0
#endif

#if SHEAF_ASSERT
#define MJ_ASSERT(condition) ((condition) ? (void)0 : mji_assertFailed(__FILE__, __LINE__, #condition))
#else
#define MJ_ASSERT(condition) ((void)(0 && (condition)))
#endif

// Print where and what, and abort: a broken invariant must not reach an error trap, which would hide it.
_Noreturn void mji_assertFailed(const char* file, int line, const char* text);

#endif  // SHEAF_BASE_ASSERT_H_
