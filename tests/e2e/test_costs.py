# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Costs of rollouts: the sums of sheaf/cost_term.h over the rows of the same rollout, in this process and through a server."""
import numpy as np
import pytest
import sheaf
from conftest import Server
from wire import Client, Failure, pb, work

MODEL = b"""<mujoco><option timestep='0.01'/>
  <worldbody>
    <body name='cart'><joint name='slide' type='slide' axis='1 0 0'/><geom size='.1' mass='1'/>
      <body name='pole'><joint name='hinge' axis='0 1 0'/>
        <geom type='capsule' fromto='0 0 0 0 0 .5' size='.02' mass='.1'/><site name='tip' pos='0 0 .5'/></body></body>
    <body name='ball' pos='0 1 0'><freejoint name='free'/><geom size='.1'/></body>
  </worldbody>
  <actuator><motor name='push' joint='slide' ctrlrange='-1 1' gear='10'/><motor name='turn' joint='hinge'/></actuator>
  <sensor><jointvel name='speed' joint='hinge'/><framepos name='tip' objtype='site' objname='tip'/></sensor></mujoco>"""

NORMS = {"quadratic": lambda x, p, q: (x * x).sum(-1) / 2, "l2": lambda x, p, q: np.sqrt((x * x).sum(-1) + p * p) - p,
         "smooth_abs": lambda x, p, q: (np.sqrt(x * x + p * p) - p).sum(-1),
         "smooth_abs2": lambda x, p, q: ((np.abs(x)**q + p**q)**(1 / q) - p).sum(-1),
         "cosh": lambda x, p, q: (p * p * (np.cosh(x / p) - 1)).sum(-1), "power": lambda x, p, q: (np.abs(x)**p).sum(-1),
         "rectify": lambda x, p, q: (p * np.logaddexp(0, x / p)).sum(-1), "sum": lambda x, p, q: x.sum(-1)}

B, T = 13, 25


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    """The same model in this process and on a server."""
    server = Server(tmp_path_factory.mktemp("server"))
    with sheaf.connect(server.address) as remote, sheaf.connect(threads=2) as here:
        yield here.load(MODEL), remote.load(MODEL)
    server.stop()


@pytest.fixture(scope="module")
def case(models):
    rng = np.random.default_rng(1)
    x0 = models[0].state0 + np.pad(0.3 * rng.standard_normal((B, 9)), ((0, 0), (1, models[0].nstate - 10)))
    return x0, rng.uniform(-1, 1, (B, T, 2))


def test_every_norm_of_every_source_is_its_formula_over_the_rows_of_the_rollout(models, case):
    m, (x0, u) = models[0], case
    r = m.rollout(x0, u)
    target = np.linspace(0, 1, T)[:, np.newaxis] * [0.5, -1, 2]
    looks = {"sensordata[tip]": (r.sensordata[..., 1:4], target), "qpos[free]": (r.state[..., 3:10], 0.3), "qvel[free]": (r.state[..., 12:18], None),
             "state[1:3]": (r.state[..., 1:3], [0.1, 0.2]), "ctrl[turn]": (u[..., 1:], None), "qvel[1]": (r.state[..., 11:12], None),
             "ctrl": (u, 0.5), "time": (r.state[..., :1], None)}
    costs, want = [], []
    for norm, f in NORMS.items():
        for of, (x, goal) in looks.items():
            costs.append(sheaf.Cost(norm, of, weight=0.3, target=goal, terminal=2, p=0.7, q=1.5))
            each = f(x - (0 if goal is None else goal), 0.7, 1.5)
            want.append(0.3 * (0.95**np.arange(T) * each).sum(-1) + 2 * 0.95**(T - 1) * each[:, -1])
    got = m.rollout(x0, u, costs=costs, discount=0.95)
    assert np.allclose(got.cost_parts, np.transpose(want), rtol=1e-11, atol=1e-12)
    assert np.allclose(got.cost, np.sum(want, 0), rtol=1e-11) and got.state is None and got.sensordata is None
    assert repr(got) == f"<sheaf.RolloutResult cost ({B},); rows: all valid>"
    beside = m.rollout(x0, u, costs=costs, discount=0.95, outputs=("state", "qacc"))
    assert (beside.cost == got.cost).all() and (beside.state == r.state).all() and beside.outputs["qacc"].shape == (B, T, 8)


def test_a_server_computes_the_same_bits_and_sends_nothing_else(models, case):
    here, remote = models
    costs = [sheaf.Cost("cosh", "sensordata[tip]", target=[0, 0, 0.5]), sheaf.Cost("sum", "ctrl[push]", weight=-0.1)]
    a, b = (m.rollout(*case, costs=costs) for m in (here, remote))
    assert a.cost.tobytes() == b.cost.tobytes() and a.cost_parts.tobytes() == b.cost_parts.tobytes()
    many = np.repeat(case[1], 100, 0)

    def sent():
        return remote._backend.info()["bytes_out_total"]
    before = sent()
    remote.rollout(case[0][0], many, costs=costs[:1])
    assert sent() - before < 32 * len(many) + 4096      # cost, part, status and badstep, and frames


def test_diverged_rollouts_cost_infinity(models, case):
    x0 = case[0].copy()
    x0[3, 2] = np.nan
    for m in models:
        r = m.rollout(x0, case[1], costs=sheaf.Cost("quadratic", "qpos"))
        assert np.isinf(r.cost[3]) and np.isfinite(np.delete(r.cost, 3)).all() and r.status[3]


def test_what_is_wrong_with_a_term_is_said_by_name(models, case):
    bad = [(sheaf.Cost("square", "qpos"), "quadratic, l2"), (sheaf.Cost("l2", "sensordata[tap]"), "tip"),
           (sheaf.Cost("l2", "qpos[9]"), "a row from 0 to 8"), (sheaf.Cost("l2", "qacc"), "sensordata, ctrl, state"),
           (sheaf.Cost("l2", "act"), "elements"), (sheaf.Cost("l2", "ctrl", target=[1, 2, 3]), f"(2,) or ({T}, 2)")]
    for cost, expected in bad:
        for m in models:
            with pytest.raises(sheaf.InvalidArgument, match="expected") as e:
                m.rollout(*case, costs=cost)
            assert expected in e.value.expected


@pytest.mark.parametrize("column, value", [(0, 99), (0, np.nan), (1, -1), (2, 1e300), (3, 1 << 40), (4, np.inf), (8, 7), (9, -3)])
def test_hostile_terms_are_refused_by_both(models, case, column, value):
    from sheaf.cost import fields
    for m in models:
        given = fields(m._cost_elements, sheaf.Cost("quadratic", "qpos", target=1), T)
        given["cost_term"][0, 0, column] = value
        with pytest.raises(sheaf.InvalidArgument) as e:
            m._compute("rollout", {"state0": case[0], "control": case[1], "nstep": T} | given, ["cost"], False)
        assert e.value.field == "cost_term"


@pytest.mark.parametrize("count", [257, 65536, 1000000])
@pytest.mark.parametrize("call", ["rollout", "sample"])
def test_too_many_terms_are_an_error_of_their_request_alone(tmp_path, call, count):
    """The connection stays, and what else its client has asked for."""
    server = Server(tmp_path)
    client = Client(server.address)
    model = client.put("m.xml", {"m.xml": MODEL})[0].hash
    state, message = np.zeros((1, 24)), pb.Rollout
    inputs = {"state0": state, "cost_term": np.tile([[[0, 0, 0, 1, 1, 0, 0, 1, -1, 0.0]]], (1, count, 1))}
    state[0, 6] = 1
    options = {}
    if call == "sample":
        message, options = pb.Sample, {"nknot": 3, "nsample": 4}
        inputs |= {"plan": np.zeros((1, 3, 2)), "noise": np.ones((1, 3, 2))}
    inputs["state0"] = state[:, :client.ask(pb.FRAME_MODEL_INFO, pb.ModelInfo(hash=model))[0].nstate]
    type_ = getattr(pb, "FRAME_" + call.upper())

    def ask(n):
        part = inputs | {"cost_term": np.ascontiguousarray(inputs["cost_term"][:, :n])}
        request, data = work(model, 1, part, ["cost"])
        return client.send(type_, message(work=request, nstep=3, **options), data)

    other, wrong = ask(256), ask(count)
    with pytest.raises(Failure, match=f"cost_term: expected at most 256 terms, got {count}"):
        client.wait(wrong)
    assert np.isfinite(client.join(client.wait(other))["cost"]).all()
    client.ping()
    client.close()
    server.stop()
