// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "npy.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// "\x93NUMPY", version, length of the header, then a Python dictionary in text
static const unsigned char magic[] = {0x93, 'N', 'U', 'M', 'P', 'Y'};
enum { PREFIX = 10, MAX_HEADER = 4096, ALIGN = 64 };

// the numbers between the parentheses after 'shape'
static int read_shape(npy* a, const char* header) {
  const char* p = strstr(header, "'shape'");
  p = p ? strchr(p, '(') : NULL;
  if (!p) return 0;
  a->count = 1;
  for (p++; *p && *p != ')';) {
    char* end;
    long n = strtol(p, &end, 10);
    if (end == p || n < 0 || n > INT32_MAX || a->rank == NPY_RANK) return 0;
    a->shape[a->rank++] = (int)n;
    if (__builtin_mul_overflow(a->count, (size_t)n, &a->count)) return 0;
    p = end + strspn(end, ", ");
  }
  return *p == ')';
}

static const char* read_header(npy* a, FILE* file) {
  unsigned char prefix[PREFIX];
  char header[MAX_HEADER + 1] = "";
  if (fread(prefix, 1, PREFIX, file) != PREFIX || memcmp(prefix, magic, sizeof magic) || prefix[6] != 1) {
    return "not a .npy file of version 1";
  }
  size_t n = prefix[8] | (size_t)prefix[9] << 8;
  if (n > MAX_HEADER || fread(header, 1, n, file) != n) return "its header is truncated";
  if (!strstr(header, "'<f8'")) return "expected little-endian doubles (float64)";
  if (strstr(header, "True")) return "expected C order";
  return read_shape(a, header) ? NULL : "its shape cannot be read";
}

const char* npy_read(npy* a, const char* path) {
  FILE* file = fopen(path, "rb");
  memset(a, 0, sizeof *a);
  if (!file) return strerror(errno);
  const char* reason = read_header(a, file);
  if (!reason) {
    a->data = a->count < SIZE_MAX / sizeof(double) ? malloc(sizeof(double) * a->count + 1) : NULL;
    if (!a->data) {
      reason = "out of memory";
    } else if (fread(a->data, sizeof(double), a->count, file) != a->count) {
      reason = "it has fewer numbers than its shape says";
      free(a->data);
      a->data = NULL;
    }
  }
  fclose(file);
  return reason;
}

size_t npy_bytes(char type) { return type == 'd' ? sizeof(double) : sizeof(int32_t); }

const char* npy_write(const char* path, char type, int rank, const int* shape, const void* data) {
  char text[256] = "";
  size_t count = 1;
  int n = snprintf(text, sizeof text, "{'descr': '%s', 'fortran_order': False, 'shape': (",
                   type == 'd'   ? "<f8"
                   : type == 'f' ? "<f4"
                                 : "<i4");
  for (int i = 0; i < rank; i++) {
    n += snprintf(text + n, sizeof text - (size_t)n, "%d,", shape[i]);
    count *= (size_t)shape[i];
  }
  n += snprintf(text + n, sizeof text - (size_t)n, "), }");

  // spaces up to a multiple of 64, a line feed at the end
  int length = (PREFIX + n + 1 + ALIGN - 1) / ALIGN * ALIGN - PREFIX;
  unsigned char prefix[PREFIX] = {1, [6] = 1, [8] = (unsigned char)(length & 255), [9] = (unsigned char)(length >> 8)};
  memcpy(prefix, magic, sizeof magic);
  FILE* file = fopen(path, "wb");
  if (!file) return strerror(errno);
  fwrite(prefix, 1, PREFIX, file);
  fprintf(file, "%-*s\n", length - 1, text);
  fwrite(data, npy_bytes(type), count, file);
  return fclose(file) ? strerror(errno) : NULL;
}
