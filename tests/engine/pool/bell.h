// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The end of a job, as a test waits for it: `ring` is what sheaf_submit calls, and waitForRing returns once it was
// called.
#ifndef SHEAF_TESTS_BELL_H_
#define SHEAF_TESTS_BELL_H_

#include <pthread.h>
#include <sheaf/batch.h>

typedef struct {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  int ndone;
} Bell;

static void ring(void* user, sheafJob* job) {
  Bell* bell = user;
  (void)job;
  pthread_mutex_lock(&bell->lock);
  bell->ndone++;
  pthread_cond_signal(&bell->changed);
  pthread_mutex_unlock(&bell->lock);
}

static void waitForRing(Bell* bell) {
  pthread_mutex_lock(&bell->lock);
  while (!bell->ndone) pthread_cond_wait(&bell->changed, &bell->lock);
  bell->ndone = 0;
  pthread_mutex_unlock(&bell->lock);
}

static Bell makeBell(void) { return (Bell){PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0}; }

#endif  // SHEAF_TESTS_BELL_H_
