// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Patches of two boxes in the frame of a face: see box_box.c.
#ifndef SHEAF_COLLIDE_BOX_BOX_H_
#define SHEAF_COLLIDE_BOX_BOX_H_

#include "collide/pair.h"

enum { MJI_MAXPATCH = 28 };

typedef struct mjiBoxes_ {
  const mjiShape *a, *b;
  mjtNum pos21[3], pos12[3];    // center of b in the frame of a, center of a in the frame of b
  mjtNum rot[9], rotT[9];       // frame of b in a, and its transpose
  mjtNum reach1[3], reach2[3];  // extent of a along the axes of b, and of b along the axes of a
} mjiBoxes;

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

// Where two boxes that are apart are nearest.
typedef struct mjiBoxGap_ {
  mjtNum dist;
  mjtNum corner[2][8];  // distances of the corners of each box from the other box
  int edges;            // nonzero if inner points of two edges are nearer than all corners,
  mjiHit between;       // as this contact between them says
} mjiBoxGap;

// Distance of two boxes that do not overlap, exact up to rounding. (box_gap.c)
// Distances that differ by at most `rounding` count as equal; then corners are preferred to edges.
mjtNum mji_boxBox_gap(mjiBoxGap* gap, const mjiBoxes* x, mjtNum rounding);

// Contacts where the boxes are nearest: one, or, where they are as near at several corners, one at each. Boxes nearer
// than `rounding` get the fallback as their normal.
int mji_boxBox_nearest(mjiHit* hit, const mjiBoxes* x, const mjiBoxGap* gap, const mjtNum fallback[3], mjtNum rounding);

// Contact of the edges that face each other along the cross product of axis i of the first box and j of the second.
// Zero if their nearest points are not inner ones, or they overlap by more than `depth`.
int mji_boxBox_betweenEdges(mjiHit* hit, const mjiBoxes* x, int i, int j, mjtNum depth);

#endif  // SHEAF_COLLIDE_BOX_BOX_H_
