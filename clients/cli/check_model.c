// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// sheaf check: compile a model in this process, print its errors or its sizes, and try its first steps.
// sheaf info MODEL.xml: the same without steps.
#include <argp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mujoco/mujoco.h>
#include <sheaf/batch.h>

#include "commands.h"

enum { STEPS = 100, KEY_JSON = 256, EXIT_INVALID = 3 };

typedef struct {
  const char* path;
  bool json;
} arguments;

// sizes and numbers that are shown, by the names that sheaf_modelNumber knows
static const char* const shown[] = {"nbody", "njnt",    "ngeom", "nq",     "nv",      "nu",  "na",
                                    "neq",   "ntendon", "nkey",  "nstate", "nsensor", "ndx", "timestep"};

enum { NSHOWN = sizeof shown / sizeof shown[0] };

static int nwarning;

static void on_warning(const char* message) {
  fprintf(stderr, "sheaf: warning: %s\n", message);
  nwarning++;
}

static error_t parse(int key, char* arg, struct argp_state* state) {
  arguments* a = state->input;
  switch (key) {
    case KEY_JSON: a->json = true; break;
    case ARGP_KEY_ARG:
      if (state->arg_num) argp_error(state, "\"%s\": one model only", arg);
      a->path = arg;
      break;
    case ARGP_KEY_NO_ARGS: argp_error(state, "no MODEL.xml"); break;
    default: return ARGP_ERR_UNKNOWN;
  }
  return 0;
}

// The first of the reset state (-1) and the keyframes from which the first steps do not stay finite; nkey if all do.
// `step` receives the step.
static int find_bad_start(const mjModel* m, mjData* d, int* step) {
  for (int key = -1; key < m->nkey; key++) {
    if (key < 0) {
      mj_resetData(m, d);
    } else {
      mj_resetDataKeyframe(m, d, key);
    }
    for (*step = 0; *step < STEPS; ++*step) {
      mj_step(m, d);
      if (d->warning[mjWARN_BADQPOS].number || d->warning[mjWARN_BADQVEL].number || d->warning[mjWARN_BADQACC].number) {
        return key;
      }
    }
  }
  return m->nkey;
}

// Bytes that a thread may occupy with data of a model; 0 if there is no thread to be had. A thread's data has one part
// for each lane.
static size_t worker_bytes(const mjModel* m) {
  sheafPoolConfig config = {.size = sizeof config, .nthread = 1};
  sheafPool* pool = sheaf_openPool(&config, NULL);
  if (!pool) return 0;
  size_t bytes = sheaf_poolBytes(pool, m);
  sheaf_closePool(pool);
  return bytes;
}

static void print_text(const arguments* a, const mjModel* m) {
  printf("%s: compiles\n", a->path);
  for (int i = 0; i < NSHOWN; i++) printf("  %-10s %.6g\n", shown[i], sheaf_modelNumber(m, shown[i]));
  printf("  %-10s %d, states at once on this processor\n", "lanes", sheaf_modelLanes(m));
  double kib = (double)worker_bytes(m) / 1024;
  printf("  %-10s %.0f KiB at most for each thread, %.0f for each lane of it; the model %.0f KiB\n", "memory", kib,
         kib / sheaf_modelLanes(m), (double)mj_sizeModel(m) / 1024);
}

static void print_json(const mjModel* m, const char* command, bool good) {
  printf("{\"command\": \"%s\", \"good\": %s, \"warnings\": %d", command, good ? "true" : "false", nwarning);
  for (int i = 0; i < NSHOWN; i++) printf(", \"%s\": %.17g", shown[i], sheaf_modelNumber(m, shown[i]));
  size_t bytes = worker_bytes(m);
  printf(", \"lanes\": %d, \"worker_bytes\": %zu, \"lane_bytes\": %zu, \"model_bytes\": %lld}\n", sheaf_modelLanes(m),
         bytes, bytes / (size_t)sheaf_modelLanes(m), (long long)mj_sizeModel(m));
}

// try the model's first steps and print from which state they diverge
static int try_steps(const arguments* a, const mjModel* m) {
  int step = 0;
  mjData* d = mj_makeData(m);
  if (!d) {
    fprintf(stderr, "sheaf: %s: no memory for its data\n", a->path);
    return 1;
  }
  int key = find_bad_start(m, d, &step);
  if (key < 0) fprintf(stderr, "sheaf: %s: step %d from the reset state diverges\n", a->path, step);
  if (key >= 0 && key < m->nkey) fprintf(stderr, "sheaf: %s: step %d from keyframe %d diverges\n", a->path, step, key);
  if (a->json) {
    print_json(m, "check", key == m->nkey);
  } else {
    print_text(a, m);
  }
  mj_deleteData(d);
  return key == m->nkey ? 0 : EXIT_INVALID;
}

static int describe(const arguments* a, const mjModel* m) {
  if (a->json) {
    print_json(m, "info", true);
  } else {
    print_text(a, m);
  }
  return 0;
}

static int with_model(int argc, char** argv, char* name, const char* doc,
                      int (*use)(const arguments*, const mjModel*)) {
  static const struct argp_option options[] = {{"json", KEY_JSON, NULL, 0, "print one JSON object", 0}, {0}};
  const struct argp parser = {options, parse, "MODEL.xml", doc, NULL, NULL, NULL};
  arguments a = {0};
  char error[1024] = "";
  argv[0] = name;
  argp_parse(&parser, argc, argv, 0, NULL, &a);
  mju_user_warning = on_warning;
  mjModel* m = mj_loadXML(a.path, NULL, error, sizeof error);
  if (!m) {
    int named = !strncmp(error, a.path, strlen(a.path));  // errors of a file begin with it
    fprintf(stderr, named ? "sheaf: %s%s\n" : "sheaf: %s: %s\n", named ? "" : a.path, error);
    return 1;
  }
  if (error[0]) on_warning(error);
  int status = use(&a, m);
  mj_deleteModel(m);
  return status;
}

int cli_check(int argc, char** argv) {
  char name[] = "sheaf check";
  return with_model(argc, argv, name,
                    "Compile a model without a server, and try its first steps from the reset state and each keyframe.",
                    try_steps);
}

int cli_describe_model(int argc, char** argv) {
  char name[] = "sheaf info";
  return with_model(argc, argv, name, "Print sizes, lanes and memory of a model, without a server.", describe);
}
