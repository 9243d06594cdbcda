// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "collide/support.h"

#include "collide/vec3.h"
#include "model/work.h"

// meshes with fewer vertices are searched completely, unless climbing is asked for
enum { HILLCLIMB_MIN = 10 };

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

// Climb along the edges of the hull. The graph: numbers of nodes and faces, start of each node's edges, vertex of each
// node, then edges as lists of nodes that end with -1.
static int climb(const mjiConvex* c, int node, const mjtNum dir[3]) {
  int nnode = c->graph[0], last;
  const int *start = c->graph + 2, *global = start + nnode, *edge = global + nnode;
  mjtNum most = vertexAlong(c->mesh, global[node], dir);
  do {
    last = node;
    for (const int* e = edge + start[last]; *e >= 0; e++) {
      mjtNum along = vertexAlong(c->mesh, global[*e], dir);
      if (!(along > most)) continue;
      most = along;
      node = *e;
    }
  } while (node != last);
  return node;
}

static void setNode(mjiConvex* c, int node) {
  c->node = node;
  c->vertex = c->graph[2 + c->graph[0] + node];
}

static void placeVertex(mjtNum point[3], const mjiConvex* c, const mjtNum dir[3]) {
  const float* v = c->mesh + 3 * c->vertex;
  place(point, c, (mjtNum[3]){v[0], v[1], v[2]}, dir);
}

// take the vertex that a climb over the layout ended at, unless the program has changed it: then climb the graph
static void setBlock(mjiConvex* c, const mjtNum local[3]) {
  const mjiHullBlock* b = c->hull->block + c->block;
  setNode(c, c->hull->node[c->block]);
  const float* v = c->mesh + 3 * c->vertex;
  if (b->x[0] != v[0] || b->y[0] != v[1] || b->z[0] != v[2]) setNode(c, climb(c, c->node, local));
}

static void supportBlock(mjtNum point[3], mjiConvex* c, const mjtNum local[3], const mjtNum dir[3]) {
  setBlock(c, local);
  placeVertex(point, c, dir);
}

// Find the block that a climb starts from; nonzero if it need not climb, because it is the farthest.
static int startBlock(mjiConvex* c, const mjtNum local[3]) {
  if (c->hull->start) {
    int cell = mji_hull_cell(local);
    c->block = c->hull->start[cell];
    if (c->block >= 0) return 0;
    c->block = mji_hull_ofCell(c->hull, cell, local);
    mji_hull_end();
    return 1;
  }
  int node = mji_hull_farthest(c->hull, local);
  mji_hull_end();
  if (node >= 0) c->block = c->hull->first[node];
  return node >= 0;
}

static void setFarthestNode(mjiConvex* c, const mjtNum local[3]) {
  if (!startBlock(c, local)) c->block = mji_hull_climb(c->hull->block, c->block, local);
  setBlock(c, local);
}

static void setFarthestOfAll(mjiConvex* c, const mjtNum local[3]) {
  const mjModel* m = c->shape->m;
  c->vertex = searchAll(c, c->mesh, m->mesh_vertnum[m->geom_dataid[c->shape->geom]], local);
}

static void supportMesh(mjtNum point[3], mjiConvex* c, const mjtNum dir[3]) {
  mjtNum local[3];
  rotateBack3(local, c->shape->mat, dir);
  if (c->hull) setFarthestNode(c, local);
  else if (c->graph) setNode(c, climb(c, c->node >= 0 ? c->node : 0, local));
  else setFarthestOfAll(c, local);
  placeVertex(point, c, dir);
}

// the farthest of all corners; where a climb would start is not far from it
static void supportCorners(mjtNum point[3], mjiConvex* c, const mjtNum dir[3]) {
  mjtNum local[3];
  rotateBack3(local, c->shape->mat, dir);
  startBlock(c, local);
  setNode(c, c->hull->node[c->block]);
  mjtNum most = vertexAlong(c->mesh, c->vertex, local);
  int farther = mji_hull_farthestCorner(&c->hull->corners, local, most);
  if (farther >= 0) {
    if (vertexAlong(c->mesh, farther, local) > most) c->vertex = farther;
    else setFarthestOfAll(c, local);  // the program has changed it
  }
  placeVertex(point, c, dir);
}

// Climb two hulls side by side: a step of a climb waits for the step before, so two take little longer than one.
static void climbBoth(mjiConvex* a, mjiConvex* b, const mjtNum local1[3], const mjtNum local2[3]) {
  int at1 = a->block, at2 = b->block;
  for (;;) {
    int next1 = mji_hull_step(a->hull->block, at1, local1), next2 = mji_hull_step(b->hull->block, at2, local2);
    if (next1 == at1 && next2 == at2) break;
    at1 = next1;
    at2 = next2;
  }
  mji_hull_end();
  a->block = at1;
  b->block = at2;
}

static void supportHulls(mjtNum point1[3], mjtNum point2[3], mjiConvex* a, mjiConvex* b, const mjtNum dir[3],
                         const mjtNum back[3]) {
  mjtNum local1[3], local2[3];
  rotateBack3(local1, a->shape->mat, dir);
  rotateBack3(local2, b->shape->mat, back);
  int found1 = startBlock(a, local1), found2 = startBlock(b, local2);
  if (!found1 && !found2) climbBoth(a, b, local1, local2);
  else if (!found1) a->block = mji_hull_climb(a->hull->block, a->block, local1);
  else if (!found2) b->block = mji_hull_climb(b->hull->block, b->block, local2);
  supportBlock(point1, a, local1, dir);
  supportBlock(point2, b, local2, back);
}

void LANE(supportBoth)(mjtNum point1[3], mjtNum point2[3], mjiConvex* a, mjiConvex* b, const mjtNum dir[3]) {
  mjtNum back[3];
  scale3(back, dir, -1);
  if (a->support == supportMesh && b->support == supportMesh && a->hull && b->hull) {
    supportHulls(point1, point2, a, b, dir, back);
  } else {
    a->support(point1, a, dir);
    b->support(point2, b, back);
  }
}

static void initMesh(mjiConvex* c) {
  const mjModel* m = c->shape->m;
  int mesh = m->geom_dataid[c->shape->geom], graphadr = m->mesh_graphadr[mesh];
  c->mesh = m->mesh_vert + 3 * m->mesh_vertadr[mesh];
  if (graphadr < 0 || m->mesh_vertnum[mesh] < HILLCLIMB_MIN) return;
  const mjiHull* hull = mji_planHulls(mji_plan(m)) + mesh;
  c->graph = m->mesh_graph + graphadr;
  c->dent = hull->tie;
  c->hull = hull->nblock ? hull : NULL;
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

void LANE(supportInit)(mjiConvex* c, const mjiShape* shape, mjtNum inflate) {
  *c = (mjiConvex){.shape = shape, .inflate = inflate, .vertex = -1, .node = -1};
  if (shape->type == mjGEOM_FLEX) {
    initElement(c);
    return;
  }
  c->support = supportOf[shape->type];
  copy3(c->center, shape->pos);
  if ((shape->type == mjGEOM_MESH || shape->type == mjGEOM_SDF) && shape->m->geom_dataid[shape->geom] >= 0) initMesh(c);
}

void LANE(supportPrism)(mjiConvex* c, const mjtNum (*prism)[3], mjtNum inflate) {
  *c = (mjiConvex){.support = supportPrism, .inflate = inflate, .vertex = -1, .node = -1, .prism = prism};
  for (int k = 0; k < 3; k++) {
    // middle between the lowest corner of the top and the bottom, over the center of the corners
    c->center[k] = 0;
    for (int i = 0; i < 6; i++) c->center[k] += prism[i][k] / 6;
  }
}

void LANE(supportAll)(mjiConvex* c) {
  c->vertex = c->node = -1;
  c->block = 0;
  if (!c->mesh) return;
  if (c->hull) c->support = supportCorners;
  else c->graph = NULL;
}

mjtNum LANE(supportCore)(mjiConvex* c) {
  if (!c->shape) return 0;
  if (c->shape->type == mjGEOM_SPHERE) c->support = supportPoint;
  else if (c->shape->type == mjGEOM_CAPSULE) c->support = supportSegment;
  else return 0;
  mjtNum radius = c->shape->size[0] + c->inflate;
  return radius;
}
