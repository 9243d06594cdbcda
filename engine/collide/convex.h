// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Contacts of convex shapes.
#ifndef SHEAF_COLLIDE_CONVEX_H_
#define SHEAF_COLLIDE_CONVEX_H_

#include "collide/gjk.h"
#include "collide/pair.h"
#include "collide/support.h"

// Finds one contact if two shapes penetrate after margin was added to the sum of their sizes; returns the number of
// hits, 0 or 1.
int mji_convex_penetrate(mjiHit* hit, const mjModel* m, mjiConvex* a, mjiConvex* b, mjtNum margin);

// Contacts of two shapes from the result of mji_penetration, more than one with multiccd; returns their number.
int mji_convex_contacts(mjiHit* hit, const mjiGjk* g, const mjiConvex* a, const mjiConvex* b, mjtNum margin);

// Does the same as mji_convex_penetrate, with MPR. (mpr_hit.c)
int mji_convex_mpr(mjiHit* hit, const mjModel* m, mjiConvex* a, mjiConvex* b, mjtNum margin);

// More contacts beside hit[0], found by tilting the shapes about its tangents; returns the number
// of all. (multiccd.c)
int mji_convex_tilted(mjiHit* hit, const mjiShape* a, const mjiShape* b, const mjtNum tangent[2][3], mjtNum margin);

// More contacts beside hit[0] of two polytopes, where they lie flat on each other; returns the
// number of all. (multiface.c)
int mji_convex_faces(mjiHit* hit, const mjiShape* a, const mjiShape* b, const mjiVertex face[3]);

#endif  // SHEAF_COLLIDE_CONVEX_H_
