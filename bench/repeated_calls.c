// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Calls of one function of the public API in a row. bench/published.py loads both libraries and gives the functions of
// either, so that neither pays for Python between two calls.

typedef void Stage(const void* model, void* data);
typedef void SetState(const void* model, void* data, const double* state, unsigned spec);

// n calls from each of nstate states of size nx
void repeatFromStates(Stage* f, SetState* set, const void* model, void* data, const double* state, int nstate, int nx,
                      unsigned spec, int n) {
  for (int i = 0; i < nstate; i++) {
    set(model, data, state + (long)i * nx, spec);
    for (int k = 0; k < n; k++) f(model, data);
  }
}
