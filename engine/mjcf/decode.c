// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Files that are no MJCF: a decoder that the program registered makes the specification.
#include <limits.h>
#include <stdio.h>

#include "mjcf/read.h"
#include "mjcf/source.h"

// ---- a file that no provider of the program opened, as a resource

static int readHeld(mjResource* resource, const void** buffer) {
  const mjiBytes* held = resource->data;
  if (held->size > INT_MAX) return -1;
  *buffer = held->data;
  return (int)held->size;
}

static void dirOfHeld(mjResource* resource, const char** dir, int* ndir) {
  *dir = resource->name;
  *ndir = (int)(mji_pathBase(resource->name) - resource->name);
}

static const mjpResourceProvider heldFile = {.read = readHeld, .getdir = dirOfHeld};

// ---- decode

static mjSpec* decode(const mjResource* resource, const char* content_type, char* error, int nerror) {
  const mjpDecoder* decoder = mjp_findDecoder(resource, content_type);
  if (!decoder) {
    snprintf(error, (size_t)nerror, "%s: neither its name nor '%s' says that it is XML, and no decoder reads it",
             resource->name, content_type ? content_type : "");
    return NULL;
  }
  mjSpec* spec = decoder->decode(resource);
  if (!spec) snprintf(error, (size_t)nerror, "%s: the decoder of '%s' failed", resource->name, decoder->content_type);
  return spec;
}

mjSpec* mji_decodeFile(const char* name, const char* content_type, const mjVFS* vfs, char* error, int nerror) {
  mjiBytes bytes;
  if (!mji_bytesOpenUnread(&bytes, vfs, name)) {
    snprintf(error, (size_t)nerror, "%s: cannot open: %s", name, bytes.why);
    return NULL;
  }
  mjResource held = {.name = (char*)name, .data = &bytes, .provider = &heldFile};
  mjSpec* spec = decode(bytes.resource ? bytes.resource : &held, content_type, error, nerror);
  mji_bytesFree(&bytes);
  return spec;
}
