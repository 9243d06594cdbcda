// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// From positions to contacts, over lanes: candidate pairs, bounding spheres, narrow phase, contact
// record.
//
// Candidates come from the plan's pair list, or from the broad phase where there is none. A pair
// that passes the sphere filter in any lane goes to the narrow phase: round pairs over all lanes
// together, others through a filter of oriented boxes, then lane by lane through the pair table. Each hit becomes a
// contact record.

#include "lanes/lanes.h"

#include "collide/broad.h"
#include "collide/capsule_box.h"
#include "collide/contact.h"
#include "collide/convex_lanes.h"
#include "collide/flex_lanes.h"
#include "collide/near.h"
#include "collide/oriented_box.h"
#include "collide/pair.h"
#include "collide/round.h"
#include "collide/touch.h"
#include "lanes/kernels.h"
#include "model/active.h"
#include "model/contact_lanes.h"
#include "model/number.h"
#include "model/timer.h"
#include "model/work.h"

// ---- bounding volumes

// lanes in which a geom without a bounding sphere may touch another: a plane if its half-space does, others always
static M boundsTouchUnbounded(const mjModel* m, const mjData* d, const mjiPair* p, const V offset[3], N reach) {
  if (m->geom_type[p->geom1] != mjGEOM_PLANE) return m_full();
  V normal[3];
  laneAxis(normal, CLANES(d->geom_xmat) + 9 * p->geom1, 2);
  return v_le(laneDot(offset, normal), v_num(reach));
}

// distance below which a pair makes a contact; mji_contact_margin computes the same for one state
static inline N marginOf(const mjModel* m, const mjData* d, const mjiPair* p) {
  if (m->opt.enableflags & mjENBL_OVERRIDE) return n_set1(m->opt.o_margin);
  if (p->pair >= 0) return NUM(pair_margin)[p->pair];
  return n_max(NUM(geom_margin)[p->geom1], NUM(geom_margin)[p->geom2]);
}

// lanes in which the bounding spheres are closer than margin
static inline M boundsTouch(const mjModel* m, const mjData* d, const mjiPair* p, N margin) {
  const V* x1 = CLANES(d->geom_xpos) + 3 * p->geom1;
  const V* x2 = CLANES(d->geom_xpos) + 3 * p->geom2;
  V offset[3] = {x2[0] - x1[0], x2[1] - x1[1], x2[2] - x1[2]};
  N reach = NUM(geom_rbound)[p->geom1] + NUM(geom_rbound)[p->geom2] + margin;
  if (m->geom_rbound[p->geom1] == 0 || m->geom_rbound[p->geom2] == 0) {
    return boundsTouchUnbounded(m, d, p, offset, reach);
  }
  return n_nonnegative(reach) & v_le(laneDot(offset, offset), v_num(reach * reach));
}

// ---- narrow phase

// Run a pair that has no function over lanes, lane by lane. Where rows share positions, and in groups that are not
// full, lanes have the poses of the lane before, and so its hits.
static int collideEach(LANE(Hit)* hit, mjiPairFunc func, const LANE(Shape)* a, const LANE(Shape)* b, N margin, M near) {
  int nrank = 0, nhit = -1;
  mjiShape a0, b0;
  mjiHit one[mjMAXCONPAIR];
  for (int lane = 0; lane < SHEAF_LANES; lane++) {
    if (!m_get(near, lane)) continue;
    mjiShape a1, b1;
    laneShape(&a1, a, lane);
    laneShape(&b1, b, lane);
    if (OWN_NUMBERS || nhit < 0 || !samePose(&a0, &a1) || !samePose(&b0, &b1)) {
      nhit = func(one, &a1, &b1, n_get(margin, lane));
      a0 = a1;
      b0 = b1;
    }
    nrank = laneHits(hit, nrank, one, nhit, lane);
  }
  return nrank;
}

// run a pair function of the user, which sees one state
static int collideUser(LANE(Hit)* hit, const mjModel* m, mjData* d, const mjiPair* p, mjtNum margin) {
  mjfCollision func = mjCOLLISIONFUNC[m->geom_type[p->geom1]][m->geom_type[p->geom2]];
  if (!func) return 0;
  mjContact con[mjMAXCONPAIR];
  memset(con, 0, sizeof con);
  int n = func(m, d, con, p->geom1, p->geom2, margin);
  if (n < 0 || n > mjMAXCONPAIR) mju_error("collision function returned %d contacts", n);
  for (int i = 0; i < n; i++) {
    mju_normalize3(con[i].frame);
    hit[i].dist = v_set1(con[i].dist);
    for (int k = 0; k < 3; k++) {
      hit[i].pos[k] = v_set1(con[i].pos[k]);
      hit[i].normal[k] = v_set1(con[i].frame[k]);
      hit[i].tangent[k] = v_set1(con[i].frame[3 + k]);
    }
    hit[i].on = m_full();
  }
  return n;
}

// contacts of two shapes
static int collideShapes(LANE(Hit)* hit, const LANE(Shape)* a, const LANE(Shape)* b, N margin, M near) {
  switch (a->type * mjNGEOMTYPES + b->type) {
    case mjGEOM_PLANE* mjNGEOMTYPES + mjGEOM_SPHERE: return lanePlaneSphere(hit, a, b, margin, near);
    case mjGEOM_PLANE* mjNGEOMTYPES + mjGEOM_CAPSULE: return lanePlaneCapsule(hit, a, b, margin, near);
    case mjGEOM_SPHERE* mjNGEOMTYPES + mjGEOM_SPHERE: return laneSphereSphere(hit, a, b, margin, near);
    case mjGEOM_SPHERE* mjNGEOMTYPES + mjGEOM_CAPSULE: return laneSphereCapsule(hit, a, b, margin, near);
    case mjGEOM_CAPSULE* mjNGEOMTYPES + mjGEOM_CAPSULE: return laneCapsuleCapsule(hit, a, b, margin, near);
    default: {
      mjiPairFunc func = mji_pair_func(a->type, b->type);
      if (func) near = orientedBoxesMeet(a, b, margin, near);
      if (!func || !m_any(near)) return 0;
      if (func == mji_pair_sphereBox) return laneSphereBox(hit, a, b, margin, near);
      if (func == mji_pair_capsuleBox) return laneCapsuleBox(hit, a, b, margin, near);
      if (!ONE_STATE && func == mji_pair_convex && convexInLanes(a->m, a->type, b->type)) {
        return LANE(pairConvex)(hit, a, b, margin, near);
      }
      return collideEach(hit, func, a, b, margin, near);
    }
  }
}

static LANE(Shape) shapeOf(const mjModel* m, const mjData* d, int geom, const V* pos, const V* mat) {
  return (LANE(Shape)){m, d, geom, m->geom_type[geom], NUM(geom_size) + 3 * geom, pos, mat};
}

static int collidePair(LANE(Hit)* hit, const mjModel* m, mjData* d, const mjiPair* p, N margin, M near) {
  int type1 = m->geom_type[p->geom1], type2 = m->geom_type[p->geom2];
  if (ONE_STATE && __builtin_expect(mji_pair_replaced(type1, type2), 0)) {
    return collideUser(hit, m, d, p, n_get(margin, 0));
  }
  const V *pos = CLANES(d->geom_xpos), *mat = CLANES(d->geom_xmat);
  LANE(Shape) a = shapeOf(m, d, p->geom1, pos + 3 * p->geom1, mat + 9 * p->geom1);
  LANE(Shape) b = shapeOf(m, d, p->geom2, pos + 3 * p->geom2, mat + 9 * p->geom2);
  return collideShapes(hit, &a, &b, margin, near);
}

// ---- contact record

// mjiContactParam with N for its numbers: lanes share a number, or each has its own
typedef struct {
  MJI_CONTACT_NUMBERS(N)
  int dim;
} __attribute__((may_alias)) Param;

static inline void paramOf(const mjModel* m, const mjData* d, const mjiPair* p, Param* param) {
  if (!OWN_NUMBERS) {
    mji_contact_param(m, p->pair, p->geom1, p->geom2, (mjiContactParam*)(void*)param);
    return;
  }
  for (int lane = 0; lane < NUMBER_LANES; lane++) {
    mjiContactParam one;
    mji_contact_param(LANE_MODEL(lane), p->pair, p->geom1, p->geom2, &one);
    n_put(&param->includemargin, &one.includemargin, MJI_NCONTACTNUMBER, lane);
    param->dim = one.dim;
  }
}

// Complete the frame: z = normal x tangent. Without a tangent, choose a default. If the tangent is
// parallel to the normal (an upright capsule), take the x axis by convention; the frame is then not
// orthogonal.
static void makeFrame(V frame[9], const V normal[3], const V tangent[3]) {
  V size = laneDot(tangent, tangent);
  M given = v_ge(size, v_set1(0.25));
  M alongY = v_ge(v_abs(normal[1]), v_set1(0.5));
  V y[3] = {v_sel(given, tangent[0], v_zero()), v_sel(given, tangent[1], v_sel(alongY, v_zero(), v_set1(1))),
            v_sel(given, tangent[2], v_sel(alongY, v_set1(1), v_zero()))};
  V along = laneDot(normal, y);
  for (int k = 0; k < 3; k++) y[k] = y[k] - normal[k] * along;
  V length = v_sqrt(laneDot(y, y));
  M none = v_lt(length, v_set1(mjMINVAL));
  V inv = 1.0 / v_sel(none, v_set1(1), length);
  for (int k = 0; k < 3; k++) {
    frame[k] = normal[k];
    frame[3 + k] = v_sel(none, v_set1(k == 0), y[k] * inv);
  }
  frame[6] = frame[1] * frame[5] - frame[2] * frame[4];
  frame[7] = frame[2] * frame[3] - frame[0] * frame[5];
  frame[8] = frame[0] * frame[4] - frame[1] * frame[3];
}

// the predefined pair of two geoms, -1 if there is none
static int predefinedPair(const mjModel* m, const int geom[2]) {
  for (int i = 0; i < m->npair; i++) {
    int a = m->pair_geom1[i], b = m->pair_geom2[i];
    if ((a == geom[0] && b == geom[1]) || (a == geom[1] && b == geom[0])) return i;
  }
  return -1;
}

int LANE(touchesAt)(const mjModel* m, mjData* d, const int geom[2], V* const pos[2], V* const mat[2],
                    LANE(Touch)* touch) {
  LANE(Hit) hit[mjMAXCONPAIR];
  mjiPair p = {.geom1 = geom[0], .geom2 = geom[1], .pair = predefinedPair(m, geom)};
  LANE(Shape) a = shapeOf(m, d, geom[0], pos[0], mat[0]), b = shapeOf(m, d, geom[1], pos[1], mat[1]);
  int n = collideShapes(hit, &a, &b, marginOf(m, d, &p), m_full());
  for (int i = 0; i < n; i++) {
    touch[i].dist = hit[i].dist;
    memcpy(touch[i].pos, hit[i].pos, sizeof touch[i].pos);
    makeFrame(touch[i].frame, hit[i].normal, hit[i].tangent);
    touch[i].on = hit[i].on;
  }
  return n;
}

LANE(Contact)* LANE(newContact)(mjData* d) {
  if (ONE_STATE) return (LANE(Contact)*)(void*)mji_contact_new(d);
  LANE(Contact)* con = mji_arenaAlloc(d, sizeof *con, _Alignof(LANE(Contact)));
  if (!con) {
    mji_warn(d, mjWARN_CONTACTFULL, d->ncon);
    return NULL;
  }
  if (d->ncon == 0) d->contact = (mjContact*)(void*)con;
  d->ncon++;
  return con;
}

// keep the lanes that have the contact
static void maskContact(LANE(Contact)* con, M on) {
  con->on = on;
  con->dist = v_and(on, con->dist);
  for (int k = 0; k < 3; k++) con->pos[k] = v_and(on, con->pos[k]);
  for (int k = 0; k < 9; k++) con->frame[k] = v_and(on, con->frame[k]);
}

// add a contact; nonzero if there was no room
static int addContact(mjData* d, const mjiPair* p, const Param* param, const LANE(Hit)* hit, M on, int exclude) {
  LANE(Contact)* con = LANE(newContact)(d);
  if (!con) return 1;
  con->dist = hit->dist;
  memcpy(con->pos, hit->pos, sizeof con->pos);
  makeFrame(con->frame, hit->normal, hit->tangent);
  if (!ONE_STATE) maskContact(con, on);
  memcpy(&con->includemargin, &param->includemargin, MJI_NCONTACTNUMBER * sizeof(N));
  con->dim = param->dim;
  con->geom1 = con->geom[0] = p->geom1;
  con->geom2 = con->geom[1] = p->geom2;
  for (int i = 0; i < 2; i++) con->flex[i] = con->elem[i] = con->vert[i] = -1;
  con->exclude = exclude;
  con->efc_address = -1;
  return 0;
}

// Keep contacts in the gap, because programs, adhesion and sensors read them. Lanes in the gap get a record of their
// own.
static int record(mjData* d, const mjiPair* p, const Param* param, const LANE(Hit)* hit) {
  M gap = hit->on & v_ge(hit->dist, v_num(param->includemargin));
  M on[2] = {hit->on & ~gap, gap};
  for (int exclude = 0; exclude < 2; exclude++) {
    if (m_any(on[exclude]) && addContact(d, p, param, hit, on[exclude], exclude)) return 1;
  }
  return 0;
}

// ---- driver

// make the contacts of one pair; nonzero if there was no room for them
static __attribute__((noinline)) int contactsOfPair(const mjModel* m, mjData* d, const mjiPair* p, N margin, M near) {
  LANE(Hit) hit[mjMAXCONPAIR];
  int nrank = collidePair(hit, m, d, p, margin, near);
  Param param;
  int mixed = 0;
  for (int i = 0; i < nrank; i++) {
    if (!m_any(hit[i].on)) continue;
    if (!mixed) paramOf(m, d, p, &param);
    mixed = 1;
    if (record(d, p, &param, &hit[i])) return 1;
  }
  return 0;
}

// filter by bounding spheres, then collide; nonzero if there was no room for the contacts
static inline __attribute__((always_inline)) int visit(const mjModel* m, mjData* d, const mjiPair* p) {
  N margin = marginOf(m, d, p);
  M near = boundsTouch(m, d, p, margin);
  return m_any(near) && contactsOfPair(m, d, p, margin, near);
}

static mjiPair pairOf(const mjModel* m, int pair, int geom1, int geom2) {
  int swap = m->geom_type[geom1] > m->geom_type[geom2];
  return (mjiPair){.geom1 = swap ? geom2 : geom1, .geom2 = swap ? geom1 : geom2, .pair = pair};
}

static int visitGeoms(const mjModel* m, mjData* d, int pair, int geom1, int geom2) {
  mjiPair p = pairOf(m, pair, geom1, geom2);
  return visit(m, d, &p);
}

// drop the body pairs that take no part in the step; returns how many are left
static int dropInactive(const mjModel* m, const mjData* d, uint32_t* body, int nbody) {
  int n = 0;
  for (int i = 0; i < nbody; i++) {
    if (mji_pairActive(m, d, (int)(body[i] >> 16), (int)(body[i] & 0xffff))) body[n++] = body[i];
  }
  return n;
}

// visit the predefined pairs from *next on whose signature is not above the given one
static int visitPredefined(const mjModel* m, mjData* d, int* next, uint32_t signature) {
  int full = 0;
  for (; !full && *next < m->npair && (uint32_t)m->pair_signature[*next] <= signature; ++*next) {
    int geom1 = m->pair_geom1[*next], geom2 = m->pair_geom2[*next];
    if (mji_pairActive(m, d, m->geom_bodyid[geom1], m->geom_bodyid[geom2]))
      full = visitGeoms(m, d, *next, geom1, geom2);
  }
  return full;
}

static int isPredefined(const mjModel* m, int end, uint32_t signature, int geom1, int geom2) {
  for (int i = end - 1; i >= 0 && (uint32_t)m->pair_signature[i] == signature; i--) {
    int a = m->pair_geom1[i], b = m->pair_geom2[i];
    if ((a == geom1 && b == geom2) || (a == geom2 && b == geom1)) return 1;
  }
  return 0;
}

// nonzero if a geom has no contact bits: the reference's mid-phase does not visit such geoms
static int invisible(const mjModel* m, int geom) { return !(m->geom_contype[geom] | m->geom_conaffinity[geom]); }

// Would the mid-phase leave out a pair before the user's filter is asked? A filter written in Python takes longer than
// the rest of the step if it is asked about all pairs.
static int isFar(const mjModel* m, mjData* d, int geom1, int geom2) {
  if (m->opt.disableflags & mjDSBL_MIDPHASE) return 0;
  if (invisible(m, geom1) || invisible(m, geom2)) return 1;
  mjiPair p = pairOf(m, -1, geom1, geom2);
  return !m_any(boundsTouch(m, d, &p, marginOf(m, d, &p)));
}

// test the contact bits, or ask the user's filter instead
static int filtered(const mjModel* m, mjData* d, int geom1, int geom2) {
  if (mjcb_contactfilter) return isFar(m, d, geom1, geom2) || mjcb_contactfilter(m, d, geom1, geom2);
  return !(m->geom_contype[geom1] & m->geom_conaffinity[geom2]) &&
         !(m->geom_contype[geom2] & m->geom_conaffinity[geom1]);
}

// visit the geom pairs of two bodies except the predefined pairs, of which the first npre are already done
static int visitBodies(const mjModel* m, mjData* d, uint32_t signature, int npre) {
  int body1 = (int)(signature >> 16), body2 = (int)(signature & 0xffff);
  int end1 = m->body_geomadr[body1] + m->body_geomnum[body1];
  int end2 = m->body_geomadr[body2] + m->body_geomnum[body2];
  for (int g1 = m->body_geomadr[body1]; g1 < end1; g1++) {
    for (int g2 = m->body_geomadr[body2]; g2 < end2; g2++) {
      if (isPredefined(m, npre, signature, g1, g2) || filtered(m, d, g1, g2)) continue;
      if (visitGeoms(m, d, -1, g1, g2)) return 1;
    }
  }
  return 0;
}

// visit the body pairs of the broad phase, merged with the predefined pairs and without the excluded ones
static int collideBodies(const mjModel* m, mjData* d, const uint32_t* body, int nbody, LANE(Flexes)* flexes) {
  int next = 0, ex = 0;
  for (int i = 0; i < nbody; i++) {
    if (m->nflex && LANE(flexVisit)(m, d, flexes, (int)(body[i] >> 16))) return 1;
    if (visitPredefined(m, d, &next, body[i])) return 1;
    while (ex < m->nexclude && (uint32_t)m->exclude_signature[ex] < body[i]) ex++;
    if (ex < m->nexclude && (uint32_t)m->exclude_signature[ex] == body[i]) continue;
    if (visitBodies(m, d, body[i], next)) return 1;
  }
  return visitPredefined(m, d, &next, UINT32_MAX);
}

// visit the listed pairs that take part in the step
static int collideListed(const mjModel* m, mjData* d, LANE(Flexes)* flexes) {
  const mjiPlan* plan = mji_plan(m);
  mjiList pairs = mji_listOf(m, d, MJI_PAIRS);
  for (int k = 0; k < pairs.n; k++) {
    const mjiPair* p = plan->pair + mji_listed(pairs, k);
    if (m->nflex) {
      int b1 = m->geom_bodyid[p->geom1], b2 = m->geom_bodyid[p->geom2];
      if (LANE(flexVisit)(m, d, flexes, b1 < b2 ? b1 : b2)) return 1;
    }
    if (visit(m, d, p)) return 1;
  }
  return 0;
}

// visit the pairs of two bodies whose boxes meet
static int visitRun(const mjModel* m, mjData* d, const LANE(Near)* near, const mjiRun* run) {
  const mjiPair* pair = mji_plan(m)->pair;
  for (const mjiPair* p = pair + run[0].start; p < pair + run[1].start; p++) {
    if (p->pair < 0 && !m_any(nearGeoms(near, p->geom1, p->geom2))) continue;
    if (visit(m, d, p)) return 1;
  }
  return 0;
}

// The same as collideListed, for lists so long that most bodies are left out by boxes. Predefined pairs have margins of
// their own, so boxes say nothing about them.
static int collideNear(const mjModel* m, mjData* d) {
  const mjiPlan* plan = mji_plan(m);
  const mjiRun* run = plan->run;
  LANE(Near) near;
  LANE(nearMake)(&near, m, d);
  for (int k = 0, end; k < plan->nrun; k = end) {
    for (end = k + 1; end < plan->nrun && run[end].body1 == run[k].body1;) end++;
    LANE(nearBodies)(&near, run[k].body1, run[k].body2, run[end - 1].body2);
    for (int r = k; r < end; r++) {
      if ((near.hit[run[r].body2] || run[r].predefined) && visitRun(m, d, &near, run + r)) return 1;
    }
  }
  return 0;
}

// Boxes say nothing about flexes, about what sleeps, and about functions of the user.
static int canUseNear(const mjModel* m, const mjData* d) {
  return nearIsWorthIt(m, mji_plan(m)) && !m->nflex && mji_allActive(m, d) && !(ONE_STATE && mji_pair_anyReplaced());
}

static int collideCandidates(const mjModel* m, mjData* d, int listed, const uint32_t* body, int nbody,
                             LANE(Flexes)* flexes) {
  if (!listed) return collideBodies(m, d, body, nbody, flexes);
  return canUseNear(m, d) ? collideNear(m, d) : collideListed(m, d, flexes);
}

void LANE(collision)(const mjModel* m, mjData* d) {
  mji_clearArena(d);
  if (!mji_anyActive(m, d)) return;
  if (m->nbody < 2 || m->opt.disableflags & (mjDSBL_CONSTRAINT | mjDSBL_CONTACT)) return;

  // candidates: a list, or body pairs of the broad phase
  mjtNum start = mji_timer_start();
  const mjiPlan* plan = mji_plan(m);
  int listed = plan->pairs_complete && !mjcb_contactfilter && mji_planPairsValid(m, plan);
  int nbody = 0;
  mj_markStack(d);
  uint32_t* body = listed ? NULL : LANE(broadPairs)(m, d, &nbody);
  if (!mji_allActive(m, d)) nbody = dropInactive(m, d, body, nbody);
  mji_timer_stop(d, mjTIMER_COL_BROAD, start);

  mjtNum narrow = mji_timer_start();
  LANE(Flexes) flexes;
  if (m->nflex) LANE(flexStart)(m, d, &flexes);
  int full = collideCandidates(m, d, listed, body, nbody, &flexes);
  if (m->nflex && !full) LANE(flexFinish)(m, d, &flexes);
  mj_freeStack(d);
  mji_timer_stop(d, mjTIMER_COL_NARROW, narrow);
  mji_timer_stop(d, mjTIMER_POS_COLLISION, start);
}
