# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Islands are solved one by one: iterations, statistics and states of each, next to the reference."""
import os
import sys

import numpy as np
import pytest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
import live  # noqa: E402

mujoco = live.mujoco
SCENE = """<mujoco><option cone="%s" solver="%s" noslip_iterations="%d" jacobian="%s"/>
<default><geom friction=".8 .01 .01"/></default><worldbody><geom type="plane" size="9 9 1"/>
<body pos="0 0 .095"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
<body pos="1 0 .093"><freejoint/><geom type="box" size=".1 .2 .1" condim="4"/></body>
<body pos="1 0 .29" euler="0 0 20"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
<body pos="2 0 1"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
<body pos="3 0 .09" euler="3 0 0"><freejoint/><geom type="box" size=".1 .1 .1" condim="6"/></body>
<body pos="4 0 1"><joint axis="0 1 0" range="-10 10" frictionloss=".1"/><geom size=".1" pos=".3 0 0"/>
  <body pos=".3 0 0"><joint axis="0 1 0" damping=".1"/><geom size=".1" pos=".3 0 0"/></body></body>
</worldbody></mujoco>"""


def states(pair, rng):
    """A state that several steps of the reference have settled, with velocities added."""
    mujoco.mj_resetData(pair.rm, pair.rd)
    pair.rd.qvel[:] = 0.5 * rng.standard_normal(pair.rm.nv)
    for _ in range(5):
        mujoco.mj_step(pair.rm, pair.rd)
    pair.rd.qvel[:] += 0.2 * rng.standard_normal(pair.rm.nv)
    pair.copy_state()


@pytest.mark.parametrize("jacobian", ["dense", "sparse"])
@pytest.mark.parametrize("noslip", [0, 3])
@pytest.mark.parametrize("solver", ["Newton", "PGS"])
@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
def test_iterations_and_states(cone, solver, noslip, jacobian):
    """Counts of Newton's method are those of solves without warm start, because those with one may start elsewhere."""
    pair, rng = live.Pair.from_text(SCENE % (cone, solver, noslip, jacobian)), np.random.default_rng(1)
    for i in range(8):
        states(pair, rng)
        cold, counted = i < 4, i < 4 or solver != "Newton"
        for model in (pair.rm, pair.m):
            model.opt.disableflags = cold * int(mujoco.mjtDisableBit.mjDSBL_WARMSTART)
        pair.call("mj_forward")
        rd, d = pair.rd, pair.d
        primal = solver == "Newton" and not noslip
        assert rd.nisland > 2 and d.nisland == rd.nisland
        assert list(d.solver_niter) == list(rd.solver_niter) or not counted
        assert pair.off("qacc", "efc_force", "qfrc_constraint")[0] < 1e-6
        for i in range(counted * (rd.nisland if primal else 1)):
            for k in range(min(rd.solver_niter[i], mujoco.mjNSOLVER)):
                want, got = rd.solver[i * mujoco.mjNSOLVER + k], d.solver[i * mujoco.mjNSOLVER + k]
                for field in ("improvement", "gradient"):
                    off = abs(getattr(got, field) - getattr(want, field)) / max(1, abs(getattr(want, field)))
                    assert off < 1e-6, (i, k, field)
                if primal:
                    assert got.nactive == want.nactive, (i, k)
        if primal:
            assert list(d.iefc_state) == list(rd.iefc_state)
        if not cold and (primal or (cone == "pyramidal" and not noslip)):
            assert list(d.efc_state) == list(rd.efc_state)


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
def test_conjugate_gradients(cone):
    """Each island ends by its own progress: the same number of iterations, as a rule, and the same first ones."""
    pair, rng = live.Pair.from_text(SCENE % (cone, "CG", 0, "dense")), np.random.default_rng(1)
    same = total = 0
    for _ in range(20):
        states(pair, rng)
        pair.call("mj_forward")
        niter, want = np.array(pair.d.solver_niter), np.array(pair.rd.solver_niter)
        assert np.all(np.abs(niter - want) <= 2 + want // 5)
        same, total = same + np.sum(niter[want > 0] == want[want > 0]), total + np.sum(want > 0)
        for i in range(pair.rd.nisland):
            a, b = pair.d.solver[i * mujoco.mjNSOLVER], pair.rd.solver[i * mujoco.mjNSOLVER]
            assert abs(a.improvement - b.improvement) < 1e-6 * max(1, b.improvement)
        assert pair.off("qacc")[0] < 1e-4
    assert same > 0.8 * total
