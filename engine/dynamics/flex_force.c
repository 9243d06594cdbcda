// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Passive forces of flexes: springs and dampers of edges, elasticity of triangles and tetrahedra (St. Venant-Kirchhoff,
// from the lengths of their edges), bending of shells across edges, and elasticity of flexes that follow nodes.
//
// Forces of elements act on the points of bodies where the vertices are. Bending, and nodes that are the origins of
// their bodies, act on the first three dofs of a body as if these moved along the axes of the world, as in the
// reference; that is so for the bodies that flexcomp makes, unless their parent turns.

#include "lanes/lanes.h"
#include "lanes/kernels.h"

#include "dynamics/flex.h"
#include "dynamics/flex_push.h"
#include "dynamics/spatial.h"
#include "model/flex_node.h"
#include "model/number.h"
#include "model/work.h"

// ---- forces on bodies

// add a force to the first three dofs of a body, unless it has fewer
static inline void pushDofs(const mjModel* m, int body, const V force[3], V* qfrc) {
  if (m->body_dofnum[body] < 3) return;
  V* first = qfrc + m->body_dofadr[body];
  for (int k = 0; k < 3; k++) first[k] = first[k] + force[k];
}

// velocities of these dofs, zeros for other bodies
static inline void dofVelocity(const mjModel* m, const mjData* d, int body, V vel[3]) {
  int adr = m->body_dofadr[body];
  if (m->body_dofnum[body] < 3) zeroN(vel, 3);
  else copy3(vel, CLANES(d->qvel) + adr);
}

// velocity of a point of a body
static inline void pointVelocity(const mjModel* m, const mjData* d, int body, const V* point, V vel[3]) {
  const V *cvel = CLANES(d->cvel) + 6 * body, *com = CLANES(d->subtree_com) + 3 * m->body_rootid[body];
  V arm[3] = {point[0] - com[0], point[1] - com[1], point[2] - com[2]};
  cross3(vel, cvel, arm);
  for (int k = 0; k < 3; k++) vel[k] = vel[k] + cvel[3 + k];
}

// ---- edges

static void addRow(const FlexEdgeRow* row, V force, V* qfrc) {
  for (int i = 0; i < row->n; i++) qfrc[row->col[i]] = qfrc[row->col[i]] + flexEdgeEntry(row, i) * force;
}

// springs and dampers along edges
static void edgeForces(const mjModel* m, mjData* d, int f) {
  mjtNum stiffness = mjDISABLED(mjDSBL_SPRING) ? 0 : m->flex_edgestiffness[f];
  mjtNum damping = mjDISABLED(mjDSBL_DAMPER) ? 0 : m->flex_edgedamping[f];
  if (!mji_flexHasJacobian(m, f) || (stiffness == 0 && damping == 0)) return;
  for (int e = m->flex_edgeadr[f]; e < m->flex_edgeadr[f] + m->flex_edgenum[f]; e++) {
    if (m->flexedge_rigid[e]) continue;
    FlexEdgeRow row = flexEdgeRow(m, d, e);
    V stretch = NUM(flexedge_length0)[e] - CLANES(d->flexedge_length)[e];
    if (stiffness != 0) addRow(&row, stiffness * stretch, LANES(d->qfrc_spring));
    if (damping != 0) addRow(&row, -damping * CLANES(d->flexedge_velocity)[e], LANES(d->qfrc_damper));
  }
}

// ---- elements

enum { MAXEDGE = 6, NSTIFFNESS = 21, NBENDING = 17 };

// Elongation of an edge: the difference of its squared length to that at rest. Damping adds the change of the squared
// length since the last step, times damping over timestep.
static inline V elongation(const mjModel* m, const mjData* d, int f, int e) {
  V length = CLANES(d->flexedge_length)[e];
  N rest = NUM(flexedge_length0)[e];
  V stretch = length * length - rest * rest;
  if (m->flex_damping[f] == 0) return stretch;
  V before = length - CLANES(d->flexedge_velocity)[e] * OPT(timestep)[0];
  return stretch + (length * length - before * before) * (m->flex_damping[f] / OPT(timestep)[0]);
}

// Tension of each edge of an element: the stiffness of the element, a symmetric matrix given by the rows of its upper
// triangle, times the elongations of the edges.
static inline void tensions(const mjtNum* stiffness, const V* stretch, int n, V* tension) {
  zeroN(tension, n);
  for (int i = 0; i < n; i++) {
    for (int k = i; k < n; k++, stiffness++) {
      tension[i] = tension[i] + *stiffness * stretch[k];
      if (k > i) tension[k] = tension[k] + *stiffness * stretch[i];
    }
  }
}

// Add up the tensions of all elements along each edge, and pull at the ends of the edges.
static void elasticForces(const mjModel* m, mjData* d, int f) {
  const mjtNum* stiffness = m->flex_stiffness + NSTIFFNESS * (size_t)m->flex_elemadr[f];
  if (m->flex_dim[f] < 2 || m->flex_elemnum[f] == 0 || stiffness[0] == 0) return;
  int nedge = m->flex_edgenum[f], edge0 = m->flex_edgeadr[f], nvert = m->flex_vertnum[f],
      n = m->flex_dim[f] == 2 ? 3 : 6;
  const int* elem = m->flex_elemedge + m->flex_elemedgeadr[f];
  mj_markStack(d);
  V* stretch = LANES(mji_stackNum(d, (size_t)nedge));
  V* total = LANES(mji_stackNum(d, (size_t)nedge));
  V* force = LANES(mji_stackNum(d, 3 * (size_t)nvert));
  for (int e = 0; e < nedge; e++) stretch[e] = elongation(m, d, f, edge0 + e);
  zeroN(total, nedge);
  zeroN(force, 3 * nvert);
  for (int t = 0; t < m->flex_elemnum[f]; t++, elem += n, stiffness += NSTIFFNESS) {
    V own[MAXEDGE], tension[MAXEDGE];
    for (int i = 0; i < n; i++) own[i] = stretch[elem[i]];
    tensions(stiffness, own, n, tension);
    for (int i = 0; i < n; i++) total[elem[i]] = total[elem[i]] + tension[i];
  }

  const V* vert = CLANES(d->flexvert_xpos) + 3 * m->flex_vertadr[f];
  for (int e = 0; e < nedge; e++) {
    int v0 = m->flex_edge[2 * (edge0 + e)], v1 = m->flex_edge[2 * (edge0 + e) + 1];
    for (int k = 0; k < 3; k++) {
      V pull = total[e] * (vert[3 * v1 + k] - vert[3 * v0 + k]);
      force[3 * v0 + k] = force[3 * v0 + k] + pull;
      force[3 * v1 + k] = force[3 * v1 + k] - pull;
    }
  }
  const int* body = m->flex_vertbodyid + m->flex_vertadr[f];
  for (int i = 0; i < nvert; i++) flexPush(m, d, body[i], vert + 3 * i, force + 3 * i, LANES(d->qfrc_spring));
  mj_freeStack(d);
}

// ---- bending

// forces that a curved shell at rest exerts on the four vertices around an edge, for a unit of curvature
static void curvedForces(const V* const x[4], V res[4][3]) {
  V side[4][3];
  for (int i = 1; i < 4; i++) {
    for (int k = 0; k < 3; k++) side[i][k] = x[i][k] - x[0][k];
  }
  cross3(res[1], side[2], side[3]);
  cross3(res[2], side[3], side[1]);
  cross3(res[3], side[1], side[2]);
  for (int k = 0; k < 3; k++) res[0][k] = -(res[1][k] + res[2][k] + res[3][k]);
}

// bending across one edge: a linear spring between its two vertices and the two opposite ones
static void bendEdge(const mjModel* m, mjData* d, int f, const int vert[4], const mjtNum* stiffness) {
  const int* body = m->flex_vertbodyid + m->flex_vertadr[f];
  const V* x[4];
  V vel[4][3], curved[4][3];
  int spring = !mjDISABLED(mjDSBL_SPRING), damper = !mjDISABLED(mjDSBL_DAMPER) && m->flex_damping[f] != 0;
  for (int i = 0; i < 4; i++) {
    x[i] = CLANES(d->flexvert_xpos) + 3 * (m->flex_vertadr[f] + vert[i]);
    if (damper) dofVelocity(m, d, body[vert[i]], vel[i]);
  }
  int isCurved = stiffness[16] != 0;
  if (isCurved) curvedForces(x, curved);
  for (int i = 0; i < 4; i++) {
    V pull[3] = {v_zero(), v_zero(), v_zero()}, brake[3] = {v_zero(), v_zero(), v_zero()};
    for (int k = 0; k < 3; k++) {
      for (int j = 0; spring && j < 4; j++) pull[k] = pull[k] - stiffness[4 * i + j] * x[j][k];
      for (int j = 0; damper && j < 4; j++) brake[k] = brake[k] - stiffness[4 * i + j] * vel[j][k] * m->flex_damping[f];
      if (spring && isCurved) pull[k] = pull[k] - stiffness[16] * curved[i][k];
    }
    if (spring) pushDofs(m, body[vert[i]], pull, LANES(d->qfrc_spring));
    if (damper) pushDofs(m, body[vert[i]], brake, LANES(d->qfrc_damper));
  }
}

static void bendingForces(const mjModel* m, mjData* d, int f) {
  if (m->flex_dim[f] != 2) return;
  for (int e = m->flex_edgeadr[f]; e < m->flex_edgeadr[f] + m->flex_edgenum[f]; e++) {
    const int *edge = m->flex_edge + 2 * e, *flap = m->flex_edgeflap + 2 * e;
    if (flap[0] < 0 || flap[1] < 0) continue;  // at the border
    const int vert[4] = {edge[0], edge[1], flap[0], flap[1]};
    bendEdge(m, d, f, vert, m->flex_bending + NBENDING * (size_t)e);
  }
}

// ---- nodes

// Rotation of the nodes from their places at rest: that of the derivative of positions by the coordinates of the unit
// cube, at its middle.
static void nodeRotation(const mjModel* m, int f, const V* x, V rot[9]) {
  static const mjtNum middle[3] = {0.5, 0.5, 0.5};
  mjtNum slope[3 * mjMAXFLEXNODES];
  mji_flexSlopes(m->flex_interp[f], middle, slope);
  V gradient[9];
  zeroN(gradient, 9);
  for (int i = 0; i < m->flex_nodenum[f]; i++) {
    for (int r = 0; r < 3; r++) {
      for (int c = 0; c < 3; c++) gradient[3 * r + c] = gradient[3 * r + c] + x[3 * i + r] * slope[3 * i + c];
    }
  }
  for (int lane = 0; lane < SHEAF_LANES; lane++) {
    mjtNum mat[9], quat[4] = {1, 0, 0, 0}, one[9];
    for (int k = 0; k < 9; k++) mat[k] = v_get(gradient[k], lane);
    mju_mat2Rot(quat, mat);
    mju_quat2Mat(one, quat);
    for (int k = 0; k < 9; k++) v_put(rot + k, lane, one[k]);
  }
}

// A force on a node of a body that turns acts at the place of the node in the frame of the rotation, and not at the
// node. So it is in the reference.
static void pushTurned(const mjModel* m, const mjData* d, int body, const V* rot, const V* x, const V force[3],
                       V* qfrc) {
  V place[3];
  mulMatT3(place, rot, x);
  flexPush(m, d, body, place, force, qfrc);
}

// add the product of the stiffness with displacements in the rotated frame, turned back
static void addNodeForces(const mjModel* m, const mjData* d, int f, const V* x, const V* rot, const V* moved,
                          mjtNum scale, V* qfrc) {
  const mjtNum* stiffness = m->flex_stiffness + NSTIFFNESS * (size_t)m->flex_elemadr[f];
  int n = m->flex_nodenum[f];
  for (int i = 0; i < n; i++) {
    V local[3], force[3];
    for (int k = 0; k < 3; k++) {
      const mjtNum* row = stiffness + (size_t)(3 * i + k) * (size_t)(3 * n);
      V sum = v_zero();
      for (int j = 0; j < 3 * n; j++) sum = sum + row[j] * moved[j];
      local[k] = scale * sum;
    }
    mulMat3(force, rot, local);
    int body = m->flex_nodebodyid[m->flex_nodeadr[f] + i];
    if (m->flex_centered[f]) pushDofs(m, body, force, qfrc);
    else pushTurned(m, d, body, rot, x + 3 * i, force, qfrc);
  }
}

static void nodeForces(const mjModel* m, mjData* d, int f) {
  int n = m->flex_nodenum[f], adr = m->flex_nodeadr[f];
  if (m->flex_elemnum[f] == 0 || m->flex_stiffness[NSTIFFNESS * (size_t)m->flex_elemadr[f]] == 0) return;
  mj_markStack(d);
  mjtNum* xpos = mji_stackNum(d, 3 * (size_t)n);
  V* moved = LANES(mji_stackNum(d, 3 * (size_t)n));
  const V* x = CLANES(xpos);
  LANE(flexNodes)(m, d, f, xpos);
  V rot[9];
  nodeRotation(m, f, x, rot);
  if (!mjDISABLED(mjDSBL_SPRING)) {
    for (int i = 0; i < n; i++) {
      mulMatT3(moved + 3 * i, rot, x + 3 * i);
      for (int k = 0; k < 3; k++) moved[3 * i + k] = moved[3 * i + k] - m->flex_node0[3 * (adr + i) + k];
    }
    addNodeForces(m, d, f, x, rot, moved, 1, LANES(d->qfrc_spring));
  }
  if (!mjDISABLED(mjDSBL_DAMPER) && m->flex_damping[f] != 0) {
    for (int i = 0; i < n; i++) {
      V vel[3];
      int body = m->flex_nodebodyid[adr + i];
      if (m->flex_centered[f]) dofVelocity(m, d, body, vel);
      else pointVelocity(m, d, body, CLANES(d->xipos) + 3 * body, vel);
      mulMatT3(moved + 3 * i, rot, vel);
    }
    addNodeForces(m, d, f, x, rot, moved, m->flex_damping[f], LANES(d->qfrc_damper));
  }
  mj_freeStack(d);
}

// ---- all

void LANE(flexPassive)(const mjModel* m, mjData* d) {
  if (mjDISABLED(mjDSBL_SPRING) && mjDISABLED(mjDSBL_DAMPER)) return;
  LANE(passiveContacts)(m, d);  // with springs or with dampers
  for (int f = 0; f < m->nflex; f++) {
    if (m->flex_rigid[f]) continue;
    if (m->flex_interp[f]) {
      nodeForces(m, d, f);
      continue;
    }
    bendingForces(m, d, f);
    elasticForces(m, d, f);
    edgeForces(m, d, f);
  }
}

V LANE(flexEnergy)(const mjModel* m, const mjData* d) {
  V sum = v_zero();
  for (int f = 0; f < m->nflex; f++) {
    if (!mji_flexHasEdges(m, f) || m->flex_edgestiffness[f] == 0) continue;
    for (int e = m->flex_edgeadr[f]; e < m->flex_edgeadr[f] + m->flex_edgenum[f]; e++) {
      if (m->flexedge_rigid[e]) continue;
      V stretch = NUM(flexedge_length0)[e] - CLANES(d->flexedge_length)[e];
      sum = sum + 0.5 * m->flex_edgestiffness[f] * stretch * stretch;
    }
  }
  return sum;
}
