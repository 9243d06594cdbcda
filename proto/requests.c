// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "requests.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static const struct {
  int type;
  const ProtobufCMessageDescriptor* message;
} messages[] = {
#define SHEAF_REQUEST(KIND, Type, call, name, unit, doc) \
  {SHEAF__FRAME_TYPE__FRAME_##KIND, &sheaf__##name##__descriptor},
#include <sheaf/request_table.h>
};

enum { NMESSAGE = sizeof messages / sizeof messages[0] };

int sheaf_message_type(int kind) { return messages[kind].type; }

const ProtobufCMessageDescriptor* sheaf_message_of(int kind) { return messages[kind].message; }

int sheaf_message_kind(int type) {
  for (int i = 0; i < NMESSAGE; i++) {
    if (messages[i].type == type) return i;
  }
  return -1;
}

static const ProtobufCFieldDescriptor* find(const ProtobufCMessage* m, const char* field) {
  return protobuf_c_message_descriptor_get_field_by_name(m->descriptor, field);
}

bool sheaf_message_get(const ProtobufCMessage* m, const char* field, double* value) {
  const ProtobufCFieldDescriptor* f = find(m, field);
  const char* at = (const char*)m + (f ? f->offset : 0);
  uint32_t u;
  int32_t i;
  protobuf_c_boolean b;
  switch (f ? (int)f->type : -1) {
    case PROTOBUF_C_TYPE_UINT32: memcpy(&u, at, sizeof u), *value = u; return true;
    case PROTOBUF_C_TYPE_INT32: memcpy(&i, at, sizeof i), *value = i; return true;
    case PROTOBUF_C_TYPE_BOOL: memcpy(&b, at, sizeof b), *value = b; return true;
    case PROTOBUF_C_TYPE_DOUBLE: memcpy(value, at, sizeof *value); return true;
    default: return false;
  }
}

bool sheaf_message_set(ProtobufCMessage* m, const char* field, double value) {
  const ProtobufCFieldDescriptor* f = find(m, field);
  char* at = (char*)m + (f ? f->offset : 0);
  uint32_t u;
  int32_t i;
  protobuf_c_boolean b;
  switch (f ? (int)f->type : -1) {
    case PROTOBUF_C_TYPE_UINT32: u = (uint32_t)(int64_t)value, memcpy(at, &u, sizeof u); return true;
    case PROTOBUF_C_TYPE_INT32: i = (int32_t)value, memcpy(at, &i, sizeof i); return true;
    case PROTOBUF_C_TYPE_BOOL: b = value != 0, memcpy(at, &b, sizeof b); return true;
    case PROTOBUF_C_TYPE_DOUBLE: memcpy(at, &value, sizeof value); return true;
    default: return false;
  }
}

static const ProtobufCFieldDescriptor* find_list(const ProtobufCMessage* m, const char* field) {
  const ProtobufCFieldDescriptor* f = find(m, field);
  return f && f->type == PROTOBUF_C_TYPE_INT32 && f->label == PROTOBUF_C_LABEL_REPEATED ? f : NULL;
}

const int32_t* sheaf_message_list(const ProtobufCMessage* m, const char* field, size_t* n) {
  const ProtobufCFieldDescriptor* f = find_list(m, field);
  const int32_t* list = NULL;
  *n = 0;
  if (!f) return NULL;
  memcpy(n, (const char*)m + f->quantifier_offset, sizeof *n);
  memcpy(&list, (const char*)m + f->offset, sizeof list);
  return list;
}

bool sheaf_message_set_list(ProtobufCMessage* m, const char* field, const int32_t* list, size_t n) {
  const ProtobufCFieldDescriptor* f = find_list(m, field);
  if (!f) return false;
  memcpy((char*)m + f->quantifier_offset, &n, sizeof n);
  memcpy((char*)m + f->offset, &list, sizeof list);
  return true;
}

const Sheaf__Work* sheaf_message_work(const ProtobufCMessage* m) {
  Sheaf__Work* work;
  memcpy(&work, (const char*)m + find(m, "work")->offset, sizeof work);
  return work;
}

void sheaf_message_set_work(ProtobufCMessage* m, Sheaf__Work* work) {
  memcpy((char*)m + find(m, "work")->offset, &work, sizeof work);
}
