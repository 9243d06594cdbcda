# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""What the system refuses: memory, connections, descriptors, writes. The server goes on, and ends when it is asked to."""
import errno
import mmap
import os
import re
import struct
import subprocess
import time
import urllib.request

import numpy as np
import pytest
from conftest import BUILD, PENDULUM, SHEAF, Server, read_gauges
from wire import Client, Failure, pb, rollout, work

SHIM = os.path.join(BUILD, "tests", "e2e", "libfault_shim.so")
PASS, ALLOCATIONS, ACCEPTS, ACCEPT_ERRNO, WRITES, WRITE_ERRNO, THREADS = range(7)
LOOP, OTHERS, ALL = range(3)    # whose allocations fail


@pytest.fixture
def faulty(start, tmp_path):
    """A server, and a function that tells which of its calls fail."""
    if not os.path.exists(SHIM):
        pytest.skip("no shim in this build")
    path = tmp_path / "faults"
    path.write_bytes(bytes(28))
    with open(path, "r+b") as file:
        told = mmap.mmap(file.fileno(), 28)

    def tell(**orders):
        for name, value in orders.items():
            struct.pack_into("<i", told, 4 * globals()[name], value)

    def left(what):
        return struct.unpack_from("<i", told, 4 * what)[0]

    return start("--metrics", "127.0.0.1:0", LD_PRELOAD=SHIM, SHEAF_FAULTS=str(path)), tell, left


def served(server, seconds=3):
    """A new client gets its answers, soon."""
    def works():
        try:
            client = Client(server.address, timeout=2)
            client.ping()
            client.close()
            return True
        except (Failure, EOFError, OSError):
            return False
    server.until(works, seconds)


def test_no_memory_for_a_connection(faulty):
    server, tell, left = faulty
    served(server)
    for count in (1, 3):
        tell(PASS=0, ALLOCATIONS=count)
        client = Client(server.address, timeout=5)    # it waits; the listener tries again
        client.ping()
        client.close()
        assert left(ALLOCATIONS) == 0
    served(server)


@pytest.mark.parametrize("code", [errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ECONNABORTED, errno.EPROTO])
def test_a_connection_that_cannot_be_accepted(faulty, code):
    server, tell, left = faulty
    tell(ACCEPT_ERRNO=code, ACCEPTS=2)
    try:
        Client(server.address, timeout=2).close()
    except (Failure, EOFError, OSError):
        pass
    served(server, 2)
    assert left(ACCEPTS) == 0


def test_a_write_that_finds_no_buffers_waits(faulty):
    server, tell, left = faulty
    want = session(server)
    tell(WRITE_ERRNO=errno.ENOBUFS, WRITES=3)
    assert np.array_equal(session(server), want) and left(WRITES) == 0


@pytest.mark.parametrize("code", [errno.ENOMEM, errno.EIO, errno.EPIPE])
def test_a_write_that_fails_ends_one_connection(faulty, code):
    server, tell, left = faulty
    client = Client(server.address)
    model = client.put("m.xml", {"m.xml": PENDULUM})[0].hash
    tell(WRITE_ERRNO=code, WRITES=1)
    with pytest.raises((EOFError, ConnectionError)):
        rollout(client, model, 500, 100, {"state0": np.zeros((1, 3))})
    assert left(WRITES) == 0
    client.close()
    served(server)
    server.stop()    # with exit status 0, soon


def session(server):
    """Requests of every kind of size; the numbers of the last."""
    client = Client(server.address, timeout=3)
    try:
        model = client.put("m.xml", {"m.xml": PENDULUM})[0].hash
        rollout(client, model, 2, 3, {"state0": np.zeros((1, 3))})
        control = np.linspace(-1, 1, 40000).reshape(200, 200, 1)
        return rollout(client, model, 200, 200, {"state0": np.zeros((1, 3)), "control": control})["state"]
    finally:
        client.close()


@pytest.mark.parametrize("most", [80, pytest.param(2000, marks=pytest.mark.nightly)])
def test_any_allocation_of_the_loop_may_fail(faulty, most):
    server, tell, left = faulty
    want, failed = session(server), 0
    for n in range(most):
        tell(ALLOCATIONS=0)
        tell(PASS=n, ALLOCATIONS=1)
        try:
            assert np.array_equal(session(server), want)
        except (Failure, EOFError, OSError):
            failed += 1
        if left(ALLOCATIONS):
            break    # the session asks for less than this
    tell(ALLOCATIONS=0)
    assert failed > 20
    assert np.array_equal(session(server), want)
    info = Client(server.address).info()
    assert info.queued_bytes == 0 and info.inflight == 0
    server.stop()


def scrape(server):
    port = re.search(r"address=http://\S+:(\d+)", server.log())
    with urllib.request.urlopen(f"http://127.0.0.1:{port[1]}/metrics", timeout=3) as reply:
        return reply.read()


def wide_session(server, n):
    """What makes all threads ask for memory: a model that nobody knows, rows of every kind with it, lines for the log, numbers for
    an operator. The arrays that came, and whether all their rows are valid."""
    client = Client(server.address, timeout=5)
    try:
        model = client.put("m.xml", {"m.xml": PENDULUM + b"<!--%d-->" % n})[0].hash
        state, pose = np.zeros((1, 3)), np.zeros((20, 1))
        out = rollout(client, model, 40, 30, {"state0": state}, ["state", "xpos", "final_warmstart"])
        arrays, valid = [out["state"], out["xpos"]], not out["status"].any()
        for type_, make, inputs in ((pb.FRAME_TRANSITION_FD, pb.TransitionFD, {"state": np.zeros((20, 3))}),
                                    (pb.FRAME_INVERSE, pb.Inverse, {"qpos": pose, "qacc": pose})):
            message, data = work(model, 20, inputs)
            out = client.compute(type_, make(work=message), data)
            valid &= not out["status"].any()
            arrays += [out[name] for name in sorted(out) if name != "status"]
        scrape(server)
        return arrays, valid
    finally:
        client.close()


@pytest.mark.parametrize("threads", [OTHERS, ALL])
@pytest.mark.parametrize("count", [1, 10**9], ids=["once", "for_ever"])
@pytest.mark.parametrize("most", [60, pytest.param(3000, marks=pytest.mark.nightly)])
def test_any_allocation_of_any_thread_may_fail(faulty, threads, count, most):
    """One allocation of workers, log, metrics and libuv's pool fails, or all do from one on: what is answered is right, nothing is
    kept, and when there is memory again everything works."""
    server, tell, left = faulty
    (want, valid), failed, pid = wide_session(server, 0), 0, server.process.pid
    assert valid

    def held():
        """All but models: each session leaves one more in the cache."""
        return {name: value for name, value in read_gauges(server).items() if not name.startswith("model")}

    before = held()
    for n in range(most):
        tell(ALLOCATIONS=0)
        tell(THREADS=threads, PASS=n, ALLOCATIONS=count)
        try:
            got, valid = wide_session(server, 1 + n)
            if valid:
                assert all(np.array_equal(a, b) for a, b in zip(got, want))
            failed += not valid
        except (Failure, EOFError, OSError):
            failed += 1
        assert server.process.poll() is None, server.log()
        spent = left(ALLOCATIONS) < count
        tell(ALLOCATIONS=0)
        served(server)
        if not spent:
            break    # the session asks for less than this
    assert failed > 5, failed
    got, valid = wide_session(server, 0)
    assert valid and all(np.array_equal(a, b) for a, b in zip(got, want)) and server.process.pid == pid
    server.until(lambda: held() == before, 10)
    print(f"{n + 1} faults, {failed} seen by the client")


def test_standard_streams_that_are_closed(tmp_path):
    path = tmp_path / "s.sock"
    process = subprocess.Popen([SHEAF, "serve", "--no-tcp", "--unix", str(path)],
                               preexec_fn=lambda: [os.close(fd) for fd in (0, 1, 2)])
    end = time.monotonic() + 10
    while not Server.listens(path):
        assert process.poll() is None and time.monotonic() < end
        time.sleep(0.01)
    client = Client(f"unix://{path}")
    client.put("m.xml", {"m.xml": PENDULUM})
    client.close()
    process.terminate()
    assert process.wait(10) == 0


@pytest.mark.parametrize("where", ["127.0.0.1:65536", "127.0.0.1:70000", "127.0.0.1:99999999999999999999"])
def test_a_port_that_is_none(where):
    done = subprocess.run([SHEAF, "serve", "--listen", where], capture_output=True, text=True, timeout=10)
    assert done.returncode == 1 and "65535" in done.stderr
