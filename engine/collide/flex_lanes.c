// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "lanes/lanes.h"

#include <stdint.h>

#include "collide/contact.h"
#include "collide/flex_collide.h"
#include "collide/flex_lanes.h"
#include "model/contact_lanes.h"
#include "model/number.h"
#include "model/one_lane.h"
#include "model/work.h"

// The parts that a contact belongs to. Contacts of two lanes can share a record if their parts are equal.
typedef struct {
  int body;  // of the geom; nbody for contacts among flexes
  int flex[2], geom[2], elem[2], vert[2];
  uint32_t nodes[2];  // which nodes carry a side, a bit for each
  int dim, exclude;
} Parts;

// a contact of one lane
typedef struct mjiFlexFound_ {
  Parts parts;
  mjtNum dist, pos[3], frame[9], number[MJI_NCONTACTNUMBER];
} Found;

// ---- find

static uint32_t carryingNodes(const mjModel* m, const mjData* one, const mjContact* con, int i) {
  int f = con->flex[i];
  if (f < 0 || !m->flex_interp[f]) return 0;
  mjiSideRoom room;
  mjiSide side = mji_sideOf(m, one, con, i, &room);
  uint32_t nodes = 0;
  for (int k = 0, node = 0; k < side.n; node++) {
    if (m->flex_nodebodyid[m->flex_nodeadr[f] + node] != side.body[k]) continue;
    nodes |= (uint32_t)1 << node;
    k++;
  }
  return nodes;
}

static void keep(const mjModel* m, const mjData* one, const mjContact* con, Found* to) {
  to->parts = (Parts){.body = con->geom[0] >= 0 ? m->geom_bodyid[con->geom[0]] : (int)m->nbody,
                      .dim = con->dim,
                      .exclude = con->exclude};
  for (int i = 0; i < 2; i++) {
    to->parts.flex[i] = con->flex[i];
    to->parts.geom[i] = con->geom[i];
    to->parts.elem[i] = con->elem[i];
    to->parts.vert[i] = con->vert[i];
    to->parts.nodes[i] = carryingNodes(m, one, con, i);
  }
  to->dist = con->dist;
  memcpy(to->pos, con->pos, sizeof to->pos);
  memcpy(to->frame, con->frame, sizeof to->frame);
  memcpy(to->number, &con->includemargin, sizeof to->number);
}

void LANE(flexStart)(const mjModel* m, mjData* d, LANE(Flexes)* flexes) {
  for (int lane = 0; lane < SHEAF_LANES; lane++) {
    const mjModel* view = LANE_MODEL(lane);
    mjData* one = LANE(oneLane)(m, d, lane, MJI_ONE_FLEX);
    mji_clearArena(one);
    int full = 0;
    for (int b = 0; b < m->nbody && !full; b++) full = mji_flex_collideBody(view, one, b);
    if (!full) mji_flex_collideFlexes(view, one);
    Found* list = mj_stackAllocByte(d, ((size_t)one->ncon + 1) * sizeof *list, _Alignof(Found));
    for (int i = 0; i < one->ncon; i++) keep(m, one, one->contact + i, list + i);
    flexes->next[lane] = list;
    flexes->end[lane] = list + one->ncon;
  }
}

// ---- record

// Is a before b? So contacts of geoms come in each lane. Those within flexes may not; then fewer of them share records.
static int isBefore(const Parts* a, const Parts* b) {
  if (a->body != b->body) return a->body < b->body;
  for (int i = 0; i < 2; i++) {
    if (a->flex[i] != b->flex[i]) return a->flex[i] < b->flex[i];
  }
  if (a->geom[0] != b->geom[0]) return a->geom[0] < b->geom[0];
  for (int i = 0; i < 2; i++) {
    if (a->elem[i] != b->elem[i]) return a->elem[i] < b->elem[i];
    if (a->vert[i] != b->vert[i]) return a->vert[i] < b->vert[i];
  }
  return 0;
}

static int isSame(const Parts* a, const Parts* b) { return !memcmp(a, b, sizeof *a); }

// the contact that is recorded next: the first of the lanes' next ones; NULL if none is of a body before `end`
static const Parts* firstOf(const LANE(Flexes)* flexes, int end) {
  const Parts* first = NULL;
  for (int lane = 0; lane < SHEAF_LANES; lane++) {
    const Found* f = flexes->next[lane];
    if (f == flexes->end[lane] || f->parts.body >= end) continue;
    if (!first || isBefore(&f->parts, first)) first = &f->parts;
  }
  return first;
}

static void fillLane(LANE(Contact)* con, const Found* f, int lane) {
  m_put(&con->on, lane, 1);
  v_put(&con->dist, lane, f->dist);
  for (int k = 0; k < 3; k++) v_put(con->pos + k, lane, f->pos[k]);
  for (int k = 0; k < 9; k++) v_put(con->frame + k, lane, f->frame[k]);
  n_put(&con->includemargin, f->number, MJI_NCONTACTNUMBER, OWN_NUMBERS ? lane : 0);
}

static void fillParts(LANE(Contact)* con, const Parts* p) {
  con->dim = p->dim;
  con->exclude = p->exclude;
  con->geom1 = p->geom[0];
  con->geom2 = p->geom[1];
  memcpy(con->geom, p->geom, sizeof con->geom);
  memcpy(con->flex, p->flex, sizeof con->flex);
  memcpy(con->elem, p->elem, sizeof con->elem);
  memcpy(con->vert, p->vert, sizeof con->vert);
  con->efc_address = -1;
}

int LANE(flexVisit)(const mjModel* m, mjData* d, LANE(Flexes)* flexes, int end) {
  (void)m;
  for (const Parts* first; (first = firstOf(flexes, end));) {
    LANE(Contact)* con = LANE(newContact)(d);
    if (!con) return 1;
    memset(con, 0, sizeof *con);
    Parts parts = *first;
    fillParts(con, &parts);
    for (int lane = 0; lane < SHEAF_LANES; lane++) {
      Found* f = flexes->next[lane];
      if (f == flexes->end[lane] || !isSame(&f->parts, &parts)) continue;
      fillLane(con, f, lane);
      flexes->next[lane]++;
    }
  }
  return 0;
}

void LANE(flexFinish)(const mjModel* m, mjData* d, LANE(Flexes)* flexes) {
  LANE(flexVisit)(m, d, flexes, (int)m->nbody + 1);
}
