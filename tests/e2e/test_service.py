# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""The server under a service manager: notifications, sockets that it is given, its unit files and its configuration."""
import os
import re
import shutil
import signal
import socket
import subprocess
import sys

import numpy as np
import pytest
from conftest import ROOT, SHEAF, SLOW
from wire import Client, rollout

UNITS = os.path.join(ROOT, "deploy", "systemd")
# in the child: the sockets become descriptors 3 and up, and the variables name this process
EXEC = """import os, sys
fds, command = [int(fd) for fd in sys.argv[1].split(",")], sys.argv[2:]
fds = [os.dup2(fd, 100 + i) for i, fd in enumerate(fds)]
for i, fd in enumerate(fds): os.dup2(fd, 3 + i, inheritable=True)
os.environ.update(LISTEN_FDS=str(len(fds)), LISTEN_PID=str(os.getpid()))
os.execv(command[0], command)"""


class Manager:
    """A stand-in for systemd: hears notifications, and starts a server with sockets that are open already."""

    def __init__(self, folder, abstract=False):
        self.folder = str(folder)
        self.ear = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.address = f"@sheaf-test-{os.getpid()}" if abstract else os.path.join(self.folder, "notify")
        self.ear.bind(self.address.replace("@", "\0"))
        self.ear.settimeout(20 * SLOW)
        self.log = open(os.path.join(self.folder, "log"), "w+")

    def start(self, sockets=(), *args, under=(), **environment):
        command = [*under, SHEAF, "serve", "--threads", "1", *args]
        if sockets:
            command = [sys.executable, "-c", EXEC, ",".join(str(s.fileno()) for s in sockets), *command]
        self.process = subprocess.Popen(command, stderr=self.log, pass_fds=[s.fileno() for s in sockets],
                                        env=dict(os.environ, NOTIFY_SOCKET=self.address, **environment))

    def hear(self, word):
        while True:
            got = self.ear.recv(4096).decode().split("\n")
            if word in got:
                return got

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.hear("STOPPING=1")
        assert self.process.wait(10 * SLOW) == 0


@pytest.mark.parametrize("abstract", [False, True])
def test_a_manager_is_told(tmp_path, abstract):
    manager = Manager(tmp_path, abstract)
    manager.start((), "--listen", "127.0.0.1:0", WATCHDOG_USEC="200000")
    manager.hear("READY=1")
    for _ in range(3):
        manager.hear("WATCHDOG=1")
    manager.process.send_signal(signal.SIGHUP)
    reloading = manager.hear("RELOADING=1")
    assert reloading[1].startswith("MONOTONIC_USEC=") and int(reloading[1].split("=")[1]) > 0
    manager.hear("READY=1")
    manager.stop()


def bound(address, family=socket.AF_INET):
    s = socket.socket(family)
    s.bind(address)
    s.listen()
    return s


def test_sockets_of_the_manager_are_served(tmp_path, pendulum):
    path = os.path.join(tmp_path, "given.sock")
    tcp, unix = bound(("127.0.0.1", 0)), bound(path, socket.AF_UNIX)
    early = socket.create_connection(tcp.getsockname())    # waits until there is a server
    manager = Manager(tmp_path)
    manager.start((unix, tcp), "--listen", "127.0.0.1:1", "--unix", "/nonexistent/folder/s.sock")
    manager.hear("READY=1")
    for address in (f"tcp://127.0.0.1:{tcp.getsockname()[1]}", "unix://" + path):
        client = Client(address)
        client.put("m.xml", {"m.xml": pendulum})
        client.close()
    early.close()

    # compilers of models get none of them
    spawner = int(open(f"/proc/{manager.process.pid}/task/{manager.process.pid}/children").read().split()[0])
    targets = [os.readlink(f"/proc/{spawner}/fd/{fd}") for fd in os.listdir(f"/proc/{spawner}/fd")]
    assert sum(target.startswith("socket:") for target in targets) == 1
    manager.stop()

    # the socket belongs to the manager, who may start the next server with it
    assert os.path.exists(path)
    manager.start((unix, tcp))
    manager.hear("READY=1")
    Client("unix://" + path).close()
    manager.stop()


def test_sockets_that_cannot_be_served(tmp_path):
    manager = Manager(tmp_path)
    first, second = bound(("127.0.0.1", 0)), bound(("127.0.0.1", 0))
    manager.start((first, second))
    assert manager.process.wait(20 * SLOW) == 1
    manager.start((open(os.devnull),))
    assert manager.process.wait(20 * SLOW) == 1
    text = open(os.path.join(tmp_path, "log")).read()
    assert "one TCP socket and one Unix socket" in text and "a socket of the service manager" in text

    # variables meant for another process are not for this one
    manager.start((), "--listen", "127.0.0.1:0", LISTEN_FDS="1", LISTEN_PID="1")
    manager.hear("READY=1")
    manager.stop()


def test_the_default_configuration_is_one(tmp_path):
    conf = os.path.join(ROOT, "deploy", "sheaf.conf")
    text = open(conf).read()
    out = subprocess.run([SHEAF, "serve", "--config", conf, "--check-config"], capture_output=True, text=True, check=True).stdout
    assert f"drain-timeout = 30.000 ; {conf}" in out or f"drain-timeout = 30 ; {conf}" in out

    # what stands there as a comment is right, too
    every = tmp_path / "every.conf"
    every.write_text(re.sub(r"(?m)^#(?=[a-z-]+ = )", "", text))
    assert every.read_text() != text
    subprocess.run([SHEAF, "serve", "--config", str(every), "--check-config"], capture_output=True, check=True)


@pytest.fixture
def system(tmp_path):
    """The unit files in a root of their own, with a program where they expect it."""
    if not shutil.which("systemd-analyze"):
        pytest.skip("no systemd-analyze")
    units = tmp_path / "etc" / "systemd" / "system"
    units.mkdir(parents=True)
    for name in ("sheaf.service", "sheaf.socket"):
        text = open(os.path.join(UNITS, name)).read()
        (units / name).write_text(text.replace("/usr/bin/sheaf ", f"{SHEAF} "))
    return units


def test_unit_files_are_valid(system):
    done = subprocess.run(["systemd-analyze", "verify", "--man=no", *map(str, sorted(system.iterdir()))], capture_output=True,
                          text=True, env=dict(os.environ, SYSTEMD_UNIT_PATH=f"{system}:"))
    mine = [line for line in done.stderr.splitlines() if "sheaf" in line]
    assert done.returncode == 0 and not mine, done.stderr

    # a mistake would be told
    service = system / "sheaf.service"
    service.write_text(service.read_text().replace("ProtectHome=yes", "ProtectHouse=yes"))
    again = subprocess.run(["systemd-analyze", "verify", "--man=no", str(service)], capture_output=True, text=True,
                           env=dict(os.environ, SYSTEMD_UNIT_PATH=f"{system}:"))
    assert "ProtectHouse" in again.stderr


def test_the_service_is_hardened(system):
    done = subprocess.run(["systemd-analyze", "security", "--offline=yes", "--threshold=20", "--no-pager",
                           str(system / "sheaf.service")], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    found = re.search(r"Overall exposure level for sheaf.service: ([\d.]+)", done.stdout)
    assert found and float(found[1]) <= 2.0, done.stdout


def allowed_calls(unit):
    """System calls that SystemCallFilter= lets through, groups resolved."""
    lists = {}
    for line in subprocess.run(["systemd-analyze", "syscall-filter", "--no-pager"], capture_output=True, text=True).stdout.splitlines():
        if line.startswith("@"):
            lists[line.strip()] = words = []
        elif line.startswith("    ") and not line.strip().startswith("#"):
            words.append(line.strip())

    def resolve(word):
        return set().union(*map(resolve, lists[word])) if word.startswith("@") else {word}

    words = " ".join(re.findall(r"^SystemCallFilter=(.*)$", unit, re.M)).split()
    return set().union(*map(resolve, words + ["@default"]))


@pytest.mark.nightly
def test_no_call_is_made_that_the_service_forbids(system, tmp_path, pendulum):
    if not shutil.which("strace"):
        pytest.skip("needs strace")
    allowed = allowed_calls((system / "sheaf.service").read_text())
    assert "read" in allowed and "seccomp" in allowed and "mount" not in allowed and "ptrace" not in allowed
    manager = Manager(tmp_path)
    trace = tmp_path / "trace"
    manager.start((), "--unix", str(tmp_path / "s.sock"), "--listen", "127.0.0.1:0",
                  under=("strace", "-f", "-qq", "-o", str(trace)), WATCHDOG_USEC="100000")
    manager.hear("READY=1")
    client = Client(f"unix://{tmp_path}/s.sock")
    model = client.put("m.xml", {"m.xml": pendulum})[0].hash
    rollout(client, model, 64, 100, {"state0": np.zeros((1, 3))})
    client.close()
    server = int(open(f"/proc/{manager.process.pid}/task/{manager.process.pid}/children").read().split()[0])
    os.kill(server, signal.SIGHUP)
    manager.hear("RELOADING=1")
    os.kill(server, signal.SIGTERM)
    assert manager.process.wait(20 * SLOW) == 0
    text = trace.read_text()
    used = set(re.findall(r"^\d+ +(\w+)\(", text, re.M))
    assert {"execve", "accept4", "unshare", "seccomp"} <= used
    assert used <= allowed, used - allowed

    # MemoryDenyWriteExecute
    assert not re.search(r"mprotect\([^)]*PROT_EXEC|mmap\([^)]*PROT_WRITE\|PROT_EXEC", text)
