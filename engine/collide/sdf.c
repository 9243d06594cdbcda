// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Signed distances and their gradients: primitives, hulls and octrees of meshes, plugins; and combinations of two.
// Those of primitives are the well-known exact ones, except for ellipsoids (of first order) and the inside of boxes.

#include "collide/sdf.h"

#include <string.h>

#include "collide/vec3.h"

static mjtNum sign(mjtNum x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }

// make a vector one long; one without a length stays zero
static void unit3(mjtNum v[3]) {
  mjtNum length = norm3(v);
  if (length > 0) scale3(v, v, 1 / length);
  else set3(v, 0, 0, 0);
}

// ---- boxes

// Inside of a box, a field without a step of direction at the middle: its direction is size over depth along each
// axis, and its length is such that it ends at the nearest face.
static void boxInside(mjtNum field[3], const mjtNum depth[3], const mjtNum size[3]) {
  mjtNum length = mjMAXVAL;
  for (int k = 0; k < 3; k++) {
    field[k] = size[k] / depth[k];
    mjtNum reach = depth[k] / field[k];
    if (reach < length) length = reach;
  }
  scale3(field, field, length);
}

// from the surface to the point, or from the point to the surface inside of the box; returns whether it is inside
static int boxField(mjtNum field[3], const mjtNum size[3], const mjtNum x[3]) {
  mjtNum depth[3];
  for (int k = 0; k < 3; k++) {
    depth[k] = size[k] - fabs(x[k]);
    field[k] = depth[k] < 0 ? -depth[k] : 0;
  }
  int inside = depth[0] > 0 && depth[1] > 0 && depth[2] > 0;
  if (inside) boxInside(field, depth, size);
  return inside;
}

static mjtNum boxDistance(const mjtNum size[3], const mjtNum x[3]) {
  mjtNum field[3];
  int inside = boxField(field, size, x);
  return inside ? -norm3(field) : norm3(field);
}

static void boxGradient(mjtNum gradient[3], const mjtNum size[3], const mjtNum x[3]) {
  boxField(gradient, size, x);
  for (int k = 0; k < 3; k++) gradient[k] = x[k] < 0 ? -gradient[k] : gradient[k];
  unit3(gradient);
}

// ---- round ones

// x less the nearest point of the segment of a capsule
static void capsuleField(mjtNum field[3], const mjtNum size[3], const mjtNum x[3]) {
  copy3(field, x);
  field[2] -= clip1(x[2], -size[1], size[1]);
}

// how far the point is outside of the side and of the ends
static void cylinderReach(mjtNum reach[2], const mjtNum size[3], const mjtNum x[3]) {
  reach[0] = sqrt(x[0] * x[0] + x[1] * x[1]) - size[0];
  reach[1] = fabs(x[2]) - size[1];
}

static mjtNum cylinderDistance(const mjtNum size[3], const mjtNum x[3]) {
  mjtNum reach[2], inside;
  cylinderReach(reach, size, x);
  inside = reach[0] > reach[1] ? reach[0] : reach[1];
  for (int k = 0; k < 2; k++) reach[k] = reach[k] > 0 ? reach[k] : 0;
  return (inside < 0 ? inside : 0) + sqrt(reach[0] * reach[0] + reach[1] * reach[1]);
}

static void cylinderGradient(mjtNum gradient[3], const mjtNum size[3], const mjtNum x[3]) {
  mjtNum reach[2], radius = sqrt(x[0] * x[0] + x[1] * x[1]);
  cylinderReach(reach, size, x);
  if (reach[0] < 0 && reach[1] < 0) {
    reach[0] = reach[0] > reach[1];
    reach[1] = 1 - reach[0];
  }
  for (int k = 0; k < 2; k++) reach[k] = reach[k] > 0 ? reach[k] : 0;
  mjtNum outward = radius > 0 ? reach[0] / radius : 0;
  set3(gradient, outward * x[0], outward * x[1], reach[1] * sign(x[2]));
  unit3(gradient);
}

// k0 (k0 - 1) / k1 with k0 = |x / size| and k1 = |x / size^2|
static mjtNum ellipsoidDistance(const mjtNum size[3], const mjtNum x[3]) {
  mjtNum a[3], b[3];
  for (int k = 0; k < 3; k++) {
    a[k] = x[k] / size[k];
    b[k] = a[k] / size[k];
  }
  mjtNum k0 = norm3(a), k1 = norm3(b);
  // at the center, the limit along the shortest axis
  if (k1 <= 0)
    return -(size[0] < size[1] ? (size[0] < size[2] ? size[0] : size[2]) : (size[1] < size[2] ? size[1] : size[2]));
  return k0 * (k0 - 1) / k1;
}

static void ellipsoidGradient(mjtNum gradient[3], const mjtNum size[3], const mjtNum x[3]) {
  mjtNum a[3], b[3];
  for (int k = 0; k < 3; k++) {
    a[k] = x[k] / size[k];
    b[k] = a[k] / size[k];
  }
  mjtNum k0 = norm3(a), k1 = norm3(b);
  set3(gradient, 0, 0, 0);
  if (k1 <= 0) return;
  for (int k = 0; k < 3; k++) {
    mjtNum d0 = b[k] / k0, d1 = b[k] / (size[k] * size[k] * k1);
    gradient[k] = d0 * (2 * k0 - 1) / k1 - k0 * (k0 - 1) / (k1 * k1) * d1;
  }
  unit3(gradient);
}

// ---- hulls of meshes

// The side of the hull that the point is furthest outside of, or least inside. Returns -1 without a hull.
static int hullSide(const mjiField* f, const mjtNum x[3], mjtNum* distance) {
  const mjModel* m = f->m;
  int end = m->mesh_polyadr[f->mesh] + m->mesh_polynum[f->mesh], best = -1;
  *distance = -mjMAXVAL;
  if (m->mesh_graphadr[f->mesh] < 0) return -1;
  for (int i = m->mesh_polyadr[f->mesh]; i < end; i++) {
    int vertex = m->mesh_vertadr[f->mesh] + m->mesh_polyvert[m->mesh_polyvertadr[i]];
    const float* v = m->mesh_vert + 3 * vertex;
    mjtNum offset[3] = {x[0] - v[0], x[1] - v[1], x[2] - v[2]};
    mjtNum height = dot3(m->mesh_polynormal + 3 * i, offset);
    if (height <= *distance) continue;
    *distance = height;
    best = i;
  }
  return best;
}

// exact inside; outside at most the distance
static mjtNum hullDistance(const mjiField* f, const mjtNum x[3]) {
  mjtNum distance;
  return hullSide(f, x, &distance) < 0 ? mjMAXVAL : distance;
}

static void hullGradient(const mjiField* f, mjtNum gradient[3], const mjtNum x[3]) {
  mjtNum distance;
  int side = hullSide(f, x, &distance);
  if (side < 0) set3(gradient, 0, 0, 0);
  else copy3(gradient, f->m->mesh_polynormal + 3 * side);
}

// ---- one field

void mji_field_init(mjiField* f, const mjiShape* shape) {
  const mjModel* m = shape->m;
  *f = (mjiField){.m = m, .d = shape->d, .type = shape->type, .mesh = -1, .size = shape->size};
  if (shape->type == mjGEOM_MESH || shape->type == mjGEOM_SDF) f->mesh = m->geom_dataid[shape->geom];
  if (shape->type != mjGEOM_SDF) return;
  f->plugin = mjc_getSDF(m, shape->geom);
  f->instance = m->geom_plugin[shape->geom];
}

mjtNum mji_field_distance(const mjiField* f, const mjtNum x[3]) {
  if (f->plugin) return f->plugin->sdf_distance(x, f->d, f->instance);
  mjtNum field[3];
  switch (f->type) {
    case mjGEOM_PLANE: return x[2];
    case mjGEOM_SPHERE: return norm3(x) - f->size[0];
    case mjGEOM_CAPSULE: capsuleField(field, f->size, x); return norm3(field) - f->size[0];
    case mjGEOM_ELLIPSOID: return ellipsoidDistance(f->size, x);
    case mjGEOM_CYLINDER: return cylinderDistance(f->size, x);
    case mjGEOM_BOX: return boxDistance(f->size, x);
    case mjGEOM_MESH: return hullDistance(f, x);
    case mjGEOM_SDF: return mji_octree_distance(f->m, f->mesh, x);
    default: mju_error("geoms of type %d have no signed distance", f->type); return 0;
  }
}

void mji_field_gradient(const mjiField* f, mjtNum gradient[3], const mjtNum x[3]) {
  if (f->plugin) {
    f->plugin->sdf_gradient(gradient, x, f->d, f->instance);
    return;
  }
  switch (f->type) {
    case mjGEOM_PLANE: set3(gradient, 0, 0, 1); break;
    case mjGEOM_SPHERE:
      copy3(gradient, x);
      unit3(gradient);
      break;
    case mjGEOM_CAPSULE:
      capsuleField(gradient, f->size, x);
      unit3(gradient);
      break;
    case mjGEOM_ELLIPSOID: ellipsoidGradient(gradient, f->size, x); break;
    case mjGEOM_CYLINDER: cylinderGradient(gradient, f->size, x); break;
    case mjGEOM_BOX: boxGradient(gradient, f->size, x); break;
    case mjGEOM_MESH: hullGradient(f, gradient, x); break;
    case mjGEOM_SDF: mji_octree_gradient(f->m, f->mesh, gradient, x); break;
    default: mju_error("geoms of type %d have no signed distance", f->type);
  }
}

mjtNum mji_field_both(const mjiField* f, mjtNum gradient[3], const mjtNum x[3]) {
  if (!f->plugin && f->type == mjGEOM_SDF) return mji_octree_gradient(f->m, f->mesh, gradient, x);
  mji_field_gradient(f, gradient, x);
  return mji_field_distance(f, x);
}

// ---- two fields

static void toSecond(const mjiFields* s, mjtNum y[3], const mjtNum x[3]) {
  rotate3(y, s->mat, x);
  add3(y, y, s->pos);
}

// value of the combination of two distances
static mjtNum combined(mjtSDFType type, mjtNum a, mjtNum b) {
  mjtNum most = a > b ? a : b;
  switch (type) {
    case mjSDFTYPE_INTERSECTION: return most;
    case mjSDFTYPE_MIDSURFACE: return a - b;
    default: return a + b + fabs(most);
  }
}

mjtNum mji_fields_distance(const mjiFields* s, const mjtNum x[3]) {
  mjtNum a = mji_field_distance(&s->field[0], x), y[3];
  if (s->type == mjSDFTYPE_SINGLE) return a;
  toSecond(s, y, x);
  return combined(s->type, a, mji_field_distance(&s->field[1], y));
}

// distance and gradient of the second field, in the frame of the first
static mjtNum second(const mjiFields* s, mjtNum gradient[3], const mjtNum y[3]) {
  mjtNum local[3], distance = mji_field_both(&s->field[1], local, y);
  rotateBack3(gradient, s->mat, local);
  return distance;
}

// the gradient of the field that is further away
static mjtNum intersect(const mjiFields* s, mjtNum gradient[3], const mjtNum x[3], const mjtNum y[3]) {
  mjtNum a = mji_field_distance(&s->field[0], x), b = mji_field_distance(&s->field[1], y);
  if (a > b) mji_field_gradient(&s->field[0], gradient, x);
  else second(s, gradient, y);
  return a > b ? a : b;
}

mjtNum mji_fields_gradient(const mjiFields* s, mjtNum gradient[3], const mjtNum x[3]) {
  mjtNum y[3], ga[3], gb[3];
  if (s->type == mjSDFTYPE_SINGLE) return mji_field_both(&s->field[0], gradient, x);
  toSecond(s, y, x);
  if (s->type == mjSDFTYPE_INTERSECTION) return intersect(s, gradient, x, y);
  mjtNum a = mji_field_both(&s->field[0], ga, x), b = second(s, gb, y);
  if (s->type == mjSDFTYPE_MIDSURFACE) {
    sub3(gradient, ga, gb);
    unit3(gradient);
  } else {
    add3(gradient, ga, gb);
    addScaled3(gradient, gradient, a > b ? ga : gb, (a > b ? a : b) > 0 ? 1 : -1);
  }
  return combined(s->type, a, b);
}

// ---- public

const mjpPlugin* mjc_getSDF(const mjModel* m, int id) {
  if (m->geom_type[id] != mjGEOM_SDF) mju_error("mjc_getSDF: geom %d is not of type sdf", id);
  if (m->geom_plugin[id] < 0) return NULL;  // its distances are those of the octree of its mesh
  const mjpPlugin* plugin = mjp_getPluginAtSlot(m->plugin[m->geom_plugin[id]]);
  if (!plugin) mju_error("mjc_getSDF: the plugin of geom %d is not registered", id);
  if (!(plugin->capabilityflags & mjPLUGIN_SDF) || !plugin->sdf_distance || !plugin->sdf_gradient) {
    mju_error("mjc_getSDF: plugin '%.200s' of geom %d does not compute signed distances", plugin->name, id);
  }
  return plugin;
}

// what a program names: an instance of a plugin, else a geom
static mjiField fieldOf(const mjModel* m, const mjData* d, const mjSDF* s, int i) {
  int id = s->id[i];
  mjiField f = {.m = m, .d = d, .type = s->geomtype[i], .plugin = s->plugin[i], .instance = id, .mesh = -1};
  if (f.plugin) return f;
  f.size = m->geom_size + 3 * id;
  f.mesh = m->geom_dataid[id];
  if (f.type == mjGEOM_SDF && (f.mesh < 0 || m->mesh_octadr[f.mesh] < 0)) mju_error("geom %d has no octree", id);
  return f;
}

static mjiFields fieldsOf(const mjModel* m, const mjData* d, const mjSDF* s) {
  mjiFields out = {.type = s->type, .pos = s->relpos, .mat = s->relmat};
  out.field[0] = fieldOf(m, d, s, 0);
  if (s->type != mjSDFTYPE_SINGLE) out.field[1] = fieldOf(m, d, s, 1);
  return out;
}

mjtNum mjc_distance(const mjModel* m, const mjData* d, const mjSDF* s, const mjtNum x[3]) {
  mjiFields fields = fieldsOf(m, d, s);
  return mji_fields_distance(&fields, x);
}

void mjc_gradient(const mjModel* m, const mjData* d, const mjSDF* s, mjtNum gradient[3], const mjtNum x[3]) {
  mjiFields fields = fieldsOf(m, d, s);
  mji_fields_gradient(&fields, gradient, x);
}
