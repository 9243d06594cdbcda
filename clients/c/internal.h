// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Inside of the client: a connection, which sends requests and gives each reply to the call that waits for it.
#ifndef SHEAF_CLIENT_INTERNAL_H_
#define SHEAF_CLIENT_INTERNAL_H_

#include <stdbool.h>
#include <sys/uio.h>

#include "wire_frame.h"
#include "manifest.h"
#include "sheaf.pb-c.h"
#include "sheaf_client.h"

enum { CALL_OUTPUTS = 80, CALL_SEGMENTS = 2 * CALL_OUTPUTS + 2 };

typedef struct sheafc_block sheafc_block;

// Where a tensor of the result goes.
typedef struct {
  const char* name;
  uint8_t* data;  // NULL: not wanted
  bool reals;     // may lie in shared memory
  size_t row_bytes;
} destination;

struct sheafc_call {
  sheafc* client;
  sheafc_call* next;  // of the connection's calls, or of its spare ones
  uint64_t id;
  int type;
  bool done;
  bool orphan;  // freed by its owner: drop what comes
  sheafc_status status;

  // compute requests
  int nbatch;           // rows asked for
  int first;            // rows before them that came with an earlier attempt
  int rows;             // how many of the nbatch rows are here
  sheafc_block* block;  // memory that the server writes into, or NULL
  int ndestination;
  destination destinations[CALL_OUTPUTS];
  sheafc_progress progress;
  void* user;
  double queue, compute, total;

  // other requests: the reply as it came
  uint8_t* control;
  size_t control_len;
  uint8_t* data;
  size_t data_len;
};

typedef struct sheafc_secure_rules sheafc_secure_rules;
typedef struct sheafc_secure sheafc_secure;

struct sheafc {
  char* address;
  char* token;      // or NULL
  uint8_t key[16];  // by which the server knows a connection that this one replaces
  bool has_key;
  double connect_timeout;      // seconds
  sheafc_retry retry;          // no field is at its default
  int answer_ms;               // of which this is for an answer that comes after the call's timeout
  int64_t end;                 // when the blocking call in progress ends, in milliseconds of sheafc_now_ms; 0: never
  sheafc_secure_rules* rules;  // of TLS, or NULL
  sheafc_secure* secure;       // TLS of this connection, or NULL
  int fd;                      // -1 between connections
  uint64_t last_id;
  sheafc_status broken;   // code 0: the connection works
  bool leaving;           // its server said that it is shutting down
  bool local;             // a Unix socket
  sheafc_block* blocks;   // memory for results
  bool wants_descriptor;  // a descriptor may come now
  int passed;             // the descriptor that came, or -1
  sheafc_call* calls;     // not answered
  sheafc_call* spare;
  uint64_t max_frame_bytes, max_control_bytes;  // that its server takes

  // the frame being received
  enum { RECEIVE_HEAD, RECEIVE_CONTROL, RECEIVE_DATA } section;
  uint8_t raw[SHEAF_FRAME_BYTES];
  sheaf_frame frame;
  uint8_t* control;
  size_t control_room;
  size_t got;                           // of the current section
  sheafc_call* call;                    // the call that the frame is for, or NULL
  int rows;                             // of the result in this frame
  struct iovec segment[CALL_SEGMENTS];  // of the data section; base NULL: dropped
  int nsegment, at;
};

// Fill in a status; returns its code.
int sheafc_fail(sheafc_status* st, int code, const char* format, ...) __attribute__((format(printf, 3, 4)));

// An argument is not what it must be.
int sheafc_fail_field(sheafc_status* st, const char* field, const char* expected, const char* got_format, ...)
    __attribute__((format(printf, 4, 5)));

// Copy a caller's struct, which begins with its size: at least that of the first version. Fields that the caller's
// version lacks become zero; fields that this library does not know must be zero. Returns the code.
int sheafc_copy_version(void* to, size_t size, size_t first, const void* from, sheafc_status* st);

// The connection cannot be used any more: all its calls end.
int sheafc_break(sheafc* c, int code, const char* format, ...) __attribute__((format(printf, 3, 4)));

// A call of a type, not sent yet.
sheafc_call* sheafc_make_call(sheafc* c, int type);

// Send the call's request: control message and data buffers, which may be cut into several frames.
int sheafc_send(sheafc_call* call, const ProtobufCMessage* m, const struct iovec* data, int ndata,
                sheafc_status* status);

// Send, wait, and leave the reply in call->control and call->data. Frees the call on failure.
sheafc_call* sheafc_ask(sheafc* c, int type, const ProtobufCMessage* m, const struct iovec* data, int ndata,
                        sheafc_status* status);

// Make sure that there is a connection: open a new one if the last was lost and the policy allows it.
int sheafc_use(sheafc* c, sheafc_status* status);

// Close the connection if the server said that it is shutting down and nothing is in flight: the server waits for its
// clients to leave.
void sheafc_leave(sheafc* c);

// Milliseconds until the end of the blocking call, at most `most` (-1: no such limit).
int sheafc_left(const sheafc* c, int most);

int64_t sheafc_now_ms(void);

// Receive what has come without waiting. 0, or the code of the broken connection.
int sheafc_receive(sheafc* c);

// Upload a model again.
int sheafc_put_again(sheafc* c, const sheafc_model* m, sheafc_status* status);

// Tensors of a request under construction.
typedef struct {
  int n;
  Sheaf__Tensor tensor[CALL_OUTPUTS];
  Sheaf__Tensor* pointer[CALL_OUTPUTS];
  uint64_t shape[CALL_OUTPUTS][4];
  struct iovec data[CALL_SEGMENTS];
  int ndata;
  uint64_t length;
} packing;

// Add bytes at the next multiple of 64; returns their offset.
uint64_t sheafc_pack_bytes(packing* p, const void* bytes, uint64_t n);

#endif  // SHEAF_CLIENT_INTERNAL_H_
