// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The tactile sensor: vertices of a mesh are taxels on a geom. Where a geom that touches it reaches over a vertex, the
// vertex has a pressure and two speeds of sliding; first come the pressures of all vertices, then the speeds.

#include <math.h>

#include "collide/sdf.h"
#include "sense/sense.h"

// The pressure is depth over softness and depth, negative as depths are: it has a limit, as a soft pad would have.
static const mjtNum SOFTNESS = 0.05;

typedef struct {
  const mjModel* m;
  const mjData* d;
  int geom, mesh;
} Pad;

static int hasField(int type) { return type != mjGEOM_HFIELD && type >= mjGEOM_PLANE && type <= mjGEOM_SDF; }

// velocity of a point of the world that moves with a geom
static void velocityAt(mjtNum vel[3], const Pad* pad, int geom, const mjtNum point[3]) {
  mjtNum both[6], arm[3], turn[3];
  mj_objectVelocity(pad->m, pad->d, mjOBJ_GEOM, geom, both, 0);
  mju_sub3(arm, point, pad->d->geom_xpos + 3 * geom);
  mju_cross(turn, both, arm);
  mju_add3(vel, both + 3, turn);
}

// Two tangents of the pad at a vertex, in the frame of its geom: the second and third normal of the vertex, which
// plates and wedges have, or else any two across its normal.
static void tangents(mjtNum tangent[6], const Pad* pad, int vertex) {
  const mjModel* m = pad->m;
  int nvert = m->mesh_vertnum[pad->mesh], nnormal = m->mesh_normalnum[pad->mesh], each = nnormal / nvert;
  const float* normal = m->mesh_normal + 3 * (m->mesh_normaladr[pad->mesh] + each * vertex);
  if (each >= 3) {
    for (int k = 0; k < 6; k++) tangent[k] = normal[3 + k];
    return;
  }
  mjtNum up[3] = {0, 0, 1}, axis[3] = {0, 0, 0};
  for (int k = 0; k < 3 && each; k++) up[k] = normal[k];
  axis[fabs(up[1]) < 0.5 ? 1 : 2] = 1;
  mju_cross(tangent, axis, up);
  mju_normalize3(tangent);
  mju_cross(tangent + 3, up, tangent);
}

static void pressVertex(const Pad* pad, const mjiField* field, const mjiShape* other, int vertex, mjtNum* out) {
  const mjModel* m = pad->m;
  const mjData* d = pad->d;
  const float* v = m->mesh_vert + 3 * (m->mesh_vertadr[pad->mesh] + vertex);
  const mjtNum *mat = d->geom_xmat + 9 * pad->geom, place[3] = {v[0], v[1], v[2]};
  mjtNum point[3], offset[3], local[3], vel[3], own[3], tangent[6];
  mju_mulMatVec3(point, mat, place);
  mju_addTo3(point, d->geom_xpos + 3 * pad->geom);
  mju_sub3(offset, point, other->pos);
  mju_mulMatTVec3(local, other->mat, offset);
  mjtNum depth = mji_field_distance(field, local);
  if (!(depth < 0)) return;

  int n = m->mesh_vertnum[pad->mesh];
  out[vertex] = depth / (SOFTNESS - depth);
  velocityAt(vel, pad, other->geom, point);
  velocityAt(own, pad, pad->geom, point);
  mju_subFrom3(vel, own);
  mju_mulMatTVec3(local, mat, vel);
  tangents(tangent, pad, vertex);
  out[n + vertex] = fabs(mju_dot3(local, tangent));
  out[2 * n + vertex] = fabs(mju_dot3(local, tangent + 3));
}

void mji_sense_tactile(const mjModel* m, mjData* d, int i, mjtNum* out) {
  Pad pad = {m, d, m->sensor_refid[i], m->sensor_objid[i]};
  mju_zero(out, m->sensor_dim[i]);
  for (int c = 0, last = -1; c < d->ncon; c++) {
    const int* geom = d->contact[c].geom;
    int other = geom[0] == pad.geom ? geom[1] : geom[1] == pad.geom ? geom[0] : -1;
    if (other < 0 || other == last || !hasField(m->geom_type[other])) continue;
    last = other;  // the other contacts of a pair follow and say the same
    mjiShape shape;
    mjiField field;
    mji_pair_shape(&shape, m, d, other);
    mji_field_init(&field, &shape);
    for (int v = 0; v < m->mesh_vertnum[pad.mesh]; v++) pressVertex(&pad, &field, &shape, v, out);
  }
}
