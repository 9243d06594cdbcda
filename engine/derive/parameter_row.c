// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Derivative of constraint forces by numbers of the model, at given accelerations: friction, solref, solimp, margins,
// ranges, friction loss, and the inverse weights from which regularizers are made.
//
// A force is an explicit function of these numbers and of what stays as it is: positions, J a and J v. For inverse
// weights and friction loss its derivative is written down. The other numbers act by a few intermediate ones (the
// spring, the friction of a contact), so a block's force is computed with both models of a column and the difference
// taken: arithmetic on at most six rows, with the accuracy of a centered difference of a smooth function.

#include "lanes/lanes.h"

#include "collide/contact.h"
#include "constraint/block_lanes.h"
#include "constraint/block_ops.h"
#include "constraint/spring_lanes.h"
#include "derive/regressor.h"
#include "derive/slopes.h"
#include "dynamics/spatial.h"
#include "dynamics/tendon_row.h"
#include "lanes/kernels.h"
#include "model/contact_lanes.h"
#include "model/row_class.h"
#include "model/work.h"
#include "solve/cone.h"
#include "solve/primal.h"

enum { MAXDIM = 6 };

static M blockOn(const mjiBlock* b) { return b->on ? *(const M*)b->on : m_full(); }

static void addForce(const mjiBlock* b, const V* f, lane_t scale, V* column) {
  const V* J = CLANES(b->J);
  for (int r = 0; r < b->dim; r++) {
    V push = scale * f[r];
    for (int k = 0; k < b->ncol; k++) column[b->col[k]] = column[b->col[k]] + J[r * b->ncol + k] * push;
  }
}

// ---- inverse weights: they scale the stiffness D of a row by their own relative change

// the inverse weight of row r of a block (dof or body or tendon), from arrays of the three kinds
static V weightOf(const mjModel* m, const mjData* d, const mjiBlock* b, int r, const mjtNum* body, const mjtNum* dof,
                  const mjtNum* tendon) {
  int id = b->id, first, second;
  switch (b->type) {
    case mjCNSTR_FRICTION_DOF: return v_set1(dof[id]);
    case mjCNSTR_LIMIT_JOINT: return v_set1(dof[m->jnt_dofadr[id]]);
    case mjCNSTR_FRICTION_TENDON:
    case mjCNSTR_LIMIT_TENDON: return v_set1(tendon[id]);
    case mjCNSTR_EQUALITY:
      first = m->eq_obj1id[id];
      second = m->eq_obj2id[id];
      if (m->eq_type[id] == mjEQ_JOINT) {
        return v_set1(dof[m->jnt_dofadr[first]] + (second >= 0 ? dof[m->jnt_dofadr[second]] : 0));
      }
      if (m->eq_type[id] == mjEQ_TENDON) return v_set1(tendon[first] + (second >= 0 ? tendon[second] : 0));
      if (m->eq_objtype[id] == mjOBJ_SITE) first = m->site_bodyid[first], second = m->site_bodyid[second];
      return v_set1(body[2 * first + (r > 2)] + body[2 * second + (r > 2)]);
    default: {  // contacts
      const LANE(Contact)* con = laneContacts(d) + b->id;
      return v_set1(body[2 * m->geom_bodyid[con->geom[0]]] + body[2 * m->geom_bodyid[con->geom[1]]]);
    }
  }
}

// friction loss at its limit does not follow the stiffness
static M followsStiffness(const mjData* d, const mjiBlock* b, const V* jar) {
  if (!mji_isFriction(b->type)) return m_full();
  V edge = CLANES(d->efc_R)[b->efcadr] * CLANES(d->efc_frictionloss)[b->efcadr];
  return v_lt(v_abs(jar[b->efcadr]), edge);
}

void LANE(rowsByWeights)(const mjModel* m, mjData* d, const mjtNum* weights, const V* jar, const V* force, V* column) {
  const mjiWork* w = mji_work(d);
  const mjtNum *dof = weights + 2 * m->nbody, *tendon = dof + m->nv;
  for (int k = 0; k < w->nblock; k++) {
    const mjiBlock* b = w->block + k;
    V f[MAXDIM];
    if (!b->ncol) continue;
    if (b->type == mjCNSTR_CONTACT_PYRAMIDAL) LANE(blockBaseForce)(b, f, force + b->efcadr);
    else copyN(f, force + b->efcadr, b->dim);
    M follows = followsStiffness(d, b, jar) & blockOn(b);
    for (int r = 0; r < b->dim; r++) {
      V weight = weightOf(m, d, b, r, m->body_invweight0, m->dof_invweight0, m->tendon_invweight0);
      V change = weightOf(m, d, b, r, weights, dof, tendon);
      f[r] = v_and(follows & v_gt(weight, v_zero()), f[r] * (change / weight));  // dD/D = -change/weight
    }
    addForce(b, f, 1, column);
  }
}

// ---- friction loss

static void byLoss(const mjModel* m, mjData* d, const mjiBlock* b, const V* jar, V* column) {
  V x = jar[b->efcadr];
  M held = ~followsStiffness(d, b, jar) & blockOn(b);
  V sign = v_sel(v_lt(x, v_zero()), v_set1(1), v_set1(-1));
  V f = v_and(held, sign);
  addForce(b, &f, -1, column);
}

// Where the model has no friction loss there is no row, but a small loss would act against the velocity that the row's
// damper sees.
static void byFirstLoss(const mjModel* m, mjData* d, const mjiColumn* c, V* column) {
  int tendon = c->number == mjiNUM_tendon_frictionloss, i = c->index;
  const mjtNum* ref = (tendon ? m->tendon_solref_fri : m->dof_solref) + mjNREF * i;
  const mjtNum* imp = (tendon ? m->tendon_solimp_fri : m->dof_solimp) + mjNIMP * i;
  mjiSpring spring;
  mji_spring_init(m, ref, imp, &spring);
  if (tendon) {
    TendonRow row = tendonRow(m, d, i);
    V x = tendonDot(m, &row, CLANES(d->qacc)) + spring.B * CLANES(d->ten_velocity)[i];
    tendonAddTo(m, &row, v_sel(v_lt(x, v_zero()), v_set1(-1), v_set1(1)), column);
    return;
  }
  V x = CLANES(d->qacc)[i] + spring.B * CLANES(d->qvel)[i];
  column[i] = column[i] + v_sel(v_lt(x, v_zero()), v_set1(-1), v_set1(1));
}

// ---- forces of a block with the numbers of another model

typedef struct {
  const mjiBlock* b;
  V acc[MAXDIM], vel[MAXDIM];  // J a, J v
  V pos[MAXDIM];
  V weight[MAXDIM];  // inverse weights
  M on;
} Rows;

static void readRows(const mjModel* m, mjData* d, const mjiBlock* b, Rows* r) {
  r->b = b;
  r->on = blockOn(b);
  LANE(blockMulBase)(b, r->acc, CLANES(d->qacc));
  LANE(blockMulBase)(b, r->vel, CLANES(d->qvel));
  for (int i = 0; i < b->dim; i++) {
    r->pos[i] = CLANES(d->efc_pos)[b->efcadr + (b->type == mjCNSTR_EQUALITY ? i : 0)];
    r->weight[i] = weightOf(m, d, b, i, m->body_invweight0, m->dof_invweight0, m->tendon_invweight0);
  }
}

static V stiffness(V imp, V weight) { return 1.0 / v_max((1.0 - imp) * weight / imp, v_set1(mjMINVAL)); }

// mjiSpring has the layout of Spring, because lanes share their numbers here
static V impedanceOf(const mjiSpring* s, V x) {
  Spring spring;
  for (int lane = 0; lane < NUMBER_LANES; lane++) n_put(&spring.K, &s->K, sizeof *s / sizeof s->K, lane);
  return impedance(&spring, x, NULL);
}

static void pyramidForce(const mjiBlock* b, const V* y, V D, const mjtNum* friction, V* f) {
  zeroN(f, b->dim);
  for (int k = 1; k < b->dim; k++) {
    for (int side = -1; side <= 1; side += 2) {
      V edge = -D * v_min(y[0] + side * friction[k - 1] * y[k], v_zero());
      f[0] = f[0] + edge;
      f[k] = f[k] + side * friction[k - 1] * edge;
    }
  }
}

static void ellipticForce(const mjModel* m, const mjData* d, const mjiBlock* b, const V* y, V D, const mjtNum* friction,
                          V* f) {
  mjiBlock own = *b;
  N mu[5];
  for (int k = 0; k < 5; k++) mu[k] = n_set1(friction[k]);
  own.friction = (const mjtNum*)mu;
  Cone c = coneAt(m, d, &own, D, y);
  V f0 = -c.Dm * c.NmT * c.mu;
  lane_t ratio = m->opt.impratio > mjMINVAL ? m->opt.impratio : mjMINVAL;
  f[0] = v_sel(c.bottom, -D * y[0], v_and(c.middle, f0));
  for (int j = 1; j < b->dim; j++) {
    lane_t scale = friction[j - 1] * friction[j - 1];
    V quad = -(D * ratio * (scale / (friction[0] * friction[0]))) * y[j];
    f[j] = v_sel(c.bottom, quad, v_and(c.middle, -f0 * c.Tinv * y[j] * scale));
  }
}

static int pairOf(const mjModel* m, int geom1, int geom2) {
  for (int i = 0; i < m->npair; i++) {
    int a = m->pair_geom1[i], b = m->pair_geom2[i];
    if ((a == geom1 && b == geom2) || (a == geom2 && b == geom1)) return i;
  }
  return -1;
}

static void contactForce(const mjModel* m, const mjData* d, const Rows* r, V* f) {
  const mjiBlock* b = r->b;
  const LANE(Contact)* con = laneContacts(d) + b->id;
  mjiContactParam p;
  mjiSpring spring, slip;
  V y[MAXDIM];
  mji_contact_param(m, pairOf(m, con->geom[0], con->geom[1]), con->geom[0], con->geom[1], &p);
  mji_spring_init(m, p.solref, p.solimp, &spring);
  slip = spring;
  if (p.solreffriction[0] || p.solreffriction[1]) mji_spring_stiffness(m, p.solreffriction, &slip);
  if (b->type == mjCNSTR_CONTACT_PYRAMIDAL) slip = spring;
  V x = r->pos[0] - p.includemargin, imp = impedanceOf(&spring, x);
  for (int k = 0; k < b->dim; k++) y[k] = r->acc[k] + (k ? slip.B : spring.B) * r->vel[k];
  y[0] = y[0] + spring.K * imp * x;
  V D = stiffness(imp, r->weight[0]);
  if (b->type == mjCNSTR_CONTACT_ELLIPTIC) {
    ellipticForce(m, d, b, y, D, p.friction, f);
  } else if (b->type == mjCNSTR_CONTACT_PYRAMIDAL) {
    lane_t ratio = m->opt.impratio > mjMINVAL ? m->opt.impratio : mjMINVAL, square = p.friction[0] * p.friction[0];
    V R = v_max((1.0 - imp) * (r->weight[0] * (1 + square)) / imp, v_set1(mjMINVAL));
    pyramidForce(b, y, 1.0 / (2 * (square / ratio) * R), p.friction, f);
  } else {
    f[0] = -D * v_min(y[0], v_zero());
  }
}

// the distance to a limit with the range of a model
static V limitDistance(const mjModel* side, const mjModel* m, const Rows* r) {
  int tendon = r->b->type == mjCNSTR_LIMIT_TENDON, id = r->b->id;
  const mjtNum* range = (tendon ? side->tendon_range : side->jnt_range) + 2 * id;
  const mjtNum* was = (tendon ? m->tendon_range : m->jnt_range) + 2 * id;
  if (!tendon && m->jnt_type[id] == mjJNT_BALL) {
    return r->pos[0] + (mjMAX(range[0], range[1]) - mjMAX(was[0], was[1]));
  }
  // the distance is range[1] - x or x - range[0]; a column of the other end does not reach this row
  return r->pos[0] + ((range[1] - was[1]) - (range[0] - was[0]));
}

static void oneRowForce(const mjModel* side, const mjModel* m, const mjData* d, const Rows* r, V distance, V* f) {
  const mjiBlock* b = r->b;
  int id = b->id, tendon = b->type == mjCNSTR_LIMIT_TENDON || b->type == mjCNSTR_FRICTION_TENDON;
  int limit = mji_isLimit(b->type);
  const mjtNum *ref, *imp;
  if (limit) {
    ref = (tendon ? side->tendon_solref_lim : side->jnt_solref) + mjNREF * id;
    imp = (tendon ? side->tendon_solimp_lim : side->jnt_solimp) + mjNIMP * id;
  } else {
    ref = (tendon ? side->tendon_solref_fri : side->dof_solref) + mjNREF * id;
    imp = (tendon ? side->tendon_solimp_fri : side->dof_solimp) + mjNIMP * id;
  }
  mjiSpring spring;
  mji_spring_init(side, ref, imp, &spring);
  V y = r->acc[0] + spring.B * r->vel[0];
  if (!limit) {
    V loss = CLANES(d->efc_frictionloss)[b->efcadr], D = stiffness(v_set1(spring.dmin), r->weight[0]);
    f[0] = v_clip(-D * y, -loss, loss);
    return;
  }
  V x = distance - (tendon ? side->tendon_margin : side->jnt_margin)[id], impx = impedanceOf(&spring, x);
  y = y + spring.K * impx * x;
  f[0] = -stiffness(impx, r->weight[0]) * v_min(y, v_zero());
}

static void equalityForce(const mjModel* side, const Rows* r, V* f) {
  const mjiBlock* b = r->b;
  mjiSpring spring;
  mji_spring_init(side, side->eq_solref + mjNREF * b->id, side->eq_solimp + mjNIMP * b->id, &spring);
  V sum = v_zero();
  for (int i = 0; i < b->dim; i++) sum = sum + r->pos[i] * r->pos[i];
  V imp = impedanceOf(&spring, b->dim > 1 ? v_sqrt(sum) : r->pos[0]);
  for (int i = 0; i < b->dim; i++) {
    V y = r->acc[i] + spring.B * r->vel[i] + spring.K * imp * r->pos[i];
    f[i] = -stiffness(imp, r->weight[i]) * y;
  }
}

// ---- which blocks a number reaches

static int isOfContact(const mjModel* m, const mjData* d, const mjiBlock* b, int pairs, int element) {
  const LANE(Contact)* con = laneContacts(d) + b->id;
  if (!mji_isContact(b->type)) return 0;
  int pair = pairOf(m, con->geom[0], con->geom[1]);
  if (pairs) return pair == element;
  return pair < 0 && (con->geom[0] == element || con->geom[1] == element);
}

// the end of a range whose limit a row is: that of a slide, hinge or tendon has the sign of its entries
static int isEnd(const mjModel* m, const mjData* d, const mjiBlock* b, int end) {
  if (b->type == mjCNSTR_LIMIT_JOINT) {
    return m->jnt_type[b->id] == mjJNT_BALL || v_get(CLANES(b->J)[0], 0) == (end ? -1 : 1);
  }
  TendonRow row = tendonRow(m, d, b->id);
  V sum = v_zero();
  for (int k = 0; k < row.n; k++) {
    for (int c = 0; c < b->ncol; c++) {
      if (b->col[c] == tendonColumn(&row, k)) sum = sum + CLANES(b->J)[c] * row.J[k];
    }
  }
  return m_any(v_gt(sum, v_zero())) == !end;
}

static int reaches(const mjModel* m, const mjData* d, const mjiColumn* c, const mjiBlock* b) {
  int i = c->index;
  switch (c->number) {
    case mjiNUM_geom_friction: return isOfContact(m, d, b, 0, i / 3);
    case mjiNUM_geom_solref: return isOfContact(m, d, b, 0, i / mjNREF);
    case mjiNUM_geom_solimp: return isOfContact(m, d, b, 0, i / mjNIMP);
    case mjiNUM_geom_solmix:
    case mjiNUM_geom_margin:
    case mjiNUM_geom_gap: return isOfContact(m, d, b, 0, i);
    case mjiNUM_pair_friction: return isOfContact(m, d, b, 1, i / 5);
    case mjiNUM_pair_solref:
    case mjiNUM_pair_solreffriction: return isOfContact(m, d, b, 1, i / mjNREF);
    case mjiNUM_pair_solimp: return isOfContact(m, d, b, 1, i / mjNIMP);
    case mjiNUM_pair_margin:
    case mjiNUM_pair_gap: return isOfContact(m, d, b, 1, i);
    case mjiNUM_jnt_range: return b->type == mjCNSTR_LIMIT_JOINT && b->id == i / 2 && isEnd(m, d, b, i % 2);
    case mjiNUM_jnt_margin: return b->type == mjCNSTR_LIMIT_JOINT && b->id == i;
    case mjiNUM_jnt_solref: return b->type == mjCNSTR_LIMIT_JOINT && b->id == i / mjNREF;
    case mjiNUM_jnt_solimp: return b->type == mjCNSTR_LIMIT_JOINT && b->id == i / mjNIMP;
    case mjiNUM_dof_solref: return b->type == mjCNSTR_FRICTION_DOF && b->id == i / mjNREF;
    case mjiNUM_dof_solimp: return b->type == mjCNSTR_FRICTION_DOF && b->id == i / mjNIMP;
    case mjiNUM_eq_solref: return b->type == mjCNSTR_EQUALITY && b->id == i / mjNREF;
    case mjiNUM_eq_solimp: return b->type == mjCNSTR_EQUALITY && b->id == i / mjNIMP;
    case mjiNUM_tendon_range: return b->type == mjCNSTR_LIMIT_TENDON && b->id == i / 2 && isEnd(m, d, b, i % 2);
    case mjiNUM_tendon_margin: return b->type == mjCNSTR_LIMIT_TENDON && b->id == i;
    case mjiNUM_tendon_solref_lim: return b->type == mjCNSTR_LIMIT_TENDON && b->id == i / mjNREF;
    case mjiNUM_tendon_solimp_lim: return b->type == mjCNSTR_LIMIT_TENDON && b->id == i / mjNIMP;
    case mjiNUM_tendon_solref_fri: return b->type == mjCNSTR_FRICTION_TENDON && b->id == i / mjNREF;
    case mjiNUM_tendon_solimp_fri: return b->type == mjCNSTR_FRICTION_TENDON && b->id == i / mjNIMP;
    case mjiNUM_dof_frictionloss: return b->type == mjCNSTR_FRICTION_DOF && b->id == i;
    case mjiNUM_tendon_frictionloss: return b->type == mjCNSTR_FRICTION_TENDON && b->id == i;
    default: return 0;
  }
}

static void sideForce(const mjModel* side, const mjModel* m, const mjData* d, const Rows* r, V* f) {
  if (mji_isContact(r->b->type)) contactForce(side, d, r, f);
  else if (r->b->type == mjCNSTR_EQUALITY) equalityForce(side, r, f);
  else oneRowForce(side, m, d, r, mji_isLimit(r->b->type) ? limitDistance(side, m, r) : v_zero(), f);
}

static void byDifference(const mjModel* m, mjData* d, const mjiColumn* c, const mjiBlock* b, V* column) {
  Rows rows;
  V low[MAXDIM], f[MAXDIM];
  readRows(m, d, b, &rows);
  sideForce(c->side[0], m, d, &rows, low);
  sideForce(c->side[1], m, d, &rows, f);
  for (int r = 0; r < b->dim; r++) f[r] = v_and(rows.on, (f[r] - low[r]) / c->span);
  addForce(b, f, -1, column);
}

static int isLoss(mjiNumber number) {
  return number == mjiNUM_dof_frictionloss || number == mjiNUM_tendon_frictionloss;
}

static int hasNoLoss(const mjModel* m, const mjiColumn* c) {
  const mjtNum* loss = c->number == mjiNUM_dof_frictionloss ? m->dof_frictionloss : m->tendon_frictionloss;
  return loss[c->index] <= 0 && !mjDISABLED(mjDSBL_FRICTIONLOSS) && !mjDISABLED(mjDSBL_CONSTRAINT);
}

void LANE(rowsByParameter)(const mjModel* m, mjData* d, const mjiColumn* c, const V* jar, V* column) {
  const mjiWork* w = mji_work(d);
  if (isLoss(c->number) && hasNoLoss(m, c)) {
    byFirstLoss(m, d, c, column);
    return;
  }
  for (int k = 0; k < w->nblock; k++) {
    const mjiBlock* b = w->block + k;
    if (!b->ncol || !reaches(m, d, c, b)) continue;
    if (isLoss(c->number)) byLoss(m, d, b, jar, column);
    else byDifference(m, d, c, b, column);
  }
}
