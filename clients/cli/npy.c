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

// the types that are read, each as doubles
static const struct {
  const char* name;
  size_t bytes;
} types[] = {{"'<f8'", 8}, {"'<f4'", 4}, {"'<i4'", 4}, {"'<i8'", 8}};
enum { F8, F4, I4, I8, NTYPE };

static double to_double(const unsigned char* from, int type) {
  double f8;
  float f4;
  int32_t i4;
  int64_t i8;
  switch (type) {
    case F4: return memcpy(&f4, from, sizeof f4), (double)f4;
    case I4: return memcpy(&i4, from, sizeof i4), (double)i4;
    case I8: return memcpy(&i8, from, sizeof i8), (double)i8;
    default: return memcpy(&f8, from, sizeof f8), f8;
  }
}

// read the numbers behind the header; those of four bytes come to the end of their places and move from the first on
static const char* read_numbers(npy* a, int type, FILE* file) {
  size_t bytes = types[type].bytes;
  if (a->count >= SIZE_MAX / sizeof(double)) return "out of memory";
  unsigned char* memory = malloc(sizeof(double) * a->count + 1);
  if (!memory) return "out of memory";
  unsigned char* from = memory + (sizeof(double) - bytes) * a->count;
  if (fread(from, bytes, a->count, file) != a->count) return free(memory), "it has fewer numbers than its shape says";
  for (size_t i = 0; type != F8 && i < a->count; i++) {
    double x = to_double(from + bytes * i, type);
    memcpy(memory + sizeof x * i, &x, sizeof x);
  }
  a->data = (double*)(void*)memory;
  return NULL;
}

static const char* read_header(npy* a, int* type, FILE* file) {
  unsigned char prefix[PREFIX];
  char header[MAX_HEADER + 1] = "";
  if (fread(prefix, 1, PREFIX, file) != PREFIX || memcmp(prefix, magic, sizeof magic) || prefix[6] != 1) {
    return "not a .npy file of version 1";
  }
  size_t n = prefix[8] | (size_t)prefix[9] << 8;
  if (n > MAX_HEADER || fread(header, 1, n, file) != n) return "its header is truncated";
  for (*type = 0; *type < NTYPE && !strstr(header, types[*type].name);) ++*type;
  if (*type == NTYPE) return "expected little-endian float64, float32, int32 or int64";
  if (strstr(header, "True")) return "expected C order";
  return read_shape(a, header) ? NULL : "its shape cannot be read";
}

const char* npy_read(npy* a, const char* path) {
  FILE* file = fopen(path, "rb");
  memset(a, 0, sizeof *a);
  if (!file) return strerror(errno);
  int type;
  const char* reason = read_header(a, &type, file);
  if (!reason) reason = read_numbers(a, type, file);
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
