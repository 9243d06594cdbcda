// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Arithmetic alone, without memory: what a thread can do at best beside others. bench/scaling.py compiles and calls it.

typedef double Vector __attribute__((vector_size(64)));

enum { CHAINS = 4 };

double arithmetic(long n) {
  Vector x[CHAINS];
  for (int k = 0; k < CHAINS; k++) x[k] = (Vector){1, 2, 3, 4, 5, 6, 7, 8} * (k + 1);
  for (long i = 0; i < n; i++) {
    for (int k = 0; k < CHAINS; k++) x[k] = x[k] * 0.999999 + 1e-6;
  }
  double sum = 0;
  for (int k = 0; k < CHAINS; k++) sum += x[k][0];
  return sum;
}
