// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "collide/convex_variant.h"

#include "lanes/kernels.h"

#if SHEAF_X86 && !defined(SHEAF_FEW_VARIANTS)
extern const mjiConvexVariant mji_convexVariant_v1;
extern const mjiKernels mji_kernels_v1;

static const mjiConvexVariant* variant(void) {
  return mji_kernels1() == &mji_kernels_v1 ? &mji_convexVariant_v1 : &mji_convexVariant_b1;
}
#else
static const mjiConvexVariant* variant(void) { return &mji_convexVariant_b1; }
#endif

void mji_support_init(mjiConvex* c, const mjiShape* shape, mjtNum inflate) { variant()->init(c, shape, inflate); }

void mji_support_prism(mjiConvex* c, const mjtNum (*prism)[3], mjtNum inflate) { variant()->prism(c, prism, inflate); }

void mji_penetration(mjiGjk* g, mjiConvex* a, mjiConvex* b) { variant()->penetration(g, a, b); }

void mji_penetrationInDents(mjiGjk* g, const mjiConvex* a, const mjiConvex* b) {
  variant()->penetration_in_dents(g, a, b);
}

mjiMprEnd mji_mpr_search(mjiPortal* p, mjiConvex* a, mjiConvex* b, const mjOption* opt) {
  return variant()->mpr(p, a, b, opt);
}
