// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Rays that also give the normal of the surface where they hit.
#ifndef SHEAF_COLLIDE_RAY_NORMAL_H_
#define SHEAF_COLLIDE_RAY_NORMAL_H_

#include <mujoco/mujoco.h>

struct mjiShape_;

// The triangle that a ray hits: x along the ray, -1 for none, and its normal in the frame of the geom, of any length.
typedef struct mjiRayHit_ {
  mjtNum x;
  mjtNum normal[3];
} mjiRayHit;

// Do rays see a geom? Not if it is transparent.
static inline int mji_raySees(const mjModel* m, int geom) {
  int material = m->geom_matid[geom];
  return (material < 0 ? m->geom_rgba[4 * geom + 3] : m->mat_rgba[4 * material + 3]) != 0;
}

// mj_rayMesh at a pose, and mj_rayHfield, but no farther than `best`, the nearest hit so far or -1, which is the answer
// if nothing is nearer. `hit` (may be NULL) receives the nearest triangle. (ray_surface.c, ray_relief.c)
mjtNum mji_rayMesh(const mjModel* m, int geomid, const mjtNum pos[3], const mjtNum mat[9], const mjtNum pnt[3],
                   const mjtNum vec[3], mjiRayHit* hit);
mjtNum mji_rayHfield(const mjModel* m, const mjData* d, int geomid, const mjtNum pnt[3], const mjtNum vec[3],
                     mjtNum best, mjiRayHit* hit);

// A ray against a geom of type sdf; `normal` (may be NULL) receives the gradient where the ray hits. (ray_sdf.c)
mjtNum mji_raySdf(const struct mjiShape_* shape, const mjtNum pnt[3], const mjtNum vec[3], mjtNum normal[3]);

// Distance along a ray to a triangle, from both sides; -1 if the ray misses it. (ray_surface.c)
mjtNum mji_rayTriangle(const mjtNum pnt[3], const mjtNum vec[3], const mjtNum v0[3], const mjtNum v1[3],
                       const mjtNum v2[3]);

// mj_ray against all visible geoms but those of a body, with the unit normal of the surface that was hit, in world
// coordinates: outward for primitives, upward for the surface of a height field, as the vertices of the triangle turn
// for meshes; zero if nothing was hit.
mjtNum mji_ray(const mjModel* m, const mjData* d, const mjtNum pnt[3], const mjtNum vec[3], int bodyexclude,
               int geomid[1], mjtNum normal[3]);

#endif  // SHEAF_COLLIDE_RAY_NORMAL_H_
