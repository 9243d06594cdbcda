// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The muscle model over lanes: force-length-velocity curves and activation dynamics. One state (mju_muscleGain, ...) is
// the case of one lane. Include lanes/lanes.h first.
//
// Parameters of gain and bias: [0,1] operating range of the normalized length; [2] peak force; [3] if [2] is negative,
// the peak force is [3] / acc0; [4,5] ends of the active length curve; [6] shortening velocity of zero force, in
// optimal lengths per second; [7] passive force at lmax; [8] active force at saturating lengthening. The last two are
// relative to the peak force. Parameters are those of one model for all lanes.
#ifndef SHEAF_ACTUATE_MUSCLE_LANES_H_
#define SHEAF_ACTUATE_MUSCLE_LANES_H_

#include <mujoco/mujoco.h>

static inline mjtNum musclePositive(mjtNum x) { return mjMINVAL >= x ? mjMINVAL : x; }

// length at which the muscle is strongest
static inline mjtNum muscleOptimalLength(const mjtNum lengthrange[2], const mjtNum prm[9]) {
  return (lengthrange[1] - lengthrange[0]) / musclePositive(prm[1] - prm[0]);
}

static inline V muscleLength(V len, const mjtNum lengthrange[2], const mjtNum prm[9]) {
  return prm[0] + (len - lengthrange[0]) / musclePositive(muscleOptimalLength(lengthrange, prm));
}

static inline mjtNum musclePeak(mjtNum acc0, const mjtNum prm[9]) {
  return prm[2] < 0 ? prm[3] / musclePositive(acc0) : prm[2];
}

// bump of height one at length one, made of four parabolas
static inline V muscleLengthCurve(V len, mjtNum lmin, mjtNum lmax) {
  mjtNum a = 0.5 * (lmin + 1), b = 0.5 * (1 + lmax);
  M outside = v_lt(len, v_set1(lmin)) | v_lt(v_set1(lmax), len);
  M rises = v_le(len, v_set1(a)), falls = v_lt(v_set1(b), len) & ~rises, left = v_le(len, v_set1(1));
  V top = v_sel(left, 1 - len, len - 1);
  V below = v_sel(left, v_set1(musclePositive(1 - a)), v_set1(musclePositive(b - 1)));
  top = v_sel(rises, len - lmin, v_sel(falls, lmax - len, top));
  below = v_sel(rises, v_set1(musclePositive(a - lmin)), v_sel(falls, v_set1(musclePositive(lmax - b)), below));
  V x = top / below, bump = 0.5 * x * x;
  return v_and(~outside, v_sel(rises | falls, bump, 1 - bump));
}

// zero when shortening at full speed, one at rest, fvmax when lengthening fast
static inline V muscleVelocityCurve(V vel, mjtNum fvmax) {
  mjtNum y = fvmax - 1;
  V shortens = (vel + 1) * (vel + 1), lengthens = fvmax - (y - vel) * (y - vel) / musclePositive(y);
  V curve = v_sel(v_le(vel, v_set1(y)), lengthens, v_set1(fvmax));
  curve = v_sel(v_le(vel, v_zero()), shortens, curve);
  return v_sel(v_le(vel, v_set1(-1)), v_zero(), curve);
}

// force at zero velocity
static inline V muscleIsometricForce(V len, const mjtNum lengthrange[2], mjtNum acc0, const mjtNum prm[9]) {
  return musclePeak(acc0, prm) * muscleLengthCurve(muscleLength(len, lengthrange, prm), prm[4], prm[5]);
}

static inline V muscleGainOf(V len, V vel, const mjtNum lengthrange[2], mjtNum acc0, const mjtNum prm[9]) {
  V speed = vel / musclePositive(muscleOptimalLength(lengthrange, prm) * prm[6]);
  return -muscleIsometricForce(len, lengthrange, acc0, prm) * muscleVelocityCurve(speed, prm[8]);
}

// passive force: a parabola up to the middle of the stretched range, then its tangent
static inline V muscleBiasOf(V len, const mjtNum lengthrange[2], mjtNum acc0, const mjtNum prm[9]) {
  V length = muscleLength(len, lengthrange, prm);
  mjtNum b = 0.5 * (1 + prm[5]), force = musclePeak(acc0, prm) * prm[7], range = musclePositive(b - 1);
  V x = (length - 1) / range;
  V stretched = v_sel(v_le(length, v_set1(b)), -force * 0.5 * x * x, -force * (0.5 + (length - b) / range));
  return v_sel(v_le(length, v_set1(1)), v_zero(), stretched);
}

static inline V muscleClip(V x) { return v_sel(v_lt(x, v_zero()), v_zero(), v_sel(v_lt(v_set1(1), x), v_set1(1), x)); }

// fifth order: value, slope and curvature are continuous at 0 and 1
static inline V muscleSigmoid(V x) {
  V inside = x * x * x * (3 * x * (2 * x - 5) + 10);
  return v_sel(v_le(x, v_zero()), v_zero(), v_sel(v_ge(x, v_set1(1)), v_set1(1), inside));
}

// rate of activation
static inline V muscleRate(V ctrl, V act, const mjtNum prm[3]) {
  V change = muscleClip(ctrl) - act;

  // activation is slower the more active the muscle is, deactivation the other way round
  V slowdown = 0.5 + 1.5 * muscleClip(act);
  V up = prm[0] * slowdown, down = prm[1] / slowdown, tau;

  // switch between the two over an interval of width prm[2]
  if (prm[2] < mjMINVAL) tau = v_sel(v_gt(change, v_zero()), up, down);
  else tau = down + (up - down) * muscleSigmoid(change / prm[2] + 0.5);
  return change / v_sel(v_le(tau, v_set1(mjMINVAL)), v_set1(mjMINVAL), tau);
}

#endif  // SHEAF_ACTUATE_MUSCLE_LANES_H_
