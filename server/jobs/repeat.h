// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// A program that plans or trains sends the same request again and again, with other numbers in its arrays. So when a
// job is over, its connection keeps it with the message that it was read from. A request whose message has the same
// bytes, and whose data has the same length, takes this job: nothing is scanned, unpacked or checked again that follows
// from these bytes and the model alone. What depends on more is looked up for each request: the model itself, which may
// have been unloaded, permissions, memory, the region, and the numbers in the arrays.
//
// The message of the answer differs in its timing alone, so the rest of it is kept, too.
//
// A connection keeps one job, and none with a long message, so idle clients hold little: 10 KiB mostly, at most 30. The
// ledger counts them, and when memory is short they are given up.
#ifndef SHEAF_SERVER_JOBS_REPEAT_H_
#define SHEAF_SERVER_JOBS_REPEAT_H_

#include "jobs/job.h"

enum { SRV_KEPT_MESSAGE = 4 << 10, SRV_KEPT_ARENA = 16 << 10 };  // most bytes of a message that is kept, and unpacked

// The job was read from the message of its call: take over the memory where the message lies.
void srv_job_read(srv_job* job, const Sheaf__Work* work);

// The kept job of the call's connection, if the call says the same; its inputs are the call's. Or NULL.
srv_job* srv_job_again(srv_call* call);

// The bytes of the job's answer, which is one frame with this message, without the timing that follows. They are packed
// once, because a request that says the same has the same; NULL: the job is not kept.
const ProtobufCBinaryData* srv_job_answer(srv_job* job, const ProtobufCMessage* message);

// Bytes of its memory, without its slices and what came with the call.
uint64_t srv_job_bytes(const srv_job* job);

// The job is over, and its call has ended: its connection keeps it, unless it is NULL or closes.
void srv_job_end(srv_job* job, srv_conn* conn);

void srv_job_free(srv_job* job);  // or NULL

#endif  // SHEAF_SERVER_JOBS_REPEAT_H_
