# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Clients that do anything at any time: half requests, cuts, cancels, garbage, sudden ends.

HOSTILE_SECONDS makes it run longer, HOSTILE_SEED otherwise.
"""
import os
import random
import signal
import socket
import struct
import threading
import time

import numpy as np
from conftest import SLOW
from wire import CONT, HEADER, MORE, Client, pb, rollout, work

SECONDS = float(os.environ.get("HOSTILE_SECONDS", "2"))
SEED = int(os.environ.get("HOSTILE_SEED", "1"))
PEERS = 12


class Peer:
    """One connection of a bad client."""

    def __init__(self, server, model, rng):
        self.rng, self.model, self.rest, self.ids = rng, model, b"", rng.randrange(1, 1000)
        client = Client(rng.choice([server.tcp, "unix://" + server.unix]), hello=rng.random() < 0.95)
        self.socket = client.socket
        self.socket.settimeout(0.02)

    def frame(self, type_, message, data=b"", flags=0, id_=None, ndata=None):
        self.ids += 1
        control = message.SerializeToString() if message is not None else b""
        return HEADER.pack(b"SHF1", 1, flags, type_, id_ or self.ids, len(control), 0,
                           len(data) if ndata is None else ndata) + control + data

    def rollout(self):
        """A rollout that may be large, wrong, urgent, short of time."""
        rng = self.rng
        n, steps = rng.choice([1, 7, 200, 900]), rng.choice([1, 30, 90])
        inputs = {"state0": np.zeros((rng.choice([1, n]), rng.choice([3, 3, 3, 4]))),
                  "control": np.full((n, steps, 1), rng.choice([0.1, float("nan")]))}
        if rng.random() < 0.3:
            inputs["length"] = np.full(n, rng.choice([1, steps, steps + 1]), np.int32)
        if rng.random() < 0.1:
            inputs["nothing"] = np.zeros(3)
        names = list(inputs)
        rng.shuffle(names)
        message, data = work(rng.choice([self.model] * 9 + [bytes(32)]), n, {k: inputs[k] for k in names},
                             rng.choice([(), (), ("state", "qacc"), ("bad",)]), priority=rng.choice([-1, 0, 0, 1, 2]),
                             timeout_us=rng.choice([0, 0, 1, 3000]), progress=rng.random() < 0.3)
        nstep = rng.choice([steps, steps, 5 * steps, 100000])
        return pb.Rollout(work=message, nstep=nstep), data

    def words(self):
        """What it says next."""
        rng, kind = self.rng, self.rng.randrange(12)
        if kind < 5:
            return self.frame(pb.FRAME_ROLLOUT, *self.rollout())
        if kind < 7:
            message, data = self.rollout()
            cut = rng.randrange(len(data) + 1)
            first = self.frame(pb.FRAME_ROLLOUT, message, data[:cut], MORE)
            between = self.frame(pb.FRAME_PING, pb.Ping(payload=b"x"), id_=self.ids + 500)
            id_ = struct.unpack_from("<Q", first, 8)[0]
            return first + between + self.frame(pb.FRAME_ROLLOUT, None, data[cut:], CONT | rng.choice([0, MORE]), id_)
        if kind == 7:
            return self.frame(pb.FRAME_CANCEL, pb.Cancel(request_id=max(1, self.ids - rng.randrange(4))))
        if kind == 8:
            return self.frame(rng.choice([pb.FRAME_SERVER_INFO, pb.FRAME_FORWARD, pb.FRAME_MODEL_INFO, 99]), None,
                              bytes(rng.choice([0, 10, 70000])))
        if kind == 9:
            return self.frame(pb.FRAME_INVERSE, pb.Inverse(work=pb.Work(model=self.model, nbatch=3)), bytes(200000))
        if kind == 10 and rng.random() < 0.2:
            return rng.randbytes(rng.choice([1, 32, 5000]))
        return self.frame(pb.FRAME_PING, pb.Ping(payload=rng.randbytes(rng.choice([1, 1024, 1025]))))

    def act(self):
        """Say something, or a part of it, or listen; false at the end."""
        rng = self.rng
        if rng.random() < 0.12:
            return False
        try:
            if rng.random() < 0.3:
                self.socket.recv(rng.choice([1, 1000, 1 << 20]))
                return True
            self.rest = self.rest or self.words()
            n = len(self.rest) if rng.random() < 0.5 else rng.randrange(len(self.rest) + 1)
            self.rest = self.rest[self.socket.send(self.rest[:n]):]
        except socket.timeout:
            pass
        except OSError:
            return False
        return True

    def leave(self):
        how = self.rng.randrange(3)
        try:
            if how == 0:
                self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            elif how == 1:
                self.socket.shutdown(socket.SHUT_WR)
        except OSError:
            pass    # the server was first
        self.socket.close()


def test_clients_that_do_anything(start, pendulum):
    server = start("--max-memory", "8", "--max-unsent", "1", "--write-timeout", "2", "--read-timeout", "2")
    good = Client(server.address, timeout=120)
    model = good.put("m.xml", {"m.xml": pendulum})[0].hash
    control = np.random.default_rng(0).uniform(-1, 1, (300, 50, 1))
    inputs = {"state0": np.array([[0.0, 1.0, 0.0]]), "control": control}
    want = rollout(good, model, 300, 50, inputs)["state"]

    rng, peers, sessions, end = random.Random(SEED), [], 0, time.monotonic() + SECONDS
    while time.monotonic() < end:
        if len(peers) < PEERS:
            peers.append(Peer(server, model, rng))
            sessions += 1
        peer = rng.choice(peers)
        if not peer.act():
            peer.leave()
            peers.remove(peer)
    for peer in peers:
        peer.leave()

    # nothing of it is left, and nothing was hurt
    server.until(lambda: good.info().queued_bytes == 0 and good.info().inflight == 0, 20)
    assert good.info().connections == 1
    assert np.array_equal(rollout(good, model, 300, 50, inputs)["state"], want)
    info = good.info()
    assert sessions > PEERS and info.rows_total > 300 and info.errors_total > 0
    print(f"{sessions} sessions, {info.requests_total} requests, {info.errors_total} errors")
    good.close()


def test_a_flood_of_mistakes_that_take_long_to_explain(start):
    """The answer to each lists the names that are most like the wrong one. Between two questions of somebody else the server
    works for the flood for some milliseconds; it worked for three seconds before such answers had a limit."""
    server = start("--compile-time", "60", "--log-rate", "1")
    sites = "".join(f'<site name="a_name_of_a_site_that_is_as_long_as_can_be_{i}"/>' for i in range(4000))
    good, bad = Client(server.address), Client("unix://" + server.unix)
    model = bad.put("m.xml", {"m.xml": b"<mujoco><worldbody><body>%s</body></worldbody></mujoco>" % sites.encode()})[0]
    question = pb.ModelInfo(hash=model.hash, outputs=["site_xpos[no_name_of_a_site_that_is_as_long_as_can_be]"]).SerializeToString()
    count, codes, longest = 600, [], 0
    flood = b"".join(HEADER.pack(b"SHF1", 1, 0, pb.FRAME_MODEL_INFO, 100 + i, len(question), 0, 0) + question for i in range(count))

    def send_and_read():
        bad.socket.sendall(flood)
        codes.extend(pb.Error.FromString(bad.frame()[3]).code for _ in range(count))

    thread = threading.Thread(target=send_and_read)
    thread.start()
    while thread.is_alive():
        before = server.cpu()
        good.ping()
        longest = max(longest, server.cpu() - before)
    assert longest < 0.3 * SLOW

    # some are told to read their answers first
    assert len(codes) == count and set(codes) == {pb.CODE_INVALID_ARGUMENT, pb.CODE_RESOURCE_EXHAUSTED}
    good.close()
    bad.close()


def test_a_hundred_connections_that_ask_without_a_pause(start):
    """Each sends 1,800 small requests at once. Somebody else who asks waits for a turn of one of them, not of all, which took half a second."""
    server = start("--log-rate", "1")
    good, crowd = Client("unix://" + server.unix), [Client(server.address) for _ in range(100)]
    question = pb.ServerInfo().SerializeToString()
    flood = b"".join(HEADER.pack(b"SHF1", 1, 0, pb.FRAME_SERVER_INFO, 100 + i, len(question), 0, 0) + question for i in range(1800))
    os.kill(server.process.pid, signal.SIGSTOP)
    for client in crowd:
        client.socket.sendall(flood)
    os.kill(server.process.pid, signal.SIGCONT)
    before = server.cpu()
    for _ in range(3):
        good.ping()
    assert server.cpu() - before < 0.15 * SLOW

    # all are answered
    for client in crowd:
        for _ in range(1800):
            assert client.frame()[0] in (pb.FRAME_SERVER_INFO | pb.FRAME_REPLY, pb.FRAME_ERROR)
        client.close()
    good.close()
