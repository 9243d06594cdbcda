// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The lane type V: one, four or eight states side by side.
//
// A lane source is compiled once for each variant, with SHEAF_LANES set to 1, 4 or 8 and SHEAF_VARIANT set to the name
// of the variant: b1 (baseline), v1, v4 and v8 (x86-64-v3), w8 (AVX-512), v4n, v8n and w8n (with own numbers,
// model/number.h). It is written once, over V (a number per lane), M (a condition per lane), N (a number of the model)
// and the operations below. Except where a variant has own numbers, N is a scalar, which the arithmetic operators
// broadcast. Arrays of mjData hold SHEAF_LANES numbers per element, lane innermost. With one lane they are therefore
// the public arrays, and `LANES(d->xpos)` is a plain double*.
//
// Code for a single state only (callbacks, timers, sleep) stands behind `if (ONE_STATE && ...)`, which the compiler
// drops from the other variants. Where one state and groups have nothing in common, each has a file of its own, chosen
// by the build (engine/CMakeLists.txt).
//
// Rules that keep every result bit-identical for any lane count and instruction set:
//  - no branch on lane data; use masks and v_sel, and skip work only if no lane needs it (m_any);
//  - a lane never reads its neighbours; an inactive lane contributes exact zeros;
//  - sums run in a fixed order; no fused multiply-add (-ffp-contract=off); libm is called lane by lane only (v_map,
//    v_map2), never in a vector version.
#ifndef SHEAF_LANES_LANES_H_
#define SHEAF_LANES_LANES_H_

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "lanes/lane_types.h"
#include "lanes/variant.h"
#include "lanes/vector_instructions.h"

#if SHEAF_LANES == 1

typedef lane_t V;
typedef lane_mask_t M;  // 0 or -1
typedef lane_bits_t U;  // for shifts

static inline V v_sqrt(V x) { return sqrt(x); }
static inline V v_sel(M m, V a, V b) { return m ? a : b; }
static inline int m_any(M m) { return m != 0; }
static inline int m_all(M m) { return m != 0; }
#define v_lt(a, b) (-(M)((V)(a) < (V)(b)))
#define v_le(a, b) (-(M)((V)(a) <= (V)(b)))
#define v_eq(a, b) (-(M)((V)(a) == (V)(b)))
static inline M mji_bits(V x) {
  M r;
  memcpy(&r, &x, sizeof r);
  return r;
}
static inline V mji_unbits(M x) {
  V r;
  memcpy(&r, &x, sizeof r);
  return r;
}

#else

typedef lane_t V __attribute__((vector_size(sizeof(lane_t) * SHEAF_LANES), may_alias));
typedef lane_mask_t M __attribute__((vector_size(sizeof(lane_mask_t) * SHEAF_LANES), may_alias));
typedef lane_bits_t U __attribute__((vector_size(sizeof(lane_bits_t) * SHEAF_LANES), may_alias));

#ifdef V_SQRT
static inline V v_sqrt(V x) { return V_SQRT(x); }
static inline int m_any(M m) { return M_BITS(m) != 0; }
static inline int m_all(M m) { return M_BITS(m) == (1 << SHEAF_LANES) - 1; }
#else
static inline V v_sqrt(V x) {
  for (int i = 0; i < SHEAF_LANES; i++) x[i] = sqrt(x[i]);
  return x;
}
static inline int m_any(M m) {
  int r = 0;
  for (int i = 0; i < SHEAF_LANES; i++) r |= m[i] != 0;
  return r;
}
static inline int m_all(M m) {
  int r = 1;
  for (int i = 0; i < SHEAF_LANES; i++) r &= m[i] != 0;
  return r;
}
#endif

static inline V v_sel(M m, V a, V b) { return (V)(((M)a & m) | ((M)b & ~m)); }
#define v_lt(a, b) ((M)((a) < (b)))
#define v_le(a, b) ((M)((a) <= (b)))
#define v_eq(a, b) ((M)((a) == (b)))
#define mji_bits(x) ((M)(x))
#define mji_unbits(x) ((V)(x))

#endif  // SHEAF_LANES

// lane view of an array of mjData, and of one element
#define LANES(p) ((V*)(void*)(p))
#define CLANES(p) ((const V*)(const void*)(p))

static inline V v_set1(lane_t x) { return (V){0} + x; }
static inline V v_zero(void) { return (V){0}; }
static inline M m_none(void) { return (M){0}; }
static inline M m_full(void) { return ~(M){0}; }
#define v_gt(a, b) v_lt(b, a)
#define v_ge(a, b) v_le(b, a)

// single lanes: for the parts that are evaluated lane by lane
static inline lane_t v_get(V x, int lane) {
  lane_t t[SHEAF_LANES];
  memcpy(t, &x, sizeof t);
  return t[lane];
}
static inline void v_put(V* x, int lane, lane_t v) { memcpy((lane_t*)x + lane, &v, sizeof v); }
static inline int m_get(M m, int lane) {
  lane_mask_t t[SHEAF_LANES];
  memcpy(t, &m, sizeof t);
  return t[lane] != 0;
}
static inline void m_put(M* m, int lane, int on) {
  lane_mask_t v = on ? -1 : 0;
  memcpy((lane_mask_t*)m + lane, &v, sizeof v);
}

// x where the mask holds, +0 elsewhere
static inline V v_and(M m, V x) { return v_sel(m, x, v_zero()); }
static inline V v_min(V a, V b) { return v_sel(v_lt(a, b), a, b); }
static inline V v_max(V a, V b) { return v_sel(v_lt(b, a), a, b); }
static inline V v_abs(V x) { return mji_unbits(mji_bits(x) & LANE_INT_MAX); }
static inline V v_clip(V x, V lo, V hi) { return v_max(lo, v_min(x, hi)); }

// a function of libm, lane by lane: the same bits as calling it once per state
static inline V v_map(lane_t (*f)(lane_t), V x) {
  for (int i = 0; i < SHEAF_LANES; i++) v_put(&x, i, f(v_get(x, i)));
  return x;
}
static inline V v_map2(lane_t (*f)(lane_t, lane_t), V x, V y) {
  for (int i = 0; i < SHEAF_LANES; i++) v_put(&x, i, f(v_get(x, i), v_get(y, i)));
  return x;
}

// Sine and cosine without libm: three-part Cody-Waite reduction with a tail, and polynomials on
// [-pi/4, pi/4] whose leading terms are exact, so that almost all of the error is that of the last rounding. For
// |x| <= 1e5 the result is correctly rounded in 99.98 % of cases, and equals that of glibc in 99.8 %. Larger arguments
// go to libm, lane by lane.
//
// r = a + b, where a has 11 bits, so that its powers, times a constant of few bits, are exact. The terms with b are so
// much smaller that their rounding does not matter.
#ifndef MJI_SINGLE
static inline void v_sincos(V x, V* s, V* c) {
  V k = x * 0.63661977236758134308 + 6755399441055744.0;
  M ki = mji_bits(k);
  k = k - 6755399441055744.0;

  // x = k * pi/2 + r + tail
  V first = x - k * 1.57079632673412561417e+00;
  V second = k * 6.07710050630396597660e-11;
  V third = k * 2.02226624879595063154e-21;
  V close = first - second;
  V r = close - third;
  V tail = ((first - close) - second) + ((close - r) - third);
  V a = (r + 0x1.8p41) - 0x1.8p41, b = r - a;
  V a2 = a * a, a3 = a2 * a, a4 = a2 * a2, ab = a * b, b2 = b * b, z = r * r;

  // cos r = 1 - r^2/2 + r^4/24 - ...: the sum of the first terms and its rounding error; 1/24 in two parts
  V one = 1.0 - 0.5 * a2, a4_24 = a4 * 0x1.55p-5;
  V chigh = one + a4_24;
  V clow = (one - chigh) + a4_24;
  V rest4 = a4 * 0x1.5555555555555p-15 + b * (a3 + b * (1.5 * a2 + b * (a + 0.25 * b))) * (1.0 / 6);

  // sin r = r - r^3/6 + ...; 1/6 in two parts
  V a3_6 = a3 * 0x1.55556p-3;
  V shigh = r - a3_6;
  V slow = (r - shigh) - a3_6;
  V rest3 = a3 * -0x1.5555555555555p-24 + b * (a2 + (ab + b2 * (1.0 / 3))) * 0.5;

  // the small terms
  V sq =
      8.33333333333333325803e-03 +
      z * (-1.98412698412689630102e-04 +
           z * (2.75573192223248541941e-06 + z * (-2.50521072362938708449e-08 +
                                                  z * (1.60586843866797681946e-10 + z * -7.59531100718410923912e-13))));
  V cq =
      -1.38888888888888888470e-03 +
      z * (2.48015873015868134024e-05 +
           z * (-2.75573192230626073943e-07 +
                z * (2.08767563491340985548e-09 + z * (-1.14705458138304726094e-11 + z * 4.75066052726913363363e-14))));
  V sp = shigh + (slow + (tail * chigh - rest3 + z * z * r * sq));
  V cp = chigh + (clow + (rest4 - (ab + 0.5 * b2) - tail * shigh + z * z * z * cq));

  // quadrants
  M odd = -(ki & 1);
  V u = v_sel(odd, cp, sp), v = v_sel(odd, sp, cp);
  M sg = (M)(((U)ki & 2) << 62), cg = (M)((((U)ki + 1) & 2) << 62);
  *s = mji_unbits(mji_bits(u) ^ sg);
  *c = mji_unbits(mji_bits(v) ^ cg);
  M big = ~v_le(v_abs(x), v_set1(1e5));
  if (__builtin_expect(m_any(big), 0)) {
    for (int i = 0; i < SHEAF_LANES; i++) {
      if (m_get(big, i)) {
        v_put(s, i, sin(v_get(x, i)));
        v_put(c, i, cos(v_get(x, i)));
      }
    }
  }
}
#else
// The same for floats: two-part reduction, and minimax polynomials that are within an ulp.
static inline void v_sincos(V x, V* s, V* c) {
  V k = x * 0.63661977236758134308 + 12582912.0;
  M ki = mji_bits(k);
  k = k - 12582912.0;
  V r = ((x - k * 1.5703125) - k * 4.837512969970703125e-4) - k * 7.54978995489188216e-8;
  V z = r * r;
  V sp = r + r * z * (-1.6666654611e-1 + z * (8.3321608736e-3 + z * -1.9515295891e-4));
  V cp = (1.0 - 0.5 * z) + z * z * (4.166664568298827e-2 + z * (-1.388731625493765e-3 + z * 2.443315711809948e-5));
  M odd = -(ki & 1);
  V u = v_sel(odd, cp, sp), v = v_sel(odd, sp, cp);
  M sg = (M)(((U)ki & 2) << 30), cg = (M)((((U)ki + 1) & 2) << 30);
  *s = mji_unbits(mji_bits(u) ^ sg);
  *c = mji_unbits(mji_bits(v) ^ cg);
  M big = ~v_le(v_abs(x), v_set1(1e4));
  if (__builtin_expect(m_any(big), 0)) {
    for (int i = 0; i < SHEAF_LANES; i++) {
      if (m_get(big, i)) {
        v_put(s, i, sin(v_get(x, i)));
        v_put(c, i, cos(v_get(x, i)));
      }
    }
  }
}
#endif

#endif  // SHEAF_LANES_LANES_H_
