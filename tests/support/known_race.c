// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// A program with a race, to see that ThreadSanitizer is awake: `known_race pthread` and `known_race team` (a team of
// OpenMP, as the engine's pool is one) count without a lock. `known_race locked` counts the same with a lock and with a
// barrier, so nothing may be reported. `sh tests/support/known_race.sh BUILD` runs all three.
#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { ROUNDS = 10000, NTHREAD = 2 };

static long racy_counter, locked_counter;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void count_racy(void) {
  for (int i = 0; i < ROUNDS; i++) racy_counter++;
}

static void count_locked(void) {
  for (int i = 0; i < ROUNDS; i++) {
    pthread_mutex_lock(&lock);
    locked_counter++;
    pthread_mutex_unlock(&lock);
  }
}

static void* run(void* count) {
  (*(void (**)(void))count)();
  return NULL;
}

static void on_pthreads(void (*count)(void)) {
  pthread_t thread[NTHREAD];
  for (int i = 0; i < NTHREAD; i++) pthread_create(&thread[i], NULL, run, &count);
  for (int i = 0; i < NTHREAD; i++) pthread_join(thread[i], NULL);
}

static void on_team(void (*count)(void)) {
#pragma omp parallel num_threads(NTHREAD)
  count();
}

// what one thread of a team wrote is read by the others after the barrier
static void pass_on(void) {
  long written = 0, sum = 0;
#pragma omp parallel num_threads(NTHREAD) reduction(+ : sum)
  {
#pragma omp single nowait
    written = ROUNDS;
#pragma omp barrier
    sum += written;
  }
  locked_counter += sum;
}

int main(int argc, char** argv) {
  const char* what = argc == 2 ? argv[1] : "";
  if (!strcmp(what, "pthread")) {
    on_pthreads(count_racy);
  } else if (!strcmp(what, "team")) {
    on_team(count_racy);
  } else if (!strcmp(what, "locked")) {
    on_pthreads(count_locked);
    on_team(count_locked);
    pass_on();
  } else {
    fprintf(stderr, "usage: %s pthread|team|locked\n", argv[0]);
    return 2;
  }
  printf("%ld\n", racy_counter + locked_counter);
  return 0;
}
