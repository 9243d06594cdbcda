// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Compute requests. What they have in common is read from tables of their inputs and outputs; each kind adds its options.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model.h"

// sizes that arrays are made of
typedef enum { END, ONE, THREE, FOUR, SIX, NQ, NV, NU, NA, NBODY, NMOCAP, NSTATE, NSENSORDATA, NDX, NSTEP,
               NCONTROLSTEP, NCONTROL, NDIM } dim;

typedef struct {
  const char* name;
  size_t pointer;      // offset of the address in the arguments
  int count;           // offset of the number of rows; -1: nbatch
  dim shape[2];
  int int32;           // the elements are int32_t
} input_row;

typedef struct {
  const char* name;
  size_t pointer;
  dim shape[3];
  int int32;
} output_row;

typedef struct {
  int type;                    // of the frame
  const input_row* inputs;     // both end with a row without a name
  const output_row* outputs;
  int nbatch;                  // offsets of fields that all arguments have
  int output;                  // of output, noutput; -1: no named outputs
  size_t how;
} request;

// a request under construction
typedef struct {
  const request* r;
  const sheafc_model* model;
  const char* args;
  int nbatch;
  uint64_t size[NDIM];
  packing pack;
  char* outputs[CALL_OUTPUTS];
  Sheaf__Work work;
} build;

static const char* get_pointer(const char* args, size_t offset) {
  const char* value;
  memcpy(&value, args + offset, sizeof value);
  return value;
}

static int get_int(const char* args, size_t offset) {
  int value;
  memcpy(&value, args + offset, sizeof value);
  return value;
}

static void set_sizes(uint64_t* size, const sheafc_model_info* i) {
  const uint64_t values[] = {
      [ONE] = 1, [THREE] = 3, [FOUR] = 4, [SIX] = 6,
      [NQ] = (uint64_t)i->nq, [NV] = (uint64_t)i->nv, [NU] = (uint64_t)i->nu, [NA] = (uint64_t)i->na,
      [NBODY] = (uint64_t)i->nbody, [NMOCAP] = (uint64_t)i->nmocap, [NSTATE] = (uint64_t)i->nstate,
      [NSENSORDATA] = (uint64_t)i->nsensordata, [NDX] = (uint64_t)i->ndx, [NCONTROL] = (uint64_t)i->nu,
  };
  memcpy(size, values, sizeof values);
}

// ---- inputs

static void add_input(build* b, const input_row* row, const void* data, int count) {
  packing* p = &b->pack;
  int i = p->n++;
  uint64_t n = row->int32 ? sizeof(int32_t) : sizeof(double);
  Sheaf__Tensor* t = &p->tensor[i];
  sheaf__tensor__init(t);
  t->name = (char*)row->name;
  t->dtype = row->int32 ? SHEAF__DTYPE__DTYPE_I32 : SHEAF__DTYPE__DTYPE_F64;
  t->shape = p->shape[i];
  t->shape[t->n_shape++] = (uint64_t)count;
  for (int k = 0; k < 2 && row->shape[k]; k++) t->shape[t->n_shape++] = b->size[row->shape[k]];
  for (size_t k = 0; k < t->n_shape; k++) n *= t->shape[k];
  t->offset = sheafc_pack_bytes(p, data, n);
  p->pointer[i] = t;
}

static int add_inputs(build* b, sheafc_status* st) {
  for (const input_row* row = b->r->inputs; row->name; row++) {
    const void* data = get_pointer(b->args, row->pointer);
    int count = row->count >= 0 ? get_int(b->args, (size_t)row->count) : b->nbatch;
    if (!data) continue;
    if (count == 0) count = b->nbatch;
    if (count != 1 && count != b->nbatch) {
      char name[64];
      snprintf(name, sizeof name, "n%s", row->name);
      return sheafc_fail_field(st, name, "nbatch or 1", "%d", count);
    }
    add_input(b, row, data, count);
  }
  b->work.n_inputs = (size_t)b->pack.n;
  b->work.inputs = b->pack.pointer;
  return 0;
}

// ---- outputs

static void add_output(build* b, sheafc_call* call, const char* name, const void* data, uint64_t row_bytes,
                       bool ask) {
  call->destinations[call->ndestination++] = (destination){name, (uint8_t*)data, (size_t)row_bytes};
  if (ask) b->outputs[b->work.n_outputs++] = (char*)name;
}

static int add_named(build* b, sheafc_call* call, sheafc_status* st) {
  const sheafc_output* named = (const sheafc_output*)get_pointer(b->args, (size_t)b->r->output);
  int n = get_int(b->args, (size_t)b->r->output + sizeof(void*));
  for (int i = 0; i < n; i++) {
    int size = sheafc_output_size(b->model, named[i].name);
    if (size < 0) return sheafc_fail_field(st, "output", "a name that the server knows", "\"%s\"", named[i].name);
    if (call->ndestination == CALL_OUTPUTS) return sheafc_fail_field(st, "noutput", "fewer", "%d", n);
    uint64_t steps = b->size[NSTEP] ? b->size[NSTEP] : 1;
    add_output(b, call, named[i].name, named[i].data, sizeof(double) * steps * (uint64_t)size, true);
  }
  return 0;
}

static int add_outputs(build* b, sheafc_call* call, sheafc_status* st) {
  for (const output_row* row = b->r->outputs; row->name; row++) {
    const char* data = get_pointer(b->args, row->pointer);
    uint64_t bytes = row->int32 ? sizeof(int32_t) : sizeof(double);
    for (int k = 0; k < 3 && row->shape[k]; k++) bytes *= b->size[row->shape[k]];
    // status and badstep come without being asked for
    if (data) add_output(b, call, row->name, data, bytes, !row->int32);
  }
  int err = b->r->output >= 0 ? add_named(b, call, st) : 0;
  // no name at all would mean the default outputs
  if (!err && b->work.n_outputs == 0) b->outputs[b->work.n_outputs++] = (char*)"status";
  b->work.outputs = b->outputs;
  return err;
}

// ---- begin

static void init_build(build* b, const request* r, const sheafc_model* m, const void* args) {
  b->r = r;
  b->model = m;
  b->args = args;
  b->nbatch = get_int(args, (size_t)r->nbatch);
  b->pack.n = b->pack.ndata = 0;
  b->pack.length = 0;
  memset(b->size, 0, sizeof b->size);
  set_sizes(b->size, &m->info);
  sheaf__work__init(&b->work);
  b->work.model = (ProtobufCBinaryData){SHEAF_HASH_BYTES, (uint8_t*)m->info.hash};
  b->work.nbatch = (uint32_t)b->nbatch;
}

// the message of the request's kind holds b->work
static sheafc_call* begin(sheafc* c, build* b, const ProtobufCMessage* message, sheafc_status* st) {
  memset(st, 0, sizeof *st);
  sheafc_how how;
  memcpy(&how, b->args + b->r->how, sizeof how);
  sheafc_call* call = NULL;
  if (b->nbatch < 1) {
    sheafc_fail_field(st, "nbatch", "at least 1", "%d", b->nbatch);
    return NULL;
  }
  if (add_inputs(b, st)) return NULL;
  call = sheafc_make_call(c, b->r->type);
  if (!call) {
    sheafc_fail(st, SHEAFC_RESOURCE_EXHAUSTED, "out of memory");
    return NULL;
  }
  call->nbatch = b->nbatch;
  call->progress = how.progress;
  call->user = how.user;
  b->work.timeout_us = how.timeout > 0 ? (uint64_t)(1e6 * how.timeout) : 0;
  b->work.priority = how.priority;
  b->work.progress = how.progress != NULL;
  int err = add_outputs(b, call, st);
  if (!err) err = sheafc_send(call, message, b->pack.data, b->pack.ndata, st);
  if (!err) return call;
  call->done = true;
  sheafc_free_call(call);
  return NULL;
}

// wait for a call that was begun
static int finish(sheafc_call* call, sheafc_status* st) {
  if (!call) return st->code;
  sheafc_wait(call, -1, st);
  sheafc_free_call(call);
  return st->code;
}

// has the server forgotten the model? Then it has it again
static bool restored(sheafc* c, const sheafc_model* m, sheafc_status* st) {
  sheafc_status put;
  return st->code == SHEAFC_NOT_FOUND && !strcmp(st->field, "model") && !sheafc_put_again(c, m, &put);
}

// the three functions of each kind
#define KIND(kind)                                                                                   \
  sheafc_##kind##_args sheafc_##kind##_default(void) {                                               \
    return (sheafc_##kind##_args){.size = sizeof(sheafc_##kind##_args)};                             \
  }                                                                                                  \
  int sheafc_##kind(sheafc* c, const sheafc_model* m, const sheafc_##kind##_args* a, sheafc_status* st) { \
    int err = finish(sheafc_##kind##_begin(c, m, a, st), st);                                        \
    return restored(c, m, st) ? finish(sheafc_##kind##_begin(c, m, a, st), st) : err;                \
  }

#define COMMON(kind) (int)offsetof(sheafc_##kind##_args, nbatch)
#define HOW(kind) offsetof(sheafc_##kind##_args, how)
#define OUTPUT(kind) (int)offsetof(sheafc_##kind##_args, output)
#define IN(kind, name, ...) \
  {#name, offsetof(sheafc_##kind##_args, name), (int)offsetof(sheafc_##kind##_args, n##name), {__VA_ARGS__}, 0}
#define OUT(kind, name, ...) {#name, offsetof(sheafc_##kind##_args, name), {__VA_ARGS__}, 0}
#define ROWS(kind, name) {#name, offsetof(sheafc_##kind##_args, name), {END}, 1}
#define LAST {NULL, 0, {END}, 0}
#define LAST_IN {NULL, 0, 0, {END}, 0}

// ---- rollout

static const input_row rollout_inputs[] = {
    IN(rollout, state0, NSTATE),
    IN(rollout, control, NCONTROLSTEP, NCONTROL),
    IN(rollout, warmstart0, NV),
    {"length", offsetof(sheafc_rollout_args, length), -1, {END}, 1},
    LAST_IN,
};
static const output_row rollout_outputs[] = {
    OUT(rollout, state, NSTEP, NSTATE), OUT(rollout, sensordata, NSTEP, NSENSORDATA),
    OUT(rollout, final_state, NSTATE),  OUT(rollout, final_warmstart, NV),
    ROWS(rollout, status),              ROWS(rollout, badstep),
    LAST,
};
static const request rollout_request = {SHEAF__FRAME_TYPE__FRAME_ROLLOUT, rollout_inputs, rollout_outputs,
                                        COMMON(rollout), OUTPUT(rollout), HOW(rollout)};

sheafc_call* sheafc_rollout_begin(sheafc* c, const sheafc_model* m, const sheafc_rollout_args* a,
                                  sheafc_status* st) {
  Sheaf__Rollout message = SHEAF__ROLLOUT__INIT;
  build b;
  init_build(&b, &rollout_request, m, a);
  b.size[NSTEP] = a->nstep > 0 ? (uint64_t)a->nstep : 0;
  b.size[NCONTROLSTEP] = a->ncontrolstep > 0 ? (uint64_t)a->ncontrolstep : 0;
  if (a->ncontrolsize > 0) b.size[NCONTROL] = (uint64_t)a->ncontrolsize;
  message.work = &b.work;
  message.nstep = (uint32_t)a->nstep;
  message.control_spec = a->control_spec;
  message.hold = (uint32_t)a->hold;
  return begin(c, &b, &message.base, st);
}

KIND(rollout)

// ---- forward

static const input_row forward_inputs[] = {
    IN(forward, qpos, NQ),
    IN(forward, qvel, NV),
    IN(forward, act, NA),
    IN(forward, ctrl, NU),
    IN(forward, qfrc_applied, NV),
    IN(forward, xfrc_applied, NBODY, SIX),
    IN(forward, mocap_pos, NMOCAP, THREE),
    IN(forward, mocap_quat, NMOCAP, FOUR),
    IN(forward, warmstart, NV),
    IN(forward, time, ONE),
    LAST_IN,
};
static const output_row forward_outputs[] = {ROWS(forward, status), LAST};
static const request forward_request = {SHEAF__FRAME_TYPE__FRAME_FORWARD, forward_inputs, forward_outputs,
                                        COMMON(forward), OUTPUT(forward), HOW(forward)};

sheafc_call* sheafc_forward_begin(sheafc* c, const sheafc_model* m, const sheafc_forward_args* a,
                                  sheafc_status* st) {
  Sheaf__Forward message = SHEAF__FORWARD__INIT;
  build b;
  init_build(&b, &forward_request, m, a);
  message.work = &b.work;
  message.stage = a->stage;
  return begin(c, &b, &message.base, st);
}

KIND(forward)

// ---- inverse

static const input_row inverse_inputs[] = {
    IN(inverse, qpos, NQ),
    IN(inverse, qvel, NV),
    IN(inverse, qacc, NV),
    IN(inverse, mocap_pos, NMOCAP, THREE),
    IN(inverse, mocap_quat, NMOCAP, FOUR),
    LAST_IN,
};
static const output_row inverse_outputs[] = {OUT(inverse, qfrc_inverse, NV), ROWS(inverse, status), LAST};
static const request inverse_request = {SHEAF__FRAME_TYPE__FRAME_INVERSE, inverse_inputs, inverse_outputs,
                                        COMMON(inverse), OUTPUT(inverse), HOW(inverse)};

sheafc_call* sheafc_inverse_begin(sheafc* c, const sheafc_model* m, const sheafc_inverse_args* a,
                                  sheafc_status* st) {
  Sheaf__Inverse message = SHEAF__INVERSE__INIT;
  build b;
  init_build(&b, &inverse_request, m, a);
  message.work = &b.work;
  message.discrete = a->discrete;
  return begin(c, &b, &message.base, st);
}

KIND(inverse)

// ---- derivatives

static const input_row transition_inputs[] = {
    {"state", offsetof(sheafc_transition_fd_args, state), -1, {NSTATE}, 0},
    IN(transition_fd, ctrl, NU),
    IN(transition_fd, warmstart, NV),
    LAST_IN,
};
static const output_row transition_outputs[] = {
    OUT(transition_fd, A, NDX, NDX),         OUT(transition_fd, B, NDX, NU),
    OUT(transition_fd, C, NSENSORDATA, NDX), OUT(transition_fd, D, NSENSORDATA, NU),
    ROWS(transition_fd, status),             LAST,
};
static const request transition_request = {SHEAF__FRAME_TYPE__FRAME_TRANSITION_FD, transition_inputs,
                                           transition_outputs, COMMON(transition_fd), -1, HOW(transition_fd)};

sheafc_call* sheafc_transition_fd_begin(sheafc* c, const sheafc_model* m, const sheafc_transition_fd_args* a,
                                        sheafc_status* st) {
  Sheaf__TransitionFD message = SHEAF__TRANSITION_FD__INIT;
  build b;
  init_build(&b, &transition_request, m, a);
  message.work = &b.work;
  message.eps = a->eps;
  message.centered = a->centered;
  return begin(c, &b, &message.base, st);
}

KIND(transition_fd)

static const input_row inverse_fd_inputs[] = {
    IN(inverse_fd, qpos, NQ), IN(inverse_fd, qvel, NV), IN(inverse_fd, qacc, NV), LAST_IN,
};
static const output_row inverse_fd_outputs[] = {
    OUT(inverse_fd, DfDq, NV, NV), OUT(inverse_fd, DfDv, NV, NV), OUT(inverse_fd, DfDa, NV, NV),
    ROWS(inverse_fd, status),      LAST,
};
static const request inverse_fd_request = {SHEAF__FRAME_TYPE__FRAME_INVERSE_FD, inverse_fd_inputs,
                                           inverse_fd_outputs, COMMON(inverse_fd), -1, HOW(inverse_fd)};

sheafc_call* sheafc_inverse_fd_begin(sheafc* c, const sheafc_model* m, const sheafc_inverse_fd_args* a,
                                     sheafc_status* st) {
  Sheaf__InverseFD message = SHEAF__INVERSE_FD__INIT;
  build b;
  init_build(&b, &inverse_fd_request, m, a);
  message.work = &b.work;
  message.eps = a->eps;
  message.actuation = a->actuation;
  return begin(c, &b, &message.base, st);
}

KIND(inverse_fd)
