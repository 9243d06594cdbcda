// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Contacts of a mesh with a signed distance field: for each triangle of the mesh, the point of it that is deepest in
// the field.
//
// The point is found by the conditional gradient method: from the middle, go towards the corner that the gradient
// points away from most, by smaller and smaller parts of the way, as often as the option sdf_iterations says. The
// mesh's tree of boxes leaves out triangles that the field is too far from: distances change no faster than points do.

#include "collide/pair.h"
#include "collide/sdf.h"
#include "collide/vec3.h"

enum { WAITING = 64 };  // a balanced tree needs one place for each level

typedef struct Walk_ {
  mjiField field;
  mjtNum pos[3], mat[9];  // of the mesh, in the frame of the field
  const mjiShape *mesh, *sdf;
  mjiHit* hit;
  int nhit;
} Walk;

static void toField(const Walk* w, mjtNum y[3], const mjtNum x[3]) {
  rotate3(y, w->mat, x);
  add3(y, y, w->pos);
}

// corners of a triangle in the frame of the field
static void corners(const Walk* w, mjtNum corner[3][3], int face) {
  const mjModel* m = w->mesh->m;
  int mesh = m->geom_dataid[w->mesh->geom];
  const int* vertex = m->mesh_face + 3 * (m->mesh_faceadr[mesh] + face);
  for (int i = 0; i < 3; i++) {
    const float* v = m->mesh_vert + 3 * (m->mesh_vertadr[mesh] + vertex[i]);
    mjtNum local[3] = {v[0], v[1], v[2]};
    toField(w, corner[i], local);
  }
}

// move x to the deepest point of a triangle
static void deepest(const Walk* w, mjtNum x[3], mjtNum corner[3][3]) {
  for (int k = 0; k < 3; k++) x[k] = (corner[0][k] + corner[1][k] + corner[2][k]) / 3;
  for (int i = 0; i < w->mesh->m->opt.sdf_iterations; i++) {
    mjtNum gradient[3], offset[3];
    mji_field_gradient(&w->field, gradient, x);
    int best = 0;
    for (int c = 1; c < 3; c++) {
      if (dot3(gradient, corner[c]) < dot3(gradient, corner[best])) best = c;
    }
    sub3(offset, corner[best], x);
    if (dot3(gradient, offset) > -mjMINVAL) return;
    addScaled3(x, x, offset, 2.0 / (i + 2));
  }
}

// keep a contact: once for each point, and the deepest if there are more than fit
static void keep(Walk* w, const mjiHit* new) {
  int at = w->nhit;
  for (int i = 0; i < w->nhit; i++) {
    if (dist3(w->hit[i].pos, new->pos) < 1e-9) return;
  }
  if (at == mjMAXCONPAIR) {
    at = 0;
    for (int i = 1; i < mjMAXCONPAIR; i++) at = w->hit[i].dist > w->hit[at].dist ? i : at;
    if (new->dist >= w->hit[at].dist) return;
  } else {
    w->nhit++;
  }
  w->hit[at] = *new;
}

static void touchFace(Walk* w, int face) {
  mjtNum corner[3][3], x[3], gradient[3], point[3];
  mjiHit hit = {0};
  corners(w, corner, face);
  deepest(w, x, corner);
  hit.dist = mji_field_distance(&w->field, x);
  if (!(hit.dist <= 0)) return;
  mji_field_gradient(&w->field, gradient, x);
  scale3(gradient, gradient, -1);
  if (normalize3(gradient) < mjMINVAL) return;
  addScaled3(point, x, gradient, 0.5 * hit.dist);
  rotate3(hit.pos, w->sdf->mat, point);
  add3(hit.pos, hit.pos, w->sdf->pos);
  rotate3(hit.normal, w->sdf->mat, gradient);
  keep(w, &hit);
}

static int isFar(const Walk* w, const mjtNum box[6]) {
  mjtNum center[3];
  toField(w, center, box);
  return mji_field_distance(&w->field, center) > norm3(box + 3);
}

int mji_pair_meshSdf(mjiHit* hit, const mjiShape* a, const mjiShape* b, mjtNum margin) {
  (void)margin;
  const mjModel* m = a->m;
  Walk w = {.mesh = a, .sdf = b, .hit = hit};
  mji_field_init(&w.field, b);
  mji_shape_relative(w.pos, w.mat, a, b);

  int mesh = m->geom_dataid[a->geom], tree = m->mesh_bvhadr[mesh], wait[WAITING] = {0},
      nwait = m->mesh_bvhnum[mesh] > 0;
  while (nwait) {
    int node = tree + wait[--nwait];
    if (isFar(&w, m->bvh_aabb + 6 * node)) continue;
    if (m->bvh_nodeid[node] >= 0) {
      touchFace(&w, m->bvh_nodeid[node]);
    } else if (nwait + 2 <= WAITING) {
      wait[nwait++] = m->bvh_child[2 * node + 1];
      wait[nwait++] = m->bvh_child[2 * node];
    }
  }
  return w.nhit;
}
