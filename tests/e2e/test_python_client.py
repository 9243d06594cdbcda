# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""The Python client: every call on the engine in this process and on a real server, with the same bits.

The client is the installed package `sheaf`; SHEAF_LIBRARY names the engine for the calls in this process.
"""
import ctypes
import importlib.metadata
import inspect
import sysconfig

import numpy as np
import pytest
from conftest import PUSHED, PUSHER
from rich_model import RICH, same, states

sheaf = pytest.importorskip("sheaf", reason="pip install ./clients/python")


def test_what_is_known_about_a_model_is_the_same_here_and_there(local, far):
    a, b = local.load(RICH), far.load(RICH)
    assert a.info_.sizes == b.info_.sizes and a.hash == b.hash and a.outputs == b.outputs
    assert a.info_.names == b.info_.names and (a.timestep, a.lanes) == (b.timestep, b.lanes)
    assert a.info_.arrays.keys() == b.info_.arrays.keys()
    for name, array in a.info_.arrays.items():
        assert same(array, b.info_.arrays[name]), name
    assert (a.nq, a.nv, a.nu, a.na, a.nmocap, a.nkey) == (12, 10, 2, 1, 1, 1)
    assert a.names("joint") == ["root", "hip", "ankle"] and a.ctrlrange[0].tolist() == [-1, 1]
    assert a.key_state[0, 0] == 2 and a.key_state[0, -1] == 0.3 and a.key_ctrl.tolist() == [[0.1, 0.2]]
    spec = 1 << 5 | 1 << 6 | 1 << 7 | 1 << 9
    assert a.info_.control_sizes(spec) == b.info_.control_sizes(spec) == 2 + 10 + 6 * 5 + 3
    with pytest.raises(AttributeError):
        a.nonsense


def derivatives(m, x, u):
    r = m.transition_derivatives(x, u, want="ABCD", of=("next", "qacc"))
    q, v = x[:, 1:1 + m.nq], x[:, 1 + m.nq:1 + m.nq + m.nv]
    return *r, r.next_state, r.qacc, r.qacc_x, r.qacc_u, *m.inverse_derivatives(qpos=q, qvel=v, qacc=r.qacc), *regressors(m, x, u, q, v, r.qacc)


def regressors(m, x, u, q, v, qacc):
    """Derivatives by numbers of the model: whole arrays, and rows by name and number."""
    by = ("body_mass", "body_ipos[1:]", "geom_friction", "opt.gravity", "dof_damping[0:2]")
    r = m.inverse_regressor(q, v, qacc, by=by, force=True)
    s = m.transition_regressor(x, u, by=by, next_state=True)
    nbody = m.params["body_mass"].size
    assert r["body_mass"].shape == (len(q), m.nv, nbody) and s["body_ipos[1:]"].shape == (len(x), 2 * m.nv + m.na, nbody - 1, 3)
    assert r.matrix().shape[:2] == (len(q), m.nv) and r.names == by and (r.status == 0).all()
    assert same(r.qfrc_inverse, m.inverse(q, v, qacc))
    return *(r[name] for name in by), *(s[name] for name in by), s.next_state


def test_derivatives_of_outputs_are_those_of_forward_dynamics(rich):
    x, u = states(rich, 3), np.zeros((3, 2))
    body = rich.names("body")[1] if callable(getattr(rich, "names", None)) else rich.info_.names["body"][1]
    name = f"xpos[{body}]"
    r = rich.transition_derivatives(x, u, of=("next", name, "actuator_force"))
    dx, du = r.of[name]
    ndx = 2 * rich.nv + rich.na
    assert dx.shape == (3, 3, ndx) and du.shape == (3, 3, 2) and not du.any() and "output" in r.fallback
    assert r.of["actuator_force"][1].shape == (3, 2, 2) and hasattr(r, "next_state")
    step = np.zeros((3, ndx))
    step[:, 0] = 1e-6
    at = lambda z: rich.forward(qpos=z[:, 1:1 + rich.nq], qvel=z[:, 1 + rich.nq:1 + rich.nq + rich.nv], outputs=(name,))[name]
    want = (at(rich.integrate(x, step)) - at(rich.integrate(x, -step))) / 2e-6
    assert np.abs(dx[:, :, 0] - want).max() < 1e-6
    assert "output" not in rich.transition_derivatives(x, u, of=(name,)).fallback


def test_derivatives_say_what_they_are(rich):
    x, u = states(rich, 3), np.zeros((3, 2))
    r = rich.transition_derivatives(x, u)
    A, B = r
    assert A is r.A and B.shape == (3, 2 * rich.nv + rich.na, 2) and "step" not in r.fallback and not hasattr(r, "C")
    state, _ = rich.rollout(x, u[:, None])
    assert same(r.next_state, state[:, 0]) and (r.status == 0).all()
    C, D = rich.transition_derivatives(x, u, want="CD", mode="fd")
    assert C.shape == (3, rich.nsensordata, 2 * rich.nv + rich.na) and D.shape == (3, rich.nsensordata, 2)
    for one, two in zip(rich.transition_fd(x, u), rich.transition_derivatives(x, u, want="ABCD", mode="fd")):
        assert same(one, two)
    into = {"A": np.full(A.shape, np.nan)}
    assert rich.transition_derivatives(x, u, want="A", out=into).A is into["A"] and same(into["A"], A)
    whole = rich.transition_derivatives(x.reshape(1, 3, -1), u.reshape(1, 3, -1))
    assert same(whole.A, A)
    x[1, 3] = np.nan
    r = rich.transition_derivatives(x, u)
    assert r.status.tolist() == [0, 5, 0] and np.isnan(r.A[1]).all() and same(r.A[2], A[2])
    for wrong in ({"mode": "best"}, {"want": "AE"}, {"of": "xposs"}, {"of": "qacc_smooth"}):
        with pytest.raises(sheaf.InvalidArgument):
            rich.transition_derivatives(x, u, **wrong)


def test_all_calls_give_the_same_bits_here_and_there(local, far, monkeypatch):
    """And write all of them: whatever the arrays of results hold before, which are not cleared."""
    rng = np.random.default_rng(1)
    x, u = states(local.load(RICH), 11), rng.uniform(-1, 1, (11, 15, 2))
    got = []
    for s, before in ((local, 0), (far, np.nan), (local, 1e30)):
        monkeypatch.setattr(sheaf.calls.Wanted, "make", lambda w: np.full(w.shape, before).astype(w.dtype))
        m = s.load(RICH)
        r = m.rollout(x, u, outputs=("qacc", "xpos", "M", "ncon"))
        q, v = x[:, 1:13], x[:, 13:23]
        f = m.forward(qpos=q, qvel=v, act=x[:, 23:], ctrl=u[:, 0], mocap_pos=[[1, 2, 3]], outputs=["qacc", "xpos", "nefc"])
        tau = m.inverse(qpos=q, qvel=v, qacc=f["qacc"])
        more = m.inverse(qpos=q, qvel=v, qacc=f["qacc"], discrete=True, outputs=["qfrc_inverse", "qfrc_bias"])
        got.append([r.state, r.sensordata, r.status, r.badstep, r.final_state, r.final_warmstart, *r.outputs.values(),
                    *f.values(), tau, *more.values(), *m.transition_fd(x, u[:, 0], eps=1e-6, centered=True),
                    *m.inverse_fd(qpos=q, qvel=v, qacc=f["qacc"]), *derivatives(m, x, u[:, 0])])
    assert len(got[0]) == 47
    for i, (a, b, c) in enumerate(zip(*got)):
        assert same(a, b) and same(a, c) and a.size, i
    assert (got[0][2] == 0).all() and np.isfinite(got[0][0]).all()


def test_structs_have_the_engines_layout(local):
    """The client reads sheaf/request_table.h as text; the engine's compiler made structs of it."""
    class Row(ctypes.Structure):
        _fields_ = [("name", ctypes.c_char_p), ("unit", ctypes.c_char_p), ("doc", ctypes.c_char_p), ("size", ctypes.c_size_t),
                    ("first", ctypes.c_size_t), ("fields", ctypes.c_void_p)]
    info = local._backend._lib.sheaf_requestInfo
    info.restype, info.argtypes = ctypes.POINTER(Row), [ctypes.c_int]
    from sheaf.embedded import _STRUCTS
    from sheaf.table import REQUESTS
    for r in REQUESTS.values():
        row = info(r.number)[0]
        assert (row.name.decode(), row.unit.decode(), row.doc.decode()) == (r.name, r.unit, r.doc)
        assert row.size == ctypes.sizeof(_STRUCTS[r.name])
    assert not info(len(REQUESTS))


def test_every_request_has_a_call_that_shows_its_fields(rich):
    from sheaf.table import REQUESTS
    named = {"cost_term": "costs", "cost_target": "costs"}    # of objects that know their names
    for r in REQUESTS.values():
        if r.name == "sample":
            continue    # its options are fields of a sampler (test_sampling.py)
        shown = inspect.signature(getattr(rich, r.name)).parameters
        for f in r.of("option", "input"):
            assert {f.name, named.get(f.name), "initial_" + f.name.removesuffix("0")} & shown.keys(), (r.name, f.name)
    with pytest.raises(TypeError, match="unexpected keyword argument 'gravity'"):
        rich.forward(gravity=1)


def test_shapes(rich):
    x = states(rich, 3)
    r = rich.rollout(x, nstep=4, outputs=["qacc", "site_xpos"])
    state, sensordata = r
    assert state.shape == (3, 4, rich.nstate) and sensordata.shape == (3, 4, 7)
    assert {k: v.shape for k, v in r.outputs.items()} == {"qacc": (3, 4, 10), "site_xpos": (3, 4, 1, 3)}
    assert r.status.shape == r.badstep.shape == (3,) and r.final_warmstart.shape == (3, 10)
    f = rich.forward(qpos=x[:, 1:13], outputs=["qacc", "xpos", "xmat", "time"])
    assert f["qacc"].shape == (3, 10) and f["xpos"].shape == (3, 5, 3) and f["time"].shape == (3, 1)
    assert rich.inverse(qpos=x[0, 1:13]).shape == (1, 10)
    A, B, C, D = rich.transition_fd(r.state, np.zeros((3, 4, 2)))
    assert A.shape == (12, 21, 21) and B.shape == (12, 21, 2) and C.shape == (12, 7, 21) and D.shape == (12, 7, 2)
    for d in rich.inverse_fd(qpos=x[:, 1:13]):
        assert d.shape == (3, 10, 10)


def test_results_that_one_chooses(rich):
    x0, u = states(rich, 5), np.random.default_rng(1).uniform(-1, 1, (5, 12, 2))
    whole = rich.rollout(x0, u, outputs=("xpos", "sensordata", "M"))
    names = ("xpos[foot]", "sensordata[0:3]", "qpos[ankle]", "M[hip]", "state")
    r = rich.rollout(x0, u, outputs=names, only=True)
    body, hip = rich.names("body").index("foot"), 6
    assert r.sensordata is None and r.final_state is None and r.final_warmstart is None
    assert set(r.outputs) == set(names) and np.array_equal(r.state, whole.state)
    assert np.array_equal(r.outputs["xpos[foot]"], whole.outputs["xpos"][:, :, body])
    assert np.array_equal(r.outputs["sensordata[0:3]"], whole.sensordata[:, :, :3])
    assert np.array_equal(r.outputs["qpos[ankle]"], whole.state[:, :, 9:13])
    assert np.array_equal(r.outputs["M[hip]"], whole.outputs["M"][:, :, hip])

    # rows
    some = rich.rollout(x0, u, outputs=names, every=4)
    last = rich.rollout(x0, u, outputs=names, every="last", dtype=np.float32)
    assert np.array_equal(some.state, whole.state[:, 3::4]) and some.sensordata.shape[1] == 3
    assert last.state.shape == (5, 1, rich.nstate) and last.state.dtype == last.outputs["M[hip]"].dtype == np.float32
    assert np.array_equal(last.state[:, 0], whole.state[:, -1].astype(np.float32))
    assert last.final_state.dtype == np.float64 and np.array_equal(last.final_state, whole.final_state)

    # buffers of the caller
    out = {"state": np.full((5, 12, rich.nstate), np.nan), "xpos[foot]": np.full((5, 12, 3), np.nan)}
    again = rich.rollout(x0, u, outputs=names, out=out)
    assert again.state is out["state"] and again.outputs["xpos[foot]"] is out["xpos[foot]"]
    assert np.array_equal(again.state, whole.state) and np.array_equal(again.outputs["xpos[foot]"], r.outputs["xpos[foot]"])

    # forward and inverse
    f = rich.forward(x0[:, 1:1 + rich.nq], outputs=("xpos[foot]", "qacc"), dtype="f4")
    g = rich.forward(x0[:, 1:1 + rich.nq], outputs=("xpos", "qacc"))
    assert np.array_equal(f["xpos[foot]"], g["xpos"][:, body].astype(np.float32)) and f["qacc"].dtype == np.float32
    assert np.array_equal(rich.inverse(x0[:, 1:1 + rich.nq], dtype="f4"), rich.inverse(x0[:, 1:1 + rich.nq]).astype(np.float32))


def test_aligned_outputs_belong_to_the_state_beside_them(rich):
    x0, u = states(rich, 3), np.random.default_rng(2).uniform(-1, 1, (3, 9, 2))
    behind, beside = (rich.rollout(x0, u, outputs=("xpos[foot]", "time"), aligned=a) for a in (False, True))
    assert np.array_equal(behind.state, beside.state) and np.array_equal(behind.final_warmstart, beside.final_warmstart)
    assert np.array_equal(behind.outputs["time"], beside.outputs["time"])
    assert np.array_equal(behind.outputs["xpos[foot]"][:, 1:], beside.outputs["xpos[foot]"][:, :-1])
    assert np.array_equal(behind.sensordata[:, 1:], beside.sensordata[:, :-1])
    here = rich.forward(beside.state[:, -1, 1:1 + rich.nq], outputs=("xpos[foot]",))
    assert np.array_equal(here["xpos[foot]"], beside.outputs["xpos[foot]"][:, -1])


def test_controls_between_knots(rich):
    x0, p = states(rich, 4), np.random.default_rng(3).uniform(-1, 1, (4, 5, 2))
    t = np.arange(20)
    r = rich.rollout(x0, p, nstep=20, knots="linear", outputs=("ctrl",))
    want = np.stack([[np.interp(t, np.linspace(0, 19, 5), p[i, :, k]) for k in range(2)] for i in range(4)]).transpose(0, 2, 1)
    assert np.allclose(r.outputs["ctrl"], want, atol=1e-14)
    times = np.array([0.0, 0.012, 0.03, 0.061, 0.09])
    r = rich.rollout(x0, p, nstep=20, knots="zero", knot_times=times, hold=2, outputs=("ctrl",))
    index = np.searchsorted(times, 0.005 * (t - t % 2) + 1e-12, "right") - 1
    assert np.array_equal(r.outputs["ctrl"], p[:, index])
    cubic = rich.rollout(x0, p, nstep=20, knots="cubic", knot_times=np.tile(times, (4, 1)), outputs=("ctrl",))
    slope = np.diff(p, axis=1) / np.diff(times)[:, None]
    v = np.concatenate([slope[:, :1], (slope[:, 1:] + slope[:, :-1]) / 2, slope[:, -1:]], 1)
    j, h = 2, 0.031
    s = (0.045 - times[j]) / h
    want = ((2 * s**3 - 3 * s**2 + 1) * p[:, j] + (s**3 - 2 * s**2 + s) * h * v[:, j] + (3 * s**2 - 2 * s**3) * p[:, j + 1] +
            (s**3 - s**2) * h * v[:, j + 1])
    assert np.allclose(cubic.outputs["ctrl"][:, 9], want, atol=1e-13)
    late = rich.rollout(x0, p, nstep=5, delay=2, earlier=[[0.5, 0.1], [0.2, 0.3]], outputs=("ctrl",)).outputs["ctrl"]
    assert np.array_equal(late[:, 2:], p[:, :3]) and np.array_equal(late[1, :2], [[0.5, 0.1], [0.2, 0.3]])


def test_feedback_and_a_line_search(rich):
    nominal = rich.rollout(states(rich, 1), np.random.default_rng(4).uniform(-1, 1, (1, 15, 2)), outputs=("ctrl",))
    X, U = np.concatenate([states(rich, 1), nominal.state[0]]), nominal.outputs["ctrl"][0]
    K, k = 0.1 * np.random.default_rng(5).standard_normal((15, 2, rich.ndx)), np.full((15, 2), 0.3)
    same = rich.rollout(X[:1], np.zeros((15, 2)), feedback=(X, U, K), outputs=("ctrl",))
    assert np.allclose(same.state, nominal.state, atol=1e-12)
    steps = np.linspace(0, 1, 6)
    r = rich.rollout(X[:1], k, feedback=(X, U, K), step_size=steps, outputs=("ctrl",))
    assert r.state.shape[0] == 6 and np.allclose(r.state[0], nominal.state[0], atol=1e-12)
    assert np.allclose(r.outputs["ctrl"][:, 0], np.clip(U[0] + steps[:, None] * k[0], [-1, -np.inf], [1, np.inf]))
    alone = rich.rollout(X[:1], k, feedback=(X[:-1], U, K), step_size=steps[3], outputs=("ctrl",))
    assert np.array_equal(alone.state[0], r.state[3])


def test_outputs_may_be_inputs_too(rich):
    x = states(rich, 3)
    f = rich.forward(qpos=x[:, 1:13], ctrl=[0.5, 0], time=[1, 2, 3], outputs=["qpos", "ctrl", "time", "qacc"])
    assert same(f["qpos"], x[:, 1:13].copy()) and f["ctrl"].tolist() == [[0.5, 0]] * 3 and f["time"].tolist() == [[1], [2], [3]]
    assert same(f["qacc"], rich.forward(qpos=x[:, 1:13], ctrl=[0.5, 0], time=[1, 2, 3])["qacc"])


def test_lists_and_broadcasting(rich):
    x, u = states(rich, 3), np.array([0.3, -0.2])
    full = rich.rollout(x, np.tile(u, (3, 6, 1))).state
    assert same(rich.rollout(x.tolist(), u.tolist(), nstep=6).state, full)
    assert same(rich.rollout(x, np.tile(u, (6, 1))).state, full)
    assert same(rich.rollout(x, u, nstep=3, hold=3).state, full[:, :3])
    assert same(rich.rollout(x[0], u, nstep=6).state, full[:1])
    assert same(rich.rollout(x[:1], np.tile(u, (3, 6, 1))).state[2], full[0])
    assert same(rich.rollout(np.asfortranarray(x), np.tile(u, (3, 12, 1))[:, ::2]).state, full)
    f = rich.forward(qpos=x[:, 1:13], qvel=x[0, 13:23], ctrl=[[0.1, 0.2]], time=2)
    assert same(f["qacc"][1], rich.forward(qpos=x[1, 1:13], qvel=x[0, 13:23], ctrl=[0.1, 0.2])["qacc"][0])


def test_rollouts_continue_with_the_same_bits(rich):
    x, u = states(rich, 5), np.random.default_rng(2).uniform(-1, 1, (5, 20, 2))
    whole = rich.rollout(x, u)
    a = rich.rollout(x, u[:, :7])
    b = rich.rollout(a.final_state, u[:, 7:], initial_warmstart=a.final_warmstart)
    assert same(np.concatenate([a.state, b.state], 1), whole.state) and same(b.final_warmstart, whole.final_warmstart)
    short = rich.rollout(x, u, length=[20, 3, 1, 20, 9])
    assert same(short.state[4, :9], whole.state[4, :9]) and (short.state[2] == whole.state[2, 0]).all()


def test_controls_of_other_kinds(rich):
    applied = np.zeros((1, 1, rich.nu + rich.nv))
    applied[0, 0, rich.nu + 2] = 3
    pushed = rich.rollout(rich.state0, applied, nstep=10, control_spec=1 << 5 | 1 << 6).state
    assert pushed[0, -1, 3] > rich.rollout(rich.state0, nstep=10).state[0, -1, 3]


def test_a_diverged_rollout_is_reported_and_alone(session):
    m = session.load(b"""<mujoco><option timestep="0.1"><flag gravity="disable"/></option><worldbody>
      <body><joint type="slide" stiffness="-1e6"/><geom size="0.1"/></body></worldbody></mujoco>""")
    x = np.array([[0, 0, 0], [0, 1, 0], [0, 0, 0.0]])
    r = m.rollout(x, nstep=200)
    assert (r.status > 0).tolist() == [False, True, False]
    assert r.badstep[[0, 2]].tolist() == [-1, -1] and 0 < r.badstep[1] < 200
    assert (r.state[0, :, 1:] == 0).all() and np.isfinite(r.state[1, :r.badstep[1]]).all()


@pytest.mark.parametrize("centered", [False, True])
def test_a_control_raises_the_sensors_that_it_drives(session, centered):
    """MuJoCo 3.4.0 gives centered differences of sensors by controls the opposite sign."""
    m = session.load(PUSHER)
    _, B, _, D = m.transition_fd(np.zeros((3, 3)), [[-0.5], [0], [0.5]], centered=centered)
    assert D.shape == (3, 5, 1) and np.allclose(D[..., 0], PUSHED, atol=1e-6)
    assert (B > 0).all()


def test_derivatives_at_a_state_that_is_not_valid_are_nan(rich):
    x = states(rich, 2)
    x[1, 3] = np.nan
    A, _, _, D = rich.transition_fd(x)
    assert np.isfinite(A[0]).all() and np.isnan(A[1]).all() and np.isnan(D[1]).all()
    DfDq, _, _ = rich.inverse_fd(qpos=x[:, 1:13])
    assert np.isfinite(DfDq[0]).all() and np.isnan(DfDq[1]).all()


def test_progress(rich):
    # long enough for a few reports, which come at most 20 times a second
    calls = []
    rich.rollout(states(rich, 40), nstep=3000, progress=lambda done, total: calls.append((done, total)))
    assert calls and all(0 <= done <= total == 120000 for done, total in calls)
    assert [c[0] for c in calls] == sorted(c[0] for c in calls) and calls[-1] == (120000, 120000)


def test_the_bar_ends_its_line(rich, capfd):
    rich.rollout(states(rich, 4), nstep=50, progress=True)
    err = capfd.readouterr().err
    assert not err or ("rollout" in err and "\r" in err)


def test_a_wheel_with_the_engine_is_for_one_platform():
    """An engine for one processor must not be installed on another: the tag of the installed wheel tells what it holds."""
    installed = importlib.metadata.distribution("sheaf")
    tags = [line.split(": ")[1] for line in installed.read_text("WHEEL").splitlines() if line.startswith("Tag: ")]
    holds = any(str(file).endswith("libsheaf.so") for file in installed.files)
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_") if holds else "any"
    assert tags == [f"py3-none-{platform}"]
