// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "collide/support.h"

#include "collide/vec3.h"

// meshes with fewer vertices are searched completely, unless climbing is asked for
enum { HILLCLIMB_MIN = 10 };

// Hulls with at least so many nodes are climbed from the best of some nodes, and to the first neighbour that is higher.
// On smaller ones the climb is the reference's, which decides where vertices tie.
enum { START_NODES = 16, LARGE_HULL = 4 * START_NODES };

// local point to the world
static void place(mjtNum point[3], const mjiConvex* c, const mjtNum local[3], const mjtNum dir[3]) {
  rotate3(point, c->shape->mat, local);
  add3(point, point, c->shape->pos);
  if (c->inflate > 0) addScaled3(point, point, dir, c->inflate);
}

static void supportPoint(mjtNum point[3], mjiConvex* c, const mjtNum dir[3]) {
  (void)dir;
  copy3(point, c->shape->pos);
}

static void supportSphere(mjtNum point[3], mjiConvex* c, const mjtNum dir[3]) {
  addScaled3(point, c->shape->pos, dir, c->shape->size[0] + c->inflate);
}

static void supportSegment(mjtNum point[3], mjiConvex* c, const mjtNum dir[3]) {
  mjtNum axis[3];
  axis3(axis, c->shape->mat, 2);
  mjtNum height = c->shape->size[1];
  addScaled3(point, c->shape->pos, axis, dot3(axis, dir) >= 0 ? height : -height);
}

static void supportCapsule(mjtNum point[3], mjiConvex* c, const mjtNum dir[3]) {
  const mjtNum* size = c->shape->size;
  mjtNum local[3];
  rotateBack3(local, c->shape->mat, dir);
  mjtNum height = local[2] >= 0 ? size[1] : -size[1];
  scale3(local, local, size[0]);
  local[2] += height;
  place(point, c, local, dir);
}

// x = S u with u = S dir / |S dir|
static void supportEllipsoid(mjtNum point[3], mjiConvex* c, const mjtNum dir[3]) {
  const mjtNum* size = c->shape->size;
  mjtNum local[3];
  rotateBack3(local, c->shape->mat, dir);
  for (int k = 0; k < 3; k++) local[k] *= size[k];
  mjtNum inv = 1 / norm3(local);
  for (int k = 0; k < 3; k++) local[k] *= inv * size[k];
  place(point, c, local, dir);
}

static void supportCylinder(mjtNum point[3], mjiConvex* c, const mjtNum dir[3]) {
  const mjtNum* size = c->shape->size;
  mjtNum local[3];
  rotateBack3(local, c->shape->mat, dir);
  mjtNum radial = __builtin_sqrt(local[0] * local[0] + local[1] * local[1]);
  mjtNum scale = radial > mjMINVAL ? size[0] / radial : 0;
  set3(local, local[0] * scale, local[1] * scale, local[2] >= 0 ? size[1] : -size[1]);
  place(point, c, local, dir);
}

static void supportBox(mjtNum point[3], mjiConvex* c, const mjtNum dir[3]) {
  const mjtNum* size = c->shape->size;
  mjtNum local[3];
  rotateBack3(local, c->shape->mat, dir);
  c->vertex = 0;
  for (int k = 0; k < 3; k++) {
    c->vertex |= (local[k] >= 0) << k;
    local[k] = local[k] >= 0 ? size[k] : -size[k];
  }
  place(point, c, local, dir);
}

// Leave c->vertex at -1, so that EPA takes two prism vertices with the same partner for a repetition, as in the
// reference.
static void supportPrism(mjtNum point[3], mjiConvex* c, const mjtNum dir[3]) {
  // the upper triangle or the lower
  int first = dir[2] < 0 ? 0 : 3, best = first;
  mjtNum most = dot3(c->prism[best], dir);
  for (int i = first + 1; i < first + 3; i++) {
    mjtNum along = dot3(c->prism[i], dir);
    if (along > most) {
      most = along;
      best = i;
    }
  }
  copy3(point, c->prism[best]);
  if (c->inflate > 0) addScaled3(point, point, dir, c->inflate);
}

// ---- meshes

static mjtNum vertexAlong(const float* vertex, int i, const mjtNum dir[3]) {
  const float* v = vertex + 3 * i;
  return dir[0] * (mjtNum)v[0] + dir[1] * (mjtNum)v[1] + dir[2] * (mjtNum)v[2];
}

static int searchAll(const mjiConvex* c, const float* vertex, int nvertex, const mjtNum dir[3]) {
  int best = c->vertex >= 0 ? c->vertex : 0;
  mjtNum most = vertexAlong(vertex, best, dir);
  for (int i = 0; i < nvertex; i++) {
    mjtNum along = vertexAlong(vertex, i, dir);
    if (along > most) {
      most = along;
      best = i;
    }
  }
  return best;
}

// The best of some nodes that lie all over the hull, to climb from: from any one node of a large hull, most of the
// first climb only goes around the hull.
static int startNode(const float* vertex, const int* global, int nnode, const mjtNum dir[3]) {
  int best = 0;
  mjtNum most = vertexAlong(vertex, global[0], dir);
  for (int i = 1; i < START_NODES; i++) {
    int node = (int)((long)i * nnode / START_NODES);
    mjtNum along = vertexAlong(vertex, global[node], dir);
    if (along > most) {
      most = along;
      best = node;
    }
  }
  return best;
}

// climb along the edges of the hull from the last node. The graph: numbers of nodes and faces,
// start of each node's edges, vertex of each node, then edges as lists of nodes that end with -1.
static int climb(mjiConvex* c, const float* vertex, const int* graph, const mjtNum dir[3]) {
  int nnode = graph[0], large = nnode >= LARGE_HULL;
  const int *start = graph + 2, *global = start + nnode, *edge = global + nnode;
  int best = c->node >= 0 ? c->node : large ? startNode(vertex, global, nnode, dir) : 0, last;
  mjtNum most = vertexAlong(vertex, global[best], dir);
  do {
    last = best;
    for (const int* e = edge + start[last]; *e >= 0; e++) {
      mjtNum along = vertexAlong(vertex, global[*e], dir);
      if (along <= most) continue;
      most = along;
      best = *e;
      if (large) break;  // go at once: to look for the best neighbour costs half as much again
    }
  } while (best != last);
  c->node = best;
  c->large = large;
  return global[best];
}

static void supportMesh(mjtNum point[3], mjiConvex* c, const mjtNum dir[3]) {
  const mjModel* m = c->shape->m;
  int mesh = m->geom_dataid[c->shape->geom];
  const float* vertex = m->mesh_vert + 3 * m->mesh_vertadr[mesh];
  int nvertex = m->mesh_vertnum[mesh], graphadr = m->mesh_graphadr[mesh];
  mjtNum local[3];
  rotateBack3(local, c->shape->mat, dir);
  if (graphadr < 0 || (nvertex < HILLCLIMB_MIN && !c->climb)) {
    c->vertex = searchAll(c, vertex, nvertex, local);
  } else {
    c->vertex = climb(c, vertex, m->mesh_graph + graphadr, local);
  }
  const float* v = vertex + 3 * c->vertex;
  set3(local, v[0], v[1], v[2]);
  place(point, c, local, dir);
}

// ---- elements of flexes

static void supportElement(mjtNum point[3], mjiConvex* c, const mjtNum dir[3]) {
  const mjiShape* shape = c->shape;
  mjtNum local[3];
  rotateBack3(local, shape->mat, dir);
  int best = 0;
  mjtNum most = dot3(shape->corner[0], local);
  for (int i = 1; i < shape->ncorner; i++) {
    mjtNum along = dot3(shape->corner[i], local);
    if (along > most) {
      most = along;
      best = i;
    }
  }
  place(point, c, shape->corner[best], dir);
}

// grow the corners by the radius; the center is that of the box around them
static void initElement(mjiConvex* c) {
  const mjiShape* shape = c->shape;
  c->support = supportElement;
  c->inflate += shape->size[0];
  mjtNum middle[3], placed[3];
  for (int k = 0; k < 3; k++) {
    mjtNum lo = shape->corner[0][k], hi = lo;
    for (int i = 1; i < shape->ncorner; i++) {
      lo = shape->corner[i][k] < lo ? shape->corner[i][k] : lo;
      hi = shape->corner[i][k] > hi ? shape->corner[i][k] : hi;
    }
    middle[k] = 0.5 * (lo + hi);
  }
  rotate3(placed, shape->mat, middle);
  add3(c->center, placed, shape->pos);
}

// ---- choice

static const mjiSupportFunc supportOf[mjNGEOMTYPES] = {
    [mjGEOM_SPHERE] = supportSphere,     [mjGEOM_CAPSULE] = supportCapsule, [mjGEOM_ELLIPSOID] = supportEllipsoid,
    [mjGEOM_CYLINDER] = supportCylinder, [mjGEOM_BOX] = supportBox,         [mjGEOM_MESH] = supportMesh,
    [mjGEOM_SDF] = supportMesh,
};

void mji_support_init(mjiConvex* c, const mjiShape* shape, mjtNum inflate) {
  *c = (mjiConvex){.shape = shape, .inflate = inflate, .vertex = -1, .node = -1};
  if (shape->type == mjGEOM_FLEX) {
    initElement(c);
    return;
  }
  c->support = supportOf[shape->type];
  copy3(c->center, shape->pos);
}

void mji_support_prism(mjiConvex* c, const mjtNum (*prism)[3], mjtNum inflate) {
  *c = (mjiConvex){.support = supportPrism, .inflate = inflate, .vertex = -1, .node = -1, .prism = prism};
  for (int k = 0; k < 3; k++) {
    // middle between the lowest corner of the top and the bottom, over the center of the corners
    c->center[k] = 0;
    for (int i = 0; i < 6; i++) c->center[k] += prism[i][k] / 6;
  }
}

mjtNum mji_support_core(mjiConvex* c) {
  if (!c->shape) return 0;
  if (c->shape->type == mjGEOM_SPHERE) c->support = supportPoint;
  else if (c->shape->type == mjGEOM_CAPSULE) c->support = supportSegment;
  else return 0;
  mjtNum radius = c->shape->size[0] + c->inflate;
  return radius;
}

int mji_support_discrete(const mjiConvex* c) {
  return c->inflate == 0 &&
         (c->prism || c->shape->type == mjGEOM_BOX || c->shape->type == mjGEOM_MESH || c->shape->type == mjGEOM_SDF);
}
