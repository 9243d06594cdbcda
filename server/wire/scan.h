// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// A check of the bytes of a control message before they are unpacked.
//
// protobuf-c trusts the bytes: it merges a repeated singular sub-message in quadratic time, keeps every unknown field
// and recurses without a limit. So srv_scan walks through the fields first, along the message descriptor.
#ifndef SHEAF_SERVER_WIRE_SCAN_H_
#define SHEAF_SERVER_WIRE_SCAN_H_

#include <stddef.h>
#include <stdint.h>

#include <protobuf-c/protobuf-c.h>

enum { SRV_SCAN_DEPTH = 8, SRV_SCAN_UNKNOWN = 64 };

// NULL if the message may be unpacked, otherwise why not.
const char* srv_scan(const ProtobufCMessageDescriptor* type, const uint8_t* bytes, size_t n);

#endif  // SHEAF_SERVER_WIRE_SCAN_H_
