// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "control.h"

#include <stdlib.h>
#include <string.h>

// splitmix64, so that a seed gives the same controls on every system
static double uniform(uint64_t* state) {
  uint64_t z = *state += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return (double)((z ^ z >> 31) >> 11) * 0x1p-53;
}

double* cli_make_controls(const cli_options* o, const sheafc_model* m, int nbatch, int nstep, sheafc_rollout_args* r) {
  int nu = sheafc_get_model_info(m)->nu;
  const double* range = sheafc_model_array(m, "ctrlrange", NULL);
  size_t rows = (size_t)nbatch * (size_t)nstep;
  double* control = o->noise > 0 && nu ? malloc(sizeof(double) * rows * (size_t)nu) : NULL;
  if (!control) return NULL;
  uint64_t state = o->seed;
  for (size_t i = 0; i < rows * (size_t)nu; i++) {
    size_t u = i % (size_t)nu;
    bool limited = range && range[2 * u] < range[2 * u + 1];
    double low = limited ? range[2 * u] : -1, high = limited ? range[2 * u + 1] : 1;
    control[i] = 0.5 * (low + high) + o->noise * (high - low) * (uniform(&state) - 0.5);
  }
  r->control = control;
  r->ncontrol = nbatch;
  r->ncontrolstep = nstep;
  return control;
}

double* cli_repeat(const double* row, int size, int n) {
  double* copies = row ? malloc(sizeof(double) * (size_t)size * (size_t)n + 1) : NULL;
  for (int i = 0; copies && i < n; i++) memcpy(copies + (size_t)i * (size_t)size, row, sizeof(double) * (size_t)size);
  return copies;
}
