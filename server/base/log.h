// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// One line per event on standard error, as key=value pairs: ts=... level=info event=listening address=...
// or, if so chosen, as one JSON object.
//
// The log never waits for its reader. After srv_log_start, lines go to a ring (base/log_ring.h), and a thread of its
// own writes them out. A line that finds no room is dropped and counted, and the log reports it later
// (event=log_dropped). Lines of an event that comes too often are held back and counted, too (event=log_held_back).
#ifndef SHEAF_SERVER_BASE_LOG_H_
#define SHEAF_SERVER_BASE_LOG_H_

#include <stdint.h>

#include "base/log_line.h"

typedef enum { SRV_LOG_ERROR, SRV_LOG_WARN, SRV_LOG_INFO, SRV_LOG_DEBUG } srv_log_level;
typedef enum { SRV_LOG_LOGFMT, SRV_LOG_JSON } srv_log_format;

// Lines above this level are dropped.
void srv_log_set_level(srv_log_level level);

// How lines look, and how many a second each event may have; 0: any number.
void srv_log_set_style(srv_log_format format, uint32_t rate);

// Start the thread that writes lines. Before this call, and after srv_log_stop, srv_log writes them itself.
void srv_log_start(void);

// Give the thread a moment to write what waits, then end it; if it is blocked, because its reader does not read, leave
// it.
void srv_log_stop(void);

// Write one line. The format makes the key=value pairs; put untrusted text through srv_log_quote.
void srv_log(srv_log_level level, const char* event, const char* format, ...) __attribute__((format(printf, 3, 4)));

// Lines that were lost, because the ring was full or their event came too often.
uint64_t srv_log_lost(void);

#endif  // SHEAF_SERVER_BASE_LOG_H_
