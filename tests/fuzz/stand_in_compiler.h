// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// What the stand-in for the model compiler leaves, and how it may end: the last byte of a model's files.
#ifndef SHEAF_TESTS_FUZZ_STAND_IN_COMPILER_H_
#define SHEAF_TESTS_FUZZ_STAND_IN_COMPILER_H_

enum {
  STAND_IN_ERROR = 'e',
  STAND_IN_WARNS = 'w',
  STAND_IN_LIES = 'i',     // about the sizes of what it left
  STAND_IN_HALF = 'h',     // a header and nothing behind it
  STAND_IN_SHORT = 'b',    // a byte is missing
  STAND_IN_DAMAGED = 'd',  // a byte is another
  STAND_IN_KILLED = 'k',
  STAND_IN_CRASHED = 'c',
  STAND_IN_LATE = 't',
  STAND_IN_EXIT = 'x',
  STAND_IN_NOT_STARTED = 'n',
  STAND_IN_LOST = 'l',
  STAND_IN_SLOW = 's',     // runs until it is killed
  STAND_IN_REFUSED = 'r',  // is not even asked for
};

// a hinge and a slide, a motor, sensors, a mocap body and a keyframe: something for each input and output
static const char stand_in_model[] =
    "<mujoco model='pendulum'><size memory='200K'/><option timestep='.01'/><worldbody>"
    "<body name='a'><joint name='h' axis='0 1 0' damping='.1'/><geom type='capsule' fromto='0 0 0 0 0 -1' size='.05'/>"
    "<site name='tip' pos='0 0 -1'/><body pos='0 0 -1'><joint type='slide'/><geom size='.1'/></body></body>"
    "<body name='t' mocap='true'><geom size='.02' contype='0' conaffinity='0'/></body></worldbody>"
    "<actuator><motor joint='h' gear='2'/></actuator>"
    "<sensor><jointpos joint='h'/><framepos objtype='site' objname='tip'/></sensor>"
    "<keyframe><key qpos='3 .1'/></keyframe></mujoco>";

#endif  // SHEAF_TESTS_FUZZ_STAND_IN_COMPILER_H_
