// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The functions of one variant of the convex search.

#include "collide/convex_variant.h"

const mjiConvexVariant LANE(convexVariant) = {LANE(supportInit), LANE(supportPrism), LANE(penetration),
                                              LANE(penetrationInDents), LANE(mprSearch)};
