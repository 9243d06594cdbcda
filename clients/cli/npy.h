// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Arrays in files of numpy's .npy format.
#ifndef SHEAF_CLI_NPY_H_
#define SHEAF_CLI_NPY_H_

#include <stddef.h>
#include <stdint.h>

enum { NPY_RANK = 4 };

typedef struct {
  double* data;  // to be freed
  int rank;
  int shape[NPY_RANK];
  size_t count;
} npy;

// Read an array in C order of little-endian float64, float32, int32 or int64, as doubles. Returns NULL, or the reason
// why it cannot be read.
const char* npy_read(npy* a, const char* path);

// Bytes of an element: 'd' for double, 'f' for float, 'i' for int32_t.
size_t npy_bytes(char type);

// Write an array of such elements. Returns NULL, or the reason why it cannot be written.
const char* npy_write(const char* path, char type, int rank, const int* shape, const void* data);

#endif  // SHEAF_CLI_NPY_H_
