// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The inner loops of a sparse factor over lanes: eight columns of a row stay in registers while the rows below are
// subtracted. Columns come first and rows second, because all rows read the same numbers below.
// solve/sparse_quads.c does the same operations in the same order.

#include "lanes/lanes.h"

#include <mujoco/mujoco.h>

#include "solve/hessian.h"

#define TILE(N, AT)                                               \
  case N: {                                                       \
    V acc[N];                                                     \
    for (int n = 0; n < N; n++) acc[n] = out[AT];                 \
    for (int k = s->end - 1; k >= s->first; k--) {                \
      const V* restrict below = s->factor + s->rowadr[k] + c;     \
      V t = ratio[k - s->first];                                  \
      for (int n = 0; n < N; n++) acc[n] = acc[n] - t * below[n]; \
    }                                                             \
    for (int n = 0; n < N; n++) out[AT] = acc[n];                 \
    break;                                                        \
  }
#define TILES(AT) \
  TILE(1, AT)     \
  TILE(2, AT) TILE(3, AT) TILE(4, AT) TILE(5, AT) TILE(6, AT) TILE(7, AT) TILE(8, AT)

// columns c to c + size - 1 of the rows below
static inline void subtractTile(V* out, const LANE(Below)* s, const V* ratio, int c, int size) {
  if (s->place) {
    const int* place = s->place + c;
    switch (size) { TILES(place[n]) }
  } else {
    switch (size) { TILES(c + n) }
  }
}

void LANE(subtractBelow)(V* const out[], const int ncol[], int nrow, const LANE(Below)* s) {
  int depth = s->end - s->first;
  if (!depth) return;
  for (int c = 0; c < ncol[nrow - 1]; c += 8) {
    for (int r = 0; r < nrow; r++) {
      int left = ncol[r] - c;
      subtractTile(out[r], s, s->ratio + (size_t)r * (size_t)depth, c, left < 8 ? left : 8);
    }
  }
}
