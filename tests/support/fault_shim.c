// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Makes calls of a server fail when a test says so: LD_PRELOAD=libfault_shim.so, and SHEAF_FAULTS=FILE names the file
// of seven int32 that both map (e2e/test_faults.py).
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

// whose allocations: of the loop's thread; of workers, of libuv's pool, of log and metrics; of all
enum { LOOP, OTHERS, ALL };

typedef struct {
  int32_t pass, allocations;  // let so many pass, then fail so many
  int32_t accepts, accept_errno;
  int32_t writes, write_errno;
  int32_t threads;
} orders;

static orders none;
static volatile orders* told = &none;

// the process that compiles models has its own rules
static bool is_server(void) {
  char line[256] = {0};
  int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
  ssize_t n = fd >= 0 ? read(fd, line, sizeof line - 1) : -1;
  if (fd >= 0) close(fd);
  return n > 0 && memmem(line, (size_t)n, "serve", 5);
}

__attribute__((constructor)) static void begin(void) {
  const char* path = is_server() ? getenv("SHEAF_FAULTS") : NULL;
  int fd = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
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
  bool loop = gettid() == getpid();
  return told->threads == ALL || loop == (told->threads == LOOP);
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

static bool write_fails(int fd) {
  int type;
  socklen_t length = sizeof type;
  if (told->writes <= 0 || getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &length)) return false;
  told->writes--;
  errno = told->write_errno;
  return true;
}

ssize_t write(int fd, const void* bytes, size_t n) {
  static ssize_t (*next)(int, const void*, size_t);
  if (!next) *(void**)&next = dlsym(RTLD_NEXT, "write");
  return write_fails(fd) ? -1 : next(fd, bytes, n);
}

ssize_t writev(int fd, const struct iovec* pieces, int count) {
  static ssize_t (*next)(int, const struct iovec*, int);
  if (!next) *(void**)&next = dlsym(RTLD_NEXT, "writev");
  return write_fails(fd) ? -1 : next(fd, pieces, count);
}
