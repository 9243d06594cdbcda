# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""The Python client: every call on the engine in this process and on a real server, with the same bits.

The client is the installed package `sheaf`; SHEAF_LIBRARY names the engine for the calls in this process.
"""
import ctypes
import importlib.metadata
import inspect
import signal
import sysconfig
import threading
import time

import numpy as np
import pytest
from conftest import PUSHED, PUSHER, SLOW

sheaf = pytest.importorskip("sheaf", reason="pip install ./clients/python")

# joints of all kinds, contacts, limits, muscles with activation, sensors, keyframes
RICH = b"""<mujoco model="rich">
  <option timestep="0.005" integrator="implicitfast"/>
  <worldbody>
    <geom name="floor" type="plane" size="3 3 .1"/>
    <body name="torso" pos="0 0 .6">
      <freejoint name="root"/><geom type="capsule" size=".08 .15"/><site name="imu"/>
      <body name="leg" pos="0 0 -.2">
        <joint name="hip" axis="0 1 0" limited="true" range="-60 60" damping=".3"/>
        <geom type="capsule" fromto="0 0 0 .05 0 -.25" size=".04"/>
        <body name="foot" pos=".05 0 -.25">
          <joint name="ankle" type="ball" damping=".1"/><geom type="box" size=".08 .05 .02" pos=".03 0 -.03"/>
        </body>
      </body>
    </body>
    <body name="target" mocap="true" pos="1 0 1"><geom size=".05" contype="0" conaffinity="0"/></body>
  </worldbody>
  <actuator>
    <motor name="drive" joint="hip" gear="12" ctrllimited="true" ctrlrange="-1 1"/>
    <general name="slow" joint="hip" dyntype="filter" dynprm=".05" gainprm="5" biastype="affine" biasprm="0 -5 -.2"/>
  </actuator>
  <sensor><accelerometer site="imu"/><jointpos joint="hip"/><framepos objtype="body" objname="foot"/></sensor>
  <keyframe><key name="low" time="2" qpos="0 0 .45 1 0 0 0 .2 1 0 0 0" act=".3" ctrl=".1 .2"/></keyframe>
</mujoco>"""


@pytest.fixture
def rich(session):
    return session.load(RICH)


def states(m, n, seed=0):
    """(n, nstate) states near the reference configuration, with unit quaternions."""
    rng = np.random.default_rng(seed)
    x = np.repeat(m.state0[None], n, 0)
    x[:, 1:1 + m.nq] += 0.1 * rng.standard_normal((n, m.nq))
    for at in (4, 9):
        x[:, at:at + 4] /= np.linalg.norm(x[:, at:at + 4], axis=1, keepdims=True)
    x[:, 1 + m.nq:1 + m.nq + m.nv] = 0.5 * rng.standard_normal((n, m.nv))
    return x


def long_rollout(m, **options):
    """Takes far longer than any test waits."""
    m.rollout(np.repeat(m.state0[None], 100, 0), nstep=20000, **options)


def same(a, b):
    return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()


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


@pytest.mark.parametrize("call,field,expected,got", [
    (lambda m: m.rollout(np.zeros(5)), "initial_state", "(24,) or (B, 24)", "(5,)"),
    (lambda m: m.rollout(m.state0, np.zeros((4, 3))), "control", "(2,), (T, 2) or (B, T, 2)", "(4, 3)"),
    (lambda m: m.rollout(np.zeros((2, 24)), np.zeros((3, 4, 2))), "initial_state", "3 or 1 rows", "2"),
    (lambda m: m.rollout(m.state0, nstep=0), "nstep", "1 or more", "0"),
    (lambda m: m.rollout(m.state0, hold=0), "hold", "1 or more", "0"),
    (lambda m: m.rollout(m.state0, initial_warmstart=np.zeros(3)), "initial_warmstart", "(10,) or (B, 10)", "(3,)"),
    (lambda m: m.rollout(m.state0, outputs=["typo"]), "outputs", "one of qpos, ", "typo"),
    (lambda m: m.rollout(m.state0, outputs=["qac"]), "outputs", "one of qacc, ", "qac"),
    (lambda m: m.rollout(m.state0, outputs=["xpos[tors]"]), "outputs", "bodies torso, ", "tors"),
    (lambda m: m.rollout(m.state0, outputs=["xpos[9]"]), "outputs", "a row from 0 to 4", "9"),
    (lambda m: m.rollout(m.state0, np.zeros((6, 2)), nstep=5), "control", "at most 5 rows", "6"),
    (lambda m: m.rollout(m.state0, np.zeros((6, 2)), knots="cubic"), "nstep", "a number of steps", "None"),
    (lambda m: m.rollout(m.state0, np.zeros((6, 2)), nstep=9, knots="quintic"), "knots", "'cubic'", "'quintic'"),
    (lambda m: m.rollout(m.state0, np.zeros((3, 2)), nstep=9, knots="cubic", knot_times=[0, 1]), "knot_times", "3", "2"),
    (lambda m: m.rollout(m.state0, np.zeros((3, 2)), nstep=9, knots="cubic", knot_times=[0, 2, 1]), "knot_times", "ascend", "1"),
    (lambda m: m.rollout(m.state0, feedback=(1, 2)), "feedback", "(X, U, K)", "tuple"),
    (lambda m: m.rollout(m.state0, nstep=3, feedback=(np.zeros((3, 24)), None, np.zeros((3, 2, 5)))), "feedback_gain", "(3, 2, 21)", "(3, 2, 5)"),
    (lambda m: m.rollout(m.state0, nstep=5, every=6), "every", "1 to nstep (5) or 'last'", "6"),
    (lambda m: m.rollout(m.state0, nstep=5, every="first"), "every", "a whole number or 'last'", "'first'"),
    (lambda m: m.rollout(m.state0, nstep=5.5), "nstep", "a whole number", "5.5"),
    (lambda m: m.rollout(m.state0, nstep=1 << 40), "nstep", "at most 2147483647", str(1 << 40)),
    (lambda m: m.rollout(m.state0, hold=1.5), "hold", "a whole number", "1.5"),
    (lambda m: m.rollout(m.state0, dtype="f2"), "dtype", "", "f2"),
    (lambda m: m.rollout(m.state0, control_spec=-1), "control_spec", "bits of 0xFE0", "-1"),
    (lambda m: m.rollout(m.state0, control_spec=1 << 20), "control_spec", "bits of 0xFE0", str(1 << 20)),
    (lambda m: m.rollout(m.state0, control_spec=1 << 40), "control_spec", "bits of 0xFE0", str(1 << 40)),
    (lambda m: m.rollout(m.state0, np.zeros((3, 2)), control_spec=1 << 1), "control_spec", "bits of 0xFE0", "2"),
    (lambda m: m.rollout(m.state0, nstep=5, out={"state": np.zeros((1, 5, 3))}), "out['state']", "(1, 5, 24) and float64", "(1, 5, 3)"),
    (lambda m: m.rollout(m.state0, nstep=5, dtype="f4", out={"state": np.zeros((1, 5, 24))}), "out['state']", "float32", "float64"),
    (lambda m: m.rollout(m.state0, nstep=5, out={"qacc": np.zeros(3)}), "out", "state, ", "qacc"),
    (lambda m: m.rollout("abc"), "initial_state", "(..., 24)", "str"),
    (lambda m: m.rollout(m.state0, nstep=5, length=[6]), "length", "", ""),
    (lambda m: m.forward(qpos=np.zeros((2, 3))), "qpos", "(12,) or (B, 12)", "(2, 3)"),
    (lambda m: m.forward(xfrc_applied=np.zeros((2, 6))), "xfrc_applied", "(5, 6) or (B, 5, 6)", "(2, 6)"),
    (lambda m: m.forward(stage="late"), "stage", "pos, vel or acc", "'late'"),
    (lambda m: m.inverse(qacc=np.zeros(1)), "qacc", "(10,) or (B, 10)", "(1,)"),
    (lambda m: m.transition_fd(m.state0, eps=-1), "eps", "", ""),
    (lambda m: m.names("wheel"), "kind", "body", "wheel"),
])
def test_errors_name_field_expected_and_got(rich, call, field, expected, got):
    with pytest.raises(sheaf.InvalidArgument) as failure:
        call(rich)
    e = failure.value
    assert e.field == field and expected in e.expected and got in e.got and field in str(e), str(e)
    assert isinstance(e, ValueError) and isinstance(e, sheaf.Error)


def test_a_call_that_names_too_much_ends_no_other(server, pendulum):
    with sheaf.connect(server.address) as s:
        m = s.load(pendulum)
        with pytest.raises(sheaf.ResourceExhausted, match="names too much") as failure:
            m.rollout(np.zeros((1, 3)), nstep=1, outputs=["x" * 70000])
        assert failure.value.expected == "at most 65536 bytes" and int(failure.value.got) > 70000
        before = s.info()["connections"]
        m.rollout(np.zeros((1, 3)), nstep=1)
        assert s.info()["connections"] == before and "event=refused" not in server.log()


def test_models_that_do_not_compile(session, tmp_path):
    with pytest.raises(sheaf.FailedPrecondition, match="gem") as failure:
        session.load(b"<mujoco>\n<worldbody>\n<gem/>\n</worldbody></mujoco>")
    assert "3" in str(failure.value)
    with pytest.raises(sheaf.InvalidArgument, match="cannot read"):
        session.load(tmp_path / "missing.xml")
    with pytest.raises(sheaf.InvalidArgument, match="at least one file"):
        session.load({})
    with pytest.raises(sheaf.InvalidArgument, match="stay inside"):
        session.load({"../m.xml": "<mujoco/>"})
    with pytest.raises(sheaf.InvalidArgument, match="int"):
        session.load(3)


def test_models_of_several_files(session, tmp_path):
    obj = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
    files = {
        "robot/main.xml": '<mujoco><compiler meshdir="../assets"/><include file="parts/body.xml"/>'
                          '<asset><mesh name="tet" file="tet.obj"/></asset></mujoco>',
        "robot/parts/body.xml": '<mujoco><worldbody><body name="b"><freejoint/><geom type="mesh" mesh="tet"/></body>'
                                '</worldbody></mujoco>',
        "assets/tet.obj": obj}
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    a = session.load(tmp_path / "robot" / "main.xml")
    b = session.load(str(tmp_path / "robot" / "main.xml"))
    c = session.load(files)
    assert a.hash == b.hash == c.hash and a.names("body") == ["world", "b"]
    assert abs(a.body_mass[1] - 1000 / 6) < 1e-9
    (tmp_path / "assets" / "tet.obj").unlink()
    with pytest.raises(sheaf.FailedPrecondition, match="tet"):
        session.load(tmp_path / "robot" / "main.xml")


def test_files_are_found_as_the_compiler_finds_them(session, scattered):
    m = session.load(scattered)
    assert m.nbody == 2 and abs(m.body_mass[1] - 3 * 1000 / 6) < 1e-9


def test_included_files_lead_out_of_their_folders(session, climbing):
    for path in (climbing, str(climbing)):
        m = session.load(path)
        assert m.names("body") == ["world", "tool"] and abs(m.body_mass[1] - 2 * 1000 / 6) < 1e-9


def test_robots_come_with_the_meshes_that_are_there(session, tmp_path):
    (tmp_path / "assets").mkdir()
    (tmp_path / "assets" / "tet.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")
    (tmp_path / "arm.urdf").write_text(
        '<robot><mujoco><compiler meshdir="assets"/></mujoco><link name="base"/><link name="rod"><visual><geometry>'
        '<mesh filename="package://arm/looks.dae"/></geometry></visual><collision><geometry><mesh filename="package://arm/tet.obj"/>'
        '</geometry></collision></link><joint name="j" type="revolute"><parent link="base"/><child link="rod"/></joint></robot>')
    m = session.load(tmp_path / "arm.urdf")
    assert m.names("body") == ["world", "rod"] and abs(m.body_mass[1] - 1000 / 6) < 1e-9


def test_many_threads_share_a_session(session):
    m = session.load(RICH)
    x = states(m, 100)
    want = m.rollout(x, nstep=5).state
    failures = []

    def work(i):
        got = m.rollout(x[i], nstep=5).state[0] if i % 2 else session.load(RICH).rollout(x[i], nstep=5).state[0]
        if not same(got, want[i]):
            failures.append(i)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(100)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not failures


@pytest.fixture
def interrupts():
    """Python's handler, also where a shell started the tests in the background and interrupts are ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_an_interrupt_cancels(session, interrupts):
    m = session.load(RICH)
    timer = threading.Timer(0.2, signal.pthread_kill, (threading.main_thread().ident, signal.SIGINT))
    timer.start()
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        long_rollout(m)
    assert time.monotonic() - start < 5 * SLOW
    assert m.rollout(m.state0, nstep=3).status.tolist() == [0]


def test_timeouts(server, far):
    compiled = far.load(RICH)    # which may take longer than the timeout
    for s in (sheaf.connect(threads=1, timeout=1), sheaf.connect(server.address, timeout=1)):
        with s:
            m = s.load(RICH)
            start = time.monotonic()
            with pytest.raises(sheaf.DeadlineExceeded) as failure:
                long_rollout(m)
            assert time.monotonic() - start < 5 * SLOW and isinstance(failure.value, TimeoutError)
            assert m.rollout(m.state0, nstep=3).status.tolist() == [0] and m.hash == compiled.hash


def test_a_failing_progress_function_ends_the_call(far):
    m = far.load(RICH)

    def fail(done, total):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        long_rollout(m, progress=fail)
    assert m.rollout(m.state0, nstep=3).status.tolist() == [0]


def test_large_requests_are_cut_into_frames(far, monkeypatch):
    from sheaf import connection
    m = far.load(RICH)
    x, u = states(m, 7), np.random.default_rng(3).uniform(-1, 1, (7, 9, 2))
    want = m.rollout(x, u).state
    monkeypatch.setattr(connection, "FRAME", 200)
    assert same(m.rollout(x, u).state, want)
    other = RICH.replace(b"rich", b"cut into pieces")
    assert far.load(other).names("joint") == m.names("joint")


def test_a_forgotten_model_is_put_again(start):
    server = start("--model-cache", "1")
    with sheaf.connect(server.address) as s:
        m = s.load(RICH)
        want = m.rollout(m.state0, nstep=3).state
        for n in range(500, 505):
            s.load(f"""<mujoco><asset><hfield name="h" nrow="{n}" ncol="500" size="1 1 1 1"/></asset>
                       <worldbody><geom type="hfield" hfield="h"/></worldbody></mujoco>""".encode())
        assert s.info()["models"] < 6
        assert same(m.rollout(m.state0, nstep=3).state, want)


def test_calls_wait_for_their_turn(start):
    server = start("--max-inflight", "9")
    with sheaf.connect(server.address) as s:
        m, done = s.load(RICH), []
        threads = [threading.Thread(target=lambda: done.append(m.rollout(m.state0, nstep=50))) for _ in range(40)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        assert len(done) == 40


def test_connections_that_cannot_be(tmp_path):
    with pytest.raises(sheaf.Unavailable) as failure:
        sheaf.connect(f"unix://{tmp_path}/none.sock")
    assert isinstance(failure.value, ConnectionError)
    with pytest.raises(sheaf.Unavailable):
        sheaf.connect("tcp://127.0.0.1:1")
    for address in ("http://x", "tcp://", "nonsense", "tcp://host:port"):
        with pytest.raises(sheaf.InvalidArgument):
            sheaf.connect(address)
    with pytest.raises(sheaf.InvalidArgument):
        sheaf.connect("tcp://127.0.0.1:1", threads=2)


def test_a_server_that_goes_away(start):
    server = start()
    s = sheaf.connect("unix://" + server.unix, retry=False)
    m = s.load(RICH)
    kill = threading.Timer(0.2, server.process.kill)
    kill.start()
    with pytest.raises(sheaf.Unavailable, match="lost"):
        long_rollout(m)
    with pytest.raises(sheaf.Unavailable):
        m.rollout(m.state0, nstep=1)
    server.wait()
    s.close()


def test_a_token(start, tmp_path):
    token = tmp_path / "token"
    token.write_text("open sesame\n")
    server = start("--token-file", str(token))
    with pytest.raises(sheaf.Unauthenticated):
        sheaf.connect(server.address)
    with pytest.raises(sheaf.Unauthenticated):
        sheaf.connect(server.address, token="open")
    with sheaf.connect(server.address, token="open sesame") as s:
        assert 0 < s.ping() < 5 and s.info()["state"] == "serving"


def test_calls_after_close(server):
    for s in (sheaf.connect(threads=1), sheaf.connect(server.address)):
        m = s.load(RICH)
        s.close()
        s.close()
        for call in (lambda: m.rollout(m.state0), lambda: s.load(RICH)):
            with pytest.raises(sheaf.Unavailable):
                call()


def test_a_wheel_with_the_engine_is_for_one_platform():
    """An engine for one processor must not be installed on another: the tag of the installed wheel tells what it holds."""
    installed = importlib.metadata.distribution("sheaf")
    tags = [line.split(": ")[1] for line in installed.read_text("WHEEL").splitlines() if line.startswith("Tag: ")]
    holds = any(str(file).endswith("libsheaf.so") for file in installed.files)
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_") if holds else "any"
    assert tags == [f"py3-none-{platform}"]
