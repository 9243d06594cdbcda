// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Items that take longer than a piece and cannot be cut between steps: derivatives of large models.
//
// Such an item runs on a thread of its own, a strand, while its worker waits for it: one of the two runs at a time. At
// a checkpoint (base/checkpoint.h) the strand may give the worker back and stay where it is, with its data; any worker
// goes on with it later. So an item is cut at any depth and has the bits of one that was not.
//
// What strands that gave way hold is counted: beyond sheafPoolConfig.keep an item does not give way.
#ifndef SHEAF_POOL_STRAND_H_
#define SHEAF_POOL_STRAND_H_

#include "pool/worker.h"

typedef struct mjiStrand_ mjiStrand;

// Compute an item, or go on with w->saved, which is then a strand. Leaves w->saved NULL if the item is finished. Raises
// the item's error. Without memory for a strand the worker computes the item itself, which then does not give way.
void mji_strandRun(mjiWorker* w, sheafJob* job, int item);

// The function `forget` of jobs whose items are strands. Does not wait for the end of the thread.
void mji_strandForget(sheafJob* job, void* saved);

// Forget the data of a model in the strand that a worker keeps for its next item, by the serial of its plan, 0: all.
// NULL is ignored.
void mji_strandDrop(mjiStrand* s, uint64_t serial);

// End the strand that a worker keeps. NULL is ignored.
void mji_strandFree(mjiStrand* s);

#endif  // SHEAF_POOL_STRAND_H_
