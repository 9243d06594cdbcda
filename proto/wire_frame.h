// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The fixed part of a frame in C, for the server and the C client. README.md describes it.
#ifndef SHEAF_PROTO_WIRE_FRAME_H_
#define SHEAF_PROTO_WIRE_FRAME_H_

#include <stdint.h>
#include <string.h>

enum {
  SHEAF_FRAME_BYTES = 32,  // header
  SHEAF_FRAME_VERSION = 1,
  SHEAF_FRAME_MORE = 0x01,  // flag: more frames of this request or reply follow
  SHEAF_FRAME_CONT = 0x02,  // flag: continues the data of an earlier request frame
  SHEAF_FRAME_ALIGN = 64,   // tensors start at multiples of this in the data section
};

#define SHEAF_FRAME_MAGIC 0x31464853u  // "SHF1"

typedef struct {
  uint32_t magic;
  uint8_t version;
  uint8_t flags;
  uint16_t type;
  uint64_t id;
  uint32_t control_len;
  uint32_t reserved;
  uint64_t data_len;
} sheaf_frame;

static inline uint64_t sheaf_frame_get(const uint8_t* in, int nbyte) {
  uint64_t value = 0;
  for (int i = nbyte - 1; i >= 0; i--) value = value << 8 | in[i];
  return value;
}

static inline void sheaf_frame_put(uint8_t* out, uint64_t value, int nbyte) {
  for (int i = 0; i < nbyte; i++, value >>= 8) out[i] = (uint8_t)value;
}

static inline sheaf_frame sheaf_frame_make(int type, int flags, uint64_t id, uint32_t control_len, uint64_t data_len) {
  return (sheaf_frame){SHEAF_FRAME_MAGIC, SHEAF_FRAME_VERSION, (uint8_t)flags, (uint16_t)type, id, control_len, 0,
                       data_len};
}

// Read the fields of a header; the caller checks them.
static inline sheaf_frame sheaf_frame_read(const uint8_t in[SHEAF_FRAME_BYTES]) {
  sheaf_frame f;
  f.magic = (uint32_t)sheaf_frame_get(in, 4);
  f.version = in[4];
  f.flags = in[5];
  f.type = (uint16_t)sheaf_frame_get(in + 6, 2);
  f.id = sheaf_frame_get(in + 8, 8);
  f.control_len = (uint32_t)sheaf_frame_get(in + 16, 4);
  f.reserved = (uint32_t)sheaf_frame_get(in + 20, 4);
  f.data_len = sheaf_frame_get(in + 24, 8);
  return f;
}

static inline void sheaf_frame_write(uint8_t out[SHEAF_FRAME_BYTES], const sheaf_frame* f) {
  sheaf_frame_put(out, f->magic, 4);
  out[4] = f->version;
  out[5] = f->flags;
  sheaf_frame_put(out + 6, f->type, 2);
  sheaf_frame_put(out + 8, f->id, 8);
  sheaf_frame_put(out + 16, f->control_len, 4);
  sheaf_frame_put(out + 20, f->reserved, 4);
  sheaf_frame_put(out + 24, f->data_len, 8);
}

// The next offset at which a tensor may start.
static inline uint64_t sheaf_frame_align(uint64_t offset) {
  return (offset + SHEAF_FRAME_ALIGN - 1) & ~(uint64_t)(SHEAF_FRAME_ALIGN - 1);
}

#endif  // SHEAF_PROTO_WIRE_FRAME_H_
