// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Contacts of convex pairs against brute force: which two shapes overlap, by how much, and along which normal.
//
// The depth of two shapes is their least overlap over all directions. For polytopes it is taken on at a face of one or
// at a pair of edges whose arcs cross on the sphere of normals, so trying all of these gives the truth. For curved
// shapes the least overlap is searched from many directions. Poses are random, touching, or stacked: parallel axes with
// faces, edges and corners on each other, up to the ninth digit.
//
// SHEAF_POSES=22000 tries so many poses of each of 45 pairs, a million in all; SHEAF_MESHES=a.xml:b.xml adds the meshes
// of models to the shapes.
#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAXFACE = 4000, MAXEDGE = 6000, MAXSHAPE = 12 };

typedef struct {
  int polytope, nvertex, nface, nedge;
  double (*vertex)[3], (*face)[3];  // corners and outward normals
  int (*edge)[2], (*side)[2];       // corners of an edge, and the faces on both sides
} shape;

typedef struct {
  const mjModel* m;
  mjData* d;
  int geom[2];
  const shape* shape[2];
} pair;

static unsigned seed = 1;
static double unit(void) { return rand_r(&seed) / (double)RAND_MAX; }
static double noise(void) { return 2 * unit() - 1; }
static double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

// ---- features

static void addEdge(shape* s, int from, int to, int face) {
  for (int i = 0; i < s->nedge; i++) {
    if (s->edge[i][0] == to && s->edge[i][1] == from) {
      s->side[i][1] = face;
      return;
    }
  }
  s->edge[s->nedge][0] = from;
  s->edge[s->nedge][1] = to;
  s->side[s->nedge][0] = s->side[s->nedge][1] = face;
  s->nedge++;
}

// a triangle of a shape around the origin, whichever way its corners go
static void addTriangle(shape* s, int i, int j, int k, const double middle[3]) {
  double ab[3], ac[3], out[3], *n = s->face[s->nface];
  mju_sub3(ab, s->vertex[j], s->vertex[i]);
  mju_sub3(ac, s->vertex[k], s->vertex[i]);
  mju_sub3(out, s->vertex[i], middle);
  mju_cross(n, ab, ac);
  mju_normalize3(n);
  int turned = mju_dot3(n, out) < 0, corner[3] = {i, turned ? k : j, turned ? j : k};
  if (turned) mju_scl3(n, n, -1);
  for (int c = 0; c < 3; c++) addEdge(s, corner[c], corner[(c + 1) % 3], s->nface);
  s->nface++;
}

static void makeRoom(shape* s, int nvertex, int nface) {
  s->polytope = 1;
  s->nvertex = nvertex;
  s->vertex = calloc((size_t)nvertex, sizeof *s->vertex);
  s->face = calloc((size_t)nface, sizeof *s->face);
  s->edge = calloc(3 * (size_t)nface, sizeof *s->edge);
  s->side = calloc(3 * (size_t)nface, sizeof *s->side);
}

static void freeShape(shape* s) {
  free(s->vertex);
  free(s->face);
  free(s->edge);
  free(s->side);
}

static void makeBox(shape* s, const mjtNum size[3]) {
  static const int quad[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
  makeRoom(s, 8, 12);
  for (int i = 0; i < 8; i++) {
    for (int k = 0; k < 3; k++) s->vertex[i][k] = i >> k & 1 ? size[k] : -size[k];
  }
  for (int i = 0; i < 6; i++) {
    addTriangle(s, quad[i][0], quad[i][1], quad[i][2], (double[3]){0});
    addTriangle(s, quad[i][0], quad[i][2], quad[i][3], (double[3]){0});
  }
}

static void makeMesh(shape* s, const mjModel* m, int mesh) {
  const int *graph = m->mesh_graph + m->mesh_graphadr[mesh], nnode = graph[0], nface = graph[1];
  const int* face = graph + 2 + 3 * nnode + 3 * nface;
  makeRoom(s, m->mesh_vertnum[mesh], nface);
  for (int i = 0; i < 3 * s->nvertex; i++) s->vertex[i / 3][i % 3] = m->mesh_vert[3 * m->mesh_vertadr[mesh] + i];
  double middle[3] = {0};
  for (int i = 0; i < s->nvertex; i++) mju_addToScl3(middle, s->vertex[i], 1.0 / s->nvertex);
  for (int i = 0; i < nface; i++) addTriangle(s, face[3 * i], face[3 * i + 1], face[3 * i + 2], middle);
}

static void makeShape(shape* s, const mjModel* m, int geom) {
  memset(s, 0, sizeof *s);
  if (m->geom_type[geom] == mjGEOM_BOX) makeBox(s, m->geom_size + 3 * geom);
  if (m->geom_type[geom] == mjGEOM_MESH) makeMesh(s, m, m->geom_dataid[geom]);
}

// ---- overlap along a direction

static double reachLocal(const pair* p, int i, const double n[3]) {
  const mjtNum* size = p->m->geom_size + 3 * p->geom[i];
  double most = -1e30;
  switch (p->m->geom_type[p->geom[i]]) {
    case mjGEOM_ELLIPSOID:
      return sqrt(n[0] * n[0] * size[0] * size[0] + n[1] * n[1] * size[1] * size[1] + n[2] * n[2] * size[2] * size[2]);
    case mjGEOM_CYLINDER: return size[0] * sqrt(n[0] * n[0] + n[1] * n[1]) + size[1] * fabs(n[2]);
    case mjGEOM_CAPSULE: return size[0] + size[1] * fabs(n[2]);
    default:
      for (int k = 0; k < p->shape[i]->nvertex; k++) {
        double reach = dot(p->shape[i]->vertex[k], n);
        most = reach > most ? reach : most;
      }
      return most;
  }
}

// how far the second shape must go along a unit direction to leave the first; negative: the gap between them
static double overlap(const pair* p, const double n[3]) {
  double local[2][3], back[3] = {-n[0], -n[1], -n[2]}, offset[3];
  mju_mulMatTVec3(local[0], p->d->geom_xmat + 9 * p->geom[0], n);
  mju_mulMatTVec3(local[1], p->d->geom_xmat + 9 * p->geom[1], back);
  mju_sub3(offset, p->d->geom_xpos + 3 * p->geom[1], p->d->geom_xpos + 3 * p->geom[0]);
  return reachLocal(p, 0, local[0]) + reachLocal(p, 1, local[1]) - mju_dot3(offset, n);
}

typedef struct {
  double depth, normal[3];
} least;

static void tryDirection(least* r, const pair* p, const double n[3]) {
  double length = mju_norm3(n), u[3];
  if (length < 1e-12) return;
  mju_scl3(u, n, 1 / length);
  double o = overlap(p, u);
  if (o >= r->depth) return;
  r->depth = o;
  mju_copy3(r->normal, u);
}

// ---- polytopes

// normals of faces in the world; those of the second shape point inward
static void worldNormals(double (*r)[3], const pair* p, int i) {
  for (int k = 0; k < p->shape[i]->nface; k++) {
    mju_mulMatVec3(r[k], p->d->geom_xmat + 9 * p->geom[i], p->shape[i]->face[k]);
    if (i) mju_scl3(r[k], r[k], -1);
  }
}

// may the arcs between the normals a, b and c, d cross on the sphere?
static int arcsMayCross(const double* a, const double* b, const double* c, const double* d) {
  double ba[3], dc[3];
  mju_cross(ba, b, a);
  mju_cross(dc, d, c);
  double cba = mju_dot3(c, ba), dba = mju_dot3(d, ba), adc = mju_dot3(a, dc), bdc = mju_dot3(b, dc), e = 1e-9;
  return cba * dba <= e && adc * bdc <= e && cba * bdc >= -e;
}

static void edgeOf(double r[3], const pair* p, int i, int edge) {
  double local[3];
  const shape* s = p->shape[i];
  mju_sub3(local, s->vertex[s->edge[edge][1]], s->vertex[s->edge[edge][0]]);
  mju_mulMatVec3(r, p->d->geom_xmat + 9 * p->geom[i], local);
}

static least truthOfPolytopes(const pair* p) {
  static double normal[2][MAXFACE][3], along[MAXEDGE][3];
  least r = {.depth = 1e30};
  for (int i = 0; i < 2; i++) {
    worldNormals(normal[i], p, i);
    for (int k = 0; k < p->shape[i]->nface; k++) tryDirection(&r, p, normal[i][k]);
  }
  const shape *a = p->shape[0], *b = p->shape[1];
  for (int k = 0; k < b->nedge; k++) edgeOf(along[k], p, 1, k);
  for (int i = 0; i < a->nedge; i++) {
    double edge[3], cross[3];
    edgeOf(edge, p, 0, i);
    const double *n1 = normal[0][a->side[i][0]], *n2 = normal[0][a->side[i][1]];
    for (int k = 0; k < b->nedge; k++) {
      if (!arcsMayCross(n1, n2, normal[1][b->side[k][0]], normal[1][b->side[k][1]])) continue;
      mju_cross(cross, edge, along[k]);
      if (mju_norm3(cross) < 1e-9 * mju_norm3(edge) * mju_norm3(along[k])) continue;
      if (mju_dot3(cross, n1) + mju_dot3(cross, n2) < 0) mju_scl3(cross, cross, -1);
      tryDirection(&r, p, cross);
    }
  }
  return r;
}

// ---- curved shapes

// Walk downhill from a direction, by steps across it that get shorter, down to the last.
static void refine(least* r, const pair* p, double step, double last) {
  const double H = 0.70710678118654752,
               TURN[8][2] = {{1, 0}, {H, H}, {0, 1}, {-H, H}, {-1, 0}, {-H, -H}, {0, -1}, {H, -H}};
  for (; step > last; step *= .5) {
    for (int moved = 1; moved;) {
      double before = r->depth, axis[3] = {0}, t[2][3];
      axis[fabs(r->normal[0]) < .6 ? 0 : 1] = 1;
      mju_cross(t[0], r->normal, axis);
      mju_normalize3(t[0]);
      mju_cross(t[1], r->normal, t[0]);
      for (int k = 0; k < 8; k++) {
        double n[3];
        for (int j = 0; j < 3; j++) n[j] = r->normal[j] + step * (TURN[k][0] * t[0][j] + TURN[k][1] * t[1][j]);
        tryDirection(r, p, n);
      }
      moved = r->depth < before - 1e-15;
    }
  }
}

// Where edges of shapes make valleys, none of the eight steps may lead down: go on by random steps of all lengths.
static void wander(least* r, const pair* p) {
  for (int i = 0; i < 20000; i++) {
    double n[3], step = pow(10, -7 * unit());
    for (int k = 0; k < 3; k++) n[k] = r->normal[k] + step * noise();
    tryDirection(r, p, n);
  }
}

static least truthOfCurved(const pair* p, const double found[3]) {
  least best = {.depth = 1e30};
  enum { START = 60 };
  least start[START];
  for (int i = 0; i < START; i++) {
    double n[3], z = 1 - (2 * i + 1) / (double)START, r = sqrt(1 - z * z);
    mju_copy3(n, (double[]){r * cos(2.399963 * i), r * sin(2.399963 * i), z});
    if (i < 12) {  // axes of both shapes
      for (int k = 0; k < 3; k++) n[k] = (i & 1 ? 1 : -1) * p->d->geom_xmat[9 * p->geom[i / 6] + 3 * k + i % 6 / 2];
    } else if (i == 12) {
      mju_sub3(n, p->d->geom_xpos + 3 * p->geom[1], p->d->geom_xpos + 3 * p->geom[0]);
    } else if (i == 13) {
      mju_copy3(n, found);
    }
    start[i].depth = 1e30;
    tryDirection(&start[i], p, n);
  }
  for (int k = 0; k < 4; k++) {
    int at = 0;
    for (int i = 1; i < START; i++) at = start[i].depth < start[at].depth ? i : at;
    least r = start[at];
    start[at].depth = 2e30;
    if (r.depth > 1e29) break;
    refine(&r, p, .1, 1e-3);
    if (r.depth < best.depth) best = r;
  }
  refine(&best, p, 1e-3, 1e-7);
  return best;
}

static least truthOf(const pair* p, const double found[3]) {
  return p->shape[0]->polytope && p->shape[1]->polytope ? truthOfPolytopes(p) : truthOfCurved(p, found);
}

// ---- poses

static void turn(mjtNum mat[9], double spread) {
  mjtNum q[4] = {spread > 0 ? 1 : noise(), 0, 0, 0};
  for (int k = 1; k < 4; k++) q[k] = spread > 0 ? spread * noise() : noise();
  mju_normalize4(q);
  mju_quat2Mat(mat, q);
}

static void quarterTurn(mjtNum mat[9]) {
  int a = rand_r(&seed) % 3, b = (a + 1 + rand_r(&seed) % 2) % 3;
  double x[3] = {0}, y[3] = {0}, z[3];
  x[a] = rand_r(&seed) & 1 ? 1 : -1;
  y[b] = rand_r(&seed) & 1 ? 1 : -1;
  mju_cross(z, x, y);
  for (int k = 0; k < 3; k++) mat[3 * k] = x[k], mat[3 * k + 1] = y[k], mat[3 * k + 2] = z[k];
}

enum { RANDOM, TOUCHING, STACKED, NKIND };

// move the second shape until it hardly touches the first
static void touch(const pair* p, mjtNum pos[3], const double n[3]) {
  least r = truthOf(p, n);
  mju_addToScl3(pos, r.normal, r.depth);
  for (int i = 0; i < 2; i++) {
    if (p->shape[0]->polytope && p->shape[1]->polytope) {
      r = truthOfPolytopes(p);
    } else {
      r.depth = overlap(p, r.normal);
      refine(&r, p, 1e-2, 1e-7);
    }
    mju_addToScl3(pos, r.normal, r.depth);
  }
}

static void place(const pair* p, int kind) {
  mjtNum *pos = p->d->geom_xpos + 3 * p->geom[1], *mat = p->d->geom_xmat + 9 * p->geom[1];
  mjtNum* first = p->d->geom_xmat + 9 * p->geom[0];
  mju_zero3(p->d->geom_xpos + 3 * p->geom[0]);
  if (kind == STACKED) {
    static const double shift[4] = {0, 1, -1, .5};
    mjtNum q[9], tiny[9];
    mju_eye(first, 3);
    quarterTurn(q);
    turn(tiny, 1e-9);
    mju_mulMatMat(mat, q, tiny, 3, 3, 3);
    for (int k = 0; k < 3; k++) {
      double axis[3] = {k == 0, k == 1, k == 2}, back[3] = {-axis[0], -axis[1], -axis[2]}, local[3];
      mju_mulMatTVec3(local, mat, back);
      pos[k] =
          (reachLocal(p, 0, axis) + reachLocal(p, 1, local)) * shift[rand_r(&seed) % 4] * (unit() < .3 ? .999 : 1) +
          1e-9 * noise();
    }
    return;
  }
  turn(first, 0);
  turn(mat, 0);
  double direction[3] = {noise(), noise(), noise()}, n[3];
  mju_copy3(n, direction);
  mju_normalize3(n);
  mju_zero3(pos);
  double reach = overlap(p, n);  // of shapes with the same middle: beyond it they are apart
  mju_scl3(pos, n, reach * (kind == RANDOM ? 1.1 * unit() : .9));
  if (kind == TOUCHING) touch(p, pos, n);
  if (kind == TOUCHING) mju_addToScl3(pos, n, (unit() < .5 ? 1 : -1) * pow(10, -10 + 6 * unit()));
}

// ---- what must hold

typedef struct {
  int poses, contacts, missed, invented, deep, normal;
} counts;

// The search for curved shapes ends at a depth within ccd_tolerance. The normal is that of a face of the polytope that
// it has grown, along which the overlap may be more: by this where shapes hardly touch, and by that of the second
// number.
static const double SHALLOW_NORMAL = 1.1e-4, CURVED_NORMAL = 1e-3;

enum { MISSED, INVENTED, DEPTH, NORMAL, NWRONG };

// What is wrong with the deepest contact; without a contact its depth is negative. The tolerance of polytopes is that
// of rounding, of others that of the search.
static int judge(int wrong[NWRONG], const pair* p, double depth, const double normal[3], double truth) {
  int exact = p->shape[0]->polytope && p->shape[1]->polytope, found = depth >= 0;
  double sure = exact ? 1e-9 : 2 * p->m->opt.ccd_tolerance, close = exact ? 1e-7 : 1e-5;
  wrong[MISSED] = !found && truth > sure;
  wrong[INVENTED] = found && truth < -1e-9;
  wrong[DEPTH] = found && fabs(depth - fmax(truth, 0)) > close;
  wrong[NORMAL] =
      found && fabs(overlap(p, normal) - depth) > (exact ? 1e-6 : fmax(SHALLOW_NORMAL, fmin(depth, CURVED_NORMAL)));
  return wrong[MISSED] || wrong[INVENTED] || wrong[DEPTH] || wrong[NORMAL];
}

static void checkPose(counts* c, const pair* p) {
  mjContact con[mjMAXCONPAIR];
  mjfCollision collide = mjCOLLISIONFUNC[p->m->geom_type[p->geom[0]]][p->m->geom_type[p->geom[1]]];
  memset(con, 0, sizeof con);
  int n = collide(p->m, p->d, con, p->geom[0], p->geom[1], 0), deepest = 0, wrong[NWRONG];
  for (int i = 1; i < n; i++) deepest = con[i].dist < con[deepest].dist ? i : deepest;
  const double *normal = con[deepest].frame, depth = n ? fmax(-con[deepest].dist, 0) : -1;
  least truth = truthOf(p, n ? normal : (double[]){0, 0, 1});
  if (!n) {  // shapes that are apart have a direction that shows it; that of their distance is worth a try
    mjtNum ends[6], across[3];
    mj_geomDistance(p->m, p->d, p->geom[0], p->geom[1], 1, ends);
    mju_sub3(across, ends + 3, ends);
    tryDirection(&truth, p, across);
  }
  if (judge(wrong, p, depth, normal, truth.depth)) {
    if (n) tryDirection(&truth, p, normal);
    wander(&truth, p);
    judge(wrong, p, depth, normal, truth.depth);
  }
  c->poses++;
  c->contacts += n > 0;
  c->missed += wrong[MISSED];
  c->invented += wrong[INVENTED];
  c->deep += wrong[DEPTH];
  c->normal += wrong[NORMAL];
  if (getenv("SHEAF_SHOW") && (wrong[MISSED] || wrong[INVENTED] || wrong[DEPTH] || wrong[NORMAL])) {
    printf("%d-%d: %d contacts, depth %.12g, along its normal %.12g, truth %.12g\n", p->geom[0], p->geom[1], n, depth,
           n ? overlap(p, normal) : 0, truth.depth);
  }
}

static const char* const SHAPES =
    "<mujoco><option ccd_iterations='200'/><asset><mesh name='cube' vertex='-1 -1 -1 1 -1 -1 -1 1 -1 1 1 -1 -1 -1 1 1 "
    "-1 1 -1 1 1 1 1 1' scale='.1 .1 .1'/>"
    "<mesh name='wedge' vertex='-1 -1 -.3  1 -1 -.3  -1 1 -.3  1 1 -.3  -1 0 .4  1 0 .4' scale='.2 .2 .2'/>"
    "<mesh name='round' builtin='sphere' params='1' scale='.1 .2 .15'/><mesh name='ball' builtin='sphere' params='2' "
    "scale='.2 .1 .15'/>"
    "</asset><worldbody><geom type='ellipsoid' size='.1 .2 .15'/><geom type='ellipsoid' size='.2 .05 .1'/><geom "
    "type='cylinder' size='.1 .2'/><geom type='cylinder' size='.2 .02'/>"
    "<geom type='box' size='.1 .1 .1'/><geom type='box' size='.2 .05 .1'/>"
    "<geom type='mesh' mesh='cube'/><geom type='mesh' mesh='wedge'/><geom type='mesh' mesh='round'/><geom type='mesh' "
    "mesh='ball'/></worldbody></mujoco>";

static int isUsable(const mjModel* m, int geom) {
  int type = m->geom_type[geom], mesh = m->geom_dataid[geom];
  if (type != mjGEOM_MESH) return type == mjGEOM_ELLIPSOID || type == mjGEOM_CYLINDER || type == mjGEOM_BOX;
  return (m->geom_contype[geom] || m->geom_conaffinity[geom]) && m->mesh_graphadr[mesh] >= 0 &&
         m->mesh_graph[m->mesh_graphadr[mesh] + 1] <= MAXFACE;
}

static void surveyPair(counts* sum, pair* p, int poses) {
  counts c = {0};
  for (int i = 0; i < poses; i++) {
    place(p, i % NKIND);
    checkPose(&c, p);
  }
  if (getenv("SHEAF_SHOW")) {
    printf("%3d %3d  poses %d contacts %d missed %d invented %d depth %d normal %d\n", p->geom[0], p->geom[1], c.poses,
           c.contacts, c.missed, c.invented, c.deep, c.normal);
  }
  for (size_t i = 0; i < sizeof c / sizeof(int); i++) ((int*)sum)[i] += ((int*)&c)[i];
}

// all pairs of the first shapes of a model
static void survey(counts* sum, const mjModel* m, int poses) {
  static shape shapes[MAXSHAPE];
  int geom[MAXSHAPE], n = 0;
  mjData* d = mj_makeData(m);
  mj_kinematics(m, d);
  for (int i = 0; i < m->ngeom && n < MAXSHAPE; i++) {
    if (!isUsable(m, i)) continue;
    makeShape(&shapes[n], m, i);
    geom[n++] = i;
  }
  for (int a = 0; a < n; a++) {
    for (int b = a + 1; b < n; b++) {
      int swap = m->geom_type[geom[a]] > m->geom_type[geom[b]], i = swap ? b : a, j = swap ? a : b;
      surveyPair(sum, &(pair){m, d, {geom[i], geom[j]}, {&shapes[i], &shapes[j]}}, poses);
    }
  }
  for (int i = 0; i < n; i++) freeShape(&shapes[i]);
  mj_deleteData(d);
}

static void surveyFiles(counts* sum, const char* paths, int poses) {
  char one[4096], error[1000];
  while (*paths) {
    size_t n = strcspn(paths, ":");
    snprintf(one, sizeof one, "%.*s", (int)n, paths);
    paths += n + (paths[n] == ':');
    mjModel* m = mj_loadXML(one, NULL, error, sizeof error);
    if (!m) printf("%s: %s\n", one, error);
    CHECK(m != NULL);
    if (m) survey(sum, m, poses);
    mj_deleteModel(m);
  }
}

TEST(contacts_of_convex_pairs_are_those_of_brute_force) {
  mjModel* m = test_model(SHAPES);
  if (!m) return;
  const char *wanted = getenv("SHEAF_POSES"), *files = getenv("SHEAF_MESHES"), *first = getenv("SHEAF_SEED");
  if (first) seed = (unsigned)atoi(first);
  int poses = wanted ? atoi(wanted) : 3 * NKIND;
  counts c = {0};
  survey(&c, m, poses);
  if (files) surveyFiles(&c, files, poses);
  CHECK(c.contacts > c.poses / 3);
  CHECK_EQ(c.missed, 0);
  CHECK_EQ(c.invented, 0);
  CHECK_EQ(c.deep, 0);
  CHECK_EQ(c.normal, 0);
  mj_deleteModel(m);
}

// The face that ends the search of these has the depth that another face has shown, and goes right through the middle
// of both shapes.
TEST(ellipsoids_that_hardly_touch_have_the_normal_of_the_surface) {
  mjModel* m = test_model(
      "<mujoco><option ccd_iterations='200'/><worldbody><geom type='ellipsoid' size='.1 .2 .15'/>"
      "<geom type='ellipsoid' size='.2 .05 .1'/></worldbody></mujoco>");
  if (!m) return;
  seed = 15838;
  counts c = {0};
  survey(&c, m, 200);
  CHECK(c.contacts > 80);
  CHECK_EQ(c.normal, 0);
  mj_deleteModel(m);
}

TEST(polytopes_a_billionth_of_a_millimeter_deep_have_the_normal_of_a_face) {
  enum { CUBE = 6, WEDGE = 7 };
  mjModel* m = test_model(SHAPES);
  if (!m) return;
  mjData* d = mj_makeData(m);
  shape s[2];
  makeShape(&s[0], m, CUBE);
  makeShape(&s[1], m, WEDGE);
  pair p = {m, d, {CUBE, WEDGE}, {&s[0], &s[1]}};
  counts c = {0};
  seed = 3;
  for (int i = 0; i < 60; i++) {
    place(&p, TOUCHING);
    least r = truthOfPolytopes(&p);
    mju_addToScl3(d->geom_xpos + 3 * WEDGE, r.normal, r.depth - 1e-12);
    checkPose(&c, &p);
  }
  CHECK(c.contacts > 40);
  CHECK_EQ(c.normal, 0);
  for (int i = 0; i < 2; i++) freeShape(&s[i]);
  mj_deleteData(d);
  mj_deleteModel(m);
}
