// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Tests of engine/batch/rollout_cost.c: costs are the sums of sheaf/cost_term.h over the rows of the same rollout, with
// the same bits for any threads, lanes and pieces.

#include <math.h>
#include <string.h>

#include <sheaf/batch.h>

#include "support/models.h"
#include "support/test.h"
#include "support/variants.h"

enum { B = 11, T = 30, NTERM = 9, NTARGET = 3 + 2 * T };

typedef struct {
  mjModel* m;
  int nx, ns, nu;
  mjtNum x0[B * 64], u[B * T * 8], state[B * T * 64], sensor[B * T * 16];
  mjtNum cost[B], parts[B * NTERM], target[NTARGET];
  int32_t status[B], length[B];
} Case;

static Case c, other;

static const sheafCostTerm terms[NTERM] = {
    {SHEAF_NORM_QUADRATIC, SHEAF_SOURCE_SENSORDATA, 0, 3, 2, 5, 0, 0, 0, 0},
    {SHEAF_NORM_L2, SHEAF_SOURCE_SENSORDATA, 3, 3, 0.5, 0, 0.1, 0, -1, 0},
    {SHEAF_NORM_SMOOTH_ABS, SHEAF_SOURCE_STATE, 3, 1, 1, 0, 0.05, 0, 1, 0},
    {SHEAF_NORM_SMOOTH_ABS2, SHEAF_SOURCE_STATE, 8, 4, 1, 0, 0.1, 1.5, -1, 0},
    {SHEAF_NORM_COSH, SHEAF_SOURCE_STATE, 13, 2, 1, 0, 3, 0, 3, 2},
    {SHEAF_NORM_POWER, SHEAF_SOURCE_CTRL, 0, 6, 0.1, 0, 3, 0, -1, 0},
    {SHEAF_NORM_RECTIFY, SHEAF_SOURCE_SENSORDATA, 6, 1, 1, 0, 0.01, 0, -1, 0},
    {SHEAF_NORM_SUM, SHEAF_SOURCE_STATE, 0, 2, -1, 0, 0, 0, -1, 0},
    {SHEAF_NORM_QUADRATIC, SHEAF_SOURCE_CTRL, 2, 1, 0, 4, 0, 0, 2, 0},
};

static void fill(Case* k) {
  *k = (Case){.m = test_model(kBiped)};
  const mjModel* m = k->m;
  k->nx = mj_stateSize(m, mjSTATE_FULLPHYSICS);
  k->ns = (int)m->nsensordata;
  k->nu = (int)m->nu;
  mjData* d = mj_makeData(m);
  for (int i = 0; i < B; i++) {
    for (int t = 0; t < 3 * i; t++) mj_step(m, d);
    mj_getState(m, d, k->x0 + i * k->nx, mjSTATE_FULLPHYSICS);
    k->length[i] = T - i;
  }
  mj_deleteData(d);
  for (int i = 0; i < B * T * k->nu; i++) k->u[i] = sin(3.7 * i);
  for (int i = 0; i < NTARGET; i++) k->target[i] = 0.3 * cos(i);
}

static sheafRollout request(Case* k) {
  return (sheafRollout){.size = sizeof(sheafRollout),
                        .nbatch = B,
                        .nstep = T,
                        .length = k->length,
                        .state0 = k->x0,
                        .nstate0 = B,
                        .control = k->u,
                        .ncontrol = B,
                        .ncontrolstep = T,
                        .status = k->status,
                        .cost_term = &terms[0].norm,
                        .ncost_term = 1,
                        .ncost = NTERM,
                        .cost_target = k->target,
                        .ncost_target = 1,
                        .ntarget = NTARGET,
                        .discount = 0.97,
                        .cost = k->cost,
                        .cost_parts = k->parts};
}

static void run(Case* k, const sheafRollout* r, int nthread, int nlane, double piece) {
  sheafPoolConfig cfg = {.size = sizeof cfg, .nthread = nthread, .nlane = nlane, .piece = piece};
  sheafPool* pool = sheaf_openPool(&cfg, NULL);
  sheafStatus st = {0};
  CHECK_EQ(sheaf_rollout(pool, k->m, r, &st), 0);
  CHECK_TEXT(st.message, "");
  sheaf_closePool(pool);
}

// element j of a term in row i, step t of the results
static mjtNum element(const Case* k, const sheafCostTerm* term, int i, int t, int j) {
  const mjtNum* from[] = {k->sensor, k->state, k->u};
  const int n[] = {k->ns, k->nx, k->nu};
  int source = (int)term->source, target = (int)term->target;
  mjtNum x = from[source][(i * T + t) * n[source] + (int)term->first + j];
  return target < 0 ? x : x - k->target[target + t * (int)term->stride + j];
}

// the formulas of sheaf/cost_term.h
static mjtNum norm(const Case* k, const sheafCostTerm* term, int i, int t) {
  mjtNum sum = 0, p = term->p, q = term->q;
  for (int j = 0; j < (int)term->count; j++) {
    mjtNum x = element(k, term, i, t, j);
    switch ((int)term->norm) {
      case SHEAF_NORM_QUADRATIC: sum += x * x / 2; break;
      case SHEAF_NORM_L2: sum += x * x; break;
      case SHEAF_NORM_SMOOTH_ABS: sum += sqrt(x * x + p * p) - p; break;
      case SHEAF_NORM_SMOOTH_ABS2: sum += pow(pow(fabs(x), q) + pow(p, q), 1 / q) - p; break;
      case SHEAF_NORM_COSH: sum += p * p * (cosh(x / p) - 1); break;
      case SHEAF_NORM_POWER: sum += pow(fabs(x), p); break;
      case SHEAF_NORM_RECTIFY: sum += x > 0.5 ? x : p * log(1 + exp(x / p)); break;
      default: sum += x; break;
    }
  }
  return (int)term->norm == SHEAF_NORM_L2 ? sqrt(sum + p * p) - p : sum;
}

TEST(costs_are_sums_over_the_rows_of_the_same_rollout) {
  fill(&c);
  sheafRollout r = request(&c);
  r.state = c.state;
  r.sensordata = c.sensor;
  run(&c, &r, 2, 0, 0);
  for (int i = 0; i < B; i++) {
    mjtNum total = 0;
    for (int k = 0; k < NTERM; k++) {
      mjtNum part = 0;
      for (int t = 0; t < c.length[i]; t++) {
        mjtNum weight = terms[k].weight + (t + 1 == c.length[i] ? terms[k].terminal : 0);
        part += pow(0.97, t) * weight * norm(&c, terms + k, i, t);
      }
      CHECK_NEAR(c.parts[i * NTERM + k], part, 1e-12);
      total += part;
    }
    CHECK_NEAR(c.cost[i], total, 1e-12);
  }
  mj_deleteModel(c.m);
}

TEST(costs_have_the_same_bits_for_any_threads_lanes_and_pieces_and_without_other_results) {
  fill(&c);
  fill(&other);
  sheafRollout r = request(&c), q = request(&other);
  r.state = c.state;
  run(&c, &r, 1, 1, 0);
  static const struct {
    int nthread, nlane;
    double piece;
  } config[] = {{1, 4, 0}, {2, 8, 0}, {3, 0, 0}, {2, 4, 1e-9}, {3, 1, 1e-9}};
  for (size_t k = 0; k < sizeof config / sizeof config[0]; k++) {
    if (!test_hasLanes(config[k].nlane)) continue;
    run(&other, &q, config[k].nthread, config[k].nlane, config[k].piece);
    CHECK_EQ(memcmp(c.cost, other.cost, sizeof c.cost), 0);
    CHECK_EQ(memcmp(c.parts, other.parts, sizeof c.parts), 0);
  }
  mj_deleteModel(c.m);
  mj_deleteModel(other.m);
}

TEST(terms_and_targets_may_differ_between_rows) {
  static sheafCostTerm own[B][2];
  static mjtNum target[B][1];
  fill(&c);
  sheafRollout r = request(&c);
  for (int i = 0; i < B; i++) {
    own[i][0] = (sheafCostTerm){SHEAF_NORM_SUM, SHEAF_SOURCE_STATE, 3, 1, i, 0, 0, 0, 0, 0};
    own[i][1] = (sheafCostTerm){SHEAF_NORM_SUM, SHEAF_SOURCE_CTRL, i % 6, 1, 0, 1, 0, 0, -1, 0};
    target[i][0] = 0.1 * i;
  }
  r.cost_term = &own[0][0].norm, r.ncost_term = B, r.ncost = 2;
  r.cost_target = target[0], r.ncost_target = B, r.ntarget = 1;
  r.discount = 0;
  r.state = c.state;
  run(&c, &r, 2, 0, 0);
  for (int i = 0; i < B; i++) {
    int last = c.length[i] - 1;
    mjtNum want = c.u[(i * T + last) * c.nu + i % 6];
    for (int t = 0; t <= last; t++) want += i * (c.state[(i * T + t) * c.nx + 3] - 0.1 * i);
    CHECK_NEAR(c.cost[i], want, 1e-12);
  }
  mj_deleteModel(c.m);
}

TEST(a_rollout_that_stops_being_valid_costs_infinity) {
  fill(&c);
  sheafRollout r = request(&c);
  c.u[(2 * T + 5) * c.nu] = NAN;
  c.x0[3 * c.nx + 4] = NAN;
  run(&c, &r, 1, 0, 0);
  for (int i = 0; i < B; i++) CHECK(i == 2 || i == 3 ? c.cost[i] == INFINITY : c.cost[i] < 1e6 && c.cost[i] > -1e6);
  CHECK(c.parts[2 * NTERM] > 0 && isfinite(c.parts[2 * NTERM]));

  // a cost that is not a number
  for (int i = 0; i < NTARGET; i++) c.target[i] = NAN;
  run(&c, &r, 1, 0, 0);
  CHECK(c.cost[0] == INFINITY);
  mj_deleteModel(c.m);
}

static void refused(sheafCostTerm term, const char* why) {
  sheafRollout r = request(&c);
  sheafPoolConfig cfg = {.size = sizeof cfg, .nthread = 1};
  sheafPool* pool = sheaf_openPool(&cfg, NULL);
  sheafStatus st = {0};
  r.cost_term = &term.norm;
  r.ncost = 1;
  CHECK_EQ(sheaf_rollout(pool, c.m, &r, &st), SHEAF_INVALID_ARGUMENT);
  CHECK_TEXT(st.field, "cost_term");
  CHECK_TEXT(st.message, why);
  sheaf_closePool(pool);
}

TEST(terms_that_mean_nothing_are_refused) {
  fill(&c);
  const sheafCostTerm good = {0, SHEAF_SOURCE_STATE, 0, 1, 1, 0, 1, 1, -1, 0};
  sheafCostTerm t;
#define REFUSED(field, value, why) t = good, t.field = (value), refused(t, why)
  REFUSED(norm, SHEAF_NNORM, "expected a norm from 0 to 7, got 8 in term 0");
  REFUSED(norm, 0.5, "expected a norm");
  REFUSED(norm, NAN, "expected a norm");
  REFUSED(source, -1, "expected a source");
  REFUSED(first, c.nx, "expected a first element that the model has");
  REFUSED(first, 1e300, "expected a first element");
  REFUSED(count, 0, "expected one or more elements");
  REFUSED(count, c.nx + 1, "expected one or more elements");
  REFUSED(weight, INFINITY, "expected finite weights");
  REFUSED(terminal, NAN, "expected finite weights");
  REFUSED(target, NTARGET, "expected a target inside");
  REFUSED(target, -2, "expected a target inside");
  t = good, t.target = 0, t.stride = 3, refused(t, "expected targets of all steps inside of cost_target, got 88");
  t = good, t.target = 0, t.stride = -1, refused(t, "expected a stride");
  t = good, t.norm = SHEAF_NORM_COSH, t.p = 0, refused(t, "expected parameters of the norm above 0, got 0");
  t = good, t.norm = SHEAF_NORM_SMOOTH_ABS2, t.q = NAN, refused(t, "expected parameters of the norm");
#undef REFUSED
  sheafRollout r = request(&c);
  sheafPoolConfig cfg = {.size = sizeof cfg, .nthread = 1};
  sheafPool* pool = sheaf_openPool(&cfg, NULL);
  sheafStatus st = {0};
  r.cost_term = NULL;
  CHECK_EQ(sheaf_rollout(pool, c.m, &r, &st), SHEAF_INVALID_ARGUMENT);
  CHECK_TEXT(st.message, "expected terms, got none");
  r = request(&c);
  r.discount = 1.5;
  CHECK_EQ(sheaf_rollout(pool, c.m, &r, &st), SHEAF_INVALID_ARGUMENT);
  CHECK_TEXT(st.field, "discount");
  sheaf_closePool(pool);
  mj_deleteModel(c.m);
}
