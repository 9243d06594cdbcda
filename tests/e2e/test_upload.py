# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Requests that are worked on while their data is still coming."""
import time

import numpy as np
import pytest
from wire import HEADER, Client, Failure, pb, rollout, work

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
    message, data = work(model, 64, {"state0": np.zeros((64, 3)), "control": np.zeros((64, 20000, 1))})
    with pytest.raises(Failure) as failure:
        client.compute(pb.FRAME_ROLLOUT, pb.Rollout(work=message, nstep=100), data)
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
