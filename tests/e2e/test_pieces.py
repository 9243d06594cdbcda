# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Requests in several frames: any cut is the same request, none of it stops others, and none is held for one that left."""
import time

import numpy as np
import pytest
from conftest import SLOW
from wire import CONT, HEADER, MORE, Client, Failure, pb, put_message, work

MIB = 1 << 20


def piece(type_, id_, data, flags):
    return HEADER.pack(b"SHF1", 1, flags | CONT, type_, id_, 0, 0, len(data)) + data


def begin(client, data, id_=50, message=pb.ModelPut(main="m.xml")):
    """The first frame of an upload that is never completed."""
    return client.send(pb.FRAME_MODEL_PUT, message, data, MORE, id_)


def wait_of(client):
    start = time.monotonic()
    client.ping()
    return time.monotonic() - start


def test_small_pieces_behind_a_large_one_stop_nobody(start, gauges):
    server = start()
    other, client = Client(server.address), Client(server.address)
    other.close()
    other = Client(server.address)
    begin(client, bytes(64 * MIB))
    server.until(lambda: other.info().queued_bytes >= 64 * MIB, 10)
    client.socket.sendall(b"".join(piece(pb.FRAME_MODEL_PUT, 50, b"x", MORE) for _ in range(500)))

    # it took 8 s when each piece copied what came before it
    assert wait_of(other) < 1 * SLOW
    server.until(lambda: other.info().queued_bytes >= 64 * MIB + 500, 1)
    client.close()
    server.until(lambda: other.info().queued_bytes == 0, 5)
    other.close()


@pytest.mark.parametrize("first,rest,count", [(0, 3, 300), (64, 1000, 300), (MIB - 10, 7, 4), (MIB + 64, 3 * MIB, 3),
                                              (100, 9 * MIB, 2)])
def test_pieces_of_any_size_are_the_same_request(server, gauges, pendulum, first, rest, count):
    client = Client("unix://" + server.unix)
    model = client.put("m.xml", {"m.xml": pendulum})[0].hash
    client.close()
    gauges(server)
    client = Client(server.address)
    n = (first + rest * count) // 8 // 40 + 1
    control = np.random.default_rng(3).uniform(-1, 1, (n, 40, 1))
    message, data = work(model, n, {"state0": np.array([[0.0, 1.0, 0.0]]), "control": control}, ["final_state"])
    request = pb.Rollout(work=message, nstep=40)
    want = client.compute(pb.FRAME_ROLLOUT, request, data)["final_state"]
    client.send(pb.FRAME_ROLLOUT, request, data[:first], MORE, 70)
    for at in range(first, len(data), rest):
        client.socket.sendall(piece(pb.FRAME_ROLLOUT, 70, data[at:at + rest], MORE))
    client.socket.sendall(piece(pb.FRAME_ROLLOUT, 70, b"", 0))
    assert np.array_equal(client.join(client.wait(70))["final_state"], want)
    client.close()


def test_a_request_that_was_begun_and_left_is_not_held(start, pendulum):
    server = start("--max-memory", "16", "--read-timeout", "1")
    holder, trickler, other = (Client(server.address) for _ in range(3))
    model = other.put("m.xml", {"m.xml": pendulum})[0].hash
    begin(holder, bytes(8 * MIB))
    begin(trickler, bytes(7 * MIB))
    server.until(lambda: other.info().queued_bytes > 15 * MIB, 5)
    nrow = 1 << 12
    message, data = work(model, nrow, {"state0": np.zeros((1, 3)), "control": np.zeros((nrow, 64, 1))}, ["final_state"])
    request = pb.Rollout(work=message, nstep=64)
    with pytest.raises(Failure) as failure:
        other.compute(pb.FRAME_ROLLOUT, request, data)
    assert failure.value.code == pb.CODE_RESOURCE_EXHAUSTED and failure.value.error.retriable

    # pings and single bytes do not keep a request alive
    end = time.monotonic() + 1.8
    while time.monotonic() < end:
        trickler.socket.sendall(piece(pb.FRAME_MODEL_PUT, 50, b"x", MORE))
        trickler.ping()
        time.sleep(0.1)
    for client in (holder, trickler):
        with pytest.raises(Failure) as failure:
            client.wait(50)
        # memory is short, so who has sent nothing for a sweep of the server may have to give it back before the time is over
        assert failure.value.code in (pb.CODE_DEADLINE_EXCEEDED, pb.CODE_RESOURCE_EXHAUSTED) and failure.value.id == 50
        client.ping()
    other.compute(pb.FRAME_ROLLOUT, request, data)
    for client in (holder, trickler, other):
        client.close()


@pytest.mark.parametrize("pieces", [True, False])
def test_who_fills_the_memory_and_goes_on_slowly_gives_it_back(start, gauges, pendulum, pieces):
    """Enough bytes come to be no stalled request, but others would wait for days. Who uploads steadily beside it goes on."""
    server = start("--max-memory", "32", "--read-timeout", f"{2 * SLOW:g}")
    holder, steady, other = Client("unix://" + server.unix), Client(server.address), Client(server.address)
    model = other.put("m.xml", {"m.xml": pendulum})[0].hash
    message, data = put_message("m.xml", {"m.xml": pendulum, "pad.bin": bytes(3 * MIB)})
    begin(steady, data[:64], 60, message)
    if pieces:
        for id_ in range(1, 5):
            begin(holder, bytes(29 * MIB // 4), id_)
    else:
        holder.socket.sendall(HEADER.pack(b"SHF1", 1, 0, pb.FRAME_MODEL_PUT, 1, 0, 0, 64 * MIB) + bytes(29 * MIB))
    server.until(lambda: other.info().queued_bytes > 29 * MIB - 9000, 5)
    nrow = 1 << 12
    request, rows = work(model, nrow, {"state0": np.zeros((1, 3)), "control": np.zeros((nrow, 64, 1))}, ["final_state"])
    refused = 0
    for at in range(64, len(data), 100_000):
        steady.socket.sendall(piece(pb.FRAME_MODEL_PUT, 60, data[at:at + 100_000], MORE))
        for id_ in range(1, 5):
            holder.socket.sendall(piece(pb.FRAME_MODEL_PUT, id_, bytes(2048), MORE) if pieces else bytes(2048))
        try:
            other.compute(pb.FRAME_ROLLOUT, pb.Rollout(work=request, nstep=64), rows)
        except Failure as failure:
            assert failure.code == pb.CODE_RESOURCE_EXHAUSTED and failure.error.retriable
            refused += 1
        time.sleep(0.08)
    steady.socket.sendall(piece(pb.FRAME_MODEL_PUT, 60, b"", 0))
    assert 0 < refused < 15 and steady.wait(60)[0][0].nq == 1
    if pieces:
        with pytest.raises(Failure, match="comes slowly") as failure:
            holder.wait(1)
        assert failure.value.code == pb.CODE_RESOURCE_EXHAUSTED and failure.value.error.retriable
    other.ping()
    for client in (holder, steady, other):
        client.close()


def test_a_slow_upload_is_not_a_stalled_one(start, pendulum):
    server = start("--read-timeout", "1")
    client = Client(server.address)
    message, data = put_message("m.xml", {"m.xml": pendulum, "pad.bin": bytes(70000)})
    begin(client, data[:64], 50, message)
    for at in range(64, len(data), 5000):
        client.socket.sendall(piece(pb.FRAME_MODEL_PUT, 50, data[at:at + 5000], MORE))
        time.sleep(0.09)
    client.socket.sendall(piece(pb.FRAME_MODEL_PUT, 50, b"", 0))
    assert client.wait(50)[0][0].nq == 1
    client.close()


def test_pieces_over_the_limits_end_the_request_only(start, pendulum):
    server = start("--max-memory", "4")
    client = Client(server.address)
    begin(client, bytes(3 * MIB))
    client.socket.sendall(piece(pb.FRAME_MODEL_PUT, 50, bytes(3 * MIB), MORE) + piece(pb.FRAME_MODEL_PUT, 50, b"x", 0))
    with pytest.raises(Failure) as failure:
        client.wait(50)
    assert failure.value.code == pb.CODE_RESOURCE_EXHAUSTED and failure.value.error.retriable
    server.until(lambda: client.info().queued_bytes == 0, 5)
    client.put("m.xml", {"m.xml": pendulum})
    client.close()


@pytest.mark.parametrize("ending", ["cancel", "close", "id"])
def test_a_request_that_ends_within_a_piece(server, gauges, ending):
    gauges(server)
    client = Client(server.address)
    begin(client, bytes(2 * MIB))
    head = HEADER.pack(b"SHF1", 1, CONT, pb.FRAME_MODEL_PUT, 50, 0, 0, 2 * MIB)
    if ending == "cancel":
        # the cancel stands before the piece, whose data then belongs to nobody
        client.send(pb.FRAME_CANCEL, pb.Cancel(request_id=50), id_=51)
        client.socket.sendall(head + bytes(MIB))
        with pytest.raises(Failure):
            client.wait(50)
        client.socket.sendall(bytes(MIB))
        client.ping()
    else:
        client.socket.sendall(head + bytes(MIB))
        if ending == "id":
            client.socket.sendall(bytes(MIB - 1))
    client.close()


def test_a_drain_tells_who_was_still_sending(start, pendulum):
    server = start("--drain-timeout", "5")
    pieces, half, sent = (Client(server.address) for _ in range(3))
    message, data = put_message("m.xml", {"m.xml": pendulum, "pad.bin": bytes(200000)})
    begin(pieces, data[:64], 50, message)
    control = message.SerializeToString()
    half.socket.sendall(HEADER.pack(b"SHF1", 1, 0, pb.FRAME_MODEL_PUT, 60, len(control), 0, len(data)) + control + data[:9])
    sent.ping()
    server.until(lambda: sent.info().connections == 3 and sent.info().queued_bytes > 0, 5)
    server.terminate()
    for client, id_ in ((pieces, 50), (half, 60)):
        with pytest.raises(Failure) as failure:
            client.wait(id_)
        assert failure.value.code == pb.CODE_UNAVAILABLE and failure.value.error.retriable
        with pytest.raises(EOFError):
            client.frame()
    assert server.wait(8) == 0


@pytest.mark.nightly
def test_the_largest_upload_delays_nobody(start):
    server = start()
    other, client = Client(server.address), Client(server.address)
    begin(client, bytes(64))
    worst = 0
    block = bytes(16 * MIB)
    for _ in range(60):
        client.socket.sendall(piece(pb.FRAME_MODEL_PUT, 50, block, MORE))
        worst = max(worst, wait_of(other))
    client.close()
    for _ in range(100):
        worst = max(worst, wait_of(other))
    server.until(lambda: other.info().queued_bytes == 0, 5)
    assert worst < 0.1 * SLOW
    other.close()
