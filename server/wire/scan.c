// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "wire/scan.h"

#include <stdbool.h>
#include <string.h>

typedef struct {
  const uint8_t* at;
  const uint8_t* end;
} cursor;

typedef struct {
  int unknown;  // unknown fields met so far
  const char* reason;
} scan;

enum { VARINT = 0, BITS64 = 1, LENGTH = 2, BITS32 = 5 };  // wire types; groups (3, 4) are refused
enum { MAXFIELD = 32 };                                   // singular sub-messages that are told apart

static bool fail(scan* s, const char* reason) {
  s->reason = reason;
  return false;
}

static bool read_varint(cursor* c, uint64_t* value) {
  *value = 0;
  for (int shift = 0; shift < 64 && c->at < c->end; shift += 7) {
    uint8_t byte = *c->at++;
    *value |= (uint64_t)(byte & 0x7f) << shift;
    if (!(byte & 0x80)) return true;
  }
  return false;
}

// the bytes of a field's value; *value is the length for LENGTH
static bool read_value(cursor* c, int wire, uint64_t* value) {
  switch (wire) {
    case VARINT: return read_varint(c, value);
    case BITS64: *value = 8; break;
    case BITS32: *value = 4; break;
    case LENGTH:
      if (!read_varint(c, value)) return false;
      break;
    default: return false;
  }
  if (*value > (uint64_t)(c->end - c->at)) return false;
  c->at += *value;
  return true;
}

static int wire_of(const ProtobufCFieldDescriptor* field) {
  switch (field->type) {
    case PROTOBUF_C_TYPE_SFIXED32:
    case PROTOBUF_C_TYPE_FIXED32:
    case PROTOBUF_C_TYPE_FLOAT: return BITS32;
    case PROTOBUF_C_TYPE_SFIXED64:
    case PROTOBUF_C_TYPE_FIXED64:
    case PROTOBUF_C_TYPE_DOUBLE: return BITS64;
    case PROTOBUF_C_TYPE_STRING:
    case PROTOBUF_C_TYPE_BYTES:
    case PROTOBUF_C_TYPE_MESSAGE: return LENGTH;
    default: return VARINT;
  }
}

static bool wire_fits(const ProtobufCFieldDescriptor* field, int wire) {
  int want = wire_of(field);
  bool packed = field->label == PROTOBUF_C_LABEL_REPEATED && want != LENGTH && wire == LENGTH;
  return wire == want || packed;
}

static bool scan_message(scan* s, const ProtobufCMessageDescriptor* type, cursor c, int depth);

// one field that the descriptor knows; `seen` has a bit per singular sub-message
static bool scan_known(scan* s, const ProtobufCMessageDescriptor* type, const ProtobufCFieldDescriptor* field, int wire,
                       cursor value, int depth, uint32_t* seen) {
  if (!wire_fits(field, wire)) return fail(s, "a field has the wrong wire type");
  if (field->type == PROTOBUF_C_TYPE_STRING && memchr(value.at, 0, (size_t)(value.end - value.at))) {
    return fail(s, "a string contains a zero byte");
  }
  if (field->type != PROTOBUF_C_TYPE_MESSAGE) return true;
  if (field->label != PROTOBUF_C_LABEL_REPEATED) {
    ptrdiff_t index = field - type->fields;
    if (index >= MAXFIELD) return fail(s, "too many kinds of fields");
    if (*seen >> index & 1) return fail(s, "a singular sub-message is repeated");
    *seen |= 1u << index;
  }
  return scan_message(s, field->descriptor, value, depth + 1);
}

static bool scan_message(scan* s, const ProtobufCMessageDescriptor* type, cursor c, int depth) {
  if (depth > SRV_SCAN_DEPTH) return fail(s, "messages are nested too deep");
  uint32_t seen = 0;
  while (c.at < c.end) {
    uint64_t key, value;
    if (!read_varint(&c, &key) || key >> 3 == 0 || key >> 3 > 0x1fffffff) {
      return fail(s, "a field key is malformed");
    }
    int wire = (int)(key & 7);
    if (!read_value(&c, wire, &value)) return fail(s, "a field is truncated or malformed");
    const ProtobufCFieldDescriptor* field = protobuf_c_message_descriptor_get_field(type, (unsigned)(key >> 3));
    if (!field) {
      if (++s->unknown > SRV_SCAN_UNKNOWN) return fail(s, "too many unknown fields");
      continue;
    }
    cursor inner = {wire == LENGTH ? c.at - value : c.at, c.at};
    if (!scan_known(s, type, field, wire, inner, depth, &seen)) return false;
  }
  return true;
}

const char* srv_scan(const ProtobufCMessageDescriptor* type, const uint8_t* bytes, size_t n) {
  if (!n) return NULL;
  scan s = {0};
  cursor c = {bytes, bytes + n};
  return scan_message(&s, type, c, 1) ? NULL : s.reason;
}
