// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Numbers of the model as the kernels see them.
//
// A kernel reads a number of tables/number_table.h as NUM(body_mass)[b], OPT(gravity)[k] or STAT(meaninertia)[0], with
// m and d in scope, and holds it in a variable of type N. In most variants N is a scalar and NUM(x) is m->x: all lanes
// use the model's numbers, so models without own numbers pay nothing. In the variants with SHEAF_OWN_NUMBERS (v4n, w8n)
// N is V, and NUM(x) is the copy of x in the lane data, in which every lane may have own numbers. The bits of a lane
// are those of one state with a model of these numbers.
//
// A scalar function that a kernel calls lane by lane gets LANE_MODEL(lane) instead of m: the model itself, or the
// lane's view of it, a model whose numbers are those of the lane.
//
// Lane data has copies and views after mji_ownNumbers, which fills them from the model; then mji_setNumber changes
// some, and mji_setLaneConst (load/lane_const.h) computes again what follows from them. Data of one state has a view
// and no copies: its kernels are given the view as their model.
#ifndef SHEAF_MODEL_NUMBER_H_
#define SHEAF_MODEL_NUMBER_H_

#include <mujoco/mujoco.h>

#include "model/work.h"
#include "tables/number_table.h"

typedef enum {
#define R(field, FOLLOWS, KEEPS, RANGE) mjiNUM_##field,
#define O(field, n, FOLLOWS, KEEPS, RANGE) mjiNUM_opt_##field,
#define S(field, FOLLOWS, KEEPS, RANGE) mjiNUM_stat_##field,
  MJI_MODEL_NUMBERS(R) MJI_OPTION_NUMBERS(O) MJI_STATISTIC_NUMBERS(S) MJI_FLEX_NUMBERS(R)
#undef R
#undef O
#undef S
      mjiNNUM,
} mjiNumber;

typedef enum { mjiFOLLOWS_NOTHING, mjiFOLLOWS_CONSTANTS, mjiFOLLOWS_BOUNDS, mjiFOLLOWS_DERIVED } mjiFollows;
typedef enum {
  mjiKEEPS_NOTHING,
  mjiKEEPS_ZEROS,
  mjiKEEPS_ZEROS_ASLEEP,
  mjiKEEPS_ZEROS_WRAPPED,
  mjiKEEPS_SHARED,
  mjiKEEPS_EDGES,
  mjiKEEPS_SIMPLE,
  mjiKEEPS_SIMPLE_JOINTS,
  mjiKEEPS_PATHS,
  mjiKEEPS_SHAPES,
} mjiKeeps;
typedef enum {
  mjiRANGE_FINITE,
  mjiRANGE_NOT_NEGATIVE,
  mjiRANGE_POSITIVE,
  mjiRANGE_INERTIA,
  mjiRANGE_UNIT3,
  mjiRANGE_UNIT4,
  mjiRANGE_SIZES,
  mjiRANGE_ASCENDING,
} mjiRange;

// Number by name: "body_mass", "opt.gravity"; -1 if there is none.
int mji_findNumber(const char* name);

// Its name, what follows from it, and where the base model has its n values: rows x columns.
const char* mji_numberName(mjiNumber number);
mjiFollows mji_numberFollows(mjiNumber number);
mjiRange mji_numberRange(mjiNumber number);
const mjtNum* mji_baseNumber(const mjModel* m, mjiNumber number, size_t* n);

// The size of the model that says how many rows its array has ("nbody"), NULL for options.
const char* mji_numberRows(mjiNumber number);
void mji_numberShape(const mjModel* m, mjiNumber number, int shape[2]);

// Make a model use its own values of a number, n of them in `own`, copied from those that it had. Options are in the
// model itself: returns where the values are now.
mjtNum* mji_moveNumber(mjModel* m, mjiNumber number, mjtNum* own);

// Lanes share the structure of the model, so a lane cannot have values that would change it. `value` has all values of
// the number. Returns the index of the first that would change the structure, or -1 if a lane may have them all.
int mji_numberBreaks(const mjModel* m, mjiNumber number, const mjtNum* value);

// Are rows computed side by side only if they agree in this number?
int mji_numberShared(mjiNumber number);

// Is a zero of the model something else in `value`, where kernels skip what is zero in the model? Then `base`, with as
// many values, gets the other number there.
int mji_numberRaises(const mjModel* m, mjiNumber number, const mjtNum* value, mjtNum* base);

// Make these values those of a copy of the model's struct.
void mji_pointNumber(mjModel* m, mjiNumber number, mjtNum* value);

// The model with the shared numbers of the first lane, for kernels of lanes that own the others.
const mjModel* mji_commonModel(const mjModel* m, mjData* lanes);

// First of the values that is not finite, or that the compiler would not take and that is not the model's; -1 if all
// may be. `expected` says then what it should have been.
int mji_numberBad(const mjModel* m, mjiNumber number, const mjtNum* value, const char** expected);

// Give data of one state or more copies of all numbers, with the values of the model. 0 if out of memory. Freed with
// the data. Calling it again brings the values back to those of the model.
int mji_ownNumbers(const mjModel* m, mjData* lanes);

// The lanes have the numbers of the model again. The copies stay, for a later mji_ownNumbers.
void mji_disownNumbers(mjData* lanes);

// Bytes of these copies for nlane lanes.
size_t mji_numberBytes(const mjModel* m, int nlane);

// Write all values of one number of one lane. The data must own its numbers.
void mji_setNumber(mjData* lanes, mjiNumber number, int lane, const mjtNum* value);

// The n values of a number that a lane has, and those of the model, whose number of values the data remembers
// (mji_baseNumber looks for it). The data must own its numbers.
const mjtNum* mji_ownNumber(const mjData* lanes, int lane, mjiNumber number, size_t* n);
const mjtNum* mji_oldNumber(const mjModel* m, const mjData* lanes, mjiNumber number, size_t* n);

// The lane's view of the model; m itself if the lanes do not differ in their numbers.
const mjModel* mji_laneModel(const mjModel* m, const mjData* lanes, int lane);

#ifdef SHEAF_LANES_LANES_H_

// n_is(x, value) holds if x equals value in all lanes, so a kernel takes a shortcut only if every lane may. A shortcut
// must give the bits of the general formula: else the result of a lane would depend on its neighbours.
enum { OWN_NUMBERS = SHEAF_OWN_NUMBERS, NUMBER_LANES = SHEAF_OWN_NUMBERS ? SHEAF_LANES : 1 };

#if SHEAF_OWN_NUMBERS

typedef V N;
#define NUM(field) ((const N*)(const void*)mji_work(d)->number[mjiNUM_##field])
#define OPT(field) ((const N*)(const void*)mji_work(d)->number[mjiNUM_opt_##field])
#define STAT(field) ((const N*)(const void*)mji_work(d)->number[mjiNUM_stat_##field])
#define LANE_MODEL(lane) mji_laneModel(m, d, lane)
static inline V v_num(N x) { return x; }
static inline N n_set1(lane_t x) { return v_set1(x); }
static inline lane_t n_get(N x, int lane) { return v_get(x, lane); }
static inline int n_is(N x, lane_t value) { return m_all(v_eq(x, v_set1(value))); }
static inline M n_nonnegative(N x) { return v_ge(x, v_zero()); }
static inline N n_max(N a, N b) { return v_max(a, b); }
static inline N n_min(N a, N b) { return v_min(a, b); }
static inline N n_sqrt(N x) { return v_sqrt(x); }
static inline N n_exp(N x) { return v_map(exp, x); }

#else

typedef mjtNum N;
#define NUM(field) ((void)d, (const N*)m->field)
#define OPT(field) ((void)d, (const N*)(const void*)&m->opt.field)
#define STAT(field) ((void)d, (const N*)(const void*)&m->stat.field)
#define LANE_MODEL(lane) (m)
static inline V v_num(N x) { return v_set1(x); }
static inline N n_set1(lane_t x) { return x; }
static inline lane_t n_get(N x, int lane) { return x; }
static inline int n_is(N x, lane_t value) { return x == value; }
static inline M n_nonnegative(N x) { return x >= 0 ? m_full() : m_none(); }
static inline N n_max(N a, N b) { return a > b ? a : b; }
static inline N n_min(N a, N b) { return a < b ? a : b; }
static inline N n_sqrt(N x) { return __builtin_sqrt(x); }
static inline N n_exp(N x) { return exp(x); }

#endif  // SHEAF_OWN_NUMBERS

// n_put writes n numbers of one lane, n_take reads them
static inline void n_put(N* to, const mjtNum* from, int n, int lane) {
  for (int i = 0; i < n; i++) ((mjtNum*)(void*)to)[i * NUMBER_LANES + lane] = from[i];
}
static inline void n_take(mjtNum* to, const N* from, int n, int lane) {
  for (int i = 0; i < n; i++) to[i] = n_get(from[i], lane);
}

#endif  // SHEAF_LANES_LANES_H_

#endif  // SHEAF_MODEL_NUMBER_H_
