// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Models that several tests share.
#ifndef SHEAF_TESTS_SUPPORT_MODELS_H_
#define SHEAF_TESTS_SUPPORT_MODELS_H_

// a two-legged walker with a free root: contacts, limits, self contacts, motors, sensors
static const char* const kBiped =
    "<mujoco>"
    "  <compiler angle='radian'/>"
    "  <option timestep='0.004'/>"
    "  <default>"
    "    <joint damping='0.5' armature='0.01' limited='true' range='-1 1'/>"
    "    <geom friction='0.8 0.1 0.1' density='900'/>"
    "  </default>"
    "  <worldbody>"
    "    <geom name='floor' type='plane' size='5 5 .1'/>"
    "    <body name='torso' pos='0 0 1.02'>"
    "      <freejoint/>"
    "      <geom type='capsule' size='.1 .2'/>"
    "      <site name='imu'/>"
    "      <body name='thigh_l' pos='0 .12 -.25'>"
    "        <joint name='hip_l' axis='0 1 0'/>"
    "        <joint name='abd_l' axis='1 0 0' range='-.5 .5'/>"
    "        <geom type='capsule' fromto='0 0 0 0 0 -.3' size='.06'/>"
    "        <body name='shin_l' pos='0 0 -.35'>"
    "          <joint name='knee_l' axis='0 1 0' range='-.1 2'/>"
    "          <geom type='capsule' fromto='0 0 0 0 0 -.3' size='.05'/>"
    "          <geom type='sphere' pos='.06 0 -.32' size='.06'/>"
    "        </body>"
    "      </body>"
    "      <body name='thigh_r' pos='0 -.12 -.25'>"
    "        <joint name='hip_r' axis='0 1 0'/>"
    "        <joint name='abd_r' axis='1 0 0' range='-.5 .5'/>"
    "        <geom type='capsule' fromto='0 0 0 0 0 -.3' size='.06'/>"
    "        <body name='shin_r' pos='0 0 -.35'>"
    "          <joint name='knee_r' axis='0 1 0' range='-.1 2'/>"
    "          <geom type='capsule' fromto='0 0 0 0 0 -.3' size='.05'/>"
    "          <geom type='sphere' pos='.06 0 -.32' size='.06'/>"
    "        </body>"
    "      </body>"
    "    </body>"
    "  </worldbody>"
    "  <actuator>"
    "    <motor joint='hip_l' gear='40' ctrlrange='-1 1' ctrllimited='true'/>"
    "    <motor joint='abd_l' gear='20' ctrlrange='-1 1' ctrllimited='true'/>"
    "    <motor joint='knee_l' gear='30' ctrlrange='-1 1' ctrllimited='true'/>"
    "    <motor joint='hip_r' gear='40' ctrlrange='-1 1' ctrllimited='true'/>"
    "    <motor joint='abd_r' gear='20' ctrlrange='-1 1' ctrllimited='true'/>"
    "    <motor joint='knee_r' gear='30' ctrlrange='-1 1' ctrllimited='true'/>"
    "  </actuator>"
    "  <sensor>"
    "    <gyro site='imu'/>"
    "    <accelerometer site='imu'/>"
    "    <jointpos joint='knee_l'/>"
    "    <subtreelinvel body='torso'/>"
    "  </sensor>"
    "</mujoco>";

#endif  // SHEAF_TESTS_SUPPORT_MODELS_H_
