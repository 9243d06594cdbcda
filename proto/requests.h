// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Messages of the requests in sheaf/request_table.h, for the server and the C client: which message goes with a kind,
// and its options by the names of their fields.
#ifndef SHEAF_PROTO_REQUESTS_H_
#define SHEAF_PROTO_REQUESTS_H_

#include <stdbool.h>

#include "sheaf.pb-c.h"

// The frame type of a kind (sheafKind), and the kind of a frame type, -1 if there is none.
int sheaf_message_type(int kind);
int sheaf_message_kind(int type);

// What its message looks like.
const ProtobufCMessageDescriptor* sheaf_message_of(int kind);

// The number in a field. False if the message has no such field.
bool sheaf_message_get(const ProtobufCMessage* m, const char* field, double* value);
bool sheaf_message_set(ProtobufCMessage* m, const char* field, double value);

// The list of integers in a field, and their number; NULL if the message has no such list.
const int32_t* sheaf_message_list(const ProtobufCMessage* m, const char* field, size_t* n);
bool sheaf_message_set_list(ProtobufCMessage* m, const char* field, const int32_t* list, size_t n);

// The Work in a message, NULL if there is none.
const Sheaf__Work* sheaf_message_work(const ProtobufCMessage* m);
void sheaf_message_set_work(ProtobufCMessage* m, Sheaf__Work* work);

#endif  // SHEAF_PROTO_REQUESTS_H_
