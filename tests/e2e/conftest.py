# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""A real server process for each test that wants one. SHEAF_BUILD names the build tree (build/release)."""
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time

import pytest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests", "support"))
BUILD = os.path.abspath(os.environ.get("SHEAF_BUILD", os.path.join(ROOT, "build", "release")))
SHEAF = os.path.join(BUILD, "clients", "cli", "sheaf")
LIBRARY = os.path.join(BUILD, "engine", "libsheaf.so")
if os.path.exists(LIBRARY):
    os.environ.setdefault("SHEAF_LIBRARY", LIBRARY)    # the engine of the Python client's calls in this process
SLOW = float(os.environ.get("TEST_SLOW", "1"))    # timing bounds are multiplied by this

# a slow server may work longer for a request that names no deadline
PATIENT = ["--default-deadline", f"{min(3600, 60 * SLOW):g}"] if SLOW > 1 else []

# SHEAF_VALGRIND=1: servers run under memcheck, and one that makes an error or loses memory ends with status 99
VALGRIND = ["valgrind", "--quiet", "--error-exitcode=99", "--leak-check=full", "--show-leak-kinds=definite",
            "--errors-for-leak-kinds=definite", "--fair-sched=yes", "--num-callers=30",
            "--suppressions=" + os.path.join(ROOT, "tests", "support", "valgrind.supp")]
if not os.environ.get("SHEAF_VALGRIND"):
    VALGRIND = []


def pytest_configure(config):
    config.addinivalue_line("markers", "nightly: takes long; only by sh tests/run.sh nightly (SHEAF_NIGHTLY=1)")


def pytest_collection_modifyitems(config, items):
    if not os.environ.get("SHEAF_NIGHTLY"):
        late = [item for item in items if item.get_closest_marker("nightly")]
        items[:] = [item for item in items if item not in late]
        config.hook.pytest_deselected(items=late)
    here = os.path.dirname(os.path.abspath(__file__))
    if os.path.exists(SHEAF):
        return
    for item in items:
        if str(item.fspath).startswith(here):
            item.add_marker(pytest.mark.skip(reason=f"no {SHEAF}: build it, or set SHEAF_BUILD"))


class Server:
    def __init__(self, folder, *args, threads=2, tcp=True, preexec=None, **variables):
        self.folder, self.log_path = str(folder), os.path.join(str(folder), "server.log")
        self.sessions = 0    # of the fixture `far`
        self.unix = os.path.join(self.folder, "s.sock")
        where = ["--listen", "127.0.0.1:0"] if tcp else ["--no-tcp"]
        self.log_file = open(self.log_path, "w")
        # under a sanitizer, running out of memory is what some models are meant to do
        environment = dict(os.environ, ASAN_OPTIONS="allocator_may_return_null=1", **variables)
        if VALGRIND:
            environment.setdefault("LD_PRELOAD", os.path.join(BUILD, "tests", "e2e", "libexec_shim.so"))
        self.process = subprocess.Popen(
            [*VALGRIND, SHEAF, "serve", *where, "--unix", self.unix, "--threads", str(threads), *PATIENT, *args], stderr=self.log_file,
            env=environment, preexec_fn=preexec)
        self.until(lambda: "event=started" in self.log() or self.process.poll() is not None, 20)
        assert self.process.poll() is None, self.log()
        found = re.search(r"address=(tcp://\S+)", self.log())
        self.tcp = found.group(1) if found else None
        self.address = self.tcp or "unix://" + self.unix

    def log(self):
        with open(self.log_path) as file:
            return file.read()

    @staticmethod
    def until(condition, seconds):
        """Wait for a condition; fails when it does not come."""
        end = time.monotonic() + seconds * SLOW
        while not condition():
            assert time.monotonic() < end, "waited too long"
            time.sleep(0.005)

    @staticmethod
    def listens(path):
        """Does a server take connections on this Unix socket? The file is there a moment earlier."""
        with socket.socket(socket.AF_UNIX) as sock:
            return sock.connect_ex(str(path)) == 0

    def terminate(self):
        self.process.send_signal(signal.SIGTERM)

    def wait(self, seconds=10):
        return self.process.wait(seconds * SLOW)

    def stop(self):
        """A good end: everything drained, exit status 0, no report of a sanitizer."""
        if self.process.poll() is None:
            self.terminate()
            try:
                assert self.wait() == 0, self.log()
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
                raise
        self.log_file.close()
        assert "ERROR: " not in self.log() and "runtime error" not in self.log(), self.log()

    def cpu(self):
        """Processor seconds of its threads so far."""
        return sum(self.cpu_of_loop_and_others())

    def cpu_of_loop_and_others(self):
        """The same of the two threads that run the loop in turns, and of all others."""
        times, folder = [0, 0], f"/proc/{self.process.pid}/task"
        for thread in os.listdir(folder):
            with open(f"{folder}/{thread}/schedstat") as spent, open(f"{folder}/{thread}/comm") as name:
                other = thread != str(self.process.pid) and name.read() != "loop\n"
                times[other] += 1e-9 * int(spent.read().split()[0])
        return tuple(times)

    def rss(self):
        """Resident bytes. A sanitizer keeps what was freed, so there nothing is said about them."""
        if os.environ.get("SHEAF_SANITIZED"):
            return 0
        with open(f"/proc/{self.process.pid}/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")


@pytest.fixture
def start(tmp_path):
    """Start servers with options; they must end well."""
    servers = []

    def run(*args, **options):
        folder = tmp_path / str(len(servers))
        folder.mkdir()
        servers.append(Server(folder, *args, **options))
        return servers[-1]

    yield run
    for server in servers:
        if server.process.poll() is None:
            server.stop()


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """One server for the tests of a file. After each test it must be idle again; see `idle`."""
    s = Server(tmp_path_factory.mktemp("server"))
    yield s
    s.stop()


@pytest.fixture
def address(server):
    """Where `client` connects. A file whose tests want the Unix socket has an `address` of its own."""
    return server.address


@pytest.fixture
def client(address):
    """A connection to the server of the file that sends frames as they are."""
    from wire import Client
    c = Client(address)
    yield c
    c.close()


@pytest.fixture(scope="module")
def local():
    """The Python client's session with the engine in this process."""
    import sheaf
    with sheaf.connect(threads=2) as s:
        yield s


@pytest.fixture(scope="module")
def far(server):
    """The Python client's session with the server of the file, connected until the file's last test."""
    import sheaf
    with sheaf.connect(server.address) as s:
        server.sessions += 1
        yield s
        server.sessions -= 1


@pytest.fixture(params=["local", "far"])
def session(request):
    return request.getfixturevalue(request.param)


@pytest.fixture(autouse=True)
def idle(request):
    """After a test the shared server holds nothing that belonged to it."""
    yield
    if "server" not in request.fixturenames:
        return
    from wire import Client
    s = request.getfixturevalue("server")

    def nothing_left():
        client = Client(s.address)
        info = client.info()
        client.close()
        # the question itself is held while it is answered
        return info.inflight == 0 and info.queued_bytes < 100 and info.connections == 1 + s.sessions

    s.until(nothing_left, 10)


def read_gauges(server):
    """What the server holds, as it tells and as the system tells, without the connection that asks."""
    from wire import Client
    client = Client("unix://" + server.unix)
    info = client.info()
    names = ("inflight", "waiting", "queued_bytes", "unsent_bytes", "models", "model_bytes")
    out = {name: getattr(info, name) for name in names}
    out["connections"] = info.connections - 1
    out["descriptors"] = len(os.listdir(f"/proc/{server.process.pid}/fd")) - 1
    client.close()
    return out


@pytest.fixture
def gauges():
    """gauges(server): after the test everything that this server holds is what it held at this call, to the byte. The call waits until
    the server has noticed that clients closed their connections, those that asked before among them."""
    watched = []

    def watch(server):
        def alone():
            found = read_gauges(server)
            return found["connections"] == 0 and watched.append((server, found)) is None
        server.until(alone, 10)
    yield watch
    for server, before in watched:
        assert server.process.poll() is None, server.log()
        try:
            server.until(lambda: read_gauges(server) == before, 10)
        except AssertionError:
            assert read_gauges(server) == before


PENDULUM = b"""<mujoco model="pendulum">
  <option timestep="0.01"/>
  <worldbody>
    <body name="rod"><joint name="hinge" axis="0 1 0" damping="0.1"/>
      <geom name="bob" type="capsule" fromto="0 0 0 0 0 -1" size="0.05"/><site name="tip" pos="0 0 -1"/></body>
  </worldbody>
  <actuator><motor name="torque" joint="hinge" ctrlrange="-1 1" ctrllimited="true"/></actuator>
  <sensor><jointpos name="angle" joint="hinge"/><framepos name="where" objtype="site" objname="tip"/></sensor>
  <keyframe><key name="up" qpos="3.14"/></keyframe>
</mujoco>"""


@pytest.fixture
def pendulum():
    return PENDULUM


# A mass of 2 kg on a rail and a motor of gear 3. A control of 1 is a force of 1 in the motor, 3 along the rail and an acceleration of 1.5:
# the derivatives of the five sensors by the control.
PUSHER = b"""<mujoco model="pusher">
  <option gravity="0 0 0"/>
  <worldbody><body><joint name="rail" type="slide" axis="1 0 0"/><geom size="0.1" mass="2"/><site name="imu"/></body></worldbody>
  <actuator><motor name="push" joint="rail" gear="3"/></actuator>
  <sensor><accelerometer site="imu"/><actuatorfrc actuator="push"/><jointactuatorfrc joint="rail"/></sensor>
</mujoco>"""
PUSHED = [1.5, 0, 0, 1, 3]


@pytest.fixture(scope="session")
def models():
    """Folder of models that are not part of the repository, or a skip."""
    folder = os.environ.get("SHEAF_MODELS", os.path.join(os.path.dirname(ROOT), "shared", "models"))
    if not os.path.isdir(folder):
        pytest.skip("no folder of models (SHEAF_MODELS)")
    return folder


@pytest.fixture(scope="session")
def package(tmp_path_factory):
    """The Debian package of the build, made by CPack."""
    if not shutil.which("cpack") or not shutil.which("dpkg-shlibdeps"):
        pytest.skip("needs cpack and dpkg-shlibdeps")
    folder = tmp_path_factory.mktemp("package")
    done = subprocess.run(["cpack", "-G", "DEB", "--config", os.path.join(BUILD, "CPackConfig.cmake"), "-B", str(folder)],
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    found = [name for name in os.listdir(folder) if name.endswith(".deb")]
    assert len(found) == 1
    return folder / found[0]


@pytest.fixture
def scattered(tmp_path):
    """A model as they are in the wild: text that no XML parser takes, parts above the main file's folder, one path through the
    name of that folder, settings that an include changes and the main file sets again, a mesh by its absolute path."""
    tet = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
    (tmp_path / "elsewhere").mkdir()
    files = {
        "top/robot/main.xml":
            '<mujoco><!-- -- --><include file="../parts/assets.xml"/><compiler meshdir="../meshes"/>'
            '<worldbody><body><freejoint/><geom type="mesh" mesh="a"/><geom type="mesh" mesh="b"/>'
            f'<geom type="mesh" mesh="c"/></body></worldbody><asset><mesh name="c"file="{tmp_path}/elsewhere/C.obj"/></asset>'
            '</mujoco>',
        "top/parts/assets.xml":
            '<mujoco><compiler meshdir="nowhere"/><asset><mesh name="a" file="tet &amp; co.obj"/>'
            '<mesh name="b" file="../../top/robot/../meshes/more/b.obj"/></asset></mujoco>',
        "top/meshes/tet & co.obj": tet, "top/meshes/more/b.obj": tet, "elsewhere/C.obj": tet}
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path / "top" / "robot" / "main.xml"


@pytest.fixture(params=["beside", "meshdir"])
def climbing(request, tmp_path):
    """A model whose included files lead out of their own folders, to other includes and to meshes. Without a folder of meshes, names in
    an included file are relative to that file and lead nowhere from the main file; a folder that an included file sets is relative
    to the main file."""
    tet = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
    settings, a, b = {"beside": ("", "../../../looks/a.obj", "../top/meshes/b.obj"),
                      "meshdir": ('<compiler meshdir="../meshes"/>', "../looks/a.obj", "b.obj")}[request.param]
    files = {
        "top/robot/main.xml":
            '<mujoco><include file="parts/left/arm.xml"/><worldbody><include file="parts/left/chain.xml"/></worldbody></mujoco>',
        "top/robot/parts/left/arm.xml":
            f'<mujoco><include file="../../../../shared/assets.xml"/><asset><mesh name="a" file="{a}"/></asset></mujoco>',
        "top/robot/parts/left/chain.xml": '<mujoco><include file="../both/body.xml"/></mujoco>',
        "top/robot/parts/both/body.xml":
            '<mujoco><body name="tool"><freejoint/><geom type="mesh" mesh="a"/><geom type="mesh" mesh="b"/></body></mujoco>',
        "shared/assets.xml": f'<mujoco>{settings}<asset><mesh name="b" file="{b}"/></asset></mujoco>',
        "top/looks/a.obj": tet, "top/meshes/b.obj": tet}
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path / "top" / "robot" / "main.xml"


@pytest.fixture
def rich(session):
    from rich_model import RICH    # here, because a server's tests need no numpy
    return session.load(RICH)
