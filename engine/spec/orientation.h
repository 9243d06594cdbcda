// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Directions and quaternions as users write them.
#ifndef SHEAF_SPEC_ORIENTATION_H_
#define SHEAF_SPEC_ORIENTATION_H_

// Scale a vector to unit length and return 1; leave it alone and return 0 if it is too short (1e-7) to have a
// direction. A vector whose length is one but for rounding keeps its bits.
int mji_unit(double* vec, int n);

#endif  // SHEAF_SPEC_ORIENTATION_H_
