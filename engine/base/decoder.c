// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The decoders of this process: functions that make a specification of a file that is no MJCF.
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <strings.h>

#include <mujoco/mujoco.h>

#include "base/memory.h"

enum { MAX_DECODER = 256 };  // more are an error; so the table never moves, and readers need no lock

static mjpDecoder table[MAX_DECODER];
static atomic_int count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void mjp_defaultDecoder(mjpDecoder* decoder) { memset(decoder, 0, sizeof *decoder); }

static int numDecoder(void) { return atomic_load_explicit(&count, memory_order_acquire); }

// ---- find

static int endsWith(const char* name, const char* suffix) {
  size_t n = strlen(name), k = strlen(suffix);
  return n >= k && !strcasecmp(name + n - k, suffix);
}

// The content type counts first, without its parameters ("model/x; a=b"); then the end of the name.
const mjpDecoder* mjp_findDecoder(const mjResource* resource, const char* content_type) {
  size_t n = content_type ? strcspn(content_type, "; \t") : 0;
  for (int i = 0; n && i < numDecoder(); i++) {
    const mjpDecoder* d = table + i;
    int is = strlen(d->content_type) == n && !strncasecmp(d->content_type, content_type, n);
    if (is && d->can_decode(resource)) return d;
  }
  for (int i = 0; i < numDecoder(); i++) {
    if (endsWith(resource->name, table[i].extension) && table[i].can_decode(resource)) return table + i;
  }
  return NULL;
}

// ---- register

static int same(const mjpDecoder* a, const mjpDecoder* b) {
  return !strcasecmp(a->extension, b->extension) && a->can_decode == b->can_decode && a->decode == b->decode;
}

static char* copyText(const char* text) {
  char* copy = mji_tryMalloc(strlen(text) + 1);
  return copy ? strcpy(copy, text) : NULL;
}

// NULL, or the reason why a decoder is not registered
static const char* addLocked(const mjpDecoder* decoder) {
  int n = numDecoder();
  for (int i = 0; i < n; i++) {
    if (strcasecmp(table[i].content_type, decoder->content_type)) continue;
    return same(table + i, decoder) ? NULL : "another decoder has this type";
  }
  if (n == MAX_DECODER) return "there are too many decoders";
  table[n] = *decoder;
  table[n].content_type = copyText(decoder->content_type);
  table[n].extension = copyText(decoder->extension);
  if (!table[n].content_type || !table[n].extension) return "out of memory";
  atomic_store_explicit(&count, n + 1, memory_order_release);
  return NULL;
}

void mjp_registerDecoder(const mjpDecoder* decoder) {
  const char* type = decoder->content_type ? decoder->content_type : "";
  const char* extension = decoder->extension ? decoder->extension : "";
  if (!decoder->can_decode || !decoder->decode || !*type || !*extension) {
    mju_warning("decoder of '%.200s' is not registered: it needs %s", type,
                *type && *extension ? "the functions can_decode and decode" : "a content type and an extension");
    return;
  }
  pthread_mutex_lock(&lock);
  const char* why = addLocked(decoder);
  pthread_mutex_unlock(&lock);
  if (why) mju_error("decoder of '%.200s' cannot be registered: %s", type, why);
}
