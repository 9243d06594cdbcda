// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "net/region.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "sheaf.pb-c.h"

// If the kernel counts every page before it is used (vm.overcommit_memory 2), a page that a client has punched out of
// the file may not come back, and the worker that writes there would get SIGBUS, which ends the server. Then share
// nothing.
static bool kernel_is_strict(void) {
  static int strict = -1;
  if (strict < 0) {
    FILE* file = fopen("/proc/sys/vm/overcommit_memory", "r");
    strict = file && fgetc(file) == '2';
    if (file) fclose(file);
  }
  return strict;
}

// a file of fixed size: a descriptor, or -1
static int make_file(uint64_t bytes) {
  int fd = memfd_create("sheaf-results", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (fd < 0) return -1;
  if (!ftruncate(fd, (off_t)bytes) && !fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL)) return fd;
  close(fd);
  return -1;
}

static int check(const srv_conn* conn, uint64_t bytes, srv_error* error) {
  unsigned n = 0;
  for (const srv_region* r = conn->regions; r; r = r->next) n++;
  srv_ledger* ledger = conn->net->ledger;
  if (conn->as.handle.type != UV_NAMED_PIPE || kernel_is_strict()) {
    return srv_error_set(error, SHEAF__CODE__CODE_FAILED_PRECONDITION,
                         "region: memory cannot be shared on this connection");
  }
  if (bytes < 1 || bytes > SRV_REGION_BYTES) {
    return srv_error_field(error, "bytes", "1 to 67108864", "%" PRIu64, bytes);
  }
  if (n >= SRV_REGIONS || ledger->region + bytes > ledger->limit / 4 || !srv_ledger_room(ledger, bytes)) {
    return srv_error_busy(error, SHEAF__CODE__CODE_RESOURCE_EXHAUSTED, 1000000, "no more memory to share");
  }
  return 0;
}

static srv_region* map(uint64_t bytes, int* fd) {
  srv_region* r = calloc(1, sizeof *r);
  *fd = r ? make_file(bytes) : -1;
  void* memory = *fd < 0 ? MAP_FAILED : mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, *fd, 0);
  if (memory != MAP_FAILED) {
    r->memory = memory;
    r->bytes = bytes;
    return r;
  }
  if (*fd >= 0) close(*fd);
  free(r);
  return NULL;
}

srv_region* srv_region_make(srv_conn* conn, uint64_t bytes, srv_error* error) {
  int fd;
  long page = sysconf(_SC_PAGESIZE);
  if (check(conn, bytes, error)) return NULL;
  srv_region* r = map((bytes + (uint64_t)page - 1) / (uint64_t)page * (uint64_t)page, &fd);
  if (!r) {
    srv_error_busy(error, SHEAF__CODE__CODE_RESOURCE_EXHAUSTED, 1000000, "no memory to share");
    return NULL;
  }
  uv_pipe_init(conn->net->loop, &r->pass, 0);
  r->pass.data = r;
  r->ledger = conn->net->ledger;
  r->ledger->region += r->bytes;
  r->id = ++conn->last_region;
  r->refs = 2;  // the connection, and the descriptor on its way
  if (uv_pipe_open(&r->pass, fd)) close(fd);
  r->next = conn->regions;
  conn->regions = r;
  return r;
}

static void on_passed(uv_handle_t* pass) { srv_region_unref(pass->data); }

// the reply was sent or given up: close the server's descriptor
static void release(void* region) { uv_close((uv_handle_t*)&((srv_region*)region)->pass, on_passed); }

void srv_region_attach(srv_region* region, srv_out* out) {
  if (!out) {
    release(region);
    return;
  }
  out->release = release;
  out->owner = region;
  out->pass = (uv_stream_t*)&region->pass;
}

srv_region* srv_region_find(srv_conn* conn, uint64_t id) {
  srv_region* r = conn->regions;
  while (r && r->id != id) r = r->next;
  return r;
}

void srv_region_close(srv_conn* conn, uint64_t id) {
  srv_region** link = &conn->regions;
  while (*link && (*link)->id != id) link = &(*link)->next;
  srv_region* r = *link;
  if (!r) return;
  *link = r->next;
  srv_region_unref(r);
}

void srv_region_close_all(srv_conn* conn) {
  while (conn->regions) srv_region_close(conn, conn->regions->id);
}

void srv_region_unref(srv_region* r) {
  if (!r || --r->refs) return;
  r->ledger->region -= r->bytes;
  munmap(r->memory, r->bytes);
  free(r);
}
