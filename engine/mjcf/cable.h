// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// A cable: a chain of bodies along a curve, and the skin around it. All memory is the tree's.
#ifndef SHEAF_MJCF_CABLE_H_
#define SHEAF_MJCF_CABLE_H_

#include "mjcf/read.h"

enum {
  mjiMAX_CABLE = 2048,         // points: bodies of a chain nest in each other
  mjiMAX_CABLESKIN = 1 << 20,  // vertices of the skin
};

typedef struct {
  const mjiXML* elem;
  const char* prefix;  // of all names
  int npoint;          // at least two
  float (*point)[3];   // along the curve
  double (*quat)[4];   // of the segments: x axis along the segment
  double size[3];      // of the geoms, as given
} mjiCable;

// Names: of an element of the cable, and of an element of segment i: "B_first", "B_1", ... "B_last".
const char* mji_cableName(mjiReader* r, const mjiCable* cable, const char* name);
const char* mji_cablePart(mjiReader* r, const mjiCable* cable, char letter, int i);

// Read or compute the points, and orient the segments.
void mji_cablePath(mjiReader* r, mjiCable* cable);

// From point i to the next.
void mji_cableEdge(const mjiCable* cable, int i, double edge[3]);

// Add the skin of a cable of boxes; skin is its element or NULL.
void mji_cableSkin(mjiReader* r, const mjiCable* cable, const mjiXML* skin);

// Check the element of a skin, for cables that are not of boxes and get none.
void mji_cableNoSkin(mjiReader* r, const mjiXML* skin);

#endif  // SHEAF_MJCF_CABLE_H_
