# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Which callbacks are called, in which order and how often, by every call that runs stages, next to the reference."""

import contextlib
import ctypes
import os
import sys

import pytest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
import live  # noqa: E402

mujoco = live.mujoco
SCENE = """<mujoco><option integrator="%s"><flag %s/></option><worldbody><geom type="plane" size="5 5 .1"/>
<body pos="0 0 .1"><freejoint/><geom size=".12"/><site name="s"/></body>
<body pos=".15 0 .1"><joint name="j" axis="0 1 0"/><geom size=".1" pos=".01 0 0"/></body></worldbody>
<actuator><general joint="j" dyntype="user" gaintype="user" biastype="user" actdim="2"/><motor joint="j"/>
<general joint="j" gaintype="user" dyntype="integrator"/></actuator>
<sensor><user dim="2" needstage="pos"/><user dim="1" needstage="vel"/><user dim="1" needstage="acc"/>
<accelerometer site="s"/></sensor></mujoco>"""
CALLS = """mj_step mj_forward mj_step1 mj_step2 mj_inverse mj_fwdPosition mj_fwdVelocity mj_fwdActuation mj_fwdAcceleration
    mj_fwdConstraint mj_sensorPos mj_sensorVel mj_sensorAcc mj_passive mj_collision mj_checkAcc mj_compareFwdInv
    mj_step""".split()
FLAGS = ["", 'fwdinv="enable"', 'invdiscrete="enable"', 'energy="enable"', 'actuation="disable"', 'sensor="disable"',
         'eulerdamp="disable"', 'constraint="disable"', 'spring="disable" damper="disable"', 'spring="disable"']
GENERIC = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)
SENSOR = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int)
ACTUATOR = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int)
KINDS = {"control": (GENERIC, None), "passive": (GENERIC, None), "sensor": (SENSOR, None), "act_dyn": (ACTUATOR, 0.1),
         "act_gain": (ACTUATOR, 0.2), "act_bias": (ACTUATOR, 0.3)}


@contextlib.contextmanager
def recorded(lib):
    """All callbacks of both libraries append their name and last argument to the list."""
    log, kept = [], []

    def recorder(name, result):
        def callback(m, d, *args):
            log.append((name, *(int(x) for x in args)))
            return result
        return callback

    def slot(name):
        return ctypes.c_void_p.in_dll(lib, "mjcb_" + name)

    try:
        for name, (kind, result) in KINDS.items():
            kept.append(kind(recorder(name, result)))
            slot(name).value = ctypes.cast(kept[-1], ctypes.c_void_p).value
            getattr(mujoco, "set_mjcb_" + name)(recorder(name, result))
        yield log
    finally:
        for name in KINDS:
            slot(name).value = None
            getattr(mujoco, "set_mjcb_" + name)(None)


@pytest.mark.parametrize("flag", FLAGS)
@pytest.mark.parametrize("integrator", ["Euler", "RK4", "implicit", "implicitfast"])
def test_order(integrator, flag):
    if integrator == "RK4" and "invdiscrete" in flag:
        pytest.skip("neither knows the discrete inverse of RK4")
    pair = live.Pair.from_text(SCENE % (integrator, flag))
    m, d, lib, total = pair.m.ptr, pair.d.ptr, pair.lib, 0
    with recorded(lib) as log:
        def same(what, reference, ours):
            log.clear()
            reference()
            want = list(log)
            log.clear()
            ours()
            assert log == want, what
            return len(want)

        for name in CALLS:
            total += same(name, lambda: getattr(mujoco, name)(pair.rm, pair.rd), lambda: getattr(lib, name)(m, d))
        for stage in range(3):
            for skip in range(2):
                for name in ("mj_forwardSkip", "mj_inverseSkip"):
                    total += same((name, stage, skip), lambda: getattr(mujoco, name)(pair.rm, pair.rd, stage, skip),
                                  lambda: getattr(lib, name)(m, d, stage, skip))
    assert total > 20
    assert pair.off("qpos", "qvel", "act", "qacc", "sensordata", "qfrc_inverse", "actuator_force")[0] < 1e-8
