# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Smooth dynamics next to the reference's: positions, inertia, velocities, forces, Jacobians."""
import ctypes
import os

import numpy as np
import pytest

mujoco = pytest.importorskip("mujoco")
import sampling  # noqa: E402
import bridge  # noqa: E402
import live  # noqa: E402

LIBRARY = os.environ.get("SHEAF_LIBRARY")
pytestmark = pytest.mark.skipif(not LIBRARY, reason="SHEAF_LIBRARY names no library")
TOL = 1e-11

# functions in the order of the stages, and what each leaves behind
STAGES = (
    ("mj_kinematics", "xpos xquat xmat xipos ximat xanchor xaxis geom_xpos geom_xmat site_xpos site_xmat"),
    ("mj_comPos", "subtree_com cinert cdof"),
    ("mj_camlight", "cam_xpos cam_xmat light_xpos light_xdir"),
    ("mj_tendon", "ten_length"),
    ("mj_crb", "crb M"),
    ("mj_makeM", "qM M"),
    ("mj_factorM", "qLD qLDiagInv"),
    ("mj_comVel", "cvel cdof_dot"),
    ("mj_passive", "qfrc_spring qfrc_damper qfrc_gravcomp qfrc_fluid qfrc_passive"),
    ("mj_subtreeVel", "subtree_linvel subtree_angmom"),
    ("mj_rnePostConstraint", "cacc cfrc_int cfrc_ext"),
    ("mj_energyPos", "energy"),
    ("mj_energyVel", "energy"),
)


def p(a):
    return ctypes.c_void_p(a.ctypes.data)


@pytest.fixture(scope="module")
def lib():
    return bridge.load(LIBRARY)


class Pair:
    """The same state in both libraries, with the position and velocity stages run."""

    def __init__(self, lib, rm, seed=0):
        self.lib, self.rm = lib, rm
        self.rd = mujoco.MjData(rm)
        self.m = bridge.adopt(lib, rm)
        self.d = bridge.Data(lib, self.m)
        self.rng = np.random.default_rng(seed)

    def sample(self):
        sampling.randomize(self.rm, self.rd, self.rng)
        self.lib.mj_resetData(self.m.ptr, self.d.ptr)
        sampling.copy_inputs(self.rd, self.d)

    def run(self, function):
        getattr(self.lib, function)(self.m.ptr, self.d.ptr)
        getattr(mujoco, function)(self.rm, self.rd)

    def stages(self):
        self.sample()
        for function, _ in STAGES:
            self.run(function)

    def same(self, ours, theirs, shapes, *args):
        """Call both with outputs of given shapes first; arguments may be arrays or ints."""
        a = [np.zeros(s) for s in shapes]
        b = [np.zeros(s) for s in shapes]
        ours(self.m.ptr, self.d.ptr, *map(p, a), *(p(x) if isinstance(x, np.ndarray) else x for x in args))
        theirs(self.rm, self.rd, *b, *args)
        for x, y in zip(a, b):
            assert sampling.difference(x, y) < TOL, ours.__name__


@pytest.mark.parametrize("name,load", sampling.cases(), ids=lambda x: x if isinstance(x, str) else "")
def test_stages(lib, name, load):
    pair = Pair(lib, load())
    for _ in range(2):
        pair.sample()
        for function, fields in STAGES:
            pair.run(function)
            for f in fields.split():
                diff = sampling.difference(getattr(pair.d, f), getattr(pair.rd, f))
                assert diff < TOL, f"{function}: {f} differs by {diff:.2e}"


@pytest.mark.parametrize("name,load", sampling.cases("mujoco/humanoid.xml", "dm_control/manipulator.xml"),
                         ids=lambda x: x if isinstance(x, str) else "")
def test_products(lib, name, load):
    pair = Pair(lib, load())
    pair.stages()
    rm, rd, m, d, nv = pair.rm, pair.rd, pair.m, pair.d, pair.rm.nv
    y = pair.rng.normal(size=(3, nv))
    v = y[0].copy()

    a, b = np.zeros((3, nv)), np.zeros((3, nv))
    lib.mj_solveM(m.ptr, d.ptr, p(a), p(y), 3)
    mujoco.mj_solveM(rm, rd, b, y)
    assert sampling.difference(a, b) < 1e-10
    root = np.sqrt(rd.qLDiagInv)
    lib.mj_solveM2(m.ptr, d.ptr, p(a), p(y), p(root), 3)
    mujoco.mj_solveM2(rm, rd, b, y, root)
    assert sampling.difference(a, b) < 1e-10

    for function in ("mj_mulM", "mj_mulM2"):
        a, b = np.zeros(nv), np.zeros(nv)
        getattr(lib, function)(m.ptr, d.ptr, p(a), p(v))
        getattr(mujoco, function)(rm, rd, b, v)
        assert sampling.difference(a, b) < TOL, function
    for acc in (0, 1):
        lib.mj_rne(m.ptr, d.ptr, acc, p(a))
        mujoco.mj_rne(rm, rd, acc, b)
        assert sampling.difference(a, b) < TOL

    full, want = np.zeros((nv, nv)), np.zeros((nv, nv))
    lib.mj_fullM(m.ptr, p(full), p(d.qM))
    mujoco.mj_fullM(rm, want, rd.qM)
    assert sampling.difference(full, want) < TOL
    added = np.ones((nv, nv))
    lib.mj_addM(m.ptr, d.ptr, p(added), None, None, None)
    assert sampling.difference(added - 1, np.tril(want)) < TOL    # the upper triangle stays as it was


@pytest.mark.parametrize("name,load", sampling.cases("mujoco/humanoid.xml", "dm_control/manipulator.xml"),
                         ids=lambda x: x if isinstance(x, str) else "")
def test_jacobians(lib, name, load):
    pair = Pair(lib, load())
    pair.stages()
    rm, nv, rng = pair.rm, pair.rm.nv, pair.rng
    two = [(3, nv), (3, nv)]
    for body in range(rm.nbody):
        point, axis, force, torque = rng.normal(size=(4, 3))
        pair.same(lib.mj_jac, mujoco.mj_jac, two, point, body)
        pair.same(lib.mj_jacDot, mujoco.mj_jacDot, two, point, body)
        pair.same(lib.mj_jacPointAxis, mujoco.mj_jacPointAxis, two, point, axis, body)
        pair.same(lib.mj_jacBody, mujoco.mj_jacBody, two, body)
        pair.same(lib.mj_jacBodyCom, mujoco.mj_jacBodyCom, two, body)
        pair.same(lib.mj_angmomMat, mujoco.mj_angmomMat, [(3, nv)], body)
        if rm.body_subtreemass[body] > 0:
            pair.same(lib.mj_jacSubtreeCom, mujoco.mj_jacSubtreeCom, [(3, nv)], body)

        a, b = np.zeros(nv), np.zeros(nv)
        lib.mj_applyFT(pair.m.ptr, pair.d.ptr, p(force), p(torque), p(point), body, p(a))
        mujoco.mj_applyFT(rm, pair.rd, force, torque, point, body, b)
        assert sampling.difference(a, b) < TOL
    for site in range(rm.nsite):
        pair.same(lib.mj_jacSite, mujoco.mj_jacSite, two, site)
    for geom in range(rm.ngeom):
        pair.same(lib.mj_jacGeom, mujoco.mj_jacGeom, two, geom)


@pytest.mark.parametrize("name,load", sampling.cases("mujoco/humanoid.xml"),
                         ids=lambda x: x if isinstance(x, str) else "")
def test_objects(lib, name, load):
    pair = Pair(lib, load())
    pair.stages()
    rm = pair.rm
    kinds = ((mujoco.mjtObj.mjOBJ_BODY, rm.nbody), (mujoco.mjtObj.mjOBJ_XBODY, rm.nbody),
             (mujoco.mjtObj.mjOBJ_GEOM, rm.ngeom), (mujoco.mjtObj.mjOBJ_SITE, rm.nsite),
             (mujoco.mjtObj.mjOBJ_CAMERA, rm.ncam))
    for kind, n in kinds:
        for i in range(n):
            for local in (0, 1):
                for function in ("mj_objectVelocity", "mj_objectAcceleration"):
                    a, b = np.zeros(6), np.zeros(6)
                    getattr(lib, function)(pair.m.ptr, pair.d.ptr, int(kind), i, p(a), local)
                    getattr(mujoco, function)(rm, pair.rd, kind, i, b, local)
                    if function == "mj_objectAcceleration" and rm.body_weldid[live.body_of(rm, kind, i)] == 0:
                        # 3.4.0 forgets gravity
                        assert abs(np.linalg.norm(a) - np.linalg.norm(pair.rd.cacc[0])) < TOL
                        continue
                    assert sampling.difference(a, b) < TOL, (function, kind, i, local)
