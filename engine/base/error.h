// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Errors, and how code that must survive them stops their way to the process.
//
// mju_error ends the calling function: it never returns to it. Who runs the work of others (a batch
// job, a server request) opens a trap in its thread; an error then comes back to the trap instead
// of the user's handler. Traps nest. Memory that the failed call had on the heap is not given back.
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

enum { MJI_ERROR_TEXT = 1000 };

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

#endif  // SHEAF_BASE_ERROR_H_
