# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""A row of derivatives of a large model takes long: it gives way to others between its columns, and ends between them when nobody wants it."""
import os
import time

import numpy as np
import pytest
from conftest import read_gauges
from wire import Client, Failure, pb, rollout, work

LINKS = 120 if os.environ.get("SHEAF_SANITIZED") or os.environ.get("SHEAF_VALGRIND") else 240
KINDS = {
    "transition_fd": (pb.FRAME_TRANSITION_FD, lambda w: pb.TransitionFD(work=w)),
    "sample": (pb.FRAME_SAMPLE, None),    # the gradient of a plan
    "transition_derivatives": (pb.FRAME_TRANSITION_DERIVATIVES, lambda w: pb.TransitionDerivatives(work=w)),
}


def chain(links):
    """A chain that lies on the floor, with implicit integration: each of its derivatives has hundreds of long columns."""
    link = '<body pos=".11 0 0"><joint axis="0 {} {}" damping=".1"/><geom type="capsule" fromto="0 0 0 .1 0 0" size=".05"/>'
    body = "".join(link.format(i % 2, 1 - i % 2) for i in range(links))
    return ('<mujoco><option integrator="implicit"/><worldbody><geom type="plane" size="0 0 1"/><body pos="0 0 .045"><freejoint/>'
            f'<geom type="capsule" fromto="0 0 0 .1 0 0" size=".05"/>{body}{"</body>" * links}</body></worldbody>'
            '<actuator><motor joint="pulled"/></actuator></mujoco>').replace('<joint ', '<joint name="pulled" ', 1).encode()


def put(client, links=LINKS):
    reply, tensors = client.put("m.xml", {"m.xml": chain(links)})
    return reply.hash, tensors["state0"].reshape(1, -1)


def derive(client, kind, model, states, **options):
    type_, message = KINDS[kind]
    if kind == "sample":
        velocity = states.shape[1] * 3 // 5    # of some link
        given = {"state0": states, "noise": np.ones((1, 1, 1)), "cost_term": np.array([[[7.0, 1, 1, velocity, 1, 1, 0, 0, -1, 0]]])}
        w, data = work(model, len(states), given, ["gradient"], timeout_us=10**9, **options)
        return client.send(type_, pb.Sample(work=w, method=4, nstep=1, nknot=1, nsample=1), data)
    w, data = work(model, len(states), {"state": states}, ["A"], timeout_us=10**9, **options)
    return client.send(type_, message(w), data)


def cpu(server):
    with open(f"/proc/{server.process.pid}/stat") as file:
        user, system = file.read().rsplit(")", 1)[1].split()[11:13]
    return int(user) + int(system)


@pytest.mark.parametrize("kind", KINDS)
def test_rows_of_derivatives_give_way_and_keep_their_bits(start, pendulum, kind):
    server = start(threads=1)
    alone, client = Client(server.address, timeout=300), Client(server.address, timeout=300)
    model, state = put(alone, LINKS // (2 if kind == "transition_fd" else 1))    # formulas take less time
    small = client.put("m.xml", {"m.xml": pendulum})[0].hash
    states = np.repeat(state, 4, 0)
    first = alone.join(alone.wait(derive(alone, kind, model, states)))
    id_ = derive(alone, kind, model, states)
    for _ in range(7):
        assert rollout(client, small, 1, 10, {"state0": np.zeros((1, 3))}, ["final_state"])["status"][0] == 0
    # no more than four of them would have come between rows that do not give way
    assert client.info().inflight == 1
    second = alone.join(alone.wait(id_))
    name = "gradient" if kind == "sample" else "A"
    assert not first["status"].any() and np.isfinite(first[name]).all() and first[name].any()
    assert first[name].tobytes() == second[name].tobytes()


@pytest.mark.parametrize("how", ["leave", "cancel", "deadline", "drain"])
def test_rows_of_derivatives_end_when_nobody_wants_them(start, gauges, how):
    """Counted in processor time: a row that is stopped costs a small part of one that is not."""
    server = start("--drain-timeout", "0.1", threads=1)
    first = Client(server.address, timeout=300)
    model, state = put(first)
    first.close()
    if how != "drain":
        gauges(server)
    client = Client(server.address, timeout=300)
    before = cpu(server)
    client.wait(derive(client, "transition_fd", model, state))
    whole = cpu(server) - before

    before = cpu(server)
    other = Client(server.address, timeout=300)
    w, data = work(model, 4, {"state": np.repeat(state, 4, 0)}, ["A"], timeout_us=200000 if how == "deadline" else 10**9)
    id_ = other.send(pb.FRAME_TRANSITION_FD, pb.TransitionFD(work=w), data)
    if how == "deadline":
        # beside much other work the deadline may come before the row has had a processor at all
        with pytest.raises(Failure, match="code 4"):
            other.wait(id_)
    else:
        server.until(lambda: cpu(server) > before + whole / 20, 60)
    if how == "cancel":
        other.send(pb.FRAME_CANCEL, pb.Cancel(request_id=id_))
        with pytest.raises(Failure, match="code 1"):
            other.wait(id_)
    if how == "drain":
        server.terminate()
        assert server.wait(60) == 0
        return
    other.close()
    server.until(lambda: client.info().inflight == 0 and client.info().connections == 1, 60)
    time.sleep(0.05)
    # clocks of the system count in ticks of 10 ms
    assert cpu(server) - before < 3 * whole / 4 + 30, (cpu(server) - before, whole)
    client.close()


@pytest.mark.parametrize("what", ["length", "params.dof_damping"])
def test_numbers_of_long_requests_are_checked_by_and_by(start, pendulum, what):
    """All at once would stop the loop. A wrong number is found when its row's turn has come, and the error names the row."""
    server = start()
    client = Client(server.address, timeout=300)
    model = client.put("m.xml", {"m.xml": pendulum})[0].hash
    rows = 200000
    numbers = np.ones(rows, np.int32) if what == "length" else np.ones((rows, 1))
    numbers[-3] = -1 if what == "length" else np.nan
    with pytest.raises(Failure, match=f"row {rows - 3}") as caught:
        rollout(client, model, rows, 1, {"state0": np.zeros((1, 3)), what: numbers}, ["final_state"], timeout_us=10**9)
    assert caught.value.code == pb.CODE_INVALID_ARGUMENT
    assert client.info().steps_total > 0
    with pytest.raises(Failure, match="row 1"):
        rollout(client, model, 3, 1, {"state0": np.zeros((1, 3)), what: numbers[-4:-1]}, ["final_state"])
