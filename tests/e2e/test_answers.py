# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Answers come whole, in order and once, whatever else happens at the moment, and a server without questions sleeps."""
import os
import random
import threading
import time

import numpy as np
import pytest
from conftest import PENDULUM, SLOW
from wire import Client, Failure, pb, work


@pytest.fixture(params=["unix", "tcp"])
def address(request, server):
    return "unix://" + server.unix if request.param == "unix" else server.tcp


@pytest.fixture
def model(client):
    return client.put("m.xml", {"m.xml": PENDULUM})[0].hash


def ask(client, model, n, steps, outputs=("state",)):
    x = np.c_[np.zeros((n, 1)), np.linspace(-1, 1, 2 * n).reshape(n, 2)]
    message, data = work(model, n, {"state0": x}, outputs)
    return client.send(pb.FRAME_ROLLOUT, pb.Rollout(work=message, nstep=steps), data)


def test_a_call_has_ended_when_its_answer_is_here(client, model):
    """What the server says about itself, and the room that it has, are those after the answer."""
    for k in range(200):
        before = client.info()
        client.join(client.wait(ask(client, model, 4, 1 + k % 7)))
        after = client.info()
        assert after.inflight == before.inflight and after.queued_bytes == before.queued_bytes
        assert after.rows_total - before.rows_total == 4 and after.steps_total - before.steps_total == 4 * (1 + k % 7)


def test_answers_of_any_size_stay_whole_between_others(client, model):
    """Results from a few bytes to some megabytes, pings and errors, many at a time, read late."""
    rng, sizes = random.Random(5), [(1, 1), (8, 20), (64, 100), (200, 50), (1000, 100)]
    want = {size: client.join(client.wait(ask(client, model, *size)))["state"].tobytes() for size in sizes}
    for _ in range(12):
        asked = []
        for _ in range(rng.randrange(1, 20)):
            size = rng.choice(sizes)
            asked.append((size, ask(client, model, *size)))
            if rng.random() < 0.4:
                asked.append((None, client.send(pb.FRAME_PING, pb.Ping(payload=bytes(rng.randrange(100))))))
            if rng.random() < 0.2:
                asked.append((0, ask(client, model, 4, 0)))
        rng.shuffle(asked)
        for size, id_ in asked:
            if size == 0:
                with pytest.raises(Failure):
                    client.wait(id_)
            elif size is None:
                client.wait(id_)
            else:
                assert client.join(client.wait(id_))["state"].tobytes() == want[size]


def test_a_client_that_reads_late_gets_all_of_it(client, model):
    want = client.join(client.wait(ask(client, model, 100, 100)))["state"].tobytes()
    for _ in range(3):
        ids = [ask(client, model, 100, 100) for _ in range(20)]
        time.sleep(0.2)
        for id_ in ids:
            assert client.join(client.wait(id_))["state"].tobytes() == want


def test_clients_that_leave_or_cancel_at_the_moment_of_the_answer(server, address, client, model):
    rng = random.Random(1)

    def harm():
        for k in range(60):
            c = Client(address)
            id_ = ask(c, model, 4, rng.randrange(1, 400))
            if k % 3 == 0:
                c.send(pb.FRAME_CANCEL, pb.Cancel(request_id=id_))
            elif k % 3 == 1:
                c.send(pb.FRAME_PING, None, flags=0x40)    # no such flag: the connection ends with an error
            c.close()
    threads = [threading.Thread(target=harm) for _ in range(4)]
    for t in threads:
        t.start()
    while any(t.is_alive() for t in threads):
        assert len(client.join(client.wait(ask(client, model, 4, 50)))["state"]) == 4
    for t in threads:
        t.join()
    server.until(lambda: client.info().inflight == 0 and client.info().connections == 1, 10 * SLOW)


def test_a_cancelled_call_has_one_answer(client, model):
    for k in range(150):
        id_ = ask(client, model, 4, 1 + 3 * k)
        cancel = client.send(pb.FRAME_CANCEL, pb.Cancel(request_id=id_))
        try:
            got = client.join(client.wait(id_))
            assert len(got["state"]) == 4
        except Failure as e:
            assert e.code == pb.CODE_CANCELLED
        client.wait(cancel)
        client.ping()
    assert not client.waiting


def test_a_server_sleeps_when_nobody_asks(start):
    """While clients ask at once it may look for them without sleeping (server/jobs/eager.h), and no longer."""
    server = start(threads=1)
    c = Client("unix://" + server.unix)
    model = c.put("m.xml", {"m.xml": PENDULUM})[0].hash

    def used():
        with open(f"/proc/{server.process.pid}/stat") as f:
            fields = f.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    for _ in range(300):
        c.wait(ask(c, model, 8, 20))
    time.sleep(0.1)
    before = used()
    time.sleep(1.5)
    assert used() - before < 0.15
    for _ in range(20):
        c.wait(ask(c, model, 8, 20))
        time.sleep(0.05)
    assert used() - before < 0.5
    c.close()
