// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Where two boxes meet: clipping a parallelogram against a rectangle. box_box.c has the overview.

#include <string.h>

#include "collide/box_box.h"
#include "collide/vec3.h"

// a parallelogram: corner and two sides; nside < 2 makes it a segment or a point
typedef struct Quad_ {
  mjtNum corner[3];
  mjtNum side[2][3];
  int nside;
} Quad;

// the boundary as lines: through the corner, then through the far ends
static int boundary(mjtNum line[4][2][3], const Quad* quad) {
  if (!quad->nside) return 0;
  const mjtNum(*side)[3] = quad->side;
  copy3(line[0][0], quad->corner);
  copy3(line[0][1], side[0]);
  if (quad->nside == 1) return 1;
  copy3(line[1][0], quad->corner);
  copy3(line[1][1], side[1]);
  add3(line[2][0], quad->corner, side[0]);
  copy3(line[2][1], side[1]);
  add3(line[3][0], quad->corner, side[1]);
  copy3(line[3][1], side[0]);
  return 4;
}

// find the parameter t of a line at which coordinate q equals `at`; zero if the point is off the line or the rectangle
static int crossRect(mjtNum* t, const mjtNum line[2][3], const mjtNum rect[3], int q, mjtNum at) {
  if (fabs(line[1][q]) <= mjMINVAL) return 0;
  *t = (at - line[0][q]) / line[1][q];
  if (*t < 0 || *t > 1) return 0;
  return fabs(line[0][1 - q] + line[1][1 - q] * *t) <= rect[1 - q];
}

// coordinates of (x, y) along the sides of the quad, seen along z
static void sideCoordinates(mjtNum uv[2], const Quad* quad, mjtNum x, mjtNum y) {
  const mjtNum *s = quad->side[0], *t = quad->side[1];
  mjtNum det = s[0] * t[1] - t[0] * s[1];
  x -= quad->corner[0];
  y -= quad->corner[1];
  uv[0] = (x * t[1] - y * t[0]) / det;
  uv[1] = (y * s[0] - x * s[1]) / det;
}

static void quadPoint(mjtNum r[3], const Quad* quad, mjtNum u, mjtNum v) {
  for (int k = 0; k < 3; k++) {
    r[k] = quad->corner[k] + quad->side[0][k] * u + quad->side[1][k] * v;
  }
}

// ---- face against face

// the face of the box that looks down: its lowest corner and the sides that are flat enough
static void lowestFace(Quad* quad, const mjiFaceFrame* f, const mjtNum size[3]) {
  memset(quad, 0, sizeof *quad);
  copy3(quad->corner, f->pos);
  for (int k = 0; k < 3; k++) {
    mjtNum axis[3], up = f->rot[6 + k] < 0 ? 1 : -1;
    axis3(axis, f->rot, k);
    addScaled3(quad->corner, quad->corner, axis, up * size[k]);
    if (fabs(axis[2]) < 0.5) scale3(quad->side[quad->nside++], axis, -2 * up * size[k]);
  }
}

// add a point if it is low enough; the contact is half way to the rectangle
static void addLow(mjiPatch* patch, const mjtNum point[3], mjtNum margin) {
  if (point[2] > margin) return;
  copy3(patch->point[patch->n], point);
  patch->point[patch->n][2] *= 0.5;
  patch->dist[patch->n++] = point[2];
}

void mji_boxBox_facePatch(mjiPatch* patch, const mjiFaceFrame* f, const mjtNum size[3], mjtNum margin) {
  Quad quad;
  mjtNum line[4][2][3], point[3], t;
  const mjtNum* rect = f->rect;
  lowestFace(&quad, f, size);

  // sides of the quad where they cross the rectangle's boundary
  int nline = boundary(line, &quad);
  for (int i = 0; i < nline; i++) {
    for (int q = 0; q < 2; q++) {
      for (int end = -1; end <= 1; end += 2) {
        if (!crossRect(&t, line[i], rect, q, end * rect[q])) continue;
        addScaled3(point, line[i][0], line[i][1], t);
        addLow(patch, point, margin);
      }
    }
  }

  // corners of the rectangle inside of the quad
  for (int i = 0; i < 4 && quad.nside == 2; i++) {
    mjtNum uv[2], x = i / 2 ? rect[0] : -rect[0], y = i % 2 ? rect[1] : -rect[1];
    sideCoordinates(uv, &quad, x, y);
    if (uv[0] <= 0 || uv[1] <= 0 || uv[0] >= 1 || uv[1] >= 1) continue;
    quadPoint(point, &quad, uv[0], uv[1]);
    point[0] = x;
    point[1] = y;
    addLow(patch, point, margin);
  }

  // corners of the quad inside of the rectangle
  for (int i = 0; i < 1 << quad.nside; i++) {
    quadPoint(point, &quad, i & 1, i >> 1);
    if (fabs(point[0]) >= rect[0] || fabs(point[1]) >= rect[1]) {
      if (i) continue;  // the lowest corner always counts
    }
    addLow(patch, point, margin);
  }
}

// ---- edge against edge

// Choose the face beside an edge. It contains the edge and one more axis of the box: the axis along which the other
// box's edge, given in this box's frame, goes further.
static int acrossEdge(const mjtNum direction[3], int edge) {
  static const int others[3][2] = {{1, 2}, {0, 2}, {1, 0}};
  int p = others[edge][0], q = others[edge][1];
  return fabs(direction[p]) < fabs(direction[q]) ? q : p;
}

static void enterFaceBesideEdge(mjiFaceFrame* f, const mjiEdgePair* e, const mjtNum size1[3], const mjtNum pos21[3],
                                const mjtNum rot[9]) {
  mjtNum direction[3];
  axis3(direction, rot, e->axis2);
  int normal = 3 - e->axis1 - acrossEdge(direction, e->axis1);
  mji_boxBox_enterFace(f, size1, e->side1 >> normal & 1 ? normal : normal + 3, pos21, rot);
}

// face of the second box beside its edge, as a quad that starts on the edge and goes along `across`
static void faceBesideEdge(Quad* quad, const mjiFaceFrame* f, const mjtNum size[3], const mjiEdgePair* e, int across) {
  mjtNum axis[3];
  copy3(quad->corner, f->pos);
  for (int k = 0; k < 3; k++) {
    axis3(axis, f->rot, k);
    mjtNum sign = k == e->axis2 || e->side2 >> k & 1 ? 1 : -1;
    addScaled3(quad->corner, quad->corner, axis, sign * size[k]);
    if (k == e->axis2) scale3(quad->side[0], axis, -2 * size[k]);
    if (k == across) scale3(quad->side[1], axis, -2 * sign * size[k]);
  }
  quad->nside = 2;
}

// the quad moved along the normal into z = 0
static void projectQuad(Quad* flat, const Quad* quad, const mjtNum normal[3]) {
  addScaled3(flat->corner, quad->corner, normal, -quad->corner[2] / normal[2]);
  for (int i = 0; i < 2; i++) {
    addScaled3(flat->side[i], quad->side[i], normal, -quad->side[i][2] / normal[2]);
  }
  flat->nside = 2;
}

// contact half way between a point of the first box and one of the second
static void addMiddle(mjiPatch* patch, const mjtNum a[3], const mjtNum b[3], mjtNum dist) {
  mjtNum* point = patch->point[patch->n];
  add3(point, a, b);
  scale3(point, point, 0.5);
  patch->dist[patch->n++] = dist;
}

// the quad's boundary where its projection crosses the rectangle's; distance along the normal
static void addCrossings(mjiPatch* patch, const Quad* quad, const Quad* flat, const mjtNum rect[3], mjtNum stretch,
                         mjtNum margin) {
  mjtNum low[4][2][3], high[4][2][3], a[3], b[3], t;
  boundary(low, flat);
  boundary(high, quad);
  for (int i = 0; i < 4; i++) {
    for (int q = 0; q < 2; q++) {
      for (int end = -1; end <= 1; end += 2) {
        if (!crossRect(&t, low[i], rect, q, end * rect[q])) continue;
        addScaled3(b, high[i][0], high[i][1], t);
        if (b[2] * stretch > margin) continue;
        addScaled3(a, low[i][0], low[i][1], t);
        a[2] = 0;
        addMiddle(patch, a, b, b[2] * stretch);
      }
    }
  }
}

// add the corners of the rectangle under the quad; if no sides cross, also those beside it in one direction only
static void addRectCorners(mjiPatch* patch, const Quad* quad, const Quad* flat, const mjtNum rect[3], mjtNum margin) {
  int crossed = patch->n > 0;
  const mjtNum *s = flat->side[0], *t = flat->side[1];

  // Divide by the determinant of the sides until a corner lies under the quad, and by the squared distance of the last
  // such corner afterwards. A second corner then rarely passes. The reference divides like this, and we make the same
  // contacts.
  mjtNum divisor = s[0] * t[1] - t[0] * s[1];
  for (int i = 0; i < 4; i++) {
    mjtNum a[3] = {i / 2 ? rect[0] : -rect[0], i % 2 ? rect[1] : -rect[1], 0}, b[3];
    mjtNum x = a[0] - flat->corner[0], y = a[1] - flat->corner[1];
    mjtNum u = (x * t[1] - y * t[0]) / divisor, v = (y * s[0] - x * s[1]) / divisor;
    int outU = u < 0 || u > 1, outV = v < 0 || v > 1;
    if (crossed ? outU || outV : outU && outV) continue;
    quadPoint(b, quad, clip1(u, 0, 1), clip1(v, 0, 1));
    mjtNum dist = dist3(a, b);
    divisor = dist * dist;
    if (b[2] > 0 && dist > margin) continue;
    addMiddle(patch, a, b, b[2] < 0 ? -dist : dist);
  }
}

// add the corners of the quad over the rectangle; if no sides cross, also those beside it in one direction only, and
// all corners if nothing else was found
static void addQuadCorners(mjiPatch* patch, int crossed, const Quad* quad, const Quad* flat, const mjtNum rect[3],
                           mjtNum stretch, mjtNum margin) {
  int found = patch->n;
  for (int i = 0; i < 4; i++) {
    mjtNum a[3], b[3];
    quadPoint(a, flat, i & 1, i >> 1);
    quadPoint(b, quad, i & 1, i >> 1);
    int outX = fabs(a[0]) > rect[0], outY = fabs(a[1]) > rect[1];
    if (found && (crossed ? outX || outY : outX && outY)) continue;

    mjtNum height = b[2] * stretch, dist2 = height * height;
    for (int k = 0; k < 2; k++) {
      mjtNum inside = clip1(a[k], -rect[k], rect[k]);
      dist2 += (a[k] - inside) * (a[k] - inside);
      a[k] = inside;
    }
    a[2] = 0;
    mjtNum dist = __builtin_sqrt(dist2);
    if (b[2] > 0 && dist > margin) continue;
    addMiddle(patch, a, b, b[2] < 0 ? -dist : dist);
  }
}

void mji_boxBox_edgePatch(mjiPatch* patch, mjiFaceFrame* f, mjtNum normal[3], const mjiEdgePair* e,
                          const mjtNum size1[3], const mjtNum size2[3], const mjtNum pos21[3], const mjtNum rot[9],
                          mjtNum grow, mjtNum margin) {
  Quad quad = {0}, flat = {0};
  enterFaceBesideEdge(f, e, size1, pos21, rot);
  for (int k = 0; k < 2; k++) f->rect[k] *= grow;
  rotate3(normal, f->turn, e->normal);
  scale3(normal, normal, e->flip ? -1 : 1);
  if (fabs(normal[2]) < mjMINVAL) return;  // the face is seen from its side
  faceBesideEdge(&quad, f, size2, e, acrossEdge(rot + 3 * e->axis1, e->axis2));
  projectQuad(&flat, &quad, normal);

  mjtNum stretch = 1 / normal[2];  // length along the normal per height over the face
  addCrossings(patch, &quad, &flat, f->rect, stretch, margin);
  int crossed = patch->n > 0;
  addRectCorners(patch, &quad, &flat, f->rect, margin);
  addQuadCorners(patch, crossed, &quad, &flat, f->rect, stretch, margin);
}
