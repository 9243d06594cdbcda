// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// mujoco.sdf.gear: a spur gear around the z axis. Attributes: alpha, an angle by which it is turned; the diameter of
// its pitch circle; the number of teeth; thickness; the diameter of the hole, which follows from the others if
// negative.
//
// The flanks of teeth are involutes of the base circle: a string that unwinds from the circle ends on the flank, and is
// perpendicular to it. So the distance from a flank is the length of the tangent from the point to the base circle,
// less the length of the arc that the string has left.

#include <math.h>

#include "plugins/sdf_shape.h"

enum { ALPHA, DIAMETER, TEETH, THICKNESS, INNER };

static const char* const names[] = {"alpha", "diameter", "teeth", "thickness", "innerdiameter"};
static const mjtNum initial[] = {0, 2.8, 25, 0.2, -1};

typedef struct {
  mjtNum base, root, tip, hole;  // radii
  mjtNum pitch;                  // angle from tooth to tooth
  mjtNum width;                  // angle of a tooth at the base circle
} Gear;

static Gear gearOf(const mjtNum* attribute) {
  mjtNum n = attribute[TEETH], diameter = attribute[DIAMETER], addendum = diameter / n;
  mjtNum pressure = 3.096e-5 * n * n - 6.557e-3 * n + 0.551;  // angle of the tangent at the pitch circle
  Gear g = {.base = 0.5 * diameter * cos(pressure), .tip = 0.5 * diameter + addendum, .pitch = 2 * mjPI / n};
  g.root = g.tip - 2.2 * addendum;
  g.hole = attribute[INNER] < 0 ? g.root - 0.14 * diameter : 0.5 * attribute[INNER];
  g.width = 0.5 * g.pitch + 2 * (tan(pressure) - pressure);
  return g;
}

// what rounding adds where two distances differ by less than a size
static mjtNum rounding(mjtNum a, mjtNum b, mjtNum size) {
  mjtNum part = size > 0 ? fmax(0, 1 - fabs(a - b) / size) : 0;
  return 0.25 * size * part * part;
}

// signed distance from the flanks of the nearest tooth; below the base circle an angle, as in the reference
static mjtNum flankDistance(const Gear* g, mjtNum radius, mjtNum angle) {
  angle -= 0.5 * g->width;
  angle -= round(angle / g->pitch) * g->pitch;
  mjtNum inside = 0.5 * g->width - fabs(angle);  // angle from the nearer flank at the base circle
  if (radius <= g->base) return -inside;
  mjtNum string = sqrt(radius * radius - g->base * g->base);
  return fmax(-inside, string - g->base * (inside + acos(g->base / radius)));
}

static mjtNum sectionDistance(const mjtNum* attribute, const mjtNum x[3]) {
  Gear g = gearOf(attribute);
  mjtNum radius = sqrt(x[0] * x[0] + x[1] * x[1]);
  if (radius < g.hole) return g.hole - radius;
  if (radius - g.tip > 0.2) return radius - g.tip;
  mjtNum tooth = flankDistance(&g, radius, atan2(x[1], x[0]) + attribute[ALPHA]);
  mjtNum over = radius - g.tip, bottom = radius - g.root;
  tooth = fmin(tooth, bottom) - rounding(tooth, bottom, g.base - g.root);

  // edges of tips are rounded, but less for points that are further outside of one side than inside of the other
  mjtNum hard = fmax(tooth, over), deep = -fmin(tooth, over);
  tooth = fmax(hard, fmin(hard, deep) + rounding(tooth, over, 0.0035 * attribute[DIAMETER]));
  return fmax(tooth, g.hole - radius);
}

static mjtNum distance(const mjtNum x[3], const mjtNum* attribute) {
  mjtNum section = sectionDistance(attribute, x), ends = fabs(x[2]) - 0.5 * attribute[THICKNESS];
  mjtNum out = fmax(section, 0), up = fmax(ends, 0);
  return fmin(fmax(section, ends), 0) + sqrt(out * out + up * up);
}

static void box(mjtNum box[6], const mjtNum* attribute) {
  mjtNum far = 0.625 * attribute[DIAMETER];
  mji_sdfShape_box(box, far, far, 0.55 * attribute[THICKNESS]);
}

MJI_SDF_PLUGIN(gear, names, initial, distance, NULL, box)
