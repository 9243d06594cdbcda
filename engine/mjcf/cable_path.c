// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The curve of a cable. Its points are listed, or follow from one function per coordinate. Each
// segment has a frame: x along it, y and z carried from one segment to the next without twist.

#include <math.h>
#include <string.h>

#include "mjcf/cable.h"

typedef enum { ZERO, LINE, COSINE, SINE } Shape;

static const struct {
  const char* name;
  Shape shape;
} shapes[] = {{"0", ZERO}, {"s", LINE}, {"cos(s)", COSINE}, {"sin(s)", SINE}};

enum { NSHAPE = sizeof shapes / sizeof *shapes };

// ---- points

// up to three words, one per coordinate
static void readShapes(mjiReader* r, const mjiXML* elem, Shape out[3]) {
  static const char space[] = " \t\r\n";
  const char* text = mji_xmlAttr(elem, "curve");
  if (!text) return;
  int n = 0;
  for (text += strspn(text, space); *text; n++) {
    size_t length = strcspn(text, space);
    int k = 0;
    while (k < NSHAPE && (strlen(shapes[k].name) != length || strncmp(shapes[k].name, text, length))) k++;
    if (n == 3) mji_readFail(r, elem, "curve has more than 3 shapes");
    if (k == NSHAPE) mji_readFail(r, elem, "unknown shape '%.*s' in curve", (int)length, text);
    out[n] = shapes[k].shape;
    text += length;
    text += strspn(text, space);
  }
}

// s goes from 0 to 1; size is length, radius and half-turns
static double evaluate(Shape shape, double s, const double size[3]) {
  switch (shape) {
    case LINE: return s * size[0];
    case COSINE: return size[1] * cos(mjPI * s * size[2]);
    case SINE: return size[1] * sin(mjPI * s * size[2]);
    default: return 0;
  }
}

// what points are made from
typedef struct {
  Shape shape[3];
  double size[3], quat[4];
} Curve;

static Curve readCurve(mjiReader* r, const mjiXML* elem) {
  Curve curve = {.size = {1}, .quat = {1}};
  readShapes(r, elem, curve.shape);
  mji_readNums(r, elem, "size", curve.size, 0, 3);
  mji_readNums(r, elem, "quat", curve.quat, 4, 4);
  return curve;
}

static void makePoints(mjiCable* cable, const Curve* curve, int n) {
  for (int i = 0; i < n; i++) {
    double point[3], turned[3];
    for (int k = 0; k < 3; k++) point[k] = evaluate(curve->shape[k], (double)i / (n - 1), curve->size);
    mju_rotVecQuat(turned, point, curve->quat);
    mju_n2f(cable->point[i], turned, 3);
  }
}

// How many points to make. count has a number for each dimension, of which only the first may be above one.
static int readCount(mjiReader* r, const mjiXML* elem, int listed) {
  int n, *count = mji_readInts(r, elem, "count", &n);
  if (n > 3) mji_readFail(r, elem, "count has more than 3 values");
  for (int i = 0; i < n; i++) {
    if (count[i] < 1) mji_readFail(r, elem, "counts must be positive");
    if (i && count[i] > 1 && (!listed || i == 2))
      mji_readFail(r, elem, "a cable has one dimension: only the first count may exceed 1");
  }
  return n ? count[0] : 1;
}

static void readPoints(mjiReader* r, mjiCable* cable) {
  const mjiXML* elem = cable->elem;
  int nvertex;
  const float* vertex = mji_readFloats(r, elem, "vertex", &nvertex);
  int n = readCount(r, elem, nvertex > 0);

  // read the curve even if points are listed, to check its attributes
  Curve curve = readCurve(r, elem);
  if (nvertex && n > 1) mji_readFail(r, elem, "count and vertex cannot both be given");
  if (nvertex) n = nvertex / 3;
  if (n < 2 || n > mjiMAX_CABLE)
    mji_readFail(r, elem, "a cable needs between 2 and %d points, got %d", mjiMAX_CABLE, n);
  cable->npoint = n;
  cable->point = mji_readAlloc(r, elem, n * sizeof *cable->point);
  if (nvertex) memcpy(cable->point, vertex, n * sizeof *cable->point);
  else makePoints(cable, &curve, n);
}

// ---- frames

// the difference is a float, too, as the points are
void mji_cableEdge(const mjiCable* cable, int i, double edge[3]) {
  for (int k = 0; k < 3; k++) edge[k] = cable->point[i + 1][k] - cable->point[i][k];
}

// make a vector one of unit length; one without direction becomes zero
static void normalize(double v[3]) {
  static const double tiny = 1e-14;
  double square = mju_dot3(v, v);
  mju_scl3(v, v, square < tiny ? 0 : 1 / sqrt(square));
}

static void direction(const mjiCable* cable, int i, double out[3]) {
  mji_cableEdge(cable, i, out);
  normalize(out);
}

// y axis of the first segment: in the plane of the first bend
static void firstNormal(const mjiCable* cable, const double x[3], double y[3]) {
  double z[3], next[3], up[3] = {0, 1, 0};
  if (cable->npoint > 2) {
    direction(cable, 1, next);
    mju_cross(z, x, next);
  } else {
    mju_cross(z, x, up);
  }
  normalize(z);
  mju_cross(y, z, x);
  normalize(y);
}

// turn y by the least rotation that takes one direction to the next
static void carry(double y[3], const double from[3], const double to[3]) {
  double axis[3], quat[4], rotated[3];
  mju_cross(axis, from, to);
  double angle = atan2(mju_norm3(axis), mju_dot3(from, to));
  normalize(axis);
  mju_axisAngle2Quat(quat, axis, angle);
  mju_rotVecQuat(rotated, y, quat);
  mju_copy3(y, rotated);
}

void mji_cablePath(mjiReader* r, mjiCable* cable) {
  readPoints(r, cable);
  int n = cable->npoint - 1;
  cable->quat = mji_readAlloc(r, cable->elem, n * sizeof *cable->quat);
  double x[3], y[3], z[3], last[3];
  for (int i = 0; i < n; i++) {
    direction(cable, i, x);
    if (i) carry(y, last, x);
    else firstNormal(cable, x, y);

    // as long as the cable is straight, y and z are zero; the quaternion is what the formula makes of that
    mju_cross(z, x, y);
    const double mat[9] = {x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]};
    mju_mat2Quat(cable->quat[i], mat);
    mju_copy3(last, x);
  }
}
