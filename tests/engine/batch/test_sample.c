// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Tests of engine/batch/sample.c: what samples and plans are, computed again from rollouts of the plain request; the
// same bits for any threads, lanes, pieces and neighbours.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <sheaf/batch.h>

#include "batch/noise.h"
#include "batch/spline.h"
#include "engine/pool/bell.h"
#include "support/models.h"
#include "support/test.h"
#include "support/variants.h"

enum { B = 3, N = 21, K = 4, T = 24, NU = 6, TOP = 3, NX = 64, EVERY = 5, R = T / EVERY };

typedef struct {
  mjModel* m;
  int nx;
  mjtNum x0[B * NX], plan[B * K * NU], noise[K * NU], seed[B];
  mjtNum knots[B * K * NU], spread[B * K * NU], cost[B * N], top_cost[B * TOP], top_knots[B * TOP * K * NU];
  mjtNum top_state[B * TOP * T * NX], plan_cost[B], plan_state[B * T * NX];
  mjtNum gradient[B * K * NU], plan_solution[B * T * NX];
  mjtNum qacc[B * (1 + TOP) * T * NX], contact[B * (1 + TOP) * T * 4 * 24];
  sheafOutput output[2];
  int32_t status[B];
} Case;

static Case c, other;

static const sheafCostTerm terms[2] = {{SHEAF_NORM_SMOOTH_ABS, SHEAF_SOURCE_STATE, 3, 1, 1, 3, 0.1, 0, 0, 0},
                                       {SHEAF_NORM_QUADRATIC, SHEAF_SOURCE_CTRL, 0, NU, 0.1, 0, 0, 0, -1, 0}};
static const mjtNum target[1] = {1.1};

static void fill(Case* k) {
  *k = (Case){.m = test_model(kBiped)};
  k->nx = mj_stateSize(k->m, mjSTATE_FULLPHYSICS);
  mjData* d = mj_makeData(k->m);
  for (int b = 0; b < B; b++) {
    for (int t = 0; t < 5 * b; t++) mj_step(k->m, d);
    mj_getState(k->m, d, k->x0 + b * k->nx, mjSTATE_FULLPHYSICS);
    k->seed[b] = 1e12 + b;
  }
  mj_deleteData(d);
  for (int i = 0; i < B * K * NU; i++) k->plan[i] = 1.2 * sin(i);
  for (int i = 0; i < K * NU; i++) k->noise[i] = 0.2 + 0.01 * i;
  k->output[0] = (sheafOutput){"qacc", k->qacc};
  k->output[1] = (sheafOutput){"contact[4]", k->contact};
}

static sheafSample request(Case* k, int method) {
  return (sheafSample){.size = sizeof(sheafSample),
                       .nbatch = B,
                       .nstep = T,
                       .nknot = K,
                       .nsample = N,
                       .niteration = 3,
                       .method = method,
                       .temperature = 0.5,
                       .nelite = 5,
                       .least_noise = 0.15,
                       .shift = 2,
                       .hold = 3,
                       .discount = 0.98,
                       .ntop = TOP,
                       .state0 = k->x0,
                       .nstate0 = B,
                       .plan = k->plan,
                       .nplan = B,
                       .noise = k->noise,
                       .nnoise = 1,
                       .seed = k->seed,
                       .nseed = B,
                       .cost_term = &terms[0].norm,
                       .ncost_term = 1,
                       .ncost = 2,
                       .cost_target = target,
                       .ncost_target = 1,
                       .ntarget = 1,
                       .knots = k->knots,
                       .spread = k->spread,
                       .cost = k->cost,
                       .top_cost = k->top_cost,
                       .top_knots = k->top_knots,
                       .top_state = k->top_state,
                       .plan_cost = k->plan_cost,
                       .plan_state = k->plan_state,
                       .plan_solution = k->plan_solution,
                       .gradient = method == SHEAF_METHOD_GRADIENT ? k->gradient : NULL,
                       .output = k->output,
                       .noutput = 2,
                       .status = k->status};
}

static void run(Case* k, const sheafSample* r, int nthread, int nlane, double piece) {
  sheafPoolConfig cfg = {.size = sizeof cfg, .nthread = nthread, .nlane = nlane, .piece = piece};
  sheafPool* pool = sheaf_openPool(&cfg, NULL);
  sheafStatus st = {0};
  CHECK_EQ(sheaf_sample(pool, k->m, r, &st), 0);
  CHECK_TEXT(st.message, "");
  sheaf_closePool(pool);
}

static mjtNum clamp(mjtNum x) { return x < -1 ? -1 : x > 1 ? 1 : x; }

// rollouts of knots from the state of plan b: their costs, and states if wanted
static void rollOut(const Case* k, int b, const mjtNum* knots, int n, mjtNum* cost, mjtNum* state, mjtNum* qacc) {
  mjtNum time[K], *u = calloc((size_t)n * (T / 3) * NU, sizeof(mjtNum));
  for (int j = 0; j < K; j++) time[j] = j * ((T - 1.) / (K - 1));
  for (int i = 0; i < n; i++) {
    for (int t = 0; t < T / 3; t++) {
      mjiSpline s = mji_splineAt(MJI_SPLINE_CUBIC, time, K, 3 * t);
      for (int a = 0; a < NU; a++)
        u[(i * (T / 3) + t) * NU + a] = clamp(mji_splineValue(&s, knots + i * K * NU, NU, a));
    }
  }
  sheafRollout r = {.size = sizeof r, .nbatch = n, .nstep = T, .state0 = k->x0 + b * k->nx, .nstate0 = 1};
  r.control = u, r.ncontrol = n, r.ncontrolstep = T / 3, r.hold = 3;
  r.cost_term = &terms[0].norm, r.ncost_term = 1, r.ncost = 2, r.discount = 0.98;
  r.cost_target = target, r.ncost_target = 1, r.ntarget = 1;
  r.cost = cost, r.state = state;
  const sheafOutput output = {"qacc", qacc};
  r.output = &output, r.noutput = qacc != NULL;
  sheafPoolConfig cfg = {.size = sizeof cfg, .nthread = 1};
  sheafPool* pool = sheaf_openPool(&cfg, NULL);
  CHECK_EQ(sheaf_rollout(pool, k->m, &r, NULL), 0);
  sheaf_closePool(pool);
  free(u);
}

// knots of the samples of plan b, as sheaf/sampling.h has them
static void draw(const Case* k, int b, const mjtNum* plan, const mjtNum* spread, int iteration, mjtNum* knots) {
  uint64_t seed = (uint64_t)k->seed[b];
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < K; j++) {
      for (int a = 0; a < NU; a++) {
        mjiBlock counter = {{(uint32_t)i, (uint32_t)j, (uint32_t)a / 4, (uint32_t)iteration}};
        mjiBlock block = mji_philox(counter, (uint32_t[]){(uint32_t)seed, (uint32_t)(seed >> 32)});
        mjtNum z = i ? mji_normal(block.word[a % 4]) : 0;
        knots[(i * K + j) * NU + a] = clamp(plan[j * NU + a] + spread[j * NU + a] * z);
      }
    }
  }
}

// numbers of samples by their cost
static void sortSamples(const mjtNum* cost, int* order) {
  for (int i = 0; i < N; i++) {
    int j = i;
    for (; j > 0 && cost[order[j - 1]] > cost[i]; j--) order[j] = order[j - 1];
    order[j] = i;
  }
}

static void update(int method, const mjtNum* knots, const mjtNum* cost, const int* order, mjtNum* plan,
                   mjtNum* spread) {
  for (int k = 0; k < K * NU; k++) {
    mjtNum sum = 0, all = 0, square = 0;
    int n = method == SHEAF_METHOD_CEM ? 5 : N;
    for (int i = 0; i < n; i++) {
      int at = method == SHEAF_METHOD_CEM ? order[i] : i;
      mjtNum w = method == SHEAF_METHOD_CEM ? 1 : exp((cost[order[0]] - cost[at]) / 0.5);
      sum += w * knots[at * K * NU + k];
      all += w;
    }
    plan[k] = method == SHEAF_METHOD_PREDICTIVE ? knots[order[0] * K * NU + k] : sum / all;
    if (method != SHEAF_METHOD_CEM) continue;
    for (int i = 0; i < n; i++) square += pow(knots[order[i] * K * NU + k] - plan[k], 2);
    spread[k] = fmax(sqrt(square / n), 0.15);
  }
}

static void replay(int method) {
  static mjtNum knots[N * K * NU], state[N * T * NX], qacc[T * NX];
  mjtNum time[K], cost[N];
  int order[N];
  fill(&c);
  sheafSample r = request(&c, method);
  run(&c, &r, 2, 0, 0);
  for (int j = 0; j < K; j++) time[j] = j * ((T - 1.) / (K - 1));
  for (int b = 0; b < B; b++) {
    mjtNum plan[K * NU], spread[K * NU];
    for (int j = 0; j < K; j++) {
      mjiSpline s = mji_splineAt(MJI_SPLINE_CUBIC, time, K, time[j] + 2);
      for (int a = 0; a < NU; a++) plan[j * NU + a] = clamp(mji_splineValue(&s, c.plan + b * K * NU, NU, a));
    }
    memcpy(spread, c.noise, sizeof spread);
    for (int iteration = 0; iteration < 3; iteration++) {
      draw(&c, b, plan, spread, iteration, knots);
      rollOut(&c, b, knots, N, cost, state, NULL);
      sortSamples(cost, order);
      update(method, knots, cost, order, plan, spread);
    }
    // rounding of sums in another order, over three iterations of contacts
    CHECK_ARRAY(c.cost + b * N, cost, N, 1e-9);
    CHECK_ARRAY(c.knots + b * K * NU, plan, K * NU, 1e-9);
    CHECK_ARRAY(c.spread + b * K * NU, spread, K * NU, 1e-9);
    for (int k = 0; k < TOP; k++) {
      CHECK_ARRAY(c.top_cost + b * TOP + k, cost + order[k], 1, 1e-9);
      CHECK_ARRAY(c.top_knots + (b * TOP + k) * K * NU, knots + order[k] * K * NU, K * NU, 1e-9);
      CHECK_ARRAY(c.top_state + (size_t)(b * TOP + k) * T * c.nx, state + (size_t)order[k] * T * c.nx, T * c.nx, 1e-6);
    }
    rollOut(&c, b, c.knots + b * K * NU, 1, cost, state, qacc);
    CHECK_EQ(memcmp(c.qacc + (size_t)b * (1 + TOP) * T * c.m->nv, qacc, sizeof(mjtNum) * T * (size_t)c.m->nv), 0);
    CHECK_EQ(c.plan_cost[b], cost[0]);
    CHECK_EQ(memcmp(c.plan_state + (size_t)b * T * c.nx, state, sizeof(mjtNum) * T * c.nx), 0);
    CHECK_EQ(c.status[b], 0);
    CHECK(c.plan_cost[b] < c.cost[b * N] || method == SHEAF_METHOD_MPPI);
  }
  mj_deleteModel(c.m);
}

TEST(predictive_sampling_is_its_formula_over_plain_rollouts) { replay(SHEAF_METHOD_PREDICTIVE); }
TEST(mppi_is_its_formula_over_plain_rollouts) { replay(SHEAF_METHOD_MPPI); }
TEST(the_cross_entropy_method_is_its_formula_over_plain_rollouts) { replay(SHEAF_METHOD_CEM); }

static int same(const Case* a, const Case* b) {
  return !memcmp(a->knots, b->knots, sizeof a->knots) && !memcmp(a->cost, b->cost, sizeof a->cost) &&
         !memcmp(a->top_state, b->top_state, sizeof a->top_state) && !memcmp(a->spread, b->spread, sizeof a->spread) &&
         !memcmp(a->plan_state, b->plan_state, sizeof a->plan_state) &&
         !memcmp(a->gradient, b->gradient, sizeof a->gradient) && !memcmp(a->qacc, b->qacc, sizeof a->qacc) &&
         !memcmp(a->contact, b->contact, sizeof a->contact) &&
         !memcmp(a->plan_solution, b->plan_solution, sizeof a->plan_solution);
}

static void sameBits(int method) {
  fill(&c);
  fill(&other);
  sheafSample r = request(&c, method), q = request(&other, method);
  run(&c, &r, 1, 1, 0);
  static const struct {
    int nthread, nlane;
    double piece;
  } config[] = {{1, 4, 0}, {2, 8, 0}, {4, 0, 0}, {2, 4, 1e-9}, {3, 1, 1e-9}};
  for (size_t k = 0; k < sizeof config / sizeof config[0]; k++) {
    if (!test_hasLanes(config[k].nlane)) continue;
    run(&other, &q, config[k].nthread, config[k].nlane, config[k].piece);
    CHECK(same(&c, &other));
  }

  // the plans one by one
  memset(other.knots, 0, sizeof other.knots);
  for (int b = 0; b < B; b++) {
    q = request(&other, method);
    q.nbatch = q.nstate0 = q.nplan = q.nseed = 1;
    q.state0 += b * c.nx, q.plan += b * K * NU, q.seed += b;
    q.knots += b * K * NU, q.spread += b * K * NU, q.cost += b * N, q.top_cost += b * TOP;
    q.top_knots += b * TOP * K * NU, q.top_state += (size_t)b * TOP * T * c.nx, q.status += b;
    q.plan_cost += b, q.plan_state += (size_t)b * T * c.nx, q.plan_solution += (size_t)b * T * c.m->nv;
    if (q.gradient) q.gradient += b * K * NU;
    const sheafOutput own[] = {{"qacc", other.qacc + (size_t)b * (1 + TOP) * T * c.m->nv},
                               {"contact[4]", other.contact + (size_t)b * (1 + TOP) * T * 4 * 24}};
    q.output = own;
    run(&other, &q, 2, 0, 0);
  }
  CHECK(same(&c, &other));
  mj_deleteModel(c.m);
  mj_deleteModel(other.m);
}

TEST(plans_have_the_same_bits_for_any_threads_lanes_and_pieces_and_alone) { sameBits(SHEAF_METHOD_CEM); }
TEST(gradients_have_the_same_bits_for_any_threads_lanes_and_pieces_and_alone) { sameBits(SHEAF_METHOD_GRADIENT); }

// a sum of squares, so that there are no kinks in it: the state after steps, sensors and controls
static const sheafCostTerm smooth[3] = {{SHEAF_NORM_QUADRATIC, SHEAF_SOURCE_STATE, 3, 5, 1, 3, 0, 0, 0, 0},
                                        {SHEAF_NORM_COSH, SHEAF_SOURCE_STATE, 8, 9, 0.3, 0, 2, 0, -1, 0},
                                        {SHEAF_NORM_QUADRATIC, SHEAF_SOURCE_CTRL, 0, NU, 0.1, 0, 0, 0, -1, 0}};
static const mjtNum smooth_target[5] = {1.1, 0.9, 0.1, 0.2, -0.3};

static void differentiate(sheafSample* r) {
  r->cost_term = &smooth[0].norm, r->ncost = 3, r->cost_target = smooth_target, r->ntarget = 5;
  r->niteration = 1, r->shift = 0;
}

// the cost of a plan from numbers within its range, as it is given
static mjtNum costOf(int b, const mjtNum* plan, int spline) {
  sheafSample r = request(&other, SHEAF_METHOD_PREDICTIVE);
  differentiate(&r);
  r.nbatch = r.nstate0 = r.nplan = r.nseed = 1, r.nsample = 1, r.ntop = 0;
  r.state0 += b * c.nx, r.plan = plan, r.spline = spline;
  r.top_cost = r.top_knots = r.top_state = r.plan_state = r.plan_solution = NULL, r.noutput = 0;
  run(&other, &r, 1, 0, 0);
  return other.cost[0];
}

static void differentiatesCosts(int spline) {
  const mjtNum h = 1e-5;
  fill(&c);
  other.m = c.m;
  for (int i = 0; i < B * K * NU; i++) c.plan[i] *= 0.6;
  sheafSample r = request(&c, SHEAF_METHOD_GRADIENT);
  differentiate(&r);
  r.spline = spline;
  run(&c, &r, 2, 0, 0);
  for (int b = 0; b < B; b++) {
    mjtNum most = 0;
    for (int i = 0; i < K * NU; i++) most = fmax(most, fabs(c.gradient[b * K * NU + i]));
    for (int i = 0; i < K * NU; i += 5) {
      mjtNum plan[K * NU], up;
      memcpy(plan, c.plan + b * K * NU, sizeof plan);
      plan[i] += h;
      up = costOf(b, plan, spline);
      plan[i] -= 2 * h;
      // of differences: the third derivative, and the solver's tolerance over h
      CHECK_NEAR(c.gradient[b * K * NU + i] / most, (up - costOf(b, plan, spline)) / (2 * h) / most, 1e-5);
    }
  }
  mj_deleteModel(c.m);
}

TEST(the_gradient_of_zero_order_plans_is_that_of_differences) { differentiatesCosts(SHEAF_SPLINE_ZERO); }
TEST(the_gradient_of_linear_plans_is_that_of_differences) { differentiatesCosts(SHEAF_SPLINE_LINEAR); }
TEST(the_gradient_of_cubic_plans_is_that_of_differences) { differentiatesCosts(SHEAF_SPLINE_CUBIC); }

TEST(a_plan_that_diverges_has_no_gradient_and_its_neighbours_have) {
  fill(&c);
  sheafSample r = request(&c, SHEAF_METHOD_GRADIENT);
  c.x0[c.nx + 8] = NAN;
  r.ntop = 0, r.top_cost = r.top_knots = r.top_state = NULL, r.noutput = 0;
  run(&c, &r, 2, 0, 0);
  CHECK(c.status[0] == 0 && c.status[1] != 0 && c.status[2] == 0);
  mjtNum sum[B] = {0};
  for (int i = 0; i < B * K * NU; i++) sum[i / (K * NU)] += fabs(c.gradient[i]);
  CHECK(sum[0] > 0 && sum[1] == 0 && sum[2] > 0);
  CHECK(c.cost[2 * N + 1] < INFINITY && c.cost[N] == INFINITY);
  mj_deleteModel(c.m);
}

// rows of step k * EVERY as floats, in the order of the rows of all steps
TEST(trajectories_have_the_rows_and_the_type_that_were_asked_for) {
  static float qacc[B * (1 + TOP) * R * NX], top[B * TOP * R * NX], plan[B * R * NX];
  fill(&c);
  sheafSample r = request(&c, SHEAF_METHOD_MPPI);
  run(&c, &r, 2, 0, 0);
  const sheafOutput output = {"qacc", (mjtNum*)(void*)qacc};
  r.output = &output, r.noutput = 1, r.every = EVERY, r.dtype = sizeof(float);
  r.top_state = (mjtNum*)(void*)top, r.plan_state = (mjtNum*)(void*)plan;
  run(&c, &r, 1, 4, 0);
  size_t nv = (size_t)c.m->nv, nx = (size_t)c.nx;
  for (size_t row = 0; row < B * (1 + TOP) * R; row++) {
    size_t from = row / R * T + row % R * EVERY + EVERY - 1;
    for (size_t i = 0; i < nv; i++) CHECK_EQ(qacc[row * nv + i], (float)c.qacc[from * nv + i]);
  }
  for (size_t row = 0; row < B * TOP * R; row++) {
    size_t from = row / R * T + row % R * EVERY + EVERY - 1;
    for (size_t i = 0; i < nx; i++) CHECK_EQ(top[row * nx + i], (float)c.top_state[from * nx + i]);
    for (size_t i = 0; i < nx && row < B * R; i++) CHECK_EQ(plan[row * nx + i], (float)c.plan_state[from * nx + i]);
  }
  mj_deleteModel(c.m);
}

TEST(a_part_of_the_samples_has_no_outputs) {
  fill(&c);
  sheafSample r = request(&c, SHEAF_METHOD_MPPI);
  sheafStatus st;
  sheafPoolConfig cfg = {.size = sizeof cfg, .nthread = 1};
  sheafPool* pool = sheaf_openPool(&cfg, NULL);
  r.niteration = 1, r.sample_count = 3, r.ntop = 0;
  r.top_cost = r.top_knots = r.top_state = r.plan_state = r.plan_cost = r.plan_solution = NULL;
  CHECK_EQ(sheaf_sample(pool, c.m, &r, &st), SHEAF_INVALID_ARGUMENT);
  CHECK_TEXT(st.field, "outputs");
  r.noutput = 0;
  CHECK_EQ(sheaf_sample(pool, c.m, &r, &st), 0);
  sheaf_closePool(pool);
  mj_deleteModel(c.m);
}

static void stop(void* user, int64_t done, int64_t total) {
  int64_t* seen = user;
  seen[0] = done, seen[1] = total;
}

TEST(progress_along_the_gradient_ends_at_its_total) {
  fill(&c);
  int64_t seen[2];
  sheafSample r = request(&c, SHEAF_METHOD_GRADIENT);
  r.progress = stop, r.user = seen;
  run(&c, &r, 2, 4, 0);
  CHECK_EQ(seen[0], seen[1]);
  CHECK_EQ(seen[1], B * T * (3 * (N + 2) + 1 + TOP));
  mj_deleteModel(c.m);
}

TEST(samples_in_parts_have_the_bits_of_one_request) {
  for (int method = SHEAF_METHOD_PREDICTIVE; method <= SHEAF_METHOD_GRADIENT; method++) {
    fill(&c);
    fill(&other);
    sheafSample r = request(&c, method);
    r.niteration = 1, r.first_iteration = 2;
    run(&c, &r, 2, 0, 0);
    static mjtNum cost[B * N];
    static const int begin[] = {0, 7, 8, N};
    for (int k = 0; k < 3; k++) {
      sheafSample part = request(&other, method);
      part.niteration = 1, part.first_iteration = 2, part.ntop = 0;
      part.sample_begin = begin[k], part.sample_count = begin[k + 1] - begin[k];
      part.top_cost = part.top_knots = part.top_state = part.plan_cost = part.plan_state = part.plan_solution = NULL;
      part.noutput = 0;
      run(&other, &part, 2, 0, 0);
      for (int i = 0; i < B * N; i++) {
        int inside = i % N >= begin[k] && i % N < begin[k + 1];
        CHECK_EQ(isnan(other.cost[i]) != 0, !inside);
        if (inside) cost[i] = other.cost[i];
      }
    }
    sheafSample whole = request(&other, method);
    whole.niteration = 1, whole.first_iteration = 2, whole.sample_cost = cost, whole.nsample_cost = B;
    run(&other, &whole, 2, 0, 0);
    CHECK(same(&c, &other));
    mj_deleteModel(c.m);
    mj_deleteModel(other.m);
  }
}

TEST(samples_that_diverge_are_never_chosen) {
  fill(&c);
  sheafSample r = request(&c, SHEAF_METHOD_MPPI);
  r.ntop = 0, r.top_cost = r.top_knots = r.top_state = NULL;
  c.x0[c.nx + 8] = NAN;
  run(&c, &r, 2, 0, 0);
  CHECK_EQ(c.status[0], 0);
  CHECK_EQ(c.status[1], SHEAF_ROW_BADQPOS + (8 > c.m->nq));
  CHECK(c.cost[N] == INFINITY && c.cost[0] < 1e6);
  for (int k = 0; k < B * K * NU; k++) CHECK(c.knots[k] >= -1 && c.knots[k] <= 1);
  mj_deleteModel(c.m);
}

TEST(progress_ends_at_its_total) {
  fill(&c);
  int64_t seen[2];
  sheafSample r = request(&c, SHEAF_METHOD_PREDICTIVE);
  r.progress = stop, r.user = seen;
  run(&c, &r, 2, 4, 0);
  CHECK_EQ(seen[0], seen[1]);
  CHECK_EQ(seen[1], B * T * (3 * N + 1 + TOP));
  mj_deleteModel(c.m);
}

TEST(a_sample_that_is_cancelled_ends) {
  fill(&c);
  sheafSample r = request(&c, SHEAF_METHOD_PREDICTIVE);
  r.niteration = 1000;
  sheafPoolConfig cfg = {.size = sizeof cfg, .nthread = 2};
  sheafPool* pool = sheaf_openPool(&cfg, NULL);
  sheafJob* job = sheaf_submit(pool, c.m, SHEAF_SAMPLE, &r, NULL, NULL, NULL);
  sheaf_cancel(job);
  CHECK_EQ(sheaf_wait(job, NULL), SHEAF_CANCELLED);
  CHECK_EQ(c.status[0], SHEAF_ROW_CANCELLED);
  int64_t done, total;
  sheaf_jobProgress(job, &done, &total);
  CHECK_EQ(done, total);
  sheaf_freeJob(job);
  sheaf_closePool(pool);
  mj_deleteModel(c.m);
}

// ---- plans that are changed by many samples

enum { MANY = 20000 };

static mjtNum given[MANY];

static sheafSample changes(Case* k, int method) {
  for (int i = 0; i < MANY; i++) given[i] = (i * 7919) % 10007;  // some are equal
  return (sheafSample){.size = sizeof(sheafSample),
                       .nbatch = 1,
                       .nstep = T,
                       .nknot = K,
                       .nsample = MANY,
                       .niteration = 1,
                       .method = method,
                       .temperature = 500,
                       .nelite = MANY / 2,
                       .ntop = TOP,
                       .state0 = k->x0,
                       .nstate0 = 1,
                       .noise = k->noise,
                       .nnoise = 1,
                       .sample_cost = given,
                       .nsample_cost = 1,
                       .cost_term = &terms[0].norm,
                       .ncost_term = 1,
                       .ncost = 2,
                       .cost_target = target,
                       .ncost_target = 1,
                       .ntarget = 1,
                       .knots = k->knots,
                       .spread = k->spread,
                       .top_cost = k->top_cost,
                       .top_knots = k->top_knots,
                       .status = k->status};
}

// Nothing but the change of the plan keeps anything when it gives way: samples with given costs are not rolled out.
static int changesInPieces(Case* k, int method, int cancel) {
  sheafPoolConfig cfg = {.size = sizeof cfg, .nthread = 1, .nlane = 8, .piece = 1e-9};
  sheafSample r = changes(k, method);
  sheafPool* pool = sheaf_openPool(&cfg, NULL);
  Bell bell = makeBell();
  int nkept = 0;
  sheafJob* job = sheaf_submit(pool, k->m, SHEAF_SAMPLE, &r, ring, &bell, NULL);
  CHECK(job != NULL);
  for (waitForRing(&bell); sheaf_jobPaused(job); waitForRing(&bell)) {
    sheafWork work = {.size = sizeof work};
    sheaf_jobWork(job, &work);
    nkept += work.kept > 0;
    if (cancel && nkept) sheaf_cancel(job);
    CHECK_EQ(sheaf_resume(job, NULL), 0);
  }
  CHECK_EQ(sheaf_wait(job, NULL), cancel ? SHEAF_CANCELLED : SHEAF_OK);
  sheaf_freeJob(job);
  sheaf_closePool(pool);
  return nkept;
}

TEST(a_plan_that_is_changed_by_many_samples_gives_way_and_has_the_same_bits) {
  static const int methods[] = {SHEAF_METHOD_PREDICTIVE, SHEAF_METHOD_MPPI, SHEAF_METHOD_CEM};
  for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
    fill(&c);
    fill(&other);
    sheafSample whole = changes(&c, methods[i]);
    run(&c, &whole, 1, 8, 0);
    CHECK(changesInPieces(&other, methods[i], 0) > 1);
    CHECK(!memcmp(c.knots, other.knots, sizeof c.knots) && !memcmp(c.spread, other.spread, sizeof c.spread));
    CHECK(!memcmp(c.top_cost, other.top_cost, sizeof c.top_cost));
    CHECK(!memcmp(c.top_knots, other.top_knots, sizeof c.top_knots));
    CHECK_EQ(other.status[0], SHEAF_ROW_OK);
    mj_deleteModel(c.m);
    mj_deleteModel(other.m);
  }
}

TEST(a_change_of_a_plan_ends_when_it_is_cancelled) {
  fill(&c);
  CHECK_EQ(changesInPieces(&c, SHEAF_METHOD_MPPI, 1), 1);
  CHECK_EQ(c.status[0], SHEAF_ROW_CANCELLED);
  mj_deleteModel(c.m);
}

static void refused(const sheafSample* r, int code, const char* field, const char* why) {
  sheafPoolConfig cfg = {.size = sizeof cfg, .nthread = 1};
  sheafPool* pool = sheaf_openPool(&cfg, NULL);
  sheafStatus st = {0};
  CHECK_EQ(sheaf_sample(pool, c.m, r, &st), code);
  CHECK_TEXT(st.field, field);
  CHECK_TEXT(st.message, why);
  sheaf_closePool(pool);
}

TEST(requests_that_cannot_be_sampled_are_refused) {
  fill(&c);
  sheafSample r = request(&c, 5);
  refused(&r, SHEAF_INVALID_ARGUMENT, "method", "expected 1 to 4, got 5");
  r = request(&c, 1), r.seed = (mjtNum[]){1, 2, 0.5};
  refused(&r, SHEAF_INVALID_ARGUMENT, "seed", "expected an integer from 0 to 2^53, got 0.5");
  r = request(&c, 1), r.seed = (mjtNum[]){1, NAN, 1};
  refused(&r, SHEAF_INVALID_ARGUMENT, "seed", "expected an integer");
  r = request(&c, 1), r.ntop = N + 1;
  refused(&r, SHEAF_INVALID_ARGUMENT, "ntop", "expected 0 to nsample (21), got 22");
  r = request(&c, 1), r.nstep = 2147483647;
  refused(&r, SHEAF_RESOURCE_EXHAUSTED, "nsample", "expected samples and results of at most 2.15e+09 bytes");
  r = request(&c, 1), r.nstep = r.hold = 2147483647, r.nbatch = r.nstate0 = r.nplan = r.nseed = 1;
  r.nsample = 65536, r.niteration = 1000000, r.plan_state = r.top_state = NULL;
  refused(&r, SHEAF_INVALID_ARGUMENT, "niteration", "expected 1 to 1000");
  r.nsample = 65536, r.niteration = 1000, r.nbatch = 40, r.nstate0 = r.nplan = r.nseed = 1;
  refused(&r, SHEAF_INVALID_ARGUMENT, "nstep", "expected fewer than 4e18 steps of all samples, got");
  r = request(&c, 1), r.gradient = c.gradient;
  refused(&r, SHEAF_INVALID_ARGUMENT, "gradient", "expected method 4");
  r = request(&c, 1), r.niteration = 1, r.ntop = 0, r.sample_begin = 20, r.sample_count = 2;
  refused(&r, SHEAF_INVALID_ARGUMENT, "sample_count", "expected at most 1 after sample_begin, got 2");
  r.sample_begin = 3;
  refused(&r, SHEAF_INVALID_ARGUMENT, "outputs", "expected nothing of the improved plan");
  r.sample_count = 0;
  refused(&r, SHEAF_INVALID_ARGUMENT, "sample_count", "expected 1 or more with sample_begin");
  r = request(&c, 1), r.sample_cost = c.cost, r.nsample_cost = B;
  refused(&r, SHEAF_INVALID_ARGUMENT, "niteration", "expected 1 where samples are divided");
  r = request(&c, 1), r.cost_term = NULL;
  refused(&r, SHEAF_INVALID_ARGUMENT, "cost_term", "expected an array");
  mj_deleteModel(c.m);
  c.m = test_model("<mujoco><worldbody><body><freejoint/><geom size='1'/></body></worldbody></mujoco>");
  r = request(&c, 1);
  refused(&r, SHEAF_FAILED_PRECONDITION, "model", "expected actuators, got none");
  mj_deleteModel(c.m);
}

TEST(elements_of_costs_have_names) {
  mjModel* m = test_model(
      "<mujoco><worldbody><body><freejoint name='free'/><geom size='1'/><body pos='1 0 0'><joint name='hinge'/>"
      "<geom size='1'/></body></body></worldbody><actuator><motor name='m' joint='hinge'/></actuator>"
      "<sensor><jointpos name='p' joint='hinge'/><jointvel name='v' joint='hinge'/></sensor></mujoco>");
  static const struct {
    const char* of;
    int source, first, count;
  } cases[] = {{"sensordata[v]", SHEAF_SOURCE_SENSORDATA, 1, 1},
               {"sensordata", SHEAF_SOURCE_SENSORDATA, 0, 2},
               {"qpos[free]", SHEAF_SOURCE_STATE, 1, 7},
               {"qpos[hinge]", SHEAF_SOURCE_STATE, 8, 1},
               {"qvel[hinge]", SHEAF_SOURCE_STATE, 15, 1},
               {"qvel[2:4]", SHEAF_SOURCE_STATE, 11, 2},
               {"ctrl[m]", SHEAF_SOURCE_CTRL, 0, 1},
               {"state[3]", SHEAF_SOURCE_STATE, 3, 1},
               {"time", SHEAF_SOURCE_STATE, 0, 1},
               {"qpos[free, hinge]", SHEAF_SOURCE_STATE, 1, 8}};
  static const char* const wrong[] = {"act",         "qacc",  "qpos[knee]", "qpos[9]", "qpos[0, 2]",
                                      "state[free]", "qpos[", "",           NULL};
  sheafStatus st;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    sheafCostTerm t = {0};
    CHECK_EQ(sheaf_costElements(m, cases[i].of, &t, &st), 0);
    CHECK(t.source == cases[i].source && t.first == cases[i].first && t.count == cases[i].count);
  }
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    CHECK_EQ(sheaf_costElements(m, wrong[i], &(sheafCostTerm){0}, &st), SHEAF_INVALID_ARGUMENT);
    CHECK_TEXT(st.field, "cost");
  }
  CHECK_EQ(sheaf_costElements(m, "qpos[hip]", &(sheafCostTerm){0}, NULL), SHEAF_INVALID_ARGUMENT);
  mj_deleteModel(m);
}
