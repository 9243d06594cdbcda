// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Contacts of a signed distance field with another geom, by descent from several points.
//
// The points are those of Halton's sequence in the intersection of the boxes around both geoms. From each, some steps
// along the gradient go down A + B + |max(A, B)|, which is least where both surfaces are deepest in each other, and one
// more step goes down max(A, B), their overlap. Points that both geoms have are contacts; the normal is the gradient of
// A - B. Margins have no effect on fields, as in the reference.

#include <string.h>

#include "collide/pair.h"
#include "collide/sdf.h"
#include "collide/vec3.h"

typedef struct Descent_ {
  mjiFields fields;  // of the field's geom, and of the other
  mjtNum relpos[3], relmat[9];
} Descent;

// ---- where to start

// intersection of the box of a with the box around the corners of that of b, in the frame of a; zero if it is empty
static int commonBox(mjtNum lo[3], mjtNum hi[3], const mjiShape* a, const mjiShape* b) {
  mjtNum pos[3], mat[9];
  mji_shape_relative(pos, mat, b, a);
  const mjtNum *box = b->m->geom_aabb + 6 * b->geom, *own = a->m->geom_aabb + 6 * a->geom;
  for (int i = 0; i < 8; i++) {
    mjtNum corner[3], point[3];
    for (int k = 0; k < 3; k++) corner[k] = box[k] + (i >> k & 1 ? box[3 + k] : -box[3 + k]);
    rotate3(point, mat, corner);
    add3(point, point, pos);
    for (int k = 0; k < 3; k++) {
      if (!i || point[k] < lo[k]) lo[k] = point[k];
      if (!i || point[k] > hi[k]) hi[k] = point[k];
    }
  }
  for (int k = 0; k < 3; k++) {
    mjtNum low = own[k] - own[3 + k], high = own[k] + own[3 + k];
    if (low > lo[k]) lo[k] = low;
    if (high < hi[k]) hi[k] = high;
    if (lo[k] > hi[k]) return 0;
  }
  return 1;
}

// ---- descent

// Go n steps down from x, each halved until it descends by a tenth of what the gradient promises. Returns the value.
static mjtNum descend(const mjiFields* s, mjtNum x[3], int n) {
  mjtNum value = mjMAXVAL;
  for (int i = 0; i < n; i++) {
    mjtNum gradient[3], from[3], step = 1;
    mjtNum before = mji_fields_gradient(s, gradient, x), slope = 0.1 * dot3(gradient, gradient);
    copy3(from, x);
    for (;; step *= 0.5) {
      addScaled3(x, from, gradient, -step);
      value = mji_fields_distance(s, x);
      if (step <= 1e-4 || !(value - before > -slope * step)) break;
    }
    if (before < value) return before;
  }
  return value;
}

// from a point to a contact; zero if there is none
static int contactFrom(mjiHit* hit, Descent* d, const mjiShape* b, mjtNum x[3]) {
  mjtNum normal[3], point[3];
  d->fields.type = mjSDFTYPE_COLLISION;
  descend(&d->fields, x, b->m->opt.sdf_iterations);
  d->fields.type = mjSDFTYPE_INTERSECTION;
  mjtNum dist = descend(&d->fields, x, 1);
  if (!(dist <= 0)) return 0;

  d->fields.type = mjSDFTYPE_MIDSURFACE;
  mji_fields_gradient(&d->fields, normal, x);
  scale3(normal, normal, -1);
  if (normalize3(normal) < mjMINVAL) return 0;
  addScaled3(point, x, normal, -0.5 * dist);
  rotate3(hit->pos, b->mat, point);
  add3(hit->pos, hit->pos, b->pos);
  rotate3(hit->normal, b->mat, normal);
  hit->dist = dist;
  set3(hit->tangent, 0, 0, 0);
  return 1;
}

int mji_pair_sdf(mjiHit* hit, const mjiShape* a, const mjiShape* b, mjtNum margin) {
  (void)margin;
  Descent d;
  mjtNum lo[3], hi[3], pos[3], mat[9];
  if (!commonBox(lo, hi, a, b)) return 0;
  mji_field_init(&d.fields.field[0], b);
  mji_field_init(&d.fields.field[1], a);
  mji_shape_relative(d.relpos, d.relmat, b, a);
  d.fields.pos = d.relpos;
  d.fields.mat = d.relmat;
  mji_shape_relative(pos, mat, a, b);

  static const int base[3] = {2, 3, 5};
  int n = 0;
  for (int i = 0; i < b->m->opt.sdf_initpoints && n < mjMAXCONPAIR; i++) {
    mjtNum start[3], x[3];
    for (int k = 0; k < 3; k++) start[k] = lo[k] + (hi[k] - lo[k]) * mju_Halton(i, base[k]);
    rotate3(x, mat, start);
    add3(x, x, pos);
    n += contactFrom(hit + n, &d, b, x);
  }
  return n;
}
