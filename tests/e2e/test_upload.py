# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Requests that are worked on while their data is still coming."""
import socket
import time

import numpy as np
import pytest
from conftest import SLOW
from wire import CONT, HEADER, MORE, Client, Failure, pb, rollout, work

B, T = 512, 400


@pytest.fixture
def asked(server, pendulum):
    """A client, the header and control message of a rollout with much data, the data, and what comes of it."""
    client = Client(server.address)
    model = client.put("m.xml", {"m.xml": pendulum})[0].hash
    inputs = {"state0": np.tile([0.0, 1.0, 0.0], (B, 1)),
              "control": np.random.default_rng(0).uniform(-1, 1, (B, T, 1))}
    whole = rollout(client, model, B, T, inputs)
    assert len(np.unique(whole["state"][:, -1, 1])) == B

    def ask(options={}, **more):
        message, data = work(model, B, {**inputs, **more}, **options)
        control = pb.Rollout(work=message, nstep=T).SerializeToString()
        id_ = next(client.ids)
        return id_, HEADER.pack(b"SHF1", 1, 0, pb.FRAME_ROLLOUT, id_, len(control), 0, len(data)) + control, data

    yield client, ask, whole
    client.close()


def settled(client):
    """Nothing is held for requests any more."""
    deadline = time.monotonic() + 10
    while client.info().queued_bytes:
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_rows_come_back_before_all_inputs_are_there(asked):
    client, ask, whole = asked
    id_, head, data = ask()
    half = len(data) // 2
    client.socket.sendall(head + data[:half])
    first = client.frame()
    part = pb.Result.FromString(first[3])
    assert first[2] == id_ and part.first_row == 0 and 0 < part.rows < B
    client.socket.sendall(data[half:])
    client.waiting[id_] = [first]
    got = client.join(client.wait(id_))
    for name in whole:
        assert np.array_equal(got[name], whole[name])
    settled(client)


def test_data_in_pieces_of_any_size(asked):
    client, ask, whole = asked
    rng = np.random.default_rng(1)
    id_, head, data = ask()
    stream = head + data
    while stream:
        n = int(rng.integers(1, 200000))
        client.socket.sendall(stream[:n])
        stream = stream[n:]
        if rng.random() < 0.3:
            time.sleep(0.002)
    got = client.join(client.wait(id_))
    assert np.array_equal(got["state"], whole["state"])
    settled(client)


def test_values_are_checked_when_all_are_there(asked):
    client, ask, whole = asked
    length = np.full(B, T, np.int32)
    length[-1] = T + 1
    id_, head, data = ask(length=length)
    client.socket.sendall(head + data)
    with pytest.raises(Failure, match="length.*row 511"):
        client.wait(id_)
    length[-1] = 7
    id_, head, data = ask(length=length)
    client.socket.sendall(head + data)
    got = client.join(client.wait(id_))
    assert np.array_equal(got["state"][:-1], whole["state"][:-1])
    assert np.array_equal(got["state"][-1, -1], whole["state"][-1, 6])
    settled(client)


def test_an_error_comes_before_the_data(asked):
    client, ask, whole = asked
    id_, head, data = ask(nonsense=np.zeros(3))
    client.socket.sendall(head + data[:len(data) // 3])
    with pytest.raises(Failure, match="nonsense"):
        client.wait(id_)

    # what still comes of the frame is read and forgotten
    client.socket.sendall(data[len(data) // 3:])
    client.ping()
    id_, head, data = ask()
    client.socket.sendall(head + data)
    assert np.array_equal(client.join(client.wait(id_))["state"], whole["state"])
    settled(client)


@pytest.mark.parametrize("part", [0.0, 0.3, 0.9999])
def test_a_client_that_leaves_in_the_middle(server, asked, part):
    client, ask, _ = asked
    other = Client(server.address)
    _, head, data = ask()
    client.socket.sendall(head + data[:int(part * len(data))])
    client.close()
    settled(other)
    other.close()


def test_deadline_while_data_comes(asked):
    client, ask, whole = asked
    id_, head, data = ask({"timeout_us": 50000})
    client.socket.sendall(head + data[:len(data) // 2])
    with pytest.raises(Failure) as failure:
        client.wait(id_)
    assert failure.value.code == pb.CODE_DEADLINE_EXCEEDED
    client.socket.sendall(data[len(data) // 2:])
    client.ping()
    settled(client)


def test_no_room_for_what_comes(start, pendulum):
    server = start("--max-memory", "4")
    client = Client(server.address)
    model = client.put("m.xml", {"m.xml": pendulum})[0].hash
    message, data = work(model, 64, {"state0": np.zeros((64, 3)), "control": np.zeros((64, 20000, 1))}, ["final_state"])
    with pytest.raises(Failure) as failure:
        client.compute(pb.FRAME_ROLLOUT, pb.Rollout(work=message, nstep=20000), data)
    assert failure.value.code == pb.CODE_RESOURCE_EXHAUSTED and failure.value.error.retriable
    client.ping()
    settled(client)
    client.close()


def test_a_client_that_reads_only_when_all_is_sent(start, pendulum):
    server = start("--max-unsent", "1")
    client = Client(server.address)
    model = client.put("m.xml", {"m.xml": pendulum})[0].hash
    nrow, nstep = 4000, 300
    control = np.random.default_rng(2).uniform(-1, 1, (nrow, nstep, 1))
    message, data = work(model, nrow, {"state0": [[0.0, 1.0, 0.0]], "control": control})
    id_ = client.send(pb.FRAME_ROLLOUT, pb.Rollout(work=message, nstep=nstep), data)
    got = client.join(client.wait(id_))
    assert got["state"].shape == (nrow, nstep, 3) and len(np.unique(got["state"][:, -1, 1])) == nrow
    client.close()


# ---- what is read must be there

def scattered(rng, model, nbatch, inputs, shared=()):
    """A Work message whose tensors lie in the data in any order, with gaps; `shared` lie where the first of them lies."""
    message = pb.Work(model=model, nbatch=nbatch)
    message.inputs.extend(work(model, nbatch, inputs)[0].inputs)
    places, size = {}, 0
    for name in rng.permutation(list(inputs)):
        if name in shared and any(s in places for s in shared):
            places[name] = next(places[s] for s in shared if s in places)
            continue
        places[name] = size + 64 * int(rng.integers(0, 3)) if inputs[name].size else 0
        size = max(size, places[name] + -(-inputs[name].nbytes // 64) * 64)
    data = bytearray(size + int(rng.integers(0, 500)))
    for t in message.inputs:
        t.offset = places[t.name]
        data[t.offset:t.offset + inputs[t.name].nbytes] = inputs[t.name].tobytes()
    return message, bytes(data)


def both_ways(client, rng, type_, message, data):
    """The answer to a request whose data dribbles in, and to the same request when it is known to be complete first."""
    control = message.SerializeToString()
    id_ = next(client.ids)
    stream = HEADER.pack(b"SHF1", 1, 0, type_, id_, len(control), 0, len(data)) + control + data
    cuts = np.sort(rng.integers(0, len(stream), 12))
    for a, b in zip([0, *cuts], [*cuts, len(stream)]):
        client.socket.sendall(stream[a:b])
        time.sleep(0.003)
    early = client.join(client.wait(id_))
    id_ = client.send(type_, message, data[:64], MORE)
    client.send(type_, None, data[64:], CONT, id_)
    return early, client.join(client.wait(id_))


@pytest.mark.parametrize("seed", range(6))
def test_tensors_that_lie_anywhere(asked, pendulum, seed):
    client, rng = asked[0], np.random.default_rng(seed)
    model = client.put("m.xml", {"m.xml": pendulum})[0].hash
    n, steps = int(rng.integers(300, 700)), int(rng.integers(20, 60))
    inputs = {"state0": rng.uniform(-1, 1, (1 if seed % 2 else n, 3)),
              "control": rng.uniform(-1, 1, (n, steps, 1)),
              "warmstart0": rng.uniform(-1, 1, (n if seed % 3 else 1, 1))}
    if seed % 3 == 0:
        inputs["length"] = rng.integers(1, steps + 1, n).astype(np.int32)
    message, data = scattered(rng, model, n, inputs)
    early, late = both_ways(client, rng, pb.FRAME_ROLLOUT, pb.Rollout(work=message, nstep=steps), data)
    assert len(np.unique(late["state"][:, -1, 1])) > n // 2
    for name in late:
        assert np.array_equal(early[name], late[name]), name


@pytest.mark.parametrize("seed", range(4))
def test_tensors_that_share_bytes_and_are_empty(asked, pendulum, seed):
    client, rng = asked[0], np.random.default_rng(seed)
    model = client.put("m.xml", {"m.xml": pendulum})[0].hash
    n, same = 12000, rng.uniform(-1, 1, (12000, 1))
    inputs = {"qpos": same, "qvel": same, "ctrl": rng.uniform(-1, 1, (n, 1)), "time": np.ones((1, 1)),
              "act": np.zeros((n, 0)), "mocap_pos": np.zeros((1, 0, 3))}
    message, data = scattered(rng, model, n, inputs, shared=("qpos", "qvel"))
    early, late = both_ways(client, rng, pb.FRAME_FORWARD, pb.Forward(work=message), data)
    assert len(np.unique(late["qacc"])) == n and np.array_equal(early["qacc"], late["qacc"])


def test_an_answer_that_needs_no_data(asked, pendulum):
    client = asked[0]
    model = client.put("m.xml", {"m.xml": pendulum})[0].hash
    control = pb.Forward(work=pb.Work(model=model, nbatch=2)).SerializeToString()
    head = HEADER.pack(b"SHF1", 1, 0, pb.FRAME_FORWARD, 77, len(control), 0, 1 << 20)
    client.socket.sendall(head + control)
    assert client.join(client.wait(77))["qacc"].shape == (2, 1)
    client.socket.sendall(bytes(1 << 20))
    settled(client)


# ---- clients that do not read, or do not send

def test_a_slow_client_that_reads_only_when_all_is_sent(start, pendulum):
    server = start("--max-unsent", "1", "--write-timeout", "1", tcp=False)
    client = Client(server.address)
    model = client.put("m.xml", {"m.xml": pendulum})[0].hash
    nrow, nstep = 2000, 200
    message, data = work(model, nrow, {"state0": [[0.0, 1.0, 0.0]], "control": np.zeros((nrow, nstep, 1))})
    control = pb.Rollout(work=message, nstep=nstep).SerializeToString()
    client.socket.sendall(HEADER.pack(b"SHF1", 1, 0, pb.FRAME_ROLLOUT, 9, len(control), 0, len(data)) + control)
    step = len(data) // 12
    for at in range(0, len(data), step):
        client.socket.sendall(data[at:at + step])
        time.sleep(0.25)
    assert client.join(client.wait(9))["state"].shape == (nrow, nstep, 3)

    # afterwards it has to read
    id_ = client.send(pb.FRAME_ROLLOUT, pb.Rollout(work=message, nstep=nstep), data)
    server.until(lambda: info_of(server).inflight == 0, 10)
    with pytest.raises((EOFError, ConnectionError)):
        client.wait(id_)
    client.close()


def info_of(server):
    other = Client(server.address)
    info = other.info()
    other.close()
    return info


def test_answers_to_a_client_that_never_reads_do_not_pile_up(start):
    server = start("--max-unsent", "1", "--write-timeout", "600", tcp=False)
    client = Client(server.address, timeout=2 * SLOW)
    control = pb.Rollout(work=pb.Work(model=bytes(31), nbatch=1)).SerializeToString()
    begin, end, rest = bytes(91072), bytes(40000), b""

    # each read of the server ends within a frame that was refused: reading must be paused all the same
    with pytest.raises(socket.timeout):
        for id_ in range(100, 20000):
            head = HEADER.pack(b"SHF1", 1, 0, pb.FRAME_ROLLOUT, id_, len(control), 0, len(begin + end))
            client.socket.sendall(rest + head + control + begin)
            rest = end
    client.close()


def test_memory_that_a_client_gives_back_by_leaving(start, pendulum):
    server = start("--max-memory", "6", "--max-unsent", "4", tcp=False)
    hog, client = Client(server.address), Client(server.address)
    model = client.put("m.xml", {"m.xml": pendulum})[0].hash
    message, data = work(model, 400, {"state0": np.zeros((1, 3))}, ["state"])
    hog.send(pb.FRAME_ROLLOUT, pb.Rollout(work=message, nstep=2000), data)
    server.until(lambda: client.info().queued_bytes > 4 << 20, 10)
    time.sleep(0.1)

    # one row does not fit beside what waits for the other client
    message, data = work(model, 1, {"state0": np.zeros((1, 3))}, ["state"])
    id_ = client.send(pb.FRAME_ROLLOUT, pb.Rollout(work=message, nstep=170000), data)
    time.sleep(0.2)
    hog.close()
    assert client.join(client.wait(id_))["state"].shape == (1, 170000, 3)
    client.close()


def test_sigterm_while_data_comes(start, pendulum):
    server = start("--read-timeout", "1")
    good, silent = Client(server.address), Client(server.address)
    model = good.put("m.xml", {"m.xml": pendulum})[0].hash
    message, data = work(model, 500, {"state0": [[0.0, 1.0, 0.0]], "control": np.zeros((500, 100, 1))})
    control = pb.Rollout(work=message, nstep=100).SerializeToString()
    head = HEADER.pack(b"SHF1", 1, 0, pb.FRAME_ROLLOUT, 9, len(control), 0, len(data))
    for client in (good, silent):
        client.socket.sendall(head + control + data[:len(data) // 2])
    server.until(lambda: info_of(server).inflight == 2, 5)
    server.terminate()
    server.until(lambda: "event=draining" in server.log(), 5)
    good.socket.sendall(data[len(data) // 2:])
    assert good.join(good.wait(9))["state"].shape == (500, 100, 3)
    with pytest.raises(Failure) as failure:
        silent.wait(9)
    assert failure.value.code == pb.CODE_DEADLINE_EXCEEDED
    assert server.wait(10) == 0


def test_rows_wait_for_their_data_whatever_is_learned_of_their_cost(start, pendulum):
    """Slices grow while the cost of a row becomes known, also between the moment when a job has enough rows and its turn."""
    server = start("--threads", "1")
    clients = [Client(server.address) for _ in range(7)]
    control = np.random.default_rng(1).uniform(-1, 1, (500, 100, 1))
    for k in range(5):
        model = clients[0].put("m.xml", {"m.xml": pendulum.replace(b'timestep="0.01"', b'timestep="0.01%d"' % k)})[0].hash
        for _ in range(3):    # single steps, which seem expensive
            rollout(clients[0], model, 1, 1, {"state0": [[0.0, 1.0, 0.0]]})
        message, data = work(model, 500, {"state0": [[0.0, 1.0, 0.0]], "control": control})
        request = pb.Rollout(work=message, nstep=100).SerializeToString()
        whole = HEADER.pack(b"SHF1", 1, 0, pb.FRAME_ROLLOUT, 99, len(request), 0, len(data)) + request + data
        for client in clients[1:]:
            client.socket.sendall(whole[:len(whole) // 2])
        clients[0].socket.sendall(whole)
        want = clients[0].join(clients[0].wait(99))["state"]
        for client in clients[1:]:
            client.socket.sendall(whole[len(whole) // 2:])
        for client in clients[1:]:
            assert np.array_equal(client.join(client.wait(99))["state"], want)
