// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Mass and inertia of geoms: solids of uniform density, or thin shells of uniform area density.

#include <math.h>

#include "compile/compile.h"

static double square(double x) { return x * x; }

static double cube(double x) { return x * x * x; }

// ---- solids
//
// Products are taken from left to right, as in the reference: the axes of bodies that are nearly round depend on the
// last bits of their geoms.

static double volumeOf(const mjsGeom* geom) {
  const double* s = geom->size;
  switch (geom->type) {
    case mjGEOM_SPHERE: return 4 * mjPI * s[0] * s[0] * s[0] / 3;
    case mjGEOM_CAPSULE: return mjPI * (square(s[0]) * 2 * s[1] + 4 * cube(s[0]) / 3);
    case mjGEOM_CYLINDER: return mjPI * s[0] * s[0] * 2 * s[1];
    case mjGEOM_ELLIPSOID: return 4 * mjPI * s[0] * s[1] * s[2] / 3;
    case mjGEOM_HFIELD:  // a box: its sizes have the mean height
    case mjGEOM_BOX: return 8 * s[0] * s[1] * s[2];
    default: return 0;
  }
}

// cylinder in the middle, half a sphere at each end
static void capsuleInertia(double inertia[3], double mass, double radius, double height) {
  double sphere = mass * 4 * radius / (4 * radius + 3 * height);
  double cylinder = mass - sphere;
  double ball = 2 * sphere * radius * radius / 5;
  inertia[0] = inertia[1] =
      cylinder * (3 * radius * radius + square(height)) / 12 + (ball + sphere * height * (3 * radius + 2 * height) / 8);
  inertia[2] = cylinder * radius * radius / 2 + ball;
}

static void solidInertia(double inertia[3], const mjsGeom* geom, double mass) {
  const double* s = geom->size;
  switch (geom->type) {
    case mjGEOM_SPHERE: inertia[0] = inertia[1] = inertia[2] = 2 * mass * s[0] * s[0] / 5; break;
    case mjGEOM_CAPSULE: capsuleInertia(inertia, mass, s[0], 2 * s[1]); break;
    case mjGEOM_CYLINDER:
      inertia[0] = inertia[1] = mass * (3 * s[0] * s[0] + square(2 * s[1])) / 12;
      inertia[2] = mass * s[0] * s[0] / 2;
      break;
    case mjGEOM_ELLIPSOID:
      for (int i = 0; i < 3; i++) {
        inertia[i] = mass * (square(s[(i + 1) % 3]) + square(s[(i + 2) % 3])) / 5;
      }
      break;
    case mjGEOM_HFIELD:
    case mjGEOM_BOX:
      for (int i = 0; i < 3; i++) {
        inertia[i] = mass * (square(s[(i + 1) % 3]) + square(s[(i + 2) % 3])) / 3;
      }
      break;
    default: inertia[0] = inertia[1] = inertia[2] = 0;
  }
}

// ---- shells

// Thomsen's approximation of the surface of an ellipsoid, good to about one percent
static double ellipsoidArea(const double s[3]) {
  const double p = 1.6075;
  double xy = pow(s[0] * s[1], p), yz = pow(s[1] * s[2], p), zx = pow(s[2] * s[0], p);
  return 4 * mjPI * pow((xy + yz + zx) / 3, 1 / p);
}

static double areaOf(const mjsGeom* geom) {
  const double* s = geom->size;
  switch (geom->type) {
    case mjGEOM_SPHERE: return 4 * mjPI * square(s[0]);
    case mjGEOM_CAPSULE: return 4 * mjPI * (square(s[0]) + s[0] * s[1]);
    case mjGEOM_CYLINDER: return 2 * mjPI * s[0] * (s[0] + 2 * s[1]);
    case mjGEOM_ELLIPSOID: return ellipsoidArea(s);
    case mjGEOM_HFIELD:
    case mjGEOM_BOX: return 8 * (s[0] * s[1] + s[1] * s[2] + s[2] * s[0]);
    default: return 0;
  }
}

static void capsuleShell(double inertia[3], double mass, double radius, double height) {
  double sphere = mass * 2 * radius / (2 * radius + height);
  double tube = mass - sphere;
  double ball = 2 * sphere * square(radius) / 3;
  // the center of half a spherical shell is half a radius from its flat side
  inertia[0] = inertia[1] =
      tube * (6 * square(radius) + square(height)) / 12 + ball + sphere * (square(height) / 4 + height * radius / 2);
  inertia[2] = tube * square(radius) + ball;
}

static void cylinderShell(double inertia[3], double mass, double radius, double height) {
  double disk = mass * radius / (2 * (radius + height));  // each of the two ends
  double tube = mass - 2 * disk;
  inertia[0] = inertia[1] =
      tube * (6 * square(radius) + square(height)) / 12 + 2 * disk * (square(radius) / 4 + square(height) / 4);
  inertia[2] = tube * square(radius) + disk * square(radius);
}

// six plates; plate[i] is the mass of the two that are perpendicular to axis i
static void boxShell(double inertia[3], double mass, const double s[3]) {
  double area = s[0] * s[1] + s[1] * s[2] + s[2] * s[0];
  double plate[3];
  for (int i = 0; i < 3; i++) plate[i] = mass * s[(i + 1) % 3] * s[(i + 2) % 3] / area;
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    inertia[i] = plate[i] * (square(s[j]) + square(s[k])) / 3 + plate[j] * (square(s[j]) + square(s[k]) / 3) +
                 plate[k] * (square(s[k]) + square(s[j]) / 3);
  }
}

// difference of two solids of equal density, one slightly larger
static void ellipsoidShell(double inertia[3], double mass, const double s[3]) {
  const double grow = 1e-6;
  double big[3] = {s[0] + grow, s[1] + grow, s[2] + grow};
  double inner = s[0] * s[1] * s[2], outer = big[0] * big[1] * big[2];
  double density = mass / (outer - inner);
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    inertia[i] = density * (outer * (square(big[j]) + square(big[k])) - inner * (square(s[j]) + square(s[k]))) / 5;
  }
}

static void shellInertia(double inertia[3], const mjsGeom* geom, double mass) {
  const double* s = geom->size;
  switch (geom->type) {
    case mjGEOM_SPHERE: inertia[0] = inertia[1] = inertia[2] = 2 * mass * square(s[0]) / 3; break;
    case mjGEOM_CAPSULE: capsuleShell(inertia, mass, s[0], 2 * s[1]); break;
    case mjGEOM_CYLINDER: cylinderShell(inertia, mass, s[0], 2 * s[1]); break;
    case mjGEOM_ELLIPSOID: ellipsoidShell(inertia, mass, s); break;
    case mjGEOM_HFIELD:
    case mjGEOM_BOX: boxShell(inertia, mass, s); break;
    default: inertia[0] = inertia[1] = inertia[2] = 0;
  }
}

// ---- any geom

static void meshMass(const mjsGeom* geom, mjiGeomInfo* info, const mjiMesh* mesh) {
  double amount = mesh->exact ? mesh->area : mesh->volume;
  const double* inertia = mesh->exact ? mesh->shell_inertia : mesh->inertia;
  double density = geom->density;
  if (!isnan(geom->mass)) density = amount > MJI_EPS ? geom->mass / amount : 0;
  info->mass = isnan(geom->mass) ? density * amount : geom->mass;

  // take the inertia of the equivalent box, so that the last bits are those of the box
  double box[3];
  mji_mesh_box(box, inertia, amount);
  for (int i = 0; i < 3; i++) info->inertia[i] = info->mass * (square(box[(i + 1) % 3]) + square(box[(i + 2) % 3])) / 3;
}

int mji_geom_inertia(mjiCompile* c, mjiElem* e) {
  const mjsGeom* geom = &e->as.geom;
  mjiGeomInfo* info = mji_geomInfo(e);
  int shell = geom->typeinertia == mjINERTIA_SHELL;
  if (geom->type == mjGEOM_MESH || geom->type == mjGEOM_SDF) {
    if (shell) {
      return mji_compile_error(c, e, "a mesh is made a shell by inertia=\"shell\" of the mesh");
    }
    meshMass(geom, info, mji_names_get(c, mjOBJ_MESH, geom->meshname)->info);
  } else if (geom->type != mjGEOM_PLANE) {
    info->mass = !isnan(geom->mass) ? geom->mass : geom->density * (shell ? areaOf(geom) : volumeOf(geom));
    if (shell) shellInertia(info->inertia, geom, info->mass);
    else solidInertia(info->inertia, geom, info->mass);
  }
  // mass of geoms in the world has no effect, so it is not checked
  if (e->parent->parent && (info->mass < 0 || (isnan(geom->mass) && geom->density < 0))) {
    return mji_compile_error(c, e, "mass and density cannot be negative");
  }
  return 0;
}
