# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""What requests return: floats, outputs by name, geometric outputs, and that nothing else is computed or sent."""
import os

import numpy as np
import pytest
from conftest import BUILD

sheaf = pytest.importorskip("sheaf", reason="pip install ./clients/python")
LIBRARY = os.path.join(BUILD, "engine", "libsheaf.so")
if os.path.exists(LIBRARY):
    os.environ.setdefault("SHEAF_LIBRARY", LIBRARY)
from test_python_client import RICH, states    # noqa: E402


@pytest.fixture(scope="module")
def idle():
    """Sessions of this module stay connected."""


@pytest.fixture(scope="module")
def local():
    with sheaf.connect(threads=2) as s:
        yield s


@pytest.fixture(scope="module")
def far(server):
    with sheaf.connect(server.address) as s:
        yield s


@pytest.fixture(params=["local", "far"])
def session(request):
    return request.getfixturevalue(request.param)


@pytest.fixture
def rich(session):
    return session.load(RICH)


# ---- floats

def numbers(got):
    return {k: v for k, v in got.items() if isinstance(v, np.ndarray) and v.dtype.kind == "f"}


@pytest.mark.parametrize("mode", ["implicit", "fd"])
def test_derivatives_of_steps_come_as_floats(rich, mode):
    x, u = states(rich, 5), np.random.default_rng(4).uniform(-1, 1, (5, 2))
    of = ("next", "sensordata", "qacc")[:3 if mode == "implicit" else 2]
    double, single = (rich.transition_derivatives(x, u, mode=mode, want="ABCD", of=of, dtype=t) for t in ("f8", "f4"))
    for name in ("A", "B", "C", "D", "next_state", *(("qacc", "qacc_x", "qacc_u") if mode == "implicit" else ())):
        a, b = getattr(double, name), getattr(single, name)
        assert a.dtype == np.float64 and b.dtype == np.float32 and np.isfinite(b).all() and np.array_equal(a.astype(np.float32), b)
    x[2, 1] = np.nan
    bad = rich.transition_derivatives(x, u, mode=mode, dtype="f4")
    assert np.isnan(bad.A[2]).all() and np.array_equal(bad.A[:2], single.A[:2]) and np.array_equal(bad.A[3:], single.A[3:])


def test_other_derivatives_come_as_floats(rich):
    x, u = states(rich, 5), np.random.default_rng(4).uniform(-1, 1, (5, 2))
    for a, b in zip(rich.transition_fd(x, u), rich.transition_fd(x, u, dtype="f4")):
        assert b.dtype == np.float32 and np.array_equal(a.astype(np.float32), b)
    q, v = x[:, 1:1 + rich.nq], x[:, 1 + rich.nq:1 + rich.nq + rich.nv]
    for ask in (rich.inverse_fd, lambda **k: rich.inverse_derivatives(mode="analytic", **k), lambda **k: rich.inverse_derivatives(mode="fd", **k)):
        for a, b in zip(ask(qpos=q, qvel=v), ask(qpos=q, qvel=v, dtype="f4")):
            assert b.dtype == np.float32 and np.array_equal(a.astype(np.float32), b) and np.abs(a).max() > 0
    with pytest.raises(sheaf.InvalidArgument, match="dtype"):
        rich.inverse_fd(qpos=q, dtype=5)
