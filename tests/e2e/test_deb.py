# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""The Debian package: made by CPack, installed into an empty Debian 12, started as its unit file says, removed."""
import os
import re
import shutil
import signal
import socket
import subprocess
import sys

import numpy as np
import pytest
from conftest import ROOT, SLOW
from wire import Client, rollout

sys.path.insert(0, os.path.join(ROOT, "tests", "support"))
import debian_root

pytestmark = pytest.mark.nightly


def field(package, name):
    return subprocess.run(["dpkg-deb", "-f", str(package), name], capture_output=True, text=True, check=True).stdout.strip()


def test_what_is_in_it(package, tmp_path):
    subprocess.run(["dpkg-deb", "-x", str(package), str(tmp_path)], check=True)
    for name in ("usr/bin/sheaf", "usr/lib/systemd/system/sheaf.service", "usr/lib/systemd/system/sheaf.socket",
                 "usr/share/doc/sheaf/copyright"):
        assert (tmp_path / name).exists(), name
    conf = tmp_path / "etc/sheaf/sheaf.conf"
    out = subprocess.run([str(tmp_path / "usr/bin/sheaf"), "serve", "--config", str(conf), "--check-config"],
                         capture_output=True, text=True)
    assert out.returncode == 0 and str(conf) in out.stdout, out.stderr

    # nothing of the machine that built it
    assert str(ROOT).encode() not in b"".join(p.read_bytes() for p in tmp_path.rglob("*") if p.is_file() and not p.is_symlink())
    depends = field(package, "Depends")
    for library in ("libuv1", "libseccomp2", "libinih1", "libgomp1", "libexpat1", "libc6"):
        assert re.search(rf"\b{library}\b", depends), depends


@pytest.mark.parametrize("page", ["sheaf", "sheaf-serve"])
def test_man_pages(package, tmp_path, page):
    subprocess.run(["dpkg-deb", "-x", str(package), str(tmp_path)], check=True)
    path = tmp_path / f"usr/share/man/man1/{page}.1.gz"
    if not path.exists():
        assert not shutil.which("help2man")
        pytest.skip("the build had no help2man")
    text = subprocess.run(["gzip", "-dc", str(path)], capture_output=True, text=True, check=True).stdout
    for section in ("NAME", "EXIT STATUS", "SEE ALSO"):
        assert re.search(rf'^\.SH "?{section}"?$', text, re.M)
    if page == "sheaf-serve":
        for option in ("max\\-memory", "compile\\-time", "check\\-config", "drain\\-timeout"):
            assert option in text
    if shutil.which("mandoc"):
        done = subprocess.run(["mandoc", "-T", "lint", "-W", "error"], input=text, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout


@pytest.fixture(scope="module")
def debian(tmp_path_factory):
    reason = debian_root.available()
    if reason:
        pytest.skip(reason)
    folder = tmp_path_factory.mktemp("debian") / "root"
    folder.mkdir()
    debian_root.make(folder)
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


def start_as_the_unit_says(debian, ears):
    """The stand-in for systemd: the unit's command as a user without rights, on a socket that is open already."""
    unit = (debian / "usr/lib/systemd/system/sheaf.service").read_text()
    argv = re.search(r"^ExecStart=(.*)$", unit, re.M)[1].split()
    shell = 'exec env LISTEN_FDS=1 LISTEN_PID=$$ "$@"'
    s = socket.socket(socket.AF_UNIX)
    s.bind(str(debian / "run/sheaf.sock"))
    s.listen()
    fd = s.fileno()
    # (dash knows descriptors of one digit only)
    move = ["bash", "-c", f'exec 3<&{fd} {fd}<&- "$@"', "bash"] if fd != 3 else []
    line = debian_root.command(debian, ["sh", "-c", shell, "sh", *argv], user=61234)
    process = subprocess.Popen([*move, *line], env={**debian_root.PLAIN, "NOTIFY_SOCKET": "/run/notify"}, pass_fds=[fd],
                               stderr=open(ears, "w"))
    s.close()
    return process


def test_installed_started_and_removed(package, debian, tmp_path, pendulum):
    shutil.copy(package, debian / "tmp" / package.name)
    debian_root.run(debian, "apt-get", "update", "-qq")
    debian_root.run(debian, "apt-get", "install", "-y", "-qq", "--no-install-recommends", f"/tmp/{package.name}")
    assert "sheaf-clients" in debian_root.run(debian, "getent", "group", "sheaf-clients")
    assert debian_root.run(debian, "sheaf", "--version").startswith("sheaf ")

    notify = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    notify.bind(str(debian / "run/notify"))
    os.chmod(debian / "run/notify", 0o777)
    notify.settimeout(20 * SLOW)
    log = tmp_path / "log"
    process = start_as_the_unit_says(debian, log)
    try:
        assert notify.recv(100) == b"READY=1", log.read_text()
        client = Client(f"unix://{debian}/run/sheaf.sock")
        model = client.put("m.xml", {"m.xml": pendulum})[0].hash
        assert rollout(client, model, 4, 10, {"state0": np.zeros((1, 3))})["state"].shape == (4, 10, 3)
        client.close()
        process.send_signal(signal.SIGTERM)
        assert notify.recv(100).split(b"\n")[0] == b"STOPPING=1"
        assert process.wait(10 * SLOW) == 0
    finally:
        process.kill()
        process.wait()
    assert "seccomp" in re.search(r'event=compiler_ready .*sandbox="([^"]*)"', log.read_text())[1]

    # changed settings survive a removal, and go with a purge
    (debian / "etc/sheaf/sheaf.conf").write_text("threads = 2\n")
    debian_root.run(debian, "dpkg", "--remove", "sheaf")
    assert (debian / "etc/sheaf/sheaf.conf").read_text() == "threads = 2\n"
    debian_root.run(debian, "dpkg", "--purge", "sheaf")
    left = [str(p) for p in debian.rglob("*sheaf*") if not str(p).startswith((str(debian / "tmp"), str(debian / "proc"), str(debian / "run")))]
    assert not left
    assert "sheaf-clients" not in (debian / "etc/group").read_text()
