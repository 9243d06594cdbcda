// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Points and elements of a <flexcomp>. Memory belongs to the tree of the document.
#ifndef SHEAF_MJCF_FLEXCOMP_H_
#define SHEAF_MJCF_FLEXCOMP_H_

#include "mjcf/read.h"

enum { mjiMAX_FLEXPOINTS = 1 << 16 };

typedef enum mjiFlexcompType_ {
  mjiFLEXCOMP_GRID,
  mjiFLEXCOMP_BOX,
  mjiFLEXCOMP_CYLINDER,
  mjiFLEXCOMP_ELLIPSOID,
  mjiFLEXCOMP_SQUARE,
  mjiFLEXCOMP_DISC,
  mjiFLEXCOMP_CIRCLE,
  mjiFLEXCOMP_MESH,
  mjiFLEXCOMP_GMSH,
  mjiFLEXCOMP_DIRECT,
} mjiFlexcompType;

typedef enum mjiFlexcompDof_ {
  mjiFLEXDOF_FULL,
  mjiFLEXDOF_RADIAL,
  mjiFLEXDOF_TRILINEAR,
  mjiFLEXDOF_QUADRATIC,
} mjiFlexcompDof;

typedef struct mjiFlexcomp_ {
  const mjiXML* elem;
  mjsFrame* frame;          // around it, or NULL
  const mjsPlugin* plugin;  // instance that its bodies share, NULL: none
  mjiFlexcompType type;
  mjiFlexcompDof dof;
  int dim, rigid;
  int count[3];
  double spacing[3], scale[3], mass, inertiabox;
  double pos[3], quat[4];
  int npoint, nid;  // nid: dim + 1 ids for each element
  double* point;
  int* id;
  float* cell;             // (npoint x 2) places on the face of the grid, from 0 to 1, of shapes
  mjtByte *used, *pinned;  // by point, or by node: pinned
  const char* holder;      // name of the body with which pinned points stay, once it is asked for
  // of files, otherwise NULL: texture coordinates, and which of them each element has (nid)
  float* texcoord;
  int* elemtexcoord;
  int ntexcoord;
} mjiFlexcomp;

// flexcomp_shape.c: points and elements of the types that follow from count and spacing.
void mji_flexcompShape(mjiReader* r, mjiFlexcomp* f);

// flexcomp_file.c: those of files of meshes and of GMSH. The dimension is that of the elements in the file.
void mji_flexcompFile(mjiReader* r, mjiFlexcomp* f);

#endif  // SHEAF_MJCF_FLEXCOMP_H_
