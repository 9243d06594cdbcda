// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// A compute request on its way through the pool.
//
// A job is cut into slices of rows. Each slice is one job of the engine's pool with result arrays of its own; when it
// is done its rows are sent as parts of the result, in order of rows, and its memory is freed when they are written. So
// a result of any size needs little memory, clients take turns with small portions of work, and nothing is computed for
// a client that does not read. Slices are cut in time, too: the pool gives a slice back after a few milliseconds, and
// it waits here for its next turn. The bits of results do not depend on the cuts.
#ifndef SHEAF_SERVER_JOBS_JOB_H_
#define SHEAF_SERVER_JOBS_JOB_H_

#include <sheaf/batch.h>
#include <stdatomic.h>

#include "jobs/account.h"
#include "jobs/busy.h"
#include "models/registry.h"
#include "net/conn.h"
#include "net/region.h"

enum { SRV_JOB_INPUTS = 48, SRV_JOB_PARAMS = 32 };

// An input array: the fields of the engine's request that hold its address and its number of rows.
typedef struct {
  int param;        // it is this one of the job's parameters, -1: it is not
  bool here;        // it lies in the job's region: nothing of it is still coming
  size_t pointer;   // offset of the address
  size_t count;     // offset of the number of rows, 0: none
  uint64_t offset;  // in the call's data
  uint64_t row_bytes;
  uint64_t stride;  // bytes from row to row; 0: one row serves all
} srv_job_input;

// An output array.
typedef struct {
  const char* name;
  Sheaf__DType dtype;
  size_t field;  // offset of its address in the engine's request; 0: one of its named outputs
  int rank;      // of one row
  uint64_t shape[SRV_RANK - 1];
  uint64_t row_bytes;
  uint8_t* place;  // of the first row in the job's region, NULL: it is sent
} srv_job_output;

// A request of the engine, of any kind: each begins with size and nbatch.
typedef union {
  struct {
    size_t size;
    int nbatch;
  } any;
#define SHEAF_REQUEST(KIND, Type, call, name, unit, doc) sheaf##Type name;
#include <sheaf/request_table.h>
} srv_request;

typedef struct srv_slice srv_slice;
typedef struct srv_job srv_job;

// The message that a job was read from, if it is short.
typedef struct {
  uint8_t* control;  // a copy; NULL: too long
  uint32_t control_len;
  int type;
  uint64_t data_len;           // of its data section
  ProtobufCBinaryData answer;  // the message of its answer without the timing; no data: not known
} srv_said;

// Rows that are told of together (jobs/gather.h).
typedef struct {
  srv_slice* rows;  // arrays for all rows of the job; NULL: none were gathered
  int end, told;    // the rows before these were gathered, and told of
  uint64_t last;    // uv_hrtime of the last message
} srv_gathered;

struct srv_job {
  // what to do: filled in by the request's reader
  srv_kept kept;
  srv_call* call;    // owned, NULL once ended; its data section holds the inputs
  srv_model* model;  // referenced
  srv_said said;
  const Sheaf__Work* work;  // the message, and arrays of this struct, lie in the arena
  srv_arena arena;
  int kind;                             // sheafKind
  srv_request request;                  // for all rows
  size_t noutput_field, noutput_count;  // offsets of `output` and `noutput` in the request; 0: none
  srv_job_input input[SRV_JOB_INPUTS];
  int ninput;
  sheafParam param[SRV_JOB_PARAMS];
  int nparam;
  size_t param_field;  // offset of `param` in the request
  bool uneven;         // rows may be shorter than their units say
  bool checks;         // the numbers in its arrays must be checked,
  bool unchecked;      // when all inputs are here
  srv_job_output* output;
  int noutput;
  uint64_t row_bytes;   // of all outputs that are sent
  srv_region* region;   // memory for outputs with a place and for shared inputs, referenced; or NULL
  uint64_t work_bytes;  // memory that computing a row takes in addition to its arrays
  bool taken;           // the engine has taken a slice of it, so it need not check the others
  int row_width;        // number of workers that can compute a row at a time
  uint64_t row_units;   // work in one row, in units of progress
  int priority;
  uint64_t deadline;  // uv_hrtime
  bool patient;       // the client named no deadline, or none before the largest, so it is the server's
  bool progress;
  bool partial;  // rows that are finished when it is stopped are wanted

  // for the scheduler: zeros in a job that was read, or is kept for another request
  srv_tag tag;  // never changes while the job runs
  srv_job* next;
  srv_job** link;
  srv_leaf* leaf;                   // where it waits
  srv_heap_node ready;              // in the leaf, while it has something to compute
  srv_heap_node due;                // in the account, if its client named a deadline
  srv_heap_node timer;              // of the deadline or the next progress
  srv_heap_node weight;             // of the bytes that it holds
  srv_heap_node hunger;             // while there is no memory for its next slice
  int next_row;                     // the first row that is in no slice
  srv_slice *slices, **slices_end;  // in order of rows, not sent yet
  srv_slice* paused;                // slices that wait for their next turn, in order of rows
  int running;                      // number of slices in the pool
  uint64_t held;                    // bytes of its slices
  int64_t units_done;               // by slices that are done
  bool frugal;                      // memory is short: its next slice is as large as there is room for
  double owed;                      // estimate of what is left, ns of one worker
  double computed;                  // units computed so far
  double left;                      // estimate of the time that is left if it goes before others, ns
  double served;                    // ns of one worker
  uint64_t started;
  srv_error failure;  // code 0: none
  bool deliver;       // it has failed, and rows that are finished are still sent
  srv_gathered gathered;
};

// Bytes of results in a slice. A row is never cut, so a slice of one row may be larger.
enum { SRV_SLICE_BYTES = 8 << 20, SRV_SLICE_MAX = 64 << 20 };

// Rows [first, first + count) of a job, their request and their results. The memory is shared by the job and by the
// frames that wait to be sent.
struct srv_slice {
  srv_slice* next;       // of the job
  srv_slice* next_done;  // of the scheduler's done list
  srv_job* job;          // NULL once it is sent
  void* sched;
  srv_slice* next_paused;
  sheafJob* work;  // in the pool, or paused
  bool done;
  bool paused;
  bool early;          // it was served at the turn of another connection (jobs/due.h)
  double cost;         // estimated cost of its turn, ns of one worker
  double seconds;      // time of workers so far
  double cpu;          // time of processors so far
  int64_t computed;    // units computed so far
  uint64_t ended;      // uv_hrtime of the end of its turn
  atomic_int missing;  // workers that have not begun, of those that the loop waits for
  int first, count;
  uint64_t units;
  int refs;
  srv_ledger* ledger;
  uint64_t bytes;
  srv_section memory;  // results, each array 64-byte aligned
  uint8_t** array;     // (noutput) into memory
  sheafOutput* named;
  sheafParam* param;
  srv_request request;
};

// Turn the status of a request that the engine refused into an error, with field, expected and got.
void srv_job_error(srv_error* e, const sheafStatus* status);

// Bytes that a slice of n rows holds.
uint64_t srv_slice_size(const srv_job* job, int n);

// Make a slice of rows [first, first + n), ready to be submitted. NULL without memory.
srv_slice* srv_slice_make(srv_job* job, int first, int n, srv_ledger* ledger);

// The same for the arrays alone: it holds no memory for work.
srv_slice* srv_slice_make_arrays(srv_job* job, int first, int n, srv_ledger* ledger);

// Give back one reference.
void srv_slice_unref(void* slice);

// Send the end of a job without more rows, with its reason. Ends the job's call.
void srv_job_send_end(srv_job* job, int threads);

// Send the rows of a slice that is done, in parts. The last part of the job ends its call.
void srv_slice_send(srv_slice* slice, const srv_limits* limits, int threads);

// Send rows [from, from + n) of a slice, counted from its first, in one part.
void srv_slice_send_rows(srv_slice* slice, int from, int n, int threads);

#endif  // SHEAF_SERVER_JOBS_JOB_H_
