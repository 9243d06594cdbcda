// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// More contacts of two polytopes (mjENBL_MULTICCD): a face or edge of one lies flat on a face of
// the other. The face of the second shape, or the edge of either, is clipped against the sides of
// the face it lies on. All contacts have the depth and normal of the first.

#include <string.h>

#include "collide/convex.h"
#include "collide/vec3.h"

enum { MAXPOLYGON = 100 };

// cosine between normals, and sine between edge and face, that still count as flat (1.6e-3)
static const mjtNum FACE_COS = 0.99999872;
static const mjtNum EDGE_SIN = 0.0016;

typedef struct Polygon_ {
  int n;
  mjtNum point[MAXPOLYGON][3];
} Polygon;

// ---- features

// box corners around each face: +x, -x, +y, -y, +z, -z; bit k of a corner is the sign of coordinate
// k
static const int boxFace[6][4] = {{5, 1, 3, 7}, {6, 2, 0, 4}, {3, 2, 6, 7}, {5, 4, 0, 1}, {4, 5, 7, 6}, {2, 3, 1, 0}};

static void worldPoint(mjtNum r[3], const mjiShape* shape, const mjtNum local[3]) {
  rotate3(r, shape->mat, local);
  add3(r, r, shape->pos);
}

static void meshPoint(mjtNum r[3], const mjiShape* shape, int id) {
  const mjModel* m = shape->m;
  const float* v = m->mesh_vert + 3 * (m->mesh_vertadr[m->geom_dataid[shape->geom]] + id);
  worldPoint(r, shape, (mjtNum[]){v[0], v[1], v[2]});
}

static void boxPoint(mjtNum r[3], const mjiShape* box, int id) {
  mjtNum local[3];
  for (int k = 0; k < 3; k++) local[k] = id >> k & 1 ? box->size[k] : -box->size[k];
  worldPoint(r, box, local);
}

static int boxPolygon(Polygon* poly, const mjiShape* box, const mjtNum dir[3]) {
  for (int face = 0; face < 6; face++) {
    if ((face % 2 ? -1 : 1) * dir[face / 2] < FACE_COS) continue;
    poly->n = 4;
    for (int i = 0; i < 4; i++) boxPoint(poly->point[i], box, boxFace[face][i]);
    return 1;
  }
  return 0;
}

static int meshPolygon(Polygon* poly, const mjiShape* shape, const mjtNum dir[3]) {
  const mjModel* m = shape->m;
  int mesh = m->geom_dataid[shape->geom], adr = m->mesh_polyadr[mesh];
  for (int i = adr; i < adr + m->mesh_polynum[mesh]; i++) {
    int n = m->mesh_polyvertnum[i];
    // a polygon without area has a normal that is too long or NaN
    mjtNum cosine = dot3(m->mesh_polynormal + 3 * i, dir);
    if (!(cosine >= FACE_COS && cosine < 2) || n > MAXPOLYGON / 2) continue;
    poly->n = n;
    for (int k = 0; k < n; k++) meshPoint(poly->point[k], shape, m->mesh_polyvert[m->mesh_polyvertadr[i] + k]);
    return 1;
  }
  return 0;
}

// the face of a shape that looks along dir; zero if there is none
static int facing(Polygon* poly, const mjiShape* shape, const mjtNum dir[3]) {
  mjtNum local[3];
  rotateBack3(local, shape->mat, dir);
  return shape->type == mjGEOM_BOX ? boxPolygon(poly, shape, local) : meshPolygon(poly, shape, local);
}

static int isFlat(const Polygon* edge, const mjtNum normal[3]) {
  mjtNum along[3];
  sub3(along, edge->point[1], edge->point[0]);
  normalize3(along);
  return fabs(dot3(along, normal)) < EDGE_SIN;
}

// find a flat edge that starts at a corner of a box
static int boxEdge(Polygon* edge, const mjiShape* box, int id, const mjtNum normal[3]) {
  boxPoint(edge->point[0], box, id);
  for (int k = 0; k < 3; k++) {
    boxPoint(edge->point[1], box, id ^ 1 << k);
    if (isFlat(edge, normal)) return 1;
  }
  return 0;
}

// find a flat edge that starts or ends at a vertex of a mesh, among the edges of the polygons around it
static int meshEdge(Polygon* edge, const mjiShape* shape, int id, const mjtNum normal[3]) {
  const mjModel* m = shape->m;
  int mesh = m->geom_dataid[shape->geom], vertex = m->mesh_vertadr[mesh] + id;
  const int* map = m->mesh_polymap + m->mesh_polymapadr[vertex];
  for (int i = 0; i < m->mesh_polymapnum[vertex]; i++) {
    int polygon = m->mesh_polyadr[mesh] + map[i], n = m->mesh_polyvertnum[polygon];
    const int* vert = m->mesh_polyvert + m->mesh_polyvertadr[polygon];
    int k = 0;
    while (k < n && vert[k] != id) k++;
    if (k == n) continue;
    meshPoint(edge->point[0], shape, id);
    meshPoint(edge->point[1], shape, vert[(k + 1) % n]);
    if (isFlat(edge, normal)) return 1;
  }
  return 0;
}

// the edge of the first (part 0) or second shape under the face of the difference; if one vertex is all there is, an
// edge from it that is flat
static int edgeOf(Polygon* poly, const mjiShape* shape, const mjiVertex v[3], int second, const mjtNum normal[3]) {
  poly->n = 0;
  for (int i = 0; i < 3; i++) {
    int id = second ? v[i].ib : v[i].ia, seen = 0;
    for (int k = 0; k < i; k++) seen |= id == (second ? v[k].ib : v[k].ia);
    if (!seen) copy3(poly->point[poly->n++], second ? v[i].b : v[i].a);
  }
  if (poly->n == 2) return isFlat(poly, normal);
  if (poly->n != 1) return 0;
  poly->n = 2;
  int id = second ? v[0].ib : v[0].ia;
  return shape->type == mjGEOM_BOX ? boxEdge(poly, shape, id, normal) : meshEdge(poly, shape, id, normal);
}

// ---- clipping

// cut off what is beyond the plane through p with outward normal n
static void cut(Polygon* poly, const mjtNum p[3], const mjtNum n[3]) {
  Polygon old = *poly;
  poly->n = 0;
  int last = old.n == 2 ? 1 : old.n;  // an edge is not closed
  for (int i = 0; i < old.n && poly->n < MAXPOLYGON - 2; i++) {
    const mjtNum *a = old.point[i], *b = old.point[(i + 1) % old.n];
    mjtNum ap[3], bp[3];
    sub3(ap, a, p);
    sub3(bp, b, p);
    mjtNum ha = dot3(ap, n), hb = dot3(bp, n);
    if (ha <= 0) copy3(poly->point[poly->n++], a);
    if (i >= last || (ha <= 0) == (hb <= 0)) continue;
    mjtNum along[3];
    sub3(along, b, a);
    addScaled3(poly->point[poly->n++], a, along, ha / (ha - hb));
  }
}

// cut by the planes on the sides of a face with the given normal, counterclockwise around it
static void cutByFace(Polygon* poly, const Polygon* face, const mjtNum normal[3]) {
  for (int i = 0; i < face->n; i++) {
    mjtNum side[3], out[3];
    sub3(side, face->point[(i + 1) % face->n], face->point[i]);
    cross3(out, side, normal);
    cut(poly, face->point[i], out);
  }
}

// the other way around, with the same first vertex
static void reverse(Polygon* poly) {
  for (int i = 1, j = poly->n - 1; i < j; i++, j--) {
    mjtNum t[3];
    copy3(t, poly->point[i]);
    copy3(poly->point[i], poly->point[j]);
    copy3(poly->point[j], t);
  }
}

// ---- four points are enough

static mjtNum distanceFromLine(const mjtNum p[3], const mjtNum a[3], const mjtNum b[3], const mjtNum normal[3]) {
  mjtNum ab[3], across[3], ap[3];
  sub3(ab, a, b);
  cross3(across, normal, ab);
  sub3(ap, a, p);
  return fabs(dot3(ap, across));
}

// keep the first point, the point farthest from it, the point farthest from their line, and the point that adds most to
// the triangle
static void pickFour(Polygon* poly, const mjtNum normal[3]) {
  int pick[4] = {0, 0, 0, 0};
  mjtNum most[4] = {0, 0, 0, 0};
  for (int k = 1; k < 4; k++) {
    for (int i = 0; i < poly->n; i++) {
      const mjtNum *p = poly->point[i], *a = poly->point[pick[0]], *b = poly->point[pick[1]], *c = poly->point[pick[2]];
      mjtNum far;
      if (k == 1) {
        far = dist3(p, a);
      } else if (k == 2) {
        far = distanceFromLine(p, a, b, normal);
      } else {
        mjtNum ac = distanceFromLine(p, a, c, normal), bc = distanceFromLine(p, b, c, normal);
        far = ac > bc ? ac : bc;
      }
      if (far > most[k]) {
        most[k] = far;
        pick[k] = i;
      }
    }
  }
  Polygon all = *poly;
  for (int k = 0; k < 4; k++) copy3(poly->point[k], all.point[pick[k]]);
  poly->n = 4;
}

int mji_convex_faces(mjiHit* hit, const mjiShape* a, const mjiShape* b, const mjiVertex face[3]) {
  Polygon first, second;
  mjtNum back[3];
  scale3(back, hit->normal, -1);
  int flat1 = facing(&first, a, hit->normal), flat2 = facing(&second, b, back);
  if (flat1 && flat2) {
    reverse(&second);
    cutByFace(&second, &first, hit->normal);
  } else if (flat1 && edgeOf(&second, b, face, 1, hit->normal)) {
    cutByFace(&second, &first, hit->normal);
  } else if (flat2 && edgeOf(&first, a, face, 0, hit->normal)) {
    Polygon edge = first;
    cutByFace(&edge, &second, back);
    second = edge;
  } else {
    return 1;
  }
  if (second.n < 2) return 1;
  if (second.n > 4) pickFour(&second, hit->normal);
  mjtNum half = -0.5 * hit[0].dist;
  for (int i = second.n - 1; i >= 0; i--) {
    hit[i] = hit[0];
    addScaled3(hit[i].pos, second.point[i], hit[0].normal, half);
  }
  return second.n;
}
