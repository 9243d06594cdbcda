// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Elasticity of flexes whose vertices move. Both parts depend on the shape at qpos0 alone, so steps only multiply.
//
// Stretching is a St. Venant-Kirchhoff solid. The strain of a simplex is linear in how much the squares of its edge
// lengths grow: E = sum over edges e of growth_e S_e / 2, where S_e = -(g_i g_j' + g_j g_i') / 2 for the gradients g of
// the barycentric coordinates at the ends i, j of the edge. The energy is quadratic in E, so a symmetric matrix over
// edges says all: volume * (mu tr(S_a S_b) + lambda tr(S_a) tr(S_b)).
//
// Bending resists changes of the angle between two triangles at their common edge, as in Garg, Grinspun, Wardetzky,
// Zorin, Cubic Shells, 2007.

#include <math.h>

#include "compile/compile_flex.h"
#include "model/flex_parts.h"

// ---- stretching

// Gradients of the barycentric coordinates of a simplex in space; returns its volume (area of a triangle).
static double gradients(double g[4][3], const double* vertpos, const int* v, int dim) {
  double arm[3][3], measure;
  for (int i = 0; i < dim; i++) mju_sub3(arm[i], vertpos + 3 * v[i + 1], vertpos + 3 * v[0]);
  if (dim == 3) {
    double cross[3];
    mju_cross(cross, arm[1], arm[2]);
    measure = mju_dot3(arm[0], cross);
    for (int i = 0; i < 3; i++) {
      mju_cross(g[i + 1], arm[(i + 1) % 3], arm[(i + 2) % 3]);
      mju_scl3(g[i + 1], g[i + 1], 1 / measure);
    }
    measure = fabs(measure) / 6;
  } else {
    // within the plane of the triangle
    double normal[3];
    mju_cross(normal, arm[0], arm[1]);
    const double square = mju_dot3(normal, normal);
    mju_cross(g[1], arm[1], normal);
    mju_cross(g[2], normal, arm[0]);
    mju_scl3(g[1], g[1], 1 / square);
    mju_scl3(g[2], g[2], 1 / square);
    measure = sqrt(square) / 2;
  }
  for (int k = 0; k < 3; k++) {
    g[0][k] = 0;
    for (int i = 1; i <= dim; i++) g[0][k] -= g[i][k];
  }
  return measure;
}

// S of an edge
static void strainOf(double S[9], const double a[3], const double b[3]) {
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 3; k++) S[3 * i + k] = -(a[i] * b[k] + b[i] * a[k]) / 2;
  }
}

static double trace(const double S[9]) { return S[0] + S[4] + S[8]; }

static void stiffen(double* out, const mjiFlex* f, int elem, double mu, double lambda, double scale) {
  const int dim = f->dim, n = mji_flexElemEdges(dim);
  double g[4][3], S[6][9];
  const double measure = gradients(g, f->vertpos, f->elem + (dim + 1) * elem, dim);
  for (int e = 0; e < n; e++) {
    int ends[2];
    mji_flexElemEdge(dim, e, ends);
    strainOf(S[e], g[ends[0]], g[ends[1]]);
  }
  for (int a = 0; a < n; a++) {
    for (int b = a; b < n; b++) {
      *out++ = scale * measure * (mu * mju_dot(S[a], S[b], 9) + lambda * trace(S[a]) * trace(S[b]));
    }
  }
}

static double lameMu(double young, double poisson) { return young / (2 * (1 + poisson)); }
static double lameLambda(double young, double poisson) { return young * poisson / ((1 + poisson) * (1 - 2 * poisson)); }

// Sheets scale with their thickness; a quarter of it, as the reference has it.
void mji_flex_stretch(mjiFlex* f, double young, double poisson, double thickness) {
  const double scale = f->dim == 2 ? thickness / 4 : 1;
  for (int e = 0; e < f->nelem; e++) {
    stiffen(f->stiffness + 21 * (size_t)e, f, e, lameMu(young, poisson), lameLambda(young, poisson), scale);
  }
}

// ---- bending

// cotangent of the angle at a between b and c
static double cotangent(const double a[3], const double b[3], const double c[3]) {
  double u[3], v[3], n[3];
  mju_sub3(u, b, a);
  mju_sub3(v, c, a);
  mju_cross(n, u, v);
  return mju_dot3(u, v) / mju_norm3(n);
}

// area of the triangle at an edge, and its unit normal
static double normalOf(double n[3], const double a[3], const double b[3], const double c[3]) {
  double u[3], v[3];
  mju_sub3(u, b, a);
  mju_sub3(v, c, a);
  mju_cross(n, u, v);
  return mju_normalize3(n) / 2;
}

// out: a 4 x 4 matrix over the ends of the edge and the two flaps, and a number for edges that are bent at rest
static void bendEdge(double out[17], const double* a, const double* b, const double* flap1, const double* flap2,
                     double stiffness) {
  double n1[3], n2[3], along[3], cross[3];
  const double area = normalOf(n1, a, b, flap1) + normalOf(n2, b, a, flap2);
  const double a1 = cotangent(a, b, flap1), a2 = cotangent(a, b, flap2);
  const double b1 = cotangent(b, a, flap1), b2 = cotangent(b, a, flap2);
  const double weight[4] = {b1 + b2, a1 + a2, -(a1 + b1), -(a2 + b2)};
  mju_sub3(along, b, a);
  mju_normalize3(along);
  mju_cross(cross, n1, n2);
  const double cosine = mju_dot3(n1, n2), sine = mju_dot3(cross, along);
  for (int i = 0; i < 4; i++) {
    for (int k = 0; k < 4; k++) out[4 * i + k] = stiffness * cosine / area * weight[i] * weight[k];
  }
  out[16] = -stiffness * sine / area * (a1 - b1) * (b2 - a2) / ((a1 + b1) * (a2 + b2));
}

void mji_flex_bend(mjiFlex* f, double young, double poisson, double thickness) {
  const double stiffness = 1.5 * lameMu(young, poisson) * thickness * thickness * thickness / 12;
  for (int e = 0; e < f->nedge; e++) {
    const int *edge = f->edge + 2 * e, *flap = f->edgeflap + 2 * e;
    if (flap[1] < 0) continue;
    const double* pos = f->vertpos;
    bendEdge(f->bending + 17 * (size_t)e, pos + 3 * edge[0], pos + 3 * edge[1], pos + 3 * flap[0], pos + 3 * flap[1],
             stiffness);
  }
}
