# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Transmissions and actuator forces against the reference."""
import ctypes
import os
import sys

import numpy as np
import pytest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
import live  # noqa: E402

mujoco = live.mujoco

# every transmission
TRANSMISSIONS = """
<mujoco><option jacobian="%s"/><worldbody><geom type="plane" size="5 5 .1"/><site name="w" pos="1 0 1"/>
  <body pos="0 0 1"><freejoint name="free"/><geom size=".1"/>
    <body pos=".2 0 0"><joint name="b" type="ball"/><geom size=".05"/>
      <body pos=".5 0 0"><joint name="h" axis="0 1 0"/><joint name="s" type="slide" axis="1 1 0"/>
        <geom size=".05"/><site name="h1" pos=".1 0 0"/></body></body>
    <body name="foot" pos="0 .3 0"><joint name="h2"/><geom size=".05 .05 .05" type="box" pos="0 0 -.96"/>
      <site name="h22" pos=".1 .2 0"/></body></body></worldbody>
<tendon>
  <spatial name="t"><site site="h1"/><site site="h22"/></spatial>
  <fixed name="fixed"><joint joint="h2" coef="-3"/><joint joint="h" coef="2"/></fixed>
</tendon>
<actuator>
  <motor joint="free" gear="1 2 3 4 5 6"/><motor jointinparent="free" gear="1 2 3 4 5 6"/>
  <motor joint="b" gear="1 0 2"/><motor jointinparent="b" gear="1 2 3"/><motor joint="h" gear="3"/><motor joint="s"/>
  <motor tendon="t"/><motor tendon="fixed" gear="2"/>
  <motor site="h1" gear="1 0 0 0 0 0"/><motor site="h1" gear="1 2 3 1 2 3"/>
  <motor site="h1" refsite="h22" gear="1 2 3 1 2 3"/><motor site="h1" refsite="w" gear="0 0 1 0 0 0"/>
  <motor site="h22" refsite="h1" gear="0 0 0 1 2 3"/>
  <adhesion body="foot" ctrlrange="0 1" gain="3"/><general body="foot" gear="3"/>
  <general cranksite="h1" slidersite="h22" cranklength="1.5" gear="2"/>
  <general cranksite="h1" slidersite="w" cranklength=".1"/>
</actuator></mujoco>"""

# every kind of dynamics, gain and bias, and every limit
FORCES = """
<mujoco><option timestep="0.01" %s/><worldbody>
  <body pos="0 0 1"><freejoint name="free"/><geom size=".1"/>
    <body pos="0 0 .2"><joint name="j1" actuatorfrcrange="-1 1"/><geom size=".1"/>
      <body pos="0 0 .2" gravcomp="1">
        <joint name="j2" actuatorgravcomp="true" actuatorfrcrange="-2 2" axis="0 1 0"/>
        <joint name="s" type="slide" axis="1 1 0"/><geom size=".1"/>
        <body pos="0 0 .2" gravcomp=".5"><joint name="b" type="ball" actuatorgravcomp="true"/><geom size=".1"/></body>
  </body></body></body></worldbody>
<tendon><fixed name="t" actuatorfrclimited="true" actuatorfrcrange="-.5 .5"><joint joint="j1" coef="2"/><joint joint="j2" coef="-3"/></fixed></tendon>
<actuator>
  <motor joint="j1" ctrlrange="-.3 .3" ctrllimited="true"/>
  <motor tendon="t" gear="2"/><motor tendon="t" gear="3"/><position tendon="t" kp="3" forcerange="-.1 .1"/>
  <position joint="j2" kp="10" kv="2" forcerange="-3 3"/><velocity joint="j2" kv="2"/>
  <intvelocity joint="j1" kp="10" actrange="-.5 .5"/><damper joint="j2" kv="3" ctrlrange="0 1"/>
  <cylinder joint="s" timeconst=".3" bias="1 2 3"/>
  <general joint="j1" dyntype="filterexact" dynprm=".2" gaintype="affine" gainprm="1 2 3" biastype="affine"
    biasprm="1 2 3" actearly="true"/>
  <general joint="j1" dyntype="filter" dynprm=".2" actearly="true" actlimited="true" actrange="-.2 .2"/>
  <muscle joint="j1" lengthrange="-1 1"/>
  <muscle joint="j2" force="20" lengthrange="-.2 .4" tausmooth=".3" range=".6 1.2"/>
  <muscle joint="s" lengthrange="-.5 .7" lmin=".3" lmax="1.3" vmax="2" fpmax="2" fvmax="1.5" group="2"/>
  <motor joint="s" group="1"/><general joint="s" dyntype="integrator" group="1"/>
</actuator></mujoco>"""


def moments(model, data):
    dense = np.zeros((model.nu, model.nv))
    for i in range(model.nu):
        row = slice(data.moment_rowadr[i], data.moment_rowadr[i] + data.moment_rownnz[i])
        columns = np.asarray(data.moment_colind[row])
        assert (np.diff(columns) > 0).all()
        dense[i, columns] = data.actuator_moment[row]
    return dense


def compare(pair):
    pair.call("mj_fwdPosition", "mj_fwdVelocity", "mj_fwdActuation")
    assert live.difference(moments(pair.rm, pair.d), moments(pair.rm, pair.rd)) < 1e-12
    off = pair.off("actuator_length", "actuator_velocity", "actuator_force", "act_dot", "qfrc_actuator")
    assert off[0] < 1e-11, off


@pytest.mark.parametrize("jacobian", ["dense", "sparse"])
def test_transmissions(jacobian):
    pair, rng, touched = live.Pair.from_text(TRANSMISSIONS % jacobian), np.random.default_rng(3), 0
    for i in range(60):
        pair.randomize(rng, 0.4)
        pair.rd.qpos[2] = 1 if i % 2 else 0.95
        pair.copy_state()
        compare(pair)
        touched += pair.rd.ncon > 0
    assert touched > 10


TURNED = """
<mujoco><worldbody><site name="w" quat=".5 .3 .2 .1"/><body pos="0 0 1"><joint type="ball"/><geom size=".1"/>
  <site name="a" pos=".1 .2 0" quat=".8 -.3 .4 .1"/><body pos=".2 0 0"><joint axis="1 2 0"/><geom size=".1"/>
    <site name="b" pos="0 0 .1" quat=".1 .5 -.2 .7"/></body></body></worldbody>
<actuator><motor site="a" refsite="w" gear="1 2 3 4 5 6"/><motor site="b" refsite="w" gear="0 0 0 1 -2 3"/>
  <motor site="a" refsite="b" gear="0 0 0 1 0 0"/><motor site="b" refsite="a" gear="3 2 1 0 4 -5"/></actuator></mujoco>"""


def turn(from_mat, to_mat):
    """Rotation vector from one frame to another, in the axes of the first, with functions of the reference."""
    quats, vec = np.zeros((3, 4)), np.zeros(3)
    mujoco.mju_mat2Quat(quats[0], from_mat)
    mujoco.mju_mat2Quat(quats[1], to_mat)
    mujoco.mju_negQuat(quats[0], quats[0].copy())
    mujoco.mju_mulQuat(quats[2], quats[0], quats[1])
    mujoco.mju_quat2Vel(vec, quats[2], 1)
    return vec


def test_lengths_between_turned_sites():
    """3.4.0 has the moment arms right, but not the lengths; they follow from its frames."""
    pair, rng = live.Pair.from_text(TURNED), np.random.default_rng(5)
    m, d = pair.rm, pair.rd
    for _ in range(40):
        pair.randomize(rng, 0.4)
        pair.call("mj_fwdPosition")
        assert live.difference(moments(pair.rm, pair.d), moments(pair.rm, pair.rd)) < 1e-12
        for length, (site, ref), gear in zip(pair.d.actuator_length, m.actuator_trnid, m.actuator_gear):
            offset = d.site_xmat[ref].reshape(3, 3).T @ (d.site_xpos[site] - d.site_xpos[ref])
            assert abs(length - gear[:3] @ offset - gear[3:] @ turn(d.site_xmat[ref], d.site_xmat[site])) < 1e-12


@pytest.mark.parametrize("option", ["", 'actuatorgroupdisable="1 2"'])
@pytest.mark.parametrize("disable", ["", "mjDSBL_GRAVITY", "mjDSBL_CLAMPCTRL", "mjDSBL_ACTUATION"])
def test_forces(option, disable):
    pair, rng = live.Pair.from_text(FORCES % option), np.random.default_rng(4)
    flags = int(getattr(mujoco.mjtDisableBit, disable)) if disable else 0
    for model in (pair.rm, pair.m._s):
        model.opt.disableflags = flags
    for model in (pair.rm, pair.m):
        model.actuator_actearly[-3] = 1
    for _ in range(40):
        pair.randomize(rng, 0.4)
        compare(pair)


def test_bad_control_counts_a_warning_and_zeros_all():
    pair = live.Pair.from_text(FORCES % "")
    warnings = []
    mujoco.set_mju_user_warning(warnings.append)
    handler = ctypes.CFUNCTYPE(None, ctypes.c_char_p)(warnings.append)
    ctypes.c_void_p.in_dll(pair.lib, "mju_user_warning").value = ctypes.cast(handler, ctypes.c_void_p).value
    try:
        for bad in (np.nan, np.inf, 1e11):
            pair.randomize(np.random.default_rng(5))
            pair.rd.ctrl[5] = bad
            pair.copy_state()
            compare(pair)
            assert pair.rd.warning[7].number == 1
            assert pair.d._s.warning[7].number == 1 and pair.d._s.warning[7].lastinfo == 5
    finally:
        mujoco.set_mju_user_warning(None)
        ctypes.c_void_p.in_dll(pair.lib, "mju_user_warning").value = None


def test_callbacks():
    pair = live.Pair.from_text("""
      <mujoco><worldbody><body><joint name="j"/><geom size=".1"/></body></worldbody>
      <actuator><general joint="j" dyntype="user" gaintype="user" biastype="user"/>
        <general joint="j" dyntype="user" actdim="3"/></actuator></mujoco>""")
    signature = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int)
    ours = [signature(lambda m, d, i, v=v: v) for v in (2.0, 3.0, 5.0)]
    names = ("mjcb_act_dyn", "mjcb_act_gain", "mjcb_act_bias")
    for name, call in zip(names, ours):
        ctypes.c_void_p.in_dll(pair.lib, name).value = ctypes.cast(call, ctypes.c_void_p).value
    mujoco.set_mjcb_act_dyn(lambda m, d, i: 2.0)
    mujoco.set_mjcb_act_gain(lambda m, d, i: 3.0)
    mujoco.set_mjcb_act_bias(lambda m, d, i: 5.0)
    try:
        pair.randomize(np.random.default_rng(6))
        compare(pair)
        assert list(pair.d.act_dot) == [2, 0, 0, 0]    # of several activations the callback sets the rates itself
        assert abs(pair.d.actuator_force[0] - (5 + 3 * pair.rd.act[0])) < 1e-15
    finally:
        for name in names:
            ctypes.c_void_p.in_dll(pair.lib, name).value = None
            getattr(mujoco, "set_" + name)(None)


def test_muscle_functions():
    lib, rng = live.library(), np.random.default_rng(7)
    for name in ("mju_muscleGain", "mju_muscleBias", "mju_muscleDynamics"):
        getattr(lib, name).restype = ctypes.c_double
    c = ctypes.c_double
    for _ in range(500):
        length, vel, acc0, ctrl, act = rng.uniform(-1, 2, 5)
        span = np.sort(rng.uniform(-1, 2, 2))
        low, high = np.sort(rng.uniform(0.5, 1.5, 2))
        prm = np.array([low, high, rng.choice([-1.0, 50.0]), 200, 0.5, 1.6, 1.5, 1.3, 1.2])
        dyn = np.array([0.01, 0.04, rng.choice([0.0, 0.4])])
        p = live.pointer
        assert np.isclose(lib.mju_muscleGain(c(length), c(vel), p(span), c(acc0), p(prm)),
                          mujoco.mju_muscleGain(length, vel, span, acc0, prm), rtol=1e-13, atol=0)
        assert np.isclose(lib.mju_muscleBias(c(length), p(span), c(acc0), p(prm)),
                          mujoco.mju_muscleBias(length, span, acc0, prm), rtol=1e-13, atol=0)
        assert np.isclose(lib.mju_muscleDynamics(c(ctrl), c(act), p(dyn)),
                          mujoco.mju_muscleDynamics(ctrl, act, dyn), rtol=1e-13, atol=0)


@pytest.mark.parametrize("name", live.model_files())
def test_models(name):
    pair, rng = live.Pair.from_file(name), np.random.default_rng(8)
    for _ in range(10):
        pair.randomize(rng)
        compare(pair)



@pytest.mark.parametrize("integrator", ["Euler", "RK4", "implicit", "implicitfast"])
def test_activations_of_disabled_actuators(integrator):
    """They keep their value, within their range, although their rates are computed."""
    pair = live.Pair.from_text(f"""<mujoco><option integrator="{integrator}"/><worldbody><body><joint name="j"/>
        <geom size=".1"/></body></worldbody><actuator>
        <general joint="j" dyntype="integrator" group="1" actlimited="true" actrange="-1 1"/>
        <general joint="j" dyntype="filterexact" dynprm=".1" group="2" actlimited="true" actrange="-1 1"/>
        <general joint="j" dyntype="filter" dynprm=".1" group="3"/></actuator></mujoco>""")
    for groups in (0, 2, 4, 6, 8, 14, -1):
        pair.rm.opt.disableactuator = pair.m.opt.disableactuator = groups
        mujoco.mj_resetData(pair.rm, pair.rd)
        pair.rd.act[:] = 2, -3, 4
        pair.rd.ctrl[:] = 0.5
        pair.copy_state()
        for _ in range(3):
            pair.call("mj_step")
            assert pair.off("act", "act_dot", "qvel", "qpos")[0] < 1e-12, groups
        assert (pair.rd.act[2] == 4) == bool(groups & 8)
