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


def gradient(m, x0, plan, order):
    """d cost / d knots by the formulas of sheaf/sampling.h: a pass back over the derivatives of the steps. For the joints of the
    cartpole, whose states are their own tangent space."""
    control = np.clip(spline(order, plan, np.arange(0, T, HOLD)), -1, 1)
    r, applied = m.rollout(x0, control, nstep=T, hold=HOLD), np.repeat(control, HOLD, axis=0)
    before = np.concatenate([np.atleast_2d(x0), r.state[0, :-1]])
    d = m.transition_derivatives(before, applied, want="ABCD", of=("next", "sensordata"))
    state, sensor, control_slope = np.zeros((T, 5)), np.zeros((T, m.nsensordata)), np.zeros((T, 1))
    w = 0.99 ** np.arange(T)[:, np.newaxis]
    tip = r.sensordata[0, :, m.sensor("tip")] - [0, 0, 2]
    sensor[:, m.sensor("tip")] = w * tip / np.sqrt(tip**2 + 0.1**2)
    state[:, 3:] = w * 0.1 * r.state[0, :, 3:]
    state[-1, 3:] += w[-1] * r.state[0, -1, 3:]
    control_slope[:] = w * 0.5 * np.sinh(applied / 0.5)
    A, B, C, D = d
    back, by_control = np.zeros(4), np.zeros((T, 1))
    for t in reversed(range(T)):
        back = back + state[t, 1:]
        by_control[t] = B[t].T @ back + D[t].T @ sensor[t] + control_slope[t]
        back = A[t].T @ back + C[t].T @ sensor[t]
    by_row = by_control.reshape(-1, HOLD, 1).sum(1)
    by_row[abs(spline(order, plan, np.arange(0, T, HOLD))) > 1] = 0
    weight = np.stack([spline(order, unit[:, np.newaxis], np.arange(0, T, HOLD)) for unit in np.eye(K)])[..., 0]
    return weight @ by_row


def steps(sampler, plan, std, g):
    """The samples along the gradient."""
    free = np.where((g > 0) & (plan <= -1) | (g < 0) & (plan >= 1), 0, g)
    w = std * free
    length = np.concatenate([[0], sampler.step * np.cumprod([1] + [sampler.ratio] * (N - 2))])
    return np.clip(plan - length[:, np.newaxis, np.newaxis] * std * w / np.linalg.norm(w), -1, 1)


def replay(m, x0, plan, sampler, order, seed, shift):
    """What `sample` computes, in numpy; its rollouts by the plain request."""
    times = np.arange(K) * (T / K if order == "zero" else (T - 1) / (K - 1))
    plan, std = np.clip(spline(order, plan, times + shift), -1, 1), np.full((K, m.nu), sampler.noise)
    for iteration in range(sampler.iterations):
        if isinstance(sampler, sheaf.Gradient):
            knots = steps(sampler, plan, std, gradient(m, x0, plan, order))
        else:
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


SAMPLERS = [sheaf.PredictiveSampling(N, 0.4, 2), sheaf.MPPI(N, 0.4, 2, temperature=0.7), sheaf.CEM(N, 0.4, 3, elites=6, least_noise=0.05),
            sheaf.Gradient(N, 0.4, 2, step=2.0, ratio=0.8)]


def arrays(r):
    """Arrays of a result by name."""
    return {name: a for name, a in (vars(r) | r.outputs).items() if name != "outputs"}


@pytest.mark.parametrize("sampler", SAMPLERS)
@pytest.mark.parametrize("order", ["zero", "linear", "cubic"])
def test_updates_are_those_of_numpy_and_of_a_server(models, sampler, order):
    here, remote = models
    plan, seed = np.linspace(-1.5, 1, K)[:, np.newaxis], 2**40 + 17
    got = [m.sample(m.state0, plan, sampler=sampler, cost=COST, nstep=T, seed=seed, spline=order, shift=3, hold=HOLD, discount=0.99, top=4,
                    outputs=("top_state", "plan_cost", "plan_state", "plan_solution") + (("gradient",) if isinstance(sampler, sheaf.Gradient) else ()))
           for m in models]
    for name, a in arrays(got[0]).items():
        assert (a is None) == (name == "gradient" and not isinstance(sampler, sheaf.Gradient)), name
        assert a is None or a.tobytes() == arrays(got[1])[name].tobytes(), name
    knots, std, cost, sorted_knots = replay(here, here.state0, plan, sampler, order, seed, 3)
    r = got[0]
    assert repr(r).startswith(f"<sheaf.SampleResult knots {r.knots.shape}, ") and repr(r).endswith("; plans: all valid>") and len(repr(r)) < 400
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


TERMS = {"quadratic": {}, "l2": {"p": 0.3}, "smooth_abs": {"p": 0.2}, "smooth_abs2": {"p": 0.2, "q": 3}, "cosh": {"p": 0.7}, "power": {"p": 3},
         "rectify": {"p": 0.4}, "sum": {}}


@pytest.mark.parametrize("name", ["walker", "humanoid"])
@pytest.mark.parametrize("order", ["zero", "linear", "cubic"])
def test_the_gradient_is_that_of_centered_differences(name, order):
    """All norms, of sensors, state (with the humanoid's quaternion) and controls, running and terminal, with discounts and targets."""
    cost = [sheaf.Cost(norm, of, weight=0.3 + 0.1 * i, terminal=0.5 * (i % 2), target=0.05 * i, **how)
            for i, (norm, how) in enumerate(TERMS.items()) for of in ("sensordata", "qpos", "qvel", "ctrl")]
    rng = np.random.default_rng(1)
    with sheaf.connect(threads=2) as s:
        m = s.load(os.path.join(EXAMPLES, f"{name}.xml"))
        plan, h = rng.uniform(-0.3, 0.3, (K, m.nu)), 1e-5
        how = {"cost": cost, "nstep": 20, "spline": order, "hold": 2, "discount": 0.97}
        r = m.sample(m.state0, plan, sampler=sheaf.Gradient(12, 0.1), outputs=("gradient", "plan_cost"), **how)
        g = r.gradient[0]
        at = [(j, k) for j in range(K) for k in range(0, m.nu, 5)]
        plans = np.repeat(plan[np.newaxis], 2 * len(at), axis=0)
        for i, (j, k) in enumerate(at):
            plans[2 * i, j, k] += h
            plans[2 * i + 1, j, k] -= h
        up, down = m.sample(m.state0, plans, sampler=sheaf.PredictiveSampling(1, 0.1), **how).cost[:, 0].reshape(-1, 2).T
        # differences have the solver's tolerance over h, and their third derivative
        assert np.abs((up - down) / (2 * h) - [g[a] for a in at]).max() < 1e-6 * np.abs(g).max()
        assert r.plan_cost[0] < r.cost[0, 0]


def test_models_without_derivatives_take_differences():
    """Trees that sleep from the start are not covered by the optimality condition; noslip takes differences of itself."""
    xml = open(os.path.join(EXAMPLES, "walker.xml")).read().replace("<mujoco", "<mujoco", 1)
    with sheaf.connect(threads=2) as s:
        own = s.load(xml.encode())
        noslip = s.load(re.sub(r"(<mujoco[^>]*>)", r"\1<option noslip_iterations='3'/>", xml, count=1).encode())
        plan = np.random.default_rng(0).uniform(-0.3, 0.3, (K, own.nu))
        cost = [sheaf.Cost("quadratic", "sensordata", target=0.5), sheaf.Cost("quadratic", "qpos")]
        sleeper = '<body sleep="init" pos="9 9 1"><freejoint/><geom type="sphere" size=".1"/></body></worldbody>'
        asleep = s.load(re.sub(r"(<mujoco[^>]*>)", r"\1<option><flag sleep='enable'/></option>", xml, count=1).replace("</worldbody>", sleeper).encode())
        for m in (own, noslip, asleep):
            def sample(sampler, plan, **how):
                return m.sample(m.state0, plan, sampler=sampler, cost=cost, nstep=12, **how)
            g = sample(sheaf.Gradient(4, 0.1), plan, outputs=("gradient",)).gradient[0]
            nudge = np.zeros_like(plan)
            nudge[1, 2] = 1e-5
            up, down = (sample(sheaf.PredictiveSampling(1), plan + side * nudge).cost[0, 0] for side in (1, -1))
            assert abs((up - down) / 2e-5 - g[1, 2]) < 1e-5 * abs(g).max()


@pytest.mark.parametrize("sampler", SAMPLERS)
def test_samples_on_several_servers_have_the_bits_of_one(models, sampler):
    here, remote = models
    asked = {"sampler": sampler, "cost": COST, "nstep": T, "seed": 3, "shift": 2, "hold": HOLD, "top": 3, "every": 5,
             "outputs": ("plan_cost", "plan_state", "top_state", "plan_solution", "xpos[pole]", "qacc")}
    plan, start = np.linspace(-1, 1, K)[:, np.newaxis], here.rollout(here.state0, nstep=T, outputs=("solution",), only=True).outputs["solution"]
    want = here.sample(here.state0, plan, warmstart=start, **asked)
    with sheaf.connect(threads=1) as third:
        other = third.load(os.path.join(EXAMPLES, "cartpole.xml"))
        for first, shards in ((here, [remote]), (remote, [here, other]), (other, [here] * 30)):
            got = first.sample(here.state0, plan, warmstart=start, shards=shards, **asked)
            for name, a in arrays(want).items():
                assert (a is None and arrays(got)[name] is None) or a.tobytes() == arrays(got)[name].tobytes(), name
        f = other.submit.sample(here.state0, plan, shards=[here], **(asked | {"nstep": 20000, "hold": 20000, "sampler": sheaf.MPPI(4096)}))
        assert f.cancel()
        walker = third.load(os.path.join(EXAMPLES, "walker.xml"))
        with pytest.raises(sheaf.InvalidArgument, match="shards"):
            here.sample(here.state0, plan, shards=[walker], **asked)


NAMED = ("xpos[pole]", "sensordata", "energy", "qacc", "M", "jac_body[pole]", "contact[2]", "ncon", "ray[0 0 5 along 0 0 -1]")


@pytest.mark.parametrize("how", [{}, {"every": 7}, {"every": "last", "aligned": True}, {"aligned": True, "dtype": "f4"}])
def test_trajectories_have_any_named_output(models, how):
    """They are those of a plain rollout of the plan and of the best samples, here and on a server, into arrays of the caller."""
    x0 = np.repeat(models[0].state0[np.newaxis], 2, axis=0)
    x0[1, 1] = 0.3
    names = NAMED
    for m in models:
        asked = {"sampler": sheaf.MPPI(N, 0.4, 2), "cost": COST, "nstep": T, "hold": HOLD, "spline": "linear"}
        plain = m.sample(x0, K, **asked)
        into = {"xpos[pole]": np.empty_like(m.sample(x0, K, top=3, outputs="xpos[pole]", **asked, **how).outputs["xpos[pole]"])}
        r = m.sample(x0, K, top=3, outputs=("plan_state", "top_state") + names, out=into, **asked, **how)
        assert r.outputs["xpos[pole]"] is into["xpos[pole]"] and list(r.outputs) == list(names)
        assert r.knots.tobytes() == plain.knots.tobytes() and r.cost.tobytes() == plain.cost.tobytes()
        for k, knots in enumerate([r.knots, *np.moveaxis(r.top_knots, 1, 0)]):
            control = np.clip(spline("linear", knots, np.arange(0, T, HOLD)), -1, 1)
            want = m.rollout(x0, control, nstep=T, hold=HOLD, outputs=names, **how)
            state = r.plan_state if k == 0 else r.top_state[:, k - 1]
            assert state.dtype == want.state.dtype and np.allclose(state, want.state, rtol=1e-7, atol=1e-7)
            for name in names:
                got = r.outputs[name][:, k]
                assert got.shape == want.outputs[name].shape and got.dtype == want.outputs[name].dtype, name
                assert np.allclose(got, want.outputs[name], rtol=1e-6, atol=1e-6), name
    only = models[0].sample(x0, K, outputs="xpos[pole]", **asked)
    assert only.outputs["xpos[pole]"].shape == (2, 1, T, 3) and only.plan_state is None and only.top_cost is None
    with pytest.raises(sheaf.InvalidArgument, match="every"):
        models[0].sample(x0, K, outputs="xpos[pole]", every=T + 1, **asked)


def test_plans_have_numbers_of_the_model_for_themselves(models):
    mass = np.array([1, 1.5, 0.7])[:, np.newaxis] * models[0].params["body_mass"]
    for m in models:
        for sampler in (SAMPLERS[1], SAMPLERS[3]):
            asked = {"sampler": sampler, "cost": COST, "nstep": T, "hold": HOLD, "outputs": ("plan_state", "plan_cost")}
            plans = np.random.default_rng(0).uniform(-1, 1, (3, K, 1))
            r = m.sample(m.state0, plans, params={"body_mass": mass}, **asked)
            control = np.clip(spline("cubic", r.knots, np.arange(0, T, HOLD)), -1, 1)
            want = m.rollout(m.state0, control, nstep=T, hold=HOLD, params={"body_mass": mass}).state
            assert np.allclose(want, r.plan_state, rtol=1e-9, atol=1e-9)
            for i in range(3):
                alone = m.sample(m.state0, plans[i], params={"body_mass": mass[i]}, **asked)
                assert alone.knots.tobytes() == r.knots[i].tobytes() and alone.plan_state.tobytes() == r.plan_state[i].tobytes()
            assert np.ptp(r.cost[:, 0]) > 0.01


def test_rollouts_start_their_solves_where_they_are_told(models):
    """Row t + shift of warmstart in step t, the step before where there is none; to the bit that of a rollout of one step."""
    for m in models:
        x, u = m.state0, np.sin(np.arange(12))[:, np.newaxis]
        first = m.rollout(x, u, outputs=("solution",))
        start = first.outputs["solution"][0] + 0.1
        r = m.rollout(x, u, warmstart=start, shift=5, outputs=("solution",))
        before, solution = x, np.zeros(m.nv)
        for t in range(12):
            one = m.rollout(before, u[t], initial_warmstart=start[t + 5] if t + 5 < 12 else solution)
            assert one.final_state[0].tobytes() == r.state[0, t].tobytes()
            before, solution = r.state[0, t], r.outputs["solution"][0, t]
            assert one.final_warmstart[0].tobytes() == solution.tobytes()
        again = m.rollout(x, u, warmstart=first)
        assert np.allclose(again.state, first.state, rtol=0, atol=1e-9)
        with pytest.raises(sheaf.InvalidArgument, match="solution"):
            m.rollout(x, u, warmstart=m.rollout(x, u))


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
    arrays |= fields(m._cost_elements, COST, T)
    ask = [SHEAF, "sample", os.path.join(EXAMPLES, "cartpole.xml"), "--threads", "1", "-n", str(T), "--nknot", str(K), "--nsample", str(N),
           "--method", "2", "--out", str(tmp_path / "s")]
    for name, a in arrays.items():
        np.save(tmp_path / f"{name}.npy", a)
        ask += ["--input", f"{name}={tmp_path / name}.npy"]
    subprocess.run(ask, check=True, capture_output=True)
    want = m.sample(m.state0, arrays["plan"], sampler=sheaf.MPPI(N, 0.4), cost=COST, nstep=T, seed=5, outputs=("sensordata", "xpos[pole]"),
                    top=2, every=5, dtype="f4")
    assert np.load(tmp_path / "s_knots.npy").tobytes() == want.knots.tobytes()
    more = ["--ntop", "2", "--every", "5", "--dtype", "f4", "--output", "sensordata", "--output", "xpos[pole]"]
    subprocess.run(ask + more, check=True, capture_output=True)
    for name, a in want.outputs.items():
        got = np.load(tmp_path / f"s_{name}.npy")
        assert got.dtype == np.float32 and got.tobytes() == a.tobytes() and got.shape[:3] == (1, 3, 6), name


def test_the_command_line_takes_terms_by_name(models, tmp_path):
    """As the Python client does, with the same bits; what there is not is refused by name."""
    m, plan = models[0], np.full((K, 1), 0.2)
    np.save(tmp_path / "plan.npy", plan[np.newaxis])
    np.save(tmp_path / "noise.npy", np.full((1, K, 1), 0.4))
    ask = [SHEAF, "sample", os.path.join(EXAMPLES, "cartpole.xml"), "--threads", "1", "-n", str(T), "--nknot", str(K), "--nsample", str(N),
           "--method", "4", "--output", "gradient", "--out", str(tmp_path / "s")]
    ask += ["--input", f"plan={tmp_path / 'plan.npy'}", "--input", f"noise={tmp_path / 'noise.npy'}"]
    terms = ["smooth_abs sensordata[tip] target=0,0,2", "quadratic qvel weight=0.1 terminal=1", "cosh ctrl p=0.5", "l2 qpos[hinge] target=3 p=0.2"]
    subprocess.run(ask + [word for t in terms for word in ("--cost", t)], check=True, capture_output=True)
    want = m.sample(m.state0, plan, sampler=sheaf.Gradient(N, 0.4), cost=COST + [sheaf.Cost("l2", "qpos[hinge]", target=3, p=0.2)], nstep=T,
                    outputs=("gradient",))
    assert np.load(tmp_path / "s_gradient.npy").tobytes() == want.gradient.tobytes()
    # options instead of arrays of one number, and the cost of each term (which was written outside of its array)
    ask[ask.index("--method"):] = ["--method", "mppi", "--spline", "cubic", "--out", str(tmp_path / "s"), "--noise", "0.4", "--seed", "7"]
    subprocess.run(ask + [word for t in terms for word in ("--cost", t)], check=True, capture_output=True)
    costs = COST + [sheaf.Cost("l2", "qpos[hinge]", target=3, p=0.2)]
    assert np.load(tmp_path / "s_knots.npy").tobytes() == m.sample(m.state0, K, sampler=sheaf.MPPI(N, 0.4), cost=costs, nstep=T, seed=7).knots.tobytes()
    roll = [SHEAF, "rollout", ask[2], "--threads", "1", "-b", "5", "-n", str(T), "--output", "cost_parts", "--only", "--out", str(tmp_path / "s")]
    subprocess.run(roll + [word for t in terms * 8 for word in ("--cost", t)], check=True, capture_output=True)
    parts = m.rollout(m.state0, nstep=T, costs=costs * 8).cost_parts
    assert np.load(tmp_path / "s_cost_parts.npy").tobytes() == np.repeat(parts, 5, axis=0).tobytes()
    for term, said in (("quadratic qpos[elbow]", "hinge"), ("square qpos", "quadratic, l2"), ("quadratic", "NORM OF"), ("l2 qpos weight=x", "a number"),
                       ("l2 qpos target=1,2,3", "as many targets"), ("l2 qpos size=1", "weight, target")):
        done = subprocess.run(ask + ["--cost", term], capture_output=True, text=True)
        assert done.returncode and said in done.stderr, (term, done.stderr)


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
