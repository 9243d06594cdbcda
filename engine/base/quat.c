// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Quaternions (w x y z), rotation matrices and poses.
#include <string.h>

#include <mujoco/mujoco.h>

// ---- products

void mju_negQuat(mjtNum res[4], const mjtNum quat[4]) {
  res[0] = quat[0];
  for (int i = 1; i < 4; i++) res[i] = -quat[i];
}

void mju_mulQuat(mjtNum res[4], const mjtNum p[4], const mjtNum q[4]) {
  mjtNum tmp[4] = {
      p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3],
      p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
      p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1],
      p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0],
  };
  mju_copy4(res, tmp);
}

void mju_mulQuatAxis(mjtNum res[4], const mjtNum quat[4], const mjtNum axis[3]) {
  mjtNum pure[4] = {0, axis[0], axis[1], axis[2]};
  mjtNum tmp[4] = {
      -quat[1] * pure[1] - quat[2] * pure[2] - quat[3] * pure[3],
      quat[0] * pure[1] + quat[2] * pure[3] - quat[3] * pure[2],
      quat[0] * pure[2] + quat[3] * pure[1] - quat[1] * pure[3],
      quat[0] * pure[3] + quat[1] * pure[2] - quat[2] * pure[1],
  };
  mju_copy4(res, tmp);
}

void mju_rotVecQuat(mjtNum res[3], const mjtNum vec[3], const mjtNum quat[4]) {
  // the identity and the zero vector are exact
  if (vec[0] == 0 && vec[1] == 0 && vec[2] == 0) {
    mju_zero3(res);
    return;
  }
  if (quat[0] == 1 && quat[1] == 0 && quat[2] == 0 && quat[3] == 0) {
    mju_copy3(res, vec);
    return;
  }

  // v + 2 * u x (w*v + u x v) with q = (w, u)
  mjtNum w = quat[0], x = quat[1], y = quat[2], z = quat[3], cross[3];
  mjtNum tmp[3] = {
      w * vec[0] + y * vec[2] - z * vec[1],
      w * vec[1] + z * vec[0] - x * vec[2],
      w * vec[2] + x * vec[1] - y * vec[0],
  };
  mju_cross(cross, quat + 1, tmp);
  for (int i = 0; i < 3; i++) res[i] = vec[i] + 2 * cross[i];
}

// ---- axis and angle, velocity

void mju_axisAngle2Quat(mjtNum res[4], const mjtNum axis[3], mjtNum angle) {
  if (angle == 0) {
    mju_unit4(res);
    return;
  }
  mjtNum s = sin(angle * 0.5);
  res[0] = cos(angle * 0.5);
  for (int i = 0; i < 3; i++) res[i + 1] = axis[i] * s;
}

void mju_quat2Vel(mjtNum res[3], const mjtNum quat[4], mjtNum dt) {
  mjtNum axis[3] = {quat[1], quat[2], quat[3]};
  mjtNum sine = mju_normalize3(axis);

  // the shorter way round
  mjtNum angle = 2 * atan2(sine, quat[0]);
  if (angle > mjPI) angle -= 2 * mjPI;
  mju_scl3(res, axis, angle / dt);
}

void mju_subQuat(mjtNum res[3], const mjtNum qa[4], const mjtNum qb[4]) {
  // qb * exp(res) = qa
  mjtNum inverse[4], dif[4];
  mju_negQuat(inverse, qb);
  mju_mulQuat(dif, inverse, qa);
  mju_quat2Vel(res, dif, 1);
}

void mju_derivQuat(mjtNum res[4], const mjtNum quat[4], const mjtNum vel[3]) {
  mjtNum tmp[4] = {
      0.5 * (-vel[0] * quat[1] - vel[1] * quat[2] - vel[2] * quat[3]),
      0.5 * (vel[0] * quat[0] + vel[1] * quat[3] - vel[2] * quat[2]),
      0.5 * (-vel[0] * quat[3] + vel[1] * quat[0] + vel[2] * quat[1]),
      0.5 * (vel[0] * quat[2] - vel[1] * quat[1] + vel[2] * quat[0]),
  };
  mju_copy4(res, tmp);
}

void mju_quatIntegrate(mjtNum quat[4], const mjtNum vel[3], mjtNum scale) {
  // quat * exp(vel * scale): the velocity is in the local frame
  mjtNum axis[3], step[4];
  mju_copy3(axis, vel);
  mjtNum angle = scale * mju_normalize3(axis);
  mju_axisAngle2Quat(step, axis, angle);
  mju_normalize4(quat);
  mju_mulQuat(quat, quat, step);
}

void mju_quatZ2Vec(mjtNum quat[4], const mjtNum vec[3]) {
  mjtNum dir[3];
  mju_copy3(dir, vec);
  mju_unit4(quat);
  if (mju_normalize3(dir) < mjMINVAL) return;

  // rotate about z x dir
  mjtNum axis[3] = {-dir[1], dir[0], 0};
  mjtNum sine = mju_normalize3(axis);
  if (fabs(sine) < mjMINVAL) {
    // along z, or against it: then half a turn about x
    if (dir[2] < 0) {
      quat[0] = 0;
      quat[1] = 1;
    }
    return;
  }
  mju_axisAngle2Quat(quat, axis, atan2(sine, dir[2]));
}

void mju_euler2Quat(mjtNum quat[4], const mjtNum euler[3], const char* seq) {
  if (strnlen(seq, 4) != 3) {
    mju_error("mju_euler2Quat: the sequence must have 3 letters, \"%.8s\" does not", seq);
    return;
  }
  mjtNum result[4] = {1, 0, 0, 0};
  for (int i = 0; i < 3; i++) {
    // a lower-case letter rotates about the moving axis, an upper-case one about the fixed axis
    const char* letters = "xyzXYZ";
    const char* found = strchr(letters, seq[i]);
    if (!found) {
      mju_error("mju_euler2Quat: '%c' is not one of %s", seq[i], letters);
      return;
    }
    int k = (int)(found - letters);
    mjtNum step[4] = {cos(euler[i] / 2), 0, 0, 0};
    step[1 + k % 3] = sin(euler[i] / 2);
    if (k < 3) {
      mju_mulQuat(result, result, step);
    } else {
      mju_mulQuat(result, step, result);
    }
  }
  mju_copy4(quat, result);
}

// ---- matrices

void mju_quat2Mat(mjtNum res[9], const mjtNum quat[4]) {
  // the identity is exact
  if (quat[0] == 1 && quat[1] == 0 && quat[2] == 0 && quat[3] == 0) {
    mju_zero(res, 9);
    res[0] = res[4] = res[8] = 1;
    return;
  }
  mjtNum w = quat[0], x = quat[1], y = quat[2], z = quat[3];
  mjtNum ww = w * w, xx = x * x, yy = y * y, zz = z * z;
  mjtNum wx = w * x, wy = w * y, wz = w * z, xy = x * y, xz = x * z, yz = y * z;
  res[0] = ww + xx - yy - zz;
  res[4] = ww - xx + yy - zz;
  res[8] = ww - xx - yy + zz;
  res[1] = 2 * (xy - wz);
  res[2] = 2 * (xz + wy);
  res[3] = 2 * (xy + wz);
  res[5] = 2 * (yz - wx);
  res[6] = 2 * (xz - wy);
  res[7] = 2 * (yz + wx);
}

void mju_mat2Quat(mjtNum quat[4], const mjtNum mat[9]) {
  if (mat[0] + mat[4] + mat[8] > 0) {
    // w is the largest
    quat[0] = 0.5 * sqrt(1 + mat[0] + mat[4] + mat[8]);
    quat[1] = 0.25 * (mat[7] - mat[5]) / quat[0];
    quat[2] = 0.25 * (mat[2] - mat[6]) / quat[0];
    quat[3] = 0.25 * (mat[3] - mat[1]) / quat[0];
  } else if (mat[0] > mat[4] && mat[0] > mat[8]) {
    // x is the largest
    quat[1] = 0.5 * sqrt(1 + mat[0] - mat[4] - mat[8]);
    quat[0] = 0.25 * (mat[7] - mat[5]) / quat[1];
    quat[2] = 0.25 * (mat[1] + mat[3]) / quat[1];
    quat[3] = 0.25 * (mat[2] + mat[6]) / quat[1];
  } else if (mat[4] > mat[8]) {
    // y is the largest
    quat[2] = 0.5 * sqrt(1 - mat[0] + mat[4] - mat[8]);
    quat[0] = 0.25 * (mat[2] - mat[6]) / quat[2];
    quat[1] = 0.25 * (mat[1] + mat[3]) / quat[2];
    quat[3] = 0.25 * (mat[5] + mat[7]) / quat[2];
  } else {
    // z is the largest
    quat[3] = 0.5 * sqrt(1 - mat[0] - mat[4] + mat[8]);
    quat[0] = 0.25 * (mat[3] - mat[1]) / quat[3];
    quat[1] = 0.25 * (mat[2] + mat[6]) / quat[3];
    quat[2] = 0.25 * (mat[5] + mat[7]) / quat[3];
  }
  mju_normalize4(quat);
}

int mju_mat2Rot(mjtNum quat[4], const mjtNum mat[9]) {
  // Mueller et al., "A robust method to extract the rotational part of deformations": turn the
  // rotation towards the columns of mat until nothing is left to turn
  enum { MAXITER = 500 };
  const mjtNum tolerance = 1e-9;
  int iter = 0;
  for (; iter < MAXITER; iter++) {
    mjtNum rot[9], omega[3] = {0, 0, 0}, dots = 0;
    mju_quat2Mat(rot, quat);
    for (int c = 0; c < 3; c++) {
      mjtNum have[3] = {rot[c], rot[c + 3], rot[c + 6]}, cross[3];
      mjtNum want[3] = {mat[c], mat[c + 3], mat[c + 6]};
      mju_cross(cross, have, want);
      mju_addTo3(omega, cross);
      dots += mju_dot3(have, want);
    }
    mju_scl3(omega, omega, 1 / (fabs(dots) + mjMINVAL));

    mjtNum angle = mju_normalize3(omega), step[4];
    if (angle < tolerance) break;
    mju_axisAngle2Quat(step, omega, angle);
    mju_mulQuat(quat, step, quat);
    mju_normalize4(quat);
  }
  return iter;
}

// ---- poses

void mju_mulPose(mjtNum posres[3], mjtNum quatres[4], const mjtNum pos1[3], const mjtNum quat1[4], const mjtNum pos2[3],
                 const mjtNum quat2[4]) {
  mjtNum pos[3], quat[4];
  mju_mulQuat(quat, quat1, quat2);
  mju_normalize4(quat);
  mju_trnVecPose(pos, pos1, quat1, pos2);
  mju_copy3(posres, pos);
  mju_copy4(quatres, quat);
}

void mju_negPose(mjtNum posres[3], mjtNum quatres[4], const mjtNum pos[3], const mjtNum quat[4]) {
  mjtNum inverse[4], turned[3];
  mju_negQuat(inverse, quat);
  mju_rotVecQuat(turned, pos, inverse);
  mju_scl3(posres, turned, -1);
  mju_copy4(quatres, inverse);
}

void mju_trnVecPose(mjtNum res[3], const mjtNum pos[3], const mjtNum quat[4], const mjtNum vec[3]) {
  mjtNum turned[3];
  mju_rotVecQuat(turned, vec, quat);
  mju_add3(res, turned, pos);
}

// ---- derivatives, with respect to changes in the local tangent space

// mat = a*I + b*axis*axis' + c*[axis]x
static void axisMatrix(mjtNum mat[9], const mjtNum axis[3], mjtNum a, mjtNum b, mjtNum c) {
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) mat[3 * i + j] = b * axis[i] * axis[j] + (i == j ? a : 0);
  }
  mat[1] -= c * axis[2];
  mat[2] += c * axis[1];
  mat[3] += c * axis[2];
  mat[5] -= c * axis[0];
  mat[6] -= c * axis[1];
  mat[7] += c * axis[0];
}

void mjd_subQuat(const mjtNum qa[4], const mjtNum qb[4], mjtNum Da[9], mjtNum Db[9]) {
  if (!Da && !Db) return;
  mjtNum axis[3], D[9];
  mju_subQuat(axis, qa, qb);
  mjtNum half = 0.5 * mju_normalize3(axis);

  // inverse of the right Jacobian; h / tan(h) by its series near zero
  mjtNum a = half < 6e-8 ? 1 - half * half / 3 : half / tan(half);
  axisMatrix(D, axis, a, 1 - a, half);
  if (Da) mju_copy(Da, D, 9);
  if (Db) {
    mju_transpose(Db, D, 3, 3);
    mju_scl(Db, Db, -1, 9);
  }
}

void mjd_quatIntegrate(const mjtNum vel[3], mjtNum scale, mjtNum Dquat[9], mjtNum Dvel[9], mjtNum Dscale[3]) {
  mjtNum axis[3];
  mju_scl3(axis, vel, scale);
  mjtNum angle = mju_normalize3(axis);
  if (Dquat) {
    // rotation by -angle
    mjtNum c = cos(angle);
    axisMatrix(Dquat, axis, c, 1 - c, -sin(angle));
  }
  if (Dvel) {
    // right Jacobian, by its series near zero; with respect to vel * scale, as documented
    int small = angle < 1e-8;
    mjtNum a = small ? 1 - angle * angle / 6 : sin(angle) / angle;
    mjtNum s = sin(angle / 2), c = small ? angle / 2 : 2 * s * s / angle;
    axisMatrix(Dvel, axis, a, 1 - a, -c);
  }
  if (Dscale) mju_copy3(Dscale, vel);
}
