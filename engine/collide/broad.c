// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Sweep and prune over bodies. Each body has one box around the bounding spheres of its geoms in all
// lanes, and the boxes are sorted along x. The boxes only have to be large enough: the narrow phase
// filters every pair again, lane by lane, so neighbouring lanes do not change the contacts of a
// lane.

#include "collide/broad.h"

#include "model/number.h"
#include "model/work.h"

typedef struct Box_ {
  mjtNum lo[3], hi[3];
  int body;
} Box;

// ---- boxes

static void unbounded(Box* box) {
  for (int k = 0; k < 3; k++) {
    box->lo[k] = -mjMAXVAL;
    box->hi[k] = mjMAXVAL;
  }
}

// grow a box around a geom in all lanes
static void addGeom(Box* box, const mjModel* m, const mjData* d, int geom) {
  if (m->geom_rbound[geom] == 0) {
    unbounded(box);
    return;
  }
  const mjtNum* pos = d->geom_xpos + 3 * geom * SHEAF_LANES;
  for (int lane = 0; lane < SHEAF_LANES; lane++) {
    const mjModel* one = LANE_MODEL(lane);
    mjtNum margin = m->opt.enableflags & mjENBL_OVERRIDE ? m->opt.o_margin : one->geom_margin[geom];
    mjtNum reach = one->geom_rbound[geom] + (margin > 0 ? margin : 0);
    for (int k = 0; k < 3; k++) {
      mjtNum x = pos[k * SHEAF_LANES + lane];
      if (x - reach < box->lo[k]) box->lo[k] = x - reach;
      if (x + reach > box->hi[k]) box->hi[k] = x + reach;
    }
  }
}

// boxes of the bodies that can collide at all
static int makeBoxes(Box* box, const mjModel* m, const mjData* d) {
  int n = 0;
  for (int body = 0; body < m->nbody; body++) {
    if (!m->body_geomnum[body]) continue;
    Box* b = box + n++;
    b->body = body;
    for (int k = 0; k < 3; k++) {
      b->lo[k] = mjMAXVAL;
      b->hi[k] = -mjMAXVAL;
    }
    int adr = m->body_geomadr[body];
    for (int i = 0; i < m->body_geomnum[body]; i++) addGeom(b, m, d, adr + i);
  }
  return n;
}

// ---- sorting: heap sort, because a step may not allocate and the worst case counts

static void siftBoxes(Box* a, int i, int n) {
  for (int child; (child = 2 * i + 1) < n; i = child) {
    if (child + 1 < n && a[child].lo[0] < a[child + 1].lo[0]) child++;
    if (a[i].lo[0] >= a[child].lo[0]) return;
    Box t = a[i];
    a[i] = a[child];
    a[child] = t;
  }
}

static void sortBoxes(Box* a, int n) {
  for (int i = n / 2 - 1; i >= 0; i--) siftBoxes(a, i, n);
  for (int last = n - 1; last > 0; last--) {
    Box t = a[0];
    a[0] = a[last];
    a[last] = t;
    siftBoxes(a, 0, last);
  }
}

static void siftNumbers(uint32_t* a, int i, int n) {
  for (int child; (child = 2 * i + 1) < n; i = child) {
    if (child + 1 < n && a[child] < a[child + 1]) child++;
    if (a[i] >= a[child]) return;
    uint32_t t = a[i];
    a[i] = a[child];
    a[child] = t;
  }
}

static void sortNumbers(uint32_t* a, int n) {
  for (int i = n / 2 - 1; i >= 0; i--) siftNumbers(a, i, n);
  for (int last = n - 1; last > 0; last--) {
    uint32_t t = a[0];
    a[0] = a[last];
    a[last] = t;
    siftNumbers(a, 0, last);
  }
}

// ---- filters and sweep

// bodies that are one rigid piece, or parent and child, do not collide
static int related(const mjModel* m, int body1, int body2) {
  int weld1 = m->body_weldid[body1], weld2 = m->body_weldid[body2];
  if (weld1 == weld2) return 1;
  if (m->opt.disableflags & mjDSBL_FILTERPARENT || weld1 == 0 || weld2 == 0) return 0;
  int parent1 = m->body_weldid[m->body_parentid[weld1]];
  int parent2 = m->body_weldid[m->body_parentid[weld2]];
  return weld1 == parent2 || weld2 == parent1;
}

// test the contact bits of two bodies; a body has the bits of all its geoms, as compiled
static int bitsMatch(const mjModel* m, int body1, int body2) {
  return (m->body_contype[body1] & m->body_conaffinity[body2]) || (m->body_contype[body2] & m->body_conaffinity[body1]);
}

static int overlap(const Box* a, const Box* b) {
  return a->lo[1] <= b->hi[1] && b->lo[1] <= a->hi[1] && a->lo[2] <= b->hi[2] && b->lo[2] <= a->hi[2];
}

// sweep over boxes sorted along x; out may be NULL to count only
static int sweep(uint32_t* out, const mjModel* m, const Box* box, int nbox) {
  int n = 0;
  for (int i = 0; i < nbox; i++) {
    for (int j = i + 1; j < nbox && box[j].lo[0] <= box[i].hi[0]; j++) {
      int body1 = box[i].body, body2 = box[j].body;
      if (!overlap(&box[i], &box[j]) || !bitsMatch(m, body1, body2)) continue;
      if (related(m, body1, body2)) continue;
      if (out) out[n] = mji_broad_signature(body1, body2);
      n++;
    }
  }
  return n;
}

uint32_t* LANE(broadPairs)(const mjModel* m, mjData* d, int* npair) {
  Box* box = mj_stackAllocByte(d, sizeof(Box) * (size_t)m->nbody, _Alignof(Box));
  int nbox = makeBoxes(box, m, d);
  sortBoxes(box, nbox);
  *npair = sweep(NULL, m, box, nbox);
  uint32_t* out = mj_stackAllocByte(d, sizeof(uint32_t) * (size_t)(*npair + 1), sizeof(uint32_t));
  sweep(out, m, box, nbox);
  sortNumbers(out, *npair);
  return out;
}
