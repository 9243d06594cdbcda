// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "batch/form_value.h"

#include <string.h>

#include "collide/ray_normal.h"
#include "constraint/lane_rows.h"
#include "model/number.h"
#include "model/one_lane.h"
#include "model/work.h"

// ---- lanes

mjiView mji_viewOf(const mjModel* m, mjData* d, int lane) {
  const mjiWork* w = mji_work(d);
  mjiView v = {.m = m, .d = d, .lane = lane, .nlane = w->nlane, .own = mji_laneModel(m, d, lane)};
  v.kernels = w->nlane == 1 ? mji_kernels1() : w->owns == 1 ? mji_kernelsOwn(w->nlane) : mji_kernels(w->nlane);
  return v;
}

static mjData* oneOf(mjiView* v, int what) {
  if ((v->have & what) != what) v->one = v->kernels->oneLane(v->m, v->d, v->lane, what & ~v->have);
  v->have |= what;
  return v->one;
}

void mji_viewRows(mjiView* v, int* ncon, int* nefc) {
  mjiLaneRows rows = {.what = MJI_ROWS_TYPE};
  v->kernels->laneRows(v->m, v->d, v->lane, &rows);
  *ncon = rows.ncon;
  *nefc = rows.nefc;
}

// ---- Jacobians

// what `part` says of a Jacobian: its rows, and of what it is
enum { LINEAR = 1, ANGULAR = 2, BODY = 4, COM = 8, SUBTREE = 16, GEOM = 32, SITE = 64 };

static void jacobian(mjiView* v, int part, int id, mjtNum* to) {
  const mjModel* m = v->own;
  mjData* d = oneOf(v, MJI_ONE_POSITION);
  mjtNum* jacp = part & LINEAR ? to : NULL;
  mjtNum* jacr = part & ANGULAR ? to + (jacp ? 3 * m->nv : 0) : NULL;
  switch (part & ~(LINEAR | ANGULAR)) {
    case BODY: mj_jacBody(m, d, jacp, jacr, id); break;
    case COM: mj_jacBodyCom(m, d, jacp, jacr, id); break;
    case SUBTREE: mj_jacSubtreeCom(m, d, jacp, id); break;
    case GEOM: mj_jacGeom(m, d, jacp, jacr, id); break;
    case SITE: mj_jacSite(m, d, jacp, jacr, id); break;
  }
}

static void jacobians(mjiView* v, const mjiChoice* c, mjtNum* dst) {
  mjiRowRange all = {0, (int)sheaf_modelNumber(v->m, c->form->rows)};
  int n = c->nrange ? c->nrange : 1;
  const mjiRowRange* range = c->nrange ? c->range : &all;
  size_t size = (size_t)c->form->each * (size_t)v->m->nv;
  for (int k = 0; k < n; k++) {
    for (int i = 0; i < range[k].count; i++, dst += size) jacobian(v, c->form->part, range[k].first + i, dst);
  }
}

// of points that are fixed to bodies
static void pointJacobians(mjiView* v, const mjiChoice* c, mjtNum* dst) {
  const mjModel* m = v->own;
  const mjData* d = oneOf(v, MJI_ONE_POSITION);
  for (int i = 0; i < c->nprobe; i++, dst += (size_t)c->form->each * (size_t)m->nv) {
    const mjiProbe* p = c->probe + i;
    mjtNum point[3];
    mju_mulMatVec3(point, d->xmat + 9 * p->id[0], p->x);
    mju_addTo3(point, d->xpos + 3 * p->id[0]);
    mjtNum* jacp = c->form->part & LINEAR ? dst : NULL;
    mj_jac(m, d, jacp, c->form->part & ANGULAR ? dst + (jacp ? 3 * m->nv : 0) : NULL, point, p->id[0]);
  }
}

// ---- contacts

// what a contact has, in the order of "contact", which is all of it; and the columns of each
enum { CON_GEOM, CON_BODY, CON_DIM, CON_DIST, CON_POS, CON_FRAME, CON_FORCE, NPART, CON_ALL };
static const int columns[NPART] = {2, 2, 1, 1, 3, 9, 6};

static void put(mjtNum* to, const mjtNum* from, int n) { memcpy(to, from, (size_t)n * sizeof *to); }

// contact i; rows without one have -1 for geoms and bodies, and zeros
static void contactPart(const mjModel* m, const mjData* d, int i, int part, mjtNum* to) {
  const mjContact* con = i < d->ncon ? d->contact + i : NULL;
  switch (part) {
    case CON_GEOM:
      for (int k = 0; k < 2; k++) to[k] = con ? con->geom[k] : -1;
      break;
    case CON_BODY:
      for (int k = 0; k < 2; k++) to[k] = con && con->geom[k] >= 0 ? m->geom_bodyid[con->geom[k]] : -1;
      break;
    case CON_DIM: to[0] = con ? con->dim : 0; break;
    case CON_DIST: to[0] = con ? con->dist : 0; break;
    case CON_POS:
      if (con) put(to, con->pos, 3);
      break;
    case CON_FRAME:
      if (con) put(to, con->frame, 9);
      break;
    case CON_FORCE:
      if (con && con->efc_address + con->dim <= d->nefc) mj_contactForce(m, d, i, to);
      break;
  }
}

static void contacts(mjiView* v, const mjiChoice* c, mjtNum* dst) {
  const mjData* d = oneOf(v, MJI_ONE_CONTACT);
  memset(dst, 0, (size_t)c->size * sizeof *dst);
  for (int i = 0; i < c->count; i++) {
    for (int part = 0; part < NPART; part++) {
      if (c->form->part != part && c->form->part != CON_ALL) continue;
      contactPart(v->own, d, i, part, dst);
      dst += columns[part];
    }
  }
}

// ---- constraint rows

// rows that the state does not have: -1 for types and ids, else zero
static void constraintRows(mjiView* v, const mjiChoice* c, mjtNum* dst) {
  mjiLaneRows rows = {.what = (mjiRowsWhat)c->form->part, .most = c->count, .to = dst};
  int ids = rows.what == MJI_ROWS_TYPE || rows.what == MJI_ROWS_ID;
  for (int i = 0; i < c->size; i++) dst[i] = ids ? -1 : 0;
  if (rows.what == MJI_ROWS_NUMBER) memcpy(&rows.array, (const char*)v->d + c->form->offset, sizeof rows.array);
  v->kernels->laneRows(v->m, v->d, v->lane, &rows);
}

// ---- rays and distances

static void rays(mjiView* v, const mjiChoice* c, mjtNum* dst) {
  const mjModel* m = v->own;
  const mjData* d = oneOf(v, MJI_ONE_POSITION);
  for (int i = 0; i < c->nprobe; i++, dst += 5) {
    const mjiProbe* p = c->probe + i;
    const mjtNum *from = p->x, *along = p->x + 3;
    mjtNum turned[3];
    int site = p->id[0], geom;
    if (site >= 0) {
      from = d->site_xpos + 3 * site;
      mju_mulMatVec3(turned, d->site_xmat + 9 * site, along);
      along = turned;
    }
    dst[0] = mji_ray(m, d, from, along, site >= 0 ? m->site_bodyid[site] : -1, &geom, dst + 2);
    dst[1] = geom;
  }
}

static void distances(mjiView* v, const mjiChoice* c, mjtNum* dst) {
  const mjData* d = oneOf(v, MJI_ONE_POSITION);
  for (int i = 0; i < c->nprobe; i++, dst += 7) {
    const mjiProbe* p = c->probe + i;
    dst[0] = mj_geomDistance(v->own, d, p->id[0], p->id[1], p->x[0], dst + 1);
  }
}

// ---- the forms

#define ROWS(name, stage) \
  { #name, MJI_TAKES_COUNT, NULL, 1, 1, stage, constraintRows, MJI_ROWS_NUMBER, offsetof(mjData, name) }

// clang-format off
static const mjiForm forms[] = {
    {"jacp_body",       MJI_TAKES_ELEMENTS, "nbody", 3, 0, mjSTAGE_POS, jacobians, BODY | LINEAR, 0},
    {"jacr_body",       MJI_TAKES_ELEMENTS, "nbody", 3, 0, mjSTAGE_POS, jacobians, BODY | ANGULAR, 0},
    {"jac_body",        MJI_TAKES_ELEMENTS, "nbody", 6, 0, mjSTAGE_POS, jacobians, BODY | LINEAR | ANGULAR, 0},
    {"jacp_body_com",   MJI_TAKES_ELEMENTS, "nbody", 3, 0, mjSTAGE_POS, jacobians, COM | LINEAR, 0},
    {"jac_subtree_com", MJI_TAKES_ELEMENTS, "nbody", 3, 0, mjSTAGE_POS, jacobians, SUBTREE | LINEAR, 0},
    {"jacp_geom",       MJI_TAKES_ELEMENTS, "ngeom", 3, 0, mjSTAGE_POS, jacobians, GEOM | LINEAR, 0},
    {"jacr_geom",       MJI_TAKES_ELEMENTS, "ngeom", 3, 0, mjSTAGE_POS, jacobians, GEOM | ANGULAR, 0},
    {"jac_geom",        MJI_TAKES_ELEMENTS, "ngeom", 6, 0, mjSTAGE_POS, jacobians, GEOM | LINEAR | ANGULAR, 0},
    {"jacp_site",       MJI_TAKES_ELEMENTS, "nsite", 3, 0, mjSTAGE_POS, jacobians, SITE | LINEAR, 0},
    {"jacr_site",       MJI_TAKES_ELEMENTS, "nsite", 3, 0, mjSTAGE_POS, jacobians, SITE | ANGULAR, 0},
    {"jac_site",        MJI_TAKES_ELEMENTS, "nsite", 6, 0, mjSTAGE_POS, jacobians, SITE | LINEAR | ANGULAR, 0},
    {"jacp_point",      MJI_TAKES_POINTS,   NULL,    3, 0, mjSTAGE_POS, pointJacobians, LINEAR, 0},
    {"jacr_point",      MJI_TAKES_POINTS,   NULL,    3, 0, mjSTAGE_POS, pointJacobians, ANGULAR, 0},
    {"jac_point",       MJI_TAKES_POINTS,   NULL,    6, 0, mjSTAGE_POS, pointJacobians, LINEAR | ANGULAR, 0},
    {"contact",         MJI_TAKES_COUNT,    NULL,   1, 24, mjSTAGE_ACC, contacts, CON_ALL, 0},
    {"contact_geom",    MJI_TAKES_COUNT,    NULL,    1, 2, mjSTAGE_POS, contacts, CON_GEOM, 0},
    {"contact_body",    MJI_TAKES_COUNT,    NULL,    1, 2, mjSTAGE_POS, contacts, CON_BODY, 0},
    {"contact_dim",     MJI_TAKES_COUNT,    NULL,    1, 1, mjSTAGE_POS, contacts, CON_DIM, 0},
    {"contact_dist",    MJI_TAKES_COUNT,    NULL,    1, 1, mjSTAGE_POS, contacts, CON_DIST, 0},
    {"contact_pos",     MJI_TAKES_COUNT,    NULL,    1, 3, mjSTAGE_POS, contacts, CON_POS, 0},
    {"contact_frame",   MJI_TAKES_COUNT,    NULL,    1, 9, mjSTAGE_POS, contacts, CON_FRAME, 0},
    {"contact_force",   MJI_TAKES_COUNT,    NULL,    1, 6, mjSTAGE_ACC, contacts, CON_FORCE, 0},
    {"efc_J",           MJI_TAKES_COUNT,    NULL,    1, 0, mjSTAGE_POS, constraintRows, MJI_ROWS_J, 0},
    {"efc_type",        MJI_TAKES_COUNT,    NULL,    1, 1, mjSTAGE_POS, constraintRows, MJI_ROWS_TYPE, 0},
    {"efc_id",          MJI_TAKES_COUNT,    NULL,    1, 1, mjSTAGE_POS, constraintRows, MJI_ROWS_ID, 0},
    ROWS(efc_pos, mjSTAGE_POS),
    ROWS(efc_margin, mjSTAGE_POS),
    ROWS(efc_frictionloss, mjSTAGE_POS),
    ROWS(efc_D, mjSTAGE_POS),
    ROWS(efc_R, mjSTAGE_POS),
    ROWS(efc_vel, mjSTAGE_VEL),
    ROWS(efc_aref, mjSTAGE_VEL),
    ROWS(efc_force, mjSTAGE_ACC),
    {"ray",             MJI_TAKES_RAYS,     NULL,    1, 5, mjSTAGE_POS, rays, 0, 0},
    {"distance",        MJI_TAKES_PAIRS,    NULL,    1, 7, mjSTAGE_POS, distances, 0, 0},
};
// clang-format on

enum { NFORM = sizeof forms / sizeof forms[0] };

const mjiForm* mji_formAt(int i) { return i >= 0 && i < NFORM ? &forms[i] : NULL; }
