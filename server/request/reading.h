// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// A compute request while it is read by the rows of its table (sheaf/request_table.h).
#ifndef SHEAF_SERVER_REQUEST_READING_H_
#define SHEAF_SERVER_REQUEST_READING_H_

#include <string.h>

#include "jobs/job.h"
#include "request/service.h"

typedef struct {
  srv_service* service;
  srv_call* call;
  const ProtobufCMessage* message;
  const Sheaf__Work* work;
  const sheafRequest* row;
  srv_model* model;
  srv_job* job;
  srv_region* region;  // memory shared with the client, NULL: none
  srv_error error;
} srv_reading;

static inline void* srv_reading_at(const srv_reading* r, size_t offset) { return (char*)&r->job->request + offset; }

static inline const sheafField* srv_reading_field(const srv_reading* r, sheafRole role, const char* name) {
  const sheafField* f = r->row->fields;
  while (f->name && (f->role != role || strcmp(f->name, name))) f++;
  return f->name ? f : NULL;
}

// the type of a field's numbers on the wire
static inline Sheaf__DType srv_reading_type(const srv_reading* r, const sheafField* f) {
  if (f->type == SHEAF_TYPE_i32) return SHEAF__DTYPE__DTYPE_I32;
  bool narrow = f->type == SHEAF_TYPE_num && sheaf_numberBytes(r->job->kind, &r->job->request) == sizeof(float);
  return narrow ? SHEAF__DTYPE__DTYPE_F32 : SHEAF__DTYPE__DTYPE_F64;
}

// Read the arrays that come with the request, or lie in its region. Fails with an error in `r`, as the next ones.
int srv_read_inputs(srv_reading* r);

// Find out which outputs come, and their shapes.
int srv_read_outputs(srv_reading* r);

// Find the places of outputs in the region.
int srv_read_places(srv_reading* r);

#endif  // SHEAF_SERVER_REQUEST_READING_H_
