// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Reads frames from a byte stream in whatever pieces it comes.
//
// Lengths are checked before anything is allocated. When the header is complete, the control message, which is small,
// and the address range of the data section are allocated. Their pages are only touched, and only charged to the
// ledger, as bytes arrive. If the ledger is full the data is read and dropped, and the frame is marked, so that the
// request can be refused without losing the connection. Data of a frame that continues a request is put behind the data
// that came before.
#ifndef SHEAF_SERVER_WIRE_READER_H_
#define SHEAF_SERVER_WIRE_READER_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/failure.h"
#include "base/ledger.h"
#include "base/limits.h"
#include "wire/section.h"
#include "wire_frame.h"

// A complete frame. Its receiver owns control and data (free) and their bytes in the ledger: control_len and,
// unless dropped, data_len.
typedef struct {
  sheaf_frame head;
  uint8_t* control;  // NULL if control_len is 0
  srv_section data;  // without bytes if data_len is 0 or the data was dropped
  bool dropped;
} srv_frame;

// Who takes the frames. A negative code ends reading (the connection is to be closed).
typedef struct {
  int (*on_frame)(void* user, srv_frame* frame, srv_error* error);  // a complete frame
  // A large frame whose data still comes: return 1 to take it. Its data is charged to the ledger as it comes. NULL:
  // frames are never taken early.
  int (*on_begun)(void* user, srv_frame* frame, srv_error* error);
  // A frame with CONT and data: 1 if frame->data was set to the place where it goes, which stays the receiver's;
  // otherwise the data is dropped. NULL: such a frame is like any other.
  int (*on_continued)(void* user, srv_frame* frame, srv_error* error);
  // `got` bytes of data of a frame that was taken are here. dropped: there is no room for more, so give it up.
  int (*on_data)(void* user, uint64_t got, bool dropped, srv_error* error);
  void* user;
} srv_receiver;

// The early request: a large frame can be taken as soon as its control message is here, so that work begins while its
// data comes; a frame that continues a request is taken in the same way. A connection has at most one early request,
// that of the frame being read.
//
//            on_begun, on_continued: 1            last byte of data
//     NONE  ------------------------->  TAKEN  ------------------------->  NONE
//      ^   (frames that are small, not taken          |
//      |   or complete stay in NONE)                  |  srv_reader_forget: the request is over, or there is no room
//      |                                              v
//      +-------------- last byte --------------   DROPPED  (also frames that continue an unknown request)
//
// NONE: the frame belongs to the reader, which hands it over when it is complete.
// TAKEN: control and data belong to `request`; the reader fills the data and reports how much is there (on_data).
// DROPPED: the rest of the data is read and thrown away.
typedef struct {
  enum { SRV_EARLY_NONE, SRV_EARLY_TAKEN, SRV_EARLY_DROPPED } state;
  void* request;  // TAKEN: whose data it is, set by the receiver; otherwise NULL
} srv_early;

typedef struct {
  const srv_limits* limits;
  srv_ledger* ledger;
  srv_receiver receiver;
  uint8_t raw[SHEAF_FRAME_BYTES];
  srv_frame frame;  // the one being read
  srv_early early;
  uint64_t got;     // bytes of the current section
  uint64_t frames;  // complete ones so far
  enum { SRV_READ_HEAD, SRV_READ_CONTROL, SRV_READ_DATA } section;
} srv_reader;

void srv_reader_init(srv_reader* r, const srv_limits* limits, srv_ledger* ledger, const srv_receiver* receiver);

// Drop a frame that is not complete.
void srv_reader_close(srv_reader* r);

// The receiver is about to free the data of the early request: what still comes of it is read and dropped.
void srv_reader_forget(srv_reader* r);

// Give up the data of the frame that is being read: what still comes of it is only counted, and the request fails.
int srv_reader_drop(srv_reader* r, srv_error* error);

// Is a frame begun but not complete?
bool srv_reader_busy(const srv_reader* r);

// Take n bytes. Returns 0, or a negative code with the error when the stream is broken.
int srv_reader_feed(srv_reader* r, const uint8_t* bytes, size_t n, srv_error* error);

// A place where the next *n bytes can be read to without a copy, if that is worth it; otherwise NULL.
uint8_t* srv_reader_room(srv_reader* r, size_t* n);

// n bytes were read to that place.
int srv_reader_took(srv_reader* r, size_t n, srv_error* error);

// Give back what a frame holds.
void srv_frame_close(srv_frame* frame, srv_ledger* ledger);

#endif  // SHEAF_SERVER_WIRE_READER_H_
