// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Options that the client commands share.
#ifndef SHEAF_CLI_OPTIONS_H_
#define SHEAF_CLI_OPTIONS_H_

#include <stdbool.h>
#include <stdint.h>

#include "sheaf_client.h"

enum { CLI_NAMES = 32, CLI_FIELDS = 128 };

// what --param NAME puts before the name of its input
#define CLI_PARAM "params."

// --input NAME=FILE.npy, --param NAME=FILE.npy
typedef struct {
  const char* name;
  const char* file;
  char* made;  // the text of both where it was made for them, or NULL: it is part of the command line
} cli_input;

typedef struct {
  const char* address;
  int threads;  // threads of a server for this command alone; 0: use the server at `address`
  const char* token;
  const char *tls_ca, *tls_certificate, *tls_key;
  const char* model;            // path
  int nbatch;                   // 0: as many rows as the inputs have
  const sheafRequest* request;  // of the command, NULL if it has none
  double option[CLI_FIELDS];    // of its fields; 0: not given
  int key;                      // keyframe to start from, -1: the reset state
  uint64_t seed;
  double noise;  // scale of random controls, or deviation of samples; 0: none
  bool json, quiet;
  const char* out;  // prefix of .npy files
  cli_input input[CLI_NAMES];
  int ninput;
  const char* output[CLI_NAMES];
  int noutput;
  const char* column[CLI_NAMES];  // of derivatives
  int ncolumn;
  bool only;  // no outputs but these
  const char* cost[CLI_NAMES];
  int ncost;
  double timeout;
  bool partial;
  double patience;  // seconds; 0: nothing is repeated
  double seconds;
  double interval;  // seconds between two reports
  int count;        // number of reports; 0: no end
  int concurrency;
  const char* unload;  // how hashes of models begin that are unloaded
} cli_options;

// What kind of command reads its options. CLI_FD is added to CLI_COMPUTE when the command's name is "fd"; CLI_CONTROLS,
// CLI_SAMPLES and CLI_COSTS where the request has controls, samples around plans, and costs.
enum {
  CLI_COMPUTE = 1,
  CLI_BENCH = 2,
  CLI_INFO = 4,
  CLI_TOP = 8,
  CLI_FD = 16,
  CLI_MODELS = 32,
  CLI_CONTROLS = 64,
  CLI_SAMPLES = 128,
  CLI_COSTS = 256,
};

// Read the options of a command that makes this request (NULL: the command asks about the server), or end the program
// with a message.
cli_options cli_read_options(int argc, char** argv, const char* about, int command, const sheafRequest* request);

// The value of the request's option of this name, 0 if it was not given.
double cli_option(const cli_options* o, const char* name);

// Connect, or print why not and return NULL.
sheafc* cli_connect(const cli_options* o);

// Connect and load the model. Returns NULL after printing why not.
sheafc_model* cli_load(const cli_options* o, sheafc** client);

// Print a failure to standard error; returns an exit status.
int cli_fail(const sheafc_status* st);

// The reset state or the chosen keyframe; NULL, after a message, if there is none.
const double* cli_start_state(const cli_options* o, const sheafc_model* m);

#endif  // SHEAF_CLI_OPTIONS_H_
