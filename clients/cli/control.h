// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Made-up inputs: random controls, one state for many rows.
#ifndef SHEAF_CLI_CONTROL_H_
#define SHEAF_CLI_CONTROL_H_

#include "options.h"

// Random controls for --noise, uniform in that part of the control range ([-1, 1] where there is none), set in the
// arguments. NULL without --noise or actuators.
double* cli_make_controls(const cli_options* o, const sheafc_model* m, int nbatch, int nstep, sheafc_rollout_args* r);

// n copies of a row. NULL if the row is NULL or without memory.
double* cli_repeat(const double* row, int size, int n);

#endif  // SHEAF_CLI_CONTROL_H_
