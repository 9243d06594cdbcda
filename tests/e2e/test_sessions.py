# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""The Python client: threads, interrupts, timeouts and tokens of a session, and a server that forgets, refuses or goes away."""
import signal
import threading
import time

import numpy as np
import pytest
from conftest import SLOW
from rich_model import RICH, long_rollout, same, states

sheaf = pytest.importorskip("sheaf", reason="pip install ./clients/python")


def test_many_threads_share_a_session(session):
    m = session.load(RICH)
    x = states(m, 100)
    want = m.rollout(x, nstep=5).state
    failures = []

    def work(i):
        got = m.rollout(x[i], nstep=5).state[0] if i % 2 else session.load(RICH).rollout(x[i], nstep=5).state[0]
        if not same(got, want[i]):
            failures.append(i)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(100)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not failures


@pytest.fixture
def interrupts():
    """Python's handler, also where a shell started the tests in the background and interrupts are ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_an_interrupt_cancels(session, interrupts):
    m = session.load(RICH)
    timer = threading.Timer(0.2, signal.pthread_kill, (threading.main_thread().ident, signal.SIGINT))
    timer.start()
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        long_rollout(m)
    assert time.monotonic() - start < 5 * SLOW
    assert m.rollout(m.state0, nstep=3).status.tolist() == [0]


def test_timeouts(server, far):
    compiled = far.load(RICH)    # which may take longer than the timeout
    for s in (sheaf.connect(threads=1, timeout=1), sheaf.connect(server.address, timeout=1)):
        with s:
            m = s.load(RICH)
            start = time.monotonic()
            with pytest.raises(sheaf.DeadlineExceeded) as failure:
                long_rollout(m)
            assert time.monotonic() - start < 5 * SLOW and isinstance(failure.value, TimeoutError)
            assert m.rollout(m.state0, nstep=3).status.tolist() == [0] and m.hash == compiled.hash


def test_a_failing_progress_function_ends_the_call(far):
    m = far.load(RICH)

    def fail(done, total):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        long_rollout(m, progress=fail)
    assert m.rollout(m.state0, nstep=3).status.tolist() == [0]


def test_large_requests_are_cut_into_frames(far, monkeypatch):
    from sheaf import connection
    m = far.load(RICH)
    x, u = states(m, 7), np.random.default_rng(3).uniform(-1, 1, (7, 9, 2))
    want = m.rollout(x, u).state
    monkeypatch.setattr(connection, "FRAME", 200)
    assert same(m.rollout(x, u).state, want)
    other = RICH.replace(b"rich", b"cut into pieces")
    assert far.load(other).names("joint") == m.names("joint")


def test_a_forgotten_model_is_put_again(start):
    server = start("--model-cache", "1")
    with sheaf.connect(server.address) as s:
        m = s.load(RICH)
        want = m.rollout(m.state0, nstep=3).state
        for n in range(500, 505):
            s.load(f"""<mujoco><asset><hfield name="h" nrow="{n}" ncol="500" size="1 1 1 1"/></asset>
                       <worldbody><geom type="hfield" hfield="h"/></worldbody></mujoco>""".encode())
        assert s.info()["models"] < 6
        assert same(m.rollout(m.state0, nstep=3).state, want)


def test_calls_wait_for_their_turn(start):
    server = start("--max-inflight", "9")
    with sheaf.connect(server.address) as s:
        m, done = s.load(RICH), []
        threads = [threading.Thread(target=lambda: done.append(m.rollout(m.state0, nstep=50))) for _ in range(40)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        assert len(done) == 40


def test_connections_that_cannot_be(tmp_path):
    with pytest.raises(sheaf.Unavailable) as failure:
        sheaf.connect(f"unix://{tmp_path}/none.sock")
    assert isinstance(failure.value, ConnectionError)
    with pytest.raises(sheaf.Unavailable):
        sheaf.connect("tcp://127.0.0.1:1")
    for address in ("http://x", "tcp://", "nonsense", "tcp://host:port"):
        with pytest.raises(sheaf.InvalidArgument):
            sheaf.connect(address)
    with pytest.raises(sheaf.InvalidArgument):
        sheaf.connect("tcp://127.0.0.1:1", threads=2)


def test_a_server_that_goes_away(start):
    server = start()
    s = sheaf.connect("unix://" + server.unix, retry=False)
    m = s.load(RICH)
    kill = threading.Timer(0.2, server.process.kill)
    kill.start()
    with pytest.raises(sheaf.Unavailable, match="lost"):
        long_rollout(m)
    with pytest.raises(sheaf.Unavailable):
        m.rollout(m.state0, nstep=1)
    server.wait()
    s.close()


def test_a_token(start, tmp_path):
    token = tmp_path / "token"
    token.write_text("open sesame\n")
    server = start("--token-file", str(token))
    with pytest.raises(sheaf.Unauthenticated):
        sheaf.connect(server.address)
    with pytest.raises(sheaf.Unauthenticated):
        sheaf.connect(server.address, token="open")
    with sheaf.connect(server.address, token="open sesame") as s:
        assert 0 < s.ping() < 5 and s.info()["state"] == "serving"


def test_calls_after_close(server):
    for s in (sheaf.connect(threads=1), sheaf.connect(server.address)):
        m = s.load(RICH)
        s.close()
        s.close()
        for call in (lambda: m.rollout(m.state0), lambda: s.load(RICH)):
            with pytest.raises(sheaf.Unavailable):
                call()
