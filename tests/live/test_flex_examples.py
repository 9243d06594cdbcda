# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""The models of flex_examples: compiled by both, and simulated by both from where the reference is after a while."""
import itertools
import os
import pathlib
import sys

import numpy as np
import pytest

mujoco = pytest.importorskip("mujoco")
sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
sys.path.insert(0, os.path.dirname(__file__))
import live  # noqa: E402
from test_compile import differing  # noqa: E402
from test_random_flexes import POSITION, SHIFT, VELOCITY, Three  # noqa: E402

FOLDER = pathlib.Path(__file__).with_name("flex_examples")
NAMES = sorted(p.stem for p in FOLDER.glob("*.xml"))
BEFORE, STEPS = 120, 10
SETTINGS = list(itertools.product(("Euler", "RK4", "implicit", "implicitfast"), ("pyramidal", "elliptic")))
OPTION = {"integrator": {"Euler": 0, "RK4": 1, "implicit": 2, "implicitfast": 3}, "cone": {"pyramidal": 0, "elliptic": 1}}


def start(three, rng):
    """The state of the reference after some steps, in all three."""
    mujoco.mj_resetData(three.rm, three.rd)
    three.rd.ctrl[:] = 1
    for _ in range(BEFORE):
        mujoco.mj_step(three.rm, three.rd)
    assert not three.rd.warning.number.any()
    three.rd.qvel[:] += 0.01 * rng.standard_normal(three.rm.nv)
    three.rd.qacc_warmstart[:] = 0
    mujoco.mj_resetData(three.rm, three.near)
    three.lib.mj_resetData(three.m.ptr, three.d.ptr)
    for d in (three.near, three.d):
        for name in ("qpos", "qvel", "ctrl", "act"):
            getattr(d, name)[:] = getattr(three.rd, name)
    mujoco.mj_integratePos(three.rm, three.near.qpos, SHIFT * rng.standard_normal(three.rm.nv), 1)


@pytest.mark.parametrize("name", NAMES)
def test_example(name):
    three = Three(str(FOLDER / (name + ".xml")))
    assert differing(three.rm, three.m) == []
    rng = np.random.default_rng(NAMES.index(name))
    compared = 0
    for k in range(NAMES.index(name) % 2, len(SETTINGS), 2):
        integrator, cone = SETTINGS[(k + NAMES.index(name) // 2) % len(SETTINGS)]
        for model in (three.rm, three.m):
            model.opt.integrator, model.opt.cone = OPTION["integrator"][integrator], OPTION["cone"][cone]
            model.opt.solver = (2, 1, 2, 0)[k // 2 % 4]  # Newton, CG, Newton, PGS
            model.opt.iterations, model.opt.tolerance, model.opt.ls_iterations = 300, 1e-14, 100
        start(three, rng)
        three.call("mj_forward")
        three.close(POSITION + VELOCITY + ["qacc_smooth", "energy"])
        assert (three.d.ncon, three.d.nefc) == (three.rd.ncon, three.rd.nefc)
        if not (three.same_contacts() and three.converged()):
            continue
        three.close(["qacc", "qfrc_constraint"], 1e-3 if three.searched() else 1e-6)
        tolerance = 1e-6
        for _ in range(STEPS):
            three.call("mj_step")
            tolerance = 1e-3 if three.searched() else tolerance
            if three.rd.ncon != three.near.ncon:
                break
        else:
            three.close(["qpos", "sensordata"], tolerance)
            compared += 1
    three.free()
    assert compared >= 2

