// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// sheaf rollout, forward, ...: one request, and a summary of its result, by the rows of sheaf/request_table.h.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "arrays.h"
#include "commands.h"
#include "control.h"
#include "cost_option.h"

// a request being put together
typedef struct {
  const sheafRequest* row;
  int kind;
  const cli_options* o;
  sheafc* client;
  sheafc_model* model;
  char* args;  // the struct of its kind
  cli_arrays arrays;
  sheafc_param param[CLI_NAMES];
  cli_costs costs;
  void* made[CLI_FIELDS];  // inputs that this command made, to be freed
  int nmade;
} request;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void set_int(request* r, size_t offset, int value) { memcpy(r->args + offset, &value, sizeof value); }

static void set_pointer(request* r, size_t offset, const void* value) {
  memcpy(r->args + offset, &value, sizeof value);
}

// remember an input that was made here, so that it is freed at the end
static void* keep(request* r, void* data) {
  r->arrays.failed |= !data;
  return r->made[r->nmade++] = data;
}

static int shape_of(const request* r, const sheafField* f, int64_t shape[4]) {
  return sheafc_field_shape(r->model, r->kind, r->args, f, shape);
}

// ---- options

static void set_option(request* r, const sheafField* f) {
  double value = cli_option(r->o, f->name);
  if (f->type == SHEAF_TYPE_real) {
    memcpy(r->args + f->offset, &value, sizeof value);
  } else {
    set_int(r, f->offset, (int)(unsigned)(int64_t)value);
  }
}

// ---- inputs

// the size that the second dimension of an input sets (SHEAF_SIZE), NULL if it sets none
static const sheafField* free_size(const request* r, const sheafField* f) {
  for (const sheafField* s = r->row->fields; s->name; s++) {
    if (s->role == SHEAF_ROLE_SIZE && strstr(f->shape, s->name)) return s;
  }
  return NULL;
}

static int32_t* to_int32(request* r, const sheafField* f, const double* x, int n) {
  int32_t* out = malloc(sizeof *out * (size_t)n);
  for (int i = 0; out && i < n; i++) {
    bool whole = x[i] >= INT32_MIN && x[i] <= INT32_MAX && x[i] == (int32_t)x[i];
    if (!whole) {
      fprintf(stderr, "sheaf: %s: expected whole numbers, got %g in row %d\n", f->name, x[i], i);
      r->arrays.failed = true;
      break;
    }
    out[i] = (int32_t)x[i];
  }
  return out;
}

// the state from which rows start if none was given: the reset state or the keyframe of --key
static const double* start_state(request* r, const sheafField* f, int* rows) {
  if (f->when != SHEAF_WHEN_REQUIRED || strcmp(f->shape, "B nstate")) return NULL;
  const double* state = cli_start_state(r->o, r->model);
  r->arrays.failed |= !state;
  *rows = 1;
  return state;
}

// what --noise and --seed say about samples around plans
static const double* sample_number(request* r, const sheafField* f, int rank, const int64_t shape[4], int* rows) {
  bool noise = !strcmp(f->name, "noise"), seed = !strcmp(f->name, "seed");
  if (!(noise && r->o->noise > 0) && !(seed && r->o->seed)) return NULL;
  int64_t n = 1;
  for (int i = 0; i < rank; i++) n *= shape[i];
  double* data = keep(r, malloc(sizeof(double) * (size_t)n + 1));
  for (int64_t i = 0; data && i < n; i++) data[i] = noise ? r->o->noise : (double)r->o->seed;
  *rows = 1;
  return data;
}

// inputs that bring the same size agree on it
static void set_size(request* r, const sheafField* f, const sheafField* size, int n) {
  int before;
  memcpy(&before, r->args + size->offset, sizeof before);
  if (before && before != n) {
    fprintf(stderr, "sheaf: %s: expected %s = %d as in another input, got %d\n", f->name, size->name, before, n);
    r->arrays.failed = true;
  }
  set_int(r, size->offset, n);
}

static void set_input(request* r, const sheafField* f) {
  int64_t shape[4];
  int rows = 0, nbatch = r->arrays.nbatch, rank = shape_of(r, f, shape);
  const sheafField* size = free_size(r, f);
  int steps = 0;
  const double* data = cli_input_of(&r->arrays, f->name, rank, shape, &rows, size ? &steps : NULL);
  if (!data) data = start_state(r, f, &rows);
  if (!data) data = sample_number(r, f, rank, shape, &rows);
  if (!data) return;
  if (!f->count && rows != nbatch) data = keep(r, cli_repeat(data, (int)shape[0], nbatch));  // one row for all
  set_pointer(r, f->offset, f->type == SHEAF_TYPE_i32 ? keep(r, to_int32(r, f, data, nbatch)) : (const void*)data);
  if (f->count) set_int(r, f->count, rows);
  if (size) set_size(r, f, size, steps);
}

// the most rows that an input or a parameter has
static int count_rows(const request* r) {
  int most = 1;
  for (const sheafField* f = r->row->fields; f->name; f++) {
    int64_t shape[4];
    if (f->role != SHEAF_ROLE_INPUT) continue;
    int n = cli_input_rows(&r->arrays, f->name, shape_of(r, f, shape), shape, free_size(r, f));
    most = n > most ? n : most;
  }
  for (int i = 0; i < r->o->ninput; i++) {
    const char* name = r->o->input[i].name;
    int dims[2];
    if (strncmp(name, CLI_PARAM, strlen(CLI_PARAM)) != 0) continue;
    if (sheafc_param_size(r->model, name + strlen(CLI_PARAM), dims) < 0) continue;
    const int64_t shape[] = {dims[0], dims[1]};
    int n = cli_input_rows(&r->arrays, name, dims[1] == 1 ? 1 : 2, shape, false);
    most = n > most ? n : most;
  }
  return most;
}

// inputs whose name begins with "params." are numbers of the model
static void set_params(request* r, const sheafField* f) {
  size_t prefix = strlen(CLI_PARAM);
  int n = 0;
  for (int i = 0; i < r->o->ninput; i++) {
    const char* name = r->o->input[i].name;
    int dims[2], rows = 0;
    if (strncmp(name, CLI_PARAM, prefix) != 0 || sheafc_param_size(r->model, name + prefix, dims) < 0) continue;
    const int64_t shape[] = {dims[0], dims[1]};
    const double* data = cli_input_of(&r->arrays, name, dims[1] == 1 ? 1 : 2, shape, &rows, NULL);
    if (data) r->param[n++] = (sheafc_param){name + prefix, data, rows};
  }
  set_pointer(r, f->offset, n ? r->param : NULL);
  set_int(r, f->count, n);
}

static const sheafField* find_input(const request* r, const char* name) {
  const sheafField* f = r->row->fields;
  while (f->name && (f->role != SHEAF_ROLE_INPUT || strcmp(f->name, name))) f++;
  return f->name ? f : NULL;
}

static void set_row(request* r, const char* name, const char* size, const double* data, int n) {
  const sheafField* f = find_input(r, name);
  set_pointer(r, f->offset, data);
  set_int(r, f->count, 1);
  const sheafField* s = r->row->fields;
  while (strcmp(s->name, size)) s++;
  set_int(r, s->offset, n);
}

// terms by name: those of --cost
static void set_costs(request* r) {
  if (!r->o->ncost) return;
  if (!cli_read_costs(r->o, r->model, &r->costs)) {
    r->arrays.failed = true;
  } else {
    set_row(r, "cost_term", "ncost", &r->costs.term[0].norm, r->costs.nterm);
    if (r->costs.ntarget) set_row(r, "cost_target", "ntarget", r->costs.target, r->costs.ntarget);
  }
}

// columns by name: those of --column; shapes depend on them
static void set_columns(request* r, const sheafField* f) {
  const sheafc_model_info* info = sheafc_get_model_info(r->model);
  int most = 3 * info->nv + info->na + info->nu, n = 0;
  if (!r->o->ncolumn) return;
  int32_t* column = keep(r, malloc(sizeof *column * (size_t)(most * r->o->ncolumn + 1)));
  for (int i = 0; column && i < r->o->ncolumn && !r->arrays.failed; i++) {
    sheafc_status st;
    int found = sheafc_columns(r->model, r->kind, r->o->column[i], column + n, most, &st);
    if (found < 0) cli_fail(&st);
    r->arrays.failed |= found < 0;
    n += found > 0 ? found : 0;
  }
  set_pointer(r, f->offset, column);
  set_int(r, f->count, n);
}

// random controls, if a rollout was given none
static void set_noise(request* r) {
  if (r->kind != SHEAF_ROLLOUT) return;
  sheafc_rollout_args* a = (sheafc_rollout_args*)(void*)r->args;
  int hold = a->hold ? a->hold : 1;
  if (!a->control) r->made[r->nmade++] = cli_make_controls(r->o, r->model, a->nbatch, (a->nstep + hold - 1) / hold, a);
}

// ---- outputs

static char type_of(const request* r, const sheafField* f) {
  if (f->type == SHEAF_TYPE_i32) return 'i';
  return f->type == SHEAF_TYPE_num && cli_option(r->o, "dtype") == sizeof(float) ? 'f' : 'd';
}

static void set_output(request* r, const sheafField* f) {
  int64_t shape[4];
  int rank = shape_of(r, f, shape), n;
  if (f->role == SHEAF_ROLE_NAMED) {
    const char* name = !r->o->noutput && f->text[0] ? f->text : NULL;
    set_pointer(r, f->offset, cli_named_outputs(&r->arrays, r->model, name, type_of(r, f), rank, shape, &n));
    set_int(r, f->count, n);
  } else if (cli_is_asked(r->o, f)) {
    set_pointer(r, f->offset, cli_output_of(&r->arrays, f->name, type_of(r, f), rank, shape));
  }
}

// ---- the command

static void set_control(request* r, const sheafField* f) {
  sheafc_how how = {.timeout = r->o->timeout,
                    .progress = cli_progress,
                    .user = (void*)r->o,
                    .trace = getenv("TRACEPARENT"),
                    .partial = r->o->partial};
  memcpy(r->args + f->offset, &how, sizeof how);
}

// options, columns and costs come first: shapes depend on them
static void set_fields(request* r) {
  const sheafField* fields = r->row->fields;
  memcpy(r->args, &r->row->size, sizeof r->row->size);
  for (const sheafField* f = fields; f->name; f++) {
    if (f->role == SHEAF_ROLE_OPTION) set_option(r, f);
    if (f->role == SHEAF_ROLE_COLUMNS) set_columns(r, f);
  }
  set_costs(r);
  r->arrays.nbatch = r->o->nbatch ? r->o->nbatch : count_rows(r);
  set_int(r, sizeof(size_t), r->arrays.nbatch);
  for (const sheafField* f = fields; f->name; f++) {
    if (f->role == SHEAF_ROLE_INPUT) set_input(r, f);
    if (f->role == SHEAF_ROLE_OUTPUT || f->role == SHEAF_ROLE_NAMED) set_output(r, f);
    if (f->role == SHEAF_ROLE_CONTROL) set_control(r, f);
    if (f->role == SHEAF_ROLE_PARAMS) set_params(r, f);
  }
  set_noise(r);
}

static int run(request* r) {
  sheafc_status st = {0};
  set_fields(r);
  double begin = now(), units = r->arrays.nbatch;
  if (!strcmp(r->row->unit, "steps")) units *= cli_option(r->o, "nstep");
  if (cli_inputs_ok(&r->arrays)) sheafc_run(r->client, r->model, r->kind, r->args, &st);
  if (r->arrays.failed) return 1;
  return st.code ? cli_fail(&st) : cli_report(&r->arrays, r->row->name, r->row->unit, units, now() - begin);
}

int cli_compute(int kind, int argc, char** argv) {
  request r = {.row = sheafc_request_info(kind), .kind = kind};
  cli_options o = cli_read_options(argc, argv, r.row->doc, CLI_COMPUTE, r.row);
  r.o = &o;
  r.model = cli_load(&o, &r.client);
  if (!r.model) return 1;
  int err = 1;
  r.args = calloc(1, r.row->size);
  if (r.args) {
    cli_arrays_init(&r.arrays, &o);
    err = run(&r);
    cli_arrays_close(&r.arrays);
  }
  for (int i = 0; i < r.nmade; i++) free(r.made[i]);
  for (int i = 0; i < o.ninput; i++) free(o.input[i].made);
  free(r.args);
  sheafc_free_model(r.model);
  sheafc_close(r.client);
  return err;
}
