// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Arrays of a request: inputs from files, outputs to files and to a summary.
#ifndef SHEAF_CLI_ARRAYS_H_
#define SHEAF_CLI_ARRAYS_H_

#include "npy.h"
#include "options.h"

enum { CLI_ARRAYS = 64 };

typedef struct {
  const char* name;
  char type;  // 'd' double, 'f' float, 'i' int32_t
  int rank;
  int shape[NPY_RANK];
  size_t count;
  void* data;
} cli_array;

typedef struct {
  const cli_options* o;
  int nbatch;  // rows of the batch
  cli_array output[CLI_ARRAYS];
  int noutput;
  npy input[CLI_NAMES];  // in the order of the options
  bool used[CLI_NAMES];
  sheafc_output named[CLI_NAMES];
  bool failed;  // a message was printed
} cli_arrays;

// Read the files of all --input options.
void cli_arrays_init(cli_arrays* a, const cli_options* o);
void cli_arrays_close(cli_arrays* a);

// How many rows the input of a name has, 0 if it was not given. A row has the dimensions of `shape`; the first of them
// is any if `any` is set.
int cli_input_rows(const cli_arrays* a, const char* name, int rank, const int64_t* shape, bool any);

// The input of a name, if it was given: its address, its rows, and the size of its second dimension if `steps` is not
// NULL. A row has the dimensions of `shape`. One row may come without the dimension of the batch.
const double* cli_input_of(cli_arrays* a, const char* name, int rank, const int64_t* shape, int* rows, int* steps);

// Print the inputs that the command has no use for. Call it when all inputs have been asked for.
bool cli_inputs_ok(cli_arrays* a);

// A new output with nbatch rows of this shape; type 'd' double, 'f' float, 'i' int32_t.
void* cli_output_of(cli_arrays* a, const char* name, char type, int rank, const int64_t* shape);

// Does this output of the request come: always, unasked, or because an --output names it?
bool cli_is_asked(const cli_options* o, const sheafField* f);

// The other --output options, or if it is not NULL the one of this name, as outputs whose rows have this shape in front
// of their own; how many goes to n.
const sheafc_output* cli_named_outputs(cli_arrays* a, const sheafc_model* m, const char* name, char type, int rank,
                                       const int64_t* shape, int* n);

// Write files if asked to, and print the summary. Returns an exit status: 3 if a row has a status other than 0.
int cli_report(cli_arrays* a, const char* command, const char* unit, double units, double seconds);

// A progress bar on standard error, for sheafc_how.
void cli_progress(void* user, int64_t done, int64_t total);

#endif  // SHEAF_CLI_ARRAYS_H_
