// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// A file in memory for what reads files by their path: one at a time, with these bytes.
#ifndef SHEAF_TESTS_FUZZ_FUZZ_FILE_H_
#define SHEAF_TESTS_FUZZ_FUZZ_FILE_H_

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

typedef struct {
  int fd;
  char path[64];
} fuzz_file;

static inline const char* fuzz_file_write(fuzz_file* f, const void* bytes, size_t n) {
  if (!f->path[0]) {
    f->fd = memfd_create("fuzz", MFD_CLOEXEC);
    snprintf(f->path, sizeof f->path, "/proc/self/fd/%d", f->fd);
  }
  if (f->fd < 0 || ftruncate(f->fd, 0) || pwrite(f->fd, bytes, n, 0) != (ssize_t)n) abort();
  return f->path;
}

#endif  // SHEAF_TESTS_FUZZ_FUZZ_FILE_H_
