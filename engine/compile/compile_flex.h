// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// What the compiler works out about a flex. mjiElem.info of a flex points to it.
#ifndef SHEAF_COMPILE_COMPILE_FLEX_H_
#define SHEAF_COMPILE_COMPILE_FLEX_H_

#include "compile/compile.h"

typedef struct mjiFlex_ {
  int dim, interp;  // interp: order of the control nodes, 0 if bodies carry the vertices
  int nnode, nvert, nedge, nelem, nshell, nevpair;
  int rigid, centered, equality;
  int *nodebody, *vertbody;   // ids; vertbody is NULL if there are nodes
  double *node, *vert;        // in the frames of their bodies; vertices of a flex with nodes: global
  double *nodepos, *vertpos;  // global at qpos0
  double* vert0;              // (nvert x 3) in the unit box
  int *elem, *elemtexcoord, *elemedge, *elemlayer;
  int *edge, *edgeflap;  // (nedge x 2)
  int* shell;            // (nshell x dim)
  int* evpair;           // (nevpair x 2)
  double* stiffness;     // (nelem x 21)
  double* bending;       // (nedge x 17)
} mjiFlex;

// flex_topology.c: edges, their opposite vertices, layers, shell and element-vertex pairs, from the elements.
void mji_flex_connect(mjiFlex* flex, int flaps);

// flex_elastic.c: stiffness of elements and bending of edges, from the places of vertices at qpos0.
void mji_flex_stretch(mjiFlex* flex, double young, double poisson, double thickness);
void mji_flex_bend(mjiFlex* flex, double young, double poisson, double thickness);

// flex_nodes.c: stiffness of the control nodes, which fills the room for the stiffness of elements. 0 if it fits.
int mji_flex_stiffenNodes(mjiFlex* flex, double young, double poisson);

void mji_flex_free(mjiFlex* flex);  // what it points to

// Elements that collide, which have bounding volumes: of a solid those near the surface.
int mji_flex_isLeaf(const mjiElem* e, int elem);

#endif  // SHEAF_COMPILE_COMPILE_FLEX_H_
