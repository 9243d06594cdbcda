// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "wire/reader.h"

#include <inttypes.h>
#include <stdlib.h>

#include "sheaf.pb-c.h"

enum {
  WORTH_DIRECT = 64 * 1024,  // below this a copy is cheaper than another system call
  AT_ONCE = 64 * 1024,       // libuv reads up to 32 times before others get their turn: 2 MiB, well under a millisecond
};

void srv_reader_init(srv_reader* r, const srv_limits* limits, srv_ledger* ledger, const srv_receiver* receiver) {
  *r = (srv_reader){.limits = limits, .ledger = ledger, .receiver = *receiver};
}

void srv_frame_close(srv_frame* frame, srv_ledger* ledger) {
  ledger->request -= frame->control ? frame->head.control_len : 0;
  ledger->request -= frame->data.bytes ? frame->head.data_len : 0;
  free(frame->control);
  srv_section_close(&frame->data, ledger);
  *frame = (srv_frame){0};
}

// free the data of the current frame; bytes of it that still come are only counted
static void drop_data(srv_reader* r) {
  r->ledger->request -= r->section == SRV_READ_DATA ? r->got : 0;
  srv_section_close(&r->frame.data, r->ledger);
  r->frame.dropped = true;
}

void srv_reader_forget(srv_reader* r) {
  if (r->early.state != SRV_EARLY_TAKEN) return;
  r->frame.control = NULL;
  r->frame.data = (srv_section){0};
  r->early = (srv_early){.state = SRV_EARLY_DROPPED};
}

void srv_reader_close(srv_reader* r) {
  srv_reader_forget(r);
  r->early = (srv_early){0};
  if (r->frame.data.bytes) drop_data(r);
  if (r->section == SRV_READ_CONTROL) r->ledger->request += r->frame.head.control_len - r->got;  // as if all were here
  srv_frame_close(&r->frame, r->ledger);
  r->got = 0;
  r->section = SRV_READ_HEAD;
}

bool srv_reader_busy(const srv_reader* r) { return r->section != SRV_READ_HEAD || r->got; }

// the checks that need nothing but the header
static int check_head(const sheaf_frame* h, const srv_limits* limits, srv_error* e) {
  if (h->magic != SHEAF_FRAME_MAGIC) {
    return srv_error_field(e, "frame.magic", "SHF1", "0x%08" PRIx32, h->magic);
  }
  if (h->version != SHEAF_FRAME_VERSION) {
    return srv_error_field(e, "frame.version", "1", "%d", h->version);
  }
  if (h->flags & ~(SHEAF_FRAME_MORE | SHEAF_FRAME_CONT)) {
    return srv_error_field(e, "frame.flags", "MORE and CONT only", "0x%02x", h->flags);
  }
  if (h->type & SHEAF__FRAME_TYPE__FRAME_REPLY) {
    return srv_error_field(e, "frame.type", "a request type", "0x%04x", h->type);
  }
  if (h->id == 0) return srv_error_field(e, "frame.request_id", "not 0", "0");
  if (h->reserved) return srv_error_field(e, "frame.reserved", "0", "%" PRIu32, h->reserved);
  if ((h->flags & SHEAF_FRAME_CONT) && h->control_len) {
    return srv_error_field(e, "frame.control_len", "0 with CONT", "%" PRIu32, h->control_len);
  }
  if (h->control_len > limits->control_bytes) {
    return srv_error_set(e, SHEAF__CODE__CODE_RESOURCE_EXHAUSTED,
                         "frame.control_len: expected at most %" PRIu64 ", got %" PRIu32, limits->control_bytes,
                         h->control_len);
  }
  if (h->data_len > limits->frame_bytes) {
    return srv_error_set(e, SHEAF__CODE__CODE_RESOURCE_EXHAUSTED,
                         "frame.data_len: expected at most %" PRIu64 ", got %" PRIu64, limits->frame_bytes,
                         h->data_len);
  }
  return 0;
}

// a complete header: check it and make room for what follows
static int begin_frame(srv_reader* r, srv_error* e) {
  sheaf_frame head = sheaf_frame_read(r->raw);
  int err = check_head(&head, r->limits, e);
  if (err) return err;

  r->frame = (srv_frame){.head = head};
  if (head.control_len) {
    r->frame.control = malloc(head.control_len);
    if (!r->frame.control) {
      return srv_error_set(e, SHEAF__CODE__CODE_RESOURCE_EXHAUSTED, "out of memory");
    }
  }
  bool placed = (head.flags & SHEAF_FRAME_CONT) && r->receiver.on_continued;
  if (head.data_len && !placed) {
    uint64_t most = head.flags & SHEAF_FRAME_MORE ? r->limits->request_bytes : head.data_len;
    r->frame.dropped = !srv_section_make(&r->frame.data, head.data_len, most);
  }
  return 0;
}

// hand over a complete frame, unless that was done before
static int end_frame(srv_reader* r, srv_error* e) {
  srv_frame frame = r->frame;
  bool ours = r->early.state == SRV_EARLY_NONE;
  r->frame = (srv_frame){0};
  r->early = (srv_early){0};
  r->section = SRV_READ_HEAD;
  r->got = 0;
  r->frames++;
  return ours ? r->receiver.on_frame(r->receiver.user, &frame, e) : 0;
}

// ask the receiver where the data of a frame that continues a request goes
static int place(srv_reader* r, srv_error* e) {
  r->early.state = SRV_EARLY_DROPPED;
  int taken = r->receiver.on_continued(r->receiver.user, &r->frame, e);
  if (taken > 0) r->early.state = SRV_EARLY_TAKEN;
  return taken < 0 ? taken : 0;
}

// offer a large frame whose data still comes
static int offer(srv_reader* r, srv_error* e) {
  srv_frame frame = r->frame;
  bool whole = !(frame.head.flags & (SHEAF_FRAME_MORE | SHEAF_FRAME_CONT));
  if ((frame.head.flags & SHEAF_FRAME_CONT) && r->receiver.on_continued) return frame.head.data_len ? place(r, e) : 0;
  if (!r->receiver.on_begun || !whole || !frame.data.bytes || frame.head.data_len < r->limits->early_bytes) return 0;

  // the receiver may forget the frame, or close the reader, before it returns
  r->early.state = SRV_EARLY_TAKEN;
  int taken = r->receiver.on_begun(r->receiver.user, &frame, e);
  if (taken == 0) r->early = (srv_early){0};
  return taken < 0 ? taken : 0;
}

static uint64_t section_length(const srv_reader* r) {
  switch (r->section) {
    case SRV_READ_HEAD: return SHEAF_FRAME_BYTES;
    case SRV_READ_CONTROL: return r->frame.head.control_len;
    default: return r->frame.head.data_len;
  }
}

// go on to the next section while the current one is complete; empty sections are passed over
static int pass_sections(srv_reader* r, srv_error* e) {
  while (r->got == section_length(r)) {
    if (r->section == SRV_READ_DATA) return end_frame(r, e);
    if (r->section == SRV_READ_HEAD) {
      int err = begin_frame(r, e);
      if (err) return err;
    }
    r->section++;
    r->got = 0;
    int err = r->section == SRV_READ_DATA ? offer(r, e) : 0;
    if (err) return err;
  }
  return 0;
}

int srv_reader_drop(srv_reader* r, srv_error* e) {
  if (r->section != SRV_READ_DATA || !r->frame.data.bytes) return 0;
  if (r->early.state == SRV_EARLY_TAKEN) return r->receiver.on_data(r->receiver.user, r->got, true, e);
  drop_data(r);
  return 0;
}

// n bytes of data came: charge them, or drop the data when there is no room
static int charge(srv_reader* r, uint64_t n, srv_error* e) {
  if (r->section != SRV_READ_DATA || !r->frame.data.bytes) return 0;
  if (!srv_ledger_room(r->ledger, n)) return srv_reader_drop(r, e);
  r->ledger->request += n;
  return 0;
}

// n more bytes of the current section are in their place
static int advance(srv_reader* r, uint64_t n, srv_error* e) {
  r->got += n;
  if (r->section == SRV_READ_CONTROL) r->ledger->request += n;
  if (r->section == SRV_READ_DATA && r->early.state == SRV_EARLY_TAKEN) {
    int err = r->receiver.on_data(r->receiver.user, r->got, false, e);
    if (err) return err;
  }
  return pass_sections(r, e);
}

static uint8_t* section_bytes(srv_reader* r) {
  switch (r->section) {
    case SRV_READ_HEAD: return r->raw;
    case SRV_READ_CONTROL: return r->frame.control;
    default: return r->frame.data.bytes;
  }
}

int srv_reader_feed(srv_reader* r, const uint8_t* bytes, size_t n, srv_error* e) {
  while (n) {
    uint64_t want = section_length(r) - r->got;
    size_t take = want < n ? (size_t)want : n;
    int err = charge(r, take, e);
    if (err) return err;
    uint8_t* to = section_bytes(r);
    if (to) memcpy(to + r->got, bytes, take);
    bytes += take;
    n -= take;
    err = advance(r, take, e);
    if (err) return err;
  }
  return 0;
}

uint8_t* srv_reader_room(srv_reader* r, size_t* n) {
  if (r->section != SRV_READ_DATA || !r->frame.data.bytes) return NULL;
  uint64_t want = r->frame.head.data_len - r->got;
  if (want < WORTH_DIRECT) return NULL;
  *n = want < AT_ONCE ? (size_t)want : AT_ONCE;
  return r->frame.data.bytes + r->got;
}

int srv_reader_took(srv_reader* r, size_t n, srv_error* e) {
  int err = charge(r, n, e);
  return err ? err : advance(r, n, e);
}
