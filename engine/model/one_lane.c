// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "lanes/lanes.h"

#include <math.h>
#include <string.h>

#include <mujoco/mjxmacro.h>

#include "model/contact_lanes.h"
#include "model/one_lane.h"
#include "model/work.h"

#if SHEAF_LANES == 1

mjData* LANE(oneLane)(const mjModel* m, mjData* d, int lane, int what) {
  (void)m;
  (void)lane;
  (void)what;
  return d;
}

#else

// ---- the data

#define FILL_mjtNum(p, n) \
  for (size_t i = 0; i < (n); i++) (p)[i] = NAN;
#define FILL_int(p, n)
#define FILL_mjtByte(p, n)
#define FILL_uintptr_t(p, n)

static void fillWithNan(const mjModel* m, mjData* d) {
  MJDATA_POINTERS_PREAMBLE(m)
  (void)nv;
#define X(type, name, nr, nc) FILL_##type(d->name, (size_t)m->nr*(size_t)(nc))
  MJDATA_POINTERS
#undef X
}

static mjData* ownedData(const mjModel* m, mjData* d) {
  mjiWork* w = mji_work(d);
  if (w->one) return w->one;
  w->one = mji_makeLaneData(m, 1);
  if (!w->one) mju_error("out of memory for one state beside %d lanes", SHEAF_LANES);
  fillWithNan(m, w->one);
  mji_work(w->one)->quiet = 1;
  return w->one;
}

// ---- positions and velocities

static void take(mjtNum* dst, const mjtNum* src, int64_t n, int lane) {
  mji_gatherLane(dst, src, (int)n, SHEAF_LANES, lane);
}

#define TAKE(name, n) take(one->name, d->name, (n), lane);

static void takePositions(const mjModel* m, const mjData* d, mjData* one, int lane) {
  TAKE(qpos, m->nq)
  TAKE(xpos, 3 * m->nbody)
  TAKE(xquat, 4 * m->nbody)
  TAKE(xmat, 9 * m->nbody)
  TAKE(xipos, 3 * m->nbody)
  TAKE(ximat, 9 * m->nbody)
  TAKE(geom_xpos, 3 * m->ngeom)
  TAKE(geom_xmat, 9 * m->ngeom)
  TAKE(site_xpos, 3 * m->nsite)
  TAKE(site_xmat, 9 * m->nsite)
  TAKE(subtree_com, 3 * m->nbody)
  TAKE(cdof, 6 * m->nv)
}

static void takeFlexes(const mjModel* m, const mjData* d, mjData* one, int lane) {
  TAKE(geom_xpos, 3 * m->ngeom)
  TAKE(geom_xmat, 9 * m->ngeom)
  TAKE(flexvert_xpos, 3 * m->nflexvert)
  TAKE(flexelem_aabb, 6 * m->nflexelem)
  TAKE(bvh_aabb_dyn, 6 * m->nbvhdynamic)
}

static void takeVelocities(const mjModel* m, const mjData* d, mjData* one, int lane) {
  TAKE(qvel, m->nv)
  TAKE(cvel, 6 * m->nbody)
  TAKE(cdof_dot, 6 * m->nv)
}

// ---- contacts

// a record and an mjContact have the same fields
static void takeContact(const LANE(Contact)* from, mjContact* con, int lane) {
  *con = (mjContact){.dim = from->dim,
                     .geom1 = from->geom1,
                     .geom2 = from->geom2,
                     .exclude = from->exclude,
                     .efc_address = from->efc_address};
  n_take(&con->includemargin, &from->includemargin, MJI_NCONTACTNUMBER, lane);
  con->mu = n_get(from->mu, lane);
  con->dist = v_get(from->dist, lane);
  for (int k = 0; k < 3; k++) con->pos[k] = v_get(from->pos[k], lane);
  for (int k = 0; k < 9; k++) con->frame[k] = v_get(from->frame[k], lane);
  memcpy(con->geom, from->geom, sizeof con->geom);
  memcpy(con->flex, from->flex, sizeof con->flex);
  memcpy(con->elem, from->elem, sizeof con->elem);
  memcpy(con->vert, from->vert, sizeof con->vert);
}

static void takeContacts(const mjData* d, mjData* one, int lane) {
  const LANE(Contact)* from = laneContacts(d);
  mji_clearArena(one);
  one->contact = mji_arenaAlloc(one, (size_t)d->ncon * sizeof(mjContact), _Alignof(mjContact));
  one->efc_force = mji_arenaNum(one, (size_t)d->nefc);
  if ((d->ncon && !one->contact) || (d->nefc && !one->efc_force)) mju_error("no room for the contacts of one lane");
  for (int i = 0; i < d->ncon; i++) {
    if (m_get(laneContactOn(from + i), lane)) takeContact(from + i, one->contact + one->ncon++, lane);
  }
  one->nefc = d->nefc;
  if (d->nefc) TAKE(efc_force, d->nefc)
}

mjData* LANE(oneLane)(const mjModel* m, mjData* d, int lane, int what) {
  mjData* one = ownedData(m, d);
  if (what & MJI_ONE_POSITION) takePositions(m, d, one, lane);
  if (what & MJI_ONE_FLEX) takeFlexes(m, d, one, lane);
  if (what & MJI_ONE_VELOCITY) takeVelocities(m, d, one, lane);
  if (what & MJI_ONE_CONTACT) takeContacts(d, one, lane);
  return one;
}

#endif
