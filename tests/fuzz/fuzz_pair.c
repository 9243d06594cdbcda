// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Fuzz target: two geoms of any types, sizes and poses through their pair function, in both orders where the types are
// equal. Contacts are finite, within the margin, with unit normals. Whether there is one does not depend on the order,
// nor does the depth, except for parallel capsules, whose points are chosen beginning with the first geom. The deepest
// contact of boxes that are apart is their distance, which the convex search finds in another way.
// Both are asked of sizes that differ by a factor of at most 100 and of centers that do not coincide: an ellipsoid of
// 700 beside one of 1 was missed once, and a cylinder that crosses another exactly in the middle.
// Signed distance fields keep their shapes. The points from which they look for contacts depend on the order.
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "use_model.h"

enum { GEOMS = 2, ITERATIONS = 200 };  // with the default of 50 the search ends early for very flat shapes

// in units of the sizes: the search may end a little early, because it has room for so many faces; 1.4e-5 was the worst
// of 10^7 pairs, and all but one in 10^4 agree to ccd_tolerance
static const double close = 1e-4;

// the same types twice, so that each can meet itself, and fields of a mesh and of plugins
static const char model_text[] =
    "<mujoco><option sdf_initpoints='6' sdf_iterations='4'/>"
    "<extension><plugin plugin='mujoco.sdf.torus'><instance name='torus'/></plugin>"
    "<plugin plugin='mujoco.sdf.nut'><instance name='nut'/></plugin></extension><asset>"
    "<mesh name='torus'><plugin instance='torus'/></mesh><mesh name='nut'><plugin instance='nut'/></mesh>"
    "<mesh name='tetrahedron' vertex='0 0 0  1 0 0  0 1 0  0 0 1'/>"
    "<mesh name='wedge' vertex='-1 -1 -.3  1 -1 -.3  -1 1 -.3  1 1 -.3  -1 0 .4  1 0 .4'/>"
    "<hfield name='hills' nrow='4' ncol='5' size='1 1.5 .5 .1' elevation='0 1 0 2 1 3 0 1 0 0 1 1 1 4 0 0 0 2 0 1'/>"
    "</asset><worldbody>"
    "<geom type='plane' size='1 1 1'/><geom type='hfield' hfield='hills'/>"
    "<geom type='sphere' size='1'/><geom type='capsule' size='1 1'/><geom type='ellipsoid' size='1 1 1'/>"
    "<geom type='cylinder' size='1 1'/><geom type='box' size='1 1 1'/><geom type='mesh' mesh='tetrahedron'/>"
    "<geom type='sphere' size='1'/><geom type='capsule' size='1 1'/><geom type='ellipsoid' size='1 1 1'/>"
    "<geom type='cylinder' size='1 1'/><geom type='box' size='1 1 1'/><geom type='mesh' mesh='wedge'/>"
    "<geom type='sdf' mesh='wedge'/><geom type='sdf' mesh='torus'><plugin instance='torus'/></geom>"
    "<geom type='sdf' mesh='nut'><plugin instance='nut'/></geom></worldbody></mujoco>";
enum { FIRST_ROUND = 2, ROUND = 6, FIRST_FIELD = FIRST_ROUND + 2 * ROUND, NGEOM = FIRST_FIELD + 3 };

typedef struct {
  const uint8_t* at;
  size_t left;
} input;

static unsigned take(input* in, unsigned most) {
  unsigned value = 0;
  for (int i = 0; i < 2 && in->left; i++, in->left--) value = value << 8 | *in->at++;
  return value % most;
}

static double unit(input* in) { return take(in, 65536) / 65535.0; }

// from a millionth to a thousand, mostly near one
static double take_size(input* in) {
  switch (take(in, 8)) {
    case 0: return pow(10, -6 + 9 * unit(in));
    case 1: return 1;
    default: return .05 + 2 * unit(in);
  }
}

// numbers at which cases meet, and any
static double take_number(input* in) {
  static const double special[] = {0, 1, -1, .5, 1e-12, -1e-12, 1e-9, 1e-6, 2, 1e-300, 1e3, -1e6};
  unsigned kind = take(in, 32);
  return kind < sizeof special / sizeof *special ? special[kind] : 4 * unit(in) - 2;
}

// a geom that it can meet instead of itself
static int neighbour(int geom) {
  if (geom >= FIRST_FIELD) return geom + 1 < NGEOM ? geom + 1 : FIRST_FIELD;
  if (geom < FIRST_ROUND) return geom + FIRST_ROUND;
  return geom < FIRST_ROUND + ROUND ? geom + ROUND : geom - ROUND;
}

static void take_pose(input* in, mjData* d, int geom) {
  mjtNum quat[4];
  for (int i = 0; i < 3; i++) d->geom_xpos[3 * geom + i] = take_number(in);
  for (int i = 0; i < 4; i++) quat[i] = take_number(in);
  mju_normalize4(quat);
  mju_quat2Mat(d->geom_xmat + 9 * geom, quat);
}

static void take_shape(input* in, mjModel* m, mjData* d, int geom) {
  take_pose(in, d, geom);
  const int type = m->geom_type[geom];
  if (type == mjGEOM_MESH || type == mjGEOM_HFIELD || type == mjGEOM_SDF) return;
  for (int i = 0; i < 3; i++) m->geom_size[3 * geom + i] = take_size(in);
}

// ---- what must hold

static void describe(const mjModel* m, const mjData* d, int geom) {
  const mjtNum *s = m->geom_size + 3 * geom, *p = d->geom_xpos + 3 * geom, *r = d->geom_xmat + 9 * geom;
  fprintf(stderr, "type %d size %.17g %.17g %.17g pos %.17g %.17g %.17g mat", m->geom_type[geom], s[0], s[1], s[2],
          p[0], p[1], p[2]);
  for (int i = 0; i < 9; i++) fprintf(stderr, " %.17g", r[i]);
  fprintf(stderr, "\n");
}

static _Noreturn void fail(const mjModel* m, const mjData* d, const int geom[GEOMS], const char* what, double number) {
  fprintf(stderr, "%s: %.17g\n", what, number);
  for (int i = 0; i < GEOMS; i++) describe(m, d, geom[i]);
  abort();
}

static double least_size(const mjModel* m, const int geom[GEOMS]) {
  double least = DBL_MAX;
  for (int i = 0; i < 3 * GEOMS; i++) least = fmin(least, m->geom_size[3 * geom[i / 3] + i % 3]);
  return least;
}

static bool is_ordinary(const mjModel* m, const mjData* d, const int geom[GEOMS]) {
  double least = least_size(m, geom), most = 0;
  for (int i = 0; i < 3 * GEOMS; i++) most = fmax(most, m->geom_size[3 * geom[i / 3] + i % 3]);
  return most <= 100 * least && mju_dist3(d->geom_xpos + 3 * geom[0], d->geom_xpos + 3 * geom[1]) > 1e-9 * least;
}

static double radius(const mjModel* m, int geom) {
  const mjtNum* s = m->geom_size + 3 * geom;
  return m->geom_type[geom] == mjGEOM_PLANE ? 0 : mju_norm3(s) + s[0];
}

// By how much the depths in the two orders may differ. The search looks at shapes that half the margin was added to. If
// the margin is larger than they are, this is nearly a ball around the origin, no face of which is nearer than others,
// and ITERATIONS vertices are used up before the tolerance is met. So many faces of equal sides have their middles 1.2
// % of the radius below a ball; those that the search makes are at most twice as far from it.
static double nearness(const mjModel* m, const int geom[GEOMS], double margin) {
  double near = fmax(close * (radius(m, geom[0]) + radius(m, geom[1])), 2 * m->opt.ccd_tolerance);
  bool ball = m->geom_type[geom[0]] != mjGEOM_BOX && margin > least_size(m, geom);
  return ball ? near + 0.025 * margin : near;
}

// the deepest contact's distance; a large number if there is none
static double collide(const mjModel* m, const mjData* d, const int geom[GEOMS], double margin) {
  mjContact con[mjMAXCONPAIR];
  mjfCollision pair = mjCOLLISIONFUNC[m->geom_type[geom[0]]][m->geom_type[geom[1]]];
  int n = pair ? pair(m, d, con, geom[0], geom[1], margin) : 0;
  double least = DBL_MAX;
  if (n < 0 || n > mjMAXCONPAIR) fail(m, d, geom, "contacts", n);
  for (int i = 0; i < n; i++) {
    double length = mju_norm3(con[i].frame);
    for (int k = 0; k < 3; k++) {
      if (!isfinite(con[i].pos[k])) fail(m, d, geom, "position", con[i].pos[k]);
    }
    if (!(con[i].dist <= margin)) fail(m, d, geom, "distance", con[i].dist);
    if (!(fabs(length - 1) < 1e-6)) fail(m, d, geom, "length of the normal", length);
    least = fmin(least, con[i].dist);
  }
  return least;
}

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t n) {
  static mjModel* m;
  static mjData* d;
  input in = {bytes, n};
  if (!m) {
    fuzz_setHandlers();
    m = fuzz_compile(model_text, "unused", NULL, 0);
    d = m ? mj_makeData(m) : NULL;
    if (!d || m->ngeom != NGEOM) abort();
    mj_forward(m, d);
    m->opt.ccd_iterations = ITERATIONS;
  }
  int a = (int)take(&in, NGEOM), b = (int)take(&in, NGEOM);
  if (a == b) b = neighbour(a);
  int geom[GEOMS] = {a, b};
  if (m->geom_type[a] > m->geom_type[b]) geom[0] = b, geom[1] = a;
  double margin = take(&in, 4) ? 0 : .1 * unit(&in);
  for (int i = 0; i < GEOMS; i++) take_shape(&in, m, d, geom[i]);

  double dist = collide(m, d, geom, margin);
  int turned[GEOMS] = {geom[1], geom[0]}, type = m->geom_type[a];
  if (type != m->geom_type[b] || type == mjGEOM_SDF || (type != mjGEOM_BOX && !is_ordinary(m, d, geom))) return 0;
  double other = collide(m, d, turned, margin);
  double near = nearness(m, geom, margin);
  // at the margin there may be a contact in one order only
  if (fmin(dist, other) > margin - near) return 0;
  if (type == mjGEOM_BOX && dist > 0) {
    double gap = mj_geomDistance(m, d, a, b, 1, NULL);
    if (fabs(gap - dist) > near) fail(m, d, geom, "the distance", gap);
  }
  if (type == mjGEOM_CAPSULE ? fmax(dist, other) < DBL_MAX : fabs(dist - other) <= near) return 0;
  fprintf(stderr, "%.17g in one order\n", dist);
  fail(m, d, geom, "the other", other);
}
