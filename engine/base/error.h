// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Errors and traps.
//
// Without a trap mju_error calls the user's handler, which must not return (longjmp, exception, exit), or ends the
// process. Code that runs the work of others (a batch job, a server request) must survive an error, so it opens a trap
// in its thread: mju_error then jumps back to the innermost trap. Heap memory that the failed call held is lost.
//
//   mjiTrap trap;
//   if (mji_tryBegin(&trap)) {     // zero on the first return, nonzero when an error came back
//     ... trap.text says why ...
//   } else {
//     ... work ...
//     mji_tryEnd(&trap);
//   }
#ifndef SHEAF_BASE_ERROR_H_
#define SHEAF_BASE_ERROR_H_

#include <setjmp.h>

enum { MJI_ERROR_TEXT = 1024 };  // with the zero at its end, as in the reference

typedef struct mjiTrap_ {
  jmp_buf jump;
  struct mjiTrap_* outer;
  char text[MJI_ERROR_TEXT];
} mjiTrap;

// A macro, because the frame that calls setjmp must stay alive.
#define mji_tryBegin(trap) (mji_pushTrap(trap), setjmp((trap)->jump))

// Close the innermost trap after work that met no error. (An error closes it by itself.)
void mji_tryEnd(mjiTrap* trap);

void mji_pushTrap(mjiTrap* trap);

// Until it is called with NULL, or an error comes, the first warning of this thread is written to text (of
// MJI_ERROR_TEXT bytes, empty before) instead of to the user: it may be the reason for a failure.
void mji_hearWarning(char* text);

#endif  // SHEAF_BASE_ERROR_H_
