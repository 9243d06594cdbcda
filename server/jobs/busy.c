// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "jobs/busy.h"

#include <stdatomic.h>
#include <string.h>

enum { WORDS = (sizeof(srv_tag) + 7) / 8 };

// `turn` is even and not 0 while the words are those of one tag. Readers read it before and after the words, so that
// they notice a change.
typedef struct {
  _Alignas(64) atomic_uint turn;
  atomic_bool busy;
  _Atomic uint64_t word[WORDS];
} place;

static place board[SRV_BUSY_WORKERS];

void srv_busy_note(int worker, const srv_tag* tag) {
  uint64_t words[WORDS] = {0};
  if (worker < 0 || worker >= SRV_BUSY_WORKERS) return;
  place* p = &board[worker];
  unsigned turn = atomic_load_explicit(&p->turn, memory_order_relaxed);
  if (!tag) {
    atomic_store_explicit(&p->busy, false, memory_order_relaxed);
    atomic_store_explicit(&p->turn, turn + 2, memory_order_release);
    return;
  }
  memcpy(words, tag, sizeof *tag);
  atomic_store_explicit(&p->turn, turn + 1, memory_order_relaxed);
  for (int i = 0; i < WORDS; i++) atomic_store_explicit(&p->word[i], words[i], memory_order_release);
  atomic_store_explicit(&p->busy, true, memory_order_relaxed);
  atomic_store_explicit(&p->turn, turn + 2, memory_order_release);
}

bool srv_busy_read(int worker, srv_tag* tag) {
  uint64_t words[WORDS];
  if (worker < 0 || worker >= SRV_BUSY_WORKERS) return false;
  place* p = &board[worker];
  unsigned turn = atomic_load_explicit(&p->turn, memory_order_acquire);
  if (turn % 2 || !atomic_load_explicit(&p->busy, memory_order_relaxed)) return false;
  for (int i = 0; i < WORDS; i++) words[i] = atomic_load_explicit(&p->word[i], memory_order_acquire);
  if (atomic_load_explicit(&p->turn, memory_order_relaxed) != turn) return false;
  memcpy(tag, words, sizeof *tag);
  return true;
}

bool srv_busy_rests(int worker) { return !atomic_load_explicit(&board[worker].busy, memory_order_relaxed); }

unsigned srv_busy_turn(int worker) { return atomic_load_explicit(&board[worker].turn, memory_order_relaxed); }
