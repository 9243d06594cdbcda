# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""The Python client takes an answer that came whole, and says what the last one said, by a shorter way (answer.py)."""
import contextlib
import queue
import signal
import sys
import threading
import time

import numpy as np
import pytest
from between import Between
from conftest import PENDULUM, SLOW

import sheaf
from sheaf import answer, connection, wire


class Pieces(Between):
    """Passes on what the server sends in pieces: `sizes` gives the next piece's bytes, of what came within 2 ms."""

    def __init__(self, target, sizes):
        self.sizes = sizes
        super().__init__(target)

    def down(self, near, far):
        while data := far.recv(1 << 16):
            time.sleep(0.002)
            while data:
                n = self.sizes()
                near.sendall(data[:n])
                data = data[n:]
                time.sleep(0.0005)


@pytest.fixture
def taken(monkeypatch):
    """Which frames were offered to the shorter way, and whether it took them: "whole", or their "begin"."""
    list_, take = [], answer.Plan.take

    def note(self, call, frame):
        found = take(self, call, frame)
        list_.append(found and ("begin" if found[2] else "whole"))
        return found
    monkeypatch.setattr(answer.Plan, "take", note)
    return list_


def controls(k):
    return np.random.default_rng(k).uniform(-1, 1, (4, 5, 1))


@pytest.fixture
def want(server):
    with sheaf.connect("unix://" + server.unix) as s:
        m = s.load(PENDULUM)
        return [m.rollout(m.state0, controls(k)) for k in range(24)]


def same(a, b):
    return all(np.array_equal(x, y) for x, y in ((a.state, b.state), (a.status, b.status), (a.final_warmstart, b.final_warmstart)))


def test_only_an_answer_of_the_known_form_is_taken_at_once(server, want, taken):
    with sheaf.connect("unix://" + server.unix) as s:
        m = s.load(PENDULUM)
        for k in range(8):
            assert same(m.rollout(m.state0, controls(k)), want[k])
        assert taken == [None] + 7 * ["whole"]    # the first one says what the others will say
        del taken[:]
        long = np.tile(controls(0), (1, 60, 1))
        first, second = (m.rollout(m.state0, long, only=True, outputs=("qpos",)).outputs["qpos"] for _ in range(2))
        assert taken == [None, "begin"]           # larger than what is read ahead, and no region for it here
        assert first.shape == (4, 300, 1) and first.any() and np.array_equal(first, second)
        assert same(m.rollout(m.state0, controls(9)), want[9]) and taken[-1] == "whole"


@pytest.mark.parametrize("pieces", ["bytes", "halves", "whole"])
def test_an_answer_is_the_same_however_it_comes(server, want, taken, pieces):
    rng = np.random.default_rng(1)
    sizes = {"bytes": lambda: 1 + int(rng.integers(40)), "halves": lambda: int(rng.integers(200, 900)), "whole": lambda: 1 << 16}[pieces]
    between, got = Pieces(server.tcp, sizes), {}
    long = np.tile(controls(1), (1, 60, 1))
    with sheaf.connect(between.address) as s:
        m = s.load(PENDULUM)

        def work_on(first):
            for k in range(first, 24, 3):
                got[k] = m.rollout(m.state0, controls(k))
            got["long", first] = [m.rollout(m.state0, long) for _ in range(3 if pieces != "bytes" else 0)]
        threads = [threading.Thread(target=work_on, args=(n,)) for n in range(3)]    # so that frames stick together, too
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        assert all(same(got[k], want[k]) for k in range(24))
        assert all(same(r, got["long", 0][0]) for k in range(3) for r in got["long", k])

        # the answers of threads may all have come together, but that to a call that is alone comes alone
        def is_taken(u, as_):
            assert m.rollout(m.state0, u).status.tolist() == 4 * [0]
            return taken[-1] == as_
        if pieces == "whole":
            server.until(lambda: is_taken(controls(0), "whole"), 20)
        if pieces != "bytes":
            server.until(lambda: is_taken(long, "begin"), 20)
    between.close()


@pytest.mark.parametrize("left", [3000, 30000])
def test_rows_that_did_not_come_are_asked_for_again(server, left):
    between, long = Between(server.tcp), np.tile(controls(2), (1, 60, 1))
    with sheaf.connect(between.address) as s:
        m = s.load(PENDULUM)
        whole = m.rollout(m.state0, long)
        m.rollout(m.state0, long)
        between.cut = "down", left    # in the middle of the data of an answer whose form is known
        assert same(m.rollout(m.state0, long), whole) and between.cuts == 1
    between.close()


def test_a_frame_that_lies_is_not_taken():
    arrays = {"status": np.zeros(2, np.int32)}
    plan, call = answer.Plan(), answer.Call(arrays)
    part = wire.M["Result"](rows=2, total_rows=2)
    part.tensors.add(name="status", dtype=2, shape=[2])
    part.timing.total_us = 7
    kind, control, data = wire.TYPES["Rollout"] | wire.REPLY, part.SerializeToString(), np.arange(1, 3, dtype=np.int32).tobytes()
    plan.learn(wire.M["Result"].FromString(control), kind, control, len(data), [("status", len(data))])
    call.request = 5

    def frame(magic=wire.MAGIC, version=wire.VERSION, flags=0, kind=kind, request=5, control=control, data=data, ncontrol=None):
        return memoryview(wire.HEADER.pack(magic, version, flags, kind, request, len(control) if ncontrol is None else ncontrol, 0, len(data)) + control + data)
    other = frame(control=wire.M["Result"](rows=1, total_rows=2).SerializeToString())
    for wrong in (frame(magic=1), frame(version=2), frame(flags=wire.MORE), frame(kind=wire.ERROR), frame(request=6), frame(data=data[:4]),
                  frame(ncontrol=1 << 31), frame()[:20], frame()[:wire.HEADER.size + 3], memoryview(bytes(frame()) + b"S"), other):
        assert plan.take(call, wrong) is None and not arrays["status"].any()
    at, item = wire.HEADER.size + len(control), (kind, 0, control, b"")
    for n in range(at, at + 8):
        assert plan.take(call, frame()[:n]) == (item, at, (("status", 8),), 2) and not arrays["status"].any()
    assert plan.take(call, frame()) == (item, at, (), 2) and arrays["status"].tolist() == [1, 2]


def test_an_interrupt_between_frames_leaves_the_connection_alone(server):
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with sheaf.connect("unix://" + server.unix) as s:
            m = s.load(PENDULUM)
            used = s._backend._connection
            timer = threading.Timer(0.4, signal.pthread_kill, (threading.main_thread().ident, signal.SIGINT))
            timer.start()
            with pytest.raises(KeyboardInterrupt):
                m.rollout(m.state0, nstep=10**7, every="last")
            assert m.rollout(m.state0, nstep=3).status.tolist() == [0]
            assert s._backend._connection is used and used.failure is None
    finally:
        signal.signal(signal.SIGINT, before)


def test_an_interrupt_when_another_thread_passes_the_reading_on(server, monkeypatch):
    """It comes to a thread that was woken up to be the reader, and takes from it what woke it up."""
    interrupted = threading.Event()

    class Queue(queue.SimpleQueue):
        def get(self, *args, **options):
            item = super().get(*args, **options)
            if item is connection.READ and threading.current_thread().name == "second" and not interrupted.is_set():
                interrupted.set()
                raise KeyboardInterrupt
            return item
    monkeypatch.setattr(queue, "SimpleQueue", Queue)
    with sheaf.connect("unix://" + server.unix) as s:
        m = s.load(PENDULUM)
        used, want = s._backend._connection, m.rollout(m.state0, nstep=3).state

        def wait():
            with contextlib.suppress(KeyboardInterrupt, sheaf.Cancelled):
                m.rollout(m.state0, nstep=10**9, every="last")

        def wait_for(n):
            server.until(lambda: used._reading and sum(call.waits for call in list(used._calls.values())) == n, 20)
        first, second = (threading.Thread(target=wait, name=name) for name in ("first", "second"))
        first.start()
        wait_for(1)
        (call,) = used._calls.values()
        second.start()
        wait_for(2)
        used.stop(call)    # so its thread passes the reading on
        server.until(interrupted.is_set, 20)
        assert np.array_equal(m.rollout(m.state0, nstep=3, timeout=20 * SLOW).state, want)
        for t in (first, second):
            t.join(20 * SLOW)
        server.until(lambda: not used._calls and not used._reading, 20)
        assert s._backend._connection is used and used.failure is None


class InterruptedLock:
    """A lock whose first owner is interrupted as soon as it has the lock."""

    def __init__(self, lock):
        self.lock, self.interrupts = lock, 1

    def acquire(self, timeout):
        got = self.lock.acquire(timeout=timeout)
        if self.interrupts:
            self.interrupts = 0
            raise KeyboardInterrupt
        return got

    def __getattr__(self, name):
        return getattr(self.lock, name)

    def __enter__(self):
        return self.lock.__enter__()

    def __exit__(self, *args):
        return self.lock.__exit__(*args)


@pytest.mark.parametrize("what", ["send", "connect"])
def test_an_interrupt_of_a_thread_that_may_go_on_now(server, what):
    with sheaf.connect("unix://" + server.unix) as s:
        m = s.load(PENDULUM)
        used, got = s._backend._connection, []
        if what == "send":
            used._send_lock = InterruptedLock(used._send_lock)
        else:
            s._backend._lock = InterruptedLock(s._backend._lock)
            used.close()
        with pytest.raises(KeyboardInterrupt):
            m.rollout(m.state0, nstep=3)
        t = threading.Thread(target=lambda: got.append(m.rollout(m.state0, nstep=3, timeout=10 * SLOW)))
        t.start()
        t.join(20 * SLOW)
        assert got and (what == "connect" or s._backend._connection is used and used.failure is None)


@pytest.mark.parametrize("name, after", [("_register", True), ("_transmit", False), ("_transmit", True), ("_next_frame", False), ("_read", False),
                                         ("_begin", False), ("_pass_on", True)])
def test_an_interrupt_at_any_point_leaves_a_reader(server, monkeypatch, name, after):
    """A call that is alone is the reader from the moment when it gets its number: it must not take that with it."""
    with sheaf.connect("unix://" + server.unix) as s:
        m = s.load(PENDULUM)
        want, used, plain = m.rollout(m.state0, nstep=3).state, s._backend._connection, getattr(connection.Connection, name)

        def interrupted(self, *args):
            monkeypatch.setattr(connection.Connection, name, plain)
            if after:
                plain(self, *args)
            raise KeyboardInterrupt
        monkeypatch.setattr(connection.Connection, name, interrupted)
        with pytest.raises(KeyboardInterrupt):
            m.rollout(m.state0, nstep=3)
        threads = [threading.Thread(target=lambda: m.rollout(m.state0, nstep=3, timeout=20)) for _ in range(3)]
        for t in threads:
            t.start()
        assert np.array_equal(m.rollout(m.state0, nstep=3, timeout=20).state, want)
        for t in threads:
            t.join()
        server.until(lambda: not used._calls and not used._reading, 20)    # what was interrupted may still be cancelled
        assert s._backend._connection is used and used.failure is None


def test_a_call_to_this_host_makes_fewer_calls_of_functions_than_one_in_this_process(server):
    counts = []
    for where in ({"address": "unix://" + server.unix}, {"threads": 1}):
        with sheaf.connect(**where) as s:
            m, events = s.load(PENDULUM), []
            u = np.zeros((8, 100, 1))
            for _ in range(3):
                m.rollout(m.state0, u)
            sys.setprofile(lambda _, event, __: events.append(event))
            try:
                m.rollout(m.state0, u)
            finally:
                sys.setprofile(None)
            counts.append(events.count("call") + events.count("c_call"))
    assert 0 < counts[0] <= counts[1] - 10
