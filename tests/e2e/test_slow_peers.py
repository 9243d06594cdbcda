# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Clients that read or send slowly, not at all, or from a machine that vanished: slow is allowed, stalled is not."""
import os
import select
import shutil
import socket
import subprocess
import sys
import time

import numpy as np
import pytest
from chaos import Path, Proxy
from conftest import PENDULUM, ROOT, SHEAF, SLOW, read_gauges
from google.protobuf.message import DecodeError
from wire import HEADER, Client, Failure, pb, rollout, work

MIB = 1 << 20


class Taker:
    """A client that asks for much, reads the bytes of the answer when it likes, and looks at them later."""

    def __init__(self, address, model, nrow, nstep=2000, bytes_of_buffer=0):
        self.client = Client(address)
        if bytes_of_buffer:
            self.client.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, bytes_of_buffer)
        self.x0 = np.zeros((nrow, 3))
        self.x0[:, 1] = np.linspace(-1, 1, nrow)
        message, data = work(model, nrow, {"state0": self.x0}, ["state"], timeout_us=10**9)
        self.id = self.client.send(pb.FRAME_ROLLOUT, pb.Rollout(work=message, nstep=nstep), data)
        self.taken = bytearray()

    def take(self, n):
        """Up to n bytes of those that are here."""
        if select.select([self.client.socket], [], [], 0)[0]:
            self.taken += self.client.socket.recv(n)

    def result(self):
        """The whole answer: what was taken, and the rest at once."""
        plain = self.client.read

        def read(n):
            first = bytes(self.taken[:n])
            del self.taken[:n]
            return first + (plain(n - len(first)) if len(first) < n else b"")
        self.client.read = read
        return self.client.join(self.client.wait(self.id))["state"]


def open_client(server, gauges):
    """A client and its model, which the server knows; whatever else it holds later must be gone in the end."""
    client = Client(server.address)
    model = client.put("m.xml", {"m.xml": PENDULUM})[0].hash
    client.close()
    gauges(server)
    return Client(server.address), model


def p99(times):
    return sorted(times)[int(0.99 * len(times))]


# ---- row 4: slow readers

def test_a_steady_reader_is_never_cut_and_a_stopped_one_is(start, gauges):
    server = start("--write-timeout", "1", "--max-unsent", "1")
    good, model = open_client(server, gauges)
    steady = [Taker(address, model, 300) for address in (server.tcp, "unix://" + server.unix)]    # 14 MB
    stopped = Taker(server.tcp, model, 300)
    began, cut = time.monotonic(), None

    # at 1 MiB/s the system's buffers empty in pieces that take longer than the limit
    while time.monotonic() - began < 5:
        for taker in steady:
            taker.take(MIB // 20)
        if cut is None and good.info().connections == 3:
            cut = time.monotonic() - began
        time.sleep(0.05)
    assert cut is not None and cut > 1
    for taker in steady:
        state = taker.result()
        assert np.array_equal(state[123], rollout(good, model, 1, 2000, {"state0": taker.x0[123:124]}, ["state"])["state"][0])
        taker.client.close()
    stopped.client.close()
    good.close()


@pytest.mark.nightly
def test_31_kib_a_second_at_the_default(start, gauges):
    server = start()
    good, model = open_client(server, gauges)
    taker = Taker(server.tcp, model, 300)
    end = time.monotonic() + 150
    while time.monotonic() < end:
        taker.take(31 * 1024 // 4)
        time.sleep(0.25)
    assert taker.result().shape == (300, 2000, 3)
    taker.client.close()
    good.close()


def rates(clients, seconds):
    """Small rollouts a second of each (client, model): the best of several turns, because others use this machine, too."""
    best = [0] * len(clients)
    for _ in range(5):
        for k, (client, model) in enumerate(clients):
            n, began = 0, time.monotonic()
            while time.monotonic() < began + seconds / 5:
                rollout(client, model, 1, 10, {"state0": np.zeros((1, 3))}, ["final_state"])
                n += 1
            best[k] = max(best[k], n / (time.monotonic() - began))
    return best


@pytest.mark.parametrize("nreader,seconds,share", [
    (32, 0.8, 0.3), pytest.param(32, 10, 0.8, marks=pytest.mark.nightly)])
def test_stopped_readers_cost_little(start, gauges, nreader, seconds, share):
    server = start("--write-timeout", "30", "--max-unsent", "4")
    good, model = open_client(server, gauges)
    quiet, quiet_model = open_client(start(), gauges)    # a server without such readers, for comparison in the same moments
    rates([(good, model)], 0.1)
    before = server.rss()
    takers = [Taker(server.address, model, 4000) for _ in range(nreader)]    # 192 MB each

    def settled():
        first = good.info().rows_total
        time.sleep(0.1)
        return good.info().rows_total == first
    server.until(settled, 20)
    assert server.rss() - before <= 200 * MIB and read_gauges(server)["unsent_bytes"] <= nreader * (4 + 4 + 1) * MIB
    alone, beside = rates([(quiet, quiet_model), (good, model)], seconds)
    assert beside > share * alone
    for taker in takers:
        taker.client.close()
    good.close()
    quiet.close()


# ---- row 5: slow writers

def open_files(n):
    import resource
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(soft, n)), hard))


@pytest.mark.parametrize("limit", [1, pytest.param(10, marks=pytest.mark.nightly)])
def test_200_slow_writers(start, gauges, limit):
    open_files(1000)
    server = start("--read-timeout", str(limit), "--hello-timeout", str(limit))
    good, model = open_client(server, gauges)
    before, count = server.rss(), 200
    head = HEADER.pack(b"SHF1", 1, 0, pb.FRAME_MODEL_PUT, 9, 0, 0, 256 * MIB)
    slow = [Client(server.address, hello=i % 2 == 0) for i in range(count)]
    for i, client in enumerate(slow):
        client.socket.sendall(head if i % 2 == 0 else head[:20])
    began, times, most, rounds = time.monotonic(), [], 0, 0
    while good.info().connections > 1:
        asked = time.monotonic()
        good.ping()
        times.append(time.monotonic() - asked)
        most = max(most, server.rss())
        assert time.monotonic() - began < (limit + 1) * SLOW + 1
        if time.monotonic() - began < rounds / 10:
            continue
        rounds += 1    # a tenth of the clients ten times a second: a byte a second each
        for client in slow[rounds % 10::10]:
            try:
                client.socket.send(b"x")
            except OSError:
                pass
    assert time.monotonic() - began >= limit * 0.9 and p99(times) < 0.02 * SLOW + 0.03
    assert most - before <= count * 8192 + 2 * MIB
    for client in slow:
        client.close()
    good.close()


def test_what_a_peer_may_use_that_nobody_knows(start, gauges):
    server = start("--hello-timeout", "1")
    good, _ = open_client(server, gauges)
    before, count = server.rss(), 300
    control = pb.Hello(version=1, client="x" * 4000).SerializeToString()
    head = HEADER.pack(b"SHF1", 1, 0, pb.FRAME_HELLO, 1, len(control), 0, 0)
    peers = [Client(server.address, hello=False) for _ in range(count)]
    for peer in peers:
        peer.socket.sendall(head + control[:-1])
    server.until(lambda: good.info().connections == count + 1, 5)
    assert server.rss() - before <= count * 16384 + MIB

    # one frame of at most 4 KiB without data, and in this test one second: no pieces of requests that go on
    for flags in (1, 2, 3):
        peer = Client(server.address, hello=False)
        peer.socket.sendall(HEADER.pack(b"SHF1", 1, flags, pb.FRAME_HELLO, 1, 0, 0, 0))
        with pytest.raises(Failure, match="frame.flags") as failure:
            peer.wait(1)
        assert failure.value.id == 0
        peer.close()
    for ncontrol, ndata in ((4097, 0), (10, 1)):
        peer = Client(server.address, hello=False)
        peer.socket.sendall(HEADER.pack(b"SHF1", 1, 0, pb.FRAME_HELLO, 1, ncontrol, 0, ndata))
        with pytest.raises(Failure) as failure:
            peer.wait(1)
        assert failure.value.code == pb.CODE_RESOURCE_EXHAUSTED
        peer.close()
    server.until(lambda: good.info().connections == 1, 3)
    for peer in peers:
        peer.close()
    good.close()


def test_idle_connections_end_and_busy_ones_do_not(start, gauges):
    server = start("--idle-timeout", "1")
    idle, busy, asking = (Client(server.address) for _ in range(3))
    model = busy.put("m.xml", {"m.xml": PENDULUM})[0].hash
    message, data = work(model, 1, {"state0": np.zeros((1, 3))}, ["final_state"])
    id_ = busy.send(pb.FRAME_ROLLOUT, pb.Rollout(work=message, nstep=50000000), data)
    end = time.monotonic() + 2
    while time.monotonic() < end:
        asking.ping()
        time.sleep(0.2)
    with pytest.raises(Failure) as failure:
        idle.wait(1)
    assert failure.value.code == pb.CODE_UNAVAILABLE and failure.value.error.retriable and failure.value.id == 0
    with pytest.raises(EOFError):
        idle.frame()
    server.until(lambda: asking.info().connections == 2, 5)    # when it has lingered
    assert asking.info().inflight == 1
    assert busy.ask(pb.FRAME_CANCEL, pb.Cancel(request_id=id_))[0].found
    busy.close()
    asking.close()


# ---- row 6: half-open peers

def test_a_machine_that_vanished_is_noticed(tmp_path):
    if not shutil.which("unshare") or subprocess.run(["unshare", "-Urn", "ip", "link"], capture_output=True).returncode:
        pytest.skip("no network namespaces here")
    (tmp_path / "m.xml").write_bytes(PENDULUM)
    script = os.path.join(ROOT, "tests", "support", "half_open.py")
    done = subprocess.run(["unshare", "-Urn", sys.executable, script, SHEAF, str(tmp_path), str(tmp_path / "m.xml")],
                          capture_output=True, text=True, timeout=90)
    assert done.returncode == 0, done.stderr
    assert float(done.stdout) <= 2 + 1.5 * SLOW


# ---- a bad network

def test_a_slow_and_late_network_changes_nothing(server, gauges):
    plain, model = open_client(server, gauges)
    x0 = np.random.default_rng(0).normal(size=(200, 3))
    want = rollout(plain, model, 200, 50, {"state0": x0})["state"]
    with Proxy(server.tcp, Path(rate=MIB, delay=0.01), Path(rate=MIB, delay=0.01)) as proxy:
        client = Client(proxy.address)
        assert np.array_equal(rollout(client, model, 200, 50, {"state0": x0})["state"], want)
        client.close()
    plain.close()


@pytest.mark.parametrize("up,down", [
    (Path(cut=3000), Path()), (Path(reset=3000), Path()), (Path(), Path(cut=3000)), (Path(), Path(reset=100000)),
    (Path(flip=60), Path()), (Path(flip=33), Path())])
def test_a_network_that_breaks_harms_one_client(server, gauges, up, down):
    plain, model = open_client(server, gauges)
    x0 = np.random.default_rng(0).normal(size=(400, 3))
    want = rollout(plain, model, 400, 50, {"state0": x0})["state"]
    with Proxy(server.tcp, up, down) as proxy:
        try:
            client = Client(proxy.address, timeout=1)
            got = rollout(client, model, 400, 50, {"state0": x0})["state"]
        except (Failure, EOFError, OSError, DecodeError):
            client = None
        else:
            assert up.flip >= 0 and got.shape == want.shape
    assert np.array_equal(rollout(plain, model, 400, 50, {"state0": x0})["state"], want)
    plain.close()
