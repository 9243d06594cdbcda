# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Prepared rollouts: the bits of ordinary ones, in the same arrays each time, whatever happens to the server."""
import os

import numpy as np
import pytest
from rich_model import RICH, states

sheaf = pytest.importorskip("sheaf", reason="pip install ./clients/python")
from test_futures import SLOW, SLOW_STATE    # noqa: E402


@pytest.fixture(params=["local", "unix", "tcp"])
def session(request, start):
    if request.param == "local":
        with sheaf.connect(threads=2) as s:
            yield s
        return
    server = start()
    with sheaf.connect("unix://" + server.unix if request.param == "unix" else server.tcp) as s:
        yield s


@pytest.mark.parametrize("nbatch, nstep, hold", [(1, 1, 1), (5, 1, 1), (3, 20, 1), (4, 7, 3), (40, 50, 1)])
def test_the_bits_of_an_ordinary_rollout_in_the_same_arrays(session, nbatch, nstep, hold):
    m = session.load(RICH)
    step, rng = m.prepare(nbatch, nstep, ("qacc", "ncon", "xpos[foot]"), hold=hold), np.random.default_rng(3)
    x, kept, warm = states(m, nbatch), None, None
    for _ in range(5):
        u = rng.uniform(-1, 1, (nbatch, -(-nstep // hold), m.nu))
        want = m.rollout(x, u, nstep, warm, outputs=("qacc", "ncon", "xpos[foot]"), hold=hold)
        r = step(x, u, warm)
        state, sensordata = r
        assert kept is None or kept is r and kept.state is state and (nbatch > 10 or state.base is None)
        for a, b in [(state, want.state), (sensordata, want.sensordata), (r.outputs["qacc"], want.outputs["qacc"]),
                     (r.outputs["ncon"], want.outputs["ncon"]), (r.outputs["xpos[foot]"], want.outputs["xpos[foot]"]), (r.final_state, want.final_state),
                     (r.final_warmstart, want.final_warmstart), (r.status, want.status), (r.badstep, want.badstep)]:
            assert a.shape == b.shape and a.dtype == b.dtype and a.tobytes() == b.tobytes()
        x, warm, kept = r.final_state.copy(), r.final_warmstart.copy(), r


@pytest.mark.parametrize("every", [2, 3, "last"])
def test_rows_that_are_left_out_and_results_that_are_wanted_alone(session, every):
    m = session.load(RICH)
    x, u = states(m, 5), np.random.default_rng(1).uniform(-1, 1, (5, 7, m.nu))
    step, want = m.prepare(5, 7, ("xpos[foot]",), every=every), m.rollout(x, u, outputs=("xpos[foot]",), every=every)
    for _ in range(2):
        r = step(x, u)
        for a, b in [(r.state, want.state), (r.sensordata, want.sensordata), (r.final_state, want.final_state),
                     (r.final_warmstart, want.final_warmstart), (r.outputs["xpos[foot]"], want.outputs["xpos[foot]"])]:
            assert a.shape == b.shape and a.tobytes() == b.tobytes()
    alone = m.prepare(5, 7, ("final_state", "qacc"), every=every, only=True)
    for _ in range(2):
        r = alone(x, u)
        assert r.state is None and r.sensordata is None and r.outputs["final_state"].tobytes() == want.final_state.tobytes()
        assert r.outputs["qacc"].tobytes() == m.rollout(x, u, outputs="qacc", every=every).outputs["qacc"].tobytes()
    for wrong in (dict(every=0.5), dict(every=8), dict(only=True)):
        with pytest.raises(sheaf.InvalidArgument, match="every|outputs"):
            m.prepare(1, 7, **wrong)


def test_parameters_floats_and_aligned_rows(session):
    """Parameters may change between calls, in place."""
    m = session.load(RICH)
    x, u = states(m, 5), np.random.default_rng(1).uniform(-1, 1, (5, 7, m.nu))
    mass, names = m.params["body_mass"] * np.linspace(.5, 2, 5)[:, None], ("xpos[foot]", "qacc")
    how = dict(aligned=True, dtype="f4", params={"body_mass": mass, "opt.gravity": [0, 0, -3]})
    step = m.prepare(5, 7, names, **how)
    for factor in (1, 1.5, .7):
        step.params["body_mass"][:] = factor * mass
        how["params"]["body_mass"] = factor * mass
        r, want = step(x, u), m.rollout(x, u, outputs=names, **how)
        for a, b in [(r.state, want.state), (r.sensordata, want.sensordata), (r.final_state, want.final_state),
                     (r.final_warmstart, want.final_warmstart), *((r.outputs[n], want.outputs[n]) for n in names)]:
            assert a.dtype == b.dtype and a.tobytes() == b.tobytes()
    assert r.state.dtype == np.float32 and r.final_state.dtype == np.float64 and mass[0, 1] == m.params["body_mass"][1] / 2
    kept = m.prepare(5, 7, params={"body_mass": mass}, keep_constants=True)
    assert kept(x, u).state.tobytes() == m.rollout(x, u, params={"body_mass": mass}, keep_constants=True).state.tobytes()
    for wrong in (dict(params={"body_mass": mass[:3]}), dict(params={"mass": mass}), dict(params={"body_mass": [1.0]}), dict(dtype="f2")):
        with pytest.raises(sheaf.InvalidArgument, match="params|dtype"):
            m.prepare(5, 7, **wrong)
    step.params["body_mass"][:] = -1
    with pytest.raises(sheaf.InvalidArgument, match="body_mass"):
        step(x, u)


def test_accelerations_that_solves_start_from(session):
    """They change between calls in place, and states and controls may stay."""
    m = session.load(RICH)
    x, u = states(m, 5), np.random.default_rng(1).uniform(-1, 1, (5, 7, m.nu))
    found = m.rollout(x, u, outputs=("solution",))
    first = found.outputs["solution"]
    step = m.prepare(5, 7, ("final_state", "solution"), only=True, warmstart=found)
    assert step.warmstart.tobytes() == first.tobytes() and m.prepare(5, 7).warmstart is None
    step(x, u)
    solutions = []
    for factor in (1, 0.5):
        step.warmstart[:] = factor * first
        r, want = step(), m.rollout(x, u, outputs=("final_state", "solution"), only=True, warmstart=factor * first)
        assert all(r.outputs[n].tobytes() == want.outputs[n].tobytes() for n in want.outputs)
        solutions.append(want.outputs["solution"].tobytes())
    late = m.prepare(5, 7, ("solution",), warmstart=np.pad(first, ((0, 0), (1, 0), (0, 0))), shift=1)
    same = [late(x, u).outputs["solution"].tobytes() == other for other in solutions]
    assert same == [True, False]
    shared = m.prepare(5, 7, warmstart=first[2, :4])    # one row for all, of which the last steps have none
    assert shared.warmstart.shape == (1, 4, m.nv)
    assert shared(x, u).state.tobytes() == m.rollout(x, u, warmstart=first[2, :4]).state.tobytes()
    for wrong in (dict(warmstart=first[:3]), dict(warmstart=first[..., 1:]), dict(warmstart=m.rollout(x, u)), dict(shift=0.5)):
        with pytest.raises(sheaf.InvalidArgument, match="warmstart|shift"):
            m.prepare(5, 7, **wrong)


def test_arguments_are_broadcast_and_checked(session):
    m = session.load(RICH)
    step, x = m.prepare(3), states(m, 3)
    want = m.rollout(x, [[[0.5, 0.1]]]).state
    for u in ([0.5, 0.1], [[0.5, 0.1]] * 3, np.full((3, 1, 2), [0.5, 0.1])):
        assert step(x, u).state.tobytes() == want.tobytes()
    assert step(x).state.tobytes() == want.tobytes()      # the controls of the last call
    assert step(m.state0, [0, 0]).state.tobytes() == m.rollout(np.repeat(m.state0[None], 3, 0), [0, 0]).state.tobytes()
    for wrong, field, got in (((x[:2],), "initial_state", str(x[:2].shape)), ((x, np.zeros(3)), "control", "(3,)"), (("no",), "initial_state", "str"),
                              ((x, None, [1.0, 2.0]), "initial_warmstart", "list"), ((x[:, :4],), "initial_state", "(3, 4)")):
        with pytest.raises(sheaf.InvalidArgument) as failure:
            step(*wrong)
        assert (failure.value.field, failure.value.got) == (field, got), str(failure.value)
    with pytest.raises(sheaf.InvalidArgument, match="qacc, "):
        m.prepare(1, outputs=("qaccc",))
    with pytest.raises(sheaf.InvalidArgument):
        m.prepare(0)
    bad = x.copy()
    bad[1, 3] = np.nan
    assert step(bad, [0, 0]).status.tolist() == [0, sheaf.Row.BADQPOS, 0] and step(x).status.tolist() == [0, 0, 0]
    m.close()
    with pytest.raises(sheaf.FailedPrecondition):
        step(x)


def test_a_timeout_ends_it(session):
    m = session.load(SLOW)
    step = m.prepare(1, 2000, timeout=0.2)
    with pytest.raises(sheaf.DeadlineExceeded):
        step(SLOW_STATE)
    assert m.rollout(m.state0, nstep=2).status.tolist() == [0]


def test_it_survives_its_server(start):
    first = start("--no-tcp", tcp=False)
    with sheaf.connect("unix://" + first.unix) as s:
        m = s.load(RICH)
        step, x = m.prepare(4, 3), states(m, 4)
        want = step(x, [0.1, 0.2]).state.tobytes()
        m.close()
        m = s.load(RICH)     # the server has forgotten it, and is told again
        assert m.prepare(4, 3)(x, [0.1, 0.2]).state.tobytes() == want
        step = m.prepare(4, 3)
        first.process.kill()
        first.process.wait()
        second = start("--no-tcp", tcp=False)
        os.rename(second.unix, first.unix)
        for _ in range(3):
            assert step(x, [0.1, 0.2]).state.tobytes() == want


def test_large_ones_share_memory_with_their_server_until_it_goes(start):
    first = start("--no-tcp", tcp=False)
    with sheaf.connect("unix://" + first.unix) as s:
        m = s.load(RICH)
        step, x = m.prepare(40, 50), states(m, 40)
        u = np.random.default_rng(0).uniform(-1, 1, (40, 50, 2))
        before = s.info()
        want = [step(x, u).state.tobytes(), step(x, u / 2).state.tobytes()]
        after = s.info()
        assert after["bytes_in_total"] - before["bytes_in_total"] < 2000 and after["bytes_out_total"] - before["bytes_out_total"] < 3000
        assert want[0] == m.rollout(x, u).state.tobytes() != want[1]
        kept = step(x, u).state
        first.process.kill()
        first.process.wait()
        second = start("--no-tcp", tcp=False)
        os.rename(second.unix, first.unix)
        assert step(x, u / 2).state.tobytes() == want[1] and step(x, u).state.tobytes() == want[0]
        assert step(x).state.tobytes() == want[0] == kept.tobytes()
        m.rollout(x, u)
        before = s.info()["bytes_in_total"]
        step(x, u)
        assert s.info()["bytes_in_total"] - before < 1000


def test_a_call_that_was_given_up_does_not_write_into_the_next(start):
    server = start("--no-tcp", tcp=False)
    with sheaf.connect("unix://" + server.unix) as s:
        m = s.load(RICH)
        x, u = states(m, 40), np.random.default_rng(0).uniform(-1, 1, (40, 200, 2))
        want, step = m.rollout(x, u).state, m.prepare(40, 200)
        for _ in range(5):
            step._timeout = 1e-3
            with pytest.raises(sheaf.DeadlineExceeded):
                step(x[::-1], u)
            step._timeout = None
            assert step(x, u).state.tobytes() == want.tobytes()
