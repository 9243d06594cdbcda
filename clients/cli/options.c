// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "options.h"

#include <argp.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command_help.h"

// clang-format off
enum { KEY_JSON = 256, KEY_KEYFRAME, KEY_SEED, KEY_NOISE, KEY_INPUT, KEY_PARAM, KEY_OUTPUT, KEY_INVERSE, KEY_TIMEOUT, KEY_PARTIAL,
       KEY_SECONDS, KEY_PATIENCE, KEY_TOKEN, KEY_TLS_CA, KEY_TLS_CERTIFICATE, KEY_TLS_KEY, KEY_INTERVAL, KEY_COUNT, KEY_ONLY, KEY_UNLOAD, KEY_COST,
       KEY_COLUMN, KEY_FIELD = 512 };    // KEY_FIELD + i: field i of the request
// clang-format on

// An option, and the commands that have it.
typedef struct {
  struct argp_option row;
  int commands;
} command_option;

enum { COMPUTE = CLI_COMPUTE | CLI_BENCH, ALL = COMPUTE | CLI_INFO | CLI_TOP | CLI_MODELS };

static const command_option table[] = {
    {{"nbatch", 'b', "N", 0, "rows of the batch (those of the inputs, or 1)", 1}, COMPUTE},
    {{"key", KEY_KEYFRAME, "N", 0, "start from this keyframe", 1}, COMPUTE},
    {{"noise", KEY_NOISE, "SCALE", 0, "random controls, uniform in this part of their range (0)", 1}, CLI_CONTROLS},
    {{"seed", KEY_SEED, "N", 0, "seed of the random controls (0)", 1}, CLI_CONTROLS},
    {{"noise", KEY_NOISE, "X", 0, "standard deviation of all knots of the samples, without --input noise", 1},
     CLI_SAMPLES},
    {{"seed", KEY_SEED, "N", 0, "key of their noise, without --input seed (0)", 1}, CLI_SAMPLES},
    {{"timeout", KEY_TIMEOUT, "SECONDS", 0, "give up after this time", 1}, COMPUTE},
    {{"partial", KEY_PARTIAL, NULL, 0, "after that time, take the rows that are done; the others have status 101", 1},
     CLI_COMPUTE},
    {{"input", KEY_INPUT, "NAME=FILE.npy", 0, "an input, listed below; may be repeated", 1}, CLI_COMPUTE},
    {{"param", KEY_PARAM, "NAME=FILE.npy", 0, "numbers of the model for each row, listed below; may be repeated", 1},
     CLI_COMPUTE},
    {{"output", KEY_OUTPUT, "NAME", 0,
      "one more output by name, for example qacc, xpos[head] or sensordata[gyro,0:3]; may be repeated", 1},
     CLI_COMPUTE},
    {{"cost", KEY_COST, "TERM", 0,
      "a term of the cost: \"NORM OF [weight=W] [target=X,X,...] [terminal=W] [p=P] [q=Q]\", for example "
      "\"smooth_abs sensordata[tip] target=0,0,2\"; may be repeated",
      1},
     CLI_COSTS},
    {{"only", KEY_ONLY, NULL, 0, "no outputs but those of --output", 1}, CLI_COMPUTE},
    {{"out", 'o', "PREFIX", 0, "write each output to PREFIX_<name>.npy", 1}, CLI_COMPUTE},
    {{"inverse", KEY_INVERSE, NULL, 0, "derivatives of inverse dynamics", 2}, CLI_FD},
    {{"seconds", KEY_SECONDS, "X", 0, "how long to measure (3)", 2}, CLI_BENCH},
    {{"concurrency", 'c', "N", 0, "requests in flight (2)", 2}, CLI_BENCH},
    {{"interval", KEY_INTERVAL, "SECONDS", 0, "time between two reports (1)", 2}, CLI_TOP},
    {{"count", KEY_COUNT, "N", 0, "number of reports; 0: go on until Ctrl-C (0)", 2}, CLI_TOP},
    {{"unload", KEY_UNLOAD, "HASH", 0, "forget the models whose hashes begin like this", 2}, CLI_MODELS},
    {{"json", KEY_JSON, NULL, 0, "print one JSON object", 3}, ALL},
    {{"quiet", 'q', NULL, 0, "no progress bar", 3}, CLI_COMPUTE},
    {{NULL, 0, NULL, 0, "Where:", 4}, ALL},
    {{"threads", 't', "N", 0, "compute here, in a server of its own with this many threads", 4}, COMPUTE},
    {{"server", 's', "ADDRESS", 0, "tcp://HOST:PORT, tls://HOST:PORT or unix:///PATH (tcp://127.0.0.1:7447)", 4}, ALL},
    {{"token-file", KEY_TOKEN, "PATH", 0, "the first line of this file is the token for the server", 4}, ALL},
    {{"patience", KEY_PATIENCE, "SECONDS", 0, "repeat for so long while the server is away or busy; 0: never (60)", 4},
     ALL},
    {{"tls-ca", KEY_TLS_CA, "PATH", 0, "tls://: authorities to trust (PEM; those of this system)", 4}, ALL},
    {{"tls-certificate", KEY_TLS_CERTIFICATE, "PATH", 0, "tls://: certificate of this client (PEM)", 4}, ALL},
    {{"tls-key", KEY_TLS_KEY, "PATH", 0, "tls://: key of the certificate (PEM; in the same file)", 4}, ALL},
};

enum { NOPTION = sizeof table / sizeof table[0] };

static double read_number(struct argp_state* state, const char* text, double least, double most) {
  char* end;
  errno = 0;
  double value = strtod(text, &end);
  if (errno || end == text || *end || !(value >= least && value <= most)) {
    argp_error(state, "\"%s\": expected a number from %g to %g", text, least, most);
  }
  return value;
}

static int read_int(struct argp_state* state, const char* text, int least, int most) {
  double value = read_number(state, text, least, most);
  if (value != floor(value)) argp_error(state, "\"%s\": expected a whole number", text);
  return (int)value;
}

static const char* read_token(struct argp_state* state, const char* path) {
  static char token[4096];
  FILE* file = fopen(path, "r");
  if (!file || !fgets(token, sizeof token, file)) argp_error(state, "%s: cannot read a token", path);
  if (file) fclose(file);
  token[strcspn(token, "\r\n")] = 0;
  return token;
}

static int key_of(const sheafField* f, int i) { return strcmp(f->name, "nstep") ? KEY_FIELD + i : 'n'; }

// of requests that have columns
static const struct argp_option column_option = {
    "column",
    KEY_COLUMN,
    "NAME",
    0,
    "compute these columns alone, for example qvel, qpos[root] or ctrl[hip,3]; may be repeated",
    2};

// the options of the command, and those of the request's rows
static void list_options(struct argp_option* list, int command, const sheafRequest* request) {
  int n = 0;
  for (int i = 0; i < NOPTION; i++) {
    if (table[i].commands & command) list[n++] = table[i].row;
  }
  for (int i = 0; request && request->fields[i].name; i++) {
    const sheafField* f = &request->fields[i];
    if (f->role == SHEAF_ROLE_COLUMNS) list[n++] = column_option;
    if (f->role != SHEAF_ROLE_OPTION) continue;
    const char* value = f->type == SHEAF_TYPE_flag ? NULL : f->type == SHEAF_TYPE_real ? "X" : "N";
    list[n++] = (struct argp_option){f->name, key_of(f, i), value, 0, f->doc, 2};
  }
  list[n] = (struct argp_option){0};
}

static void add_input(struct argp_state* state, cli_options* o, char* text) {
  char* equals = strchr(text, '=');
  if (!equals || o->ninput == CLI_NAMES) argp_error(state, "\"%s\": expected NAME=FILE.npy", text);
  *equals = 0;
  o->input[o->ninput++] = (cli_input){text, equals + 1, NULL};
}

// its name is that of an input
static void add_param(struct argp_state* state, cli_options* o, const char* text) {
  char* copy = malloc(sizeof CLI_PARAM + strlen(text));
  if (!copy) argp_error(state, "out of memory");
  strcpy(stpcpy(copy, CLI_PARAM), text);
  add_input(state, o, copy);
  o->input[o->ninput - 1].made = copy;
}

// a word that the table has for a number of the option
static bool read_word(const cli_options* o, const char* name, const char* arg, double* value) {
  for (const sheafField* f = o->request->fields; f->name; f++) {
    if (f->role != SHEAF_ROLE_WORD || strcmp(f->name, name) || strcmp(f->text, arg)) continue;
    *value = f->initial;
    return true;
  }
  return false;
}

// An option that has words: is the argument a number, at least? The error lists the words.
static void check_word(struct argp_state* state, const char* name, const char* arg) {
  char list[200] = "", *end;
  strtod(arg, &end);
  if (end != arg && !*end) return;
  for (const sheafField* f = ((cli_options*)state->input)->request->fields; f->name; f++) {
    size_t used = strlen(list);
    if (f->role != SHEAF_ROLE_WORD || strcmp(f->name, name)) continue;
    snprintf(list + used, sizeof list - used, "%s, ", f->text);
  }
  if (*list) argp_error(state, "--%s \"%s\": expected %sor a number", name, arg, list);
}

// an option of the request
static error_t parse_field(int key, char* arg, struct argp_state* state) {
  cli_options* o = state->input;
  for (int i = 0; o->request && o->request->fields[i].name; i++) {
    const sheafField* f = &o->request->fields[i];
    if (f->role != SHEAF_ROLE_OPTION || key != key_of(f, i)) continue;
    if (f->type == SHEAF_TYPE_flag) {
      o->option[i] = 1;
    } else if (!read_word(o, f->name, arg, &o->option[i])) {
      check_word(state, f->name, arg);
      o->option[i] = f->type == SHEAF_TYPE_real ? read_number(state, arg, f->least, f->most)
                                                : read_int(state, arg, (int)f->least, (int)f->most);
    }
    return 0;
  }
  return ARGP_ERR_UNKNOWN;
}

static error_t parse_request(int key, char* arg, struct argp_state* state) {
  cli_options* o = state->input;
  switch (key) {
    case 'b': o->nbatch = read_int(state, arg, 1, 1 << 30); break;
    case 'c': o->concurrency = read_int(state, arg, 1, 64); break;
    case 'o': o->out = arg; break;
    case 't': o->threads = read_int(state, arg, 1, 4096); break;
    case KEY_KEYFRAME: o->key = read_int(state, arg, 0, 1 << 30); break;
    case KEY_SEED: o->seed = (uint64_t)read_number(state, arg, 0, 9e15); break;
    case KEY_NOISE: o->noise = read_number(state, arg, 0, 1e6); break;
    case KEY_INPUT: add_input(state, o, arg); break;
    case KEY_PARAM: add_param(state, o, arg); break;
    case KEY_OUTPUT:
      if (o->noutput == CLI_NAMES) argp_error(state, "too many outputs");
      o->output[o->noutput++] = arg;
      break;
    case KEY_COST:
      if (o->ncost == CLI_NAMES) argp_error(state, "too many terms");
      o->cost[o->ncost++] = arg;
      break;
    case KEY_COLUMN:
      if (o->ncolumn == CLI_NAMES) argp_error(state, "too many columns");
      o->column[o->ncolumn++] = arg;
      break;
    case KEY_ONLY: o->only = true; break;
    case KEY_INVERSE: break;  // main.c chose the request by it
    case KEY_TIMEOUT: o->timeout = read_number(state, arg, 1e-6, 1e9); break;
    case KEY_PARTIAL: o->partial = true; break;
    case KEY_SECONDS: o->seconds = read_number(state, arg, 0.01, 1e6); break;
    default: return parse_field(key, arg, state);
  }
  return 0;
}

// the argument that is not an option: a model, or the address of a server
static error_t parse_argument(char* arg, struct argp_state* state) {
  cli_options* o = state->input;
  if (state->arg_num) argp_error(state, "\"%s\": one %s only", arg, o->request ? "model" : "address");
  *(o->request ? &o->model : &o->address) = arg;
  return 0;
}

static error_t parse(int key, char* arg, struct argp_state* state) {
  cli_options* o = state->input;
  switch (key) {
    case 's': o->address = arg; break;
    case KEY_TLS_CA: o->tls_ca = arg; break;
    case KEY_TLS_CERTIFICATE: o->tls_certificate = arg; break;
    case KEY_TLS_KEY: o->tls_key = arg; break;
    case KEY_TOKEN: o->token = read_token(state, arg); break;
    case KEY_PATIENCE: o->patience = read_number(state, arg, 0, 1e9); break;
    case KEY_JSON: o->json = true; break;
    case 'q': o->quiet = true; break;
    case KEY_INTERVAL: o->interval = read_number(state, arg, 0.05, 3600); break;
    case KEY_UNLOAD:
      if (!*arg || strspn(arg, "0123456789abcdef") != strlen(arg))
        argp_error(state, "\"%s\": expected hexadecimal digits", arg);
      o->unload = arg;
      break;
    case KEY_COUNT: o->count = read_int(state, arg, 0, 1 << 30); break;
    case ARGP_KEY_ARG: return parse_argument(arg, state);
    case ARGP_KEY_NO_ARGS:
      if (o->request) argp_error(state, "no MODEL.xml");
      break;
    default: return parse_request(key, arg, state);
  }
  return 0;
}

double cli_option(const cli_options* o, const char* name) {
  for (int i = 0; o->request && o->request->fields[i].name; i++) {
    if (!strcmp(o->request->fields[i].name, name)) return o->option[i];
  }
  return 0;
}

// a rollout has 100 steps unless --nstep is given
static void set_defaults(cli_options* o) {
  for (int i = 0; o->request && o->request->fields[i].name; i++) {
    if (!strcmp(o->request->fields[i].name, "nstep")) o->option[i] = 100;
  }
}

static bool has_input(const sheafRequest* request, const char* name) {
  for (const sheafField* f = request->fields; f->name; f++) {
    if (f->role == SHEAF_ROLE_INPUT && !strcmp(f->name, name)) return true;
  }
  return false;
}

// what options a request has because of its inputs
static int kinds_of(const sheafRequest* request) {
  if (!request) return 0;
  return (has_input(request, "control") ? CLI_CONTROLS : 0) | (has_input(request, "noise") ? CLI_SAMPLES : 0) |
         (has_input(request, "cost_term") ? CLI_COSTS : 0);
}

cli_options cli_read_options(int argc, char** argv, const char* about, int command, const sheafRequest* request) {
  cli_options o = {.address = "tcp://127.0.0.1:7447",
                   .request = request,
                   .key = -1,
                   .seconds = 3,
                   .interval = 1,
                   .concurrency = 2,
                   .patience = 60};
  struct argp_option list[NOPTION + CLI_FIELDS + 1];
  set_defaults(&o);
  if (!strcmp(argv[0], "fd")) command |= CLI_FD;
  command |= kinds_of(request);
  list_options(list, command, request);
  char name[32], text[CLI_HELP_TEXT];
  snprintf(name, sizeof name, "sheaf %s", argv[0]);
  argv[0] = name;
  cli_describe(text, sizeof text, about, command & CLI_COMPUTE ? request : NULL);
  struct argp top = {list, parse, request ? "MODEL.xml" : "[ADDRESS]", text, NULL, NULL, NULL};
  argp_parse(&top, argc, argv, 0, NULL, &o);
  return o;
}
