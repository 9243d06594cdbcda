# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""What an operator sees: /metrics, /livez, /readyz, and what a crash leaves behind."""
import http.client
import re
import signal
import socket
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from conftest import BUILD, SHEAF, SLOW, Server
from wire import Client, Failure, pb, work

sheaf = pytest.importorskip("sheaf", reason="pip install ./clients/python")
parser = pytest.importorskip("prometheus_client.parser", reason="pip install prometheus-client")

PENDULUM = b'<mujoco><worldbody><body><joint axis="0 1 0"/><geom size=".1" pos="0 0 -1"/></body></worldbody></mujoco>'


@pytest.fixture
def monitored(start):
    return start("--metrics", "127.0.0.1:0")


def address(server):
    host, port = re.search(r"event=monitoring address=http://(\S+):(\d+)", server.log()).groups()
    return host, int(port)


def ask(server, path, method="GET"):
    connection = http.client.HTTPConnection(*address(server), timeout=10 * SLOW)
    connection.request(method, path)
    reply = connection.getresponse()
    return reply.status, reply.read().decode()


def metrics(server):
    """{(name, labels): value} as Prometheus' own parser reads them."""
    status, text = ask(server, "/metrics")
    assert status == 200
    return {(s.name, tuple(s.labels.values())): s.value
            for family in parser.text_string_to_metric_families(text) for s in family.samples}


def test_metrics_count_what_was_done(monitored):
    with sheaf.connect(monitored.address) as session:
        m = session.load(PENDULUM)
        m.rollout(np.zeros((7, m.nstate)), nstep=11)
        with pytest.raises(sheaf.InvalidArgument):
            m.rollout(np.zeros((1, m.nstate + 1)), nstep=1)
        seen = metrics(monitored)
        name = m.hash[:16]
    assert seen["sheaf_rows_total", ()] == 7
    assert seen["sheaf_steps_total", ()] == 77
    assert seen["sheaf_model_rows_total", (name,)] == 7
    assert seen["sheaf_model_steps_total", (name,)] == 77
    assert seen["sheaf_model_memory_bytes", (name,)] > 0
    assert seen["sheaf_connections", ()] == 1
    steps = {labels: n for (name, labels), n in seen.items() if name == "sheaf_identity_steps_total"}
    assert list(steps.values()) == [77]
    assert seen["sheaf_request_seconds_count", ("rollout",)] >= 1
    assert seen["sheaf_request_seconds_count", ("model_put",)] == 1
    assert seen["sheaf_request_seconds_bucket", ("rollout", "+Inf")] == seen["sheaf_request_seconds_count", ("rollout",)]
    assert 0 < seen["sheaf_request_seconds_sum", ("rollout",)] < 10 * SLOW
    assert seen["process_resident_memory_bytes", ()] > 1 << 20
    assert seen["sheaf_loop_round_seconds_count", ()] > 0
    assert sum(n for (name, _), n in seen.items() if name == "sheaf_errors_total") in (0, 1)


def test_errors_are_counted_by_code(monitored):
    client = Client(monitored.address)
    with pytest.raises(Failure):
        client.ask(pb.FRAME_MODEL_INFO, pb.ModelInfo(hash=bytes(32)))
    assert metrics(monitored)["sheaf_errors_total", ("CODE_NOT_FOUND",)] == 1
    client.close()


TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


def requests_in(log, kind):
    """The log's lines about requests of a kind, as dictionaries."""
    lines = [line for line in log.splitlines() if "event=request " in line and f" kind={kind} " in line]
    return [dict(re.findall(r'(\w+)=("[^"]*"|\S+)', line)) for line in lines]


def test_the_log_tells_of_requests(start):
    server = start("--log-requests", "0")
    with sheaf.connect(server.address) as session:
        session.trace = TRACE
        m = session.load(PENDULUM)
        session.trace = lambda: TRACE.replace("b7", "c8")
        m.rollout(np.zeros((4, m.nstate)), nstep=1000)
        session.trace = "no trace at all"
        m.rollout(np.zeros((1, m.nstate)), nstep=1)
    client = Client(server.address)
    with pytest.raises(Failure):
        client.ask(pb.FRAME_MODEL_INFO, pb.ModelInfo(hash=bytes(32)))
    client.ping()
    client.close()
    Server.until(lambda: len(requests_in(server.log(), "model_info")) == 2 and requests_in(server.log(), "ping"), 10)
    ping = requests_in(server.log(), "ping")[-1]
    put, = requests_in(server.log(), "model_put")
    long, short = requests_in(server.log(), "rollout")
    failed = requests_in(server.log(), "model_info")[-1]
    assert put["trace"] == TRACE and long["trace"] == TRACE.replace("b7", "c8") and short["trace"] == "-"
    assert long["model"] == m.hash[:16] and long["code"] == "OK" and failed["code"] == "NOT_FOUND"
    assert "127.0.0.1" in long["peer"] and long["identity"] == failed["identity"] == ping["identity"] == '"127.0.0.1"'
    times = [int(long[f"{name}_us"]) for name in ("queue", "compute", "send", "total")]
    assert times[1] > 0 and abs(sum(times[:3]) - times[3]) < 10


def test_the_log_tells_of_failed_and_slow_requests_only(start):
    server = start()
    client = Client(server.address)
    client.ping()
    with pytest.raises(Failure):
        client.ask(pb.FRAME_MODEL_INFO, pb.ModelInfo(hash=bytes(32)))
    client.close()
    Server.until(lambda: requests_in(server.log(), "model_info"), 10)
    assert not requests_in(server.log(), "ping") and not requests_in(server.log(), "hello")


def test_only_these_paths_and_methods(monitored):
    assert ask(monitored, "/livez") == (200, "ok\n")
    assert ask(monitored, "/readyz") == (200, "ok\n")
    assert ask(monitored, "/")[0] == 404
    assert ask(monitored, "/metrics/../livez")[0] == 404
    assert ask(monitored, "/metrics", "POST")[0] == 405
    assert ask(monitored, "/metrics", "HEAD") == (200, "")


def test_a_server_that_drains_is_live_and_not_ready(start):
    server = start("--metrics", "127.0.0.1:0", "--drain-timeout", "2")
    with sheaf.connect(server.address, retry=False) as session, ThreadPoolExecutor(1) as pool:
        m = session.load(PENDULUM)
        future = pool.submit(m.rollout, np.zeros((64, m.nstate)), nstep=1_000_000)
        Server.until(lambda: metrics(server)["sheaf_jobs", ()] == 1, 10)
        server.terminate()
        Server.until(lambda: ask(server, "/readyz")[0] == 503, 2)
        assert ask(server, "/livez")[0] == 200
        assert metrics(server)["sheaf_draining", ()] == 1
        with pytest.raises(sheaf.Error):
            future.result(20 * SLOW)
    assert server.wait(20) == 0


def test_idle_and_hostile_visitors_do_not_keep_others_out(monitored):
    visitors = []
    for i in range(40):
        s = socket.create_connection(address(monitored), timeout=10 * SLOW)
        try:
            s.sendall([b"", b"GET /metrics HTTP/1.1\r\nA: " + b"x" * 100_000, b"\x16\x03\x01garbage\r\n\r\n"][i % 3])
        except OSError:
            pass
        visitors.append(s)

    def answers():
        try:
            return ask(monitored, "/livez")[0] == 200
        except (OSError, http.client.HTTPException):
            return False

    Server.until(answers, 15)

    # nor do those that send byte by byte, so that no pause is long enough to close them
    for _ in range(40):
        visitors.append(socket.create_connection(address(monitored), timeout=10 * SLOW))
        visitors[-1].sendall(b"GET /livez HTTP/1.1\r\nA: ")
    end = time.monotonic() + 2
    while time.monotonic() < end:
        for s in visitors[-40:]:
            try:
                s.send(b"a")
            except OSError:
                pass
        assert ask(monitored, "/livez")[0] == 200
        time.sleep(0.2)
    for s in visitors:
        s.close()


@pytest.mark.skipif("asan" in BUILD, reason="the sanitizer reports itself")
def test_a_crash_says_where(start):
    server = start()
    server.process.send_signal(signal.SIGSEGV)
    assert server.wait() == -signal.SIGSEGV
    log = server.log()
    assert "event=crash signal=11" in log and 'build="sheaf ' in log
    assert re.search(r"sheaf\(\+0x[0-9a-f]+\)", log[log.index("event=crash"):])


def long_job(client, hash_):
    message, data = work(hash_, 64, {"state0": np.zeros((1, 3))}, ["final_state"])
    return client.send(pb.FRAME_ROLLOUT, pb.Rollout(work=message, nstep=10_000_000), data)


@pytest.mark.skipif("asan" in BUILD, reason="the sanitizer reports itself")
def test_a_crash_says_what_was_computed(start):
    server = start()
    client = Client(server.address)
    hash_ = client.put("m.xml", {"m.xml": PENDULUM})[0].hash
    id_ = long_job(client, hash_)
    asker = Client("unix://" + server.unix)
    Server.until(lambda: asker.info().inflight == 1, 10)
    time.sleep(0.1)    # a worker puts a job down for a moment between its turns
    server.process.send_signal(signal.SIGABRT)
    assert server.wait() == -signal.SIGABRT
    lines = [line for line in server.log().splitlines() if "event=crash_work" in line]
    assert lines and len({re.search(r"worker=(\d+)", line).group(1) for line in lines}) == len(lines) <= 2
    for line in lines:
        assert f" id={id_} kind=rollout model={hash_.hex()[:16]} identity=\"127.0.0.1\"" in line


# a step of so many bodies in one place takes a second
CROWD = ("<mujoco><size memory='500M'/><worldbody>"
         + "".join(f'<body pos="0 0 {1e-3 * i}"><freejoint/><geom size=".1"/></body>' for i in range(200)) + "</worldbody></mujoco>").encode()


def test_a_worker_that_stands_still_is_reported_with_its_request(start):
    server = start("--metrics", "127.0.0.1:0", "--stuck-worker", "0.1")
    client = Client(server.address)
    reply, arrays = client.put("m.xml", {"m.xml": CROWD})
    hash_ = reply.hash
    message, data = work(hash_, 1, {"state0": arrays["state0"][None]}, ["final_state"])
    id_ = client.send(pb.FRAME_ROLLOUT, pb.Rollout(work=message, nstep=1), data)
    Server.until(lambda: "event=worker_stuck" in server.log(), 20)
    line = next(line for line in server.log().splitlines() if "event=worker_stuck" in line)
    assert f" id={id_} identity=\"127.0.0.1\" kind=rollout model={hash_.hex()[:16]}" in line
    assert int(re.search(r" ms=(\d+)", line).group(1)) >= 100
    client.wait(id_)
    Server.until(lambda: "event=worker_goes_on" in server.log(), 5)
    stacks = [line for line in server.log().splitlines() if "event=stack" in line]
    assert any("runItem" in line or "libsheaf" in line for line in stacks)
    assert metrics(server)["sheaf_worker_stalls_total", ()] == 1 == server.log().count("event=worker_stuck")

    # long work in small portions is nothing to report
    long = long_job(client, client.put("p.xml", {"p.xml": PENDULUM})[0].hash)
    time.sleep(1)
    client.ask(pb.FRAME_CANCEL, pb.Cancel(request_id=long))
    with pytest.raises(Failure):
        client.wait(long)
    assert server.log().count("event=worker_stuck") == 1
    client.close()


@pytest.mark.parametrize("where", ["0.0.0.0:0", "[::]:0", "example:1", "127.0.0.1:99999"])
def test_monitoring_is_for_this_machine_only(where):
    done = subprocess.run([SHEAF, "serve", "--listen", "127.0.0.1:0", "--metrics", where], capture_output=True,
                          timeout=20 * SLOW, text=True)
    assert done.returncode != 0 and "metrics" in done.stderr
