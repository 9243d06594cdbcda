# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Solvers that are stopped early: what few evaluations of the line search, or few iterations, come to."""

import os
import sys

import numpy as np
import pytest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
sys.path.insert(0, os.path.dirname(__file__))
import live  # noqa: E402
import random_models  # noqa: E402

mujoco = live.mujoco

# models whose contacts do not come from a general routine, and whose answers are not a matter of the last bits
SEEDS = (97, 107, 114, 117, 119, 137, 138, 140, 155, 181, 188, 215, 223)


def prepared(seed, scale, **options):
    pair = live.Pair(mujoco.MjModel.from_xml_string(random_models.model(seed)))
    for model in (pair.rm, pair.m):
        for name, value in options.items():
            setattr(model.opt, name, value)
    pair.randomize(np.random.default_rng(seed), scale)
    pair.call("mj_forward")
    return pair


def statistics(pair):
    """The statistics of the iterations of each island."""
    d = pair.d
    for i in range(max(1, d.nisland)):
        yield [d.solver[i * mujoco.mjNSOLVER + k] for k in range(d.solver_niter[i])]


@pytest.mark.parametrize("solver", ["NEWTON", "CG"])
@pytest.mark.parametrize("evaluations", [1, 2, 3, 4, 5, 7, 50])
def test_line_search_is_bounded(solver, evaluations):
    """Beside the evaluation at the iterate there are as many as allowed, and no iteration raises the cost."""
    kind = getattr(mujoco.mjtSolver, "mjSOL_" + solver)
    most = 0
    for seed in SEEDS:
        for scale in (0, 0.3):
            pair = prepared(seed, scale, solver=kind, ls_iterations=evaluations, iterations=50, noslip_iterations=0)
            for island in statistics(pair):
                assert all(s.neval <= 1 + evaluations for s in island), (seed, scale)
                # the last one ends where costs cannot be told apart
                assert all(s.improvement > 0 for s in island[:-1]), (seed, scale)
                most = max([most] + [s.neval for s in island])
    assert most == 1 + evaluations or evaluations > 7


@pytest.mark.parametrize("solver", ["NEWTON", "CG"])
@pytest.mark.parametrize("iterations", [1, 2, 5, 100])
def test_exact_line_search(solver, iterations):
    """A search that may go on ends at the minimum: after any number of iterations, accelerations are the reference's.

    With many iterations solves may start elsewhere than there (engine/solve/start.c), so counts agree without warm start."""
    kind = getattr(mujoco.mjtSolver, "mjSOL_" + solver)
    start = 0 if iterations < 20 else int(mujoco.mjtDisableBit.mjDSBL_WARMSTART)
    for seed in SEEDS:
        for scale in (0, 0.3):
            flags = mujoco.MjModel.from_xml_string(random_models.model(seed)).opt.disableflags | start
            pair = prepared(seed, scale, solver=kind, ls_iterations=100, iterations=iterations, noslip_iterations=0,
                            ls_tolerance=1e-6, disableflags=flags)
            assert pair.off("qacc", "efc_force")[0] < 1e-6, (seed, scale)
            if kind == mujoco.mjtSolver.mjSOL_NEWTON:
                assert list(pair.d.solver_niter) == list(pair.rd.solver_niter), (seed, scale)


@pytest.mark.parametrize("evaluations", [8, 12])
def test_few_evaluations_find_the_answer(evaluations):
    """A search that is cut short slows Newton down, but does not keep it from the minimum.

    With fewer evaluations a search may find no lower cost at all, and the solver ends, in the reference as well."""
    for seed in SEEDS:
        for scale in (0, 0.3):
            options = dict(solver=mujoco.mjtSolver.mjSOL_NEWTON, noslip_iterations=0, iterations=200, tolerance=1e-12)
            pair = prepared(seed, scale, ls_iterations=evaluations, **options)
            exact = prepared(seed, scale, ls_iterations=100, **options)
            assert np.allclose(pair.d.qacc, exact.rd.qacc, rtol=1e-6, atol=1e-6), (seed, scale)


@pytest.mark.parametrize("islands", [0, 1])
@pytest.mark.parametrize("seed", (194, 207))
def test_noslip_after_few_iterations(seed, islands):
    """With noslip all islands are solved as one, but what no constraint touches starts at its final acceleration."""
    off = 0 if islands else int(mujoco.mjtDisableBit.mjDSBL_ISLAND)
    for iterations in (1, 2, 3):
        flags = mujoco.MjModel.from_xml_string(random_models.model(seed)).opt.disableflags | off
        pair = prepared(seed, 0, solver=mujoco.mjtSolver.mjSOL_CG, noslip_iterations=3, iterations=iterations,
                        disableflags=flags)
        assert pair.off("qacc", "efc_force")[0] < 1e-8


@pytest.mark.parametrize("noslip", [0, 2])
@pytest.mark.parametrize("iterations", [1, 3, 100])
def test_friction_that_counts_as_singular(iterations, noslip):
    """Where the inertia that friction feels is tiny, friction of elliptic cones of three and four dimensions is none."""
    for scale in (0, 0.3):
        pair = prepared(229, scale, solver=mujoco.mjtSolver.mjSOL_PGS, iterations=iterations, noslip_iterations=noslip)
        rd = pair.rd
        normal = np.array([c.efc_address for c in rd.contact if c.dim > 2 and c.efc_address >= 0])
        if scale == 0:
            assert any(rd.efc_force[i] > 0 and rd.efc_force[i + 1] == 0 for i in normal)
        assert pair.off("qacc", "efc_force")[0] < 1e-6


# paddles whose centers of mass lie on their axes: contacts with them have no translational inverse weight, so their
# weights in the Hessian are 1e14 times those of others, and rows of one state may contradict each other
PADDLES = """<mujoco><option tolerance="1e-14"/><worldbody><geom type="plane" size="1 1 .1"/>
  <body pos="0 0 .09"><joint type="hinge" axis="0 1 0"/><geom type="box" size=".1 .02 .02" mass=".1"/>
    <body pos="0 .06 0"><joint type="hinge" axis="0 1 0"/><geom type="box" size=".1 .02 .02" mass=".1"/></body></body>
  <body pos=".06 .03 .09"><freejoint/><geom type="sphere" size=".04" mass=".05"/></body></worldbody></mujoco>"""


@pytest.mark.parametrize("cone", (0, 1))
def test_huge_weights_that_go(cone):
    pair = live.Pair(mujoco.MjModel.from_xml_string(PADDLES))
    rm, rd, d = pair.rm, pair.rd, pair.d
    rm.opt.cone = pair.m.opt.cone = cone
    J = np.zeros((0, rm.nv))

    def cost(qacc):
        mujoco.mj_constraintUpdate(rm, rd, J @ qacc - rd.efc_aref, total, 0)
        x = qacc - rd.qacc_smooth
        return .5 * x @ inertia @ x + total[0]

    total, inertia = np.zeros(1), np.zeros((rm.nv, rm.nv))
    for seed in range(150):
        rng = np.random.default_rng(seed)
        mujoco.mj_resetData(rm, rd)
        mujoco.mj_integratePos(rm, rd.qpos, rng.normal(size=rm.nv) * [1, 1, .03, .03, .03, 1, 1, 1], 1.0)
        rd.qvel[:] = rng.normal(size=rm.nv) * [10, 10, 1, 1, 1, 5, 5, 5]
        pair.lib.mj_resetData(pair.m.ptr, d.ptr)
        d.qpos[:], d.qvel[:] = rd.qpos, rd.qvel
        pair.call("mj_forward")
        J = rd.efc_J.reshape(-1, rm.nv).copy()
        mujoco.mj_fullM(rm, inertia, rd.qM)
        want = cost(rd.qacc.copy())
        if np.isnan(want):
            continue
        assert cost(np.array(d.qacc)) <= want * (1 + 1e-9) + 1e-9, seed
