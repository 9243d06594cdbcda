// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Controls of rollouts: rows that are held or splines between them, delayed, and feedback on the state.

#include <math.h>
#include <string.h>

#include "batch/rollout.h"
#include "batch/spline.h"
#include "model/number.h"
#include "model/work.h"

static int feeds(const sheafRollout* r) {
  return r->feedback_gain || r->feedback_state || r->feedback_ctrl || r->step_size;
}

int mji_controlDue(const mjiRollout* p, int t) {
  int s = t - p->r.delay;
  if (p->nslot && t % p->r.hold == 0) return 1;
  if (s < 0) return p->r.earlier != NULL;
  if (s % p->r.hold) return 0;
  if (p->feeds || (p->r.control && p->r.knots)) return 1;
  return p->r.control ? s / p->r.hold < p->r.ncontrolstep : s == 0 && p->r.earlier;
}

// the value at step s of the spline through the control rows
static void spline(const mjiGroup* g, int lane, int i, int s, mjtNum* u) {
  const mjiRollout* p = g->p;
  int n = p->r.ncontrolstep;
  const double* knots = mji_row(p->r.control, p->r.ncontrol, i, (size_t)n * p->ncontrol);
  const double *times = p->evenly, *given = p->r.knot_times;
  double t = s;  // in steps
  if (given) {
    times = mji_row(given, p->r.nknot_times, i, (size_t)n);
    t = s * mji_laneModel(g->m, g->d, lane)->opt.timestep;
  }
  mjiSpline at = mji_splineAt(p->r.knots, times, n, t);
  for (int k = 0; k < p->ncontrol; k++) u[k] = (mjtNum)mji_splineValue(&at, knots, p->ncontrol, k);
}

// x - X in the tangent space of the state: dq (nv), dv (nv), dact (na)
static void difference(const mjiGroup* g, int lane, const mjtNum* X, mjtNum* dx) {
  const mjModel* m = g->m;
  int nq = (int)m->nq, nv = (int)m->nv, na = (int)m->na;
  mjtNum* x = g->state;
  mjiPlace at = mji_placeOf(g->d, lane);
  mji_gatherLane(x, at.d->qpos, nq, at.nlane, at.lane);
  mji_gatherLane(x + nq, at.d->qvel, nv, at.nlane, at.lane);
  mji_gatherLane(x + nq + nv, at.d->act, na, at.nlane, at.lane);
  mj_differentiatePos(m, dx, 1, X + 1, x);
  mju_sub(dx + nv, x + nq, X + 1 + nq, nv + na);
}

// as the engine does; NaN stays, so that the check that follows finds it
static void clamp(const mjModel* m, mjtNum* u) {
  if (m->opt.disableflags & mjDSBL_CLAMPCTRL) return;
  for (int k = 0; k < m->nu; k++) {
    const mjtNum* range = m->actuator_ctrlrange + 2 * k;
    if (m->actuator_ctrllimited[k] && fabs(u[k]) <= mjMAXVAL) u[k] = mju_clip(u[k], range[0], range[1]);
  }
}

// u becomes clamp(U + a u + K (x - X))
static void feed(const mjiGroup* g, int lane, int i, int t, mjtNum* u) {
  const mjiRollout* p = g->p;
  size_t nu = (size_t)p->ncontrol, ndx = (size_t)(2 * g->m->nv + g->m->na), nstep = (size_t)p->r.nstep;
  size_t nx = (size_t)p->nx;
  mjtNum *dx = g->state + nx, *du = dx + ndx, *room = du + nu;
  if (p->r.step_size) mju_scl(u, u, (mjtNum)*mji_row(p->r.step_size, p->r.nstep_size, i, 1), (int)nu);
  if (p->r.feedback_ctrl) {
    const double* U = mji_row(p->r.feedback_ctrl, p->r.nfeedback_ctrl, i, nstep * nu) + t * nu;
    mju_addTo(u, mji_given(U, room, nu), (int)nu);
  }
  if (p->r.feedback_gain) {
    const double* K = mji_row(p->r.feedback_gain, p->r.nfeedback_gain, i, nstep * nu * ndx) + t * nu * ndx;
    const double* X = mji_row(p->r.feedback_state, p->r.nfeedback_state, i, nstep * nx) + t * nx;
    difference(g, lane, mji_given(X, room, nx), dx);
    mju_mulMatVec(du, mji_given(K, room, nu * ndx), dx, (int)nu, (int)ndx);
    mju_addTo(u, du, (int)nu);
  }
  clamp(mji_laneModel(g->m, g->d, lane), u);
}

// the controls for step s, at the state that the lane has now: in the request, or computed to `u`
static const mjtNum* controlFor(const mjiGroup* g, int lane, int s, mjtNum* u) {
  const mjiRollout* p = g->p;
  size_t n = (size_t)p->ncontrol;
  int i = g->first + lane;
  if (!p->r.control) {
    mju_zero(u, (int)n);
  } else if (p->r.knots) {
    spline(g, lane, i, s, u);
  } else {
    int c = s / p->r.hold, last = p->r.ncontrolstep - 1;
    size_t at = n * (size_t)(c < last ? c : last);
    const double* row = mji_row(p->r.control, p->r.ncontrol, i, n * (size_t)p->r.ncontrolstep) + at;
    if (!p->feeds && !p->nslot) return mji_given(row, u, n);
    for (size_t k = 0; k < n; k++) u[k] = (mjtNum)row[k];
  }
  if (p->feeds) feed(g, lane, i, s, u);
  return u;
}

int mji_controlRows(const mjiGroup* g, int t, const double* row[MJI_MAX_LANES]) {
  const mjiRollout* p = g->p;
  int s = t - p->r.delay, last = p->r.ncontrolstep - 1, c = s / p->r.hold;
  if (!p->r.control || p->r.knots || p->feeds || p->nslot || s < 0) return 0;
  size_t n = (size_t)p->ncontrol, at = n * (size_t)(c < last ? c : last);
  for (int lane = 0; lane < g->nlane; lane++) {
    int i = g->first + (lane < g->count ? lane : g->count - 1);
    row[lane] = mji_row(p->r.control, p->r.ncontrol, i, n * (size_t)p->r.ncontrolstep) + at;
  }
  return 1;
}

// what waits for its step: computed at the beginning of step s of row i
static mjtNum* pendingOf(const mjiRollout* p, int i, int s) {
  return p->pending + ((size_t)i * (size_t)p->nslot + (size_t)(s / p->r.hold % p->nslot)) * (size_t)p->ncontrol;
}

const mjtNum* mji_controlOf(const mjiGroup* g, int lane, int t, mjtNum* u) {
  const mjiRollout* p = g->p;
  size_t n = (size_t)p->ncontrol;
  int i = g->first + lane, s = t - p->r.delay;
  if (p->nslot && t % p->r.hold == 0) controlFor(g, lane, t, pendingOf(p, i, t));
  if (s < 0 && p->r.earlier) {
    return mji_given(mji_row(p->r.earlier, p->r.nearlier, i, n * (size_t)p->r.delay) + n * (size_t)t, u, n);
  }
  if (s < 0) return memset(u, 0, n * sizeof *u);
  return p->nslot ? pendingOf(p, i, s) : controlFor(g, lane, s, u);
}

size_t mji_controlSize(const mjModel* m, const mjiRollout* p) {
  size_t nx = (size_t)p->nx, ndx = (size_t)(2 * m->nv + m->na), nu = (size_t)m->nu;
  return p->feeds ? nx + ndx + nu + MJI_ROOM(nx + nu * (ndx + 1)) : 0;
}

static int evenKnots(const sheafRollout* r) { return r->control && r->knots && !r->knot_times ? r->ncontrolstep : 0; }

// Controls of a row that have been computed and not applied. Feedback sees the state of its step, so with a delay what
// it computes waits; everything else can be read when it is due.
static int slots(const sheafRollout* r) {
  if (!feeds(r) || !r->delay || r->hold < 1) return 0;
  int64_t delay = r->delay < r->nstep ? r->delay : r->nstep;
  return (int)((delay + r->hold - 1) / r->hold + 1);
}

double mji_controlNumbers(const mjModel* m, const sheafRollout* r, int nrow) {
  return evenKnots(r) + (double)slots(r) * nrow * (double)m->nu;
}

// ---- checks

static int checkKnots(const sheafRollout* r, sheafStatus* status) {
  if (!r->knots && r->knot_times) {
    return mji_status(status, SHEAF_INVALID_ARGUMENT, "knots", "expected 1, 2 or 3 with knot_times, got 0");
  }
  if (r->knots && !r->control) {
    return mji_status(status, SHEAF_INVALID_ARGUMENT, "control", "expected a row for each knot, got NULL");
  }
  int most = (int)(((int64_t)r->nstep + r->hold - 1) / r->hold);
  if (!r->knots && r->control && r->ncontrolstep > most) {
    return mji_status(status, SHEAF_INVALID_ARGUMENT, "control", "expected at most %d rows for %d steps, got %d", most,
                      r->nstep, r->ncontrolstep);
  }
  return 0;
}

static int checkFeedback(const mjiRollout* p, const sheafRollout* r, sheafStatus* status) {
  if (p->feeds && r->control_spec != mjSTATE_CTRL) {
    return mji_status(status, SHEAF_INVALID_ARGUMENT, "control_spec",
                      "expected ctrl alone (0x20) with feedback, got 0x%x", r->control_spec);
  }
  if (!r->feedback_gain != !r->feedback_state) {
    const char* missing = r->feedback_gain ? "feedback_state" : "feedback_gain";
    return mji_status(status, SHEAF_INVALID_ARGUMENT, missing, "expected an array beside the other one, got NULL");
  }
  return 0;
}

int mji_controlTake(mjiRollout* p, double* numbers, sheafStatus* status) {
  const sheafRollout* r = &p->r;
  double* knots = numbers;
  p->feeds = feeds(r);
  if (!r->delay) p->r.earlier = NULL;
  int err = checkKnots(r, status);
  if (!err) err = checkFeedback(p, r, status);
  p->nslot = slots(r);
  p->pending = (mjtNum*)(void*)(numbers + evenKnots(r));
  if (err || !evenKnots(r)) return err;

  // zero-order: a knot at the begin of each of nknot equal parts; else one at the first step, one at the last, and the
  // others between them
  int n = r->ncontrolstep, zero = r->knots == MJI_SPLINE_ZERO;
  for (int k = 0; k < n; k++) {
    knots[k] = zero ? (double)k * r->nstep / n : n > 1 ? (double)k * (r->nstep - 1) / (n - 1) : 0;
  }
  p->evenly = knots;
  return 0;
}
