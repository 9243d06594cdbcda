# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Lines as users write them, with the arguments and the words that the project has announced: each of them works, here and on a server."""
import asyncio
import glob
import inspect
import os
import re

import numpy as np
import pytest
import sheaf
from wire import Client

XML = b"""<mujoco model="head and arm">
  <worldbody>
    <geom type="plane" size="3 3 .1"/>
    <body name="head" pos="0 0 .2">
      <freejoint/><geom size=".1"/><site name="top" pos="0 0 .1"/>
      <body name="arm" pos=".1 0 0"><joint name="elbow" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/></body>
    </body>
  </worldbody>
  <actuator><motor name="push" joint="elbow" ctrllimited="true" ctrlrange="-1 1"/></actuator>
  <sensor><framepos name="height" objtype="body" objname="head"/></sensor>
</mujoco>"""
B, T, K = 4, 12, 5


@pytest.fixture
def m(session):
    return session.load(XML)


@pytest.fixture
def x0(m):
    return np.repeat(m.state0[np.newaxis], B, axis=0)


@pytest.fixture
def u(m):
    return np.random.default_rng(1).uniform(-1, 1, (B, T, m.nu))


def test_a_rollout_with_all_of_its_words(m, x0, u):
    mass = m.params["body_mass"] * np.linspace(0.8, 1.2, B)[:, np.newaxis]
    X, U, gain = np.repeat(m.state0[np.newaxis], T, axis=0), np.zeros((T, m.nu)), np.full((T, m.nu, m.ndx), 0.1)
    r = m.rollout(x0, u, outputs=("xpos[head]",), every="last", aligned=False, dtype="f4", out=None, knots="cubic", knot_times=None,
                  params={"body_mass": mass}, feedback=(X, U, gain), step_size=None, timeout=None, priority=0)
    assert r.outputs["xpos[head]"].shape == (B, 1, 3) and r.state.dtype == np.float32 and not r.status.any()
    whole = m.rollout(x0, u, nstep=T, outputs="xpos[head]", knots="cubic", params={"body_mass": mass}, feedback=(X, U, gain))
    assert np.array_equal(whole.outputs["xpos[head]"][:, -1:].astype("f4"), r.outputs["xpos[head]"])
    # without feedback nothing tells how long it is
    with pytest.raises(sheaf.InvalidArgument, match="nstep"):
        m.rollout(x0, u, knots="cubic")


def test_calls_that_differ_in_numbers_alone_are_put_together_once(m, x0, u):
    """All that the first of them found out serves the others. What no array of doubles in C order says is looked at in each call."""
    again = np.random.default_rng(2).uniform(-1, 1, u.shape)
    calls = [lambda u: m.rollout(x0, u), lambda u: m.rollout(m.state0, u, hold=2, outputs=("qacc",)), lambda u: m.rollout(x0[0], u[0]),
             lambda u: m.rollout(x0, u[:, :1], out={"state": np.empty((B, 1, m.nstate))}), lambda u: m.rollout(x0, u.astype("f4")),
             lambda u: m.rollout(x0, u.tolist(), nstep=T), lambda u: m.rollout(x0, u, initial_warmstart=np.zeros(m.nv)),
             lambda u: m.rollout(x0, u, params={"body_mass": m.params["body_mass"] * (2 + u[0, 0, 0])})]
    for call, kept in zip(calls, (1, 1, 1, 0, 1, 1, 1, 1)):
        m.info_.asked.clear()
        first, known = call(u), dict(m.info_.asked)
        assert len(known) == kept
        got = call(again)
        assert m.info_.asked == known and not np.array_equal(got.state, first.state)
        m.info_.asked.clear()
        want = call(again)
        assert all(np.array_equal(a, b) for a, b in zip((got.state, got.sensordata, *got.outputs.values()), (want.state, want.sensordata, *want.outputs.values())))
    assert np.array_equal(calls[2](u).state[0], calls[0](u).state[0])
    # the same shapes, but another word, or what does not fit
    assert m.rollout(x0, u, every="last").state.shape[1] == 1 and m.rollout(x0, u).state.shape[1] == T
    with pytest.raises(sheaf.InvalidArgument, match="state"):
        m.rollout(x0, u[:, :1], out={"state": np.empty((B, 2, m.nstate))})
    with pytest.raises(sheaf.InvalidArgument, match="rows"):
        m.rollout(x0[:2], u)
    # parameters of other rows, and others
    mass = m.params["body_mass"] * np.ones((B, 1))
    assert np.array_equal(m.rollout(x0, u, params={"body_mass": mass}).state, m.rollout(x0, u, params={"body_mass": mass[0]}).state)
    with pytest.raises(sheaf.InvalidArgument, match="body_mas"):
        m.rollout(x0, u, params={"body_mas": mass})
    with pytest.raises(sheaf.InvalidArgument, match="rows"):
        m.rollout(x0, u, params={"body_mass": mass[:2]})
    # rows of results that need one each
    q, a = x0[:1, 1:1 + m.nq], np.ones((B, m.nv))
    for k in (1, 2):
        assert np.array_equal(m.inverse(qpos=q, qacc=k * a)[0], m.inverse(qpos=q, qacc=k * a[:1])[0])


def test_derivatives(m, x0, u):
    x, u = x0, u[:, 0]
    A, B_, C, D = m.transition_derivatives(x, u, mode="implicit", want="ABCD", of=("next", "sensordata"), params=None)
    assert A.shape == (B, m.ndx, m.ndx) and B_.shape == (B, m.ndx, 1) and C.shape == (B, 3, m.ndx) and D.shape == (B, 3, 1)
    r = m.transition_derivatives(x, u, of=("next", "qacc", "site_xpos"))
    assert r.next_state.shape == x.shape and isinstance(r.fallback, tuple) and r.of["site_xpos"][0].shape[-1] == m.ndx
    q, v, a = x[:, 1:1 + m.nq], np.zeros((B, m.nv)), np.ones((B, m.nv))
    DfDq, DfDv, DfDa = m.inverse_derivatives(qpos=q, qvel=v, qacc=a, mode="analytic")
    assert DfDq.shape == DfDv.shape == DfDa.shape == (B, m.nv, m.nv)


def test_without_waiting(m, x0, u):
    want = m.rollout(x0, u).state
    f = m.submit.rollout(x0, u)
    assert np.array_equal(f.result(timeout=30.0).state, want) and f.timing.compute > 0
    long = m.submit.rollout(x0, nstep=10**6, outputs="final_state", only=True)
    assert long.cancel()

    async def ask():
        return await m.aio.rollout(x0, u)
    assert np.array_equal(asyncio.run(ask()).state, want)


def test_again_and_again(m, x0, u):
    step = m.prepare(B, nstep=1, outputs=())
    state, sensordata = step(x0, u[:, 0])
    first = state.copy()
    again, _ = step(x0, u[:, 0])
    assert again is state and np.array_equal(first, again) and np.array_equal(first, m.rollout(x0, u[:, :1]).state)


@pytest.mark.parametrize("hold", [1, 3])
def test_a_plan_tells_how_long_its_rollouts_are(m, hold):
    nominal, ask = np.zeros((K, m.nu)), {"sampler": sheaf.MPPI(samples=16, noise=0.3), "seed": 7, "hold": hold, "outputs": ("plan_state",),
                                         "cost": [sheaf.Cost("quadratic", "sensordata[height]", weight=2.0, target=1.3)]}
    best = m.sample(m.state0, nominal, **ask)
    assert best.plan_state.shape == (1, K * hold, m.nstate)
    assert best.plan_state.tobytes() == m.sample(m.state0, nominal, nstep=K * hold, **ask).plan_state.tobytes()
    if hold == 1:    # a knot for each step is the control of the step
        assert np.allclose(m.rollout(m.state0, best.knots).state, best.plan_state, rtol=1e-12, atol=1e-12)


def test_differences_of_states(m, x0):
    x1 = m.rollout(x0[0], nstep=5).state[0, -1]
    dx = m.diff(x1, x0)
    assert dx.shape == (B, m.ndx) and np.allclose(m.integrate(x0, dx)[:, 1:], x1[1:], rtol=1e-12, atol=1e-12)


def test_what_is_one_step_behind_is_told_wherever_rows_are_returned():
    for call in (sheaf.Model.rollout, sheaf.Model.sample, sheaf.Model.prepare, sheaf.prepared.Prepared):
        told = " ".join(inspect.getdoc(call).split())
        assert "the state" in told and ("one step behind" in told or "belong to the state that its step began from" in told
                                        or "of the state that it began from" in told), call


def test_every_number_may_be_set_in_every_request(m):
    """Rows with the model's own numbers have the bits of rows without. (Not those that mj_setConst derives.)"""
    x, q = np.repeat(m.state0[np.newaxis], 2, axis=0), np.repeat(m.qpos0[np.newaxis], 2, axis=0)
    u = np.full((2, m.nu), 0.3)
    cost = sheaf.Cost("quadratic", "sensordata[height]", target=1.3)
    calls = [lambda **k: m.rollout(x, u[:, np.newaxis], **k).state, lambda **k: m.forward(q, ctrl=u, **k)["qacc"], lambda **k: m.inverse(q, **k),
             lambda **k: m.transition_fd(x, u, **k)[0], lambda **k: m.inverse_fd(q, **k)[0], lambda **k: m.transition_derivatives(x, u, **k).A,
             lambda **k: m.inverse_derivatives(q, **k).DfDq, lambda **k: m.inverse_regressor(q, **k)["body_mass"],
             lambda **k: m.transition_regressor(x, u, **k)["body_mass"],
             lambda **k: m.sample(x, 3, sampler=sheaf.MPPI(8), cost=cost, **k).cost]
    values = {n: v for n, v in m.params.items() if v.size}
    assert len(values) > 40
    for call in calls:
        plain = call()
        for name, value in values.items():
            own = call(params={name: np.repeat(value[np.newaxis], 2, axis=0)}, keep_constants=True)
            assert own.tobytes() == plain.tobytes(), (name, call)


def test_no_size_of_a_nudge_is_the_default_one(m, x0, u):
    for want, got in zip(m.transition_fd(x0, u[:, 0]), m.transition_fd(x0, u[:, 0], eps=0)):
        assert want.tobytes() == got.tobytes()
    for want, got in zip(m.inverse_fd(x0[:, 1:1 + m.nq]), m.inverse_fd(x0[:, 1:1 + m.nq], eps=0)):
        assert want.tobytes() == got.tobytes()


@pytest.mark.parametrize("port", ["65536", "70000", "-1", "x", "4294974743"])
def test_ports_that_are_none(port):
    with pytest.raises(sheaf.InvalidArgument, match="address"):
        sheaf.connect(f"tcp://127.0.0.1:{port}")


def test_a_model_that_is_not_there_yet_is_no_failure(server):
    client = Client(server.address)
    before = client.info().errors_total
    with sheaf.connect(server.address) as s:
        s.load(XML.replace(b"head and arm", os.urandom(8).hex().encode()))
    assert client.info().errors_total == before
    client.close()


def test_the_page_of_promises_names_tests_that_exist():
    here = os.path.dirname(os.path.abspath(__file__))
    with open(os.path.join(here, "README.md"), encoding="utf-8") as f:
        text = f.read()
    in_c = {name for path in glob.glob(os.path.join(here, "..", "engine", "*", "*.c"))
            for name in re.findall(r"^TEST\((\w+)\)", open(path, encoding="utf-8").read(), re.M)}
    names = 0
    for cell in re.findall(r"^\|[^|]*\|(.*)\|$", text, re.M)[2:]:
        file = None
        for kind, word in re.findall(r"(c )?`([^`]+)`", cell):
            if word.endswith(".py"):
                file = open(os.path.join(here, word), encoding="utf-8").read()
            elif word.startswith("test_"):
                assert re.search(rf"^(async )?def {word}\(", file, re.M), word
                names += 1
            else:
                assert word in in_c, word
                names += 1
    assert names > 50
