// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The resource providers of this process, by slot from 1 on. A provider stays once it is registered.
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <strings.h>

#include <mujoco/mujoco.h>
#include <sheaf/providers.h>

#include "base/memory.h"

enum { MAX_PROVIDER = 256 };  // more are an error; so the table never moves, and readers need no lock

static mjpResourceProvider table[MAX_PROVIDER];
static atomic_int count;
static atomic_int forbidden;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void mjp_defaultResourceProvider(mjpResourceProvider* provider) { memset(provider, 0, sizeof *provider); }

int mjp_resourceProviderCount(void) {
  return atomic_load(&forbidden) ? 0 : atomic_load_explicit(&count, memory_order_acquire);
}

const mjpResourceProvider* mjp_getResourceProviderAtSlot(int slot) {
  return slot < 1 || slot > mjp_resourceProviderCount() ? NULL : table + slot - 1;
}

void sheaf_forbidProviders(void) { atomic_store(&forbidden, 1); }

// ---- schemes

// the letters of an address, whatever the locale
static int isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// length of the scheme that a text begins with: a letter, then letters, digits, '+', '-' and '.'
static size_t schemeLength(const char* text) {
  size_t n = 0;
  if (!isLetter(*text)) return 0;
  while (isLetter(text[n]) || (text[n] >= '0' && text[n] <= '9') || (text[n] && strchr("+-.", text[n]))) n++;
  return n;
}

// slot of the provider with a prefix of n letters, small or capital; 0 if there is none
static int findPrefix(const char* prefix, size_t n) {
  int num = mjp_resourceProviderCount();
  for (int slot = 1; slot <= num; slot++) {
    const char* own = table[slot - 1].prefix;
    if (strlen(own) == n && !strncasecmp(own, prefix, n)) return slot;
  }
  return 0;
}

const mjpResourceProvider* mjp_getResourceProvider(const char* resource_name) {
  if (!resource_name || !mjp_resourceProviderCount()) return NULL;
  size_t n = schemeLength(resource_name);
  return n && resource_name[n] == ':' ? mjp_getResourceProviderAtSlot(findPrefix(resource_name, n)) : NULL;
}

// ---- register

static int same(const mjpResourceProvider* a, const mjpResourceProvider* b) {
  return a->open == b->open && a->read == b->read && a->close == b->close && a->getdir == b->getdir &&
         a->modified == b->modified && a->data == b->data;
}

// slot of the provider, or -1 with the reason
static int addLocked(const mjpResourceProvider* provider, const char** why) {
  size_t n = strlen(provider->prefix);
  int slot = findPrefix(provider->prefix, n), num = mjp_resourceProviderCount();
  *why = "another provider has this prefix";
  if (slot) return same(table + slot - 1, provider) ? slot : -1;
  *why = "there are too many providers";
  if (num == MAX_PROVIDER) return -1;
  *why = "out of memory";
  char* prefix = mji_tryMalloc(n + 1);
  if (!prefix) return -1;
  table[num] = *provider;
  table[num].prefix = strcpy(prefix, provider->prefix);
  atomic_store_explicit(&count, num + 1, memory_order_release);
  return num + 1;
}

int mjp_registerResourceProvider(const mjpResourceProvider* provider) {
  const char* prefix = provider->prefix ? provider->prefix : "";
  const char* why = NULL;
  if (!*prefix || prefix[schemeLength(prefix)]) {
    why = "its prefix must be a letter followed by letters, digits, '+', '-' and '.'";
  } else if (!provider->open || !provider->read || !provider->close) {
    why = "it needs the functions open, read and close";
  } else if (atomic_load(&forbidden)) {
    why = "this program forbids providers";
  }
  if (why) {
    mju_warning("resource provider '%.200s' is not registered: %s", prefix, why);
    return -1;
  }
  pthread_mutex_lock(&lock);
  int slot = addLocked(provider, &why);
  pthread_mutex_unlock(&lock);
  if (slot < 0) mju_error("resource provider '%.200s' cannot be registered: %s", prefix, why);
  return slot;
}
