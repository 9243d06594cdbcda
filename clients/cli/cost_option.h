// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Terms of costs on the command line: --cost "NORM OF [weight=W] [target=X,X,...] [terminal=W] [p=P] [q=Q]".
#ifndef SHEAF_CLI_COST_OPTION_H_
#define SHEAF_CLI_COST_OPTION_H_

#include "options.h"

enum { CLI_TARGETS = 1024 };

typedef struct {
  sheafCostTerm term[CLI_NAMES];
  double target[CLI_TARGETS];
  int nterm, ntarget;
} cli_costs;

// Read the terms of the --cost options, with elements that the model has. False after a message.
bool cli_read_costs(const cli_options* o, const sheafc_model* m, cli_costs* costs);

#endif  // SHEAF_CLI_COST_OPTION_H_
