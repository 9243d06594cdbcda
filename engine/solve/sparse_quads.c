// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The inner loops of a sparse factor of one state: up to four vectors of neighbouring columns of a row stay in
// registers while the rows below are subtracted. solve/sparse_lanes.c does the same operations in the same order.

#include "lanes/lanes.h"

#include <mujoco/mujoco.h>

#include "solve/hessian.h"
#include "solve/quad.h"

static inline void load(Quad* q, const V* x, const int* place) {
  if (place[3] - place[0] == 3) *q = CQUAD(x + place[0]);
  else *q = (Quad){x[place[0]], x[place[1]], x[place[2]], x[place[3]]};
}

static inline void store(V* x, const int* place, const Quad* q) {
  if (place[3] - place[0] == 3) {
    QUAD(x + place[0]) = *q;
  } else {
    for (int i = 0; i < 4; i++) x[place[i]] = (*q)[i];
  }
}

#define TILE(T, N, STRIDE, LOAD, STORE)                                                  \
  {                                                                                      \
    T acc[N];                                                                            \
    for (int n = 0; n < N; n++) LOAD;                                                    \
    for (int k = s->end - 1; k >= s->first; k--) {                                       \
      const V* below = s->factor + s->rowadr[k] + c;                                     \
      V t = ratio[k - s->first];                                                         \
      for (int n = 0; n < N; n++) acc[n] = acc[n] - t * *(const T*)(below + STRIDE * n); \
    }                                                                                    \
    for (int n = 0; n < N; n++) STORE;                                                   \
    c += STRIDE * N;                                                                     \
    break;                                                                               \
  }
#define PLACED_QUADS(N) TILE(Quad, N, 4, load(acc + n, out, place + c + 4 * n), store(out, place + c + 4 * n, acc + n))
#define QUADS(N) TILE(Quad, N, 4, acc[n] = CQUAD(out + c + 4 * n), QUAD(out + c + 4 * n) = acc[n])

static inline void subtractPlaced(V* restrict out, const LANE(Below)* s, const V* restrict ratio, int ncol) {
  const int* place = s->place;
  for (int c = 0; c < ncol;) {
    switch ((ncol - c) / 4) {
      case 0: TILE(V, 1, 1, acc[n] = out[place[c]], out[place[c]] = acc[n])
      case 1: PLACED_QUADS(1)
      case 2: PLACED_QUADS(2)
      case 3: PLACED_QUADS(3)
      default: PLACED_QUADS(4)
    }
  }
}

static inline void subtractSame(V* restrict out, const LANE(Below)* s, const V* restrict ratio, int ncol) {
  for (int c = 0; c < ncol;) {
    switch ((ncol - c) / 4) {
      case 0: TILE(V, 1, 1, acc[n] = out[c], out[c] = acc[n])
      case 1: QUADS(1)
      case 2: QUADS(2)
      case 3: QUADS(3)
      default: QUADS(4)
    }
  }
}

void LANE(subtractBelow)(V* const out[], const int ncol[], int nrow, const LANE(Below)* s) {
  int depth = s->end - s->first;
  if (!depth) return;
  for (int r = 0; r < nrow; r++) {
    const V* ratio = s->ratio + (size_t)r * (size_t)depth;
    if (s->place) subtractPlaced(out[r], s, ratio, ncol[r]);
    else subtractSame(out[r], s, ratio, ncol[r]);
  }
}
