// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// State vectors: parts of mjData chosen by the bits of mjtState, lowest bit first.
#include <string.h>

#include <mujoco/mujoco.h>

#include "model/state_lanes.h"
#include "model/work.h"

static int sizePart(const mjModel* m, unsigned int bit) {
  switch (bit) {
    case mjSTATE_TIME: return 1;
    case mjSTATE_QPOS: return m->nq;
    case mjSTATE_QVEL: return m->nv;
    case mjSTATE_ACT: return m->na;
    case mjSTATE_WARMSTART: return m->nv;
    case mjSTATE_CTRL: return m->nu;
    case mjSTATE_QFRC_APPLIED: return m->nv;
    case mjSTATE_XFRC_APPLIED: return 6 * m->nbody;
    case mjSTATE_EQ_ACTIVE: return m->neq;
    case mjSTATE_MOCAP_POS: return 3 * m->nmocap;
    case mjSTATE_MOCAP_QUAT: return 4 * m->nmocap;
    case mjSTATE_USERDATA: return m->nuserdata;
    case mjSTATE_PLUGIN: return m->npluginstate;
    default: return 0;
  }
}

// numbers of a part in data; NULL for eq_active, which is bytes
static mjtNum* partNum(const mjData* d, unsigned int bit) {
  switch (bit) {
    case mjSTATE_TIME: return mji_time((mjData*)d);
    case mjSTATE_QPOS: return d->qpos;
    case mjSTATE_QVEL: return d->qvel;
    case mjSTATE_ACT: return d->act;
    case mjSTATE_WARMSTART: return d->qacc_warmstart;
    case mjSTATE_CTRL: return d->ctrl;
    case mjSTATE_QFRC_APPLIED: return d->qfrc_applied;
    case mjSTATE_XFRC_APPLIED: return d->xfrc_applied;
    case mjSTATE_MOCAP_POS: return d->mocap_pos;
    case mjSTATE_MOCAP_QUAT: return d->mocap_quat;
    case mjSTATE_USERDATA: return d->userdata;
    case mjSTATE_PLUGIN: return d->plugin_state;
    default: return NULL;
  }
}

// nonzero if sig has no bits beyond those of mjtState
static int checkSig(const char* function, unsigned int sig) {
  if (sig < 1u << mjNSTATE) return 1;
  mju_error("%s: invalid state signature %u, expected one below %u", function, sig, 1u << mjNSTATE);
  return 0;
}

int mj_stateSize(const mjModel* m, unsigned int sig) {
  if (!checkSig("mj_stateSize", sig)) return 0;
  int size = 0;
  for (int i = 0; i < mjNSTATE; i++) size += sizePart(m, sig & (1u << i));
  return size;
}

// ---- one state

void mj_getState(const mjModel* m, const mjData* d, mjtNum* state, unsigned int sig) {
  if (!checkSig("mj_getState", sig)) return;
  mji_getLane(m, d, 0, state, sig);
}

void mj_setState(const mjModel* m, mjData* d, const mjtNum* state, unsigned int sig) {
  if (!checkSig("mj_setState", sig)) return;
  mji_putLane(m, d, 0, state, sig);
}

void mj_copyState(const mjModel* m, const mjData* src, mjData* dst, unsigned int sig) {
  if (!checkSig("mj_copyState", sig)) return;
  for (int i = 0; i < mjNSTATE; i++) {
    unsigned int bit = sig & (1u << i);
    size_t n = (size_t)sizePart(m, bit);
    if (!n) continue;
    if (bit == mjSTATE_EQ_ACTIVE) {
      memcpy(dst->eq_active, src->eq_active, n);
    } else {
      memcpy(partNum(dst, bit), partNum(src, bit), n * sizeof(mjtNum));
    }
  }
}

void mj_extractState(const mjModel* m, const mjtNum* src, unsigned int srcsig, mjtNum* dst, unsigned int dstsig) {
  if (!checkSig("mj_extractState", srcsig)) return;
  if ((srcsig & dstsig) != dstsig) {
    mju_error("mj_extractState: dstsig is not a subset of srcsig");
    return;
  }
  for (int i = 0; i < mjNSTATE; i++) {
    unsigned int bit = srcsig & (1u << i);
    int n = sizePart(m, bit);
    if (bit & dstsig) {
      mju_copy(dst, src, n);
      dst += n;
    }
    src += n;
  }
}

// ---- lanes: called for each row in each step, so only the parts that are asked for are looked at

enum { ALL = (1 << mjNSTATE) - 1 };

static inline unsigned int firstBit(unsigned int set) { return set & -set; }

void mji_gatherLane(mjtNum* dst, const mjtNum* src, int n, int nlane, int lane) {
  for (int i = 0; i < n; i++) dst[i] = src[i * nlane + lane];
}

void mji_scatterLane(mjtNum* dst, const mjtNum* src, int n, int nlane, int lane) {
  for (int i = 0; i < n; i++) dst[i * nlane + lane] = src[i];
}

void mji_toRequest(double* dst, const mjtNum* src, int n, int nlane, int lane) {
  for (int i = 0; i < n; i++) dst[i] = src[i * nlane + lane];
}

void mji_fromRequest(mjtNum* dst, const double* src, int n, int nlane, int lane) {
  for (int i = 0; i < n; i++) dst[i * nlane + lane] = (mjtNum)src[i];
}

#ifndef MJI_SINGLE
// Two numbers of each of two lanes at once take half the loads and stores.
typedef double Pair __attribute__((vector_size(16), aligned(8), may_alias));

static void gatherTwo(double* a, double* b, const double* src, int n, int nlane) {
  int i = 0;
  for (; i + 1 < n; i += 2, src += 2 * nlane) {
    Pair first = *(const Pair*)src, second = *(const Pair*)(src + nlane);
    *(Pair*)(a + i) = (Pair){first[0], second[0]};
    *(Pair*)(b + i) = (Pair){first[1], second[1]};
  }
  if (i < n) a[i] = src[0], b[i] = src[1];
}

static void scatterTwo(double* dst, const double* a, const double* b, int n, int nlane) {
  int i = 0;
  for (; i + 1 < n; i += 2, dst += 2 * nlane) {
    Pair first = *(const Pair*)(a + i), second = *(const Pair*)(b + i);
    *(Pair*)dst = (Pair){first[0], second[0]};
    *(Pair*)(dst + nlane) = (Pair){first[1], second[1]};
  }
  if (i < n) dst[0] = a[i], dst[1] = b[i];
}

void mji_gatherLanes(double* dst, size_t stride, const double* src, int n, int nlane, int count) {
  int lane = 0;
  for (; lane + 1 < count; lane += 2, dst += 2 * stride) gatherTwo(dst, dst + stride, src + lane, n, nlane);
  if (lane < count) mji_gatherLane(dst, src, n, nlane, lane);
}

void mji_toRequests(double* dst, size_t stride, const double* src, int n, int nlane, int count) {
  mji_gatherLanes(dst, stride, src, n, nlane, count);
}

void mji_fromRequests(double* dst, const double* const* row, int n, int nlane) {
  int lane = 0;
  for (; lane + 1 < nlane; lane += 2) scatterTwo(dst + lane, row[lane], row[lane + 1], n, nlane);
  if (lane < nlane) mji_scatterLane(dst, row[lane], n, nlane, lane);
}
#else
void mji_gatherLanes(mjtNum* dst, size_t stride, const mjtNum* src, int n, int nlane, int count) {
  for (int lane = 0; lane < count; lane++) mji_gatherLane(dst + (size_t)lane * stride, src, n, nlane, lane);
}

void mji_toRequests(double* dst, size_t stride, const mjtNum* src, int n, int nlane, int count) {
  for (int lane = 0; lane < count; lane++) mji_toRequest(dst + (size_t)lane * stride, src, n, nlane, lane);
}

void mji_fromRequests(mjtNum* dst, const double* const* row, int n, int nlane) {
  for (int lane = 0; lane < nlane; lane++) mji_fromRequest(dst, row[lane], n, nlane, lane);
}
#endif

static void getEqualities(const mjData* lanes, int lane, mjtNum* state, int n) {
  const mjiWork* w = mji_work(lanes);
  for (int j = 0; j < n; j++) state[j] = w->eq_on ? w->eq_on[j * w->nlane + lane] != 0 : lanes->eq_active[j];
}

void mji_getLanes(const mjModel* m, const mjData* lanes, int count, mjtNum* state, size_t stride, unsigned int spec) {
  int nlane = mji_work(lanes)->nlane;
  for (unsigned int left = spec & ALL, bit; left; left -= bit) {
    bit = firstBit(left);
    int n = sizePart(m, bit);
    if (bit == mjSTATE_EQ_ACTIVE) {
      for (int lane = 0; lane < count; lane++) getEqualities(lanes, lane, state + (size_t)lane * stride, n);
    } else if (n) {
      mji_gatherLanes(state, stride, partNum(lanes, bit), n, nlane, count);
    }
    state += n;
  }
}

void mji_getLane(const mjModel* m, const mjData* lanes, int lane, mjtNum* state, unsigned int spec) {
  int nlane = mji_work(lanes)->nlane;
  for (unsigned int left = spec & ALL, bit; left; left -= bit) {
    bit = firstBit(left);
    int n = sizePart(m, bit);
    if (bit == mjSTATE_EQ_ACTIVE) {
      getEqualities(lanes, lane, state, n);
    } else if (n) {
      mji_gatherLane(state, partNum(lanes, bit), n, nlane, lane);
    }
    state += n;
  }
}

// set which equalities are active in a lane, and which in any lane
static void putEqualities(mjData* lanes, int lane, const mjtNum* state, int n) {
  const mjiWork* w = mji_work(lanes);
  for (int j = 0; j < n; j++) {
    lanes->eq_active[j] = (mjtByte)state[j];
    if (!w->eq_on) continue;
    w->eq_on[j * w->nlane + lane] = lanes->eq_active[j] ? -1 : 0;
    for (int i = 0; i < w->nlane; i++) lanes->eq_active[j] |= w->eq_on[j * w->nlane + i] != 0;
  }
}

void mji_putLane(const mjModel* m, mjData* lanes, int lane, const mjtNum* state, unsigned int spec) {
  int nlane = mji_work(lanes)->nlane;
  for (unsigned int left = spec & ALL, bit; left; left -= bit) {
    bit = firstBit(left);
    int n = sizePart(m, bit);
    if (bit == mjSTATE_EQ_ACTIVE) {
      putEqualities(lanes, lane, state, n);
    } else if (n) {
      mji_scatterLane(partNum(lanes, bit), state, n, nlane, lane);
    }
    state += n;
  }
}

void mji_putLanes(const mjModel* m, mjData* lanes, const mjtNum* state, unsigned int spec) {
  int nlane = mji_work(lanes)->nlane;
  for (unsigned int left = spec & ALL, bit; left; left -= bit) {
    bit = firstBit(left);
    int n = sizePart(m, bit);
    if (bit == mjSTATE_EQ_ACTIVE) {
      for (int lane = 0; lane < nlane; lane++) putEqualities(lanes, lane, state, n);
    } else if (n) {
      mjtNum* to = partNum(lanes, bit);
      for (int k = 0; k < n; k++) {
        for (int lane = 0; lane < nlane; lane++) to[(size_t)k * (size_t)nlane + (size_t)lane] = state[k];
      }
    }
    state += n;
  }
}
