// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The muscle model: force-length-velocity curves and activation dynamics.
//
// Parameters of gain and bias: [0,1] operating range of the normalized length; [2] peak force; [3] if [2] is negative,
// the peak force is [3] / acc0; [4,5] ends of the active length curve; [6] shortening velocity of zero force, in
// optimal lengths per second; [7] passive force at lmax; [8] active force at saturating lengthening. The last two are
// relative to the peak force.

#include "actuate/actuate.h"

static mjtNum positive(mjtNum x) { return mju_max(mjMINVAL, x); }

// length at which the muscle is strongest
static mjtNum optimalLength(const mjtNum lengthrange[2], const mjtNum prm[9]) {
  return (lengthrange[1] - lengthrange[0]) / positive(prm[1] - prm[0]);
}

static mjtNum normalizedLength(mjtNum len, const mjtNum lengthrange[2], const mjtNum prm[9]) {
  return prm[0] + (len - lengthrange[0]) / positive(optimalLength(lengthrange, prm));
}

static mjtNum peakForce(mjtNum acc0, const mjtNum prm[9]) { return prm[2] < 0 ? prm[3] / positive(acc0) : prm[2]; }

// bump of height one at length one, made of four parabolas
static mjtNum lengthCurve(mjtNum len, mjtNum lmin, mjtNum lmax) {
  if (len < lmin || len > lmax) return 0;
  mjtNum a = 0.5 * (lmin + 1), b = 0.5 * (1 + lmax);
  mjtNum x;
  if (len <= a) {
    x = (len - lmin) / positive(a - lmin);
    return 0.5 * x * x;
  }
  if (len > b) {
    x = (lmax - len) / positive(lmax - b);
    return 0.5 * x * x;
  }
  x = len <= 1 ? (1 - len) / positive(1 - a) : (len - 1) / positive(b - 1);
  return 1 - 0.5 * x * x;
}

// zero when shortening at full speed, one at rest, fvmax when lengthening fast
static mjtNum velocityCurve(mjtNum vel, mjtNum fvmax) {
  mjtNum y = fvmax - 1;
  if (vel <= -1) return 0;
  if (vel <= 0) return (vel + 1) * (vel + 1);
  if (vel <= y) return fvmax - (y - vel) * (y - vel) / positive(y);
  return fvmax;
}

// force at zero velocity
static mjtNum isometricForce(mjtNum len, const mjtNum lengthrange[2], mjtNum acc0, const mjtNum prm[9]) {
  return peakForce(acc0, prm) * lengthCurve(normalizedLength(len, lengthrange, prm), prm[4], prm[5]);
}

mjtNum mju_muscleGain(mjtNum len, mjtNum vel, const mjtNum lengthrange[2], mjtNum acc0, const mjtNum prm[9]) {
  mjtNum speed = vel / positive(optimalLength(lengthrange, prm) * prm[6]);
  return -isometricForce(len, lengthrange, acc0, prm) * velocityCurve(speed, prm[8]);
}

mjtNum mji_muscle_gainVel(mjtNum len, mjtNum vel, const mjtNum lengthrange[2], mjtNum acc0, const mjtNum prm[9]) {
  mjtNum scale = positive(optimalLength(lengthrange, prm) * prm[6]);
  mjtNum speed = vel / scale, y = prm[8] - 1, slope = 0;
  if (speed > -1 && speed <= 0) slope = 2 * (speed + 1);
  else if (speed > 0 && speed <= y) slope = 2 * (y - speed) / positive(y);
  return -isometricForce(len, lengthrange, acc0, prm) * slope / scale;
}

mjtNum mju_muscleBias(mjtNum len, const mjtNum lengthrange[2], mjtNum acc0, const mjtNum prm[9]) {
  mjtNum length = normalizedLength(len, lengthrange, prm);
  mjtNum b = 0.5 * (1 + prm[5]), force = peakForce(acc0, prm) * prm[7];

  // parabola up to the middle of the stretched range, then its tangent
  if (length <= 1) return 0;
  if (length <= b) {
    mjtNum x = (length - 1) / positive(b - 1);
    return -force * 0.5 * x * x;
  }
  return -force * (0.5 + (length - b) / positive(b - 1));
}

mjtNum mju_muscleDynamics(mjtNum ctrl, mjtNum act, const mjtNum prm[3]) {
  ctrl = mju_clip(ctrl, 0, 1);
  mjtNum change = ctrl - act;

  // activation is slower the more active the muscle is, deactivation the other way round
  mjtNum slowdown = 0.5 + 1.5 * mju_clip(act, 0, 1);
  mjtNum up = prm[0] * slowdown, down = prm[1] / slowdown;

  // switch between the two over an interval of width prm[2]
  mjtNum tau;
  if (prm[2] < mjMINVAL) tau = change > 0 ? up : down;
  else tau = down + (up - down) * mju_sigmoid(change / prm[2] + 0.5);
  return change / positive(tau);
}
