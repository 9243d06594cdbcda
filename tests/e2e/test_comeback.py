# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Clients come back: servers that are killed, stopped, busy or cut off, and calls that end with the same bits or a clear reason."""
import asyncio
import dataclasses
import hashlib
import os
import random
import signal
import socket
import subprocess
import threading
import time

import numpy as np
import pytest
from between import Between
from conftest import BUILD, PENDULUM, SLOW, Server
from wire import Client, Failure, pb, work

sheaf = pytest.importorskip("sheaf", reason="pip install ./clients/python")
from sheaf.asked import Asked
from sheaf.flight import Flight    # noqa: E402
PROGRAM = os.path.join(BUILD, "tests", "e2e", "client_program")
built = pytest.mark.skipif(not os.path.exists(PROGRAM), reason="tests were not built")
ROUNDS = int(os.environ.get("TEST_ROUNDS", "3"))    # a night has 40
QUICK = sheaf.Retry(patience=20 * SLOW, first=0.001, most=0.01)


class Mortal:
    """A server at an address that stays, however often it is killed."""

    def __init__(self, folder):
        with socket.create_server(("127.0.0.1", 0)) as s:
            self.port = s.getsockname()[1]
        self.folder, self.server = folder, None
        self.start()

    def start(self, *args):
        self.server = Server(self.folder, "--listen", f"127.0.0.1:{self.port}", *args)

    def kill(self, how=signal.SIGKILL):
        self.server.process.send_signal(how)
        self.server.wait(30)
        self.server.log_file.close()

    def stop(self):
        if self.server.process.poll() is None:
            self.server.stop()


@pytest.fixture
def mortal(tmp_path):
    m = Mortal(tmp_path)
    yield m
    m.stop()


@pytest.fixture
def between(server):
    b = Between(server.tcp)
    yield b
    b.close()


def batch(k):
    """States and controls of the k-th batch."""
    rng = np.random.default_rng(k)
    return np.c_[np.zeros((16, 1)), rng.uniform(-1, 1, (16, 2))], rng.uniform(-1, 1, (16, 400, 1))


def answers(m, k):
    x, u = batch(k)
    r = m.rollout(x, u, outputs="qacc")
    return [r.state, r.sensordata, r.outputs["qacc"], r.status, *m.transition_fd(x)]


def same(a, b):
    return len(a) == len(b) and all(x.dtype == y.dtype and x.tobytes() == y.tobytes() for x, y in zip(a, b))


def kill_now_and_then(mortal, progress):
    """End and start the server again, in the middle of the work: when 25, 50, 75 of 100 are done. Every third time it may drain. Where
    this process had to wait for a processor meanwhile, the work may be over early."""
    for n in range(ROUNDS):
        Server.until(lambda: progress() >= 100 * (n + 1) // (ROUNDS + 1), 60)
        time.sleep(random.uniform(0, 0.02))
        if progress() >= 100:
            assert n > ROUNDS // 2
            return
        mortal.kill(signal.SIGTERM if n % 3 == 2 else signal.SIGKILL)
        time.sleep(random.uniform(0, 0.1))
        mortal.start()


def test_python_gets_every_batch_of_a_server_that_is_killed(mortal):
    with sheaf.connect(threads=1) as s:
        m = s.load(PENDULUM)
        want = [answers(m, k) for k in range(100)]
    got = {}
    with sheaf.connect(mortal.server.tcp, retry=QUICK) as s:
        m = s.load(PENDULUM)

        def work(first):
            for k in range(first, 100, 4):
                got[k] = answers(m, k)
        threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
        for t in threads:
            t.start()
        kill_now_and_then(mortal, lambda: len(got))
        for t in threads:
            t.join(60 * SLOW)
    assert sorted(got) == list(range(100)) and all(same(got[k], want[k]) for k in range(100))


@built
def test_c_gets_every_batch_of_a_server_that_is_killed(mortal, tmp_path):
    (tmp_path / "m.xml").write_bytes(PENDULUM)

    def begin():
        return subprocess.Popen([PROGRAM, "unix://" + mortal.server.unix, tmp_path / "m.xml", "batches"], stdout=subprocess.PIPE, text=True)
    calm = begin()
    want = calm.communicate(timeout=60 * SLOW)[0]
    program, got = begin(), []
    reader = threading.Thread(target=lambda: got.extend(program.stdout))
    reader.start()
    kill_now_and_then(mortal, lambda: len(got))
    reader.join(60 * SLOW)
    assert program.wait(10) == calm.returncode == 0 and "".join(got) == want and len(got) == 101


@built
def test_c_shares_memory_with_the_next_server_as_well(mortal, tmp_path):
    (tmp_path / "m.xml").write_bytes(PENDULUM)
    program = subprocess.Popen([PROGRAM, "unix://" + mortal.server.unix, tmp_path / "m.xml", "restarted"], stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE, text=True)
    assert program.stdout.readline() == "connected\n"
    mortal.kill()
    mortal.start()
    assert program.communicate("\n", timeout=20 * SLOW)[0] == "ok\n"


@built
def test_c_through_a_connection_that_is_cut(between, tmp_path):
    (tmp_path / "m.xml").write_bytes(PENDULUM)

    def begin(what):
        return subprocess.Popen([PROGRAM, between.address, tmp_path / "m.xml", what], stdout=subprocess.PIPE, text=True)
    want = begin("batches").communicate(timeout=60 * SLOW)[0]
    program, got, rng = begin("batches"), [], random.Random(1)
    for n, line in enumerate(program.stdout):
        got.append(line)
        if n % 4 == 0:
            between.cut = ("up", rng.randrange(3000)) if n % 8 else ("down", rng.randrange(500000))
    assert program.wait(10 * SLOW) == 0 and "".join(got) == want and between.cuts > 15

    # rows that came are not asked for again
    between.asked.clear()
    between.cut = "down", 10000000
    assert begin("large").communicate(timeout=60 * SLOW)[0] == "ok\n"
    assert [r.work.nbatch for r in between.asked][0] == 2000 and between.asked[1].work.nbatch < 1900


@built
def test_c_gives_up_when_nobody_is_there(mortal, tmp_path):
    (tmp_path / "m.xml").write_bytes(PENDULUM)
    program = subprocess.Popen([PROGRAM, mortal.server.tcp, tmp_path / "m.xml", "gone"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               text=True)
    assert program.stdout.readline() == "connected\n"
    mortal.kill()
    assert program.communicate("\n", timeout=20 * SLOW)[0] == "ok\n"


def test_python_gives_up_when_nobody_is_there(mortal, tmp_path):
    open_sessions = [sheaf.connect(mortal.server.tcp, **o) for o in
                     ({"retry": sheaf.Retry(patience=0.4)}, {"timeout": 0.4 * SLOW}, {"retry": False})]
    models = [s.load(PENDULUM) for s in open_sessions]
    mortal.kill()
    elsewhere = Server(tmp_path)
    start = time.monotonic()
    with pytest.raises(sheaf.Unavailable, match="refused.*gave up after .* attempts"):
        models[0].forward()
    with pytest.raises(sheaf.DeadlineExceeded, match=f"no answer within {0.4 * SLOW:g} s: .*refused") as late:
        models[1].forward()
    with pytest.raises(sheaf.Unavailable, match="lost") as lost:
        models[2].forward()
    assert time.monotonic() - start < 5 * SLOW and "gave up" not in str(lost.value)
    assert isinstance(late.value.__cause__, sheaf.Unavailable)
    for s in open_sessions:
        s.close()
    elsewhere.stop()


def test_questions_after_a_restart_go_to_the_new_server(mortal):
    """Nobody had noticed that the connection was lost. They wait for no server, and with retry=False they fail as any call does."""
    with sheaf.connect(mortal.server.tcp) as s, sheaf.connect(mortal.server.tcp, retry=False) as strict:
        for ask in (s.models, s.info, s.ping):
            mortal.kill()
            mortal.start()
            ask()
        mortal.kill()
        for ask in (strict.ping, s.ping, s.ping):
            with pytest.raises(sheaf.Unavailable, match="lost|refused"):
                ask()
        mortal.start()
        s.ping()


def test_a_session_that_was_closed_stays_closed(mortal):
    s = sheaf.connect(mortal.server.tcp)
    m = s.load(PENDULUM)
    failed = []

    def wait():
        try:
            m.rollout(m.state0, nstep=1000000)
        except sheaf.Error as e:
            failed.append(e)
    t = threading.Thread(target=wait)
    t.start()
    time.sleep(0.1)
    s.close()
    t.join(10 * SLOW)
    assert isinstance(failed[0], sheaf.Unavailable)


def test_a_busy_server_is_asked_when_it_says(between):
    with sheaf.connect(between.address, retry=QUICK) as s:
        m = s.load(PENDULUM)
        want = m.forward()["qacc"]
        between.asked.clear()
        between.busy = 3
        start = time.monotonic()
        assert same([m.forward()["qacc"]], [want])
        assert time.monotonic() - start >= 3 * between.hint and len(between.asked) == 4
    with sheaf.connect(between.address, retry=False) as s:
        m = s.load(PENDULUM)
        between.busy = 1
        with pytest.raises(sheaf.ResourceExhausted, match="^busy$") as busy:
            m.forward()
        assert busy.value.retriable and abs(busy.value.retry_after - between.hint) < 1e-6


def test_what_is_wrong_is_not_repeated(between, pendulum):
    with sheaf.connect(between.address, retry=QUICK, timeout=2 * SLOW) as s:
        m = s.load(PENDULUM)
        between.asked.clear()
        with pytest.raises(sheaf.InvalidArgument):
            m._backend.run(m.info_, Asked(sheaf.table.REQUESTS["rollout"], 1, {"nstep": 1}, {}), {"state0": np.zeros((1, 2))}, None, Flight(), {})
        with pytest.raises(sheaf.ResourceExhausted) as limit:
            m.rollout(m.state0, nstep=20000000)
        assert not limit.value.retriable
        with pytest.raises(sheaf.DeadlineExceeded):
            asked = Asked(sheaf.table.REQUESTS["rollout"], 1, {"nstep": 20000000}, {"final_state": sheaf.calls.Wanted((1, 3), np.dtype(float))})
            m._backend.run(m.info_, asked, {"state0": np.zeros((1, 3))}, None, Flight(), {})
        assert len(between.asked) == 3
        with pytest.raises(sheaf.FailedPrecondition):
            s.load(b"<mujoco><gem/></mujoco>")


def test_a_full_server_is_asked_again(start):
    server = start("--max-connections", "1")
    first = sheaf.connect(server.tcp)
    timer = threading.Timer(0.2, first.close)
    timer.start()
    with sheaf.connect(server.tcp) as s:    # is told to come back in a second
        assert s.ping() < 5
    with pytest.raises(sheaf.Unavailable, match="refused"):
        sheaf.connect("tcp://127.0.0.1:1")


def test_a_client_is_not_its_own_server(monkeypatch):
    def to_itself(address, timeout=None):    # as if the system had given the socket the port that it asks for
        s = socket.socket()
        s.bind(("127.0.0.1", 0))
        s.connect(s.getsockname())
        return s
    monkeypatch.setattr(socket, "create_connection", to_itself)
    with pytest.raises(sheaf.Unavailable, match="refused") as e:
        sheaf.connect("tcp://127.0.0.1:40000", retry=False)
    assert e.value.retriable


def calls_of(m):
    """Functions that make calls of many kinds, each the same call every time, and return their arrays."""
    x, u = np.c_[np.zeros((64, 1)), np.random.default_rng(2).uniform(-1, 1, (64, 2))], np.random.default_rng(3).uniform(-1, 1, (64, 100, 1))
    q, v = x[:, 1:2], x[:, 2:]
    step = m.prepare(64, nstep=100)

    async def later():
        return await m.aio.rollout(x, u)

    def arrays(r):
        return [r.state, r.sensordata, r.status, *r.outputs.values()]

    def sampled():
        r = m.sample(m.state0, np.zeros((20, 1)), sampler=sheaf.MPPI(), cost=[sheaf.Cost("quadratic", "qpos")], seed=3)
        return [r.knots, r.cost]
    return {"rollout": lambda: arrays(m.rollout(x, u, outputs="qacc")), "prepared": lambda: [a.copy() for a in arrays(step(x, u))],
            "submitted": lambda: arrays(m.submit.rollout(x, u).result(timeout=60 * SLOW)), "asyncio": lambda: arrays(asyncio.run(later())),
            "forward": lambda: list(m.forward(qpos=q, qvel=v, outputs="xpos").values()), "inverse": lambda: [m.inverse(qpos=q, qvel=v, qacc=v)],
            "differences": lambda: list(m.transition_fd(x)), "derivatives": lambda: list(m.transition_derivatives(x, u[:, 0])),
            "sample": sampled}


def test_calls_of_all_kinds_are_cut(between):
    rng = random.Random(4)
    with sheaf.connect(threads=1) as s:
        want = {kind: call() for kind, call in calls_of(s.load(PENDULUM)).items()}
    with sheaf.connect(between.address, retry=dataclasses.replace(QUICK, losses=100)) as s:
        calls = calls_of(s.load(PENDULUM))
        for n in range(60):
            kind = list(calls)[n % len(calls)]
            between.cut = rng.choice(["up", "down"]), int(10 ** rng.uniform(0, 5.3))
            assert same(calls[kind](), want[kind]), (n, kind, between.cut)
        assert between.cuts > 30


@pytest.mark.parametrize("direction", ["up", "down"])
def test_cut_at_every_stage(between, direction):
    """After each of so many bytes of: a question for the model, its upload, a request, its parts."""
    x, u = np.zeros((40, 3)), np.random.default_rng(0).uniform(-1, 1, (40, 50, 1))
    with sheaf.connect(between.address, retry=QUICK) as s:
        def talk(n):
            m = s.load(PENDULUM.replace(b"pendulum", b"%s%03d" % (direction.encode(), n)))
            return m.rollout(x, u).state
        before = between.passed[direction]
        want = talk(0)
        total = between.passed[direction] - before
        for n in sorted({0, 1, 31, 32, 33, total - 1, total, *range(7, total, total // 20)}):
            between.cut = direction, n
            assert same([talk(1 + n % 900)], [want]), n
        assert between.cuts > 20


def test_rows_that_came_are_not_asked_for_again(between):
    with sheaf.connect(between.address, retry=QUICK) as s:
        m = s.load(PENDULUM)
        x = np.c_[np.zeros((4000, 1)), np.random.default_rng(0).uniform(-1, 1, (4000, 2))]
        u = np.random.default_rng(1).uniform(-1, 1, (4000, 100, 1))
        told = []
        want = m.rollout(x, u)
        assert want.state.nbytes + want.sensordata.nbytes > 20e6
        between.asked.clear()
        between.cut = "down", 15000000
        got = m.rollout(x, u, progress=lambda done, total: told.append((done, total)))
        for name in ("state", "sensordata", "status", "badstep", "final_state", "final_warmstart"):
            assert same([getattr(got, name)], [getattr(want, name)]), name
    assert [r.work.nbatch for r in between.asked][0] == 4000 and 1000 < between.asked[1].work.nbatch < 3000
    assert len(between.asked) == 2 and {t for _, t in told} <= {400000} and all(0 <= d <= t for d, t in told)


def test_a_server_that_stands_still(start):
    server = start()
    with sheaf.connect("unix://" + server.unix) as s:
        m = s.load(PENDULUM)
        want = m.forward()["qacc"]
        os.kill(server.process.pid, signal.SIGSTOP)
        try:
            begun = time.monotonic()
            with pytest.raises(sheaf.DeadlineExceeded):
                m.forward(timeout=0.5)
            with pytest.raises(sheaf.DeadlineExceeded):    # more than fits into the socket
                m.rollout(m.state0, np.zeros((1000, 1000, 1)), timeout=0.5)
            with pytest.raises(sheaf.DeadlineExceeded):
                m.forward(timeout=0.5)
            assert time.monotonic() - begun < 8 * SLOW
        finally:
            os.kill(server.process.pid, signal.SIGCONT)
        assert same([m.forward()["qacc"]], [want])


# ---- a server that has not noticed the loss

ONE = """[alice]
token = sha256:%s
max-connections = 1
max-inflight = 2
[bob]
token = sha256:%s
"""


@pytest.fixture
def guarded(start, tmp_path):
    """A server whose clients may have one connection, and the path to it."""
    file = tmp_path / "tokens"
    file.write_text(ONE % (hashlib.sha256(b"a" * 32).hexdigest(), hashlib.sha256(b"b" * 32).hexdigest()))
    server = start("--tokens", str(file))
    b = Between(server.tcp)
    b.half = True
    yield server, b
    b.close()


def test_python_comes_back_half_open(guarded):
    """Cuts in the middle of answers that the client knows by the one before, whose rows are not here when their frame begins."""
    server, path = guarded
    x, u = batch(0)
    with sheaf.connect(path.address, token="a" * 32, retry=QUICK) as s:
        m = s.load(PENDULUM)
        want = m.rollout(x, u)
        for n in range(5):
            path.cut = ("down", 1000 * n)
            got = m.rollout(x, u)
            assert same([got.state, got.sensordata], [want.state, want.sensordata])
        assert path.cuts == 5 and len(path.kept) >= 5
    server.stop()
    assert server.log().count("event=replaced") == 5


@built
def test_c_comes_back_half_open(server, tmp_path):
    (tmp_path / "m.xml").write_bytes(PENDULUM)
    path = Between(server.tcp)
    path.half = True

    def begin(address):
        return subprocess.Popen([PROGRAM, address, tmp_path / "m.xml", "batches"], stdout=subprocess.PIPE, text=True)
    want = begin(server.tcp).communicate(timeout=60 * SLOW)[0]
    program, got = begin(path.address), []
    for line in program.stdout:
        got.append(line)
        if not path.cut and path.cuts < 5:    # by what has happened: this process may be many lines behind
            path.cut = "down", 20000 * path.cuts
    assert program.wait(10 * SLOW) == 0 and "".join(got) == want and path.cuts == 5
    with sheaf.connect(server.tcp) as s:
        Server.until(lambda: s.info()["connections"] == 2, 10)    # this one and the program's last
    path.close()


def test_a_session_has_one_connection(guarded, pendulum):
    server, _ = guarded
    key = bytes(range(16))

    def hello(token, session):
        c = Client(server.address, hello=False)
        c.ask(pb.FRAME_HELLO, pb.Hello(version=1, token=token * 32, session=session))
        return c

    old, other = hello(b"a", key), hello(b"b", key)    # bob's is another session
    model = old.put("m.xml", {"m.xml": pendulum})[0].hash
    message, data = work(model, 1, {"state0": np.zeros((1, 3))})
    old.send(pb.FRAME_ROLLOUT, pb.Rollout(work=message, nstep=2000000), data)
    Server.until(lambda: other.info().inflight == 1, 10)
    with pytest.raises(Failure, match="quota") as refused:
        hello(b"a", b"")
    assert refused.value.error.retriable
    new = hello(b"a", key)
    with pytest.raises(Failure, match="another connection has said Hello with this session"):
        old.frames(0)
    Server.until(lambda: other.info().inflight == 0, 10)
    Server.until(lambda: new.info().connections == 2, 10)
    new.close()
    hello(b"a", key).close()    # a session whose connection has ended
    with pytest.raises(Failure, match="session: expected 16 bytes"):
        hello(b"b", b"short")
    other.ping()
