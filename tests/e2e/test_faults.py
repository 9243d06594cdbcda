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
from test_tls import Authority, connect
from wire import Client, Failure, pb, rollout, work

SHIM = os.path.join(BUILD, "tests", "e2e", "libfault_shim.so")
FAULTY = os.path.join(BUILD, "tests", "e2e", "faulty", "libsheaf.so.0")
ORDERS = ("PASS", "ALLOCATIONS", "ACCEPTS", "ACCEPT_ERRNO", "WRITES", "WRITE_ERRNO", "THREADS", "IO_PASS", "IOS", "IO_ERRNO", "IO_WHICH")
LOOP, OTHERS, ALL, SPAWNER, COMPILER = range(5)    # whose allocations fail
BOTH, ONLY_READS, ONLY_WRITES = range(3)           # which calls on streams fail


class Orders:
    """What the shim reads: tell(PASS=3, ALLOCATIONS=1) lets three allocations pass and makes the next one fail."""

    def __init__(self, path):
        path.write_bytes(bytes(4 * len(ORDERS)))
        with open(path, "r+b") as file:
            self.told = mmap.mmap(file.fileno(), 4 * len(ORDERS))

    def tell(self, **orders):
        # how much to pass before how many: the other way round a fault could come before its turn
        for name in sorted(orders, key=lambda name: name in ("ALLOCATIONS", "ACCEPTS", "WRITES", "IOS")):
            struct.pack_into("<i", self.told, 4 * ORDERS.index(name), orders[name])

    def left(self, name):
        return struct.unpack_from("<i", self.told, 4 * ORDERS.index(name))[0]


@pytest.fixture
def faulty(start, tmp_path):
    """A server, and functions that tell which of its calls fail and how many of them are left."""
    if not os.path.exists(SHIM):
        pytest.skip("no shim in this build")
    orders = Orders(tmp_path / "faults")
    server = start("--metrics", "127.0.0.1:0", LD_PRELOAD=SHIM, SHEAF_FAULTS=str(tmp_path / "faults"))
    return server, orders.tell, orders.left


@pytest.fixture
def faulty_compiler(start, tmp_path):
    """The same for the processes that compile models."""
    if not os.path.exists(FAULTY):
        pytest.skip("no library with faults in this build")
    folder = tmp_path / "library"
    folder.mkdir()
    (folder / "libsheaf.so.0").symlink_to(FAULTY)
    orders = Orders(folder / "faults")
    server = start(LD_LIBRARY_PATH=str(folder))
    return server, orders.tell, orders.left


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
        assert left("ALLOCATIONS") == 0
    served(server)


@pytest.mark.parametrize("code", [errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ECONNABORTED, errno.EPROTO, errno.EPERM,
                                  errno.ENOBUFS, errno.EINTR, errno.EOPNOTSUPP, errno.ENETDOWN, errno.ETIMEDOUT])
def test_a_connection_that_cannot_be_accepted(faulty, code):
    server, tell, left = faulty
    tell(ACCEPT_ERRNO=code, ACCEPTS=2)
    try:
        Client(server.address, timeout=2).close()
    except (Failure, EOFError, OSError):
        pass
    served(server, 2)
    assert left("ACCEPTS") == 0


def test_a_write_that_finds_no_buffers_waits(faulty):
    server, tell, left = faulty
    want = session(server)
    tell(WRITE_ERRNO=errno.ENOBUFS, WRITES=3)
    assert np.array_equal(session(server), want) and left("WRITES") == 0


@pytest.mark.parametrize("code", [errno.ENOMEM, errno.EIO, errno.EPIPE])
def test_a_write_that_fails_ends_one_connection(faulty, code):
    server, tell, left = faulty
    client = Client(server.address)
    model = client.put("m.xml", {"m.xml": PENDULUM})[0].hash
    tell(WRITE_ERRNO=code, WRITES=1)
    with pytest.raises((EOFError, ConnectionError)):
        rollout(client, model, 500, 100, {"state0": np.zeros((1, 3))})
    assert left("WRITES") == 0
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
        if left("ALLOCATIONS"):
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

    def held():
        """All but models: each session leaves one more in the cache."""
        return {name: value for name, value in read_gauges(server).items() if not name.startswith("model")}

    # before the first session: a while after one, the server may still have the socket of its last question for metrics
    before = held()
    (want, valid), failed, pid = wide_session(server, 0), 0, server.process.pid
    assert valid
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
        spent = left("ALLOCATIONS") < count
        tell(ALLOCATIONS=0)
        served(server)
        if not spent:
            break    # the session asks for less than this
    assert failed > 5, failed
    got, valid = wide_session(server, 0)
    assert valid and all(np.array_equal(a, b) for a, b in zip(got, want)) and server.process.pid == pid
    try:
        server.until(lambda: held() == before, 10)
    except AssertionError:
        assert held() == before    # says which gauge
    print(f"{n + 1} faults, {failed} seen by the client")


def answered(server, want):
    """Does a session come to its end? What it returns is right then."""
    try:
        assert np.array_equal(session(server), want)
        return True
    except (Failure, EOFError, OSError):
        return False


@pytest.mark.parametrize("which", [ONLY_READS, ONLY_WRITES], ids=["reads", "writes"])
@pytest.mark.parametrize("code", [0, errno.EINTR, errno.EAGAIN, errno.ECONNRESET, errno.ENOBUFS, errno.EIO],
                         ids=["one_byte", "EINTR", "EAGAIN", "ECONNRESET", "ENOBUFS", "EIO"])
@pytest.mark.parametrize("most", [40, pytest.param(500, marks=pytest.mark.nightly)])
def test_each_read_and_write_in_turn_is_short_or_fails(faulty, which, code, most):
    """Call n of a session: what does not end the connection changes no bit, and what ends it ends nothing else."""
    server, tell, left = faulty
    want, lost, pid = session(server), 0, server.process.pid
    before = {k: v for k, v in read_gauges(server).items() if not k.startswith("model")}
    gentle = code in (0, errno.EINTR, errno.EAGAIN) or (code == errno.ENOBUFS and which == ONLY_WRITES)
    for n in range(most):
        tell(IO_PASS=n, IO_ERRNO=code, IO_WHICH=which, IOS=1)
        well = answered(server, want)
        lost += not well
        assert well or not gentle, n
        spent = left("IOS") == 0
        tell(IOS=0)
        if not spent:
            break    # the session has fewer calls
    # answers that are ready together go in one write, so a session has four or more
    assert n >= 4 and (gentle or lost >= 3), (n, lost)
    assert answered(server, want) and server.process.pid == pid
    server.until(lambda: {k: v for k, v in read_gauges(server).items() if not k.startswith("model")} == before, 10)
    print(f"{n} calls, {lost} sessions lost")


@pytest.mark.parametrize("which", [BOTH, ONLY_READS, ONLY_WRITES], ids=["both", "reads", "writes"])
def test_all_reads_and_writes_are_of_one_byte(faulty, which):
    server, tell, left = faulty
    client = Client(server.address)
    model = client.put("m.xml", {"m.xml": PENDULUM})[0].hash
    control = np.linspace(-1, 1, 2000).reshape(20, 100, 1)

    def ask():
        return rollout(client, model, 20, 100, {"state0": np.zeros((1, 3)), "control": control}, ["state"])

    want = ask()
    tell(IO_ERRNO=0, IO_WHICH=which, IOS=2**31 - 1)
    got = ask()
    assert left("IOS") < 2**31 - 1 - 15000    # of the control, of the states that are sent, or of both
    tell(IOS=0)
    assert sorted(got) == sorted(want) and all(np.array_equal(got[name], want[name]) for name in want)
    client.close()


@pytest.mark.parametrize("count", [1, 10**9], ids=["once", "for_ever"])
@pytest.mark.parametrize("stride", [37, pytest.param(3, marks=pytest.mark.nightly)])
def test_any_allocation_of_a_compiler_may_fail(faulty_compiler, count, stride):
    """It costs the one model; the server and other clients do not notice."""
    server, tell, left = faulty_compiler
    client, other, failed, pid = Client(server.address), Client(server.address), 0, server.process.pid
    assert client.put("m.xml", {"m.xml": PENDULUM})[0].nq == 1
    most = 20000
    for n in range(6 % stride, most, stride):    # the sixth is one of the first of the reader of XML
        tell(THREADS=COMPILER, PASS=n, ALLOCATIONS=count)
        try:
            assert client.put("m.xml", {"m.xml": PENDULUM + b"<!--%d-->" % n})[0].nq == 1
        except Failure as e:
            # an answer of the compiler, which has not crashed
            assert e.id and e.code == pb.CODE_FAILED_PRECONDITION and "memory" in str(e), (n, e)
            failed += 1
        other.ping()
        spent = left("ALLOCATIONS") < count
        tell(ALLOCATIONS=0)
        if not spent:
            break    # a compilation asks for less than this
    assert n < most - stride and failed > 5, (n, failed)
    assert client.put("m.xml", {"m.xml": PENDULUM + b"<!---->"})[0].nq == 1 and server.process.pid == pid
    assert "compiler_lost" not in server.log()
    print(f"{n // stride} faults, {failed} models refused")


def test_the_process_that_starts_compilers_needs_no_memory(faulty_compiler):
    server, tell, left = faulty_compiler
    client = Client(server.address)
    client.put("m.xml", {"m.xml": PENDULUM})    # afterwards the process has started
    tell(THREADS=SPAWNER, PASS=0, ALLOCATIONS=10**9)
    for n in range(5):
        assert client.put("m.xml", {"m.xml": PENDULUM + b"<!--%d-->" % n})[0].nq == 1
    assert left("ALLOCATIONS") == 10**9


@pytest.mark.parametrize("count", [1, 10**9], ids=["once", "for_ever"])
@pytest.mark.parametrize("stride", [29, pytest.param(2, marks=pytest.mark.nightly)])
def test_any_allocation_of_a_tls_connection_may_fail(start, tmp_path, count, stride):
    """OpenSSL takes its memory from malloc, so that its allocations fail as others do."""
    if not os.path.exists(SHIM):
        pytest.skip("no shim in this build")
    ca, orders = Authority(tmp_path, "authority"), Orders(tmp_path / "faults")
    certificate, key = ca.sign("host", "DNS:localhost,IP:127.0.0.1")
    server = start("--tls-certificate", certificate, "--tls-key", key, LD_PRELOAD=SHIM, SHEAF_FAULTS=str(tmp_path / "faults"))
    server.port = int(re.search(r"address=tls://\S+:(\d+)", server.log())[1])

    def encrypted():
        client = connect(server, ca, timeout=1)
        client.socket.settimeout(5)
        try:
            client.ping()
            return client.put("m.xml", {"m.xml": PENDULUM})[0].nq == 1
        finally:
            client.close()

    assert encrypted()
    failed, most, pid = 0, 6000, server.process.pid
    before = {k: v for k, v in read_gauges(server).items() if not k.startswith("model")}
    for n in range(0, most, stride):
        orders.tell(THREADS=LOOP, PASS=n, ALLOCATIONS=count)
        try:
            assert encrypted()
        except (Failure, EOFError, OSError):
            failed += 1
        assert server.process.poll() is None, server.log()
        spent = orders.left("ALLOCATIONS") < count
        orders.tell(ALLOCATIONS=0)
        if not spent:
            break    # the session asks for less than this
    assert n < most - stride and failed > 5, (n, failed)
    assert encrypted() and server.process.pid == pid
    server.until(lambda: {k: v for k, v in read_gauges(server).items() if not k.startswith("model")} == before, 10)
    print(f"{n // stride} faults, {failed} sessions failed")


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
