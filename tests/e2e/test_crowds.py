# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Many connections and many requests at a time, and the operator who still gets in."""
import random
import resource
import signal
import socket
import subprocess
import time

import numpy as np
import pytest
from chaos import connect, reset
from conftest import PENDULUM, SHEAF, SLOW, read_gauges
from wire import HEADER, Client, Failure, pb, rollout, work

MIB = 1 << 20
HELLO = pb.Hello(version=1).SerializeToString()


@pytest.fixture(autouse=True)
def descriptors():
    """As many as this process may have, for the clients of these tests."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def knock(address):
    """A connection that has sent its Hello."""
    sock = connect(address)
    sock.sendall(HEADER.pack(b"SHF1", 1, 0, pb.FRAME_HELLO, 1, len(HELLO), 0, 0) + HELLO)
    return sock


def answer(sock):
    """The type of the first frame that came, and its Error; None if the connection ended without one."""
    head = sock.recv(HEADER.size, socket.MSG_WAITALL)
    if len(head) < HEADER.size:
        return None, None
    _, _, _, type_, _, ncontrol, _, _ = HEADER.unpack(head)
    control = sock.recv(ncontrol, socket.MSG_WAITALL) if ncontrol else b""
    return type_, pb.Error.FromString(control) if type_ == pb.FRAME_ERROR else None


def p99(times):
    return sorted(times)[int(0.99 * len(times))]


# ---- row 1: connections

@pytest.mark.parametrize("count,seconds", [(1000, 1), pytest.param(2000, 5, marks=pytest.mark.nightly)])
def test_connections_over_the_limit_are_told_and_the_operator_gets_in(start, gauges, count, seconds):
    server = start("--max-connections", str(count))
    Client(server.address).close()
    gauges(server)
    before = server.rss()
    socks = [knock(server.tcp) for _ in range(count)]
    assert all(answer(sock)[0] == pb.FRAME_HELLO | pb.FRAME_REPLY for sock in socks)
    late = [knock(server.tcp) for _ in range(50)]
    for sock in late:
        type_, error = answer(sock)
        assert type_ == pb.FRAME_ERROR and error.code == pb.CODE_UNAVAILABLE
        assert error.retriable and error.retry_after_us > 0
    assert server.rss() - before <= count * 8192

    # two at least on the Unix socket, whatever TCP clients do
    operators = [Client("unix://" + server.unix) for _ in range(2)]
    assert operators[0].info().connections == count + 2
    times, end = [], time.monotonic() + seconds
    while time.monotonic() < end:
        asked = time.monotonic()
        operators[1].ping()
        times.append(time.monotonic() - asked)
    assert p99(times) <= 0.02 * SLOW + 0.03
    for client in (*socks, *late, *operators):
        client.close()


def test_a_crowd_that_connects_at_once_is_let_in_by_turns(start, gauges):
    """Between them the server answers those that are there, who see it grow; libuv alone would accept all in one turn, however often."""
    server = start()
    client = Client("unix://" + server.unix)
    assert client.info().connections == 1

    def seen_between():
        server.process.send_signal(signal.SIGSTOP)
        socks = [connect(server.tcp) for _ in range(500)]    # the system's queue has room for 511
        server.process.send_signal(signal.SIGCONT)
        seen = [1]
        while seen[-1] < 501:
            seen.append(client.info().connections)
        for sock in socks:
            sock.close()
        server.until(lambda: client.info().connections == 1, 10)
        return len([n for n in seen if 1 < n < 501])

    # on a busy machine this process may not get to ask meanwhile
    assert any(seen_between() for _ in range(20))
    client.close()


def test_who_never_says_hello_makes_room(start, gauges):
    server = start("--max-connections", "100")
    gauges(server)
    dumb = [connect(server.tcp) for _ in range(100)]
    # one may have been refused, if it came while this process asked: then there were 101
    server.until(lambda: read_gauges(server)["connections"] >= 99, 5)
    time.sleep(1.2)
    for _ in range(30):
        client = Client(server.tcp)
        client.ping()
        client.close()
    for sock in dumb:
        sock.close()


# ---- row 9: descriptors

def test_so_few_descriptors_that_nothing_would_work(tmp_path):
    done = subprocess.run([SHEAF, "serve", "--no-tcp", "--unix", str(tmp_path / "s")], capture_output=True, text=True, timeout=20,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (40, 40)))
    assert done.returncode == 1 and "expected at least 64, got 40" in done.stderr


def test_fewer_descriptors_than_connections(start, gauges):
    def few():
        resource.setrlimit(resource.RLIMIT_NOFILE, (128, 128))
    server = start("--max-connections", "1024", preexec=few)
    client = Client(server.address)
    client.put("m.xml", {"m.xml": PENDULUM})
    client.close()
    gauges(server)
    socks, told = [knock(server.tcp) for _ in range(300)], 0
    for sock in socks:
        sock.settimeout(5)
        try:
            type_, error = answer(sock)
        except OSError:
            continue
        told += type_ is not None
        assert type_ is None or error is None or error.code == pb.CODE_UNAVAILABLE
    assert told >= 250    # served, or told why not; a reset may take that away again
    operator = Client("unix://" + server.unix)
    with pytest.raises(Failure, match="nothing"):    # there are descriptors left to compile with
        operator.put("m.xml", {"m.xml": b"<mujoco><nothing/></mujoco>"})
    for sock in socks:
        sock.close()
    server.until(lambda: operator.info().connections == 1, 5)
    for _ in range(20):
        client = Client(server.tcp)
        assert client.put("m.xml", {"m.xml": PENDULUM})[0].nq == 1
        client.close()
    operator.close()
    assert "accept_failed" not in server.log()


# ---- row 2: requests in flight

def test_every_request_of_many_clients_is_answered_once(server, gauges):
    client = Client(server.address)
    model = client.put("m.xml", {"m.xml": PENDULUM})[0].hash
    client.close()
    gauges(server)
    clients, answered, refused = [Client(server.address) for _ in range(32)], 0, 0
    message, data = work(model, 4, {"state0": np.zeros((1, 3))}, ["final_state"])
    end = time.monotonic() + 0.7
    while time.monotonic() < end:
        asked = [(c, c.send(pb.FRAME_ROLLOUT, pb.Rollout(work=message, nstep=100), data)) for c in clients
                 for _ in range(16)]
        for c, id_ in asked:
            try:
                assert c.join(c.wait(id_))["final_state"].shape == (4, 3)
                answered += 1
            except Failure as failure:
                assert failure.error.retriable
                refused += 1
    assert answered + refused >= 512 and answered > 0
    for c in clients:
        assert not c.waiting
        c.close()


def test_a_flood_of_cancelled_requests_does_no_work(server, gauges):
    client, other = Client(server.address), Client(server.address)
    model = client.put("m.xml", {"m.xml": PENDULUM})[0].hash
    client.close()
    other.close()
    gauges(server)
    client, other = Client(server.address), Client("unix://" + server.unix)
    before = other.info().steps_total
    message, data = work(model, 1, {"state0": np.zeros((1, 3))}, ["final_state"])
    request = pb.Rollout(work=message, nstep=1000000)
    control = request.SerializeToString()
    times, ids = [], []
    for block in range(20):
        stream = b""
        for i in range(100):
            id_ = 10 + 2 * (100 * block + i)
            cancel = pb.Cancel(request_id=id_).SerializeToString()
            stream += HEADER.pack(b"SHF1", 1, 0, pb.FRAME_ROLLOUT, id_, len(control), 0, len(data)) + control + data
            stream += HEADER.pack(b"SHF1", 1, 0, pb.FRAME_CANCEL, id_ + 1, len(cancel), 0, 0) + cancel
            ids.append(id_)
        client.socket.sendall(stream)
        asked = time.monotonic()
        other.ping()
        times.append(time.monotonic() - asked)
    codes = set()
    for id_ in ids:
        with pytest.raises(Failure) as failure:
            client.wait(id_)
        codes.add(failure.value.code)
        client.wait(id_ + 1)
    assert codes <= {pb.CODE_CANCELLED, pb.CODE_RESOURCE_EXHAUSTED}
    assert (other.info().steps_total - before) / 1e6 < 100 and max(times) <= 0.05 * SLOW + 0.2
    client.close()
    other.close()


# ---- row 21: memory that is counted

def test_requests_that_wait_are_counted_with_what_the_server_keeps_of_them(start, gauges):
    """A request of a hundred bytes is 14 KB in the server until it is answered; 6,000 of them held 84 MiB."""
    server = start("--max-memory", "16", "--log-rate", "1", threads=1)
    operator = Client("unix://" + server.unix)
    model = operator.put("m.xml", {"m.xml": PENDULUM})[0].hash
    message, data = work(model, 1, {"state0": np.zeros((1, 3))}, ["final_state"])
    control = pb.Rollout(work=message, nstep=2 * 10**9).SerializeToString()
    operator.close()
    gauges(server)
    before, crowd = server.rss(), [Client(server.address) for _ in range(100)]
    for client in crowd:
        client.socket.sendall(b"".join(HEADER.pack(b"SHF1", 1, 0, pb.FRAME_ROLLOUT, 10 + i, len(control), 0, len(data)) + control + data
                                       for i in range(60)))
    for client in crowd:
        client.ping()    # all that it sent has been read
    refused = [pb.Error.FromString(frame[3]) for client in crowd for frames in client.waiting.values() for frame in frames]
    assert len(refused) + read_gauges(server)["inflight"] == 6000 and len(refused) < 5800
    assert refused and all(error.code == pb.CODE_RESOURCE_EXHAUSTED and error.retriable for error in refused)
    assert 8 * MIB < read_gauges(server)["queued_bytes"] <= 16 * MIB
    assert server.rss() - before <= 24 * MIB
    for client in crowd:
        client.close()


def test_replies_that_many_do_not_read_fill_no_memory(start, gauges):
    """Each may let some megabytes wait, as long as all of them together are few; 16 held 140 MiB."""
    server = start("--max-memory", "16")
    gauges(server)
    operator = Client("unix://" + server.unix)
    before, deaf = server.rss(), [Client("unix://" + server.unix) for _ in range(16)]
    message = pb.Ping(payload=bytes(1000)).SerializeToString()
    pings = b"".join(HEADER.pack(b"SHF1", 1, 0, pb.FRAME_PING, 10 + i, len(message), 0, 0) + message for i in range(1000))
    rest, cut, end = {client: pings for client in deaf}, set(), time.monotonic() + 10 * SLOW
    for client in deaf:
        client.socket.setblocking(False)
    moved = True
    while moved and time.monotonic() < end:
        moved = False
        operator.ping()
        for client in deaf:
            try:
                n = client.socket.send(rest[client] or pings)
                rest[client], moved = (rest[client] or pings)[n:], True
            except BlockingIOError:
                pass
            except OSError:
                cut.add(client)
    assert not moved and server.rss() - before <= 16 * MIB and read_gauges(server)["queued_bytes"] <= 8 * MIB
    for client in deaf:    # who reads goes on, unless it was cut off with the reason
        client.socket.setblocking(True)
        if client not in cut:
            try:
                assert client.wait(10)
            except Failure as failure:
                assert failure.id == 0 and failure.code == pb.CODE_RESOURCE_EXHAUSTED and failure.error.retriable
        client.close()
    operator.close()


# ---- row 15: clients that leave in the middle

@pytest.mark.parametrize("rounds", [60, pytest.param(500, marks=pytest.mark.nightly)])
def test_clients_that_leave_at_any_moment(server, gauges, rounds):
    rng = random.Random(5)
    good = Client(server.address)
    model = good.put("m.xml", {"m.xml": PENDULUM})[0].hash
    want = rollout(good, model, 8, 100, {"state0": [[0, 1.0, 0]]})["state"]
    good.close()
    gauges(server)
    before = server.rss()
    message, data = work(model, 1000, {"state0": np.zeros((1, 3))}, ["state"])
    for i in range(rounds):
        client = Client(server.address)
        if i % 2:
            client.send(pb.FRAME_ROLLOUT, pb.Rollout(work=message, nstep=20000), data)
        else:
            n = rng.randrange(1, MIB)
            head = HEADER.pack(b"SHF1", 1, rng.randrange(2), pb.FRAME_MODEL_PUT, 9, 0, 0, MIB)
            client.socket.sendall(head + bytes(n))
        time.sleep(rng.random() * 0.02)
        if i % 3:
            client.close()
        else:
            reset(client.socket)
    left = time.monotonic()
    good = Client(server.address)
    server.until(lambda: good.info().inflight == 0 and good.info().queued_bytes == 0, 1)
    assert np.array_equal(rollout(good, model, 8, 100, {"state0": [[0, 1.0, 0]]})["state"], want)
    assert time.monotonic() - left < 2 * SLOW
    server.until(lambda: server.rss() - before <= 32 * MIB, 10)    # free memory goes back when nobody has asked for 5 s
    good.close()


@pytest.mark.nightly
@pytest.mark.parametrize("count", [8000, 60000])
def test_memory_of_many_requests_goes_back(start, count):
    server = start("--max-inflight", "65536")
    good = Client("unix://" + server.unix)
    model = good.put("m.xml", {"m.xml": PENDULUM})[0].hash
    rollout(good, model, 64, 100, {"state0": np.zeros((1, 3))})
    before = server.rss()
    client = Client(server.address)
    message, data = work(model, 1, {"state0": np.zeros((1, 3))}, ["final_state"])
    control = pb.Rollout(work=message, nstep=2000000).SerializeToString()
    for at in range(0, count, 1000):
        client.socket.sendall(b"".join(
            HEADER.pack(b"SHF1", 1, 0, pb.FRAME_ROLLOUT, 10 + at + i, len(control), 0, len(data)) + control + data
            for i in range(1000)))
    server.until(lambda: good.info().inflight == count, 60)
    most = server.rss() - before
    client.close()
    server.until(lambda: good.info().inflight == 0, 20)
    good.close()
    server.until(lambda: server.rss() - before < most / 4, 15)


# ---- row 3: many bytes

@pytest.mark.parametrize("each", [48 * MIB, pytest.param(2560 * MIB, marks=pytest.mark.nightly)])
def test_clients_that_stream_together_get_the_right_bytes(start, gauges, each):
    server = start()
    client = Client(server.address)
    model = client.put("m.xml", {"m.xml": PENDULUM})[0].hash
    x0 = np.array([[0.0, 1.0, 0.0]])
    want = rollout(client, model, 1, 1000, {"state0": x0}, ["state"])["state"].tobytes()
    client.close()
    gauges(server)
    before, most, clients = server.rss(), 0, [Client(server.address) for _ in range(4)]
    nbatch = each // len(want)
    message, data = work(model, nbatch, {"state0": x0}, ["state"], timeout_us=3600 * 1000000)
    ids = [c.send(pb.FRAME_ROLLOUT, pb.Rollout(work=message, nstep=1000), data) for c in clients]
    rows = [0] * 4
    while any(row < nbatch for row in rows):
        for k, c in enumerate(clients):
            if rows[k] == nbatch:
                continue
            type_, _, id_, control, data = c.frame()
            assert type_ != pb.FRAME_ERROR, control
            part = pb.Result.FromString(control)
            assert type_ == pb.FRAME_ROLLOUT | pb.FRAME_REPLY and id_ == ids[k] and part.first_row == rows[k]
            assert data[:part.rows * len(want)] == want * part.rows
            rows[k] += part.rows
        most = max(most, server.rss())
    print(f"4 x {nbatch * len(want) / 2**30:.2f} GiB, {(most - before) / MIB:.0f} MiB held at most")
    assert most - before <= 4 * 16 * MIB + 32 * MIB
    for c in clients:
        c.close()
