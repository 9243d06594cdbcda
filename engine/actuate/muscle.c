// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Public functions of the muscle model (actuate/muscle_lanes.h), and the slope of its velocity curve.

#include "lanes/lanes.h"

#include "actuate/actuate.h"
#include "actuate/muscle_lanes.h"

mjtNum mju_muscleGain(mjtNum len, mjtNum vel, const mjtNum lengthrange[2], mjtNum acc0, const mjtNum prm[9]) {
  return muscleGainOf(len, vel, lengthrange, acc0, prm);
}

mjtNum mji_muscle_gainVel(mjtNum len, mjtNum vel, const mjtNum lengthrange[2], mjtNum acc0, const mjtNum prm[9]) {
  mjtNum scale = musclePositive(muscleOptimalLength(lengthrange, prm) * prm[6]);
  mjtNum speed = vel / scale, y = prm[8] - 1, slope = 0;
  if (speed > -1 && speed <= 0) slope = 2 * (speed + 1);
  else if (speed > 0 && speed <= y) slope = 2 * (y - speed) / musclePositive(y);
  return -muscleIsometricForce(len, lengthrange, acc0, prm) * slope / scale;
}

mjtNum mju_muscleBias(mjtNum len, const mjtNum lengthrange[2], mjtNum acc0, const mjtNum prm[9]) {
  return muscleBiasOf(len, lengthrange, acc0, prm);
}

mjtNum mju_muscleDynamics(mjtNum ctrl, mjtNum act, const mjtNum prm[3]) { return muscleRate(ctrl, act, prm); }
