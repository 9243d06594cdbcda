# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""A server that goes: it tells its clients, stays until they left, and they take their work elsewhere without losing any."""
import http.client
import os
import re
import subprocess
import threading

import numpy as np
import pytest
from between import Between
from conftest import BUILD, PENDULUM, SHEAF, SLOW
from wire import Client, Failure, pb, rollout, work

sheaf = pytest.importorskip("sheaf", reason="pip install ./clients/python")
PROGRAM = os.path.join(BUILD, "tests", "e2e", "client_program")
built = pytest.mark.skipif(not os.path.exists(PROGRAM), reason="tests were not built")
LONG = 3600    # seconds that no test waits for
STEPS = int(100000 / SLOW)    # of a job that is still running when the next thing is asked


def is_ready(server):
    host, port = re.search(r"event=monitoring address=http://(\S+):(\d+)", server.log()).groups()
    connection = http.client.HTTPConnection(host, int(port), timeout=10 * SLOW)
    connection.request("GET", "/readyz")
    return connection.getresponse().status == 200


def leave(server):
    server.terminate()
    server.until(lambda: "event=leaving" in server.log(), 5)


def hear(client):
    """What the server says of its own accord."""
    type_, flags, id_, control, data = client.frame()
    assert (type_, flags, id_, data) == (pb.FRAME_GO_AWAY, 0, 0, b"")
    return pb.GoAway.FromString(control)


def start_job(client, model, nstep=STEPS):
    message, data = work(model, 64, {"state0": [[0, 1.0, 0]]}, ["final_state"])
    return client.send(pb.FRAME_ROLLOUT, pb.Rollout(work=message, nstep=nstep), data)


def two(start, *options):
    """A server that is told to go, the one that takes its place, and the address of both."""
    first, second = start("--lame-duck", str(LONG), *options), start(*options)
    between = Between(first.tcp)
    return first, second, between


def replace(first, second, between):
    between.target = second.tcp[len("tcp://"):].rsplit(":", 1)
    leave(first)


def test_clients_are_told_and_the_server_stays_until_they_left(start, pendulum):
    server = start("--lame-duck", str(LONG), "--metrics", "127.0.0.1:0")
    busy, idle = Client(server.address), Client(server.address)
    model = busy.put("m.xml", {"m.xml": pendulum})[0].hash
    want = rollout(busy, model, 64, STEPS, {"state0": [[0, 1.0, 0]]}, ["final_state"])["final_state"]
    running = start_job(busy, model)
    server.until(lambda: idle.info().inflight == 1, 5)
    assert is_ready(server) and not idle.hello.leaving
    leave(server)
    told = hear(idle)
    assert told.serves_us == LONG * 1000000 and told.reason and not is_ready(server)

    # who has not heard of it is served
    late = Client(server.address)
    assert late.hello.leaving and late.info().state == "leaving"
    assert (rollout(late, model, 64, STEPS, {"state0": [[0, 1.0, 0]]}, ["final_state"])["final_state"] == want).all()
    late.put("n.xml", {"n.xml": pendulum.replace(b"pendulum", b"another")})
    assert (busy.join(busy.wait(running))["final_state"] == want).all() and busy.told
    assert (busy.compute(pb.FRAME_ROLLOUT, *rollout_message(model))["final_state"] == want).all()

    for client in (busy, idle, late):
        assert server.process.poll() is None
        client.close()
    assert server.wait() == 0


def rollout_message(model):
    message, data = work(model, 64, {"state0": [[0, 1.0, 0]]}, ["final_state"])
    return pb.Rollout(work=message, nstep=STEPS), data


def test_work_that_would_not_be_done_in_time_is_better_done_elsewhere(start, pendulum):
    server = start("--lame-duck", str(LONG))
    client = Client(server.address)
    model = client.put("m.xml", {"m.xml": pendulum})[0].hash
    rollout(client, model, 64, 10000, {"state0": [[0, 1.0, 0]]})    # its cost is known now
    leave(server)
    message, data = work(model, 1000000, {"state0": [[0, 1.0, 0]]}, ["final_state"], timeout_us=LONG * 1000000)
    with pytest.raises(Failure) as late:
        client.compute(pb.FRAME_ROLLOUT, pb.Rollout(work=message, nstep=1000000), data)
    assert late.value.code == pb.CODE_UNAVAILABLE and late.value.error.retriable and late.value.error.retry_after_us
    client.close()
    assert server.wait() == 0


def test_it_does_not_wait_for_ever(start):
    server = start("--lame-duck", "0.5")
    client = Client(server.address)
    leave(server)
    client.ping()
    with pytest.raises(EOFError):
        client.frame()
    assert server.wait() == 0


def test_strangers_are_no_reason_to_stay(start):
    server = start("--lame-duck", str(LONG), "--hello-timeout", "600")
    stranger = Client(server.address, hello=False)
    stranger.socket.sendall(b"SHF1")
    server.terminate()
    assert server.wait() == 0
    stranger.close()


def test_python_goes_elsewhere(start):
    first, second, between = two(start)
    with sheaf.connect(between.address) as s:
        m = s.load(PENDULUM)
        x = np.c_[np.zeros((64, 1)), np.linspace(-1, 1, 64), np.zeros((64, 1))]
        want, got = m.rollout(x, nstep=50000, outputs=[]).final_state, []
        thread = threading.Thread(target=lambda: got.append(m.rollout(x, nstep=50000, outputs=[]).final_state))
        thread.start()
        asker = Client("unix://" + first.unix)
        first.until(lambda: asker.info().inflight == 1, 5)
        replace(first, second, between)
        asker.close()

        # the next call may still meet the first server; it hears there that it should go
        for _ in range(50):
            m.forward()
        assert s.info()["requests_total"] > 0 and s.info()["state"] == "serving"
        thread.join(60 * SLOW)
        assert (got[0] == want).all()
        assert first.wait() == 0    # the client left, long before it had to
        assert (m.rollout(x, nstep=50000, outputs=[]).final_state == want).all()
    between.close()


def test_python_that_does_not_repeat_stays(start):
    first, second, between = two(start)
    with sheaf.connect(between.address, retry=False) as s:
        m = s.load(PENDULUM)
        want = m.forward()["qacc"]
        replace(first, second, between)
        for _ in range(5):
            assert (m.forward()["qacc"] == want).all()
        assert s.info()["state"] == "leaving"
    assert first.wait() == 0
    between.close()


@built
def test_c_goes_elsewhere(start, tmp_path):
    first, second, between = two(start)
    (tmp_path / "m.xml").write_bytes(PENDULUM)

    def begin():
        return subprocess.Popen([PROGRAM, between.address, tmp_path / "m.xml", "batches"], stdout=subprocess.PIPE, text=True)
    want = begin().communicate(timeout=60 * SLOW)[0]
    program, got = begin(), []
    for line in program.stdout:
        got.append(line)
        if len(got) == 10:
            replace(first, second, between)
            assert first.wait() == 0 and program.poll() is None
    assert program.wait(10 * SLOW) == 0 and "".join(got) == want
    assert "event=started" in second.log()
    between.close()


@built
def test_c_waits_for_what_is_in_flight(start, tmp_path):
    first, second, between = two(start)
    (tmp_path / "m.xml").write_bytes(PENDULUM)
    program = subprocess.Popen([PROGRAM, between.address, tmp_path / "m.xml", "leaving"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               text=True)
    assert program.stdout.readline() == "begun\n"
    replace(first, second, between)
    assert program.communicate("\n", timeout=60 * SLOW)[0] == "leaving\nserving\nok\n"
    assert first.wait() == 0
    between.close()


def test_top_goes_on_with_the_next_server(start):
    first, second, between = two(start)
    top = subprocess.Popen([SHEAF, "top", between.address, "--interval", "0.1"], stdout=subprocess.PIPE, text=True)
    assert "state=serving" in top.stdout.readline()
    replace(first, second, between)
    assert first.wait() == 0
    lines = [top.stdout.readline() for _ in range(5)]
    top.terminate()
    assert all("state=serving" in line for line in lines[2:]), lines
    top.communicate()
    between.close()


def test_a_second_signal_does_not_wait(start):
    server = start("--lame-duck", str(LONG))
    client = Client(server.address)
    leave(server)
    server.terminate()
    assert server.wait(2) == 1
    client.close()


def test_without_a_lame_duck_the_notice_comes_before_the_end(start):
    server = start()
    client = Client(server.address)
    server.terminate()
    assert hear(client).serves_us == 0
    with pytest.raises(EOFError):
        client.frame()
    assert server.wait() == 0


def test_the_period_can_be_set_while_the_server_runs(start, tmp_path):
    conf = tmp_path / "conf"
    conf.write_text("lame-duck = 3600\n")
    server = start("--config", str(conf))
    client = Client(server.address)
    conf.write_text("lame-duck = 0\n")
    server.process.send_signal(1)
    server.until(lambda: "event=reload" in server.log(), 5)
    server.terminate()
    assert server.wait() == 0
    client.close()
