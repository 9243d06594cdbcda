// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Patches of two boxes in the frame of a face: see box_box.c.
#ifndef SHEAF_COLLIDE_BOX_BOX_H_
#define SHEAF_COLLIDE_BOX_BOX_H_

#include "collide/pair.h"

enum { MJI_MAXPATCH = 28 };

typedef struct mjiPatch_ {
  int n;
  mjtNum point[MJI_MAXPATCH][3];  // midpoints of the contacts
  mjtNum dist[MJI_MAXPATCH];
} mjiPatch;

// The other box in the frame of a face; turn has the axes of that frame, in the face's box, as
// rows.
typedef struct mjiFaceFrame_ {
  const mjtNum* turn;
  mjtNum pos[3];
  mjtNum rot[9];
  mjtNum rect[3];  // half sizes of the face's rectangle, and of its box along the normal
} mjiFaceFrame;

// Two edges that meet. Each edge runs along an axis of its box; the bits of its side say where it lies on the other two
// axes (bit k set: at the positive end of axis k).
typedef struct mjiEdgePair_ {
  int axis1, axis2;
  int side1, side2;
  int flip;          // the normal points from the second box to the first
  mjtNum normal[3];  // in the frame of the first box
} mjiEdgePair;

void mji_boxBox_enterFace(mjiFaceFrame* f, const mjtNum size[3], int face, const mjtNum pos[3], const mjtNum rot[9]);

// Lowest face, edge or corner of a box of the given size over the rectangle of f.
void mji_boxBox_facePatch(mjiPatch* patch, const mjiFaceFrame* f, const mjtNum size[3], mjtNum margin);

// Faces beside two edges. Chooses the face frame, with a rectangle that is `grow` times as large, and gives the contact
// normal in it.
void mji_boxBox_edgePatch(mjiPatch* patch, mjiFaceFrame* f, mjtNum normal[3], const mjiEdgePair* e,
                          const mjtNum size1[3], const mjtNum size2[3], const mjtNum pos21[3], const mjtNum rot[9],
                          mjtNum grow, mjtNum margin);

#endif  // SHEAF_COLLIDE_BOX_BOX_H_
