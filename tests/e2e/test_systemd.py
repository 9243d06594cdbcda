# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""The installed package under a real systemd, the first process of an empty Debian 12: started by a client, reloaded, stopped, killed,
watched, limited."""
import re
import shutil
import time

import numpy as np
import pytest
from conftest import SLOW
from wire import Client, Failure, pb, rollout, work

import booted_root
import debian_root

pytestmark = pytest.mark.nightly
SERVICE = "sheaf.service"
DYNAMIC_USERS = range(61184, 65520)    # man 5 systemd.exec, DynamicUser=


@pytest.fixture(scope="module")
def machine(package, tmp_path_factory):
    reason = booted_root.available()
    if reason:
        pytest.skip(reason)
    root = tmp_path_factory.mktemp("systemd") / "root"
    root.mkdir()
    debian_root.make(root, "systemd", "systemd-sysv")
    shutil.copy(package, root / "tmp" / package.name)
    debian_root.run(root, "apt-get", "update", "-qq")
    debian_root.run(root, "apt-get", "install", "-y", "-qq", "--no-install-recommends", f"/tmp/{package.name}")
    booted = booted_root.Machine(root)
    try:
        booted.wait(60 * SLOW)
        yield booted
    finally:
        booted.stop()
        shutil.rmtree(root, ignore_errors=True)


def show(machine, name, unit=SERVICE):
    return machine.run("systemctl", "show", "--value", "-p", name, unit).strip()


def until(condition, seconds=20):
    end = time.monotonic() + seconds * SLOW
    while not condition():
        assert time.monotonic() < end, "waited too long"
        time.sleep(0.05)


def connect(machine):
    return Client("unix://" + machine.path("/run/sheaf.sock"))


def journal(machine):
    return machine.run("journalctl", "--no-pager", "-o", "cat", "-u", SERVICE)


def status(machine):
    """Lines of /proc/PID/status of the server."""
    with open(machine.path(f"/proc/{show(machine, 'MainPID')}/status")) as file:
        return dict(line.rstrip("\n").split(":\t", 1) for line in file if ":\t" in line)


@pytest.fixture
def drop_in(machine):
    """drop_in(lines): settings of the service for this test."""
    folder = machine.path("/run/systemd/system/sheaf.service.d")

    def change(lines):
        machine.run("mkdir", "-p", "/run/systemd/system/sheaf.service.d")
        with open(folder + "/test.conf", "w") as file:
            file.write("[Service]\n" + lines + "\n")
        machine.run("systemctl", "daemon-reload")
        machine.run("systemctl", "restart", SERVICE)

    yield change
    machine.run("rm", "-rf", "/run/systemd/system/sheaf.service.d")
    machine.run("systemctl", "daemon-reload")
    machine.run("systemctl", "restart", SERVICE)


def test_the_first_client_starts_it(machine, pendulum):
    assert show(machine, "ActiveState", "sheaf.socket") == "active" and show(machine, "ActiveState") == "inactive"
    client = connect(machine)
    model = client.put("m.xml", {"m.xml": pendulum})[0].hash
    assert rollout(client, model, 4, 10, {"state0": np.zeros((1, 3))})["state"].shape == (4, 10, 3)
    client.close()
    until(lambda: show(machine, "ActiveState") == "active")    # READY=1 was heard
    mode = machine.run("stat", "-c", "%a %G", "/run/sheaf.sock").split()
    assert mode == ["660", "sheaf-clients"]

    has = status(machine)
    assert all(int(uid) in DYNAMIC_USERS for uid in has["Uid"].split())
    assert int(has["CapEff"], 16) == int(has["CapBnd"], 16) == 0 and has["NoNewPrivs"] == "1" and has["Seccomp"] == "2"

    # the model's compiler has all layers of its sandbox inside the one of the service
    layers = re.search(r'event=compiler_ready .*sandbox="([^"]*)".*', journal(machine))
    assert {"seccomp", "namespace", "no-capabilities", "limits"} <= set(layers[1].split(",")), layers[0]


def test_its_memory_is_limited(machine):
    with open(machine.path("/sys/fs/cgroup/memory/system.slice/sheaf.service/memory.limit_in_bytes")) as file:
        limit = int(file.read())
    assert limit == int(show(machine, "MemoryMax")) > 0
    with open("/proc/meminfo") as file:
        total = 1024 * int(re.search(r"MemTotal: +(\d+)", file.read())[1])
    assert abs(limit - 0.75 * total) < 0.01 * total


def test_exposure(machine):
    found = machine.run("systemd-analyze", "security", "--no-pager", SERVICE, check=False)
    level = re.search(r"Overall exposure level for sheaf.service: ([\d.]+)", found)
    assert level and float(level[1]) <= 2.0, found


def test_reload_keeps_connections(machine):
    client = connect(machine)
    before = show(machine, "MainPID")
    path = machine.path("/etc/sheaf/sheaf.conf")
    with open(path) as file:
        text = file.read()
    with open(path, "w") as file:
        file.write(text.replace("log-level = info", "log-level = debug"))
    machine.run("systemctl", "reload", SERVICE)
    until(lambda: "event=reloaded" in journal(machine))
    client.ping()
    client.close()
    until(lambda: "level=debug" in journal(machine))
    with open(path, "w") as file:
        file.write(text)
    machine.run("systemctl", "reload", SERVICE)
    until(lambda: journal(machine).count("event=reloaded") == 2)
    assert show(machine, "MainPID") == before and show(machine, "ActiveState") == "active"


def test_stop_waits_for_answers(machine, pendulum):
    client = connect(machine)
    model = client.put("m.xml", {"m.xml": pendulum})[0].hash
    message, data = work(model, 64, {"state0": np.zeros((1, 3))}, ["final_state"])
    ids = [client.send(pb.FRAME_ROLLOUT, pb.Rollout(work=message, nstep=20000), data) for _ in range(8)]
    client.ping()
    machine.run("systemctl", "stop", "--no-block", SERVICE)
    for id_ in ids:
        assert not client.join(client.wait(id_))["status"].any()
    client.close()
    until(lambda: show(machine, "ActiveState") == "inactive")
    assert show(machine, "Result") == "success" and show(machine, "ExecMainStatus") == "0"

    # the socket is still there, and the next client starts a new server
    assert show(machine, "ActiveState", "sheaf.socket") == "active"
    connect(machine).close()


def test_killed_and_started_again(machine):
    connect(machine).close()
    restarts, before = int(show(machine, "NRestarts")), show(machine, "MainPID")
    machine.run("systemctl", "kill", "--kill-who=main", "--signal=KILL", SERVICE)
    until(lambda: int(show(machine, "NRestarts")) == restarts + 1 and show(machine, "ActiveState") == "active")
    assert show(machine, "MainPID") != before
    connect(machine).close()


def test_a_server_that_stands_still_is_started_again(machine, drop_in):
    drop_in("WatchdogSec=2")
    restarts, before = int(show(machine, "NRestarts")), show(machine, "MainPID")
    time.sleep(4)
    assert show(machine, "MainPID") == before    # it says that it runs
    machine.run("systemctl", "kill", "--kill-who=main", "--signal=STOP", SERVICE)
    until(lambda: int(show(machine, "NRestarts")) == restarts + 1 and show(machine, "ActiveState") == "active")
    connect(machine).close()


GREEDY = b"""<mujoco><asset><hfield name="h" nrow="6000" ncol="6000" size="1 1 1 1"/></asset>
<worldbody><geom type="hfield" hfield="h"/></worldbody></mujoco>"""


def test_a_model_that_exhausts_the_memory_ends_its_compiler_only(machine, drop_in, pendulum):
    drop_in("MemoryMax=64M\nEnvironment=SHEAF_COMPILE_MEMORY=4096 SHEAF_MAX_MEMORY=16 SHEAF_MODEL_CACHE=1024 SHEAF_MAX_MODEL_MEMORY=1024 "
            "SHEAF_MAX_WORKER_MEMORY=1024")
    client, before = connect(machine), show(machine, "MainPID")
    with pytest.raises(Failure) as failure:
        client.put("m.xml", {"m.xml": GREEDY})
    assert failure.value.code == pb.CODE_UNAVAILABLE and "killed from outside" in failure.value.error.message, failure.value.error
    with open(machine.path("/sys/fs/cgroup/memory/system.slice/sheaf.service/memory.oom_control")) as file:
        assert int(re.search(r"oom_kill (\d+)", file.read())[1]) > 0
    model = client.put("m.xml", {"m.xml": pendulum})[0].hash
    assert rollout(client, model, 1, 10, {"state0": np.zeros((1, 3))})["state"].shape == (1, 10, 3)
    client.close()
    assert show(machine, "MainPID") == before and show(machine, "NRestarts") == "0"


def test_purged_while_it_runs(machine):
    connect(machine).close()
    machine.run("dpkg", "--purge", "sheaf")
    assert machine.run("systemctl", "is-active", "sheaf.service", "sheaf.socket", check=False).split() == ["inactive"] * 2
    assert "sheaf" not in machine.run("systemctl", "list-unit-files", "--no-pager")
