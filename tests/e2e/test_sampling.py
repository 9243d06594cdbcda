# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Planning by sampling: every update computed again in numpy from rollouts of the plain request, here and through a server."""
import os
import re
import subprocess
import sys

import numpy as np
import pytest
import sheaf
from conftest import ROOT, SHEAF, Server
from sheaf.cost import fields

EXAMPLES = os.path.join(ROOT, "clients", "python", "examples")
K, T, HOLD, N = 5, 30, 2, 24


def documented_noise():
    """The lines of the client's README."""
    with open(os.path.join(ROOT, "clients", "python", "README.md"), encoding="utf-8") as f:
        block = next(b for b in re.findall(r"```python\n(.*?)```", f.read(), re.S) if "def noise(" in b)
    scope = {}
    exec(block, scope)
    return scope["noise"]


noise = documented_noise()


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    """The same model in this process and on a server."""
    server = Server(tmp_path_factory.mktemp("server"))
    with sheaf.connect(server.address) as remote, sheaf.connect(threads=2) as here:
        yield [s.load(os.path.join(EXAMPLES, "cartpole.xml")) for s in (here, remote)]
    server.stop()


COST = [sheaf.Cost("smooth_abs", "sensordata[tip]", target=[0, 0, 2]), sheaf.Cost("quadratic", "qvel", weight=0.1, terminal=1),
        sheaf.Cost("cosh", "ctrl", p=0.5)]


def spline(order, knots, t):
    """Values (..., len(t), nu) of splines through knots (..., K, nu), by the formulas of sheaf/sampling.h."""
    n = knots.shape[-2]
    times = np.arange(n) * (T / n if order == "zero" else (T - 1) / (n - 1))
    t = np.clip(t, 0, times[-1])
    j = np.clip(np.searchsorted(times, t, "right") - 1, 0, n - 1 if order == "zero" else n - 2)
    if order == "zero":
        return knots[..., j, :]
    h = times[1]
    s = ((t - times[j]) / h)[:, np.newaxis]
    if order == "linear":
        return (1 - s) * knots[..., j, :] + s * knots[..., j + 1, :]
    secant = np.diff(knots, axis=-2) / h
    slope = np.concatenate([secant[..., :1, :], (secant[..., 1:, :] + secant[..., :-1, :]) / 2, secant[..., -1:, :]], -2)
    return ((2 * s**3 - 3 * s**2 + 1) * knots[..., j, :] + (s**3 - 2 * s**2 + s) * h * slope[..., j, :]
            + (3 * s**2 - 2 * s**3) * knots[..., j + 1, :] + (s**3 - s**2) * h * slope[..., j + 1, :])


def replay(m, x0, plan, sampler, order, seed, shift):
    """What `sample` computes, in numpy; its rollouts by the plain request."""
    times = np.arange(K) * (T / K if order == "zero" else (T - 1) / (K - 1))
    plan, std = np.clip(spline(order, plan, times + shift), -1, 1), np.full((K, m.nu), sampler.noise)
    for iteration in range(sampler.iterations):
        knots = np.clip(plan + std * noise(seed, iteration, N, K, m.nu), -1, 1)
        control = np.clip(spline(order, knots, np.arange(0, T, HOLD)), -1, 1)
        cost = m.rollout(x0, control, nstep=T, hold=HOLD, costs=COST, discount=0.99).cost
        best = np.argsort(cost, kind="stable")
        if isinstance(sampler, sheaf.MPPI):
            w = np.exp(-(cost - cost.min()) / sampler.temperature)
            plan = (w[:, np.newaxis, np.newaxis] * knots).sum(0) / w.sum()
        elif isinstance(sampler, sheaf.CEM):
            elite = knots[best[:sampler.elites]]
            plan, std = elite.mean(0), np.maximum(elite.std(0), sampler.least_noise)
        else:
            plan = knots[best[0]]
    return plan, std, cost, knots[best]


SAMPLERS = [sheaf.PredictiveSampling(N, 0.4, 2), sheaf.MPPI(N, 0.4, 2, temperature=0.7), sheaf.CEM(N, 0.4, 3, elites=6, least_noise=0.05)]


@pytest.mark.parametrize("sampler", SAMPLERS)
@pytest.mark.parametrize("order", ["zero", "linear", "cubic"])
def test_updates_are_those_of_numpy_and_of_a_server(models, sampler, order):
    here, remote = models
    plan, seed = np.linspace(-1.5, 1, K)[:, np.newaxis], 2**40 + 17
    got = [m.sample(m.state0, plan, sampler=sampler, cost=COST, nstep=T, seed=seed, spline=order, shift=3, hold=HOLD, discount=0.99, top=4,
                    outputs=("top_state", "plan_cost", "plan_state")) for m in models]
    for name, a in vars(got[0]).items():
        assert a.tobytes() == vars(got[1])[name].tobytes(), name
    knots, std, cost, sorted_knots = replay(here, here.state0, plan, sampler, order, seed, 3)
    r = got[0]
    assert np.allclose(r.knots[0], knots, rtol=1e-9, atol=1e-9) and np.allclose(r.noise[0], std, rtol=1e-9, atol=1e-9)
    assert np.allclose(r.cost[0], cost, rtol=1e-9) and np.allclose(r.top_cost[0], np.sort(cost)[:4], rtol=1e-9)
    assert np.allclose(r.top_knots[0], sorted_knots[:4], rtol=1e-9, atol=1e-9)
    # the trajectories of the best samples, and of the improved plan
    for wanted, states in ((r.top_knots[0], r.top_state[0]), (r.knots, r.plan_state)):
        control = np.clip(spline(order, wanted, np.arange(0, T, HOLD)), -1, 1)
        assert np.allclose(here.rollout(here.state0, control, nstep=T, hold=HOLD).state, states, rtol=1e-7, atol=1e-7)
    assert (r.control == r.knots[:, 0]).all()


def test_the_documented_noise_is_that_of_the_engine_to_the_bit_where_no_logarithm_is(models):
    m = models[0]
    # knots of the best sample, without limits, clamps and updates: the noise itself
    xml = open(os.path.join(EXAMPLES, "cartpole.xml")).read().replace('ctrllimited="true" ctrlrange="-1 1"', "")
    with sheaf.connect(threads=1) as s:
        free = s.load(xml.encode())
        r = free.sample(m.state0, 40, sampler=sheaf.PredictiveSampling(64, 1.0), cost=sheaf.Cost("sum", "time"), nstep=1, seed=123456789012345,
                        top=64)
    want = noise(123456789012345, 0, 64, 40, 1)
    got = r.top_knots[0]      # all cost the same, so they come in their order
    centre = abs(want) < 1.43
    assert (got[centre] == want[centre]).all() and centre.mean() > 0.8
    assert np.allclose(got, want, rtol=1e-14, atol=0)


def test_plans_of_one_request_are_those_of_one_each(models):
    x0 = models[0].state0 + [[0, 0.1, 0.2, 0, 0], [0, -0.5, 1, 0, 2], [0, 0, 0, 1, 0]]
    plans = np.random.default_rng(0).uniform(-1, 1, (3, K, 1))
    for m in models:
        def sample(i):
            return m.sample(x0[i], plans[i], sampler=SAMPLERS[1], cost=COST, nstep=T, seed=np.arange(3)[i] + 5)
        together = sample(slice(0, 3))
        for i in range(3):
            alone = sample(i)
            assert alone.knots.tobytes() == together.knots[i].tobytes() and alone.cost.tobytes() == together.cost[i].tobytes()


def test_what_cannot_be_sampled_is_refused_by_both(models):
    for m in models:
        def refused(field, **change):
            asked = {"sampler": SAMPLERS[0], "cost": COST, "nstep": T, "seed": 0} | change
            with pytest.raises((sheaf.InvalidArgument, sheaf.ResourceExhausted)) as e:
                m.sample(m.state0, asked.pop("plan", K), **asked)
            assert e.value.field == field
        refused("seed", seed=-1)
        refused("seed", seed=0.5)
        refused("ntop", top=N + 1)
        refused("nsample", sampler=sheaf.MPPI(100000))
        refused("plan", plan=np.zeros((3, 4)))
        refused("noise", sampler=sheaf.MPPI(noise=[1, 2, 3]))
        refused("temperature", sampler=sheaf.MPPI(temperature=-1))
        refused("spline", spline="quintic")
        refused("cost_term", cost=sheaf.Cost("l2", "qpos", weight=np.inf))


def test_a_hostile_request_takes_no_memory(models, tmp_path):
    """What a request would hold beside its arrays is counted before it is made."""
    server = Server(tmp_path)
    with sheaf.connect(server.address) as s:
        m = s.load(os.path.join(EXAMPLES, "cartpole.xml"))
        with pytest.raises(sheaf.ResourceExhausted, match="bytes of memory"):
            m.sample(m.state0, 60000, sampler=sheaf.MPPI(65536), cost=COST, nstep=60000)
        with pytest.raises(sheaf.ResourceExhausted, match="bytes of memory"):
            m.sample(m.state0, 2, sampler=sheaf.MPPI(65536), cost=COST, nstep=2**31 - 1)
        with pytest.raises(sheaf.DeadlineExceeded):
            m.sample(m.state0, 2, sampler=sheaf.MPPI(1000, iterations=1000), cost=COST, nstep=10000, hold=10000, timeout=0.3)
    server.stop()


def test_the_command_line_samples_the_same_plan(models, tmp_path):
    m, arrays = models[0], {"noise": np.full((1, K, 1), 0.4), "seed": np.array([[5.0]]), "plan": np.full((1, K, 1), 0.2)}
    arrays |= fields(m.info_, COST)
    ask = [SHEAF, "sample", os.path.join(EXAMPLES, "cartpole.xml"), "--threads", "1", "-n", str(T), "--nknot", str(K), "--nsample", str(N),
           "--method", "2", "--out", str(tmp_path / "s")]
    for name, a in arrays.items():
        np.save(tmp_path / f"{name}.npy", a)
        ask += ["--input", f"{name}={tmp_path / name}.npy"]
    subprocess.run(ask, check=True, capture_output=True)
    want = m.sample(m.state0, arrays["plan"], sampler=sheaf.MPPI(N, 0.4), cost=COST, nstep=T, seed=5)
    assert np.load(tmp_path / "s_knots.npy").tobytes() == want.knots.tobytes()


@pytest.mark.parametrize("where", [["--threads", "2"], ["--server"]])
def test_the_cartpole_swings_up_and_stays_there(where, tmp_path):
    server = None
    if where == ["--server"]:
        server = Server(tmp_path)
        where = ["--server", server.address]
    done = subprocess.run([sys.executable, os.path.join(EXAMPLES, "cartpole.py"), *where], capture_output=True, text=True)
    assert done.returncode == 0 and "reached the goal" in done.stdout, done
    if server:
        server.stop()


@pytest.mark.nightly
@pytest.mark.parametrize("name", ["walker", "humanoid"])
def test_the_other_examples_reach_their_goals(name):
    done = subprocess.run([sys.executable, os.path.join(EXAMPLES, f"{name}.py"), "--threads", "2"], capture_output=True, text=True)
    assert done.returncode == 0, done
