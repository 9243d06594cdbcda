# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""What requests return: floats, outputs by name, geometric outputs, and that nothing else is computed or sent."""
import subprocess

import numpy as np
import pytest
from between import Between
from conftest import SHEAF
from rich_model import RICH, states

sheaf = pytest.importorskip("sheaf", reason="pip install ./clients/python")


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


# ---- geometry, on the wire and in process

GEOMETRY = ("M", "qM", "energy", "ncon", "nefc", "jac_body[foot, torso]", "jacp_geom", "jac_point[foot at .1 0 -.2]", "contact[6]",
            "contact_force[6]", "efc_J[30]", "efc_force[30]", "efc_type[30]", "ray[.01 .02 5 along 0 0 -1, 0 0 5 along 0 1 -1]",
            "distance[1 to 2 within 3]")


@pytest.fixture(scope="module")
def both(local, far):
    return local.load(RICH), far.load(RICH)


def test_geometry_is_the_same_everywhere(both):
    near, away = both
    x, u = states(near, 7), np.random.default_rng(4).uniform(-1, 1, (7, 30, 2))
    for how in ({}, {"aligned": True}, {"every": 10}, {"every": "last", "dtype": "f4"}):
        a, b = (m.rollout(x, u, outputs=GEOMETRY, **how).outputs for m in both)
        for name in GEOMETRY:
            assert a[name].shape == b[name].shape and a[name].dtype == b[name].dtype and np.array_equal(a[name], b[name]), (name, how)
    whole = near.rollout(x, u, outputs=GEOMETRY).outputs
    assert np.array_equal(whole["M"][:, -1].astype(np.float32), a["M"][:, 0]) and whole["ncon"].max() > 0
    q, v = x[:, 1:1 + near.nq], x[:, 1 + near.nq:1 + near.nq + near.nv]
    for call in ("forward", "inverse"):
        a, b = (getattr(m, call)(qpos=q, qvel=v, outputs=GEOMETRY) for m in both)
        assert all(np.array_equal(a[name], b[name]) for name in GEOMETRY)
    assert a["jac_body[foot, torso]"].shape == (7, 12, near.nv) and a["jacp_geom"].shape == (7, 3 * near.ngeom, near.nv)
    mass = near.params["body_mass"] * np.linspace(0.5, 1.5, 7)[:, None]
    a, b = (m.forward(qpos=q, outputs=("M", "contact[6]"), params={"body_mass": mass}) for m in both)
    assert np.array_equal(a["M"], b["M"]) and np.array_equal(a["contact[6]"], b["contact[6]"]) and len(np.unique(a["M"][:, 0, 0])) == 7


def test_contacts_by_name(rich):
    r = rich.forward(outputs=("contact[6]", "ncon", "contact_pos[6]"))
    con, n = sheaf.contacts(r["contact[6]"]), int(r["ncon"][0, 0] if r["ncon"].ndim > 1 else r["ncon"][0])
    assert con["geom"].shape == (1, 6, 2) and con["frame"].shape == (1, 6, 3, 3) and con["force"].shape == (1, 6, 6)
    assert np.array_equal(con["pos"], r["contact_pos[6]"]) and (con["geom"][0, n:] == -1).all() and (con["geom"][0, :min(n, 6)] >= 0).all()
    with pytest.raises(sheaf.InvalidArgument, match="24"):
        sheaf.contacts(np.zeros((6, 23)))


@pytest.mark.parametrize("name, expected", [
    ("contact", "a number of rows from 1 to 65536"), ("contact[0]", "a number of rows"), ("contact[65537]", "a number of rows"),
    ("jac_body[fot]", "foot"), ("jac_point[foot at 1 2]", "three numbers"), ("ray[0 0 1 along 0 0 0]", "a direction"),
    ("ray[" + ", ".join(["0 0 1 along 0 0 -1"] * 257) + "]", "at most 256"), ("distance[0 to 99]", "a number from 0 to"),
    ("distance[1 to 2 within -1]", "0 or more"), ("jac_body[foot] ", "between [ and ]"), ("contac[4]", "contact")])
def test_brackets_are_refused_with_what_there_is(rich, name, expected):
    with pytest.raises(sheaf.InvalidArgument) as failure:
        rich.forward(outputs=(name,))
    assert expected in str(failure.value), str(failure.value)


def test_feedback_and_delay(both):
    x = states(both[0], 3)
    nominal = both[0].rollout(x[:1], np.zeros((1, 12, 2)))
    K = np.random.default_rng(1).uniform(-.1, .1, (12, 2, both[0].ndx))
    X, U = nominal.state, np.full((1, 12, 2), 0.1)
    a, b = (m.rollout(x, nstep=12, feedback=(X, U, K), delay=3, outputs=("ctrl",)) for m in both)
    assert np.array_equal(a.outputs["ctrl"], b.outputs["ctrl"]) and not a.outputs["ctrl"][:, :3].any() and a.outputs["ctrl"][:, 3:].all()


# ---- nothing that was not asked for

def test_nothing_else_is_sent(server):
    if not server.address.startswith("tcp://"):
        pytest.skip("the proxy speaks TCP")
    between = Between(server.address)
    try:
        with sheaf.connect(between.address) as s:
            m = s.load(RICH)
            x, u = states(m, 64), np.zeros((64, 50, 2))
            ask = dict(outputs=("xpos[torso]",), only=True, every="last")
            m.rollout(x, u, **ask)    # the shape is asked for once
            before = between.passed["down"]
            r = m.rollout(x, u, **ask)
            sent = between.passed["down"] - before
        # three numbers of 64 rows, status and badstep, and what the frames need
        assert r.outputs["xpos[torso]"].shape == (64, 1, 3) and 64 * 24 <= sent < 64 * (24 + 8) + 600, sent
    finally:
        between.close()


# ---- derivatives bring the outputs of the states that they are at

def derivative_calls(x, u, q, v, a):
    """Each request for derivatives: name, the call of a model, and which dynamics leave its outputs."""
    return [("transition_fd", lambda m, **k: m.transition_fd(x, u, **k), "forward"),
            ("inverse_fd", lambda m, **k: m.inverse_fd(q, v, a, **k), "inverse"),
            ("implicit", lambda m, **k: m.transition_derivatives(x, u, mode="implicit", of=("next", "xpos[foot]"), **k), "forward"),
            ("fd", lambda m, **k: m.transition_derivatives(x, u, mode="fd", **k), "forward"),
            ("analytic", lambda m, **k: m.inverse_derivatives(q, v, a, mode="analytic", ctrl=u, **k), "inverse"),
            ("nudged", lambda m, **k: m.inverse_derivatives(q, v, a, mode="fd", ctrl=u, **k), "inverse"),
            ("inverse_regressor", lambda m, **k: m.inverse_regressor(q, v, a, ctrl=u, by=("body_mass",), force=True, **k), "inverse"),
            ("transition_regressor", lambda m, **k: m.transition_regressor(x, u, by=("body_mass[torso]",), next_state=True, **k), "forward")]


def matrices(r):
    own = r._by if isinstance(r, sheaf.Regressor) else r.of if isinstance(r, sheaf.Derivatives) else {}
    return [np.asarray(a) for part in own.values() for a in (part if isinstance(part, tuple) else (part,))] + (
        [] if isinstance(r, sheaf.Regressor) else list(r))


NOMINAL = GEOMETRY + ("sensordata", "xpos[foot]", "qacc", "qfrc_constraint", "subtree_angmom", "cfrc_ext")


@pytest.mark.parametrize("how", [{}, {"dtype": "f4"}, {"params": "mass"}])
def test_derivatives_bring_outputs_of_their_states(both, how):
    near = both[0]
    x, u = states(near, 9), np.random.default_rng(4).uniform(-1, 1, (9, 2))
    q, v = x[:, 1:1 + near.nq], x[:, 1 + near.nq:1 + near.nq + near.nv]
    a = np.random.default_rng(5).uniform(-1, 1, v.shape)
    if how.get("params"):
        how = {"params": {"body_mass": near.params["body_mass"] * np.linspace(0.5, 1.5, 9)[:, None]}}
    want = {"forward": near.forward(q, v, u, NOMINAL, time=x[:, :1], act=x[:, 1 + near.nq + near.nv:], **how),
            "inverse": near.inverse(q, v, a, outputs=NOMINAL, **how)}
    for name, call, dynamics in derivative_calls(x, u, q, v, a):
        plain, *got = call(near, **how), *(call(m, outputs=NOMINAL, **how) for m in both)
        for r in got:
            assert tuple(r.outputs) == NOMINAL, name
            for one in NOMINAL:
                assert r.outputs[one].dtype == want[dynamics][one].dtype, (name, one)
                if dynamics == "inverse" and one in ("qacc", "sensordata", "subtree_angmom", "energy", "cfrc_ext"):
                    continue    # inverse dynamics have no inputs of controls and time
                assert r.outputs[one].tobytes() == want[dynamics][one].tobytes(), (name, one)
            for b, c in zip(matrices(plain), matrices(r)):
                assert b.tobytes() == c.tobytes(), name
        assert plain.outputs == {} and all(got[0].outputs[one].tobytes() == got[1].outputs[one].tobytes() for one in NOMINAL)


def test_outputs_of_states_that_are_not_valid_are_not_numbers(rich):
    x, u = states(rich, 9), np.zeros((9, 2))
    x[3, 2] = np.nan
    q, v = x[:, 1:1 + rich.nq], x[:, 1 + rich.nq:1 + rich.nq + rich.nv]
    for name, call, _ in derivative_calls(x, u, q, v, np.zeros_like(v)):
        got = call(rich, outputs="xpos").outputs["xpos"]
        assert np.isnan(got[3]).all() and np.isfinite(np.delete(got, 3, 0)).all(), name


def test_nominal_names_are_of_derivatives(both):
    for m in both:
        for ask in (lambda: m.forward(outputs="nominal.xpos"), lambda: m.rollout(m.state0, nstep=2, outputs="nominal.xpos"),
                    lambda: m.inverse_derivatives(outputs="nominal.xpos"), lambda: m._compute("inverse_fd", {}, ["xpos"], False)):
            with pytest.raises(sheaf.InvalidArgument, match="output"):
                ask()
        with pytest.raises(sheaf.InvalidArgument, match="body_mass"):
            m.inverse_regressor(outputs="body_mass")
        into = {"nominal.xpos[foot]": np.empty((1, 3))}
        assert m.inverse_derivatives(outputs="xpos[foot]", out=into).outputs["xpos[foot]"] is into["nominal.xpos[foot]"]
        into["body_mass"] = np.empty((1, m.nv, m.nbody))
        r = m.inverse_regressor(qacc=np.ones(m.nv), outputs="xpos[foot]", out=into)
        assert r["body_mass"] is into["body_mass"] and r.outputs["xpos[foot]"] is into["nominal.xpos[foot]"]
        assert r["body_mass"].tobytes() == m.inverse_regressor(qacc=np.ones(m.nv))["body_mass"].tobytes() and r["body_mass"].any()
        assert m.transition_regressor(m.state0, out={"next_state": (x := np.empty((1, m.nstate)))}, next_state=True).next_state is x
        assert not m.transition_derivatives(m.state0, outputs="ncon", of=()).outputs["ncon"].any()


@pytest.mark.parametrize("request_name", ["transition_fd", "transition_derivatives", "inverse_derivatives", "transition_regressor"])
def test_the_command_line_brings_outputs_of_states(rich, request_name, tmp_path):
    path = tmp_path / "rich.xml"
    path.write_bytes(RICH)
    ask = [SHEAF, request_name, str(path), "--threads", "1", "--output", "nominal.contact[6]", "--output", "nominal.M[0:2]", "--out", str(tmp_path / "s")]
    subprocess.run(ask, check=True, capture_output=True)
    want = rich.forward(outputs=("contact[6]", "M[0:2]"))
    for name, a in want.items():
        if name != "status":
            assert np.load(tmp_path / f"s_nominal.{name}.npy").tobytes() == a.tobytes(), name
