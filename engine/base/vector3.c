// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Vectors of 3 and 4 numbers, 3x3 matrices, spatial vectors.
#include <mujoco/mujoco.h>

// ---- three numbers

void mju_zero3(mjtNum res[3]) { res[0] = res[1] = res[2] = 0; }

void mju_copy3(mjtNum res[3], const mjtNum data[3]) {
  res[0] = data[0];
  res[1] = data[1];
  res[2] = data[2];
}

void mju_scl3(mjtNum res[3], const mjtNum vec[3], mjtNum scl) {
  for (int i = 0; i < 3; i++) res[i] = vec[i] * scl;
}

void mju_add3(mjtNum res[3], const mjtNum vec1[3], const mjtNum vec2[3]) {
  for (int i = 0; i < 3; i++) res[i] = vec1[i] + vec2[i];
}

void mju_sub3(mjtNum res[3], const mjtNum vec1[3], const mjtNum vec2[3]) {
  for (int i = 0; i < 3; i++) res[i] = vec1[i] - vec2[i];
}

void mju_addTo3(mjtNum res[3], const mjtNum vec[3]) {
  for (int i = 0; i < 3; i++) res[i] += vec[i];
}

void mju_subFrom3(mjtNum res[3], const mjtNum vec[3]) {
  for (int i = 0; i < 3; i++) res[i] -= vec[i];
}

void mju_addToScl3(mjtNum res[3], const mjtNum vec[3], mjtNum scl) {
  for (int i = 0; i < 3; i++) res[i] += vec[i] * scl;
}

void mju_addScl3(mjtNum res[3], const mjtNum vec1[3], const mjtNum vec2[3], mjtNum scl) {
  for (int i = 0; i < 3; i++) res[i] = vec1[i] + vec2[i] * scl;
}

mjtNum mju_normalize3(mjtNum vec[3]) {
  mjtNum norm = mju_norm3(vec);
  if (norm < mjMINVAL) {
    vec[0] = 1;
    vec[1] = vec[2] = 0;
  } else {
    mju_scl3(vec, vec, 1 / norm);
  }
  return norm;
}

mjtNum mju_norm3(const mjtNum vec[3]) { return sqrt(mju_dot3(vec, vec)); }

mjtNum mju_dot3(const mjtNum vec1[3], const mjtNum vec2[3]) {
  return vec1[0] * vec2[0] + vec1[1] * vec2[1] + vec1[2] * vec2[2];
}

mjtNum mju_dist3(const mjtNum pos1[3], const mjtNum pos2[3]) {
  mjtNum dif[3];
  mju_sub3(dif, pos1, pos2);
  return mju_norm3(dif);
}

void mju_mulMatVec3(mjtNum res[3], const mjtNum mat[9], const mjtNum vec[3]) {
  mjtNum tmp[3] = {mju_dot3(mat, vec), mju_dot3(mat + 3, vec), mju_dot3(mat + 6, vec)};
  mju_copy3(res, tmp);
}

void mju_mulMatTVec3(mjtNum res[3], const mjtNum mat[9], const mjtNum vec[3]) {
  mjtNum tmp[3];
  for (int i = 0; i < 3; i++) tmp[i] = mat[i] * vec[0] + mat[i + 3] * vec[1] + mat[i + 6] * vec[2];
  mju_copy3(res, tmp);
}

void mju_cross(mjtNum res[3], const mjtNum a[3], const mjtNum b[3]) {
  mjtNum tmp[3] = {
      a[1] * b[2] - a[2] * b[1],
      a[2] * b[0] - a[0] * b[2],
      a[0] * b[1] - a[1] * b[0],
  };
  mju_copy3(res, tmp);
}

// ---- four numbers

void mju_zero4(mjtNum res[4]) { res[0] = res[1] = res[2] = res[3] = 0; }

void mju_unit4(mjtNum res[4]) {
  res[0] = 1;
  res[1] = res[2] = res[3] = 0;
}

void mju_copy4(mjtNum res[4], const mjtNum data[4]) {
  res[0] = data[0];
  res[1] = data[1];
  res[2] = data[2];
  res[3] = data[3];
}

mjtNum mju_normalize4(mjtNum vec[4]) {
  mjtNum norm = sqrt(vec[0] * vec[0] + vec[1] * vec[1] + vec[2] * vec[2] + vec[3] * vec[3]);
  if (norm < mjMINVAL) {
    mju_unit4(vec);
  } else if (fabs(norm - 1) > mjMINVAL) {
    // a unit vector is left as it is, bit for bit
    mjtNum inv = 1 / norm;
    for (int i = 0; i < 4; i++) vec[i] *= inv;
  }
  return norm;
}

// ---- spatial vectors: rotation first, then translation

void mju_transformSpatial(mjtNum res[6], const mjtNum vec[6], int flg_force, const mjtNum newpos[3],
                          const mjtNum oldpos[3], const mjtNum rotnew2old[9]) {
  mjtNum tran[6], dif[3], cros[3];
  mju_sub3(dif, newpos, oldpos);

  // a force changes its torque with the point, a motion its linear velocity
  for (int i = 0; i < 6; i++) tran[i] = vec[i];
  if (flg_force) {
    mju_cross(cros, dif, vec + 3);
    mju_sub3(tran, vec, cros);
  } else {
    mju_cross(cros, dif, vec);
    mju_sub3(tran + 3, vec + 3, cros);
  }

  // then the axes
  if (rotnew2old) {
    mju_mulMatTVec3(res, rotnew2old, tran);
    mju_mulMatTVec3(res + 3, rotnew2old, tran + 3);
  } else {
    for (int i = 0; i < 6; i++) res[i] = tran[i];
  }
}
