# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Which timers run, and how often they are counted, in every call that runs stages, next to the reference."""

import ctypes
import os
import sys

import pytest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
import live  # noqa: E402

mujoco = live.mujoco
SCENE = """<mujoco><option integrator="%s" solver="%s" noslip_iterations="%d"><flag %s/></option><worldbody>
<geom type="plane" size="2 2 1"/><body pos="0 0 .09"><freejoint/><geom type="box" size=".1 .1 .1"/>
<body><joint name="j" damping="1"/><geom size=".05"/></body></body></worldbody>%s<sensor><clock/></sensor></mujoco>"""
MOTOR = '<actuator><motor joint="j"/></actuator>'
SCENES = {
    "plain": SCENE % ("Euler", "Newton", 0, "", ""),
    "motor": SCENE % ("Euler", "CG", 0, 'energy="enable"', MOTOR),
    "no actuation": SCENE % ("Euler", "Newton", 0, 'actuation="disable"', MOTOR),
    "no contacts": SCENE % ("Euler", "Newton", 0, 'contact="disable"', ""),
    "no constraints": SCENE % ("implicitfast", "Newton", 0, 'constraint="disable"', ""),
    "dual": SCENE % ("Euler", "PGS", 0, 'island="disable"', ""),
    "noslip": SCENE % ("implicit", "Newton", 3, "", MOTOR),
    "inverse": SCENE % ("implicit", "Newton", 0, 'fwdinv="enable"', ""),
    "runge": SCENE % ("RK4", "Newton", 0, 'fwdinv="enable"', MOTOR),
    "world": '<mujoco><worldbody><geom size="1"/></worldbody></mujoco>',
    "no geoms": """<mujoco><worldbody><body><freejoint/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/></body></worldbody></mujoco>""",
}
CALLS = """mj_step mj_forward mj_inverse mj_step1 mj_step2 mj_fwdPosition mj_fwdVelocity mj_fwdActuation mj_fwdAcceleration
    mj_fwdConstraint mj_kinematics mj_makeM mj_factorM mj_collision mj_makeConstraint mj_invPosition mj_invVelocity
    mj_invConstraint mj_Euler mj_compareFwdInv mj_checkAcc mj_sensorAcc""".split()


@pytest.fixture
def clock():
    """A clock that every question advances, in both libraries."""
    ticks = [0.0]

    def tick():
        ticks[0] += 1
        return ticks[0]

    callback = ctypes.CFUNCTYPE(ctypes.c_double)(tick)
    slot = ctypes.c_void_p.in_dll(live.library(), "mjcb_time")
    try:
        slot.value = ctypes.cast(callback, ctypes.c_void_p).value
        mujoco.set_mjcb_time(tick)
        yield
    finally:
        slot.value = None
        mujoco.set_mjcb_time(None)


def readings(timers):
    """Count of each timer that ran, and whether it took time."""
    out = {mujoco.mjtTimer(i).name: (t.number, t.duration > 0) for i, t in enumerate(timers)}
    for t in timers:
        t.number, t.duration = 0, 0
    return {name: value for name, value in out.items() if value != (0, False)}


def compare(scene, timed):
    pair = live.Pair.from_text(SCENES[scene])
    implicit = pair.rm.opt.integrator in (mujoco.mjtIntegrator.mjINT_IMPLICIT, mujoco.mjtIntegrator.mjINT_IMPLICITFAST)
    ran = set()
    for name in CALLS + ["mj_implicit"] * implicit:
        pair.call(name)
        want, got = readings(pair.rd.timer), readings(pair.d.timer)
        if not timed:  # the reference's module has a clock of its own
            want = {timer: (number, False) for timer, (number, _) in want.items() if number}
        assert got == want, name
        ran |= set(want)
    assert len(ran) >= 8


@pytest.mark.parametrize("scene", SCENES)
def test_timers(scene, clock):
    compare(scene, True)


@pytest.mark.parametrize("scene", SCENES)
def test_calls_are_counted_without_a_clock(scene):
    compare(scene, False)
