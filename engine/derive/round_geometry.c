// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// How contacts of balls, capsules and planes follow their geoms.
//
// All of them are contacts of two balls, or of a plane and a ball, whose centers c1 and c2 lie on the geoms: at the
// center of a sphere, on the axis of a capsule. On the axis u a center stays where it is if that is an end, and else
// glides so that the line between the centers, e = c2 - c1 = L n, remains across the axis:
//   de'u + e'du = 0,   de = dc2 + u2 dt - dc1 - u1 ds
// Then dL = n'(dc2 - dc1) for the motions dc of points of the geoms, dn = (de - n n'de) / L, and the contact point is
// c1 + n (r1 + dist / 2).

#include "lanes/lanes.h"

#include "derive/contact_slope.h"
#include "dynamics/spatial.h"
#include "lanes/kernels.h"
#include "model/number.h"
#include "model/work.h"

typedef struct {
  int plane;       // the first geom is a plane
  V n[3];          // normal
  V dist, length;  // L
  V radius[2];     // zero of a plane
  V center[2][3];  // of the geoms
  V ball[2][3];    // c1, c2; of a plane nothing
  V axis[2][3];    // of capsules
  V glides[2];     // 1 where a center is not at an end of its axis, else 0
  V tangent[3];    // what the second axis of the frame is made from
  int turns;       // the tangent is the axis of the second geom
} Pair;

static int isRound(int type) { return type == mjGEOM_SPHERE || type == mjGEOM_CAPSULE; }

static int hasFormula(const mjModel* m, const int geom[2]) {
  int first = m->geom_type[geom[0]], second = m->geom_type[geom[1]];
  return (first == mjGEOM_PLANE || isRound(first)) && isRound(second);
}

static void readBall(const mjModel* m, const mjData* d, const LANE(Contact)* con, int s, Pair* p) {
  int geom = con->geom[s], capsule = m->geom_type[geom] == mjGEOM_CAPSULE;
  const V *pos = (const V*)con->pos, *mat = CLANES(d->geom_xmat) + 9 * geom;
  const N* size = NUM(geom_size) + 3 * geom;
  p->radius[s] = v_num(size[0]);
  V reach = (s ? 1.0 : -1.0) * (p->radius[s] + 0.5 * p->dist), along = v_zero();
  for (int k = 0; k < 3; k++) {
    p->ball[s][k] = pos[k] + p->n[k] * reach;
    p->axis[s][k] = capsule ? mat[3 * k + 2] : v_zero();
    along = along + p->axis[s][k] * (p->ball[s][k] - p->center[s][k]);
  }

  // on a plane the center is an end of the axis; elsewhere the clip of the narrow phase says so to the bit, up to the
  // rounding of where the center is
  M inside = v_lt(v_abs(along), v_num(size[1] * (1 - 1e-9)));
  p->glides[s] = v_zero();
  if (capsule && !p->plane) p->glides[s] = v_and(inside, v_set1(1));
}

static void readPair(const mjModel* m, const mjData* d, const LANE(Contact)* con, Pair* p) {
  *p = (Pair){.plane = m->geom_type[con->geom[0]] == mjGEOM_PLANE, .dist = con->dist};
  p->turns = p->plane && m->geom_type[con->geom[1]] == mjGEOM_CAPSULE;
  copyN(p->n, (const V*)con->frame, 3);
  for (int s = 0; s < 2; s++) copyN(p->center[s], CLANES(d->geom_xpos) + 3 * con->geom[s], 3);
  for (int s = p->plane; s < 2; s++) readBall(m, d, con, s, p);
  p->length = p->dist + p->radius[0] + p->radius[1];
  M alongY = v_le(v_set1(0.5), v_abs(p->n[1]));
  p->tangent[0] = v_zero();
  p->tangent[1] = v_sel(alongY, v_zero(), v_set1(1));
  p->tangent[2] = v_sel(alongY, v_set1(1), v_zero());
  if (p->turns) copyN(p->tangent, p->axis[1], 3);
}

// The states that have the formula: no axes that are parallel, no centers that coincide, a tangent that is not along
// the normal.
static M isSmooth(const Pair* p, const LANE(Contact)* con) {
  V both = p->glides[0] * p->glides[1], cosine = dot3(p->axis[0], p->axis[1]);
  M on = laneContactOn(con), parallel = v_gt(both, v_set1(0.5)) & v_gt(v_abs(cosine), v_set1(1 - 1e-6));
  V across = dot3(p->tangent, (const V*)con->frame + 3);
  on = on & ~parallel & v_gt(across, v_set1(1e-3));
  if (!p->plane) on = on & v_gt(v_abs(p->length), v_set1(1e-6));
  return on;
}

// motions of the centers and axes with coordinate c of geom s
typedef struct {
  V ball[2][3], axis[2][3];
  V normal[3], height;  // of a plane: change of its normal, and how much nearer its points come to the ball
} Motions;

static void moveGeom(const Pair* p, int s, int c, Motions* x) {
  V turn[3] = {v_zero(), v_zero(), v_zero()}, arm[3];
  memset(x, 0, sizeof *x);
  if (c < 3) {
    if (p->plane && !s) x->height = p->n[c];
    else x->ball[s][c] = v_set1(1);
    return;
  }
  turn[c - 3] = v_set1(1);
  for (int k = 0; k < 3; k++) arm[k] = p->ball[p->plane ? 1 : s][k] - p->center[s][k];
  if (p->plane && !s) {
    cross3(x->normal, turn, p->n);
    x->height = -dot3(arm, x->normal);
    return;
  }
  cross3(x->ball[s], turn, arm);
  cross3(x->axis[s], turn, p->axis[s]);
}

// How far the centers glide: [1 -a; -a 1] [ds dt]' = rhs, where an end has ds or dt of zero.
static void glide(const Pair* p, const Motions* x, V out[2]) {
  V apart[3], rhs[2], a = -dot3(p->axis[0], p->axis[1]) * (p->glides[0] * p->glides[1]);
  for (int k = 0; k < 3; k++) apart[k] = x->ball[1][k] - x->ball[0][k];
  for (int s = 0; s < 2; s++) {
    V sum = dot3(apart, p->axis[s]) + p->length * dot3(p->n, x->axis[s]);
    rhs[s] = p->glides[s] * (s ? -sum : sum);
  }
  V det = 1.0 - a * a, inv = 1.0 / v_max(det, v_set1(1e-12));
  out[0] = inv * (rhs[0] - a * rhs[1]);
  out[1] = inv * (rhs[1] - a * rhs[0]);
}

static void ballChange(const Pair* p, const Motions* x, V dn[3], LANE(Change)* out) {
  V shift[2], de[3], first[3];
  glide(p, x, shift);
  for (int k = 0; k < 3; k++) {
    first[k] = x->ball[0][k] + p->axis[0][k] * shift[0];
    de[k] = x->ball[1][k] + p->axis[1][k] * shift[1] - first[k];
  }
  V inv = 1.0 / v_sel(v_eq(p->length, v_zero()), v_set1(1), p->length);
  out->dist = dot3(p->n, de);
  for (int k = 0; k < 3; k++) {
    dn[k] = (de[k] - p->n[k] * out->dist) * inv;
    out->pos[k] = first[k] + dn[k] * (p->radius[0] + 0.5 * p->dist) + p->n[k] * (0.5 * out->dist);
  }
}

static void planeChange(const Pair* p, const Motions* x, V dn[3], LANE(Change)* out) {
  copyN(dn, x->normal, 3);
  out->dist = dot3(p->n, x->ball[1]) - x->height;
  for (int k = 0; k < 3; k++) {
    out->pos[k] = x->ball[1][k] - dn[k] * (p->radius[1] + 0.5 * p->dist) - p->n[k] * (0.5 * out->dist);
  }
}

// Turn of the frame: the second axis is the part of the tangent t across the normal, so with the third axis z
//   turn = n x dn + n (z'dt - n't z'dn) / (y't)
static void frameTurn(const Pair* p, const Motions* x, const V dn[3], const V* frame, V turn[3]) {
  const V *y = frame + 3, *z = frame + 6;
  V across = dot3(y, p->tangent);
  V spin = -dot3(p->n, p->tangent) * dot3(z, dn);
  if (p->turns) spin = spin + dot3(z, x->axis[1]);
  spin = spin / v_sel(v_eq(across, v_zero()), v_set1(1), across);
  cross3(turn, p->n, dn);
  for (int k = 0; k < 3; k++) turn[k] = turn[k] + p->n[k] * spin;
}

M LANE(roundGeometry)(const mjModel* m, const mjData* d, const LANE(Contact)* con, LANE(Geometry)* g) {
  if (!hasFormula(m, con->geom)) return m_none();
  Pair p;
  readPair(m, d, con, &p);
  for (int s = 0; s < 2; s++) {
    int moves = mji_plan(m)->chain_num[m->geom_bodyid[con->geom[s]]] > 0;
    for (int c = 0; moves && c < 6; c++) {
      Motions x;
      V dn[3];
      LANE(Change)* out = &g->by[s][c];
      moveGeom(&p, s, c, &x);
      if (p.plane) planeChange(&p, &x, dn, out);
      else ballChange(&p, &x, dn, out);
      frameTurn(&p, &x, dn, (const V*)con->frame, out->turn);
    }
  }
  return isSmooth(&p, con);
}
