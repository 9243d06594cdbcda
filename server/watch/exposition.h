// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Writing Prometheus' text format 0.0.4: families of samples into text that grows.
#ifndef SHEAF_SERVER_WATCH_EXPOSITION_H_
#define SHEAF_SERVER_WATCH_EXPOSITION_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/histogram.h"

typedef struct {
  char* text;
  size_t len, room;
  bool failed;  // without memory; nothing more is added
} srv_exposition;

// Begin a family. Type: "counter", "gauge" or "histogram".
void srv_family(srv_exposition* e, const char* name, const char* type, const char* help);

// One sample of it. With a label, its value may hold any bytes.
void srv_sample(srv_exposition* e, const char* name, const char* label, const char* text, double value);

// The samples of a histogram, in seconds.
void srv_samples(srv_exposition* e, const char* name, const char* label, const char* text, const srv_histogram* h);

#endif  // SHEAF_SERVER_WATCH_EXPOSITION_H_
