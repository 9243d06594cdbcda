# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Functions of engine/base next to the reference's, on random and on degenerate arguments."""
import ctypes
import glob
import os
import sys

import numpy as np
import pytest

mujoco = pytest.importorskip("mujoco")
sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))

LIBRARY = os.environ.get("SHEAF_LIBRARY")
pytestmark = pytest.mark.skipif(not LIBRARY, reason="SHEAF_LIBRARY names no library")
D, I = ctypes.c_double, ctypes.c_int
ROUNDS = 50


@pytest.fixture(scope="module")
def libs():
    reference = glob.glob(os.path.join(os.path.dirname(mujoco.__file__), "libmujoco.so*"))[0]
    return ctypes.CDLL(reference), ctypes.CDLL(os.path.abspath(LIBRARY))


def call(lib, name, result, args):
    """Result and the arrays after the call."""
    arrays, c = [], []
    for x in args:
        if isinstance(x, np.ndarray):
            arrays.append(x.copy())
            c.append(arrays[-1].ctypes.data_as(ctypes.c_void_p))
        elif isinstance(x, float):
            c.append(D(x))
        elif isinstance(x, bytes):
            c.append(ctypes.c_char_p(x))
        else:
            c.append(x if x is None else I(x))
    f = getattr(lib, name)
    f.restype = result
    return f(*c), arrays


def check(libs, name, result, *args, tol=1e-14):
    want, wants = call(libs[0], name, result, args)
    got, gots = call(libs[1], name, result, args)
    np.testing.assert_allclose(np.array(got, float), np.array(want, float), rtol=tol, atol=tol, err_msg=name)
    for a, b in zip(gots, wants):
        # relative to the largest number of the result
        scale = max(1, np.nanmax(np.abs(b))) if b.size else 1
        np.testing.assert_allclose(a, b, rtol=0, atol=tol * scale, err_msg=f"{name}{args}")


class Random:
    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)

    def vec(self, n):
        """Random numbers; at times zero, tiny, large, or along an axis."""
        kind = self.rng.integers(6)
        x = self.rng.normal(size=n)
        if kind == 0:
            x = np.zeros(n)
        if kind == 1:
            x *= 1e-16
        if kind == 2:
            x[self.rng.integers(n)] = 0
        if kind == 3:
            x *= 1e3
        if kind == 4:
            x = np.eye(n)[self.rng.integers(n)] * self.rng.choice([1.0, -1.0])
        return x

    def quat(self):
        x = self.vec(4)
        norm = np.linalg.norm(x)
        return x / norm if norm > 1e-3 else np.array([1.0, 0, 0, 0])

    def rot(self):
        m = np.zeros(9)
        mujoco.mju_quat2Mat(m, self.quat())
        return m

    def num(self):
        return float(self.rng.normal())

    def definite(self, n):
        g = self.rng.normal(size=(n, n))
        return g @ g.T + 0.1 * np.eye(n)


def zeros(n):
    return np.zeros(n)


def test_small_vectors(libs):
    r = Random(0)
    for _ in range(ROUNDS):
        a, b, s, m = r.vec(3), r.vec(3), r.num(), r.rng.normal(size=9)
        for name in ("add3", "sub3", "cross"):
            check(libs, "mju_" + name, None, zeros(3), a, b)
        for name in ("addTo3", "subFrom3"):
            check(libs, "mju_" + name, None, b, a)
        for name in ("dot3", "dist3"):
            check(libs, "mju_" + name, D, a, b)
        for name in ("mulMatVec3", "mulMatTVec3"):
            check(libs, "mju_" + name, None, zeros(3), m, a)
        check(libs, "mju_scl3", None, zeros(3), a, s)
        check(libs, "mju_addScl3", None, zeros(3), a, b, s)
        check(libs, "mju_addToScl3", None, b, a, s)
        check(libs, "mju_norm3", D, a)
        check(libs, "mju_normalize3", D, a)
        check(libs, "mju_normalize4", D, r.vec(4))
        check(libs, "mju_transformSpatial", None, zeros(6), r.vec(6), int(r.rng.integers(2)), a, b,
              m if r.rng.integers(2) else None)


def test_vectors_and_matrices(libs):
    r = Random(1)
    for _ in range(ROUNDS):
        n = int(r.rng.integers(1, 12))
        x, y, s = r.vec(n), r.vec(n), r.num()
        for name in ("sum", "L1", "norm", "normalize"):
            check(libs, "mju_" + name, D, x, n)
        check(libs, "mju_dot", D, x, y, n)
        check(libs, "mju_addScl", None, zeros(n), x, y, s, n)
        check(libs, "mju_addToScl", None, y, x, s, n)
        nr, nc, k = (int(i) for i in r.rng.integers(1, 9, size=3))
        a, square = r.vec(nr * nc), r.vec(nr * nr)
        check(libs, "mju_mulMatVec", None, zeros(nr), a, r.vec(nc), nr, nc)
        check(libs, "mju_mulMatTVec", None, zeros(nc), a, r.vec(nr), nr, nc)
        check(libs, "mju_mulVecMatVec", D, r.vec(nr), square, r.vec(nr), nr)
        check(libs, "mju_transpose", None, zeros(nr * nc), a, nr, nc)
        check(libs, "mju_symmetrize", None, zeros(nr * nr), square, nr)
        check(libs, "mju_mulMatMat", None, zeros(nr * k), a, r.vec(nc * k), nr, nc, k)
        check(libs, "mju_mulMatMatT", None, zeros(nr * k), a, r.vec(nc * k), nr, nc, k)
        check(libs, "mju_mulMatTMat", None, zeros(nc * k), a, r.vec(nr * k), nr, nc, k)
        check(libs, "mju_sqrMatTD", None, zeros(nc * nc), a, r.vec(nr) if r.rng.integers(2) else None, nr, nc)


def test_quaternions(libs):
    r = Random(2)
    for _ in range(ROUNDS):
        p, q, a, b, s = r.quat(), r.quat(), r.vec(3), r.vec(3), r.num()
        check(libs, "mju_rotVecQuat", None, zeros(3), a, p)
        check(libs, "mju_mulQuat", None, zeros(4), p, q)
        check(libs, "mju_mulQuatAxis", None, zeros(4), p, a)
        check(libs, "mju_axisAngle2Quat", None, zeros(4), a, s)
        check(libs, "mju_quat2Vel", None, zeros(3), p, 0.01)
        check(libs, "mju_subQuat", None, zeros(3), p, q)
        check(libs, "mju_subQuat", None, zeros(3), p, -p)
        check(libs, "mju_quat2Mat", None, zeros(9), r.vec(4))
        check(libs, "mju_mat2Quat", None, zeros(4), r.rot())
        check(libs, "mju_derivQuat", None, zeros(4), p, a)
        check(libs, "mju_quatIntegrate", None, r.vec(4), a, 0.01)
        check(libs, "mju_quatZ2Vec", None, zeros(4), a)
        check(libs, "mju_euler2Quat", None, zeros(4), a, "".join(r.rng.choice(list("xyzXYZ"), 3)).encode())
        check(libs, "mju_mat2Rot", I, q, r.rot() + r.rng.normal(size=9) * 0.1, tol=1e-9)
        check(libs, "mju_mulPose", None, zeros(3), zeros(4), a, p, b, q)
        check(libs, "mju_negPose", None, zeros(3), zeros(4), a, p)
        check(libs, "mju_trnVecPose", None, zeros(3), a, p, b)


def test_quaternion_derivatives(libs):
    r = Random(3)
    for _ in range(ROUNDS):
        v = r.rng.normal(size=3) * 10.0 ** r.rng.integers(-10, 1)
        q = r.quat()
        near = q.copy()
        mujoco.mju_quatIntegrate(near, v, 1.0)
        for other in (near, r.quat(), q):
            check(libs, "mjd_subQuat", None, q, other, zeros(9), zeros(9), tol=1e-13)
        check(libs, "mjd_quatIntegrate", None, v, r.num(), zeros(9), zeros(9), zeros(3), tol=1e-13)


def test_dense_decompositions(libs):
    r = Random(4)
    for _ in range(ROUNDS):
        n = int(r.rng.integers(1, 8))
        h = r.definite(n)
        factor = np.linalg.cholesky(h).ravel().copy()
        check(libs, "mju_cholFactor", I, h.ravel().copy(), n, 1e-12, tol=1e-13)
        check(libs, "mju_cholSolve", None, zeros(n), factor, r.vec(n), n, tol=1e-10)
        for plus in (0, 1):
            check(libs, "mju_cholUpdate", I, factor, r.rng.normal(size=n) * 0.1, n, plus, tol=1e-11)
        g = r.rng.normal(size=(3, 3))
        for s in (g + g.T, np.diag(r.rng.choice([1.0, 2.0, 3.0], 3)), g @ np.diag([1, 1, 2]) @ g.T,
                  2 * np.eye(3) + 1e-9 * (g + g.T)):
            check(libs, "mju_eig3", I, zeros(3), zeros(9), zeros(4), s.ravel().copy(), tol=1e-11)


def test_band_matrices(libs):
    r = Random(5)
    for _ in range(ROUNDS):
        n = int(r.rng.integers(1, 9))
        dense = int(r.rng.integers(0, n))
        band = int(r.rng.integers(1, n - dense + 1))
        full = r.definite(n) + 2 * n * np.eye(n)
        for i in range(n - dense):
            for j in range(n - dense):
                if abs(i - j) >= band:
                    full[i, j] = 0
        shape = (n, band, dense)
        size = (n - dense) * band + dense * n
        check(libs, "mju_dense2Band", None, zeros(size), full.ravel().copy(), *shape)
        mat = call(libs[0], "mju_dense2Band", None, (zeros(size), full.ravel().copy(), *shape))[1][0]
        for sym in (0, 1):
            check(libs, "mju_band2Dense", None, zeros(n * n), mat, *shape, sym)
            check(libs, "mju_bandMulMatVec", None, zeros(2 * n), mat, r.rng.normal(size=2 * n), *shape, 2, sym)
        for i in range(n):
            check(libs, "mju_bandDiag", I, i, *shape)
        check(libs, "mju_cholFactorBand", D, mat, *shape, 0.1, 0.2)
        factor = call(libs[0], "mju_cholFactorBand", D, (mat, *shape, 0.0, 0.0))[1][0]
        check(libs, "mju_cholSolveBand", None, zeros(n), factor, r.rng.normal(size=n), *shape)


def test_box_qp(libs):
    r = Random(6)
    for _ in range(ROUNDS):
        n = int(r.rng.integers(1, 7))
        h, g = r.definite(n).ravel().copy(), 3 * r.rng.normal(size=n)
        lower, upper = -r.rng.random(n) - 0.01, r.rng.random(n) + 0.01
        for lo, up in ((lower, upper), (None, upper), (lower, None), (None, None)):
            args = (r.rng.normal(size=n), zeros(n * (n + 7)), np.zeros(n, np.int32), h, g, n, lo, up)
            (want, wants), (got, gots) = (call(lib, "mju_boxQP", I, args) for lib in libs)
            assert got == want
            np.testing.assert_allclose(gots[0], wants[0], atol=1e-10)
            np.testing.assert_array_equal(gots[2][:want], wants[2][:want])


def test_small_functions(libs):
    r = Random(7)
    for i in range(ROUNDS):
        x = float(r.rng.choice([-0.5, 0.5, 1.5, -1.5, 2.5, 0.3, -0.7, 0, 1, 5, -1, 0.1, 0.9]))
        for name in ("sign", "sigmoid"):
            check(libs, "mju_" + name, D, x)
        check(libs, "mju_round", I, x)
        check(libs, "mju_clip", D, r.num(), -0.3, 0.4)
        check(libs, "mju_Halton", D, i, int(r.rng.choice([2, 3, 5, 7])))
        dim = int(r.rng.choice([2, 3, 4, 6]))
        mu = r.rng.random(5) + 0.1
        check(libs, "mju_encodePyramid", None, zeros(10), r.vec(6), mu, dim)
        check(libs, "mju_decodePyramid", None, zeros(6), r.vec(10), mu, dim)
        kv = float(5 * r.rng.random())
        kp = kv * kv / 4 if i % 3 == 0 else float(10 * r.rng.random())
        check(libs, "mju_springDamper", D, r.num(), r.num(), kp, kv, float(r.rng.random()), tol=1e-12)
    for x in (float("nan"), float("inf"), -float("inf"), 1e10, 1.1e10, -1.1e10):
        check(libs, "mju_isBad", I, x)


def test_names_in_the_virtual_file_system(libs):
    r = Random(8)
    names = [b"a.xml", b"A.XML", b"./a.xml", b"d/a.xml", b"d/../a.xml", b"d\\a.xml", b"/d/a.xml", b"../a.xml",
             b"../../b", b"b", b"D/b", b"d/./b", b"/../b", b"..", b".", b"d/e/../../b", b"/b"]
    for _ in range(ROUNDS):
        vfs = [(ctypes.c_void_p * 1)() for _ in libs]
        for lib, v in zip(libs, vfs):
            lib.mj_defaultVFS(v)
        for _ in range(12):
            name = names[r.rng.integers(len(names))]
            if r.rng.random() < 0.6:
                results = [lib.mj_addBufferVFS(v, name, b"abc", 3) for lib, v in zip(libs, vfs)]
            else:
                results = [lib.mj_deleteFileVFS(v, name) for lib, v in zip(libs, vfs)]
            assert results[0] == results[1], name
        for lib, v in zip(libs, vfs):
            lib.mj_deleteVFS(v)
