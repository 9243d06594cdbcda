// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "arrays.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void fail(cli_arrays* a, const char* what, const char* reason) {
  fprintf(stderr, "sheaf: %s: %s\n", what, reason);
  a->failed = true;
}

// ---- inputs

void cli_arrays_init(cli_arrays* a, const cli_options* o) {
  memset(a, 0, sizeof *a);
  a->o = o;
  for (int i = 0; i < o->ninput; i++) {
    const char* reason = npy_read(&a->input[i], o->input[i].file);
    if (reason) fail(a, o->input[i].file, reason);
  }
}

void cli_arrays_close(cli_arrays* a) {
  for (int i = 0; i < a->o->ninput; i++) free(a->input[i].data);
  for (int i = 0; i < a->noutput; i++) free(a->output[i].data);
}

static int find_input(const cli_arrays* a, const char* name) {
  for (int i = 0; i < a->o->ninput; i++) {
    if (!strcmp(a->o->input[i].name, name) && a->input[i].data) return i;
  }
  return -1;
}

// Is the array one row without the dimension of the batch?
static bool is_row(const npy* in, int rank, const int64_t* shape, bool any) {
  bool row = in->rank == rank;
  for (int k = any ? 1 : 0; row && k < rank; k++) row = in->shape[k] == shape[k];
  return row;
}

int cli_input_rows(const cli_arrays* a, const char* name, int rank, const int64_t* shape, bool any) {
  int i = find_input(a, name);
  if (i < 0 || !a->input[i].rank) return 0;
  return is_row(&a->input[i], rank, shape, any) ? 1 : a->input[i].shape[0];
}

static void refuse_shape(cli_arrays* a, const char* name, const npy* in, int rank, const int64_t* shape, bool any) {
  char want[100] = "", got[100] = "", text[300];
  for (int k = 0; k < rank; k++) {
    char* end = want + strlen(want);
    snprintf(end, sizeof want - (size_t)(end - want), any && !k ? ", steps" : ", %d", (int)shape[k]);
  }
  for (int k = 0; k < in->rank; k++) {
    char* end = got + strlen(got);
    snprintf(end, sizeof got - (size_t)(end - got), "%s%d", k ? ", " : "", in->shape[k]);
  }
  snprintf(text, sizeof text, "expected (%d or 1%s), got (%s)", a->nbatch, want, got);
  fail(a, name, text);
}

const double* cli_input_of(cli_arrays* a, const char* name, int rank, const int64_t* shape, int* rows, int* steps) {
  int i = find_input(a, name);
  if (i < 0) return NULL;
  const npy* in = &a->input[i];
  size_t size = 1, need = 1;
  for (int k = steps ? 1 : 0; k < rank; k++) size *= (size_t)shape[k];
  a->used[i] = true;
  if (steps && in->rank >= 2) need = (size_t)in->shape[1];
  bool fits = in->rank >= (steps ? 2 : 1) && in->count == need * size * (size_t)in->shape[0] &&
              (in->shape[0] == 1 || in->shape[0] == a->nbatch);
  bool row = is_row(in, rank, shape, steps) && !(fits && a->o->nbatch);
  if (!fits && !row) {
    refuse_shape(a, name, in, rank, shape, steps);
    return NULL;
  }
  *rows = row ? 1 : in->shape[0];
  if (steps) *steps = in->shape[row ? 0 : 1];
  return in->data;
}

bool cli_inputs_ok(cli_arrays* a) {
  for (int i = 0; i < a->o->ninput; i++) {
    if (!a->used[i] && a->input[i].data) fail(a, a->o->input[i].name, "not an input of this command");
  }
  return !a->failed;
}

// ---- outputs

void* cli_output_of(cli_arrays* a, const char* name, char type, int rank, const int64_t* shape) {
  cli_array* out = &a->output[a->noutput++];
  *out = (cli_array){.name = name, .type = type, .rank = 1, .shape = {a->nbatch}, .count = (size_t)a->nbatch};
  for (int k = 0; k < rank; k++) {
    out->shape[out->rank++] = (int)shape[k];
    out->count *= (size_t)shape[k];
  }
  out->data = calloc(out->count + 1, npy_bytes(type));
  if (!out->data) fail(a, name, "out of memory");
  return out->data;
}

static bool is_field(const cli_options* o, const char* name) {
  for (const sheafField* f = o->request->fields; f->name; f++) {
    if (f->role == SHEAF_ROLE_OUTPUT && !strcmp(f->name, name)) return true;
  }
  return false;
}

bool cli_is_asked(const cli_options* o, const sheafField* f) {
  for (int i = 0; i < o->noutput; i++) {
    if (!strcmp(o->output[i], f->name)) return true;
  }
  return f->when == SHEAF_WHEN_ALWAYS || (f->when == SHEAF_WHEN_DEFAULT && !o->only);
}

const sheafc_output* cli_named_outputs(cli_arrays* a, const sheafc_model* m, const char* name, char type, int rank,
                                       const int64_t* shape, int* n) {
  sheafc_status st = {0};
  *n = 0;
  for (int i = 0; i < (name ? 1 : a->o->noutput); i++) {
    const char* one = name ? name : a->o->output[i];
    int64_t dims[5] = {0};
    int size, nominal = !strncmp(one, SHEAF_NOMINAL, strlen(SHEAF_NOMINAL)), rows = nominal ? 0 : rank;
    if (!name && is_field(a->o, one)) continue;
    memcpy(dims, shape, sizeof *shape * (size_t)rows);
    if (sheafc_output_shape(m, nominal ? one + strlen(SHEAF_NOMINAL) : one, &size, &st)) {
      fail(a, one, st.message);
      continue;
    }
    dims[rows] = size;
    a->named[(*n)++] = (sheafc_output){one, cli_output_of(a, one, type, rows + 1, dims)};
  }
  return a->named;
}

// ---- report

static void write_files(cli_arrays* a) {
  char path[4096];
  for (int i = 0; i < a->noutput; i++) {
    const cli_array* out = &a->output[i];
    int n = snprintf(path, sizeof path, "%s_", a->o->out);
    if (n >= (int)sizeof path) n = (int)sizeof path - 1;
    snprintf(path + n, sizeof path - (size_t)n, "%s.npy", out->name);
    for (char* slash = path + n; (slash = strchr(slash, '/'));) *slash = '_';  // names of elements may have them
    const char* reason = npy_write(path, out->type, out->rank, out->shape, out->data);
    if (reason) fail(a, path, reason);
  }
}

static void measure(const cli_array* out, double* least, double* most, double* norm) {
  *least = *most = *norm = 0;
  for (size_t i = 0; i < out->count; i++) {
    double x = out->type == 'd'   ? ((double*)out->data)[i]
               : out->type == 'f' ? (double)((float*)out->data)[i]
                                  : ((int32_t*)out->data)[i];
    *least = i && *least < x ? *least : x;
    *most = i && *most > x ? *most : x;
    *norm += x * x;
  }
  *norm = sqrt(*norm);
}

// a number in JSON, which has no infinity
static void print_number(const char* name, double x, const char* end) {
  if (isfinite(x)) {
    printf("\"%s\": %.17g%s", name, x, end);
  } else {
    printf("\"%s\": null%s", name, end);
  }
}

static void print_array(const cli_array* out, bool json, bool first) {
  double least, most, norm;
  measure(out, &least, &most, &norm);
  printf(json ? "%s\"%s\": {\"shape\": [" : "%s  %-18s (", json && !first ? ", " : "", out->name);
  for (int i = 0; i < out->rank; i++) printf("%s%d", i ? ", " : "", out->shape[i]);
  if (json) {
    printf("], ");
    print_number("min", least, ", ");
    print_number("max", most, ", ");
    print_number("norm", norm, "}");
  } else {
    printf(")  min %.6g  max %.6g  norm %.9g\n", least, most, norm);
  }
}

static int count_bad(const cli_arrays* a) {
  int n = 0;
  for (int i = 0; i < a->noutput; i++) {
    if (strcmp(a->output[i].name, "status")) continue;
    for (size_t k = 0; k < a->output[i].count; k++) n += ((int32_t*)a->output[i].data)[k] != 0;
  }
  return n;
}

int cli_report(cli_arrays* a, const char* command, const char* unit, double units, double seconds) {
  bool json = a->o->json;
  int bad = count_bad(a);
  if (a->o->out) write_files(a);
  if (json) {
    printf(
        "{\"command\": \"%s\", \"rows\": %d, \"%s\": %.0f, \"seconds\": %.6f, \"%s_per_second\": %.1f, "
        "\"invalid_rows\": %d, \"outputs\": {",
        command, a->nbatch, unit, units, seconds, unit, units / seconds, bad);
  } else {
    printf("%s: %d rows, %.0f %s in %.4g s (%.4g per second), %d rows not valid\n", command, a->nbatch, units, unit,
           seconds, units / seconds, bad);
  }
  for (int i = 0; i < a->noutput; i++) print_array(&a->output[i], json, i == 0);
  if (json) puts("}}");
  return a->failed ? 1 : bad ? 3 : 0;
}

void cli_progress(void* user, int64_t done, int64_t total) {
  enum { WIDTH = 40 };
  static const char bar[] = "########################################";
  const cli_options* o = user;
  if (o->quiet || !isatty(2) || total <= 0) return;
  int n = (int)(WIDTH * done / total);
  fprintf(stderr, "\r[%-*.*s] %3d %%", WIDTH, n, bar, (int)(100 * done / total));
  if (done >= total) fprintf(stderr, "\r%*s\r", WIDTH + 10, "");
}
