// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Which parts of flexes may touch, and the contacts that they make.
//
// A plane touches vertices; other geoms touch elements, which the tree of boxes of the flex finds. Contacts come in the
// order of geoms, then of elements. Solids collide with their outer layers of elements only (flex_activelayers).

#include "collide/flex_collide.h"

#include <string.h>

#include "collide/contact.h"
#include "collide/flex_shape.h"
#include "collide/vec3.h"
#include "model/active.h"
#include "model/contact_side.h"
#include "model/work.h"

// ---- contacts

// one side of a contact: a geom, or an element or a vertex of a flex; what does not apply is -1
typedef struct {
  int geom, flex, elem, vert;
} Part;

static Part geomPart(int geom) { return (Part){geom, -1, -1, -1}; }
static Part elementPart(int flex, int elem) { return (Part){-1, flex, elem, -1}; }
static Part vertexPart(int flex, int vert) { return (Part){-1, flex, -1, vert}; }

static mjiContactSource source(const mjModel* m, Part p) {
  return p.geom >= 0 ? mji_contact_geom(m, p.geom) : mji_contact_flex(m, p.flex);
}

// largest margin of two sides
static mjtNum marginOf(const mjModel* m, Part a, Part b) {
  if (m->opt.enableflags & mjENBL_OVERRIDE) return m->opt.o_margin;
  mjtNum m1 = source(m, a).margin, m2 = source(m, b).margin;
  return m1 > m2 ? m1 : m2;
}

// Complete a frame from its normal. Without a wish for the second axis it is the y axis, or z where the normal is near
// y; a wish along the normal gives the x axis.
static void makeFrame(mjtNum frame[9], const mjiHit* hit) {
  mjtNum* y = frame + 3;
  copy3(frame, hit->normal);
  copy3(y, hit->tangent);
  if (dot3(y, y) < 0.25) set3(y, 0, fabs(frame[1]) < 0.5, fabs(frame[1]) >= 0.5);
  addScaled3(y, y, frame, -dot3(frame, y));
  normalize3(y);
  cross3(frame + 6, frame, y);
}

// mjContact.exclude of a passive contact (model/side_lanes.h)
enum { kPassive = 4 };

static int isPassive(const mjModel* m, Part p) { return p.flex >= 0 && m->flex_passive[p.flex]; }

// Why a contact has no rows: it is a passive force, or it is in the gap; 0 if it has rows.
static int excluded(const mjModel* m, Part a, Part b, mjtNum dist, mjtNum includemargin) {
  if (isPassive(m, a) || isPassive(m, b)) return kPassive;
  return dist >= includemargin;
}

// Does a contact act on a tree that sleeps, and on none that is awake?
static int sleeps(const mjModel* m, const mjData* d, const Part part[2], const mjtNum pos[3]) {
  int asleep = 0;
  for (int i = 0; i < 2; i++) {
    mjiSideRoom room;
    int parts[3] = {part[i].flex, part[i].elem, part[i].vert}, geom[2] = {part[i].geom, -1};
    mjiSide side = part[i].geom >= 0 ? mji_contactSide(m, geom, 0) : mji_flexSide(m, d, parts, pos, &room);
    for (int k = 0; k < side.n; k++) {
      int tree = m->body_treeid[side.body[k]];
      if (tree >= 0 && d->tree_awake[tree]) return 0;
      asleep |= tree >= 0;
    }
  }
  return asleep;
}

// add contacts; nonzero if there was no room
static int add(const mjModel* m, mjData* d, Part a, Part b, const mjiContactParam* param, const mjiHit* hit, int nhit) {
  int all = mji_allActive(m, d);
  for (int i = 0; i < nhit; i++) {
    if (!all && sleeps(m, d, (Part[2]){a, b}, hit[i].pos)) continue;
    mjContact* con = mji_contact_new(d);
    if (!con) return 1;
    con->dist = hit[i].dist;
    copy3(con->pos, hit[i].pos);
    makeFrame(con->frame, hit + i);
    memcpy(&con->includemargin, &param->includemargin, MJI_NCONTACTNUMBER * sizeof(mjtNum));
    con->dim = param->dim;
    con->geom1 = con->geom[0] = a.geom;
    con->geom2 = con->geom[1] = b.geom;
    con->flex[0] = a.flex;
    con->flex[1] = b.flex;
    con->elem[0] = a.elem;
    con->elem[1] = b.elem;
    con->vert[0] = a.vert;
    con->vert[1] = b.vert;
    con->exclude = excluded(m, a, b, hit[i].dist, param->includemargin);
    con->efc_address = -1;
  }
  return 0;
}

// add the contacts of two sides; nonzero if there was no room
static int record(const mjModel* m, mjData* d, Part a, Part b, const mjiHit* hit, int nhit) {
  if (!nhit) return 0;
  mjiContactParam param;
  mji_contact_mix(m, (mjiContactSource[2]){source(m, a), source(m, b)}, &param);
  if (a.flex >= 0 && a.flex == b.flex) param.includemargin = 0;  // there is no margin between parts of a flex
  return add(m, d, a, b, &param, hit, nhit);
}

// ---- filters

static int bitsMatch(int contype1, int conaffinity1, int contype2, int conaffinity2) {
  return (contype1 & conaffinity2) || (contype2 & conaffinity1);
}

static int geomMeetsFlex(const mjModel* m, int g, int f) {
  return bitsMatch(m->geom_contype[g], m->geom_conaffinity[g], m->flex_contype[f], m->flex_conaffinity[f]);
}

static int flexesMeet(const mjModel* m, int f, int g) {
  return bitsMatch(m->flex_contype[f], m->flex_conaffinity[f], m->flex_contype[g], m->flex_conaffinity[g]);
}

// body of a vertex; a flex with nodes has none
static int vertexBody(const mjModel* m, int f, int v) {
  return m->flex_interp[f] ? -1 : m->flex_vertbodyid[m->flex_vertadr[f] + v];
}

static const int* elementVertices(const mjModel* m, int f, int e) {
  return m->flex_elem + m->flex_elemdataadr[f] + (m->flex_dim[f] + 1) * e;
}

static int elementHasBody(const mjModel* m, int f, int e, int body) {
  const int* vert = elementVertices(m, f, e);
  for (int i = 0; i <= m->flex_dim[f]; i++) {
    if (vertexBody(m, f, vert[i]) == body) return 1;
  }
  return 0;
}

// does an element take part in contacts?
static int isActive(const mjModel* m, int f, int e) {
  return m->flex_dim[f] < 3 || m->flex_elemlayer[m->flex_elemadr[f] + e] < m->flex_activelayers[f];
}

// ---- boxes: center and half sizes

static int boxesTouch(const mjtNum a[6], const mjtNum b[6], mjtNum margin) {
  for (int k = 0; k < 3; k++) {
    if (fabs(a[k] - b[k]) > a[3 + k] + b[3 + k] + margin) return 0;
  }
  return 1;
}

static const mjtNum* elementBox(const mjModel* m, const mjData* d, int f, int e) {
  return d->flexelem_aabb + 6 * (m->flex_elemadr[f] + e);
}

// add the elements whose boxes touch a box, from node i of the tree of a flex on
static void findInTree(const mjModel* m, const mjData* d, int f, int i, const mjtNum box[6], mjtNum margin, int* elem,
                       int* n) {
  int at = m->flex_bvhadr[f] + i;
  if (!boxesTouch(d->bvh_aabb_dyn + 6 * (at - m->nbvhstatic), box, margin)) return;
  if (m->bvh_nodeid[at] >= 0) {
    elem[(*n)++] = m->bvh_nodeid[at];
    return;
  }
  for (int k = 0; k < 2; k++) findInTree(m, d, f, m->bvh_child[2 * at + k], box, margin, elem, n);
}

// Elements of a flex whose boxes touch a box, ascending; returns how many. A byte for each element marks those that
// were found, so that none has to be sorted.
static int findElements(const mjModel* m, mjData* d, int f, const mjtNum box[6], mjtNum margin, int* elem) {
  int n = 0, nelem = m->flex_elemnum[f];
  if (m->flex_bvhadr[f] < 0) {
    for (int e = 0; e < nelem; e++) {
      if (boxesTouch(elementBox(m, d, f, e), box, margin)) elem[n++] = e;
    }
    return n;
  }
  findInTree(m, d, f, 0, box, margin, elem, &n);
  mj_markStack(d);
  mjtByte* found = mj_stackAllocByte(d, (size_t)nelem + 1, 1);
  memset(found, 0, (size_t)nelem);
  for (int i = 0; i < n; i++) found[elem[i]] = 1;
  n = 0;
  for (int e = 0; e < nelem; e++) {
    if (found[e]) elem[n++] = e;
  }
  mj_freeStack(d);
  return n;
}

// ---- geoms

// vertices below a plane
static int collidePlane(const mjModel* m, mjData* d, int g, int f) {
  Part plane = geomPart(g);
  mjtNum margin = marginOf(m, plane, elementPart(f, 0)), radius = m->flex_radius[f], normal[3], offset[3];
  axis3(normal, d->geom_xmat + 9 * g, 2);
  for (int v = 0; v < m->flex_vertnum[f]; v++) {
    if (vertexBody(m, f, v) == m->geom_bodyid[g]) continue;
    const mjtNum* x = d->flexvert_xpos + 3 * (m->flex_vertadr[f] + v);
    sub3(offset, x, d->geom_xpos + 3 * g);
    mjiHit hit = {.dist = dot3(offset, normal) - radius};
    if (hit.dist > margin) continue;
    copy3(hit.normal, normal);
    addScaled3(hit.pos, x, normal, -(radius + 0.5 * hit.dist));
    if (record(m, d, plane, vertexPart(f, v), &hit, 1)) return 1;
  }
  return 0;
}

// box around the bounding sphere of a geom; one without a sphere has no bounds
static void geomBox(const mjModel* m, const mjData* d, int g, mjtNum box[6]) {
  mjtNum reach = m->geom_rbound[g] > 0 ? m->geom_rbound[g] : mjMAXVAL;
  copy3(box, d->geom_xpos + 3 * g);
  set3(box + 3, reach, reach, reach);
}

static int collideGeom(const mjModel* m, mjData* d, int g, int f) {
  if (m->geom_type[g] == mjGEOM_PLANE) return collidePlane(m, d, g, f);
  mjtNum margin = marginOf(m, geomPart(g), elementPart(f, 0)), box[6];
  geomBox(m, d, g, box);
  mj_markStack(d);
  int* elem = mj_stackAllocInt(d, (size_t)m->flex_elemnum[f] + 1);
  int n = findElements(m, d, f, box, margin, elem), full = 0;
  mjiShape shape;
  mji_pair_shape(&shape, m, d, g);
  for (int i = 0; i < n && !full; i++) {
    if (!isActive(m, f, elem[i]) || elementHasBody(m, f, elem[i], m->geom_bodyid[g])) continue;
    mjiElement element;
    mjiHit hit[mjMAXCONPAIR];
    mji_flex_element(&element, m, d, f, elem[i]);
    int nhit = mji_flex_geomElement(hit, &shape, &element, margin);
    full = record(m, d, geomPart(g), elementPart(f, elem[i]), hit, nhit);
  }
  mj_freeStack(d);
  return full;
}

int mji_flex_collideBody(const mjModel* m, mjData* d, int body) {
  for (int f = 0; f < m->nflex; f++) {
    for (int g = m->body_geomadr[body]; g < m->body_geomadr[body] + m->body_geomnum[body]; g++) {
      if (geomMeetsFlex(m, g, f) && collideGeom(m, d, g, f)) return 1;
    }
  }
  return 0;
}

// ---- elements of two flexes, or of one

static int collideElements(const mjModel* m, mjData* d, int f, int e, int g, int h, mjtNum margin) {
  mjiElement a, b;
  mjiHit hit[mjMAXCONPAIR];
  mji_flex_element(&a, m, d, f, e);
  mji_flex_element(&b, m, d, g, h);
  return record(m, d, elementPart(f, e), elementPart(g, h), hit, mji_flex_elements(hit, &a, &b, margin));
}

// do two elements share a body?
static int elementsShareBody(const mjModel* m, int f, int e, int g, int h) {
  const int* vert = elementVertices(m, f, e);
  for (int i = 0; i <= m->flex_dim[f]; i++) {
    int body = vertexBody(m, f, vert[i]);
    if (body >= 0 && elementHasBody(m, g, h, body)) return 1;
  }
  return 0;
}

// elements of flex f with those of flex g, in the order of both
static int collideFlexes(const mjModel* m, mjData* d, int f, int g) {
  mjtNum margin = marginOf(m, elementPart(f, 0), elementPart(g, 0));
  mj_markStack(d);
  int* elem = mj_stackAllocInt(d, (size_t)m->flex_elemnum[g] + 1);
  int full = 0;
  for (int e = 0; e < m->flex_elemnum[f] && !full; e++) {
    if (!isActive(m, f, e)) continue;
    int n = findElements(m, d, g, elementBox(m, d, f, e), margin, elem);
    for (int i = 0; i < n && !full; i++) {
      if (!isActive(m, g, elem[i]) || elementsShareBody(m, f, e, g, elem[i])) continue;
      full = collideElements(m, d, f, e, g, elem[i], margin);
    }
  }
  mj_freeStack(d);
  return full;
}

// ---- a flex with itself, without a margin: which pairs of elements, and in which order, depends on flex_selfcollide

// two elements that share no body and take part
static int visitOwn(const mjModel* m, mjData* d, int f, int e, int h) {
  if (!isActive(m, f, e) || !isActive(m, f, h) || elementsShareBody(m, f, e, f, h)) return 0;
  if (!boxesTouch(elementBox(m, d, f, e), elementBox(m, d, f, h), 0)) return 0;
  return collideElements(m, d, f, e, f, h, 0);
}

static int collideOwnAll(const mjModel* m, mjData* d, int f) {
  for (int e = 0; e < m->flex_elemnum[f]; e++) {
    for (int h = e + 1; h < m->flex_elemnum[f]; h++) {
      if (visitOwn(m, d, f, e, h)) return 1;
    }
  }
  return 0;
}

// A number that decides which of two boxes is divided. It takes center and half sizes for two corners; the order of
// contacts depends on that, so it is kept as in the reference.
static mjtNum divided(const mjtNum box[6]) {
  mjtNum x = box[3] - box[0], y = box[4] - box[1], z = box[5] - box[2];
  return x * y + y * z + z * x;
}

// nodes a and b of the tree of a flex, and what is below them; last children first
static int collideNodes(const mjModel* m, mjData* d, int f, int a, int b) {
  const mjtNum* box = d->bvh_aabb_dyn + 6 * (m->flex_bvhadr[f] - m->nbvhstatic);
  const int *node = m->bvh_nodeid + m->flex_bvhadr[f], *child = m->bvh_child + 2 * m->flex_bvhadr[f];
  if (!boxesTouch(box + 6 * a, box + 6 * b, 0)) return 0;
  int leafA = node[a] >= 0, leafB = node[b] >= 0;
  if (leafA && leafB) return a != b && visitOwn(m, d, f, node[a], node[b]);
  if (a == b) {
    const int* c = child + 2 * a;
    return collideNodes(m, d, f, c[1], c[1]) || collideNodes(m, d, f, c[0], c[1]) || collideNodes(m, d, f, c[0], c[0]);
  }
  if (leafB || (!leafA && divided(box + 6 * a) > divided(box + 6 * b))) {
    return collideNodes(m, d, f, child[2 * a + 1], b) || collideNodes(m, d, f, child[2 * a], b);
  }
  return collideNodes(m, d, f, a, child[2 * b + 1]) || collideNodes(m, d, f, a, child[2 * b]);
}

// an end of the interval that an element covers on the axis of the sweep
typedef struct {
  float at;
  int elem, isEnd;
} End;

// sort by place; ends at the same place stay in their order
static void sortEnds(End* end, End* scratch, int n) {
  if (n < 2) return;
  int half = n / 2;
  sortEnds(end, scratch, half);
  sortEnds(end + half, scratch, n - half);
  memcpy(scratch, end, (size_t)half * sizeof *end);
  for (int i = 0, j = half, k = 0; i < half; k++) end[k] = j < n && end[j].at < scratch[i].at ? end[j++] : scratch[i++];
}

// sweep along the longest axis of the box around the flex
static int collideSweep(const mjModel* m, mjData* d, int f) {
  int n = 0, nopen = 0, full = 0, nelem = m->flex_elemnum[f], axis = 0;
  const mjtNum* root = d->bvh_aabb_dyn + 6 * (m->flex_bvhadr[f] - m->nbvhstatic) + 3;
  for (int k = 1; k < 3; k++) axis = root[k] > root[axis] ? k : axis;
  mj_markStack(d);
  End* end = mj_stackAllocByte(d, 3 * (size_t)nelem * sizeof(End), _Alignof(End));
  int* open = mj_stackAllocInt(d, (size_t)nelem);
  for (int e = 0; e < nelem; e++) {
    if (!isActive(m, f, e)) continue;
    const mjtNum* box = elementBox(m, d, f, e);
    end[n++] = (End){(float)(box[axis] - box[3 + axis]), e, 0};
    end[n++] = (End){(float)(box[axis] + box[3 + axis]), e, 1};
  }
  sortEnds(end, end + 2 * nelem, n);
  for (int i = 0; i < n && !full; i++) {
    if (!end[i].isEnd) {
      for (int k = 0; k < nopen && !full; k++) full = visitOwn(m, d, f, open[k], end[i].elem);
      open[nopen++] = end[i].elem;
      continue;
    }
    int k = 0;
    while (k < nopen && open[k] != end[i].elem) k++;
    if (k == nopen) continue;  // an interval so short that both ends have one place
    memmove(open + k, open + k + 1, (size_t)(nopen - k - 1) * sizeof *open);
    nopen--;
  }
  mj_freeStack(d);
  return full;
}

static int collideOwn(const mjModel* m, mjData* d, int f) {
  int mode = m->flex_selfcollide[f];
  if (mode == mjFLEXSELF_AUTO) mode = m->flex_dim[f] == 3 ? mjFLEXSELF_BVH : mjFLEXSELF_SAP;
  if (mode == mjFLEXSELF_NARROW || mjDISABLED(mjDSBL_MIDPHASE) || m->flex_bvhadr[f] < 0) {
    return collideOwnAll(m, d, f);
  }
  return mode == mjFLEXSELF_BVH ? collideNodes(m, d, f, 0, 0) : collideSweep(m, d, f);
}

// ---- inside of a flex: contacts without a margin

// a vertex with an element that does not have it
static int collideVertex(const mjModel* m, mjData* d, int f, int v, int e, const mjiContactParam* param) {
  mjiElement ball, element;
  mjiHit hit[mjMAXCONPAIR];
  mji_flex_ball(&ball, m, d, f, v);
  mji_flex_element(&element, m, d, f, e);
  int n = mji_flex_geomElement(hit, &ball.shape, &element, 0);
  return add(m, d, vertexPart(f, v), elementPart(f, e), param, hit, n);
}

// Vertices of a tetrahedron, without friction, that are nearer to the opposite face than the two radii, or beyond it.
static int collideInside(const mjModel* m, mjData* d, int f, int e, const mjiContactParam* param) {
  static const int face[4][4] = {{0, 1, 2, 3}, {0, 2, 3, 1}, {0, 3, 1, 2}, {1, 3, 2, 0}};  // the last is opposite
  const int* vert = elementVertices(m, f, e);
  const mjtNum* x[4];
  for (int i = 0; i < 4; i++) x[i] = d->flexvert_xpos + 3 * (m->flex_vertadr[f] + vert[i]);
  for (int i = 0; i < 4; i++) {
    const int* at = face[i];
    mjtNum side[2][3], offset[3];
    mjiHit hit = {0};
    sub3(side[0], x[at[1]], x[at[0]]);
    sub3(side[1], x[at[2]], x[at[0]]);
    sub3(offset, x[at[3]], x[at[0]]);
    cross3(hit.normal, side[1], side[0]);
    normalize3(hit.normal);
    mjtNum height = dot3(offset, hit.normal);
    hit.dist = height - 2 * m->flex_radius[f];
    if (hit.dist > 0) continue;
    addScaled3(hit.pos, x[at[3]], hit.normal, -0.5 * height);
    if (add(m, d, elementPart(f, e), vertexPart(f, vert[at[3]]), param, &hit, 1)) return 1;
  }
  return 0;
}

static int collideInternal(const mjModel* m, mjData* d, int f) {
  mjiContactSource s = mji_contact_flex(m, f);
  mjiContactParam param;
  mji_contact_mix(m, (mjiContactSource[2]){s, s}, &param);
  param.includemargin = 0;
  for (int i = m->flex_evpairadr[f]; i < m->flex_evpairadr[f] + m->flex_evpairnum[f]; i++) {
    const int* pair = m->flex_evpair + 2 * i;
    if (collideVertex(m, d, f, pair[1], pair[0], &param)) return 1;
  }
  param.dim = 1;
  for (int e = 0; e < m->flex_elemnum[f] && m->flex_dim[f] == 3; e++) {
    if (collideInside(m, d, f, e, &param)) return 1;
  }
  return 0;
}

int mji_flex_collideFlexes(const mjModel* m, mjData* d) {
  for (int f = 0; f < m->nflex; f++) {
    for (int g = f + 1; g < m->nflex; g++) {
      if (flexesMeet(m, f, g) && collideFlexes(m, d, f, g)) return 1;
    }
  }
  for (int f = 0; f < m->nflex; f++) {
    if (m->flex_rigid[f] || !flexesMeet(m, f, f)) continue;
    if (m->flex_internal[f] && collideInternal(m, d, f)) return 1;
    if (m->flex_selfcollide[f] != mjFLEXSELF_NONE && collideOwn(m, d, f)) return 1;
  }
  return 0;
}
