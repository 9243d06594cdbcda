// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// What the compute requests share: their Work message is read along two tables, one of inputs and one of outputs.
#ifndef SHEAF_SERVER_REQUEST_WORK_H_
#define SHEAF_SERVER_REQUEST_WORK_H_

#include "jobs/job.h"
#include "request/service.h"

// Sizes that shapes are made of, by meaning.
typedef enum {
  SRV_DIM_END = 0,
  SRV_DIM_ONE,
  SRV_DIM_3,
  SRV_DIM_4,
  SRV_DIM_6,
  SRV_DIM_NQ,
  SRV_DIM_NV,
  SRV_DIM_NU,
  SRV_DIM_NA,
  SRV_DIM_NBODY,
  SRV_DIM_NMOCAP,
  SRV_DIM_NSTATE,
  SRV_DIM_NSENSORDATA,
  SRV_DIM_NDX,
  SRV_DIM_NSTEP,         // of the request; for others than rollouts the dimension is left out
  SRV_DIM_NCONTROL,      // of the request
  SRV_DIM_ANY,           // at least 1
  SRV_DIM_COUNT,
} srv_dim;

// An input: its shape is (B or 1, shape...).
typedef struct {
  const char* name;
  size_t pointer;        // offset of its address in the engine's request
  int count;             // offset of its number of rows; -1: there must be B
  srv_dim shape[2];
  bool required;
  Sheaf__DType dtype;
  int (*check)(const srv_job* job, srv_error* error);    // of its values; NULL: none
} srv_input_row;

// An output: its shape is (B, shape...).
typedef struct {
  const char* name;
  int field;             // offset of its address; -1: a named output of the engine
  srv_dim shape[3];
  enum { SRV_OUT_ASKED, SRV_OUT_DEFAULT, SRV_OUT_ALWAYS } when;
  Sheaf__DType dtype;
} srv_output_row;

typedef struct srv_work srv_work;

typedef struct {
  sheafKind kind;
  size_t size;                     // of the engine's request
  const srv_input_row* inputs;     // both end with a row without a name
  const srv_output_row* outputs;
  int named;                       // offset of `output` in the request; -1: no named outputs
} srv_work_table;

// A request being read.
struct srv_work {
  srv_service* service;
  srv_call* call;
  const srv_work_table* table;
  const Sheaf__Work* work;
  srv_model* model;
  srv_job* job;
  uint64_t size[SRV_DIM_COUNT];
  srv_error error;
};

// Begin: find the model and make a job. The caller sets options in the job's request and sizes, then calls finish. On
// failure the call has been ended and false is returned.
bool srv_work_begin(srv_work* w, srv_service* service, srv_call* call, const srv_work_table* table,
                    const Sheaf__Work* work);

// Read inputs and outputs along the tables, and queue the job. The call has been taken over.
void srv_work_finish(srv_work* w);

// Give up with w->error.
void srv_work_fail(srv_work* w);

// An option of the request is not what it must be: fails the request.
void srv_work_refuse(srv_work* w, const char* field, const char* expected, double got);

#endif  // SHEAF_SERVER_REQUEST_WORK_H_
