# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""The processes that compile models: what they may do, whom they delay, and what happens when they die."""
import json
import os
import re
import signal
import subprocess
import time
import urllib.request

import pytest
from conftest import SHEAF, SLOW
from wire import HEADER, Client, Failure, pb, put_message

# Takes longer to compile than any of these tests: all bodies are different, so no two uploads are the same model.
BODIES = '<mujoco model="%d"><worldbody><replicate count="255"><replicate count="255"><body><joint/><geom size="1"/></body>' \
         '</replicate></replicate></worldbody></mujoco>'


def ask_slow(client, number):
    message, data = put_message("m.xml", {"m.xml": (BODIES % number).encode()})
    return client.send(pb.FRAME_MODEL_PUT, message, data)


def children(pid):
    try:
        with open(f"/proc/{pid}/task/{pid}/children") as file:
            return [int(word) for word in file.read().split()]
    except FileNotFoundError:
        return []


def spawner(server):
    found = children(server.process.pid)
    assert len(found) == 1
    return found[0]


def status(pid):
    with open(f"/proc/{pid}/status") as file:
        return dict(line.rstrip("\n").split(":\t", 1) for line in file if ":\t" in line)


def alive(pid):
    try:
        return status(pid)["State"][0] != "Z"
    except FileNotFoundError:
        return False


@pytest.fixture
def compiling(start):
    """A server and a client whose model is being compiled; the number of the helper."""
    server = start("--compile-time", "60")
    client = Client(server.address)
    ask_slow(client, 0)
    server.until(lambda: "compiler_ready" in server.log(), 10)
    server.until(lambda: children(spawner(server)) and status(children(spawner(server))[0]).get("Seccomp") == "2", 10)
    yield server, client, children(spawner(server))[0]
    client.close()


def test_a_helper_has_nothing_but_its_two_files(compiling):
    server, _, helper = compiling
    fds = {fd: os.readlink(f"/proc/{helper}/fd/{fd}") for fd in os.listdir(f"/proc/{helper}/fd")}
    fds.pop("2", None) if "libasan" in open(f"/proc/{helper}/maps").read() else None
    assert sorted(fds) == ["0", "1"] and all("memfd:sheaf-model" in target for target in fds.values())
    with open(f"/proc/{helper}/environ", "rb") as file:
        assert not file.read().strip(b"\0")
    about = status(helper)
    assert about["NoNewPrivs"] == "1" and about["Seccomp"] == "2"
    assert int(about["CapEff"], 16) == int(about["CapPrm"], 16) == 0
    assert os.getpriority(os.PRIO_PROCESS, helper) == 10
    with open(f"/proc/{helper}/oom_score_adj") as file:
        assert int(file.read()) == 500
    ready = re.search(r'event=compiler_ready pid=(\d+) sandbox="(\S+)"', server.log())
    assert int(ready[1]) == spawner(server) and "seccomp" in ready[2].split(",")


def test_compilations_whose_client_left_end(compiling, pendulum):
    server, client, helper = compiling
    for i in range(1, 12):
        ask_slow(client, i)
    client.ping()
    client.close()
    server.until(lambda: not children(spawner(server)), 2)
    other = Client(server.address)
    other.put("m.xml", {"m.xml": pendulum})
    assert other.info().queued_bytes < 100
    other.close()


def run(*args):
    done = subprocess.run([SHEAF, *args], capture_output=True, text=True, timeout=30 * SLOW)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_everybody_sees_the_sandbox_and_the_queue(start, pendulum):
    server = start("--compile-time", "60", "--metrics", "127.0.0.1:0")
    server.until(lambda: "compiler_ready" in server.log(), 10)
    holds, missing = re.search(r'sandbox="(.*?)" missing="(.*?)"', server.log()).groups()
    clients = [Client(server.address) for _ in range(4)]
    clients[0].put("m.xml", {"m.xml": pendulum})
    for number, client in enumerate(clients):
        ask_slow(client, number)    # an identity has three places
    server.until(lambda: clients[0].info().compile_waiting == 1, 10)
    info = clients[0].info()
    assert (info.sandbox, info.sandbox_missing, info.compiling) == (holds, missing, 3) and info.compile_mean_us > 0
    assert "seccomp" in holds.split(",") and "limits" in holds.split(",")

    told = json.loads(run("info", server.address, "--json"))
    assert (told["sandbox"], told["sandbox_missing"], told["compiling"], told["compile_waiting"]) == (holds, missing, 3, 1)
    text = run("info", server.address)
    assert f"sandbox      {holds}; missing: {missing or 'none'}" in text and "3 models compiled now (1 waiting)" in text
    top = json.loads(run("top", server.address, "--json", "--count", "1"))
    assert (top["sandbox_missing"], top["compiling"], top["compile_waiting"]) == (missing, 3, 1)
    assert "compiling=3 compile_waiting=1 sandbox_missing=" in run("top", server.address, "--count", "1")

    where = re.search(r"event=monitoring address=(http://\S+)", server.log()).group(1)
    with urllib.request.urlopen(where + "/metrics") as reply:
        metrics = reply.read().decode()
    assert "sheaf_compilations_waiting 1\n" in metrics
    seen = dict(re.findall(r'sheaf_sandbox_layer{layer="(.*?)"} (\d)', metrics))
    assert sorted(seen) == sorted(filter(None, f"{holds},{missing}".split(",")))
    assert {name for name, value in seen.items() if value == "1"} == set(holds.split(","))
    for client in clients:
        client.close()


def test_clients_take_turns(compiling, pendulum):
    server, hog, _ = compiling
    ids = [ask_slow(hog, i) for i in range(1, 12)]
    mouse = Client(server.address)
    for i in range(5):
        mouse.put("m.xml", {"m.xml": pendulum.replace(b"pendulum", b"pendulum %d" % i)})
    mouse.close()

    # the line of one client has a bound, and who is refused is told when to come again
    ids += [ask_slow(hog, i) for i in range(12, 60)]
    with pytest.raises(Failure) as failure:
        hog.wait(ids[-1])
    error = failure.value.error
    assert error.code == pb.CODE_RESOURCE_EXHAUSTED and error.retriable and error.retry_after_us >= 20000


def test_sigterm_does_not_wait_for_compilations(compiling):
    server, client, _ = compiling
    ids = [*(ask_slow(client, i) for i in range(1, 6))]
    client.ping()
    began = time.monotonic()
    server.terminate()
    assert server.wait(10) == 0
    assert time.monotonic() - began < 4 * SLOW
    with pytest.raises(Failure) as failure:
        client.wait(ids[-1])
    assert failure.value.code == pb.CODE_UNAVAILABLE and failure.value.error.retriable


def test_kill_9_of_the_spawner(compiling, pendulum):
    server, client, helper = compiling
    first = spawner(server)
    time.sleep(1.1)    # one that ends at once would be started again later
    os.kill(first, signal.SIGKILL)
    server.until(lambda: "event=compiler_lost" in server.log(), 5)
    server.until(lambda: not alive(helper), 5)
    other = Client(server.address)
    other.put("m.xml", {"m.xml": pendulum})
    other.close()
    assert spawner(server) != first and server.process.poll() is None


def test_kill_9_of_the_server_ends_all(compiling):
    server, _, helper = compiling
    first = spawner(server)
    server.process.kill()
    server.wait()
    server.until(lambda: not alive(helper) and not alive(first), 5)


def test_uploads_work_beside_more_address_space_than_memory(start, pendulum):
    """What clients announce is not there yet: it takes no memory and keeps nobody from compiling."""
    server = start()
    before = server.rss()
    clients = [Client(server.address) for _ in range(120)]
    control = pb.Rollout(work=pb.Work(model=bytes(32), nbatch=1)).SerializeToString()
    for client in clients:
        client.socket.sendall(HEADER.pack(b"SHF1", 1, 1, pb.FRAME_ROLLOUT, 1, len(control), 0, 250 << 20) + control + bytes(4096))
    other = Client(server.address)
    other.ping()
    other.put("m.xml", {"m.xml": pendulum})
    assert server.rss() - before < 64 << 20
    for client in clients + [other]:
        client.close()
