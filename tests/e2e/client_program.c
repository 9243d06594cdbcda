// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// A program that uses the C client as its header says: client_program ADDRESS MODEL.xml COMMAND.
// Prints "ok" and exits with 0, or says what is wrong and exits with 1.
#include <arpa/inet.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sheaf_client.h"

#define REQUIRE(condition)                                                \
  do {                                                                    \
    if (!(condition)) {                                                   \
      printf("line %d: %s (%s)\n", __LINE__, #condition, status.message); \
      exit(1);                                                            \
    }                                                                     \
  } while (0)

enum { B = 5, T = 40 };

static sheafc_status status;

static void check_model(const sheafc_model* m) {
  const sheafc_model_info* i = sheafc_get_model_info(m);
  size_t n;
  REQUIRE(i->nq == 1 && i->nv == 1 && i->nu == 1 && i->nstate == 3 && i->nsensordata == 4 && i->ndx == 2);
  REQUIRE(i->timestep == 0.01 && i->nkey == 1);
  REQUIRE(sheafc_name2id(m, "body", "rod") == 1 && sheafc_name2id(m, "body", "nobody") == -1);
  REQUIRE(!strcmp(sheafc_id2name(m, "sensor", 1), "where") && !sheafc_id2name(m, "sensor", 2));
  REQUIRE(sheafc_output_size(m, "xpos") == 6 && sheafc_output_size(m, "nonsense") == -1);
  const double* up = sheafc_model_array(m, "key_state", &n);
  REQUIRE(up && n == 3 && up[1] == 3.14);
  REQUIRE(!sheafc_model_array(m, "nonsense", NULL));
}

// a heavier rod falls slower against the damping of its hinge; what the server refuses, and what the client does
static void check_params(sheafc* c, sheafc_model* m) {
  int shape[2], k = 0;
  size_t n;
  while (sheafc_param_name(m, k) && strcmp(sheafc_param_name(m, k), "body_mass") != 0) k++;
  REQUIRE(sheafc_param_name(m, k) && !sheafc_param_name(m, -1) && !sheafc_param_name(m, 10000));
  REQUIRE(sheafc_param_size(m, "body_inertia", shape) == 6 && shape[0] == 2 && shape[1] == 3);
  REQUIRE(sheafc_param_size(m, "nonsense", NULL) == -1);
  const double* own = sheafc_model_array(m, "body_mass", &n);
  REQUIRE(own && n == 2);
  double mass[3][2] = {{0, own[1]}, {0, 2 * own[1]}, {0, own[1]}}, inertia[6], down[3] = {0, 0, -9.81};
  double x0[3] = {0, 1, 0}, x[3][T][3], plain[3][T][3];
  memcpy(inertia, sheafc_model_array(m, "body_inertia", NULL), sizeof inertia);
  sheafc_param list[] = {{"body_mass", mass[0], 3}, {"body_inertia", inertia, 1}, {"opt.gravity", down, 1}};
  sheafc_rollout_args a = sheafc_rollout_default();
  a.nbatch = 3, a.nstep = T, a.state0 = x0, a.nstate0 = 1, a.state = &plain[0][0][0];
  REQUIRE(!sheafc_rollout(c, m, &a, &status));
  a.param = list, a.nparam = 3, a.state = &x[0][0][0];
  REQUIRE(!sheafc_rollout(c, m, &a, &status));
  REQUIRE(!memcmp(x[0], plain[0], sizeof x[0]) && !memcmp(x[2], plain[2], sizeof x[2]));
  REQUIRE(x[1][T - 1][1] != x[0][T - 1][1]);
  mass[1][1] = -1;
  REQUIRE(sheafc_rollout(c, m, &a, &status) == SHEAFC_INVALID_ARGUMENT && !strcmp(status.field, "body_mass"));
  list[0].nrow = 2;
  REQUIRE(sheafc_rollout(c, m, &a, &status) == SHEAFC_INVALID_ARGUMENT && strstr(status.message, "nbatch rows or 1"));
  list[0] = (sheafc_param){"nonsense", mass[0], 1};
  REQUIRE(sheafc_rollout(c, m, &a, &status) == SHEAFC_INVALID_ARGUMENT && !strcmp(status.field, "param"));
  a.nparam = 1000;
  REQUIRE(sheafc_rollout(c, m, &a, &status) == SHEAFC_INVALID_ARGUMENT && !strcmp(status.field, "nparam"));
}

static void check_rollout(sheafc* c, sheafc_model* m) {
  double x0[B][3], u[B][T][1], x[B][T][3], sensors[B][T][4], qacc[B][T][1], last[B][3], warm[B][1];
  int32_t ok[B], bad[B];
  for (int i = 0; i < B; i++) {
    x0[i][0] = 0, x0[i][1] = 0.1 * i, x0[i][2] = 0;
    for (int t = 0; t < T; t++) u[i][t][0] = 0.01 * t;
  }
  sheafc_output more = {"qacc", &qacc[0][0][0]};
  sheafc_rollout_args a = sheafc_rollout_default();
  a.nbatch = B, a.nstep = T;
  a.state0 = &x0[0][0];
  a.control = &u[0][0][0], a.ncontrolstep = T;
  a.state = &x[0][0][0], a.sensordata = &sensors[0][0][0], a.final_state = &last[0][0], a.final_warmstart = &warm[0][0];
  a.output = &more, a.noutput = 1;
  a.status = ok, a.badstep = bad;
  REQUIRE(!sheafc_rollout(c, m, &a, &status));
  for (int i = 0; i < B; i++) {
    REQUIRE(ok[i] == 0 && bad[i] == -1);
    REQUIRE(fabs(x[i][T - 1][0] - 0.01 * T) < 1e-9);
    REQUIRE(!memcmp(x[i][T - 1], last[i], sizeof last[i]));
    REQUIRE(fabs(sensors[i][5][0] - x[i][4][1]) < 1e-12);
    REQUIRE(isfinite(qacc[i][T - 1][0]));
  }

  // only what was asked for, one row for all
  double end[B][3];
  sheafc_rollout_args one = sheafc_rollout_default();
  one.nbatch = B, one.nstep = T, one.state0 = x0[2], one.nstate0 = 1;
  one.control = &u[0][0][0], one.ncontrol = 1, one.ncontrolstep = T, one.final_state = &end[0][0];
  REQUIRE(!sheafc_rollout(c, m, &one, &status));
  for (int i = 0; i < B; i++) REQUIRE(!memcmp(end[i], last[2], sizeof end[i]));

  // nothing at all but the status
  one.final_state = NULL, one.status = ok;
  memset(ok, 1, sizeof ok);
  REQUIRE(!sheafc_rollout(c, m, &one, &status));
  for (int i = 0; i < B; i++) REQUIRE(ok[i] == 0);
}

// rows and numbers of one's choice, and floats; a name is refused with what there is
static void check_chosen(sheafc* c, sheafc_model* m) {
  double x0[3] = {0, 0.3, 0.1}, all[T][4];
  float some[T / 4][2], last[1][3];
  int size;
  sheafc_rollout_args a = sheafc_rollout_default();
  a.nbatch = 1, a.nstep = T, a.state0 = x0, a.sensordata = &all[0][0], a.aligned = 1;
  REQUIRE(!sheafc_rollout(c, m, &a, &status));
  sheafc_output named = {"sensordata[1:3]", (double*)(void*)some};
  a.sensordata = NULL, a.output = &named, a.noutput = 1, a.dtype = 4, a.every = 4;
  REQUIRE(!sheafc_rollout(c, m, &a, &status));
  for (int k = 0; k < T / 4; k++) {
    for (int i = 0; i < 2; i++) REQUIRE(some[k][i] == (float)all[4 * k + 3][1 + i]);
  }
  a.noutput = 0, a.every = -1, a.state = (double*)(void*)last;
  REQUIRE(!sheafc_rollout(c, m, &a, &status) && fabs(last[0][0] - 0.01 * T) < 1e-6);

  REQUIRE(!sheafc_output_shape(m, "xpos[1]", &size, &status) && size == 3 && sheafc_output_size(m, "xpos[1]") == 3);
  REQUIRE(sheafc_output_size(m, "xpos[99]") == -1 && sheafc_output_size(m, "qac") == -1);
  REQUIRE(sheafc_output_shape(m, "qac", &size, &status) == SHEAFC_INVALID_ARGUMENT &&
          strstr(status.expected, "one of qacc, "));
  named.name = "qpos[9]", a.noutput = 1;
  REQUIRE(sheafc_rollout(c, m, &a, &status) == SHEAFC_INVALID_ARGUMENT && !strcmp(status.field, "outputs"));
}

static void check_dynamics(sheafc* c, sheafc_model* m) {
  double q[B], v[B], u[B], qacc[B], tau[B];
  for (int i = 0; i < B; i++) q[i] = 0.3 * i, v[i] = -0.1 * i, u[i] = 0.2 * i - 0.4;
  sheafc_output more = {"qacc", qacc};
  sheafc_forward_args f = sheafc_forward_default();
  f.nbatch = B, f.qpos = q, f.qvel = v, f.ctrl = u, f.output = &more, f.noutput = 1;
  REQUIRE(!sheafc_forward(c, m, &f, &status));
  sheafc_inverse_args r = sheafc_inverse_default();
  r.nbatch = B, r.qpos = q, r.qvel = v, r.qacc = qacc, r.qfrc_inverse = tau;
  REQUIRE(!sheafc_inverse(c, m, &r, &status));
  for (int i = 0; i < B; i++) REQUIRE(fabs(tau[i] - u[i]) < 1e-9);
}

static void check_derivatives(sheafc* c, sheafc_model* m) {
  double x[B][3], u[B], A[B][4], Bu[B][2], C[B][8], D[B][4], da[B];
  for (int i = 0; i < B; i++) x[i][0] = 0, x[i][1] = 0.3 * i, x[i][2] = 0, u[i] = 0;
  sheafc_transition_fd_args t = sheafc_transition_fd_default();
  t.nbatch = B, t.state = &x[0][0], t.ctrl = u, t.centered = 1;
  t.A = &A[0][0], t.B = &Bu[0][0], t.C = &C[0][0], t.D = &D[0][0];
  REQUIRE(!sheafc_transition_fd(c, m, &t, &status));
  sheafc_inverse_fd_args g = sheafc_inverse_fd_default();
  g.nbatch = B, g.qpos = u, g.nqpos = 1, g.DfDa = da;
  REQUIRE(!sheafc_inverse_fd(c, m, &g, &status));
  for (int i = 0; i < B; i++) {
    // angle' = angle + h velocity': A[0][1] = h A[1][1], and the inertia times the control column is h
    REQUIRE(fabs(A[i][1] - 0.01 * A[i][3]) < 1e-6);
    REQUIRE(da[i] > 0 && Bu[i][1] > 0);
  }
}

// the sensors of the model that test_clients.py calls PUSHER, by its control
static void check_driven(sheafc* c, sheafc_model* m) {
  static const double want[5] = {1.5, 0, 0, 1, 3};
  double x[B][3] = {{0}}, u[B], D[B][5];
  REQUIRE(sheafc_get_model_info(m)->nsensordata == 5);
  for (int i = 0; i < B; i++) u[i] = 0.2 * i - 0.4;
  for (int centered = 0; centered < 2; centered++) {
    sheafc_transition_fd_args t = sheafc_transition_fd_default();
    t.nbatch = B, t.state = &x[0][0], t.ctrl = u, t.centered = centered, t.D = &D[0][0];
    REQUIRE(!sheafc_transition_fd(c, m, &t, &status));
    for (int i = 0; i < 5 * B; i++) REQUIRE(fabs(D[i / 5][i % 5] - want[i % 5]) < 1e-6);
  }
}

// two meshes of one tetrahedron each, which has 1000 / 6 kg
static void check_meshes(const sheafc_model* m) {
  size_t n;
  const double* mass = sheafc_model_array(m, "body_mass", &n);
  REQUIRE(mass && n == 2 && fabs(mass[1] - 2 * 1000. / 6) < 1e-9);
}

// programs that were compiled with an older or a newer header
static void check_versions(sheafc* c, sheafc_model* m, const char* address) {
  double x0[3] = {0}, out[3];
  struct {
    sheafc_rollout_args a;
    int more;
  } next = {.a = sheafc_rollout_default()};
  next.a.size = sizeof next;
  next.a.nbatch = 1, next.a.nstep = 1, next.a.state0 = x0, next.a.final_state = out;
  REQUIRE(!sheafc_rollout(c, m, &next.a, &status));
  next.more = 1;
  REQUIRE(sheafc_rollout(c, m, &next.a, &status) == SHEAFC_INVALID_ARGUMENT && !strcmp(status.field, "size"));
  next.a.size = sizeof(size_t);
  REQUIRE(sheafc_rollout(c, m, &next.a, &status) == SHEAFC_INVALID_ARGUMENT && !strcmp(status.field, "size"));
  sheafc_options options = {.size = 1};
  REQUIRE(!sheafc_connect(address, &options, &status) && !strcmp(status.field, "size"));
  sheafc_options older = sheafc_default_options();
  sheafc_retry nonsense = {.size = 1};
  older.retry = &nonsense;
  REQUIRE(!sheafc_connect(address, &older, &status) && !strcmp(status.field, "size"));
  older.size = offsetof(sheafc_options, retry);
  sheafc* old = sheafc_connect(address, &older, &status);
  REQUIRE(old);
  struct {
    sheafc_server_info info;
    uint64_t more;
  } later = {.more = 7};
  later.info.size = sizeof later;
  REQUIRE(!sheafc_info(old, &later.info, &status) && later.info.threads == 2 && later.more == 0);
  later.info.size = 8;
  REQUIRE(sheafc_info(old, &later.info, &status) == SHEAFC_INVALID_ARGUMENT && !strcmp(status.field, "size"));
  sheafc_close(old);
}

static void check_errors(sheafc* c, sheafc_model* m) {
  double x0[3] = {0}, out[3];
  sheafc_rollout_args a = sheafc_rollout_default();
  a.nbatch = 4, a.nstep = 1, a.state0 = x0, a.nstate0 = 3, a.final_state = out;
  REQUIRE(sheafc_rollout(c, m, &a, &status) == SHEAFC_INVALID_ARGUMENT);
  REQUIRE(!strcmp(status.field, "nstate0"));
  a.nbatch = 1, a.nstate0 = 1, a.nstep = 0;
  REQUIRE(sheafc_rollout(c, m, &a, &status) == SHEAFC_INVALID_ARGUMENT);
  REQUIRE(!strcmp(status.field, "nstep") && status.expected[0] && status.got[0]);
  sheafc_file bad = {"m.xml", "<mujoco><gem/></mujoco>", 23};
  REQUIRE(!sheafc_load_files(c, "m.xml", &bad, 1, &status) && status.code == SHEAFC_FAILED_PRECONDITION);
  REQUIRE(!sheafc_load(c, "/nonexistent.xml", &status) && status.code == SHEAFC_NOT_FOUND);
  REQUIRE(!sheafc_ping(c, &status));
  REQUIRE(!sheafc_connect("tcp://127.0.0.1:72983", NULL, &status) && status.code == SHEAFC_INVALID_ARGUMENT);
  REQUIRE(!strcmp(status.field, "address"));
}

static void on_progress(void* user, int64_t done, int64_t total) {
  int64_t* last = user;
  if (done < *last || done > total) *last = -1000000000;
  if (*last >= 0) *last = done;
}

// many calls at once, answers in any order, cancelled and abandoned ones among them
static void check_calls(sheafc* c, sheafc_model* m) {
  enum { N = 20, LONG = 2000000 };
  static double out[N][B * 3], far[64 * 3];
  double x0[3] = {0, 1, 0};
  sheafc_call* calls[N];
  sheafc_rollout_args slow = sheafc_rollout_default();
  slow.nbatch = 64, slow.nstep = LONG, slow.state0 = x0, slow.nstate0 = 1, slow.final_state = far;
  sheafc_call* cancelled = sheafc_rollout_begin(c, m, &slow, &status);
  sheafc_call* abandoned = sheafc_rollout_begin(c, m, &slow, &status);
  REQUIRE(cancelled && abandoned);
  REQUIRE(sheafc_wait(cancelled, 20, &status) == SHEAFC_PENDING);
  for (int i = 0; i < N; i++) {
    sheafc_rollout_args a = sheafc_rollout_default();
    a.nbatch = B, a.nstep = 10 + i, a.state0 = x0, a.nstate0 = 1, a.final_state = out[i];
    REQUIRE((calls[i] = sheafc_rollout_begin(c, m, &a, &status)));
  }
  sheafc_free_call(abandoned);
  sheafc_cancel(cancelled);
  for (int i = N - 1; i >= 0; i--) {
    REQUIRE(sheafc_wait(calls[i], -1, &status) == 0);
    REQUIRE(fabs(out[i][0] - 0.01 * (10 + i)) < 1e-9);
    sheafc_free_call(calls[i]);
  }
  REQUIRE(sheafc_wait(cancelled, -1, &status) == SHEAFC_CANCELLED);
  sheafc_free_call(cancelled);

  slow.how.timeout = 0.1;
  REQUIRE(sheafc_rollout(c, m, &slow, &status) == SHEAFC_DEADLINE_EXCEEDED);
  int64_t done = 0;
  slow.how = (sheafc_how){.progress = on_progress, .user = &done};
  slow.nstep = 20000;
  REQUIRE(!sheafc_rollout(c, m, &slow, &status) && done >= 0);
  REQUIRE(sheafc_fd(c) >= 0);
}

// a result of many parts, larger than all buffers between
static void check_large(sheafc* c, sheafc_model* m) {
  enum { N = 2000, STEPS = 500 };
  double x0[3] = {0, 1, 0};
  double* x = malloc(sizeof(double) * N * STEPS * 3);
  sheafc_rollout_args a = sheafc_rollout_default();
  a.nbatch = N, a.nstep = STEPS, a.state0 = x0, a.nstate0 = 1, a.state = x;
  REQUIRE(!sheafc_rollout(c, m, &a, &status));
  for (int i = 1; i < N; i++) REQUIRE(!memcmp(x, x + (size_t)i * STEPS * 3, sizeof(double) * STEPS * 3));
  free(x);
}

// the server has forgotten the model: it is uploaded again
static void check_forgotten(sheafc* c, sheafc_model* m) {
  char text[200];
  for (int i = 0; i < 12; i++) {
    int n = snprintf(text, sizeof text,
                     "<mujoco><asset><texture name='t%d' type='2d' builtin='flat' width='256' height='256'/></asset>"
                     "</mujoco>",
                     i);
    sheafc_file file = {"t.xml", text, (size_t)n};
    sheafc_model* other = sheafc_load_files(c, "t.xml", &file, 1, &status);
    REQUIRE(other);
    sheafc_free_model(other);
  }
  check_rollout(c, m);
}

// bytes that the server has sent so far
static uint64_t bytes_out(sheafc* c) {
  sheafc_server_info info = sheafc_server_info_default();
  REQUIRE(!sheafc_info(c, &info, &status));
  return info.bytes_out;
}

// results in memory that the server writes into
static void check_shared(sheafc* c, sheafc_model* m, int is_local) {
  enum { N = 200, STEPS = 50, STATE = N * STEPS * 3, QACC = N * STEPS };
  double x0[3] = {0, 1, 0};
  double* plain = malloc(sizeof(double) * (STATE + QACC));
  double* block = sheafc_alloc_results(c, sizeof(double) * (STATE + QACC), &status);
  double* other = sheafc_alloc_results(c, 1, &status);
  int32_t ok[N];
  REQUIRE(plain && block && other && block != other);
  sheafc_output more = {"qacc", plain + STATE};
  sheafc_rollout_args a = sheafc_rollout_default();
  a.nbatch = N, a.nstep = STEPS, a.state0 = x0, a.nstate0 = 1, a.state = plain, a.output = &more, a.noutput = 1;
  REQUIRE(!sheafc_rollout(c, m, &a, &status));
  a.state = block, more.data = block + STATE, a.status = ok;
  for (int k = 0; k < 3; k++) {
    uint64_t before = bytes_out(c);
    memset(block, 0, sizeof(double) * (STATE + QACC));
    memset(ok, 1, sizeof ok);
    REQUIRE(!sheafc_rollout(c, m, &a, &status));
    REQUIRE(!memcmp(block, plain, sizeof(double) * (STATE + QACC)) && ok[0] == 0 && ok[N - 1] == 0);
    REQUIRE((bytes_out(c) - before < 8000) == is_local);
  }

  // one output in the block, one that runs over its end, one in another block: those are sent
  double warm[N];
  a.final_state = other, a.final_warmstart = warm, a.nbatch = 4;
  more.data = plain + STATE;
  REQUIRE(!sheafc_rollout(c, m, &a, &status) && !memcmp(block, plain, sizeof(double) * 4 * STEPS * 3));
  REQUIRE(!memcmp(other, block + (STEPS - 1) * 3, 3 * sizeof(double)));
  a.final_state = a.final_warmstart = NULL;

  // a call that is given up does not write any more
  sheafc_rollout_args slow = sheafc_rollout_default();
  slow.nbatch = 16, slow.nstep = 2000000, slow.state0 = x0, slow.nstate0 = 1, slow.final_state = block;
  sheafc_call* call = sheafc_rollout_begin(c, m, &slow, &status);
  REQUIRE(call && sheafc_wait(call, 20, &status) == SHEAFC_PENDING);
  sheafc_free_call(call);
  a.nbatch = N, more.data = block + STATE;
  REQUIRE(!sheafc_rollout(c, m, &a, &status) && !memcmp(block, plain, sizeof(double) * (STATE + QACC)));
  sheafc_free_results(c, block);
  sheafc_free_results(c, plain);  // not one: nothing happens
  free(plain);
}

// the server is another one: what is in the memory stays, and its results are written there, too
static void check_restarted(sheafc* c, sheafc_model* m) {
  enum { N = 100, STEPS = 100, SIZE = N * STEPS * 3 };
  double x0[3] = {0, 1, 0};
  double* block = sheafc_alloc_results(c, 2 * sizeof(double) * SIZE, &status);
  REQUIRE(block);
  sheafc_rollout_args a = sheafc_rollout_default();
  a.nbatch = N, a.nstep = STEPS, a.state0 = x0, a.nstate0 = 1, a.state = block;
  REQUIRE(!sheafc_rollout(c, m, &a, &status));
  puts("connected");
  fflush(stdout);
  REQUIRE(getchar() == '\n');
  a.state = block + SIZE;
  REQUIRE(!sheafc_rollout(c, m, &a, &status) && !memcmp(block, block + SIZE, sizeof(double) * SIZE));
  uint64_t before = bytes_out(c);
  memset(block, 0, sizeof(double) * SIZE);
  a.state = block;
  REQUIRE(!sheafc_rollout(c, m, &a, &status) && !memcmp(block, block + SIZE, sizeof(double) * SIZE));
  REQUIRE(bytes_out(c) - before < 8000);
}

// hashes of the results of 100 batches of three kinds, whatever happens to the server meanwhile
static void print_batches(sheafc* c, sheafc_model* m) {
  enum { STEPS = 2500 };
  static double x0[B][3], A[B][4], qacc[B];
  const size_t nx = sizeof(double) * B * STEPS * 3;
  double* x = sheafc_alloc_results(c, nx, &status);
  REQUIRE(x);
  for (int k = 0; k < 100; k++) {
    uint64_t hash = 14695981039346656037u;
    for (int i = 0; i < B; i++) x0[i][1] = 0.01 * k + 0.1 * i;
    sheafc_rollout_args a = sheafc_rollout_default();
    a.nbatch = B, a.nstep = STEPS, a.state0 = &x0[0][0], a.state = x;
    REQUIRE(!sheafc_rollout(c, m, &a, &status));
    sheafc_transition_fd_args t = sheafc_transition_fd_default();
    t.nbatch = B, t.state = &x0[0][0], t.A = &A[0][0];
    REQUIRE(!sheafc_transition_fd(c, m, &t, &status));
    sheafc_output more = {"qacc", qacc};
    sheafc_forward_args f = sheafc_forward_default();
    f.nbatch = B, f.qpos = A[0], f.nqpos = 1, f.output = &more, f.noutput = 1;
    REQUIRE(!sheafc_forward(c, m, &f, &status));
    const void* parts[] = {x, A, qacc};
    const size_t sizes[] = {nx, sizeof A, sizeof qacc};
    for (int p = 0; p < 3; p++) {
      const uint8_t* bytes = parts[p];
      for (size_t i = 0; i < sizes[p]; i++) hash = (hash ^ bytes[i]) * 1099511628211u;
    }
    printf("%d %016llx\n", k, (unsigned long long)hash);
    fflush(stdout);
  }
}

static void print_state(sheafc* c) {
  sheafc_server_info info = sheafc_server_info_default();
  REQUIRE(!sheafc_info(c, &info, &status));
  puts(info.state);
}

// a server that goes while a call is in flight: it is answered there, and what comes later by the next server
static void check_leaving(sheafc* c, sheafc_model* m) {
  double x0[3] = {0, 1, 0}, far[64 * 3];
  sheafc_rollout_args a = sheafc_rollout_default();
  a.nbatch = 64, a.nstep = 200000, a.state0 = x0, a.nstate0 = 1, a.final_state = far;
  sheafc_call* call = sheafc_rollout_begin(c, m, &a, &status);
  REQUIRE(call && !sheafc_info(c, &(sheafc_server_info){.size = sizeof(sheafc_server_info)}, &status));
  puts("begun");
  fflush(stdout);
  REQUIRE(getchar() == '\n');
  print_state(c);
  REQUIRE(!sheafc_wait(call, -1, &status));
  sheafc_free_call(call);
  print_state(c);
  for (int i = 1; i < 64; i++) REQUIRE(!memcmp(far, far + 3 * (size_t)i, 3 * sizeof(double)));
}

// a server that is not there any more: the call gives up in time and says why; off, it fails at once
static void check_giving_up(const char* address, const char* model) {
  sheafc_retry retry = sheafc_default_retry();
  sheafc_options options = sheafc_default_options();
  double x0[3] = {0}, out[3];
  options.retry = &retry;
  sheafc_rollout_args a = sheafc_rollout_default();
  a.nbatch = 1, a.nstep = 1, a.state0 = x0, a.final_state = out;
  sheafc* c = sheafc_connect(address, &options, &status);
  REQUIRE(c);
  retry.off = 1;
  sheafc* off = sheafc_connect(address, &options, &status);
  REQUIRE(off);
  retry.off = 0, retry.patience = 0.3;
  sheafc* brief = sheafc_connect(address, &options, &status);
  REQUIRE(brief);
  sheafc_model *m = sheafc_load(c, model, &status), *m2 = sheafc_load(off, model, &status);
  REQUIRE(m && m2);
  puts("connected");
  fflush(stdout);
  REQUIRE(getchar() == '\n');

  REQUIRE(sheafc_rollout(off, m2, &a, &status) == SHEAFC_UNAVAILABLE && !strstr(status.message, "gave up"));
  REQUIRE(sheafc_rollout(brief, m, &a, &status) == SHEAFC_UNAVAILABLE && strstr(status.message, "gave up"));
  REQUIRE(strstr(status.message, "Connection refused"));
  a.how.timeout = 0.3;
  REQUIRE(sheafc_rollout(c, m, &a, &status) == SHEAFC_DEADLINE_EXCEEDED &&
          strstr(status.message, "Connection refused"));
  REQUIRE(sheafc_ping(c, &status) == SHEAFC_UNAVAILABLE);
  REQUIRE(!sheafc_rollout_begin(c, m, &a, &status) && status.retriable);
  sheafc_free_model(m);
  sheafc_free_model(m2);
  sheafc_close(c);
  sheafc_close(off);
  sheafc_close(brief);
}

static int to_itself;  // nonzero: the system gives a socket the port that it asks for

int connect(int fd, const struct sockaddr* address, socklen_t size) {
  if (to_itself) REQUIRE(!bind(fd, address, size));
  return (int)syscall(SYS_connect, fd, address, size);
}

// where nobody listens, a client is not its own server
static void check_own_peer(void) {
  struct sockaddr_in free_port = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t size = sizeof free_port;
  int fd = socket(AF_INET, SOCK_STREAM, 0);
  REQUIRE(!bind(fd, (struct sockaddr*)&free_port, size) && !getsockname(fd, (struct sockaddr*)&free_port, &size));
  close(fd);
  char address[64];
  snprintf(address, sizeof address, "tcp://127.0.0.1:%d", ntohs(free_port.sin_port));
  sheafc_retry retry = sheafc_default_retry();
  sheafc_options options = sheafc_default_options();
  retry.off = 1;
  options.retry = &retry;
  to_itself = 1;
  REQUIRE(!sheafc_connect(address, &options, &status));
  REQUIRE(status.retriable && strstr(status.message, "Connection refused"));
  to_itself = 0;
}

int main(int argc, char** argv) {
  REQUIRE(argc == 4);
  sheafc* c = sheafc_connect(argv[1], NULL, &status);
  REQUIRE(c);
  sheafc_server_info info = sheafc_server_info_default();
  REQUIRE(!sheafc_info(c, &info, &status) && !strcmp(info.state, "serving"));
  sheafc_model* m = sheafc_load(c, argv[2], &status);
  REQUIRE(m);
  if (!strcmp(argv[3], "all")) {
    check_model(m);
    check_rollout(c, m);
    check_params(c, m);
    check_chosen(c, m);
    check_dynamics(c, m);
    check_derivatives(c, m);
    check_errors(c, m);
    check_versions(c, m, argv[1]);
    check_calls(c, m);
    check_large(c, m);
    check_shared(c, m, !strncmp(argv[1], "unix:", 5));
    check_own_peer();
  } else if (!strcmp(argv[3], "driven")) {
    check_driven(c, m);
  } else if (!strcmp(argv[3], "meshes")) {
    check_meshes(m);
  } else if (!strcmp(argv[3], "forgotten")) {
    check_forgotten(c, m);
  } else if (!strcmp(argv[3], "batches")) {
    print_batches(c, m);
  } else if (!strcmp(argv[3], "restarted")) {
    check_restarted(c, m);
  } else if (!strcmp(argv[3], "leaving")) {
    check_leaving(c, m);
  } else if (!strcmp(argv[3], "large")) {
    check_large(c, m);
  } else if (!strcmp(argv[3], "gone")) {
    check_giving_up(argv[1], argv[2]);
  }
  sheafc_free_model(m);
  sheafc_close(c);
  puts("ok");
  return 0;
}
