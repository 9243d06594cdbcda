// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Two threads, of which one runs the loop: leader and follower (Schmidt et al., Leader/Followers, PLoP 2000).
//
// To wake a thread takes longer than many small requests, so the thread that has read one computes it itself. It leaves
// the loop for that, which hears nobody meanwhile, and how long a step takes nobody knows before: models can be made
// for steps of seconds. So the other thread follows: a timer, which the leader sets when it leaves, wakes it up after
// SRV_AWAY_NS. If the leader is still away then, and the loop has something to do, then or later, it leads from then
// on. The former leader follows when it has finished. A leader that comes back sooner has woken nobody up.
//
// Everything that belongs to the loop belongs to the leader. What a thread reads as its own (its clock, who it is) must
// not be kept from one round of the loop to another.
#ifndef SHEAF_SERVER_JOBS_LEADER_H_
#define SHEAF_SERVER_JOBS_LEADER_H_

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <uv.h>

enum { SRV_AWAY_NS = 5000000 };

typedef struct {
  // what srv_leader_init needs
  uv_loop_t* loop;
  void* (*begin)(void* user);             // in the leader, which leaves the loop now: what is there to do?
  void (*work)(void* user, void* to_do);  // then, outside of the loop: touches nothing that belongs to it
  void (*back)(void* user);               // after that, in the leader
  void (*taken)(void* user);              // or in the new leader, while the former one still works
  void* user;

  // what it knows
  _Atomic uint64_t away;  // uv_hrtime since when the leader has been away, 0: it runs the loop
  _Atomic uint64_t due;   // uv_hrtime when a timer of the loop runs out
  bool looks_around;      // the leader, before it leaves
  bool open;              // is there a second thread? Nobody may leave the loop otherwise
  pthread_t second;

  // what wakes the follower up: an epoll of the timer and, while it hears it, of the loop
  int ears, timer;
  atomic_bool hears;  // written with the lock

  pthread_mutex_t lock;  // guards what follows
  pthread_cond_t on_time;
  bool late;  // the former leader still works
  bool over;
} srv_leader;

void srv_leader_init(srv_leader* l);
void srv_leader_close(srv_leader* l);

// Run the loop until it is over, with a second thread if there can be one. The thread that calls this leads first.
void srv_leader_run(srv_leader* l);

// Called in the loop: leave it after this round, for `begin` and `work`. For long work it is worth it to look around
// once more: the system tells of what new connections send from the next round on.
void srv_leader_leave(srv_leader* l, bool is_long);

// Called in the loop: wait until the former leader has finished.
void srv_leader_settle(srv_leader* l);

#endif  // SHEAF_SERVER_JOBS_LEADER_H_
