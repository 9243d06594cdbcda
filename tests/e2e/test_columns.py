# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Derivatives along chosen columns, by name: the same in this process, over the wire and on the command line."""
import subprocess

import numpy as np
import pytest
from conftest import SHEAF
from rich_model import RICH, states

sheaf = pytest.importorskip("sheaf", reason="pip install ./clients/python")


@pytest.fixture(scope="module")
def idle():
    """Sessions of this module stay connected."""


@pytest.fixture(scope="module")
def both(server):
    """The model here and there."""
    with sheaf.connect(threads=2) as near, sheaf.connect(server.address) as far:
        yield near.load(RICH), far.load(RICH)


def same(got, want):
    assert got.shape == want.shape and got.tobytes() == np.ascontiguousarray(want).tobytes()


def test_chosen_columns_are_those_of_all(both):
    near = both[0]
    x, u = states(near, 9), np.random.default_rng(4).uniform(-1, 1, (9, near.nu))
    q, v = x[:, 1:1 + near.nq], x[:, 1 + near.nq:1 + near.nq + near.nv]
    nv, ndx, root = near.nv, near.info_.sizes["ndx"], range(6)
    names = ("qvel[0:2]", "ctrl[1]", "qpos[root]", 2 * nv - 1)
    by_state, by_controls = [nv, nv + 1, *root, 2 * nv - 1], [1]
    for m in both:
        for mode in ("implicit", "fd"):
            more = {"want": "ABCD", "of": ("next", "qacc", "xpos[foot]", "actuator_force") if mode == "implicit" else ("next",)}
            all_, some = (m.transition_derivatives(x, u, mode=mode, columns=c, **more) for c in (None, names))
            for name in "AC":
                same(getattr(some, name), getattr(all_, name)[..., by_state])
            for name in "BD":
                same(getattr(some, name), getattr(all_, name)[..., by_controls])
            same(some.next_state, all_.next_state)
            for one in all_.of:
                for k, chosen in enumerate((by_state, by_controls)):
                    same(np.ascontiguousarray(some.of[one][k]), all_.of[one][k][..., chosen])
        same(m.transition_fd(x, u, columns="ctrl")[1], m.transition_fd(x, u)[1])
        for ask in (m.inverse_fd, lambda *a, **k: m.inverse_derivatives(*a, mode="analytic", **k)):
            got, want = ask(q, v, columns=("qacc[root]", "qvel")), ask(q, v)
            for a, b, chosen in zip(got, want, ([], range(nv), root)):
                same(a, b[..., chosen])
        into = {"A": np.empty((9, ndx, 1))}
        assert m.transition_derivatives(x, u, columns=f"qpos[{root[0]}]", want="A", out=into).A is into["A"]


@pytest.mark.parametrize("columns, reason", [
    ("qpos[rot]", "one of the joints root"), ("xpos[foot]", "expected qpos, qvel, act, ctrl"), ("qacc", "expected qpos, qvel, act, ctrl"),
    (("qvel", "qvel[1]"), "each column once"), ("ctrl[0, 0]", "each row once"), ((), "one or more"), (-1, "numbers from 0"),
    (10**6, "numbers from 0"), (1 << 40, "no such column"), (0.5, "names as 'qvel")])
def test_columns_that_are_not_there(both, columns, reason):
    for m in both:
        with pytest.raises(sheaf.InvalidArgument, match=reason) as e:
            m.transition_derivatives(m.state0, columns=columns)
        assert e.value.field == "columns"
    with pytest.raises(TypeError):
        both[0].forward(columns="qvel")


def test_the_command_line_has_columns(both, tmp_path):
    path = tmp_path / "rich.xml"
    path.write_bytes(RICH)

    def ask(*more):
        return subprocess.run([SHEAF, "transition_derivatives", str(path), "--threads", "1", *more], capture_output=True, text=True)
    assert ask("--column", "qvel[root,1:0]").returncode == 1
    got = ask("--column", "qvel[rot]")
    assert got.returncode == 1 and "columns: expected a row from 0 to" in got.stderr and "root" in got.stderr
    assert ask("--column", "ctrl", "--column", "qpos[root]", "--out", str(tmp_path / "s")).returncode == 0
    want = both[1].transition_derivatives(both[1].state0, columns=("qpos[root]", "ctrl"))
    for name in "AB":
        same(np.load(tmp_path / f"s_{name}.npy"), getattr(want, name))
