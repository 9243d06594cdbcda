# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Calls that one does not wait for, in this process and through a server: futures, coroutines, timeouts, priorities, fork."""
import asyncio
import concurrent.futures
import os
import time

import numpy as np
import pytest
from conftest import read_gauges

sheaf = pytest.importorskip("sheaf", reason="pip install ./clients/python")


@pytest.fixture
def m(session, pendulum):
    return session.load(pendulum)


# milliseconds a step: the solver makes all of its iterations
SLOW = b"""<mujoco><option solver="PGS" iterations="10000" tolerance="0"/>
  <worldbody><geom type="plane" size="1 1 .1"/><body pos="0 0 .1"><freejoint/>
  <geom type="box" size=".1 .1 .1" condim="6"/><geom type="box" size=".1 .1 .1" pos=".3 0 0" condim="6"/>
  <geom type="box" size=".1 .1 .1" pos="-.3 0 0" condim="6"/></body></worldbody>
</mujoco>"""


@pytest.fixture
def slow(session):
    return session.load(SLOW)


def forever(call, **options):
    """A rollout of minutes, with little data, by a method of that name."""
    return call(SLOW_STATE, nstep=20_000, **options)


SLOW_STATE = [0, 0, 0, 0.1, 1] + [0] * 9


# ---- partial results

LENGTHS = np.where(np.arange(40) % 2, 10**7, 7)    # of rows: every other one takes a minute


def test_rows_that_are_done_when_the_time_is_over(session, m):
    want = m.rollout(m.state0, nstep=7, outputs=("qacc",))
    states = np.tile(m.state0, (len(LENGTHS), 1))
    long = dict(nstep=10**7, length=LENGTHS, every="last", timeout=0.5)
    with pytest.raises(sheaf.DeadlineExceeded):
        m.rollout(states, **long)
    r = m.rollout(states, **long, outputs=("qacc",), partial=True)
    done = r.status == sheaf.Row.OK
    assert done.any() and not done[LENGTHS > 7].any() and (r.status[~done] == sheaf.Row.CANCELLED).all()
    for a in (r.state, r.sensordata, r.outputs["qacc"], r.final_state):
        assert np.isnan(a[~done]).all()
    assert (r.final_state[done] == want.final_state).all() and (r.outputs["qacc"][done, 0] == want.outputs["qacc"][:, -1]).all()
    whole = m.rollout(states[:3], nstep=7, timeout=60.0, partial=True)
    assert (whole.status == sheaf.Row.OK).all() and (whole.state == want.state).all()


def test_plans_that_are_done_when_the_time_is_over(m):
    how = dict(sampler=sheaf.MPPI(8, 0.1, iterations=2), cost=sheaf.Cost("quadratic", "qpos"))
    whole = m.sample(m.state0, 4, **how, nstep=20, timeout=60.0, partial=True)
    assert whole.status[0] == sheaf.Row.OK and whole.knots.tobytes() == m.sample(m.state0, 4, **how, nstep=20).knots.tobytes()
    r = m.sample(np.tile(m.state0, (8, 1)), 4, **how, nstep=2 * 10**5, timeout=0.1, partial=True)
    assert (r.status == sheaf.Row.CANCELLED).any() and np.isnan(r.knots[r.status == sheaf.Row.CANCELLED]).all()
    with pytest.raises(sheaf.InvalidArgument, match="partial"):
        m.sample(m.state0, 4, **how, shards=[m], timeout=1, partial=True)


def controls(m, n=3, nstep=20):
    return np.random.default_rng(4).uniform(-1, 1, (n, nstep, m.nu))


def test_every_request_has_a_future_with_the_result_of_the_call(m):
    u = controls(m)
    x = m.rollout(m.state0, u).final_state
    futures = [m.submit.rollout(m.state0, u, outputs=("qacc",)), m.submit.forward(qpos=[[0.3]], ctrl=[[1]]),
               m.submit.inverse(qpos=[[0.3]], qacc=[[2]]), m.submit.transition_fd(x, u[:, -1]), m.submit.inverse_fd(qpos=[[0.2]])]
    r, f, tau, fd, inverse = (future.result(30) for future in futures)
    want = m.rollout(m.state0, u, outputs=("qacc",))
    assert r.state.tobytes() == want.state.tobytes() and r.outputs["qacc"].tobytes() == want.outputs["qacc"].tobytes()
    assert f["qacc"].tobytes() == m.forward(qpos=[[0.3]], ctrl=[[1]])["qacc"].tobytes()
    assert tau.tobytes() == m.inverse(qpos=[[0.3]], qacc=[[2]]).tobytes()
    for mine, theirs in ((fd, m.transition_fd(x, u[:, -1])), (inverse, m.inverse_fd(qpos=[[0.2]]))):
        assert [a.tobytes() for a in mine] == [a.tobytes() for a in theirs]
    for future in futures:
        t = future.timing
        assert future.done() and not future.running() and not future.cancelled()
        assert t.compute > 0 and t.queue >= 0 and t.send >= 0


def test_many_futures_share_a_session(m):
    u = controls(m, 1)
    futures = {m.submit.rollout(m.state0, u * k / 200): k for k in range(200)}
    for future in concurrent.futures.as_completed(futures, timeout=60):
        k = futures[future]
        assert future.result().state.tobytes() == m.rollout(m.state0, u * k / 200).state.tobytes()
    assert not concurrent.futures.wait(futures, timeout=0).not_done


def test_wrong_arguments_and_wrong_names_say_so(m):
    with pytest.raises(sheaf.InvalidArgument, match="initial_state"):
        m.submit.rollout([1, 2], nstep=3).result(10)
    with pytest.raises(AttributeError, match="no call 'roll'.*rollout"):
        m.submit.roll
    assert "rollout" in dir(m.submit) and "inverse_fd" in dir(m.aio) and "names" not in dir(m.submit)


def test_a_cancelled_future_stops_the_work(m, slow, session, server):
    before = read_gauges(server)["inflight"]
    f = forever(slow.submit.rollout)
    with pytest.raises(TimeoutError if hasattr(asyncio, "timeout") else concurrent.futures.TimeoutError):
        f.result(timeout=0.3)
    assert f.running() and not f.done() and f.timing is None
    assert f.cancel() and f.cancelled() and f.done() and not f.running()
    with pytest.raises(concurrent.futures.CancelledError):
        f.result(1)
    server.until(lambda: read_gauges(server)["inflight"] == before, 10)
    if session._backend.ping():
        assert m.rollout(m.state0, nstep=2).status.tolist() == [0]
    else:
        server.until(lambda: not session._backend._jobs, 10)


def test_a_future_that_waits_for_its_turn_can_be_cancelled(m, slow):
    many = [forever(slow.submit.rollout) for _ in range(80)]     # more than threads
    assert many[-1].cancel() and not many[-1].running()
    assert not any(f.done() for f in many[:-1])
    for f in many:
        assert f.cancel()
    assert m.submit.rollout(m.state0, nstep=2).result(30).status.tolist() == [0]


def test_a_calls_timeout_ends_its_work(m, slow, session):
    began = time.monotonic()
    with pytest.raises(sheaf.DeadlineExceeded):
        forever(slow.rollout, timeout=0.2)
    with pytest.raises(sheaf.DeadlineExceeded):
        forever(slow.submit.rollout, timeout=0.2).result(60)
    assert time.monotonic() - began < 60
    assert m.forward(qpos=[[0.1]], timeout=60)["status"].tolist() == [0]
    for wrong in (0, -1, float("nan")):
        with pytest.raises(sheaf.InvalidArgument, match="timeout"):
            m.forward(qpos=[[0.1]], timeout=wrong)


def test_priorities_are_taken_and_checked(m):
    want = m.forward(qpos=[[0.1]])["qacc"]
    for priority in (-1, 0, 1):
        assert m.forward(qpos=[[0.1]], priority=priority)["qacc"].tobytes() == want.tobytes()
    for wrong in (2, 0.5, "high"):
        with pytest.raises(sheaf.InvalidArgument, match="priority"):
            m.forward(qpos=[[0.1]], priority=wrong)
    for call in (m.rollout, m.forward, m.inverse, m.transition_fd, m.inverse_fd):
        assert "timeout " in call.__doc__ and "priority " in call.__doc__


def test_a_higher_priority_ends_first(start):
    """One worker, and equal work. The low ones were sent first."""
    with sheaf.connect(start(threads=1).address) as s:
        slow, order = s.load(SLOW.replace(b"10000", b"100")), []
        low = [slow.submit.rollout(slow.state0, nstep=3000, priority=-1) for _ in range(6)]
        high = slow.submit.rollout(slow.state0, nstep=3000, priority=0)
        for f in (*low, high):
            f.add_done_callback(order.append)
        concurrent.futures.wait([*low, high], timeout=120)
        assert order[0] is high


def test_coroutines_give_the_results_of_calls(m):
    u = controls(m)

    async def several():
        return await asyncio.gather(*(m.aio.rollout(m.state0, u * k) for k in range(5)), m.aio.forward(qpos=[[0.2]]))

    *rollouts, forward = asyncio.run(several())
    for k, r in enumerate(rollouts):
        assert r.state.tobytes() == m.rollout(m.state0, u * k).state.tobytes()
    assert forward["qacc"].tobytes() == m.forward(qpos=[[0.2]])["qacc"].tobytes()


def test_cancelling_a_task_cancels_the_work(m, slow, session, server):
    async def abandon():
        task = asyncio.create_task(forever(slow.aio.rollout))
        while not (session._backend._jobs if session._backend.ping() == 0 else read_gauges(server)["inflight"]):
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(forever(slow.aio.rollout), 0.1)

    asyncio.run(abandon())
    server.until(lambda: not read_gauges(server)["inflight"], 10)
    if session._backend.ping() == 0:
        server.until(lambda: not session._backend._jobs, 10)


def test_a_future_survives_a_restart_of_the_server(start, pendulum, tmp_path):
    first = start("--no-tcp", tcp=False)
    address = first.unix
    with sheaf.connect("unix://" + address) as s:
        m = s.load(pendulum)
        u = controls(m, 8, 40_000)
        want = m.rollout(m.state0, u, outputs=())
        futures = [m.submit.rollout(m.state0, u) for _ in range(6)]
        first.process.kill()
        first.process.wait()
        second = start("--no-tcp", tcp=False)
        os.rename(second.unix, address)    # another server, where the first was
        for f in futures:
            assert f.result(60).state.tobytes() == want.state.tobytes()


def test_closing_a_session_ends_its_futures(server, pendulum):
    for where in ({"threads": 1}, {"address": server.address}):
        s = sheaf.connect(**where)
        m, slow = s.load(pendulum), s.load(SLOW)
        futures = [forever(slow.submit.rollout) for _ in range(70)]
        s.close()
        for f in futures:
            with pytest.raises((sheaf.Unavailable, sheaf.Cancelled)):
                f.result(30)
        with pytest.raises(sheaf.Unavailable):
            m.submit.rollout(m.state0, nstep=1)
        with pytest.raises(sheaf.Unavailable):
            m.rollout(m.state0, nstep=1)


def in_child(work):
    """What work() says in a forked child; its parent's threads and sockets are left alone."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            said = work()
        except BaseException as e:
            said = f"{type(e).__name__}: {e}"
        os.write(write, (said or "nothing").encode())
        os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        said = pipe.read().decode()
    os.waitpid(child, 0)
    return said


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_session_refuses_to_work_after_fork(m, session, pendulum):
    for work in (lambda: m.rollout(m.state0, nstep=1), lambda: session.load(pendulum), session.info,
                 lambda: m.submit.rollout(m.state0, nstep=1).result(5)):
        assert "FailedPrecondition" in (said := in_child(work)) and "fork()" in said and "connect" in said
    assert in_child(session.close) == "nothing"
    assert m.rollout(m.state0, nstep=2).status.tolist() == [0]    # the parent's session is as it was
