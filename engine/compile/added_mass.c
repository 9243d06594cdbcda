// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Added mass and inertia of geoms in a fluid: those of the ellipsoid with the geom's half sizes, as in
// Lamb, Hydrodynamics, 1932. They follow from integrals over the semi-axes a, b, c,
//   kappa_a = abc * int_0^inf dl / ((a^2 + l) sqrt((a^2 + l)(b^2 + l)(c^2 + l))).

#include <math.h>

#include "compile/compile.h"

enum { NNODE = 15 };

// Gauss-Kronrod nodes and weights on [0, 1], in the eight decimals that models are computed with
static const double node[NNODE] = {0.00427231, 0.02544604, 0.06756779, 0.12923441, 0.20695638,
                                   0.29707742, 0.39610752, 0.5,        0.60389248, 0.70292258,
                                   0.79304362, 0.87076559, 0.93243221, 0.97455396, 0.99572769};
static const double weight[NNODE] = {0.01146766, 0.03154605, 0.05239501, 0.07032663, 0.08450236,
                                     0.09517529, 0.10221647, 0.10474107, 0.10221647, 0.09517529,
                                     0.08450236, 0.07032663, 0.05239501, 0.03154605, 0.01146766};

// integral for the first semi-axis; l = scale * t^3 / (1-t)^2 maps the half line to [0, 1]
static double kappa(double a, double b, double c) {
  double scale = pow(a * a * a * b * c, 2.0 / 5);
  double sum = 0;
  for (int i = 0; i < NNODE; i++) {
    double t = node[i], u = 1 - t;
    double l = scale * t * t * t / (u * u);
    double dl = t * t * (3 - t) / (u * u * u);
    double fa = 1 + l / (a * a), fb = 1 + l / (b * b), fc = 1 + l / (c * c);
    sum += scale * weight[i] * dl / (fa * sqrt(fa * fb * fc));
  }
  return sum / (a * a);
}

// factor of the added inertia about an axis, from the two others
static double inertiaFactor(double b, double c, double kb, double kc) {
  double d = b * b - c * c, s = b * b + c * c;
  return d * d * fabs(kc - kb) / fmax(MJI_EPS, fabs(2 * d + s * (kb - kc)));
}

static void semiAxes(const mjsGeom* geom, double axis[3]) {
  const double* size = geom->size;
  switch (geom->type) {
    case mjGEOM_SPHERE: axis[0] = axis[1] = axis[2] = size[0]; break;
    case mjGEOM_CAPSULE:
      axis[0] = axis[1] = size[0];
      axis[2] = size[0] + size[1];
      break;
    case mjGEOM_CYLINDER:
      axis[0] = axis[1] = size[0];
      axis[2] = size[1];
      break;
    default: mju_copy3(axis, size);
  }
}

void mji_geom_fluid(const mjsGeom* geom, mjiGeomInfo* info) {
  if (geom->fluid_ellipsoid <= 0) return;
  double a[3], k[3];
  semiAxes(geom, a);
  for (int i = 0; i < 3; i++) k[i] = kappa(a[i], a[(i + 1) % 3], a[(i + 2) % 3]);
  double volume = 4 * mjPI * a[0] * a[1] * a[2] / 3;

  info->fluid[0] = geom->fluid_ellipsoid;
  mju_copy(info->fluid + 1, geom->fluid_coefs, 5);
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, l = (i + 2) % 3;
    info->fluid[6 + i] = volume * k[i] / fmax(MJI_EPS, 2 - k[i]);
    info->fluid[9 + i] = volume / 5 * inertiaFactor(a[j], a[l], k[j], k[l]);
  }
}
