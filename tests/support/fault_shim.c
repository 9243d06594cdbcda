// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Makes calls of a server fail when a test says so: LD_PRELOAD=libfault_shim.so, and SHEAF_FAULTS=FILE names the file
// of int32 that both map (e2e/test_faults.py). The processes that compile models are started without these variables.
// For them the same code is part of a libsheaf.so that LD_LIBRARY_PATH finds, and the file lies beside it.
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

// whose allocations: of the loop's thread; of workers, of libuv's pool, of log and metrics; of all threads of the
// server; of the process that starts compilers; of compilers
enum { LOOP, OTHERS, ALL, SPAWNER, COMPILER };

// which calls on streams: of either kind, only those that read, only those that write
enum { BOTH, READS, WRITES };

typedef struct {
  int32_t pass, allocations;  // let so many pass, then fail so many
  int32_t accepts, accept_errno;
  int32_t writes, write_errno;
  int32_t threads;
  // let so many calls on streams pass, then fail so many; 0 as their error: they move one byte
  int32_t io_pass, ios, io_errno, io_which;
} orders;

static orders none;
static volatile orders* told = &none;

static enum { SERVER, SPAWNER_PROCESS, OTHER } process;
static pid_t first;  // of the process that was started; a compiler is a fork of it

static void find_process(void) {
  char line[256] = {0};
  int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
  ssize_t n = fd >= 0 ? read(fd, line, sizeof line - 1) : -1;
  if (fd >= 0) close(fd);
  process = OTHER;
  if (n > 0 && memmem(line, (size_t)n, "serve", 5)) process = SERVER;
  if (n > 0 && memmem(line, (size_t)n, "spawn-compilers", 15)) process = SPAWNER_PROCESS;
  first = getpid();
}

__attribute__((constructor)) static void begin(void) {
  char path[512] = "";
  const char *file = getenv("SHEAF_FAULTS"), *folder = getenv("LD_LIBRARY_PATH");
  find_process();
  if (process == SERVER && file) snprintf(path, sizeof path, "%s", file);
  if (process == SPAWNER_PROCESS && folder) snprintf(path, sizeof path, "%s/faults", folder);
  int fd = *path ? open(path, O_RDWR | O_CLOEXEC) : -1;
  void* map = fd >= 0 ? mmap(NULL, sizeof(orders), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) : MAP_FAILED;
  if (map != MAP_FAILED) told = map;
  if (fd >= 0) close(fd);
}

// ---- memory

void* __libc_malloc(size_t n);
void* __libc_calloc(size_t count, size_t n);
void* __libc_realloc(void* p, size_t n);
void* __libc_memalign(size_t alignment, size_t n);

static bool is_meant(void) {
  int whose = told->threads;
  if (process == SPAWNER_PROCESS) return whose == (getpid() == first ? SPAWNER : COMPILER);
  bool loop = gettid() == getpid();
  return process == SERVER && whose <= ALL && (whose == ALL || loop == (whose == LOOP));
}

// threads count down together; a number below zero has been passed by another
static bool fails(void) {
  if (told->allocations <= 0 || !is_meant()) return false;
  if (told->pass > 0 && __atomic_fetch_sub(&told->pass, 1, __ATOMIC_RELAXED) > 0) return false;
  if (__atomic_fetch_sub(&told->allocations, 1, __ATOMIC_RELAXED) <= 0) return false;
  errno = ENOMEM;
  return true;
}

void* malloc(size_t n) { return fails() ? NULL : __libc_malloc(n); }
void* calloc(size_t count, size_t n) { return fails() ? NULL : __libc_calloc(count, n); }
void* realloc(void* p, size_t n) { return fails() ? NULL : __libc_realloc(p, n); }
void* aligned_alloc(size_t alignment, size_t n) { return fails() ? NULL : __libc_memalign(alignment, n); }

// ---- sockets

int accept4(int fd, struct sockaddr* address, socklen_t* length, int flags) {
  static int (*next)(int, struct sockaddr*, socklen_t*, int);
  if (!next) *(void**)&next = dlsym(RTLD_NEXT, "accept4");
  if (told->accepts > 0) {
    told->accepts--;
    errno = told->accept_errno;
    return -1;
  }
  return next(fd, address, length, flags);
}

static bool is_socket(int fd, int wanted) {
  int type;
  socklen_t length = sizeof type;
  return !getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &length) && (!wanted || type == wanted);
}

// Does this call on a stream fail, or move one byte only? Then `bytes` is 1, and the error is that of the test.
static bool io_fails(int fd, int kind, size_t* bytes) {
  if (told->ios <= 0 || (told->io_which != BOTH && told->io_which != kind) || !is_socket(fd, SOCK_STREAM)) return false;
  if (told->io_pass > 0) {
    told->io_pass--;
    return false;
  }
  told->ios--;
  if (!told->io_errno) {
    *bytes = *bytes < 1 ? *bytes : 1;
    return false;
  }
  errno = told->io_errno;
  return true;
}

static bool write_fails(int fd, size_t* bytes) {
  if (io_fails(fd, WRITES, bytes)) return true;
  if (told->writes <= 0 || !is_socket(fd, 0)) return false;
  told->writes--;
  errno = told->write_errno;
  return true;
}

#define NEXT(name)               \
  static __typeof__(name)* next; \
  if (!next) *(void**)&next = dlsym(RTLD_NEXT, #name)

ssize_t read(int fd, void* bytes, size_t n) {
  NEXT(read);
  return io_fails(fd, READS, &n) ? -1 : next(fd, bytes, n);
}

ssize_t write(int fd, const void* bytes, size_t n) {
  NEXT(write);
  return write_fails(fd, &n) ? -1 : next(fd, bytes, n);
}

ssize_t writev(int fd, const struct iovec* pieces, int count) {
  size_t n = SIZE_MAX;
  NEXT(writev);
  if (write_fails(fd, &n)) return -1;
  if (n == SIZE_MAX) return next(fd, pieces, count);
  while (count > 1 && !pieces->iov_len) pieces++, count--;
  struct iovec one = {pieces->iov_base, pieces->iov_len < n ? pieces->iov_len : n};
  return next(fd, &one, 1);
}
