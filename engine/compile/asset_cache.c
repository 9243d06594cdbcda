// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The asset cache: meshes of files that were compiled before. To compile a model again takes a small part of the time
// then, because hulls and polygons of meshes take most of it.
//
// An entry holds the bytes of the file, too, and a mesh is taken only for the same bytes: so a file that changed on
// disk, or another file of the same name, is never mistaken for the old one. When room is out, entries that were not
// used for the longest time go first. Memory comes from malloc, not from the functions of the program: it outlives
// models.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "compile/asset_cache.h"

typedef struct Entry_ {
  struct Entry_* next;
  mjiMeshKey key;
  size_t nbytes;  // of the file: they follow this struct
  size_t size;    // of all
  mjiMesh mesh;   // its arrays follow the bytes of the file
} Entry;

static struct {
  pthread_mutex_t lock;
  Entry* first;  // the most recently used one
  size_t size, capacity;
} cache = {.lock = PTHREAD_MUTEX_INITIALIZER, .capacity = (size_t)500 << 20};

static size_t padded(size_t size) { return (size + 15) & ~(size_t)15; }

// ---- with the lock

// free entries behind those that fit
static void shrink(size_t most) {
  Entry** at = &cache.first;
  size_t kept = 0;
  while (*at && kept + (*at)->size <= most) {
    kept += (*at)->size;
    at = &(*at)->next;
  }
  for (Entry *e = *at, *next; e; e = next) {
    next = e->next;
    free(e);
  }
  *at = NULL;
  cache.size = kept;
}

// an entry, which becomes the most recently used one
static Entry* find(const mjiMeshKey* key, const mjiBytes* bytes) {
  for (Entry** at = &cache.first; *at; at = &(*at)->next) {
    Entry* e = *at;
    if (e->nbytes != bytes->size || memcmp(&e->key, key, sizeof *key)) continue;
    if (memcmp(e + 1, bytes->data, e->nbytes)) continue;
    *at = e->next;
    e->next = cache.first;
    return cache.first = e;
  }
  return NULL;
}

// all in one block of memory; NULL if there is none
static Entry* makeEntry(const mjiMesh* mesh, const mjiMeshKey* key, const mjiBytes* bytes) {
  mjiMesh own = *mesh;
  mjiMeshPart part[mjiMESH_PARTS];
  mji_mesh_parts(&own, part);
  size_t size = sizeof(Entry) + padded(bytes->size);
  for (int i = 0; i < mjiMESH_PARTS; i++) size += *part[i].array ? padded(part[i].size) : 0;
  if (size > cache.capacity) return NULL;
  shrink(cache.capacity - size);
  Entry* e = malloc(size);
  if (!e) return NULL;
  char* to = (char*)(e + 1) + padded(bytes->size);
  memcpy(e + 1, bytes->data, bytes->size);
  for (int i = 0; i < mjiMESH_PARTS; i++) {
    if (!*part[i].array) continue;
    *part[i].array = memcpy(to, *part[i].array, part[i].size);
    to += padded(part[i].size);
  }
  own.path = NULL;
  *e = (Entry){.key = *key, .nbytes = bytes->size, .size = size, .mesh = own};
  return e;
}

// ---- for the compiler

int mji_cacheTake(mjiMesh* out, const mjiMeshKey* key, const mjiBytes* bytes) {
  char* path = out->path;
  pthread_mutex_lock(&cache.lock);
  Entry* e = find(key, bytes);
  if (e) *out = e->mesh;
  int taken = e && !mji_mesh_ownParts(out);
  pthread_mutex_unlock(&cache.lock);
  out->path = path;
  return taken;
}

void mji_cachePut(const mjiMesh* mesh, const mjiMeshKey* key, const mjiBytes* bytes) {
  pthread_mutex_lock(&cache.lock);
  Entry* e = find(key, bytes) ? NULL : makeEntry(mesh, key, bytes);
  if (e) {
    e->next = cache.first;
    cache.first = e;
    cache.size += e->size;
  }
  pthread_mutex_unlock(&cache.lock);
}

// ---- for programs

mjCache* mj_getCache(void) {
  static mjCache one = {&cache};
  return &one;
}

static size_t ask(const mjCache* which, const size_t* number) {
  if (!which) return 0;
  pthread_mutex_lock(&cache.lock);
  size_t value = *number;
  pthread_mutex_unlock(&cache.lock);
  return value;
}

size_t mj_getCacheSize(const mjCache* which) { return ask(which, &cache.size); }

size_t mj_getCacheCapacity(const mjCache* which) { return ask(which, &cache.capacity); }

size_t mj_setCacheCapacity(mjCache* which, size_t size) {
  if (!which) return 0;
  pthread_mutex_lock(&cache.lock);
  cache.capacity = size;
  shrink(size);
  pthread_mutex_unlock(&cache.lock);
  return size;
}

void mj_clearCache(mjCache* which) {
  if (!which) return;
  pthread_mutex_lock(&cache.lock);
  shrink(0);
  pthread_mutex_unlock(&cache.lock);
}
