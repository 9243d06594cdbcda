// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Small functions of one or a few numbers.
#include <stdlib.h>
#include <string.h>

#include <mujoco/mujoco.h>

// ---- scalars

mjtNum mju_min(mjtNum a, mjtNum b) { return a <= b ? a : b; }

mjtNum mju_max(mjtNum a, mjtNum b) { return a >= b ? a : b; }

mjtNum mju_clip(mjtNum x, mjtNum min, mjtNum max) { return x < min ? min : x > max ? max : x; }

mjtNum mju_sign(mjtNum x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }

int mju_round(mjtNum x) {
  mjtNum lower = floor(x), upper = ceil(x);
  return (int)(x - lower < upper - x ? lower : upper);
}

mjtNum mju_sigmoid(mjtNum x) {
  // fifth order: value, slope and curvature are continuous at 0 and 1
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  return x * x * x * (3 * x * (2 * x - 5) + 10);
}

int mju_isBad(mjtNum x) { return !(x >= -mjMAXVAL && x <= mjMAXVAL); }

// ---- arrays

int mju_isZero(const mjtNum* vec, int n) {
  for (int i = 0; i < n; i++) {
    if (vec[i] != 0) return 0;
  }
  return 1;
}

void mju_f2n(mjtNum* res, const float* vec, int n) {
  for (int i = 0; i < n; i++) res[i] = (mjtNum)vec[i];
}

void mju_n2f(float* res, const mjtNum* vec, int n) {
  for (int i = 0; i < n; i++) res[i] = (float)vec[i];
}

void mju_d2n(mjtNum* res, const double* vec, int n) {
  for (int i = 0; i < n; i++) res[i] = vec[i];
}

void mju_n2d(double* res, const mjtNum* vec, int n) {
  for (int i = 0; i < n; i++) res[i] = vec[i];
}

void mju_insertionSort(mjtNum* list, int n) {
  for (int i = 1; i < n; i++) {
    mjtNum x = list[i];
    int j = i;
    for (; j > 0 && list[j - 1] > x; j--) list[j] = list[j - 1];
    list[j] = x;
  }
}

void mju_insertionSortInt(int* list, int n) {
  for (int i = 1; i < n; i++) {
    int x = list[i], j = i;
    for (; j > 0 && list[j - 1] > x; j--) list[j] = list[j - 1];
    list[j] = x;
  }
}

char* mju_strncpy(char* dst, const char* src, int n) {
  if (!dst || !src || n <= 0) return dst;
  size_t len = strnlen(src, (size_t)n - 1);
  memcpy(dst, src, len);
  dst[len] = 0;
  return dst;
}

// ---- random and quasi-random numbers

mjtNum mju_standardNormal(mjtNum* num2) {
  // Marsaglia's polar method: a point in the unit disc gives two numbers
  const mjtNum scale = 2.0 / RAND_MAX;
  mjtNum x, y, w;
  do {
    x = scale * rand() - 1;
    y = scale * rand() - 1;
    w = x * x + y * y;
  } while (w >= 1 || w == 0);
  w = sqrt(-2 * log(w) / w);
  if (num2) *num2 = y * w;
  return x * w;
}

mjtNum mju_Halton(int index, int base) {
  // digits of the index in this base, mirrored at the point
  mjtNum sum = 0, digit = 1.0 / base;
  for (int n = index; n > 0; n /= base) {
    sum += digit * (n % base);
    digit /= base;
  }
  return sum;
}

// ---- contact forces

void mju_encodePyramid(mjtNum* pyramid, const mjtNum* force, const mjtNum* mu, int dim) {
  // an edge pair shares the normal force evenly, and differs by the tangent force
  mjtNum normal = force[0] / (dim - 1);
  for (int i = 0; i < dim - 1; i++) {
    mjtNum tangent = mju_min(normal, force[i + 1] / mu[i]);
    pyramid[2 * i] = 0.5 * (normal + tangent);
    pyramid[2 * i + 1] = 0.5 * (normal - tangent);
  }
}

void mju_decodePyramid(mjtNum* force, const mjtNum* pyramid, const mjtNum* mu, int dim) {
  if (dim == 1) {
    force[0] = pyramid[0];
    return;
  }
  force[0] = mju_sum(pyramid, 2 * (dim - 1));
  for (int i = 0; i < dim - 1; i++) force[i + 1] = (pyramid[2 * i] - pyramid[2 * i + 1]) * mu[i];
}

// ---- spring and damper

mjtNum mju_springDamper(mjtNum pos0, mjtNum vel0, mjtNum Kp, mjtNum Kv, mjtNum dt) {
  // solution of x'' = -Kp*x - Kv*x' after dt; the sign of det tells the kind
  mjtNum det = Kv * Kv - 4 * Kp;
  if (det > mjMINVAL) {
    // overdamped
    mjtNum root = sqrt(det), r1 = (-Kv + root) / 2, r2 = (-Kv - root) / 2;
    mjtNum c1 = (pos0 * r2 - vel0) / (r2 - r1), c2 = (pos0 * r1 - vel0) / (r1 - r2);
    return c1 * exp(r1 * dt) + c2 * exp(r2 * dt);
  }
  mjtNum decay = exp(-Kv * dt / 2), drift = vel0 + 0.5 * Kv * pos0;
  if (det >= -mjMINVAL) return decay * (pos0 + drift * dt);  // critical

  // underdamped
  mjtNum w = sqrt(-det) / 2;
  return decay * (pos0 * cos(w * dt) + drift / w * sin(w * dt));
}
