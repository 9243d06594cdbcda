# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""The log: never waited for, bounded, and readable by machines whatever clients send."""
import fcntl
import json
import os
import re
import signal
import socket
import subprocess
import time

import pytest
from conftest import SHEAF, SLOW, Server
from wire import HEADER, Client, Failure, pb

SMALL_PIPE = 4096


class Stalled:
    """A server whose standard error is a pipe that nobody reads."""

    def __init__(self, folder, *args):
        self.unix = str(folder / "s.sock")
        self.pipe, write_end = os.pipe()
        fcntl.fcntl(write_end, fcntl.F_SETPIPE_SZ, SMALL_PIPE)
        self.process = subprocess.Popen([SHEAF, "serve", "--no-tcp", "--unix", self.unix, "--threads", "1", *args],
                                        stderr=write_end)
        os.close(write_end)
        Server.until(self.is_up, 20)

    def is_up(self):
        assert self.process.poll() is None
        try:
            Client("unix://" + self.unix, timeout=20 * SLOW).close()
            return True
        except OSError:
            return False

    def bad_connection(self):
        s = socket.socket(socket.AF_UNIX)
        s.settimeout(10 * SLOW)
        s.connect(self.unix)
        s.sendall(b"GET / HTTP/1.0\r\n\r\nthis is no frame at all")
        while s.recv(1000):
            pass
        s.close()

    def read_log(self):
        """Everything until the server closes its end."""
        out = b""
        while part := os.read(self.pipe, 1 << 16):
            out += part
        return out.decode()


def test_a_stalled_reader_stops_nobody(tmp_path):
    server = Stalled(tmp_path, "--log-rate", "0", "--log-level", "debug")
    for _ in range(525):
        server.bad_connection()
    client = Client("unix://" + server.unix, timeout=10 * SLOW)
    client.ping()
    client.close()
    server.process.send_signal(signal.SIGTERM)
    assert server.process.wait(5 * SLOW) == 0
    os.close(server.pipe)


def test_what_was_dropped_is_counted(tmp_path):
    server = Stalled(tmp_path, "--log-rate", "0", "--log-level", "debug")
    bad = 1500    # more lines than the ring holds
    for _ in range(bad):
        server.bad_connection()
    server.process.send_signal(signal.SIGHUP)
    time.sleep(0.1)

    # the reader comes back
    got = b""
    end = time.monotonic() + 10 * SLOW
    while b"event=log_dropped" not in got and time.monotonic() < end:
        got += os.read(server.pipe, 1 << 16)
    server.process.send_signal(signal.SIGTERM)
    got = (got + server.read_log().encode()).decode()
    assert server.process.wait(5 * SLOW) == 0
    dropped = sum(int(n) for n in re.findall(r"event=log_dropped count=(\d+)", got))
    assert dropped > 0
    kept = len(re.findall(r"event=(?:connected|refused|closed) ", got))
    hellos = len(re.findall(r"event=hello ", got))

    # three lines of each bad connection, and those of the client that waited for the server
    assert 3 * bad <= kept + dropped <= 3 * bad + 40, (kept, hellos, dropped)
    assert "event=stopped" in got
    os.close(server.pipe)


def test_an_event_that_comes_too_often_is_held_back(start):
    server = start("--log-rate", "2")
    for _ in range(200):
        with pytest.raises((Failure, EOFError, ConnectionError)):
            client = Client(server.address, hello=False)
            client.socket.sendall(b"x" * 64)
            client.frames(1)
    lines = server.log().count("event=refused")
    assert 10 <= lines < 60
    client = Client(server.address)    # others are not held back
    client.close()
    server.until(lambda: "event=log_held_back of=refused" in server.log(), 10)
    server.stop()
    held = sum(int(n) for n in re.findall(r"event=log_held_back of=refused count=(\d+)", server.log()))
    assert held + server.log().count("event=refused") == 200
    assert "event=started" in server.log() and "event=stopped" in server.log()


def test_json_lines_hold_whatever_clients_say(start):
    server = start("--log-level", "debug", "--log-rate", "0")
    server.stop()
    name = 'evil"} \\ \n ts=0 level=error event=forged \x1b[2J' + "é" * 300
    # the pattern that finds the port is for key=value lines: use the Unix socket
    folder = os.path.join(server.folder, "json")
    os.mkdir(folder)
    log = open(os.path.join(folder, "log"), "wb")
    unix = os.path.join(folder, "s.sock")
    process = subprocess.Popen([SHEAF, "serve", "--no-tcp", "--unix", unix, "--log-format", "json", "--log-level", "debug"],
                               stderr=log)
    Server.until(lambda: Server.listens(unix), 20)
    client = Client("unix://" + unix, hello=False)
    client.ask(pb.FRAME_HELLO, pb.Hello(version=1, client=name))
    client.socket.sendall(HEADER.pack(b"NOPE", 1, 0, 2, 1, 0, 0, 0))
    with pytest.raises(Failure):
        client.frames(1)
    process.send_signal(signal.SIGTERM)
    assert process.wait(10 * SLOW) == 0
    lines = [json.loads(line) for line in open(log.name, encoding="utf-8")]
    assert {line["event"] for line in lines} >= {"started", "listening", "hello", "refused", "stopped"}
    hello = next(line for line in lines if line["event"] == "hello")
    assert hello["client"].startswith('evil"} \\ \n ts=0') and hello["client"].endswith("...")
    assert isinstance(hello["conn"], int)
    assert not any(line["event"] == "forged" for line in lines)


def test_closed_standard_descriptors(tmp_path):
    """Started by something that closed 0, 1 and 2: the server opens sockets elsewhere."""
    unix = str(tmp_path / "s.sock")
    process = subprocess.Popen(["sh", "-c", f"exec '{SHEAF}' serve --no-tcp --unix '{unix}' 0<&- 1>&- 2>&-"])
    Server.until(lambda: Server.listens(unix), 20)
    client = Client("unix://" + unix)
    client.ping()
    client.close()
    process.send_signal(signal.SIGTERM)
    assert process.wait(10 * SLOW) == 0
