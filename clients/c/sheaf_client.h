// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// C client of a Sheaf server: rollouts, forward and inverse dynamics and derivatives of a model, computed by another
// process or machine.
//
//   sheafc_status st;
//   sheafc* c = sheafc_connect("tcp://127.0.0.1:7447", NULL, &st);
//   sheafc_model* m = sheafc_load(c, "humanoid.xml", &st);
//   sheafc_rollout_args a = sheafc_rollout_default();
//   a.nbatch = 64, a.nstep = 100, a.state0 = x0, a.nstate0 = 64, a.state = out;
//   if (sheafc_rollout(c, m, &a, &st)) fprintf(stderr, "%s\n", st.message);
//
// Functions that can fail return NULL or a code other than 0, with the reason in a sheafc_status. Arrays are row-major
// doubles that belong to the caller. An input has nbatch rows, or 1 row that serves all: the field n<name> says
// which (0 stands for nbatch). Outputs that are NULL are not sent. A connection, its models and its calls must be used
// by one thread at a time; open a connection for each thread.
//
// Blocking calls survive a server that is restarted, busy or full: they connect again, upload their model again and
// repeat what was not answered, within their timeout and the limits of a sheafc_retry. All requests are pure, so the
// answer is the same. Calls that were begun without waiting are not repeated, because their inputs may be gone: they
// end with a status that is `retriable`, and the next *_begin connects again.
//
// Structs that callers fill in begin with their size, set by a function *_default or sheafc_default_*, so that later
// versions may add fields.
#ifndef SHEAF_CLIENT_H_
#define SHEAF_CLIENT_H_

#include <stddef.h>
#include <stdint.h>

#include <sheaf/cost_term.h>
#include <sheaf/request_rows.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SHEAFC_API __attribute__((visibility("default")))

typedef struct sheafc sheafc;              // a connection
typedef struct sheafc_model sheafc_model;  // a model on its server
typedef struct sheafc_call sheafc_call;    // a request in flight

// Codes of gRPC, as in proto/README.md. Codes below 0 never come from the server.
enum {
  SHEAFC_PENDING = -1,  // not answered yet
  SHEAFC_OK = 0,
  SHEAFC_CANCELLED = 1,
  SHEAFC_INVALID_ARGUMENT = 3,
  SHEAFC_DEADLINE_EXCEEDED = 4,
  SHEAFC_NOT_FOUND = 5,
  SHEAFC_RESOURCE_EXHAUSTED = 8,
  SHEAFC_FAILED_PRECONDITION = 9,
  SHEAFC_UNIMPLEMENTED = 12,
  SHEAFC_INTERNAL = 13,
  SHEAFC_UNAVAILABLE = 14,  // no connection, or the server is shutting down
  SHEAFC_DATA_LOSS = 15,
  SHEAFC_UNAUTHENTICATED = 16,
};

// Why something failed.
typedef struct {
  int code;
  int retriable;  // the same call may succeed later
  uint64_t retry_after_us;
  char field[96];  // the argument that is wrong, or ""
  char expected[160];
  char got[160];
  char message[1200];  // a sentence that stands alone
  uint64_t reserved[8];
} sheafc_status;

// ---- connection

// When calls are repeated: after a lost connection, and after errors that the server calls retriable. Fields that are 0
// have their default.
typedef struct {
  size_t size;      // sizeof(sheafc_retry)
  int off;          // never repeat and never connect again: the call returns its first failure
  double patience;  // seconds without a server that takes the request before a call gives up; default 60
  double first;  // seconds of the first wait, up to half less at random; later waits are 2, 4, ... times as long; 0.05
  double most;   // seconds that one wait lasts at most, unless the server asks for more; default 2
  int losses;    // a call gives up when so many servers were lost while at work on it: it may be the cause; 10
} sheafc_retry;

SHEAFC_API sheafc_retry sheafc_default_retry(void);

typedef struct {
  size_t size;                // sizeof(sheafc_options)
  const char* token;          // if the server asks for one
  double connect_timeout;     // seconds; 0: 5
  const sheafc_retry* retry;  // NULL: the defaults

  // for "tls://...": files of certificates in PEM
  const char* tls_ca;           // authorities that may sign the server's certificate; NULL: those of this system
  const char* tls_certificate;  // the client's certificate, which the server may ask for, or NULL
  const char* tls_key;          // of the certificate; NULL: it is in the same file
} sheafc_options;

SHEAFC_API sheafc_options sheafc_default_options(void);

// Connect to "tcp://HOST:PORT", "tls://HOST:PORT" or "unix:///PATH". Options may be NULL.
SHEAFC_API sheafc* sheafc_connect(const char* address, const sheafc_options* options, sheafc_status* status);

// Close the connection; the server cancels its requests. Free its calls and models first.
SHEAFC_API void sheafc_close(sheafc* c);

// Descriptor to wait on in an event loop of your own; when it is readable call sheafc_pump. The descriptor changes when
// a call connects again; -1 while there is no connection.
SHEAFC_API int sheafc_fd(const sheafc* c);

// Take what has come, waiting at most timeout_ms (-1: until something comes). 0, or the code that broke the connection.
SHEAFC_API int sheafc_pump(sheafc* c, int timeout_ms, sheafc_status* status);

// Send a Ping and wait for the reply. Returns the code.
SHEAFC_API int sheafc_ping(sheafc* c, sheafc_status* status);

typedef struct {
  size_t size;  // sizeof(sheafc_server_info)
  char server[64];
  char build[256];
  char state[32];  // "serving", "leaving" or "draining"
  double uptime;   // seconds
  int threads, connections, inflight, waiting, models;
  uint64_t model_bytes, queued_bytes;
  uint64_t requests, errors, cancelled, rows, steps, bytes_in, bytes_out;  // since the server's start

  // the compiler of models
  char sandbox[128], sandbox_missing[128];  // layers around it that hold, and that its system refuses, with commas
  int compiling, compile_waiting;           // models
  double compile_mean;                      // seconds, of recent ones
} sheafc_server_info;

SHEAFC_API sheafc_server_info sheafc_server_info_default(void);

// Ask the server; the size of info must be set, the rest is filled in.
SHEAFC_API int sheafc_info(sheafc* c, sheafc_server_info* info, sheafc_status* status);

// Memory for results, at the start of a page. If a server on a Unix socket can share it, the server writes outputs of
// doubles (or floats) that lie in one such block straight into it, and does not send them; otherwise the block is
// ordinary memory. A block belongs to its connection and is freed with it, or by sheafc_free_results when no call uses
// it. NULL without memory.
SHEAFC_API void* sheafc_alloc_results(sheafc* c, size_t bytes, sheafc_status* status);
SHEAFC_API void sheafc_free_results(sheafc* c, void* memory);

// ---- models

typedef struct {
  const char* name;  // relative path with '/', as the MJCF refers to it
  const void* data;
  size_t size;
} sheafc_file;

// Load an MJCF file with the files that it includes and refers to. They are uploaded only if the server does not
// have the model.
SHEAFC_API sheafc_model* sheafc_load(sheafc* c, const char* path, sheafc_status* status);

// Load a model from memory; main is the name of one of the files.
SHEAFC_API sheafc_model* sheafc_load_files(sheafc* c, const char* main, const sheafc_file* files, int nfile,
                                           sheafc_status* status);

SHEAFC_API void sheafc_free_model(sheafc_model* m);

// A model on the server that this client's identity has put or asked for.
typedef struct {
  uint8_t hash[32];
  char name[128];
  uint64_t bytes, worker_bytes;  // of the compiled model, and counted for the workers' simulation memory
  uint64_t rows, steps;          // computed with it
  int inflight;                  // requests and replies that refer to it
  int shared;                    // other identities have, too
} sheafc_listed_model;

// Fill at most `room` rows (the most recently used first) and return how many models there are, or -1 with the reason
// in status.
SHEAFC_API int sheafc_list_models(sheafc* c, sheafc_listed_model* list, int room, sheafc_status* status);

// This client's identity needs a model no more: the server forgets it when its last request ends, unless other
// identities have put it, too. 0, or a code: SHEAFC_NOT_FOUND, or SHEAFC_FAILED_PRECONDITION because others need it.
// Calls with it put it again.
SHEAFC_API int sheafc_unload(sheafc* c, const uint8_t hash[32], sheafc_status* status);

// Allocated by the library; later versions may add fields at its end.
typedef struct {
  int nq, nv, nu, na, nbody, njnt, ngeom, nsite, nsensor, nsensordata, nmocap, nkey, neq, ntendon;
  int nuserdata;
  int nstate;      // numbers in a full-physics state: time, qpos, qvel, act, ...
  int ndx;         // 2*nv + na
  int integrator;  // mjtIntegrator
  int lanes;       // states that the server computes at once
  double timestep;
  uint8_t hash[32];
} sheafc_model_info;

SHEAFC_API const sheafc_model_info* sheafc_get_model_info(const sheafc_model* m);

// An array that came with the model ("qpos0", "state0", "key_state", ...: proto/README.md), or NULL. n (may be NULL)
// receives its number of elements.
SHEAFC_API const double* sheafc_model_array(const sheafc_model* m, const char* name, size_t* n);

// Id of a named element ("body", "joint", "geom", "site", "actuator", "sensor", "key", ...), or -1.
SHEAFC_API int sheafc_name2id(const sheafc_model* m, const char* kind, const char* name);

// Name of an element, "" if it has none, NULL if there is no such element.
SHEAFC_API const char* sheafc_id2name(const sheafc_model* m, const char* kind, int id);

// Numbers per state of a named output, or -1. The server is asked the first time that a name has brackets.
SHEAFC_API int sheafc_output_size(const sheafc_model* m, const char* name);

// The same with the reason: 0, or the code that is also in status, which lists what there is, the nearest names first.
SHEAFC_API int sheafc_output_shape(const sheafc_model* m, const char* name, int* size, sheafc_status* status);

// Set source, first and count of a cost term by name: "sensordata[height]", "qpos[hip]", "ctrl", "state[1:4]". The
// server is asked. 0, or the code that is also in status.
SHEAFC_API int sheafc_cost_elements(const sheafc_model* m, const char* of, sheafCostTerm* term, sheafc_status* status);

// The columns of derivatives that a name stands for ("qpos[root]", "qvel", "ctrl[hip, 3]") in a kind of request
// (sheafKind): at most `room` numbers are written to `column`. Returns how many there are, -1 with the reason in
// status. The server is asked.
SHEAFC_API int sheafc_columns(const sheafc_model* m, int kind, const char* name, int32_t* column, int room,
                              sheafc_status* status);

// Name of the i-th parameter, a number of the model that rows may set ("body_mass"); NULL after the last.
SHEAFC_API const char* sheafc_param_name(const sheafc_model* m, int i);

// How many numbers a parameter has, or -1 if there is no such parameter; shape (may be NULL) receives rows and columns.
// sheafc_model_array returns the model's own values.
SHEAFC_API int sheafc_param_size(const sheafc_model* m, const char* name, int shape[2]);

// Warning of the compiler, or "".
SHEAFC_API const char* sheafc_model_warning(const sheafc_model* m);

// ---- compute requests
// Their fields, with types and meaning, are the lines of sheaf/request_table.h; the arguments of "rollout" are a
// sheafc_rollout_args, and so on. Each struct begins with `size` (set by sheafc_rollout_default) and `nbatch`; then an
// option is a number, an input an address and a number of rows, an output an address. Each ends with
//
//   sheafc_how how;

// Called while waiting: units of work (steps, states, derivative sets) done of total.
typedef void (*sheafc_progress)(void* user, int64_t done, int64_t total);

typedef struct {
  double timeout;            // seconds; 0: none but the largest that the server allows (an hour, if nobody changed it)
  int priority;              // -1, 0 or 1
  sheafc_progress progress;  // or NULL
  void* user;
  const char* trace;  // W3C's traceparent of what the program does, for the server's log; or NULL
  int partial;        // when the timeout ends, the call succeeds with the rows that are done, if any was begun. The
                      // others have the status SHEAF_ROW_CANCELLED (101), and their numbers mean nothing
} sheafc_how;

// More outputs, by name: "qacc", "xpos[head]", "sensordata[gyro, 0:3]" (sheaf/batch.h says what brackets mean). Results
// of type num, these among them, are floats where the option dtype is 4; of which state they are, sheaf/batch.h says,
// too.
typedef struct {
  const char* name;
  double* data;  // (nbatch x nrecord x n) for a rollout, (nbatch x n) otherwise; of floats where dtype is 4.
                 // sheaf/request_table.h has the shape of each request
} sheafc_output;

// A parameter of rows, by name.
typedef struct {
  const char* name;
  const double* data;  // (nrow x n)
  int nrow;            // nbatch, or 1 that serves all rows
} sheafc_param;

#define SHEAFC_C_int int
#define SHEAFC_C_bits unsigned
#define SHEAFC_C_flag int
#define SHEAFC_C_real double
#define SHEAFC_C_f64 double
#define SHEAFC_C_num double
#define SHEAFC_C_times double
#define SHEAFC_C_i32 int32_t

#define SHEAF_REQUEST(KIND, Type, call, name, unit, doc) \
  typedef struct {                                       \
    size_t size;                                         \
    int nbatch;
#define SHEAF_OPTION(field, type, least, most, initial, doc) SHEAFC_C_##type field;
#define SHEAF_INPUT(field, type, need, shape, doc) \
  const SHEAFC_C_##type* field;                    \
  int n##field;
#define SHEAF_EACH(field, type, need, most, shape, doc) const SHEAFC_C_##type* field;
#define SHEAF_SIZE(field, doc) int field;
#define SHEAF_OUTPUT(field, type, when, shape, doc) SHEAFC_C_##type* field;
#define SHEAF_NAMED(shape, initial, doc) \
  const sheafc_output* output;           \
  int noutput;
#define SHEAF_CONTROL() sheafc_how how;
#define SHEAF_PARAMS(shape, doc) \
  const sheafc_param* param;     \
  int nparam;
#define SHEAF_COLUMNS(arrays, doc) \
  const int32_t* column;           \
  int ncolumn;
#define SHEAF_END(KIND, Type, call, name) \
  }                                       \
  sheafc_##name##_args;
#include <sheaf/request_table.h>

// For each request:
// sheafc_rollout_default: arguments with their size set and everything else zero.
// sheafc_rollout: ask and wait. A model that the server has forgotten is uploaded again.
// sheafc_rollout_begin: ask without waiting; many calls may be open. You may change the inputs when this returns; the
// memory of outputs must stay until the call is freed. NULL if the request could not be sent.
#define SHEAF_REQUEST(KIND, Type, call, name, unit, doc)                                                         \
  SHEAFC_API sheafc_##name##_args sheafc_##name##_default(void);                                                 \
  SHEAFC_API int sheafc_##name(sheafc* c, const sheafc_model* m, const sheafc_##name##_args* a,                  \
                               sheafc_status* status);                                                           \
  SHEAFC_API sheafc_call* sheafc_##name##_begin(sheafc* c, const sheafc_model* m, const sheafc_##name##_args* a, \
                                                sheafc_status* status);
#include <sheaf/request_table.h>

// The same for programs that read the requests' table at run time: the fields of a request (NULL if there is no such
// kind), the dimensions that follow the batch in the shape of a field (returns how many), and calls whose arguments are
// the struct of that kind.
SHEAFC_API const sheafRequest* sheafc_request_info(int kind);
SHEAFC_API int sheafc_field_shape(const sheafc_model* m, int kind, const void* args, const sheafField* field,
                                  int64_t shape[4]);
SHEAFC_API int sheafc_run(sheafc* c, const sheafc_model* m, int kind, const void* args, sheafc_status* status);
SHEAFC_API sheafc_call* sheafc_begin(sheafc* c, const sheafc_model* m, int kind, const void* args,
                                     sheafc_status* status);

// Wait at most timeout_ms (-1: for ever, 0: only look). SHEAFC_PENDING if it is not answered yet, otherwise its code.
SHEAFC_API int sheafc_wait(sheafc_call* call, int timeout_ms, sheafc_status* status);

// Ask the server to stop a call; it ends with SHEAFC_CANCELLED, or normally if its answer was already on its way.
SHEAFC_API void sheafc_cancel(sheafc_call* call);

// Free a call. One that is not answered is cancelled, and its answer will be dropped.
SHEAFC_API void sheafc_free_call(sheafc_call* call);

// Times of an answered call on the server, in seconds: waiting, computing, and both with sending.
SHEAFC_API void sheafc_call_times(const sheafc_call* call, double* queue, double* compute, double* total);

#ifdef __cplusplus
}
#endif

#endif  // SHEAF_CLIENT_H_
