// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0
#ifndef SHEAF_BASE_EIG3_H_
#define SHEAF_BASE_EIG3_H_

#include <mujoco/mujoco.h>

// As mju_eig3; `slack` says how far the length of the quaternion may be from one before it is normalized. The
// compiler passes more than mju_eig3 does: the last bits of the frames that it computes depend on it.
int mji_eig3(mjtNum eigval[3], mjtNum eigvec[9], mjtNum quat[4], const mjtNum mat[9], mjtNum slack);

#endif  // SHEAF_BASE_EIG3_H_
