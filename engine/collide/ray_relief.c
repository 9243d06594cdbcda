// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Rays of one state against height fields.
//
// A ray walks over the rows of cells under it, and in each row over the columns, the nearer ones first. Where the
// largest heights of tiles are known, it walks over tiles first, and only over the cells of those that it enters.
// Rounding can only make it look at more cells: what it hits first does not depend on tiles.

#include "collide/ray_relief.h"

#include "collide/ray_triangle.h"

void mji_relief_init(mjiRelief* relief, const mjModel* m, int geomid) {
  int id = m->geom_dataid[geomid];
  const mjtNum* size = m->hfield_size + 4 * id;
  *relief =
      (mjiRelief){m->hfield_data + m->hfield_adr[id], size, m->hfield_nrow[id], m->hfield_ncol[id], NULL, size[2]};
}

static void fieldPoint(mjtNum p[3], const mjiRelief* f, int row, int col) {
  set3(p, 2 * f->size[0] / (f->ncol - 1) * col - f->size[0], 2 * f->size[1] / (f->nrow - 1) * row - f->size[1],
       (mjtNum)f->height[row * f->ncol + col] * f->size[2]);
}

static mjtNum rayCell(const Ray* ray, const mjiRelief* f, int row, int col) {
  mjtNum p[2][2][3];
  for (int i = 0; i < 4; i++) fieldPoint(p[i / 2][i % 2], f, row + i / 2, col + i % 2);
  return nearer(rayTriangle(ray, p[0][0], p[1][1], p[1][0]), rayTriangle(ray, p[0][0], p[1][1], p[0][1]));
}

// ---- the walk

// which rows or columns, from `first` to `end` - 1
typedef struct {
  int first, end;
} Span;

// squares of `side` x `side` cells: their rows and columns
typedef struct {
  int side;
  Span row, col;
} Grid;

static mjtNum squareSize(const mjiRelief* f, const Grid* g, int k) {
  return g->side * (2 * f->size[k] / ((k ? f->nrow : f->ncol) - 1));
}

// nearest of lo .. hi; NaN gives lo
static int cellIndex(mjtNum x, int lo, int hi) { return !(x > lo) ? lo : x > hi ? hi : (int)x; }

// squares of a span along axis k that the ray passes over between lo and hi, and one more on either side
static Span squaresBetween(const Ray* ray, const mjiRelief* f, const Grid* g, int k, mjtNum lo, mjtNum hi) {
  Span all = k ? g->row : g->col;
  mjtNum scale = 1 / squareSize(f, g, k);
  mjtNum a = (ray->p[k] + lo * ray->v[k] + f->size[k]) * scale;
  mjtNum b = (ray->p[k] + hi * ray->v[k] + f->size[k]) * scale;
  return (Span){cellIndex(floor(least(a, b)) - 1, all.first, all.end),
                cellIndex(floor(most(a, b)) + 2, all.first, all.end)};
}

// row or column i of a span, in the direction of the ray
static int inTurn(const Ray* ray, Span span, int k, int i) { return ray->v[k] < 0 ? span.end - 1 - i : span.first + i; }

// part a .. b of the ray over a row or a column
static void overSquare(const Ray* ray, const mjiRelief* f, const Grid* g, int k, int i, mjtNum* a, mjtNum* b) {
  mjtNum size = squareSize(f, g, k), from = size * i - f->size[k], slack = mji_relief_slack(f->size);
  clipRay(ray, k, from - slack, from + size + slack, a, b);
}

// the lowest and highest point of a cell; how low a tile is, nobody knows
static void heights(const mjiRelief* f, const Grid* g, int row, int col, mjtNum* low, mjtNum* high) {
  if (g->side > 1) {
    *low = -mjMAXVAL;
    *high = f->tile[row * mji_relief_ntile(f->ncol) + col] * f->size[2];
    return;
  }
  const float *h = f->height + row * f->ncol + col, *next = h + f->ncol;
  *low = least(least(h[0], h[1]), least(next[0], next[1])) * f->size[2];
  *high = most(most(h[0], h[1]), most(next[0], next[1])) * f->size[2];
}

// whether the ray passes a square at its height between a and b
static int meetsSquare(const Ray* ray, const mjiRelief* f, const Grid* g, int row, int col, mjtNum a, mjtNum b) {
  overSquare(ray, f, g, 0, col, &a, &b);
  if (a > b) return 0;
  mjtNum from = ray->p[2] + a * ray->v[2], to = ray->p[2] + b * ray->v[2], slack = mji_relief_slack(f->size), low, high;
  heights(f, g, row, col, &low, &high);
  return most(from, to) >= low - slack && least(from, to) <= high + slack;
}

static mjtNum walk(const Ray* ray, const mjiRelief* f, const Grid* g, mjtNum lo, mjtNum hi, mjtNum best);

static mjtNum raySquare(const Ray* ray, const mjiRelief* f, const Grid* g, int row, int col, mjtNum a, mjtNum b,
                        mjtNum best) {
  if (g->side == 1) return nearer(best, rayCell(ray, f, row, col));
  Grid cells = {1, {row * g->side, (row + 1) * g->side}, {col * g->side, (col + 1) * g->side}};
  if (cells.row.end > f->nrow - 1) cells.row.end = f->nrow - 1;
  if (cells.col.end > f->ncol - 1) cells.col.end = f->ncol - 1;
  return walk(ray, f, &cells, a, b, best);
}

// over the squares under the part lo .. hi of the ray, as long as they come before the nearest hit
static mjtNum walk(const Ray* ray, const mjiRelief* f, const Grid* g, mjtNum lo, mjtNum hi, mjtNum best) {
  Span rows = squaresBetween(ray, f, g, 1, lo, hi);
  for (int i = 0; i < rows.end - rows.first; i++) {
    mjtNum a = lo, b = best < 0 ? hi : least(hi, best);
    int row = inTurn(ray, rows, 1, i);
    overSquare(ray, f, g, 1, row, &a, &b);
    if (a > b) continue;
    Span cols = squaresBetween(ray, f, g, 0, a, b);
    for (int j = 0; j < cols.end - cols.first; j++) {
      int col = inTurn(ray, cols, 0, j);
      if (meetsSquare(ray, f, g, row, col, a, b)) best = raySquare(ray, f, g, row, col, a, b, best);
    }
  }
  return best;
}

static mjtNum raySurface(const Ray* ray, const mjiRelief* f, mjtNum lo, mjtNum hi, mjtNum best) {
  Grid cells = {1, {0, f->nrow - 1}, {0, f->ncol - 1}};
  Grid tiles = {MJI_TILE, {0, mji_relief_ntile(f->nrow)}, {0, mji_relief_ntile(f->ncol)}};
  return walk(ray, f, f->tile ? &tiles : &cells, lo, hi, best);
}

// ---- walls

// height of the surface on its boundary, at coordinate t of axis k; `positive` selects the end of the other
// axis
static mjtNum boundaryHeight(const mjiRelief* f, int k, int positive, mjtNum t) {
  int n = k ? f->nrow : f->ncol;
  int stride = k ? f->ncol : 1;
  int start = k ? (positive ? f->ncol - 1 : 0) : positive ? (f->nrow - 1) * f->ncol : 0;
  if (n < 2) return f->height[start] * f->size[2];
  mjtNum at = (t + f->size[k]) / (2 * f->size[k]) * (n - 1);
  int i = cellIndex(at, 0, n - 2);
  mjtNum z0 = f->height[start + i * stride], z1 = f->height[start + (i + 1) * stride];
  return ((1 - (at - i)) * z0 + (at - i) * z1) * f->size[2];
}

// the four walls between the base and the surface
static mjtNum rayWalls(const Ray* ray, const mjiRelief* f) {
  mjtNum best = -1;
  for (int k = 0; k < 2; k++) {
    if (fabs(ray->v[k]) <= mjMINVAL) continue;
    for (int side = -1; side <= 1; side += 2) {
      mjtNum x = (side * f->size[k] - ray->p[k]) / ray->v[k];
      mjtNum t = ray->p[1 - k] + x * ray->v[1 - k], z = ray->p[2] + x * ray->v[2];
      if (x < 0 || fabs(t) > f->size[1 - k] || z < 0) continue;
      if (z <= boundaryHeight(f, 1 - k, side > 0, t)) best = nearer(best, x);
    }
  }
  return best;
}

// ---- all of a field

mjtNum mji_rayRelief(const mjiRelief* f, const mjtNum p[3], const mjtNum v[3], mjtNum best, mjiRayHit* hit) {
  Ray ray = bareRay(p, v);
  mjtNum lo = 0, hi = best < 0 ? mjMAXVAL : best, slack = mji_relief_slack(f->size);
  for (int k = 0; k < 2; k++) clipRay(&ray, k, -f->size[k] - slack, f->size[k] + slack, &lo, &hi);
  clipRay(&ray, 2, -slack, f->top + slack, &lo, &hi);
  if (!(lo <= hi)) return best;
  lookAcross(&ray);
  ray.hit = hit;
  return nearer(raySurface(&ray, f, lo, hi, best), rayWalls(&ray, f));
}

mjtNum mji_rayHfield(const mjModel* m, const mjData* d, int geomid, const mjtNum pnt[3], const mjtNum vec[3],
                     mjtNum best, mjiRayHit* hit) {
  if (m->geom_type[geomid] != mjGEOM_HFIELD) {
    mju_error("mj_rayHfield: geom %d is not a height field", geomid);
  }
  static const mjtNum eye[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  mjtNum size[3], center[3], offset[3], p[3], v[3];
  mjiRelief relief;
  mji_relief_init(&relief, m, geomid);
  if (hit) *hit = (mjiRayHit){-1, {0}};
  sub3(offset, pnt, d->geom_xpos + 3 * geomid);
  rotateBack3(p, d->geom_xmat + 9 * geomid, offset);
  rotateBack3(v, d->geom_xmat + 9 * geomid, vec);
  mji_relief_base(size, center, relief.size);
  best = nearer(best, mju_rayGeom(center, eye, size, p, v, mjGEOM_BOX));
  return mji_rayRelief(&relief, p, v, best, hit);
}

mjtNum mj_rayHfield(const mjModel* m, const mjData* d, int geomid, const mjtNum pnt[3], const mjtNum vec[3]) {
  return mji_rayHfield(m, d, geomid, pnt, vec, -1, NULL);
}
