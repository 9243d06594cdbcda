// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Height field against a convex shape: each cell of the grid under the shape makes two triangular
// prisms, from the surface down to the base, and each prism is a convex shape of its own. All in
// the frame of the height field.

#include <string.h>

#include "collide/convex.h"
#include "collide/pair.h"
#include "collide/vec3.h"

typedef struct Grid_ {
  const float* height;  // nrow x ncol, in [0, 1]
  int nrow, ncol;
  const mjtNum* size;  // half sizes in x and y, elevation, depth of the base
  int row[2], col[2];  // part of the grid under the shape
} Grid;

// extent of the corners of an element along the axes; its radius does not count, as in the reference
static void cornerBounds(mjtNum lo[3], mjtNum hi[3], const mjiShape* shape) {
  for (int i = 0; i < shape->ncorner; i++) {
    mjtNum point[3];
    rotate3(point, shape->mat, shape->corner[i]);
    add3(point, point, shape->pos);
    for (int k = 0; k < 3; k++) {
      if (!i || point[k] < lo[k]) lo[k] = point[k];
      if (!i || point[k] > hi[k]) hi[k] = point[k];
    }
  }
}

// extent of the shape along the axes
static void bounds(mjtNum lo[3], mjtNum hi[3], const mjiShape* shape) {
  if (shape->type == mjGEOM_FLEX) {
    cornerBounds(lo, hi, shape);
    return;
  }
  mjiConvex c;
  mji_support_init(&c, shape, 0);
  for (int k = 0; k < 3; k++) {
    mjtNum dir[3] = {0, 0, 0}, point[3];
    dir[k] = 1;
    c.support(point, &c, dir);
    hi[k] = point[k];
    dir[k] = -1;
    c.support(point, &c, dir);
    lo[k] = point[k];
  }
}

// nearest indices of a grid with n points that are at most x and at least x; NaN gives 0
static int indexBefore(mjtNum x, int n) { return !(x > 0) ? 0 : x > n - 1 ? n - 1 : (int)x; }
static int indexAfter(mjtNum x, int n) {
  int i = indexBefore(x, n);
  return i < x && i < n - 1 ? i + 1 : i;
}

// the part of the grid under the shape; zero if there is none
static int cover(Grid* grid, const mjtNum lo[3], const mjtNum hi[3], mjtNum margin) {
  const mjtNum* size = grid->size;
  for (int k = 0; k < 2; k++) {
    if (lo[k] - margin > size[k] || hi[k] + margin < -size[k]) return 0;
  }
  if (lo[2] - margin > size[2] || hi[2] + margin < -size[3]) return 0;
  for (int k = 0; k < 2; k++) {
    int n = k ? grid->nrow : grid->ncol, *range = k ? grid->row : grid->col;
    mjtNum cells = (n - 1) / (2 * size[k]);
    range[0] = indexBefore((lo[k] + size[k]) * cells, n);
    range[1] = indexAfter((hi[k] + size[k]) * cells, n);
  }
  return 1;
}

// next grid point of a strip: the oldest edge of the prism goes, a new one comes
static void advance(mjtNum prism[6][3], const Grid* grid, int row, int col, mjtNum margin) {
  const mjtNum* size = grid->size;
  for (int i = 0; i < 2; i++) {
    copy3(prism[i], prism[i + 1]);
    copy3(prism[i + 3], prism[i + 4]);
  }
  mjtNum x = 2 * size[0] / (grid->ncol - 1) * col - size[0];
  mjtNum y = 2 * size[1] / (grid->nrow - 1) * row - size[1];
  mjtNum z = (mjtNum)grid->height[row * grid->ncol + col] * size[2];
  set3(prism[2], x, y, -size[3]);
  set3(prism[5], x, y, z + margin);
}

static int below(mjtNum prism[6][3], mjtNum z) { return prism[3][2] < z && prism[4][2] < z && prism[5][2] < z; }

static int collidePrisms(mjiHit* hit, const Grid* grid, const mjiShape* shape, mjtNum zmin, mjtNum margin) {
  mjtNum prism[6][3];
  int n = 0;
  memset(prism, 0, sizeof prism);
  for (int row = grid->row[0]; row < grid->row[1]; row++) {
    int npoint = 0;
    for (int col = grid->col[0]; col <= grid->col[1]; col++) {
      for (int i = 0; i < 2; i++) {
        advance(prism, grid, row + 1 - i, col, margin);
        if (++npoint < 3 || below(prism, zmin)) continue;
        mjiConvex a, b;
        mji_support_prism(&a, (const mjtNum(*)[3])prism, 0);
        mji_support_init(&b, shape, 0.5 * margin);
        n += mji_convex_penetrate(hit + n, shape->m, &a, &b, 0);
        if (n == mjMAXCONPAIR) return n;
      }
    }
  }
  return n;
}

// Is all of the surface under a box lower than it, or the box beside the field? Then no prism is as high as the box.
static int isOver(const Grid* field, const mjtNum lo[3], const mjtNum hi[3], mjtNum margin) {
  Grid grid = *field;
  if (!cover(&grid, lo, hi, margin)) return 1;
  for (int row = grid.row[0]; row <= grid.row[1]; row++) {
    for (int col = grid.col[0]; col <= grid.col[1]; col++) {
      mjtNum z = (mjtNum)grid.height[row * grid.ncol + col] * grid.size[2];
      if (!(z + margin < lo[2])) return 0;
    }
  }
  return 1;
}

// the same for the ball around a geom, which is known before its extent
static int ballIsOver(const Grid* grid, const mjiShape* field, const mjiShape* shape, mjtNum margin) {
  mjtNum radius = shape->geom < 0 ? 0 : shape->m->geom_rbound[shape->geom] * (1 + 1e-6);
  mjtNum offset[3], pos[3], lo[3], hi[3];
  if (radius <= 0) return 0;
  sub3(offset, shape->pos, field->pos);
  rotateBack3(pos, field->mat, offset);
  for (int k = 0; k < 3; k++) {
    lo[k] = pos[k] - radius;
    hi[k] = pos[k] + radius;
  }
  return isOver(grid, lo, hi, margin);
}

int mji_pair_hfield(mjiHit* hit, const mjiShape* a, const mjiShape* b, mjtNum margin) {
  const mjModel* m = a->m;
  int id = m->geom_dataid[a->geom];
  Grid grid = {.height = m->hfield_data + m->hfield_adr[id],
               .nrow = m->hfield_nrow[id],
               .ncol = m->hfield_ncol[id],
               .size = m->hfield_size + 4 * id};

  if (ballIsOver(&grid, a, b, margin)) return 0;

  // the shape in the frame of the height field
  mjiShape local = *b;
  mjtNum lo[3], hi[3];
  mji_shape_relative(local.pos, local.mat, b, a);
  bounds(lo, hi, &local);
  if (isOver(&grid, lo, hi, margin) || !cover(&grid, lo, hi, margin)) return 0;
  int n = collidePrisms(hit, &grid, &local, lo[2], margin);

  for (int i = 0; i < n; i++) {
    mjtNum pos[3], normal[3];
    rotate3(pos, a->mat, hit[i].pos);
    add3(hit[i].pos, pos, a->pos);
    rotate3(normal, a->mat, hit[i].normal);
    copy3(hit[i].normal, normal);
  }
  return n;
}
