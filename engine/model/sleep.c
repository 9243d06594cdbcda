// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "model/sleep.h"

#include <math.h>
#include <string.h>

#include "lanes/kernels.h"
#include "model/active.h"
#include "model/actuator_row.h"
#include "model/contact_side.h"
#include "model/equality_row.h"
#include "model/sensor_row.h"
#include "model/work.h"

enum { FRESH = -(1 + mjMINAWAKE), READY = -1 };

// ---- states of objects

// does a body follow a mocap body?
static int followsMocap(const mjModel* m, int body) { return m->body_mocapid[m->body_rootid[body]] >= 0; }

static int stateOfBody(const mjModel* m, const mjData* d, int body) {
  int tree = m->body_treeid[body];
  return tree < 0 && followsMocap(m, body) ? mjS_AWAKE : mji_sleep_ofTree(d, tree);
}

static int ofTendon(const mjModel* m, const mjData* d, int tendon) {
  int asleep = 0, adr = m->tendon_adr[tendon];
  for (int w = adr; w < adr + m->tendon_num[tendon]; w++) {
    int id = m->wrap_objid[w], body = 0;
    switch (m->wrap_type[w]) {
      case mjWRAP_JOINT: body = m->jnt_bodyid[id]; break;
      case mjWRAP_SITE: body = m->site_bodyid[id]; break;
      case mjWRAP_SPHERE:
      case mjWRAP_CYLINDER: body = m->geom_bodyid[id]; break;
      default: break;
    }
    int state = mji_sleep_ofTree(d, m->body_treeid[body]);
    if (state == mjS_AWAKE) return mjS_AWAKE;
    asleep |= state == mjS_ASLEEP;
  }
  return asleep ? mjS_ASLEEP : mjS_STATIC;
}

// state of two objects that act together
static int stateOfPair(int state1, int state2) {
  if (state1 == mjS_AWAKE || state2 == mjS_AWAKE) return mjS_AWAKE;
  return state1 == mjS_ASLEEP || state2 == mjS_ASLEEP ? mjS_ASLEEP : mjS_STATIC;
}

static int ofActuator(const mjModel* m, const mjData* d, int actuator) {
  int body[2];
  mji_actuatorBodies(m, actuator, body);
  if (body[0] < 0) return ofTendon(m, d, m->actuator_trnid[2 * actuator]);
  int state = stateOfBody(m, d, body[0]);
  return body[1] < 0 ? state : stateOfPair(state, stateOfBody(m, d, body[1]));
}

int mji_sleep_ofObject(const mjModel* m, const mjData* d, int objtype, int id) {
  switch (objtype) {
    case mjOBJ_BODY:
    case mjOBJ_XBODY: return stateOfBody(m, d, id);
    case mjOBJ_GEOM: return stateOfBody(m, d, m->geom_bodyid[id]);
    case mjOBJ_SITE: return stateOfBody(m, d, m->site_bodyid[id]);
    case mjOBJ_CAMERA: return stateOfBody(m, d, m->cam_bodyid[id]);
    case mjOBJ_JOINT: return stateOfBody(m, d, m->jnt_bodyid[id]);
    case mjOBJ_TENDON: return ofTendon(m, d, id);
    case mjOBJ_ACTUATOR: return ofActuator(m, d, id);
    default: return mjS_AWAKE;
  }
}

// sensors whose value can change while their objects sleep
static int alwaysSenses(const mjModel* m, int i) {
  const mjiSensorRow* row = mji_sensorRow(m->sensor_type[i]);
  if (!row || row->flags & mjiSENSE_NEVER_SLEEPS) return 1;
  return row->object == mjiSENSE_CONTACT_SIDE && m->sensor_objtype[i] == mjOBJ_SITE;
}

// does a sensor keep its value? Its objects sleep.
static int keepsValue(const mjModel* m, const mjData* d, int i) {
  int type1 = m->sensor_objtype[i], type2 = m->sensor_reftype[i];
  int given1 = type1 != mjOBJ_UNKNOWN, given2 = type2 != mjOBJ_UNKNOWN && m->sensor_refid[i] >= 0;
  if (alwaysSenses(m, i) || (!given1 && !given2)) return 0;

  // two objects must both be asleep or static; a single object must be asleep
  int state1 = given1 ? mji_sleep_ofObject(m, d, type1, m->sensor_objid[i]) : mjS_STATIC;
  int state2 = given2 ? mji_sleep_ofObject(m, d, type2, m->sensor_refid[i]) : mjS_STATIC;
  if (given1 && given2) return state1 != mjS_AWAKE && state2 != mjS_AWAKE;
  return state1 == mjS_ASLEEP || state2 == mjS_ASLEEP;
}

// ---- trees of equalities

static int treeOfJoint(const mjModel* m, int joint) { return joint < 0 ? -1 : m->body_treeid[m->jnt_bodyid[joint]]; }

// trees that an equality of bodies, sites or joints connects; -1 where there is none
static void treesOfEquality(const mjModel* m, int i, int tree[2]) {
  int id[2] = {m->eq_obj1id[i], m->eq_obj2id[i]};
  tree[0] = tree[1] = -1;
  for (int k = 0; k < 2; k++) {
    switch (mji_equalityRow(m->eq_type[i])->ends) {
      case mjiENDS_POINTS: tree[k] = m->body_treeid[mji_equalityBody(m, i, k)]; break;
      case mjiENDS_JOINTS: tree[k] = treeOfJoint(m, id[k]); break;
      default: break;
    }
  }
}

// ---- trees of flexes

enum { SOME_AWAKE = 1, SOME_ASLEEP = 2 };

static int statesOfBodies(const mjModel* m, const mjData* d, const int* body, int n) {
  int states = 0;
  for (int i = 0; i < n; i++) {
    int tree = body[i] < 0 ? -1 : m->body_treeid[body[i]];
    if (tree >= 0) states |= d->tree_asleep[tree] < 0 ? SOME_AWAKE : SOME_ASLEEP;
  }
  return states;
}

// states of the trees that carry the vertices of a flex
static int statesOfFlex(const mjModel* m, const mjData* d, int f) {
  return statesOfBodies(m, d, m->flex_vertbodyid + m->flex_vertadr[f], m->flex_vertnum[f]);
}

// An equality has no rows if one of its trees sleeps and the other does not move either.
static int hasNoRows(const mjModel* m, const mjData* d, int equality) {
  if (mji_equalityRow(m->eq_type[equality])->ends == mjiENDS_FLEXES) {
    return statesOfFlex(m, d, m->eq_obj1id[equality]) == SOME_ASLEEP;
  }
  int tree[2];
  treesOfEquality(m, equality, tree);
  return stateOfPair(mji_sleep_ofTree(d, tree[0]), mji_sleep_ofTree(d, tree[1])) == mjS_ASLEEP;
}

// ---- lists

// the next body of a span
static void extend(const mjModel* m, mjiSpan* s, int b) {
  if (m->body_jntnum[b]) {
    if (s->joint == s->joint_end) s->joint = m->body_jntadr[b];
    s->joint_end = m->body_jntadr[b] + m->body_jntnum[b];
    if (s->dof == s->dof_end) s->dof = m->body_dofadr[b];
    s->dof_end = m->body_dofadr[b] + m->body_dofnum[b];
  }
  if (m->body_geomnum[b]) {
    if (s->geom == s->geom_end) s->geom = m->body_geomadr[b];
    s->geom_end = m->body_geomadr[b] + m->body_geomnum[b];
  }
  s->body_end = b + 1;
}

// Make the spans from body_awake. The first span also has the geoms and sites of the world.
static void updateSpans(const mjModel* m, mjData* d) {
  mjiWork* w = mji_work(d);
  mjiSpan* s = w->span;
  *s = (mjiSpan){.body = 1, .body_end = 1, .geom_end = m->nbody ? m->body_geomnum[0] : 0};
  for (int b = 1; b < m->nbody; b++) {
    if (d->body_awake[b] == mjS_ASLEEP) continue;
    if (b != s->body_end) *++s = (mjiSpan){.body = b};
    extend(m, s, b);
  }
  w->nspan = (int)(s - w->span) + 1;

  // a site names its body, but a body does not name its sites, so walk through the sites
  int site = 0;
  for (s = w->span; s < w->span + w->nspan; s++) {
    while (s > w->span && site < m->nsite && m->site_bodyid[site] < s->body) site++;
    s->site = site;
    while (site < m->nsite && m->site_bodyid[site] < s->body_end) site++;
    s->site_end = site;
  }
}

static void spanAll(const mjModel* m, mjData* d) {
  mjiWork* w = mji_work(d);
  w->span[0] = mji_spanOfAll(m);
  w->nspan = 1;
}

static int takesPart(const mjModel* m, const mjData* d, mjiListKind kind, int i) {
  switch (kind) {
    case MJI_JOINTS: return !mji_sleep_ofDof(m, d, m->jnt_dofadr[i]);
    case MJI_DOFS: return !mji_sleep_ofDof(m, d, i);
    case MJI_ACTUATORS: return ofActuator(m, d, i) != mjS_ASLEEP;
    case MJI_SENSORS: return !keepsValue(m, d, i);
    case MJI_TENDONS: return ofTendon(m, d, i) != mjS_ASLEEP;
    case MJI_EQUALITIES: return !hasNoRows(m, d, i);
    case MJI_PAIRS: return mji_pairActive(m, d, mji_plan(m)->pair[i].body1, mji_plan(m)->pair[i].body2);
    default: return 1;
  }
}

static void updateLists(const mjModel* m, mjData* d) {
  mjiWork* w = mji_work(d);
  for (int kind = 0; kind < MJI_NLIST; kind++) {
    w->nlist[kind] = 0;
    for (int i = 0; i < mji_countOf(m, kind); i++) {
      if (takesPart(m, d, kind, i)) w->list[kind][w->nlist[kind]++] = i;
    }
  }
}

void mji_sleep_update(const mjModel* m, mjData* d) {
  d->ntree_awake = d->nbody_awake = d->nparent_awake = d->nv_awake = 0;
  for (int t = 0; t < m->ntree; t++) {
    d->tree_awake[t] = d->tree_asleep[t] < 0;
    d->ntree_awake += d->tree_awake[t];
  }
  for (int b = 0; b < m->nbody; b++) {
    d->body_awake[b] = stateOfBody(m, d, b);
    if (d->body_awake[b] != mjS_ASLEEP) d->body_awake_ind[d->nbody_awake++] = b;
    if (b && d->body_awake[m->body_parentid[b]] != mjS_ASLEEP) {
      d->parent_awake_ind[d->nparent_awake++] = b;
    }
  }
  for (int i = 0; i < m->nv; i++) {
    if (d->tree_awake[m->dof_treeid[i]]) d->dof_awake_ind[d->nv_awake++] = i;
  }
  if (mji_sleep_any(m, d)) {
    updateSpans(m, d);
    updateLists(m, d);
  } else {
    spanAll(m, d);
  }
}

int mji_sleep_spansOk(const mjModel* m, const mjData* d) {
  const mjiWork* w = mji_work(d);
  int body = 1, dof = 0;
  for (const mjiSpan* s = w->span; s < w->span + w->nspan; s++) {
    if (s->body < body || s->body_end < s->body || (s->dof < s->dof_end && s->dof < dof)) return 0;
    body = s->body_end;
    dof = s->dof < s->dof_end ? s->dof_end : dof;
  }
  if (w->nspan < 1 || body > m->nbody || dof > m->nv) return 0;
  return mji_sleep_any(m, d) || (w->nspan == 1 && body == m->nbody && dof == m->nv);
}

void mji_sleep_reset(const mjModel* m, mjData* d) {
  for (int t = 0; t < m->ntree; t++) d->tree_asleep[t] = FRESH;
  mji_sleep_update(m, d);
}

// ---- waking

// wake a tree and the island it sleeps with, with a counter to start from
static void wakeTree(mjData* d, int tree, int counter) {
  while (d->tree_asleep[tree] >= 0) {
    int next = d->tree_asleep[tree];
    d->tree_asleep[tree] = counter;
    tree = next;
  }
}

static int sameIsland(const mjData* d, int tree1, int tree2) {
  for (int t = d->tree_asleep[tree1]; t != tree1; t = d->tree_asleep[t]) {
    if (t == tree2) return 1;
  }
  return tree1 == tree2;
}

// update the lists if n trees woke
static int woke(const mjModel* m, mjData* d, int n) {
  if (n) mji_sleep_update(m, d);
  return n;
}

static void wakeAll(const mjModel* m, mjData* d) {
  for (int t = 0; t < m->ntree; t++) wakeTree(d, t, FRESH);
  mji_sleep_update(m, d);
}

// Compares bytes, not numbers, because also a negative zero shows that the user wrote something.
static int isTouched(const mjtNum* x, int n) {
  uint64_t any = 0;
  for (int i = 0; i < n; i++) {
    uint64_t bits;
    memcpy(&bits, x + i, sizeof bits);
    any |= bits;
  }
  return any != 0;
}

static int isForced(const mjModel* m, const mjData* d, int tree) {
  int body = m->tree_bodyadr[tree], dof = m->tree_dofadr[tree];
  return isTouched(d->qfrc_applied + dof, m->tree_dofnum[tree]) ||
         isTouched(d->xfrc_applied + 6 * body, 6 * m->tree_bodynum[tree]);
}

static int wakePushed(const mjModel* m, mjData* d) {
  int n = 0;
  for (int t = 0; t < m->ntree; t++) {
    if (d->tree_asleep[t] < 0) continue;
    const mjtNum* qvel = d->qvel + m->tree_dofadr[t];
    if (!isTouched(qvel, m->tree_dofnum[t]) && !isForced(m, d, t)) continue;
    wakeTree(d, t, FRESH);
    n++;
  }
  return woke(m, d, n);
}

static int wakeMoved(const mjModel* m, mjData* d, const mjtNum* xpos, const mjtNum* xquat) {
  int n = 0;
  for (int b = 1; b < m->nbody; b++) {
    int tree = m->body_treeid[b];
    if (tree < 0 || d->tree_asleep[tree] < 0) continue;
    if (!memcmp(xpos + 3 * b, d->xpos + 3 * b, 3 * sizeof(mjtNum)) &&
        !memcmp(xquat + 4 * b, d->xquat + 4 * b, 4 * sizeof(mjtNum))) {
      continue;
    }
    wakeTree(d, tree, FRESH);
    n++;
  }
  return woke(m, d, n);
}

void mji_sleep_placeSome(const mjModel* m, mjData* d, mjiSleepStage place) {
  if (mjENABLED(mjENBL_SLEEP)) {
    wakePushed(m, d);
    mj_markStack(d);
    mjtNum* xpos = mj_stackAllocNum(d, 3 * (size_t)m->nbody);
    mjtNum* xquat = mj_stackAllocNum(d, 4 * (size_t)m->nbody);
    mju_copy(xpos, d->xpos, 3 * (int)m->nbody);
    mju_copy(xquat, d->xquat, 4 * (int)m->nbody);
    place(m, d);
    int moved = wakeMoved(m, d, xpos, xquat);
    mj_freeStack(d);
    if (!moved) return;
  } else {
    wakeAll(m, d);
  }
  place(m, d);  // what is fixed in the bodies that woke, too
}

// If one of two connected trees sleeps and the other is awake, wake the first with the counter of the other.
static int wakeOther(mjData* d, int tree1, int tree2) {
  if (tree1 < 0 || tree2 < 0) return 0;
  int asleep1 = d->tree_asleep[tree1] >= 0, asleep2 = d->tree_asleep[tree2] >= 0;
  if (asleep1 == asleep2) return 0;
  wakeTree(d, asleep1 ? tree1 : tree2, d->tree_asleep[asleep1 ? tree2 : tree1]);
  return 1;
}

void mji_sleep_wakeByTendons(const mjModel* m, mjData* d) {
  int n = 0;
  for (int i = 0; i < m->ntendon; i++) {
    if (!m->tendon_limited[i] || m->tendon_treenum[i] != 2) continue;
    const mjtNum* range = m->tendon_range + 2 * i;
    mjtNum length = d->ten_length[i], margin = m->tendon_margin[i];
    if (length - range[0] >= margin && range[1] - length >= margin) continue;
    n += wakeOther(d, m->tendon_treeid[2 * i], m->tendon_treeid[2 * i + 1]);
  }
  woke(m, d, n);
}

// wake the trees of n bodies that sleep; returns whether there were any
static int wakeBodies(const mjModel* m, mjData* d, const int* body, int n, int counter) {
  int any = 0;
  for (int i = 0; i < n; i++) {
    int tree = body[i] < 0 ? -1 : m->body_treeid[body[i]];
    if (tree < 0 || d->tree_asleep[tree] < 0) continue;
    wakeTree(d, tree, counter);
    any = 1;
  }
  return any;
}

// A contact of a flex acts on many bodies: if one of them is awake, wake the others.
static int wakeByFlex(const mjModel* m, mjData* d, const mjContact* con) {
  mjiSideRoom room[2];
  mjiSide side[2] = {mji_sideOf(m, d, con, 0, room), mji_sideOf(m, d, con, 1, room + 1)};
  int states = 0, any = 0;
  for (int i = 0; i < 2; i++) states |= statesOfBodies(m, d, side[i].body, side[i].n);
  for (int i = 0; i < 2 && states & SOME_AWAKE; i++) any |= wakeBodies(m, d, side[i].body, side[i].n, FRESH);
  return any;
}

static int wakeTouched(const mjModel* m, mjData* d) {
  int n = 0;
  for (const mjContact* con = d->contact; con < d->contact + d->ncon; con++) {
    if (con->geom[0] < 0 || con->geom[1] < 0) {
      n += wakeByFlex(m, d, con);
      continue;
    }
    mjiSide first = mji_contactSide(m, con->geom, 0), second = mji_contactSide(m, con->geom, 1);
    for (int i = 0; i < first.n; i++) {
      int tree = m->body_treeid[first.body[i]];
      for (int k = 0; k < second.n; k++) n += wakeOther(d, tree, m->body_treeid[second.body[k]]);
    }
  }
  return woke(m, d, n);
}

// is a sleeping tree tied to a mocap body?
static int tiedToMocap(const mjModel* m, int i) {
  if (!mji_equalityOfPoints(m, i)) return 0;
  for (int k = 0; k < 2; k++) {
    int body = mji_equalityBody(m, i, k);
    if (m->body_treeid[body] < 0 && followsMocap(m, body)) return 1;
  }
  return 0;
}

// The edges of a flex are equal: if one of its trees is awake, wake the others.
static int wakeEdges(const mjModel* m, mjData* d, int f) {
  if (statesOfFlex(m, d, f) != (SOME_AWAKE | SOME_ASLEEP)) return 0;
  return wakeBodies(m, d, m->flex_vertbodyid + m->flex_vertadr[f], m->flex_vertnum[f], FRESH);
}

static void wakeTied(const mjModel* m, mjData* d) {
  int n = 0;
  for (int i = 0; i < m->neq; i++) {
    if (!d->eq_active[i]) continue;
    if (mji_equalityRow(m->eq_type[i])->ends == mjiENDS_FLEXES) {
      n += wakeEdges(m, d, m->eq_obj1id[i]);
      continue;
    }
    if (mji_equalityRow(m->eq_type[i])->ends == mjiENDS_TENDONS) {
      mju_error("equality %d: tendons of trees that may sleep cannot be equal", i);
      return;
    }
    int tree[2], asleep[2];
    treesOfEquality(m, i, tree);
    for (int k = 0; k < 2; k++) asleep[k] = tree[k] >= 0 && d->tree_asleep[tree[k]] >= 0;
    int one = asleep[0] != asleep[1];
    int awake = one && (tree[asleep[0]] >= 0 || tiedToMocap(m, i));
    int apart = asleep[0] && asleep[1] && !sameIsland(d, tree[0], tree[1]);
    if (!awake && !apart) continue;
    for (int k = 0; k < 2; k++) {
      if (asleep[k]) wakeTree(d, tree[k], FRESH);
    }
    n++;
  }
  woke(m, d, n);
}

void mji_sleep_wakeConnected(const mjModel* m, mjData* d, mjiSleepStage collide) {
  while (mji_sleep_any(m, d) && wakeTouched(m, d)) collide(m, d);
  wakeTied(m, d);
}

// ---- falling asleep

int mji_sleep_soon(const mjModel* m, const mjData* d, int n) {
  for (int t = 0; t < m->ntree; t++) {
    if (d->tree_asleep[t] + n >= READY) return 1;
  }
  return 0;
}

int mji_sleep_alone(const mjModel* m) {
  if (!mjENABLED(mjENBL_SLEEP)) return 0;
  for (int i = 0; i < m->neq; i++) {
    if (mji_equalityRow(m->eq_type[i])->ends == mjiENDS_TENDONS) return 1;
  }
  return 0;
}

int mji_sleep_startsAlone(const mjModel* m) {
  if (!mjENABLED(mjENBL_SLEEP)) return 0;
  for (int t = 0; t < m->ntree; t++) {
    if (m->tree_sleep_policy[t] == mjSLEEP_INIT) return 1;
  }
  return mji_sleep_alone(m);
}

static int isSlow(const mjModel* m, const mjData* d, int tree) {
  mjtNum tolerance = m->opt.sleep_tolerance;
  for (int i = m->tree_dofadr[tree]; i < m->tree_dofadr[tree] + m->tree_dofnum[tree]; i++) {
    mjtNum speed = m->dof_length[i] * fabs(d->qvel[i]);
    if (!(speed < tolerance) && !(speed == 0 && tolerance == 0)) return 0;
  }
  return 1;
}

static int maySleep(const mjModel* m, const mjData* d, int tree) {
  int policy = m->tree_sleep_policy[tree];
  return policy != mjSLEEP_NEVER && policy != mjSLEEP_AUTO_NEVER && !isForced(m, d, tree) && isSlow(m, d, tree);
}

static void countTrees(const mjModel* m, mjData* d) {
  for (int t = 0; t < m->ntree; t++) {
    int* counter = d->tree_asleep + t;
    if (*counter >= 0) continue;
    if (!maySleep(m, d, t)) *counter = FRESH;
    else if (*counter < READY) ++*counter;
  }
}

// a cycle of n trees
static void makeCycle(const mjModel* m, mjData* d, const int* tree, int n) {
  for (int k = 0; k < n; k++) {
    int t = tree[k];
    d->tree_asleep[t] = tree[(k + 1) % n];
    mju_zero(d->qvel + m->tree_dofadr[t], m->tree_dofnum[t]);
  }
}

int mji_sleep_fall(const mjModel* m, mjData* d) {
  // without islands it is not known which trees touch each other, so none may fall asleep
  if (d->nefc && !d->nisland) return 0;
  int n = 0;
  countTrees(m, d);
  for (int i = 0; i < d->nisland; i++) {
    const int* tree = d->map_itree2tree + d->island_itreeadr[i];
    int ready = 1;
    for (int k = 0; k < d->island_ntree[i]; k++) ready &= d->tree_asleep[tree[k]] == READY;
    if (!ready) continue;
    makeCycle(m, d, tree, d->island_ntree[i]);
    n++;
  }

  // trees that nothing touches
  for (int t = 0; t < m->ntree; t++) {
    if (d->tree_asleep[t] != READY || (d->nisland && d->tree_island[t] >= 0)) continue;
    makeCycle(m, d, &t, 1);
    n++;
  }
  return n;
}

void mji_sleep_shield(const mjModel* m, mjData* d, mjiSleepStage stage, mjtNum* const* result, int n) {
  int nv = (int)m->nv, nasleep = nv - d->nv_awake;
  mj_markStack(d);
  mjtNum* kept = mj_stackAllocNum(d, (size_t)n * (size_t)nasleep);
  int* dof = mj_stackAllocInt(d, (size_t)nasleep);
  for (int i = 0, k = 0; i < nv; i++) {
    if (mji_sleep_ofDof(m, d, i)) dof[k++] = i;
  }
  for (int r = 0; r < n; r++) {
    for (int k = 0; k < nasleep; k++) kept[r * nasleep + k] = result[r][dof[k]];
  }
  stage(m, d);
  for (int r = 0; r < n; r++) {
    for (int k = 0; k < nasleep; k++) result[r][dof[k]] = kept[r * nasleep + k];
  }
  mj_freeStack(d);
}

void mji_sleep_fallAsleep(const mjModel* m, mjData* d, mjiSleepForward forward, int want) {
  if (!mji_sleep_fall(m, d)) return;
  forward(m, d, MJI_VELOCITY, MJI_ACCELERATION, want);
  mji_sleep_update(m, d);
}
