// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Inputs that the command makes itself: random controls, one state repeated for many rows.
#ifndef SHEAF_CLI_CONTROL_H_
#define SHEAF_CLI_CONTROL_H_

#include "options.h"

// Make random controls for --noise, uniform in that part of the control range ([-1, 1] where there is none), and set
// them in the arguments. Returns them; NULL without --noise or without actuators.
double* cli_make_controls(const cli_options* o, const sheafc_model* m, int nbatch, int nstep, sheafc_rollout_args* r);

// n copies of a row. NULL if the row is NULL or memory is lacking.
double* cli_repeat(const double* row, int size, int n);

#endif  // SHEAF_CLI_CONTROL_H_
