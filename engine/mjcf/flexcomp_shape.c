// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Points and elements of grids, boxes, cylinders, ellipsoids, discs and circles.

#include <math.h>

#include "mjcf/flexcomp.h"

static void addPoint(mjiFlexcomp* f, double x, double y, double z) {
  double* p = f->point + 3 * f->npoint++;
  p[0] = x;
  p[1] = y;
  p[2] = z;
}

// place on an axis of the i-th of count points around the origin
static double placeOf(const mjiFlexcomp* f, int axis, int i) {
  return f->spacing[axis] * (i - 0.5 * (f->count[axis] - 1));
}

// across: the axis across the face that a texture would be on
static void addGridPoint(mjiFlexcomp* f, int ix, int iy, int iz, int across) {
  const int at[3] = {ix, iy, iz}, axis[2] = {across == 0 ? 1 : 0, across == 2 ? 1 : 2};
  for (int k = 0; k < 2; k++) {
    f->cell[2 * f->npoint + k] = (float)at[axis[k]] / (float)mjMAX(1, f->count[axis[k]] - 1);
  }
  addPoint(f, placeOf(f, 0, ix), placeOf(f, 1, iy), placeOf(f, 2, iz));
}

static void addElement(mjiFlexcomp* f, int a, int b, int c, int d) {
  const int vert[4] = {a, b, c, d};
  for (int i = 0; i <= f->dim; i++) f->id[f->nid++] = vert[i];
}

static void reserve(mjiReader* r, mjiFlexcomp* f, int64_t npoint, int64_t nelem) {
  if (npoint > mjiMAX_FLEXPOINTS) {
    mji_readFail(r, f->elem, "%lld points, at most %d are allowed", (long long)npoint, mjiMAX_FLEXPOINTS);
  }
  f->point = mji_readAlloc(r, f->elem, 3 * (size_t)npoint * sizeof(double));
  f->cell = mji_readAlloc(r, f->elem, 2 * (size_t)npoint * sizeof(float));
  f->id = mji_readAlloc(r, f->elem, 4 * (size_t)nelem * sizeof(int));
}

// ---- grids

// other: divide the square by its other diagonal
static void addSquare(mjiFlexcomp* f, int p00, int p10, int p11, int p01, int other) {
  if (other) {
    addElement(f, p00, p10, p01, 0);
    addElement(f, p10, p11, p01, 0);
  } else {
    addElement(f, p00, p10, p11, 0);
    addElement(f, p00, p11, p01, 0);
  }
}

// six tetrahedra; p: the corners, bit 2 for x, bit 1 for y, bit 0 for z
static void addCube(mjiFlexcomp* f, const int p[8]) {
  static const int corner[6][4] = {{0, 2, 4, 3}, {0, 4, 1, 3}, {4, 2, 6, 3}, {4, 6, 7, 3}, {4, 5, 1, 3}, {4, 7, 5, 3}};
  for (int i = 0; i < 6; i++) addElement(f, p[corner[i][0]], p[corner[i][1]], p[corner[i][2]], p[corner[i][3]]);
}

// diagonals of a disc run around its middle
static int isOther(const mjiFlexcomp* f, int ix, int iy) {
  return f->type == mjiFLEXCOMP_DISC && (ix < f->count[0] / 2) != (iy < f->count[1] / 2);
}

static void makeGrid(mjiReader* r, mjiFlexcomp* f) {
  const int *n = f->count, dim = f->dim;
  if (dim == 1) f->count[1] = f->count[2] = 1;  // a line along x, whatever else is given
  const int64_t total = (int64_t)n[0] * n[1] > mjiMAX_FLEXPOINTS ? INT32_MAX : (int64_t)n[0] * n[1] * n[2];
  reserve(r, f, total, 6 * total);
  for (int ix = 0; ix < n[0]; ix++) {
    for (int iy = 0; iy < n[1]; iy++) {
      for (int iz = 0; iz < n[2]; iz++) addGridPoint(f, ix, iy, iz, 2);
    }
  }
  for (int k = dim; k < 3; k++) {
    if (n[k] > 1) mji_readFail(r, f->elem, "a grid of dim %d has one point along the other axes, not %d", dim, n[k]);
  }
  const int sx = n[1] * n[2], sy = n[2];
  for (int ix = 0; ix + 1 < n[0]; ix++) {
    if (dim == 1) addElement(f, ix * sx, (ix + 1) * sx, 0, 0);
    for (int iy = 0; iy + 1 < n[1] && dim > 1; iy++) {
      const int p = ix * sx + iy * sy;
      if (dim == 2) addSquare(f, p, p + sx, p + sx + sy, p + sy, isOther(f, ix, iy));
      for (int iz = 0; iz + 1 < n[2] && dim == 3; iz++) {
        const int q = p + iz;
        addCube(f, (int[8]){q, q + 1, q + sy, q + sy + 1, q + sx, q + sx + 1, q + sx + sy, q + sx + sy + 1});
      }
    }
  }
}

// A square becomes a disc: each of its squares around the origin becomes an ellipse. As in the reference, places are
// multiplied by half the width.
static void roundDisc(mjiFlexcomp* f) {
  for (int i = 0; i < f->npoint; i++) {
    double* p = f->point + 3 * i;
    const double norm = sqrt(p[0] * p[0] + p[1] * p[1]);
    const double scale = norm < mjMINVAL ? 0 : fmax(fabs(p[0]), fabs(p[1])) / norm;
    for (int k = 0; k < 2; k++) p[k] *= scale * f->spacing[k] * 0.5 * (f->count[k] - 1);
  }
}

// ---- boxes: the surface, and a point in the middle to which all elements reach

// the number of the point of the surface at a place of the grid
static int boxPoint(const int n[3], int ix, int iy, int iz) {
  if (iz == 0 || iz == n[2] - 1) return 1 + (iz ? n[0] * n[1] : 0) + ix * n[1] + iy;
  const int z = iz - 1, nz = n[2] - 2;
  int base = 1 + 2 * n[0] * n[1];
  if (iy == 0 || iy == n[1] - 1) return base + (iy ? n[0] * nz : 0) + ix * nz + z;
  base += 2 * n[0] * nz;
  return base + (ix ? (n[1] - 2) * nz : 0) + (iy - 1) * nz + z;
}

static void addBoxSquare(mjiFlexcomp* f, int p00, int p10, int p11, int p01) {
  addElement(f, 0, p00, p10, p11);
  addElement(f, 0, p01, p00, p11);
}

// The faces across the given axis: squares between a and b, the other axes.
static void addFaces(mjiFlexcomp* f, int axis) {
  const int *n = f->count, a = axis == 0 ? 1 : 0, b = axis == 2 ? 1 : 2;
  for (int side = 0; side < 2; side++) {
    int at[3];
    at[axis] = side ? n[axis] - 1 : 0;
    for (int i = 0; i + 1 < n[a]; i++) {
      for (int k = 0; k + 1 < n[b]; k++) {
        int corner[4];
        for (int c = 0; c < 4; c++) {
          at[a] = i + (c == 1 || c == 2);
          at[b] = k + (c >= 2);
          corner[c] = boxPoint(n, at[0], at[1], at[2]);
        }
        addBoxSquare(f, corner[0], corner[1], corner[2], corner[3]);
      }
    }
  }
}

// Squares around the origin become circles, cubes spheres; axes: 2 or 3
static void roundBox(mjiFlexcomp* f, int axes) {
  for (int i = 0; i < f->npoint; i++) {
    double u[3] = {0}, largest = 0, *p = f->point + 3 * i;
    for (int k = 0; k < axes; k++) {
      u[k] = p[k] / (f->spacing[k] * 0.5 * (f->count[k] - 1));
      largest = fmax(largest, fabs(u[k]));
    }
    const double norm = mju_norm3(u);
    for (int k = 0; k < axes && norm >= mjMINVAL; k++) p[k] *= largest / norm;
  }
}

static void makeBox(mjiReader* r, mjiFlexcomp* f) {
  const int* n = f->count;
  if (f->dim != 3) mji_readFail(r, f->elem, "a solid has dim 3, not %d", f->dim);
  for (int k = 0; k < 3; k++) {
    if (n[k] < 2) mji_readFail(r, f->elem, "a solid needs at least two points on each axis");
    if (n[k] > mjiMAX_FLEXPOINTS) mji_readFail(r, f->elem, "more than %d points", mjiMAX_FLEXPOINTS);
  }
  const int64_t x = n[0], y = n[1], z = n[2], total = 1 + 2 * (x * y + x * (z - 2) + (y - 2) * (z - 2));
  reserve(r, f, total, 4 * (x * y + x * z + y * z));
  addPoint(f, 0, 0, 0);
  for (int side = 0; side < 2; side++) {
    for (int ix = 0; ix < n[0]; ix++) {
      for (int iy = 0; iy < n[1]; iy++) addGridPoint(f, ix, iy, side ? n[2] - 1 : 0, 2);
    }
  }
  for (int side = 0; side < 2; side++) {
    for (int ix = 0; ix < n[0]; ix++) {
      for (int iz = 1; iz + 1 < n[2]; iz++) addGridPoint(f, ix, side ? n[1] - 1 : 0, iz, 1);
    }
  }
  for (int side = 0; side < 2; side++) {
    for (int iy = 1; iy + 1 < n[1]; iy++) {
      for (int iz = 1; iz + 1 < n[2]; iz++) addGridPoint(f, side ? n[0] - 1 : 0, iy, iz, 0);
    }
  }
  for (int axis = 2; axis >= 0; axis--) addFaces(f, axis);
}

// ---- circles

static void makeCircle(mjiReader* r, mjiFlexcomp* f) {
  const int n = f->count[0] - 1;  // the last point of a closed curve is the first one
  if (f->dim != 1) mji_readFail(r, f->elem, "a circle has dim 1, not %d", f->dim);
  if (n < 2) mji_readFail(r, f->elem, "a circle needs a count of at least 3");
  reserve(r, f, n, n);
  const double radius = f->spacing[0] / (2 * sin(mjPI / n));
  for (int i = 0; i < n; i++) {
    addPoint(f, radius * cos(2 * mjPI * i / n), radius * sin(2 * mjPI * i / n), 0);
    addElement(f, i, (i + 1) % n, 0, 0);
  }
}

void mji_flexcompShape(mjiReader* r, mjiFlexcomp* f) {
  switch (f->type) {
    case mjiFLEXCOMP_BOX:
    case mjiFLEXCOMP_CYLINDER:
    case mjiFLEXCOMP_ELLIPSOID:
      makeBox(r, f);
      if (f->type != mjiFLEXCOMP_BOX) roundBox(f, f->type == mjiFLEXCOMP_CYLINDER ? 2 : 3);
      break;
    case mjiFLEXCOMP_CIRCLE: makeCircle(r, f); break;
    case mjiFLEXCOMP_SQUARE:
    case mjiFLEXCOMP_DISC:
      if (f->dim != 2) mji_readFail(r, f->elem, "a sheet has dim 2, not %d", f->dim);
      makeGrid(r, f);
      if (f->type == mjiFLEXCOMP_DISC) roundDisc(f);
      break;
    default: makeGrid(r, f);
  }
}
