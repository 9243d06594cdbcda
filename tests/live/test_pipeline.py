# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Forward and inverse dynamics, steps and integrators next to the reference's."""
import ctypes
import os

import numpy as np
import pytest

mujoco = pytest.importorskip("mujoco")
import sampling  # noqa: E402
import bridge  # noqa: E402

LIBRARY = os.environ.get("SHEAF_LIBRARY")
pytestmark = pytest.mark.skipif(not LIBRARY, reason="SHEAF_LIBRARY names no library")

FILES = ("mujoco/humanoid.xml", "dm_control/acrobot.xml", "dm_control/ball_in_cup.xml", "dm_control/cartpole.xml",
         "dm_control/cheetah.xml", "dm_control/hopper.xml", "dm_control/humanoid.xml", "dm_control/lqr.xml",
         "dm_control/pendulum.xml", "dm_control/point_mass.xml", "dm_control/reacher.xml",
         "dm_control/swimmer.xml", "dm_control/walker.xml", "gymnasium/ant.xml", "gymnasium/half_cheetah.xml",
         "gymnasium/hopper.xml", "gymnasium/humanoid.xml", "gymnasium/inverted_double_pendulum.xml",
         "gymnasium/pusher.xml", "gymnasium/swimmer.xml", "gymnasium/walker2d.xml")
CASES = pytest.mark.parametrize("name,load", sampling.cases(*FILES), ids=lambda x: x if isinstance(x, str) else "")

FORCES = ("qfrc_passive qfrc_bias actuator_velocity actuator_force qfrc_actuator qfrc_smooth qacc_smooth "
          "energy").split()
SOLVED = "qacc qfrc_constraint".split()
STATE = "time qpos qvel act".split()
ENERGY = int(mujoco.mjtEnableBit.mjENBL_ENERGY)
DISCRETE = int(mujoco.mjtEnableBit.mjENBL_INVDISCRETE)


@pytest.fixture(scope="module")
def lib():
    return bridge.load(LIBRARY)


class Pair:
    def __init__(self, lib, rm, integrator, seed=0):
        sampling.tighten(rm)
        rm.opt.integrator = integrator
        rm.opt.enableflags = ENERGY
        self.lib, self.rm, self.rd = lib, rm, mujoco.MjData(rm)
        self.m = bridge.adopt(lib, rm)
        self.d = bridge.Data(lib, self.m)
        self.rng = np.random.default_rng(seed)

    def sample(self, scale=1.0, steps=0):
        sampling.randomize(self.rm, self.rd, self.rng, scale)
        for _ in range(steps):
            mujoco.mj_step(self.rm, self.rd)
        self.lib.mj_resetData(self.m.ptr, self.d.ptr)
        sampling.copy_inputs(self.rd, self.d)

    def run(self, function):
        getattr(self.lib, function)(self.m.ptr, self.d.ptr)
        getattr(mujoco, function)(self.rm, self.rd)

    def flags(self, flags):
        self.rm.opt.enableflags = flags
        self.m.opt.enableflags = flags

    def compare(self, fields, tol, what):
        for f in fields:
            diff = sampling.difference(getattr(self.d, f), getattr(self.rd, f))
            assert diff < tol, f"{what}: {f} differs by {diff:.2e}"


@CASES
def test_forward(lib, name, load):
    pair = Pair(lib, load(), 0)
    for _ in range(3):
        pair.sample()
        pair.run("mj_forward")
        assert pair.d.ncon == pair.rd.ncon and pair.d.nefc == pair.rd.nefc
        pair.compare(FORCES, 1e-9, "forward")
        pair.compare(SOLVED, 1e-6, "forward")


@CASES
@pytest.mark.parametrize("integrator", range(4))
def test_inverse(lib, name, load, integrator):
    pair = Pair(lib, load(), integrator)
    pair.sample()
    for discrete in (0, DISCRETE):
        if discrete and integrator == mujoco.mjtIntegrator.mjINT_RK4:
            continue
        pair.flags(ENERGY | discrete)
        pair.run("mj_inverse")
        pair.compare(("qfrc_inverse", "qacc", "energy"), 1e-8, f"inverse, discrete {discrete}")


@CASES
@pytest.mark.parametrize("integrator", range(4))
def test_steps(lib, name, load, integrator):
    pair = Pair(lib, load(), integrator)
    pair.sample(0.2, steps=3)
    for k in range(3):
        pair.run("mj_step")
        pair.compare(STATE, 1e-8, f"step {k}")
        pair.compare(("qacc_warmstart",), 1e-6, f"step {k}")
    if integrator >= 2:
        pair.compare(("qDeriv", "qLU" if integrator == 2 else "qH"), 1e-8, "implicit")
    pair.run("mj_step1")
    pair.run("mj_step2")
    pair.compare(STATE, 1e-8, "two halves")


def test_forward_against_inverse(lib):
    # a loose solution leaves the same mismatch
    rm = mujoco.MjModel.from_xml_string(sampling.SNIPPETS["equalities"])
    rm.opt.iterations = 2
    rd = mujoco.MjData(rm)
    m = bridge.adopt(lib, rm)
    d = bridge.Data(lib, m)
    sampling.randomize(rm, rd, np.random.default_rng(3))
    sampling.copy_inputs(rd, d)
    lib.mj_forward(m.ptr, d.ptr)
    mujoco.mj_forward(rm, rd)
    lib.mj_compareFwdInv(m.ptr, d.ptr)
    mujoco.mj_compareFwdInv(rm, rd)
    assert rd.solver_fwdinv[1] > 1e-12
    assert sampling.difference(d.solver_fwdinv, rd.solver_fwdinv) < 1e-6
    assert sampling.difference(d.qfrc_constraint, rd.qfrc_constraint) < 1e-6


@pytest.mark.parametrize("field", ["qpos", "qvel", "qfrc_applied"])
@pytest.mark.parametrize("autoreset", [True, False])
def test_bad_numbers(lib, field, autoreset):
    rm = mujoco.MjModel.from_xml_string(sampling.joints())
    if not autoreset:
        rm.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_AUTORESET)
    m = bridge.adopt(lib, rm)
    rd, d = mujoco.MjData(rm), bridge.Data(lib, m)
    warn = ctypes.CFUNCTYPE(None, ctypes.c_char_p)(lambda text: None)
    handler = ctypes.c_void_p.in_dll(lib, "mju_user_warning")
    handler.value = ctypes.cast(warn, ctypes.c_void_p).value
    for data in (rd, d):
        data.time = 0.5
        getattr(data, field)[7] = np.nan
    lib.mj_step(m.ptr, d.ptr)
    mujoco.mj_step(rm, rd)
    handler.value = None
    assert [w.number for w in d.warning] == [w.number for w in rd.warning]
    assert [w.lastinfo for w in d.warning] == [w.lastinfo for w in rd.warning]
    assert np.isnan(d.qpos).any() == np.isnan(rd.qpos).any()
    if autoreset:
        assert sampling.difference(d.qpos, rd.qpos) < 1e-9
        assert d.time == rd.time


@pytest.mark.parametrize("damping", [(0, 0), (-1, 0), (2, -1), (2, 1)])
@pytest.mark.parametrize("flag", ["", "damper", "eulerdamp"])
def test_discrete_inverse_of_euler(lib, damping, flag):
    """Accelerations become continuous ones where some joint is damped; else M need not even be regular."""
    off = f'<flag {flag}="disable"/>' if flag else ""
    rm = mujoco.MjModel.from_xml_string(f"""<mujoco><option timestep="0.1">{off}</option><worldbody><body>
      <joint type="slide" axis="1 0 0" damping="{damping[0]}"/><joint type="slide" axis="0 1 0"/>
      <joint type="slide" axis="1 1 0" damping="{damping[1]}"/><geom type="box" size=".05 .05 .05" mass="1"/></body></worldbody></mujoco>""")
    rm.opt.enableflags = DISCRETE
    rd, m = mujoco.MjData(rm), bridge.adopt(lib, rm)
    d = bridge.Data(lib, m)
    rd.qvel[:] = d.qvel[:] = (.3, -.2, .5)
    rd.qacc[:] = d.qacc[:] = (1, 2, -3)
    mujoco.mj_inverse(rm, rd)
    lib.mj_inverse(m.ptr, d.ptr)
    np.testing.assert_allclose(d.qfrc_inverse, rd.qfrc_inverse, rtol=1e-12, atol=1e-12)
