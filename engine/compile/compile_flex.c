// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Flexes: checks, the bodies that carry their vertices, and what follows from their shape at qpos0.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compile/compile_flex.h"
#include "model/flex_parts.h"

void mji_flex_free(mjiFlex* f) {
  int* ints[] = {f->nodebody,  f->vertbody, f->elem,     f->elemtexcoord, f->elemedge,
                 f->elemlayer, f->edge,     f->edgeflap, f->shell,        f->evpair};
  double* nums[] = {f->node, f->vert, f->nodepos, f->vertpos, f->vert0, f->stiffness, f->bending};
  for (size_t i = 0; i < sizeof ints / sizeof *ints; i++) free(ints[i]);
  for (size_t i = 0; i < sizeof nums / sizeof *nums; i++) free(nums[i]);
}

int mji_flex_isLeaf(const mjiElem* e, int elem) {
  const mjiFlex* f = e->info;
  return f->dim < 3 || f->elemlayer[elem] < e->as.flex.activelayers;
}

static int numOf(const void* list) { return ((const mjiVec*)list)->num; }
static const double* doublesOf(const mjDoubleVec* list) { return ((const mjiVec*)list)->data; }
static const int* intsOf(const mjIntVec* list) { return ((const mjiVec*)list)->data; }

// ---- checks of what was given

static int checkSizes(mjiCompile* c, const mjiElem* e) {
  const mjsFlex* flex = &e->as.flex;
  const int nelem = numOf(flex->elem), nvert = numOf(flex->vert), nnode = numOf(flex->node);
  if (flex->dim < 1 || flex->dim > 3) return mji_compile_error(c, e, "dim must be 1, 2 or 3, not %d", flex->dim);
  if (!nelem) return mji_compile_error(c, e, "there are no elements");
  if (nelem % (flex->dim + 1)) {
    return mji_compile_error(c, e, "an element has %d vertices: the number of ids must be a multiple of it, not %d",
                             flex->dim + 1, nelem);
  }
  if (!numOf(flex->vertbody) && !numOf(flex->nodebody)) return mji_compile_error(c, e, "body or node must be given");
  if (nvert % 3 || nnode % 3) return mji_compile_error(c, e, "vertices and nodes come in threes");
  const int condim = flex->condim;
  if (condim != 1 && condim != 3 && condim != 4 && condim != 6) {
    return mji_compile_error(c, e, "condim must be 1, 3, 4 or 6, not %d", condim);
  }
  if (flex->selfcollide < mjFLEXSELF_NONE || flex->selfcollide > mjFLEXSELF_AUTO) {
    return mji_compile_error(c, e, "selfcollide has no value %d", flex->selfcollide);
  }
  if (flex->dim == 3 && flex->activelayers < 1) {
    return mji_compile_error(c, e, "activelayers must be positive, not %d", flex->activelayers);
  }
  return 0;
}

static int checkElastic(mjiCompile* c, const mjiElem* e) {
  const mjsFlex* flex = &e->as.flex;
  if (flex->edgestiffness > 0 && flex->dim > 1) {
    return mji_compile_error(c, e, "edges of triangles and tetrahedra have no springs: use elasticity");
  }
  if (flex->young > 0 && !(flex->poisson >= 0 && flex->poisson < 0.5)) {
    return mji_compile_error(c, e, "poisson must be at least 0 and less than 0.5, not %g", flex->poisson);
  }
  if (flex->young > 0 && flex->dim == 2 && flex->elastic2d & 1 && flex->thickness < 0) {
    return mji_compile_error(c, e, "bending needs a thickness");
  }
  if (numOf(flex->nodebody) && (flex->selfcollide != mjFLEXSELF_NONE || flex->internal)) {
    return mji_compile_error(c, e,
                             "a flex with nodes cannot collide with itself: selfcollide must be none, internal false");
  }
  return 0;
}

// ---- vertices, nodes and their bodies

static int resolveBodies(mjiCompile* c, const mjiElem* e, const mjStringVec* names, int* id, int n) {
  const int given = numOf(names);
  if (given != 1 && given < n) {
    return mji_compile_error(c, e, "there must be one body, or one for each of %d vertices or nodes, not %d", n, given);
  }
  for (int i = 0; i < n; i++) {
    const char* name = mji_vec_textAt((const mjiVec*)names, given == 1 ? 0 : i);
    if (i && given == 1) id[i] = id[0];
    else id[i] = mji_names_find(c, mjOBJ_BODY, name);
    if (id[i] < 0) return mji_compile_error(c, e, "there is no body named '%.200s'", name);
  }
  return 0;
}

// n positions: those given, or the origins of the bodies
static double* copyPlaces(const mjDoubleVec* given, int n) {
  double* out = mji_vec_alloc(3 * (size_t)n * sizeof(double));
  if (numOf(given)) memcpy(out, doublesOf(given), 3 * (size_t)n * sizeof(double));
  return out;
}

static int allSame(const int* id, int n) {
  for (int i = 1; i < n; i++) {
    if (id[i] != id[0]) return 0;
  }
  return 1;
}

static int allZero(const double* x, int n) {
  for (int i = 0; i < n; i++) {
    if (x[i]) return 0;
  }
  return 1;
}

// a flex with control nodes: 2 or 3 on each axis
static int placeNodes(mjiCompile* c, const mjiElem* e, mjiFlex* f) {
  const mjsFlex* flex = &e->as.flex;
  const int n = numOf(flex->nodebody);
  if (!n) return 0;
  if (n != 8 && n != 27) return mji_compile_error(c, e, "there must be 8 or 27 nodes, not %d", n);
  if (numOf(flex->node) && numOf(flex->node) != 3 * n) {
    return mji_compile_error(c, e, "there must be as many places as bodies of nodes, not %d", numOf(flex->node) / 3);
  }
  f->nnode = n;
  f->interp = n == 8 ? 1 : 2;
  f->nodebody = mji_vec_alloc((size_t)n * sizeof(int));
  f->node = copyPlaces(flex->node, n);
  return resolveBodies(c, e, flex->nodebody, f->nodebody, n);
}

static int placeVertices(mjiCompile* c, const mjiElem* e, mjiFlex* f) {
  const mjsFlex* flex = &e->as.flex;
  const int given = numOf(flex->vert) / 3;
  f->nvert = given ? given : numOf(flex->vertbody);
  if (f->nvert < f->dim + 1) return mji_compile_error(c, e, "%d vertices are not enough", f->nvert);
  if (f->interp && !given) return mji_compile_error(c, e, "a flex with nodes needs the places of its vertices");
  f->vert = copyPlaces(flex->vert, f->nvert);
  if (f->interp) {
    f->centered = allZero(f->node, 3 * f->nnode);
    return 0;
  }
  f->vertbody = mji_vec_alloc((size_t)f->nvert * sizeof(int));
  if (resolveBodies(c, e, flex->vertbody, f->vertbody, f->nvert)) return -1;
  f->rigid = allSame(f->vertbody, f->nvert);
  f->centered = allZero(f->vert, 3 * f->nvert);
  return 0;
}

// Bending forces act on vertices as if nothing held them.
static int checkPins(mjiCompile* c, const mjiElem* e, const mjiFlex* f) {
  const mjsFlex* flex = &e->as.flex;
  if (f->dim != 2 || flex->young <= 0 || !(flex->elastic2d & 1) || f->interp) return 0;
  for (int i = 0; i < f->nvert; i++) {
    if (mji_get(c, mjOBJ_BODY, f->vertbody[i])->kid[MJI_KID_JOINT].num == 3) continue;
    return mji_compile_error(c, e, "bending: the body of vertex %d must have three joints", i);
  }
  return 0;
}

// Poses of bodies at qpos0: joints are at rest there.
static void poseBodies(const mjiCompile* c, double* pos, double* quat) {
  quat[0] = 1;
  for (int i = 1; i < mji_count(c, mjOBJ_BODY); i++) {
    const mjiElem* e = mji_get(c, mjOBJ_BODY, i);
    const int up = e->parent->id;
    mju_mulPose(pos + 3 * i, quat + 4 * i, pos + 3 * up, quat + 4 * up, e->as.body.pos, e->as.body.quat);
  }
}

static double* globalPlaces(const double* local, const int* body, int n, const double* pos, const double* quat) {
  double* out = mji_vec_alloc(3 * (size_t)n * sizeof(double));
  for (int i = 0; i < n; i++) {
    if (body) mju_trnVecPose(out + 3 * i, pos + 3 * body[i], quat + 4 * body[i], local + 3 * i);
    else mju_copy3(out + 3 * i, local + 3 * i);
  }
  return out;
}

// ---- elements

static int copyElements(mjiCompile* c, const mjiElem* e, mjiFlex* f) {
  const int n = f->dim + 1, total = numOf(e->as.flex.elem);
  f->nelem = total / n;
  f->elem = mji_vec_alloc((size_t)total * sizeof(int));
  memcpy(f->elem, intsOf(e->as.flex.elem), (size_t)total * sizeof(int));
  for (int i = 0; i < total; i++) {
    const int* v = f->elem + i;
    if (*v < 0 || *v >= f->nvert) return mji_compile_error(c, e, "element %d: there is no vertex %d", i / n, *v);
    for (int k = 1; k <= i % n; k++) {
      if (v[-k] == *v) return mji_compile_error(c, e, "element %d has vertex %d twice", i / n, *v);
    }
  }
  return 0;
}

// Seen from its last vertex, the others of a tetrahedron go around clockwise: those that do not are turned inside out.
static void turnElements(mjiFlex* f) {
  for (int e = 0; e < f->nelem && f->dim == 3; e++) {
    int* v = f->elem + 4 * e;
    double arm[3][3], cross[3];
    for (int i = 0; i < 3; i++) mju_sub3(arm[i], f->vertpos + 3 * v[i + 1], f->vertpos + 3 * v[0]);
    mju_cross(cross, arm[0], arm[1]);
    if (mju_dot3(cross, arm[2]) <= 0) continue;
    const int swap = v[1];
    v[1] = v[2];
    v[2] = swap;
  }
}

// texture coordinates: of their own ids, or one for each vertex
static int copyTexture(mjiCompile* c, const mjiElem* e, mjiFlex* f) {
  const mjsFlex* flex = &e->as.flex;
  const int ntexcoord = numOf(flex->texcoord), nid = numOf(flex->elemtexcoord), total = f->nelem * (f->dim + 1);
  if (ntexcoord % 2) return mji_compile_error(c, e, "texture coordinates come in pairs");
  if (ntexcoord && !nid && ntexcoord != 2 * f->nvert) {
    return mji_compile_error(c, e, "there must be as many texture coordinates as vertices, or elemtexcoord");
  }
  f->elemtexcoord = mji_vec_alloc((size_t)total * sizeof(int));
  if (!ntexcoord || !nid) {
    memcpy(f->elemtexcoord, f->elem, (size_t)total * sizeof(int));
    return 0;
  }
  if (nid != total) return mji_compile_error(c, e, "elemtexcoord must have %d ids, as element has, not %d", total, nid);
  for (int i = 0; i < total; i++) {
    const int id = f->elemtexcoord[i] = intsOf(flex->elemtexcoord)[i];
    if (id < 0 || id >= ntexcoord / 2) return mji_compile_error(c, e, "there is no texture coordinate %d", id);
  }
  return 0;
}

// ---- what follows from the shape

// Vertices in the unit box around the elements that collide. Where the box is flat, the middle.
static void placeInBox(const mjiElem* e, mjiFlex* f) {
  double lo[3] = {INFINITY, INFINITY, INFINITY}, hi[3] = {-INFINITY, -INFINITY, -INFINITY}, size = 0;
  for (int i = 0; i < f->nelem * (f->dim + 1); i++) {
    if (!mji_flex_isLeaf(e, i / (f->dim + 1))) continue;
    for (int k = 0; k < 3; k++) {
      const double x = f->vertpos[3 * f->elem[i] + k];
      lo[k] = fmin(lo[k], x);
      hi[k] = fmax(hi[k], x);
      size = fmax(size, fmax(fabs(x), hi[k] - lo[k]));
    }
  }
  f->vert0 = mji_vec_alloc(3 * (size_t)f->nvert * sizeof(double));
  for (int i = 0; i < 3 * f->nvert; i++) {
    const double width = hi[i % 3] - lo[i % 3];
    f->vert0[i] = width > MJI_EPS * size ? (f->vertpos[i] - lo[i % 3]) / width : 0.5;
  }
}

static int makeElastic(mjiCompile* c, const mjiElem* e, mjiFlex* f) {
  const mjsFlex* flex = &e->as.flex;
  f->stiffness = mji_vec_alloc(21 * (size_t)f->nelem * sizeof(double));
  f->bending = mji_vec_alloc(17 * (size_t)f->nedge * sizeof(double));
  if (flex->young <= 0) return 0;
  if (f->interp) {
    if (!mji_flex_stiffenNodes(f, flex->young, flex->poisson)) return 0;
    return mji_compile_error(c, e, "the stiffness of %d nodes needs at least %d elements", f->nnode,
                             (9 * f->nnode * f->nnode + 20) / 21);
  }
  if (f->dim == 3) mji_flex_stretch(f, flex->young, flex->poisson, 0);
  if (f->dim != 2 || flex->thickness <= 0) return 0;
  if (flex->elastic2d & 2) mji_flex_stretch(f, flex->young, flex->poisson, flex->thickness);
  if (flex->elastic2d & 1) mji_flex_bend(f, flex->young, flex->poisson, flex->thickness);
  return 0;
}

static int compileFlex(mjiCompile* c, mjiElem* e, const double* pos, const double* quat) {
  mjsFlex* flex = &e->as.flex;
  if (checkSizes(c, e) || checkElastic(c, e)) return -1;
  mjiFlex* f = e->info = mji_vec_alloc(sizeof(mjiFlex));
  f->dim = flex->dim;
  if (*mjs_getString(flex->material) && mji_names_resolve(c, e, mjOBJ_MATERIAL, flex->material) < 0) return -1;
  if (placeNodes(c, e, f) || placeVertices(c, e, f) || checkPins(c, e, f) || copyElements(c, e, f)) return -1;
  int *body = f->vertbody, *given = NULL;
  if (f->interp && numOf(flex->vertbody)) {
    // vertices that follow nodes are given in the frames of bodies all the same
    body = given = mji_vec_alloc((size_t)f->nvert * sizeof(int));
    if (resolveBodies(c, e, flex->vertbody, given, f->nvert)) {
      free(given);
      return -1;
    }
  }
  f->vertpos = globalPlaces(f->vert, body, f->nvert, pos, quat);
  free(given);
  if (f->interp) f->nodepos = globalPlaces(f->node, f->nodebody, f->nnode, pos, quat);
  turnElements(f);
  if (copyTexture(c, e, f)) return -1;
  mji_flex_connect(f, flex->elastic2d & 1);
  placeInBox(e, f);
  return makeElastic(c, e, f);
}

// Equalities that keep the edges of flexes at their lengths.
static int compileEqualities(mjiCompile* c) {
  for (int i = 0; i < mji_count(c, mjOBJ_EQUALITY); i++) {
    const mjiElem* e = mji_get(c, mjOBJ_EQUALITY, i);
    if (e->as.equality.type != mjEQ_FLEX) continue;
    mjiFlex* f = mji_names_get(c, mjOBJ_FLEX, e->as.equality.name1)->info;
    if (f->rigid) return mji_compile_error(c, e, "the flex is rigid: its edges cannot change");
    f->equality = 1;
  }
  return 0;
}

int mji_flex_compile(mjiCompile* c) {
  const size_t n = (size_t)mji_count(c, mjOBJ_BODY);
  if (!mji_count(c, mjOBJ_FLEX)) return 0;
  double *pos = mji_vec_alloc(3 * n * sizeof(double)), *quat = mji_vec_alloc(4 * n * sizeof(double));
  int bad = 0;
  poseBodies(c, pos, quat);
  for (int i = 0; i < mji_count(c, mjOBJ_FLEX) && !bad; i++) bad = compileFlex(c, mji_get(c, mjOBJ_FLEX, i), pos, quat);
  free(pos);
  free(quat);
  return bad ? -1 : compileEqualities(c);
}
