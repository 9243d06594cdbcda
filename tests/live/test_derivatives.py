# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Finite-difference derivatives next to the reference's."""
import ctypes
import os

import numpy as np
import pytest

mujoco = pytest.importorskip("mujoco")
import sampling  # noqa: E402
import bridge  # noqa: E402

LIBRARY = os.environ.get("SHEAF_LIBRARY")
pytestmark = pytest.mark.skipif(not LIBRARY, reason="SHEAF_LIBRARY names no library")

FILES = ("mujoco/humanoid.xml", "dm_control/cartpole.xml", "dm_control/walker.xml", "dm_control/hopper.xml",
         "gymnasium/half_cheetah.xml", "gymnasium/ant.xml")
CASES = pytest.mark.parametrize("name,load", sampling.cases(*FILES), ids=lambda x: x if isinstance(x, str) else "")
EPS = 1e-6


@pytest.fixture(scope="module")
def lib():
    lib = bridge.load(LIBRARY)
    lib.mjd_transitionFD.argtypes = ([ctypes.c_void_p] * 2 + [ctypes.c_double, ctypes.c_ubyte]
                                     + [ctypes.c_void_p] * 4)
    lib.mjd_inverseFD.argtypes = ([ctypes.c_void_p] * 2 + [ctypes.c_double, ctypes.c_ubyte]
                                  + [ctypes.c_void_p] * 7)
    return lib


def p(a):
    return ctypes.c_void_p(a.ctypes.data) if a is not None else None


def near(a, b, scale=1.0):
    # numbers are differences of results of size `scale`, or as large as their own size, divided by eps
    rounding = 2e-14 * max(scale, np.abs(b).max(initial=0)) / EPS
    return np.abs(a - b).max(initial=0) < rounding + 1e-7 * np.abs(b).max(initial=0)


def pair_at(lib, rm, integrator):
    sampling.tighten(rm)
    rm.opt.integrator = integrator
    rd = mujoco.MjData(rm)
    rng = np.random.default_rng(5)
    for _ in range(15):
        rd.ctrl[:] = 0.1 * rng.normal(size=rm.nu)
        mujoco.mj_step(rm, rd)
    m = bridge.adopt(lib, rm)
    d = bridge.Data(lib, m)
    sampling.copy_inputs(rd, d)
    return m, d, rd


@CASES
@pytest.mark.parametrize("integrator", [0, 2, 3])
def test_transition(lib, name, load, integrator):
    rm = load()
    m, d, rd = pair_at(lib, rm, integrator)
    n, nu, ns = 2 * rm.nv + rm.na, rm.nu, rm.nsensordata
    for centered in (0, 1):
        shapes = ((n, n), (n, nu), (ns, n), (ns, nu))
        a = [np.full(s, np.nan) for s in shapes]
        b = [np.zeros(s) for s in shapes]
        lib.mjd_transitionFD(m.ptr, d.ptr, EPS, centered, *map(p, a))
        mujoco.mjd_transitionFD(rm, rd, EPS, centered, *b)
        scale = max(np.abs(rd.qvel).max(), np.abs(rd.sensordata).max(initial=0), 1)
        if centered:
            b[3] *= -1    # 3.4.0 returns these with the opposite sign, later versions do not
        for x, y, what in zip(a, b, "ABCD"):
            assert near(x, y, scale), (what, centered, np.abs(x - y).max())

        # without sensors: the state part has the same bits
        again = np.zeros((n, n))
        lib.mjd_transitionFD(m.ptr, d.ptr, EPS, centered, p(again), None, None, None)
        assert np.array_equal(again, a[0])
    for f in ("qpos", "qvel", "act", "ctrl", "qacc_warmstart"):
        assert np.array_equal(getattr(d, f).ravel(), getattr(rd, f).ravel()), f


@CASES
def test_inverse(lib, name, load):
    rm = load()
    m, d, rd = pair_at(lib, rm, 0)
    nv, ns = rm.nv, rm.nsensordata
    shapes = [(nv, nv)] * 3 + [(nv, ns)] * 3 + [(nv, rm.nM)]
    for actuation in (0, 1):
        a = [np.full(s, np.nan) for s in shapes]
        b = [np.zeros(s) for s in shapes]
        lib.mjd_inverseFD(m.ptr, d.ptr, EPS, actuation, *map(p, a))
        mujoco.mjd_inverseFD(rm, rd, EPS, actuation, *b)
        # the terms of the inverse, which may cancel
        scale = max(np.abs(x).max(initial=0) for x in (rd.qfrc_bias, rd.qfrc_passive, rd.qfrc_constraint,
                                                       rd.sensordata, np.ones(1)))
        for i, (x, y) in enumerate(zip(a, b)):
            assert near(x, y, scale), (i, actuation, np.abs(x - y).max())

        # forces alone may run in lanes, with the same bits
        again = [np.zeros((nv, nv)) for _ in range(3)]
        lib.mjd_inverseFD(m.ptr, d.ptr, EPS, actuation, *map(p, again), None, None, None, None)
        for x, y in zip(again, a):
            assert np.array_equal(x, y)


def test_controls_at_their_limits(lib):
    # at a limit only the step inwards is taken, beyond it none
    rm = mujoco.MjModel.from_xml_string(sampling.ACTUATORS)
    for u in (1, -1, 1.5):
        m, d, rd = pair_at(lib, rm, 0)
        for data in (d, rd):
            data.ctrl[3] = u
            data.ctrl[5] = -u
        for centered in (0, 1):
            n = 2 * rm.nv + rm.na
            a, b = np.full((n, rm.nu), np.nan), np.zeros((n, rm.nu))
            lib.mjd_transitionFD(m.ptr, d.ptr, EPS, centered, None, p(a), None, None)
            mujoco.mjd_transitionFD(rm, rd, EPS, centered, None, b, None, None)
            assert near(a, b)
