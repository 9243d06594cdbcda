# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""The container file. Where buildah and podman are installed, they build the image on an empty Debian 12 and run it. Elsewhere every
instruction is carried out here, and the program is started as a container would start it: another user, no capabilities, a root that
cannot be written."""
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from conftest import BUILD, ROOT, SLOW
from wire import Client, rollout

sys.path.insert(0, os.path.join(ROOT, "tests", "support"))
import debian_root

FILE = os.path.join(ROOT, "deploy", "Containerfile")
KNOWN = {"FROM", "WORKDIR", "COPY", "RUN", "ENV", "USER", "VOLUME", "EXPOSE", "STOPSIGNAL", "HEALTHCHECK", "ENTRYPOINT"}


def instructions():
    """[(word, rest)] of the container file."""
    text = "".join(line for line in open(FILE) if not line.startswith("#")).replace("\\\n", " ")
    lines = [line.split(None, 1) for line in text.splitlines() if line.strip()]
    assert {word for word, _ in lines} <= KNOWN
    return [(word, re.sub(r"\s+", " ", rest)) for word, rest in lines]


def test_what_the_image_promises():
    """Without building it: two stages, a user, nothing that a server must not have."""
    lines = instructions()
    stages = [rest for word, rest in lines if word == "FROM"]
    assert len(stages) == 2 and stages[0].endswith(" AS build") and "AS" not in stages[1]
    final = dict(lines[[i for i, (word, _) in enumerate(lines) if word == "FROM"][1]:])
    user = final["USER"].split(":")
    assert all(0 < int(part) < 2**16 for part in user)
    assert json.loads(final["ENTRYPOINT"]) == ["sheaf", "serve"]


def packages_of(*programs):
    """Debian packages of the libraries that programs ask for themselves."""
    found = set()
    for program in programs:
        asked = subprocess.run(["readelf", "-d", program], capture_output=True, text=True, check=True).stdout
        places = subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout
        for name in re.findall(r"NEEDED.*\[(.*)\]", asked):
            path = re.search(rf"{re.escape(name)} => (\S+)", places)
            if path and "sheaf" not in name:
                path = os.path.realpath(path[1])
                owner = subprocess.run(["dpkg-query", "-S", path, path.removeprefix("/usr")], capture_output=True, text=True).stdout
                found.add(owner.split(":")[0])
    return found


def test_libraries_are_those_that_the_image_installs():
    if not shutil.which("dpkg-query") or not shutil.which("readelf"):
        pytest.skip("not a Debian system")
    needed = packages_of(os.path.join(BUILD, "engine", "libsheaf.so"), os.path.join(BUILD, "clients", "cli", "sheaf"),
                         os.path.join(BUILD, "clients", "c", "libsheaf_client.so"))
    installed = next(rest for word, rest in instructions() if word == "RUN" and "libuv1" in rest).split()
    assert {"libuv1", "libseccomp2", "libexpat1"} <= needed
    assert needed - {"libc6"} <= set(installed), needed - set(installed)


class Image:
    """The file system of a stage and what its instructions set."""

    def __init__(self, root):
        self.root, self.env, self.folder, self.user, self.entry = root, {}, "/", None, []


def copy(image, rest, stages, context):
    words = rest.split()
    source = context
    if words[0].startswith("--from="):
        source = stages[words.pop(0).split("=")[1]].root
    to = os.path.join(image.root, os.path.join(image.folder, words[-1]).lstrip("/"))
    for word in words[:-1]:
        what = os.path.normpath(os.path.join(source, word.lstrip("/")))
        if os.path.isdir(what):
            subprocess.run(["cp", "-a", what + "/.", to], check=True)
        else:
            os.makedirs(os.path.dirname(to), exist_ok=True)
            shutil.copy(what, to)


def build(base, context, folder):
    """Carry out the container file; the last stage."""
    stages, image = {}, None
    for word, rest in instructions():
        if word == "FROM":
            root = folder / f"stage{len(stages)}"
            subprocess.run(["cp", "-a", str(base), str(root)], check=True)
            image = Image(root)
            stages[rest.split(" AS ")[1] if " AS " in rest else "final"] = image
        elif word == "WORKDIR":
            image.folder = rest
            os.makedirs(os.path.join(image.root, rest.lstrip("/")), exist_ok=True)
        elif word == "COPY":
            copy(image, rest, stages, context)
        elif word == "RUN":
            debian_root.run(image.root, "sh", "-c", f"cd {image.folder} && {rest}", **image.env)
        elif word == "ENV":
            image.env.update(pair.split("=", 1) for pair in rest.split())
        elif word == "USER":
            image.user = rest.split(":")[0]
        elif word == "ENTRYPOINT":
            image.entry = json.loads(rest)
    return image


def has_engine():
    return bool(shutil.which("buildah") and shutil.which("podman") and shutil.which("crun"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with an empty Debian, `base`, and the sources, `context`."""
    reason = debian_root.available()
    if reason:
        pytest.skip(reason)
    folder = tmp_path_factory.mktemp("container")
    (folder / "base").mkdir()
    debian_root.make(folder / "base")
    subprocess.run(["git", "clone", "-q", "--no-local", ROOT, str(folder / "context")], check=True)
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="module")
def image(folder):
    return build(folder / "base", folder / "context", folder)


def checked(*argv, **options):
    done = subprocess.run([str(a) for a in argv], capture_output=True, text=True, **options)
    assert done.returncode == 0, f"{argv[0]}: {done.stdout[-2000:]}{done.stderr[-2000:]}"
    return done.stdout


class Engine:
    """buildah and podman with a storage of their own."""
    BASE, NAME = "docker.io/library/debian:bookworm-slim", "sheaf-test"

    def __init__(self, folder):
        self.folder = folder
        self.storage = ["--root", str(folder / "store"), "--runroot", str(folder / "run")]
        # crun refuses machines that have both versions of control groups; it may see the first one only
        self.alone = ["unshare", "--mount", "sh", "-c", 'umount /sys/fs/cgroup/unified 2>/dev/null; exec "$@"', "sh"]
        self.podman = [*self.alone, "podman", *self.storage, "--cgroup-manager=cgroupfs"]

    def build(self):
        with subprocess.Popen(["tar", "-C", str(self.folder / "base"), "-c", "."], stdout=subprocess.PIPE) as tar:
            checked("podman", *self.storage, "import", "-", self.BASE, stdin=tar.stdout)
        checked("buildah", *self.storage, "bud", "--isolation", "chroot", "--pull-never", "--network", "host", "--format", "docker",
                "-t", "sheaf", "-f", FILE, self.folder / "context")

    def run(self, volume, log):
        # an engine raises limits of resources, which needs a capability that a test machine may lack
        limits = []
        for name, number in (("nofile", resource.RLIMIT_NOFILE), ("nproc", resource.RLIMIT_NPROC)):
            most = resource.getrlimit(number)[1]
            limits += ["--ulimit", f"{name}={min(most, 4096) if most > 0 else 4096}"]
        return subprocess.Popen([*self.podman, "run", "--rm", "--name", self.NAME, "--network", "none", "--read-only", "--cap-drop=all",
                                 "--security-opt=no-new-privileges", "--memory=1g", *limits, "-v", f"{volume}:/run/sheaf", "sheaf"],
                                stdout=log, stderr=log)

    def inside(self, *argv):
        return checked(*self.podman, "exec", self.NAME, *argv)


@pytest.fixture(scope="module")
def engine(folder):
    engine = Engine(folder)
    engine.build()
    yield engine
    checked("buildah", *engine.storage, "rmi", "-f", "-a")


@pytest.mark.nightly
@pytest.mark.skipif(not has_engine(), reason="needs buildah, podman and crun")
def test_run_by_an_engine(engine, tmp_path, pendulum):
    volume, log = tmp_path / "v", tmp_path / "log"
    volume.mkdir()
    user = dict(instructions())["USER"].split(":")
    os.chown(volume, *map(int, user))
    with open(log, "w") as out:
        process = engine.run(volume, out)
    try:
        end = time.monotonic() + 30 * SLOW
        while "event=compiler_ready" not in log.read_text():
            assert time.monotonic() < end and process.poll() is None, log.read_text()
            time.sleep(0.05)
        client = Client(f"unix://{volume}/sheaf.sock")
        model = client.put("m.xml", {"m.xml": pendulum})[0].hash
        assert rollout(client, model, 4, 10, {"state0": np.zeros((1, 3))})["state"].shape == (4, 10, 3)
        client.close()
        lines = engine.inside("cat", "/proc/1/status").splitlines()
        status = dict(line.split(":\t", 1) for line in lines if ":\t" in line)
        assert status["Uid"].split() == [user[0]] * 4 and int(status["CapEff"], 16) == 0 and status["NoNewPrivs"] == "1"
        wrote = subprocess.run([*engine.podman, "exec", engine.NAME, "touch", "/x"], capture_output=True, text=True)
        assert "Read-only file system" in wrote.stderr
        healthy = json.loads(dict(instructions())["HEALTHCHECK"].removeprefix("CMD "))
        assert "serving" in engine.inside(*healthy)
        process.send_signal(signal.SIGTERM)
        assert process.wait(20 * SLOW) == 0
    finally:
        process.kill()
        process.wait()
    assert "seccomp" in re.search(r'event=compiler_ready .*sandbox="([^"]*)"', log.read_text())[1]


@pytest.mark.nightly
@pytest.mark.skipif(has_engine(), reason="an engine builds it")
def test_built_and_started(image, tmp_path, pendulum):
    log = tmp_path / "log"
    line = debian_root.command(image.root, image.entry, user=image.user, writable="/run/sheaf")
    process = subprocess.Popen(line, env={**debian_root.PLAIN, **image.env}, stderr=open(log, "w"))
    path = os.path.join("/proc", str(process.pid), "root", "run", "sheaf", "sheaf.sock")
    try:
        end = time.monotonic() + 20 * SLOW
        while "event=started" not in log.read_text():
            assert time.monotonic() < end and process.poll() is None, log.read_text()
            time.sleep(0.05)
        client = Client("unix://" + path)
        model = client.put("m.xml", {"m.xml": pendulum})[0].hash
        assert rollout(client, model, 4, 10, {"state0": np.zeros((1, 3))})["state"].shape == (4, 10, 3)
        client.close()
        with open(f"/proc/{process.pid}/status") as file:
            status = dict(row.rstrip("\n").split(":\t", 1) for row in file if ":\t" in row)
        assert status["Uid"].split() == [image.user] * 4 and int(status["CapEff"], 16) == 0
        with open(f"/proc/{process.pid}/mountinfo") as file:
            root = [row.split() for row in file if row.split()[4] == "/"]
        assert root and root[-1][5].split(",")[0] == "ro"
        process.send_signal(signal.SIGTERM)
        assert process.wait(10 * SLOW) == 0
    finally:
        process.kill()
        process.wait()
    assert "seccomp" in re.search(r'event=compiler_ready .*sandbox="([^"]*)"', log.read_text())[1]
