// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Points and elements of GMSH files.
#ifndef SHEAF_FORMATS_GMSH_H_
#define SHEAF_FORMATS_GMSH_H_

#include <stddef.h>

typedef struct mjiGmsh_ {
  int dim;  // 1: lines, 2: triangles, 3: tetrahedra
  int npoint, nelem;
  double* point;  // (npoint x 3), in the order of the file
  int* elem;      // (nelem x (dim + 1)), which points
} mjiGmsh;

// Read a file of format 2.2 or 4.1, text or binary, whose elements are all of one type. Returns 0, or -1 with the
// reason in error. In either case the caller frees what is in out.
int mji_gmsh_read(mjiGmsh* out, const void* data, size_t size, char error[500]);
void mji_gmsh_free(mjiGmsh* gmsh);

#endif  // SHEAF_FORMATS_GMSH_H_
