// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// What it costs to have work done in another process, and nothing else: a team of threads does arithmetic for as long
// as a call takes, for a thread of its own process, or for one in another, which sends a byte and gets one back. There
// a loop sleeps in epoll until the byte comes, wakes the team, sleeps until the last of the team wakes it, and answers.
//
//   wakeups THREADS MICROSECONDS ROUNDS
//
// prints three times in microseconds: here, there, and the median difference. bench/overhead.py compiles and calls it.

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { MOST_THREADS = 1024, IN_A_ROW = 8, THINKS = 100 };  // microseconds of the caller before each call

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e6 * (double)t.tv_sec + 1e-3 * (double)t.tv_nsec;
}

static volatile double result;

static void compute(long n) {
  double x = 1;
  for (long i = 0; i < n; i++) x = x * 0.999 + 0.1;
  result = x;
}

// how often it takes so many microseconds: the least of some tries
static long count_for(double us) {
  const long n = 200000;
  double least = 1e12;
  for (int i = 0; i < 20; i++) {
    double began = now();
    compute(n);
    double took = now() - began;
    if (took < least) least = took;
  }
  return (long)((double)n * us / least);
}

// ---- a team of threads

typedef struct {
  pthread_mutex_t lock;
  pthread_cond_t begin, end;
  int nthread, left, bell;  // bell: the last one writes here, -1: it signals `end`
  long turn, n;
} Team;

static void* work(void* arg) {
  Team* t = arg;
  const unsigned long one = 1;
  for (long turn = 1;; turn++) {
    pthread_mutex_lock(&t->lock);
    while (t->turn < turn) pthread_cond_wait(&t->begin, &t->lock);
    pthread_mutex_unlock(&t->lock);
    compute(t->n);
    pthread_mutex_lock(&t->lock);
    int last = --t->left == 0;
    pthread_mutex_unlock(&t->lock);
    if (last && t->bell < 0) pthread_cond_signal(&t->end);
    if (last && t->bell >= 0 && write(t->bell, &one, sizeof one) != sizeof one) exit(1);
  }
  return NULL;
}

static void open_team(Team* t, int nthread, long n, int bell) {
  *t = (Team){.nthread = nthread, .n = n, .bell = bell};
  pthread_mutex_init(&t->lock, NULL);
  pthread_cond_init(&t->begin, NULL);
  pthread_cond_init(&t->end, NULL);
  for (int i = 0; i < nthread; i++) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, work, t)) exit(1);
  }
}

static void start(Team* t) {
  pthread_mutex_lock(&t->lock);
  t->left = t->nthread;
  t->turn++;
  pthread_mutex_unlock(&t->lock);
  pthread_cond_broadcast(&t->begin);
}

// ---- the two ways

static void call_here(Team* t) {
  start(t);
  pthread_mutex_lock(&t->lock);
  while (t->left) pthread_cond_wait(&t->end, &t->lock);
  pthread_mutex_unlock(&t->lock);
}

static void call_there(int socket) {
  char byte = 1;
  if (write(socket, &byte, 1) != 1 || read(socket, &byte, 1) != 1) exit(1);
}

// the other process, until its socket is closed
static void serve(int socket, int nthread, long n) {
  Team team;
  struct epoll_event event = {.events = EPOLLIN};
  int bell = eventfd(0, 0), poll = epoll_create1(0);
  unsigned long count;
  char byte;
  open_team(&team, nthread, n, bell);
  for (int i = 0; i < 2; i++) {
    event.data.fd = i ? bell : socket;
    epoll_ctl(poll, EPOLL_CTL_ADD, event.data.fd, &event);
  }
  while (epoll_wait(poll, &event, 1, -1) == 1) {
    if (event.data.fd == socket) {
      if (read(socket, &byte, 1) != 1) _exit(0);
      start(&team);
    } else if (read(bell, &count, sizeof count) != sizeof count || write(socket, &byte, 1) != 1) {
      _exit(1);
    }
  }
}

static int compare(const void* a, const void* b) {
  double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static double median(double* x, int n) {
  qsort(x, (size_t)n, sizeof *x, compare);
  return n % 2 ? x[n / 2] : (x[n / 2 - 1] + x[n / 2]) / 2;
}

// the median of calls in a row; team NULL: there
static double turn(Team* team, int socket, long think) {
  double took[IN_A_ROW];
  for (int i = 0; i < IN_A_ROW; i++) {
    compute(think);
    double began = now();
    if (team) call_here(team);
    else call_there(socket);
    took[i] = now() - began;
  }
  return median(took, IN_A_ROW);
}

int main(int argc, char** argv) {
  if (argc != 4) return fprintf(stderr, "usage: wakeups THREADS MICROSECONDS ROUNDS\n"), 2;
  int nthread = atoi(argv[1]), rounds = atoi(argv[3]), pair[2];
  if (nthread < 1 || nthread > MOST_THREADS || rounds < 1 || socketpair(AF_UNIX, SOCK_STREAM, 0, pair)) return 2;
  long n = count_for(atof(argv[2])), think = count_for(THINKS);
  if (!fork()) {
    close(pair[0]);
    serve(pair[1], nthread, n);
  }
  close(pair[1]);
  Team team;
  open_team(&team, nthread, n, -1);
  double* times = malloc(3 * (size_t)rounds * sizeof *times);
  double *here = times, *there = times + rounds, *more = times + 2 * rounds;
  for (int i = -2; i < rounds; i++) {  // the first ones only warm up
    double a = turn(&team, 0, think), b = turn(NULL, pair[0], think);
    if (i >= 0) here[i] = a, there[i] = b, more[i] = b - a;
  }
  printf("%.1f %.1f %.1f\n", median(here, rounds), median(there, rounds), median(more, rounds));
  return 0;
}
