# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Servers that are none, and answers that were damaged on their way: a client says so, and nothing else happens to its program."""
import contextlib
import os
import random
import socket
import subprocess
import threading
import time

import numpy as np
import pytest
from between import Between
from conftest import PENDULUM, SHEAF, SLOW
from wire import HEADER, pb

sheaf = pytest.importorskip("sheaf", reason="pip install ./clients/python")
ROUNDS = int(os.environ.get("TEST_ROUNDS", "40"))    # for each client
HELLO = pb.FRAME_HELLO | pb.FRAME_REPLY


def reply(kind, control=b"", ncontrol=None, ndata=0):
    """What answers a request with such a frame."""
    return lambda asked: HEADER.pack(b"SHF1", 1, 0, kind, HEADER.unpack(asked[:HEADER.size])[4], len(control) if ncontrol is None else ncontrol, 0,
                                     ndata) + control


NO_SERVERS = {
    "another protocol": lambda asked: b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n",
    "an echo": lambda asked: asked,
    "silence and an end": lambda asked: b"",
    "half a frame": lambda asked: b"SHF1",
    "a greeting that cannot be read": reply(HELLO, b"\xff" * 8),
    "an error that cannot be read": reply(pb.FRAME_ERROR, b"\xff" * 8),
    "a message of 4 GiB": reply(HELLO, b"\0" * 8, ncontrol=2**32 - 1),
    "data of 4 EiB": reply(HELLO, b"", ndata=1 << 62),
    "the answer to another request": reply(pb.FRAME_MODEL_LIST | pb.FRAME_REPLY),
    "the answer to no request": reply(0x8777),
    "progress of nothing, then an end": reply(pb.FRAME_PROGRESS, b"\xff" * 4),
    "a farewell": lambda asked: HEADER.pack(b"SHF1", 1, 0, pb.FRAME_GO_AWAY, 0, 0, 0, 0),
}


@contextlib.contextmanager
def answering(answer):
    """The address of somebody who answers the first bytes of each connection, and ends it."""
    listener = socket.create_server(("127.0.0.1", 0))

    def serve():
        while True:
            try:
                s = listener.accept()[0]
            except OSError:
                return
            with contextlib.suppress(OSError), s:
                s.sendall(answer(s.recv(4096)))
                s.shutdown(socket.SHUT_WR)
                while s.recv(4096):
                    pass
    threading.Thread(target=serve, daemon=True).start()
    yield "tcp://127.0.0.1:%d" % listener.getsockname()[1]
    listener.close()


@pytest.mark.parametrize("who", NO_SERVERS)
def test_who_is_no_server_is_told_from_one(who):
    with answering(NO_SERVERS[who]) as address:
        began = time.monotonic()
        with pytest.raises(sheaf.Unavailable, match="lost"):
            sheaf.connect(address, retry=False, timeout=10 * SLOW)
        done = subprocess.run([SHEAF, "info", address], capture_output=True, text=True, timeout=30 * SLOW)
        assert done.returncode == 1 and done.stderr.startswith("sheaf: ")
        assert time.monotonic() - began < 5 * SLOW    # neither waits for its timeout, or makes room for what will not come


@pytest.fixture
def between(server):
    b = Between(server.tcp)
    yield b
    b.close()


def spoiled_somewhere(between, rng, end):
    between.spoil = where = rng.randrange(end), 1 << rng.randrange(8)
    return where


def answers(address):
    with sheaf.connect(address, retry=False, timeout=0.5 * SLOW) as s:
        m = s.load(PENDULUM)
        r = m.rollout(np.zeros((4, 3)), np.zeros((4, 20, 1)))
        return r.state, m.forward(np.zeros((4, 1)), np.zeros((4, 1)), outputs="qacc")["qacc"], s.info(), s.ping()


def test_damaged_answers_are_errors_or_other_numbers_in_python(between):
    answers(between.address)
    end, rng, lost = between.passed["down"], random.Random(1), 0
    assert end > 1000
    for _ in range(ROUNDS):
        spoiled_somewhere(between, rng, end)
        try:
            answers(between.address)
        except sheaf.Error:
            lost += 1
    assert lost > 0
    between.spoil = None
    answers(between.address)


def test_damaged_answers_are_errors_or_other_numbers_in_c(between, tmp_path):
    (tmp_path / "m.xml").write_bytes(PENDULUM)
    ask = [SHEAF, "rollout", tmp_path / "m.xml", "-s", between.address, "-b", "4", "--nstep", "20", "--timeout", str(0.5 * SLOW)]
    assert subprocess.run(ask, capture_output=True, timeout=30 * SLOW).returncode == 0
    end, rng = between.passed["down"], random.Random(2)
    for _ in range(ROUNDS):
        where = spoiled_somewhere(between, rng, end)
        done = subprocess.run(ask, capture_output=True, text=True, timeout=30 * SLOW)
        if done.returncode not in (0, 3):    # 3: so says the status of a row
            assert done.returncode == 1 and done.stderr.startswith("sheaf: "), (where, done.stderr)
