# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Clients and servers that come and go, politely or not."""
import contextlib
import multiprocessing
import os
import random
import signal
import socket
import struct
import subprocess
import threading
import time

import numpy as np
import pytest
from conftest import ROOT, SHEAF, SLOW, Server
from wire import Client, Failure, pb, rollout, work

MANY = 2000000


def long_job(client, model, nbatch=1000, outputs=("final_state",), nstep=MANY):
    message, data = work(model, nbatch, {"state0": np.zeros((1, 3))}, outputs)
    return client.send(pb.FRAME_ROLLOUT, pb.Rollout(work=message, nstep=nstep), data)


def inflight(server):
    client = Client(server.address)
    info = client.info()
    client.close()
    return info


def test_unix_socket(start, pendulum):
    server = start(tcp=False)
    assert os.stat(server.unix).st_mode & 0o777 == 0o600
    client = Client("unix://" + server.unix)
    model = client.put("m.xml", {"m.xml": pendulum})[0].hash
    assert rollout(client, model, 2, 3, {"state0": np.zeros((1, 3))})["state"].shape == (2, 3, 3)
    client.close()
    server.stop()
    assert not os.path.exists(server.unix)


def test_a_socket_left_behind_is_replaced_and_one_in_use_is_not(start):
    server = start(tcp=False)
    again = subprocess.run([SHEAF, "serve", "--no-tcp", "--unix", server.unix], capture_output=True, timeout=20)
    assert again.returncode == 1 and b"in use" in again.stderr
    server.process.kill()
    server.wait()
    assert os.path.exists(server.unix)
    second = Server(server.folder, tcp=False)
    Client(second.address).close()
    second.stop()

    # a socket that is no server's stays with whoever uses it
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as other, socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as friend:
        other.bind(server.unix)
        again = subprocess.run([SHEAF, "serve", "--no-tcp", "--unix", server.unix], capture_output=True, timeout=20)
        assert again.returncode == 1 and b"in use" in again.stderr
        friend.sendto(b"still here", server.unix)
        assert other.recv(100) == b"still here"


def test_the_script_of_the_main_job_starts_its_server_beside_another(tmp_path):
    """The line of deploy/run.sh, while somebody has the port that servers take unasked."""
    with open(os.path.join(ROOT, "deploy", "run.sh"), encoding="utf-8") as f:
        line = next(line for line in f if " serve " in line)
    command = line.replace("build/release/clients/cli/sheaf", SHEAF).replace("$dir", str(tmp_path)).rstrip("&\n ")
    with socket.socket() as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        with contextlib.suppress(OSError):    # somebody else has it
            other.bind(("127.0.0.1", 7447))
            other.listen()
        server = subprocess.Popen(["sh", "-c", "exec " + command])
        end = time.monotonic() + 20 * SLOW
        while subprocess.run([SHEAF, "info", f"unix://{tmp_path}/sheaf.sock"], capture_output=True).returncode:
            assert server.poll() is None and time.monotonic() < end, (tmp_path / "log").read_text()
            time.sleep(0.05)
        server.terminate()
        assert server.wait(20 * SLOW) == 0


def test_sigterm_finishes_what_runs(start, pendulum):
    server = start()
    busy, idle, half = Client(server.address), Client(server.address), Client(server.address, hello=False)
    half.socket.sendall(b"SHF1")
    model = busy.put("m.xml", {"m.xml": pendulum})[0].hash
    want = rollout(busy, model, 64, 2000, {"state0": [[0, 1.0, 0]]})["state"]
    message, data = work(model, 64, {"state0": [[0, 1.0, 0]]}, ["state"])
    ids = [busy.send(pb.FRAME_ROLLOUT, pb.Rollout(work=message, nstep=2000), data) for _ in range(6)]
    server.until(lambda: busy.info().inflight > 0, 5)
    server.terminate()
    server.until(lambda: "event=draining" in server.log(), 5)
    with pytest.raises((Failure, EOFError, ConnectionError)) as refused:
        late = busy.send(pb.FRAME_ROLLOUT, pb.Rollout(work=message, nstep=2000), data)
        busy.wait(late)
    for id_ in ids:
        assert (busy.join(busy.wait(id_))["state"] == want).all()
    if refused.type is Failure:
        assert refused.value.code == pb.CODE_UNAVAILABLE and refused.value.error.retriable
    assert idle.frame()[0] == pb.FRAME_GO_AWAY
    with pytest.raises(EOFError):
        idle.frame()
    assert server.wait() == 0
    assert "event=stopped" in server.log()


def test_drain_has_an_end(start, pendulum):
    server = start("--drain-timeout", "1")
    client = Client(server.address)
    model = client.put("m.xml", {"m.xml": pendulum})[0].hash
    id_ = long_job(client, model)
    server.until(lambda: inflight(server).inflight == 1, 5)
    server.terminate()
    with pytest.raises(Failure) as failure:
        client.wait(id_)
    assert failure.value.code == pb.CODE_CANCELLED and failure.value.error.retriable
    assert server.wait(5) == 0


def test_second_signal_ends_at_once(start, pendulum):
    server = start()
    client = Client(server.address)
    model = client.put("m.xml", {"m.xml": pendulum})[0].hash
    long_job(client, model)
    server.until(lambda: inflight(server).inflight == 1, 5)
    server.terminate()
    server.until(lambda: "event=draining" in server.log(), 5)
    server.terminate()
    assert server.wait(2) == 1


def victim(address, pendulum, ready):
    client = Client(address)
    model = client.put("m.xml", {"m.xml": pendulum})[0].hash
    for _ in range(8):
        long_job(client, model, outputs=("state",), nstep=10000)
    ready.set()
    time.sleep(60)


def test_kill_9_of_clients_in_mid_batch(server, pendulum):
    good = Client(server.address)
    model = good.put("m.xml", {"m.xml": pendulum})[0].hash
    want = rollout(good, model, 8, 100, {"state0": [[0, 1.0, 0]]})["state"]
    context = multiprocessing.get_context("fork")
    for _ in range(5):
        ready = context.Event()
        process = context.Process(target=victim, args=(server.address, pendulum, ready))
        process.start()
        assert ready.wait(10 * SLOW)
        os.kill(process.pid, signal.SIGKILL)
        process.join()
        assert (rollout(good, model, 8, 100, {"state0": [[0, 1.0, 0]]})["state"] == want).all()
    server.until(lambda: good.info().inflight == 0, 5)
    good.close()


def test_connections_that_end_in_every_way(server, pendulum):
    rng = random.Random(2)
    good = Client(server.address)
    model = good.put("m.xml", {"m.xml": pendulum})[0].hash
    for i in range(60):
        client = Client(server.address)
        if i % 3 == 0:
            long_job(client, model, outputs=("state",), nstep=20000)
        elif i % 3 == 1:
            client.send(pb.FRAME_ROLLOUT, pb.Rollout(), b"x" * 100000, 1)
        time.sleep(rng.random() * 0.01)
        if i % 2:    # reset instead of a close
            client.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        client.close()
    server.until(lambda: good.info().inflight == 0 and good.info().queued_bytes < 100, 5)
    good.close()


def test_many_clients(server, pendulum):
    clients = [Client(server.address) for _ in range(200)]
    model = clients[0].put("m.xml", {"m.xml": pendulum})[0].hash
    assert clients[0].info().connections >= 200
    ids = []
    for i, client in enumerate(clients):
        message, data = work(model, 3, {"state0": [[0, 0.01 * i, 0]]}, ["state"])
        ids.append(client.send(pb.FRAME_ROLLOUT, pb.Rollout(work=message, nstep=20), data))
    states = [c.join(c.wait(i))["state"] for c, i in zip(clients, ids)]
    assert len({s.tobytes() for s in states}) == 200
    for client in clients:
        client.close()


def test_one_connection_too_many(start):
    server = start("--max-connections", "20")
    clients = [Client(server.address) for _ in range(20)]
    for _ in range(5):
        with pytest.raises((Failure, EOFError, ConnectionError)) as refused:
            Client(server.address)
        assert refused.type is not Failure or refused.value.code == pb.CODE_UNAVAILABLE
    for client in clients:
        client.ping()
        client.close()

    def place():
        try:
            Client(server.address).close()
            return True
        except (Failure, EOFError, ConnectionError):
            return False
    server.until(place, 5)


def test_a_client_that_does_not_read_costs_little(start, pendulum):
    server = start("--max-unsent", "4", "--write-timeout", "2")
    slow, good = Client(server.address), Client(server.address)
    model = good.put("m.xml", {"m.xml": pendulum})[0].hash
    before = server.rss()
    message, data = work(model, 20000, {"state0": np.zeros((1, 3))}, ["state"])
    for _ in range(4):    # 4 x 960 MB
        slow.send(pb.FRAME_ROLLOUT, pb.Rollout(work=message, nstep=2000), data)
    time.sleep(1)
    rollout(good, model, 8, 100, {"state0": np.zeros((1, 3))})
    assert server.rss() - before < 200 << 20
    assert good.info().queued_bytes < 200 << 20
    # and it is not kept for ever
    server.until(lambda: good.info().connections == 1, 10)
    server.until(lambda: good.info().queued_bytes < 100, 5)
    good.close()


def test_a_slow_reader_gets_everything(start, pendulum):
    server = start("--max-unsent", "1", "--write-timeout", "1")
    client = Client(server.address)
    model = client.put("m.xml", {"m.xml": pendulum})[0].hash
    x0 = np.zeros((400, 3))
    x0[:, 1] = np.linspace(-1, 1, 400)
    message, data = work(model, 400, {"state0": x0}, ["state"])
    id_ = client.send(pb.FRAME_ROLLOUT, pb.Rollout(work=message, nstep=2000), data)    # 19 MB
    stop = threading.Event()
    taken = bytearray()
    while len(taken) < 6 << 20:    # longer than the limit for a stall, but never stalled
        taken += client.socket.recv(1 << 18)
        time.sleep(0.1)
    stop.set()
    rest, recv_into = memoryview(bytes(taken)), client.socket.recv_into

    class Replay:
        """The bytes that were taken, then the socket."""
        def __init__(self):
            self.at = 0

        def recv_into(self, view):
            n = min(len(view), len(rest) - self.at)
            if not n:
                return recv_into(view)
            view[:n] = rest[self.at:self.at + n]
            self.at += n
            return n

        sendall, close = client.socket.sendall, client.socket.close

    client.socket = Replay()
    state = client.join(client.wait(id_))["state"]
    assert (state[123] == rollout(client, model, 1, 2000, {"state0": x0[123:124]})["state"][0]).all()
    client.close()


def test_requests_over_the_memory_limit_are_refused(start, pendulum):
    server = start("--max-memory", "8")
    client = Client(server.address)
    model = client.put("m.xml", {"m.xml": pendulum})[0].hash
    message, data = work(model, 1, {"state0": np.zeros((1, 3)), "control": np.zeros((1, 2 << 20, 1))}, ["final_state"])
    with pytest.raises(Failure) as failure:
        client.compute(pb.FRAME_ROLLOUT, pb.Rollout(work=message, nstep=3), data)
    assert failure.value.code == pb.CODE_RESOURCE_EXHAUSTED and failure.value.error.retriable
    rollout(client, model, 4, 10, {"state0": np.zeros((1, 3))})
    client.close()


def test_kill_9_of_the_server_and_reconnect(start, pendulum):
    server = start(tcp=False)
    client = Client(server.address)
    model = client.put("m.xml", {"m.xml": pendulum})[0].hash
    want = rollout(client, model, 16, 50, {"state0": [[0, 1.0, 0]]})["state"]
    id_ = long_job(client, model)
    server.until(lambda: inflight(server).inflight == 1, 5)
    server.process.kill()
    server.wait()
    with pytest.raises((EOFError, ConnectionError)):
        client.wait(id_)
    second = Server(server.folder, tcp=False)
    client = Client(second.address)
    with pytest.raises(Failure) as failure:
        rollout(client, model, 16, 50, {"state0": [[0, 1.0, 0]]})
    assert failure.value.code == pb.CODE_NOT_FOUND and failure.value.error.field == "model"
    client.put("m.xml", {"m.xml": pendulum})
    assert (rollout(client, model, 16, 50, {"state0": [[0, 1.0, 0]]})["state"] == want).all()
    client.close()
    second.stop()


def test_same_bits_for_any_number_of_threads(start, pendulum):
    results = []
    for threads in (1, 2, 3):
        server = start(threads=threads)
        client = Client(server.address)
        model = client.put("m.xml", {"m.xml": pendulum})[0].hash
        rng = np.random.default_rng(0)
        x0, u = rng.normal(size=(77, 3)), rng.uniform(-1, 1, (77, 60, 1))
        results.append(rollout(client, model, 77, 60, {"state0": x0, "control": u}, ["state", "sensordata", "qacc"]))
        client.close()
    for r in results[1:]:
        for name, value in results[0].items():
            assert value.tobytes() == r[name].tobytes()
