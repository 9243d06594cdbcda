# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Who is served when: rows that are cut in time, fair shares, priorities, deadlines, and what is left of work that is stopped."""
import os
import re
import select
import selectors
import subprocess
import threading
import time
import urllib.request

import numpy as np
import pytest
from conftest import PENDULUM, ROOT, SHEAF, SLOW
from test_shared import MIB, region
from wire import HEADER, MORE, Client, Failure, pb, rollout, work

sheaf = pytest.importorskip("sheaf", reason="pip install ./clients/python")

MODEL = os.path.join(ROOT, "deploy", "demo", "quadruped.xml")


def put(client, comment=""):
    """A model; with a comment it is another, of which the server has measured nothing yet."""
    with open(MODEL, "rb") as file:
        reply, tensors = client.put("m.xml", {"m.xml": file.read() + f"<!--{comment}-->".encode()})
    return reply.hash, tensors["state0"].reshape(1, -1)


def begin(client, model, state, nbatch, nstep, outputs=("final_state",), **options):
    message, data = work(model, nbatch, {"state0": state}, outputs, **options)
    return client.send(pb.FRAME_ROLLOUT, pb.Rollout(work=message, nstep=nstep), data)


def hog(address, nbatch=64, nstep=100000, jobs=8, token=b"", **options):
    """A client that asks for minutes of work."""
    client = Client(address, token=token)
    model, state = put(client)
    client.jobs = [begin(client, model, state, nbatch, nstep, timeout_us=10**9, **options) for _ in range(jobs)]
    return client


def test_rows_that_are_cut_have_the_bits_of_short_ones(start):
    """Long rows beside a heavy client, whose requests are cancelled meanwhile, and the same ones in many short requests."""
    server = start()
    client = Client(server.address)
    model, state = put(client)
    rng = np.random.default_rng(3)
    for rows in (1, 5, 19):
        states = np.repeat(state, rows, 0)
        states[:, 1:] += rng.normal(0, 1e-3, (rows, states.shape[1] - 1))
        heavy = hog(server.address)
        whole = begin(client, model, states, rows, 1200, ["state", "final_state", "final_warmstart"])
        for id_ in heavy.jobs[1::2]:
            time.sleep(0.01)
            heavy.send(pb.FRAME_CANCEL, pb.Cancel(request_id=id_))
        whole = client.join(client.wait(whole))
        heavy.close()
        parts, inputs = [], {"state0": states}
        for _ in range(60):
            part = rollout(client, model, rows, 20, inputs, ["state", "final_state", "final_warmstart"])
            inputs = {"state0": part["final_state"], "warmstart0": part["final_warmstart"]}
            parts.append(part["state"])
        assert (np.concatenate(parts, 1) == whole["state"]).all()
        assert (part["final_warmstart"] == whole["final_warmstart"]).all() and not whole["status"].any()
    server.stop()


@pytest.mark.parametrize("options", [{"nbatch": 64, "nstep": 1000}, {"nbatch": 1, "nstep": 10**6}, {"priority": 1}])
def test_a_light_client_does_not_wait_for_a_heavy_one(start, options):
    server = start()
    heavy, client = hog(server.address, **options), Client(server.address)
    model, state = put(client)

    # how much the two workers do before they answer: the time that other programs take from them is not theirs
    times = []
    for _ in range(20):
        began = server.cpu()
        client.wait(begin(client, model, state, 1, 10))
        times.append((server.cpu() - began) / 2)
        time.sleep(0.01)
    assert np.percentile(times, 80) < 0.04 * SLOW, times
    heavy.close()
    server.stop()


def shared_work(server, client, count, send):
    """Processor seconds of the loop and of the workers for so many requests, one after the other."""
    loop, workers = server.cpu_of_loop_and_others()
    for _ in range(count):
        time.sleep(0.002)    # so that the workers sleep
        client.wait(send())
    now = server.cpu_of_loop_and_others()
    return now[0] - loop, now[1] - workers


def test_short_work_of_a_lone_client_wakes_no_worker(start):
    """The loop computes it for anybody, unless others want the loop meanwhile."""
    server = start(threads=1)
    client, other, from_afar = Client("unix://" + server.unix), Client(server.address), Client(server.address)
    model, state = put(client)
    nstep = 100

    def spent(client, requests=100):
        return shared_work(server, client, requests, lambda: begin(client, model, state, 8, nstep))

    spent(client, 10)
    nstep = max(1, round(nstep * 0.0004 / (sum(spent(client, 10)) / 10)))    # 0.4 ms
    for asks in (client, from_afar):
        for _ in range(5):    # while other programs take the processors, the same work may seem long
            loop, workers = spent(asks)
            if workers < 0.3 * loop:
                break
        assert workers < 0.3 * loop, (loop, workers)
    stop = threading.Event()

    def ask():
        while not stop.is_set():
            other.wait(other.send(pb.FRAME_PING, pb.Ping()))
    thread = threading.Thread(target=ask)
    thread.start()
    try:
        beside = spent(client)
    finally:
        stop.set()
        thread.join()
    assert beside[1] > 0.4 * loop, (loop, workers, beside)
    server.stop()


def heap_of_spheres(client, n):
    """A model and two states: spheres that lie apart make short steps; on one heap they make one that takes long."""
    bodies = "".join(f"<body pos='{i} 0 0'><freejoint/><geom size='.1' condim='6'/></body>" for i in range(n))
    xml = f"<mujoco><option gravity='0 0 0'/><worldbody>{bodies}</worldbody></mujoco>"
    reply, tensors = client.put("m.xml", {"m.xml": xml.encode()})
    apart = tensors["state0"].reshape(1, -1)
    heap = apart.copy()
    heap[0, 1:1 + 7 * n].reshape(n, 7)[:, :3] = np.random.default_rng(1).uniform(-0.01, 0.01, (n, 3))
    return reply.hash, apart, heap


def until_the_loop_takes_part(spent, state):
    end = time.monotonic() + 20 * SLOW
    while time.monotonic() < end:
        loop, workers = spent(100, state)
        if workers < 0.3 * loop:
            return
    raise AssertionError((loop, workers))


def test_a_step_that_takes_long_stops_nobody(start):
    """The loop computes it, and another thread leads meanwhile; each of the two in turns."""
    server = start(threads=1)
    client, other = Client(server.address), Client(server.address)
    waits, stop = [], threading.Event()

    def ask():
        while not stop.is_set():
            began = time.monotonic()
            other.wait(other.send(pb.FRAME_PING, pb.Ping()))
            waits.append(time.monotonic() - began)
            time.sleep(0.002)

    for n in (110, 111, 112, 113):    # models of which nothing is known
        model, apart, heap = heap_of_spheres(client, n)

        def spent(count, state):
            return shared_work(server, client, count, lambda: begin(client, model, state, 1, 1))

        for _ in range(5):
            until_the_loop_takes_part(spent, apart)
            waits.clear()
            stop.clear()
            thread = threading.Thread(target=ask)
            thread.start()
            began = time.monotonic()
            loop, workers = spent(1, heap)
            took = time.monotonic() - began
            stop.set()
            thread.join()
            if loop > workers:
                break
        assert loop > 0.1 > workers and len(waits) > 10, (loop, workers, waits)
        assert np.percentile(waits, 80) < 0.04 * SLOW < took, (waits, took)
    server.stop()


def queue(client, model, state, count, nstep=100, **options):
    """Send so many equal requests at once."""
    message, data = work(model, 64, {"state0": state}, ["final_state"], timeout_us=10**9, **options)
    control = pb.Rollout(work=message, nstep=nstep).SerializeToString()
    client.socket.sendall(b"".join(HEADER.pack(b"SHF1", 1, 0, pb.FRAME_ROLLOUT, 1000 + k, len(control), 0, len(data)) + control + data
                                   for k in range(count)))
    client.rest = bytearray()


def answered(client):
    """How many answers have come since the last call; does not wait."""
    n = 0
    if select.select([client.socket], [], [], 0)[0]:
        client.rest += client.socket.recv(1 << 20)
    while len(client.rest) >= HEADER.size:
        _, _, flags, type_, _, ncontrol, _, ndata = HEADER.unpack_from(client.rest)
        size = HEADER.size + ncontrol + ndata
        if len(client.rest) < size:
            break
        assert type_ != pb.FRAME_ERROR, client.rest[HEADER.size:size]
        n += not flags & MORE
        del client.rest[:size]
    return n


def shares(address, *options, total=80, nstep=100):
    """How many answers each client gets out of so many. All requests wait in the server before the first answer counts, and no client
    runs out of them: so the numbers are the server's choice, and the speed of the clients does not matter. The first answers do not
    count: clients that came earlier have work in the pool when the last one comes."""
    clients = [Client(address, token=o.get("token", b"")) for o in options]
    models = [put(c) for c in clients]
    for c, (model, state), o in zip(clients, models, options):
        queue(c, model, state, 2 * total, nstep, priority=o.get("priority", 0))
    end = time.monotonic() + 60 * SLOW

    def take(total):
        done = np.zeros(len(clients))
        while done.sum() < total:
            assert time.monotonic() < end, done
            select.select([c.socket for c in clients], [], [], 1)
            done += [answered(c) for c in clients]
        return done

    take(total / 2)
    done = take(total)
    for c in clients:
        c.close()
    return done


def test_equal_clients_get_equal_shares(start):
    server = start("--max-inflight", "160")
    for address in (server.address, "unix://" + server.unix):    # identities of their own, and one for all
        done = shares(address, *[{}] * 4)
        assert done.sum() ** 2 / 4 / (done ** 2).sum() >= 0.95, done
    server.stop()


def test_shares_follow_the_weights_of_tokens(start, tmp_path):
    """By identity, whatever the number of connections; and a token tells which priorities may be asked for."""
    file, tokens, lines = tmp_path / "tokens", [], ""
    for name, weight in (("small", 1), ("large", 3)):
        made = subprocess.run([SHEAF, "token", "new", name], capture_output=True, text=True, timeout=20, check=True)
        tokens.append(made.stdout.strip().encode())
        lines += f"{made.stderr}weight = {weight}\n"
    file.write_text(lines)
    server = start("--tokens", str(file), "--max-inflight", "480")
    small, large = tokens
    # the three go on in step, so what they got is known to three answers: of 20 that would be too many
    done = shares(server.address, {"token": small}, {"token": small}, {"token": small}, {"token": large}, total=240, nstep=30)
    assert 2.6 < done[3] / done[:3].sum() < 3.4, done
    client = Client(server.address, token=small)
    model, state = put(client)
    client.wait(begin(client, model, state, 1, 1, priority=-1))
    with pytest.raises(Failure) as refused:
        client.wait(begin(client, model, state, 1, 1, priority=1))
    assert refused.value.code == pb.CODE_PERMISSION_DENIED and refused.value.error.field == "priority"
    server.stop()


def test_no_priority_starves(start):
    server = start("--max-inflight", "160")
    low, high = shares(server.address, {"priority": -1}, {"priority": 1})
    assert low >= 1 and 4 < high / low < 64, (low, high)
    server.stop()


def test_deadlines_are_announced_and_hold(start):
    server = start("--default-deadline", "0.3", "--max-deadline", "0.6")
    client = Client(server.address)
    assert client.hello.limits.default_deadline_us == 300000 and client.hello.limits.max_deadline_us == 600000
    for timeout, least in ((0, 0.3), (10**12, 0.6), (50000, 0.05)):
        model, state = put(client, timeout)
        began = time.monotonic()
        with pytest.raises(Failure) as late:
            client.wait(begin(client, model, state, 8, 10**6, timeout_us=timeout))
        took = time.monotonic() - began
        assert late.value.code == pb.CODE_DEADLINE_EXCEEDED and least <= took < least + 0.2 * SLOW
    server.stop()


def test_clients_without_a_timeout_have_the_largest(start, pendulum, tmp_path):
    """What their programs call no limit is not the deadline of requests that name none."""
    (tmp_path / "m.xml").write_bytes(pendulum)
    server, strict = start("--default-deadline", "0.02", "--max-deadline", "600"), start("--default-deadline", "0.02", "--max-deadline", "0.2")
    ask = {"nstep": 10**5, "outputs": "final_state", "only": True}
    with sheaf.connect(server.address) as s, sheaf.connect(strict.address) as t:
        m = s.load(pendulum)
        assert not m.rollout(m.state0, **ask).status.any()
        step = m.prepare(1, nstep=10**5, outputs="final_state", only=True)
        assert not step(m.state0).status.any()
        with pytest.raises(sheaf.DeadlineExceeded, match="the time is over .0.2 s"):
            t.load(pendulum).rollout(m.state0, **ask | {"nstep": 10**8})
    for s, status in ((server, 0), (strict, 1)):
        steps = 10**5 if s is server else 10**8
        done = subprocess.run([SHEAF, "rollout", str(tmp_path / "m.xml"), "-s", s.address, "-n", str(steps), "--hold", str(steps), "--output", "final_state",
                               "--only"], capture_output=True, text=True, timeout=120 * SLOW)
        assert done.returncode == status and ("time is over" in done.stderr) == bool(status), done.stderr
        s.stop()


def test_steps_are_counted_when_they_are_done(start):
    server = start(threads=1)
    client = Client(server.address)
    model, state = put(client)
    steps = 10**6
    id_ = begin(client, model, state, 4, steps)
    server.until(lambda: client.info().steps_total > 0, 5)
    client.ask(pb.FRAME_CANCEL, pb.Cancel(request_id=id_))
    with pytest.raises(Failure):
        client.wait(id_)
    cancelled = client.info().steps_total
    assert 0 < cancelled < 4 * steps / 4
    client.wait(begin(client, model, state, 4, 50))
    assert client.info().steps_total == cancelled + 4 * 50

    # what is late before its turn comes is never begun
    heavy = begin(client, model, state, 1, steps)
    late = [begin(client, model, state, 64, steps, timeout_us=1) for _ in range(20)]
    for id_ in late:
        with pytest.raises(Failure) as failure:
            client.wait(id_)
        assert failure.value.code == pb.CODE_DEADLINE_EXCEEDED
    client.ask(pb.FRAME_CANCEL, pb.Cancel(request_id=heavy))
    server.stop()


def test_the_earliest_deadline_goes_first(start):
    server = start(threads=1)
    client = Client(server.address)
    model, state = put(client)
    first = begin(client, model, state, 64, 400, timeout_us=10**9)
    order = [begin(client, model, state, 64, 200, timeout_us=t * 10**8) for t in (9, 5, 7, 3)]
    ends = []
    while len(ends) < 5:
        type_, flags, id_, control, _ = client.frame()
        assert type_ != pb.FRAME_ERROR, pb.Error.FromString(control)
        if not flags & MORE:
            ends.append(id_)
    assert [i for i in ends if i != first] == [order[k] for k in (3, 1, 2, 0)]
    server.stop()


def steps_by_identity(server):
    where = re.search(r"event=monitoring address=(http://\S+)", server.log()).group(1)
    with urllib.request.urlopen(where + "/metrics") as reply:
        found = re.findall(r'sheaf_identity_steps_total{identity="(\w+)"} (\S+)', reply.read().decode())
    return np.array([float(dict(found)[name]) for name in ("mine", "other")])


def test_a_deadline_that_cannot_wait_goes_before_other_connections_of_its_identity(start, tmp_path):
    """But takes nothing from other identities."""
    file, tokens, lines = tmp_path / "tokens", [], ""
    for name in ("mine", "other"):
        made = subprocess.run([SHEAF, "token", "new", name], capture_output=True, text=True, timeout=20, check=True)
        tokens.append(made.stdout.strip().encode())
        lines += made.stderr
    file.write_text(lines)
    server = start("--tokens", str(file), "--metrics", "127.0.0.1:0", threads=1)
    client = Client(server.address, token=tokens[0])
    model, state = put(client)

    def solo():
        began = time.monotonic()
        client.wait(begin(client, model, state, 64, 1000))
        return time.monotonic() - began
    takes = max(solo() for _ in range(3))

    def in_time(factor):
        try:
            client.wait(begin(client, model, state, 64, 1000, timeout_us=int(1e6 * factor * takes)))
            return True
        except Failure as e:
            assert e.code == pb.CODE_DEADLINE_EXCEEDED
            return False

    # it would take 17 times as long if it shared with these
    busy = [hog(server.address, jobs=2, token=tokens[0]) for _ in range(16)]
    assert any(in_time(8) for _ in range(5))
    assert not in_time(0.3)

    # half of the worker is somebody else's: 34 times
    busy.append(hog(server.address, jobs=2, token=tokens[1]))
    server.until(lambda: client.info().inflight == 34, 10)
    before = steps_by_identity(server)
    assert any(in_time(16) for _ in range(5))
    mine, other = steps_by_identity(server) - before
    assert 0.4 < other / (mine + other) < 0.6, (mine, other)
    for c in busy:
        c.close()
    server.stop()


def test_rows_that_are_finished_are_sent_on_request(start):
    """Half of the rows are short; the others would take minutes."""
    server = start()
    client = Client(server.address)
    model, state = put(client)
    rows, steps = 40, 10**7
    length = np.where(np.arange(rows) % 2, steps, 7).astype(np.int32)
    message, data = work(model, rows, {"state0": state, "length": length}, ["final_state"], timeout_us=400000, partial=True)
    short = rollout(client, model, 1, 7, {"state0": state}, ["final_state"])["final_state"]
    for stop in ("deadline", "cancel"):
        id_ = client.send(pb.FRAME_ROLLOUT, pb.Rollout(work=message, nstep=steps), data)
        if stop == "cancel":
            time.sleep(0.15)
            client.ask(pb.FRAME_CANCEL, pb.Cancel(request_id=id_))
        parts = client.wait(id_)
        assert parts[-1][0].stopped == (pb.CODE_CANCELLED if stop == "cancel" else pb.CODE_DEADLINE_EXCEEDED)
        got = client.join([p for p in parts if p[0].rows][:-1] + [parts[-1]]) if parts[-1][0].rows else None
        seen = 0
        for part, section in parts:
            tensors = {t.name: t for t in part.tensors}
            if not part.rows:
                continue
            status = np.frombuffer(section, np.int32, part.rows, tensors["status"].offset)
            final = np.frombuffer(section, np.float64, part.rows * state.size, tensors["final_state"].offset)
            done = status == 0
            seen += int(done.sum())
            assert (status[~done] == 101).all()
            assert (final.reshape(part.rows, -1)[done] == short).all()
            assert (length[part.first_row:part.first_row + part.rows][done] == 7).all()
        assert seen >= 4 and (got is None or len(got["status"]) == rows)
    with pytest.raises(Failure):
        client.wait(begin(client, model, state, 40, steps, timeout_us=100000))
    server.stop()


def test_a_drain_does_not_lose_short_requests_behind_long_ones(start):
    server = start("--drain-timeout", "1.5", threads=1)
    client = Client(server.address)
    model, state = put(client)
    long = [begin(client, model, state, 8, 10**8, timeout_us=10**9) for _ in range(4)]
    short = [begin(client, model, state, 8, 50) for _ in range(8)]
    client.ping()
    server.terminate()
    for id_ in short:
        assert not client.join(client.wait(id_))["status"].any()
    for id_ in long:
        with pytest.raises(Failure) as cancelled:
            client.wait(id_)
        assert cancelled.value.code == pb.CODE_CANCELLED
    client.close()
    assert server.wait() == 0


def flood(server, connections, each, model, state):
    """Send so many small requests at once; returns requests per second until the last is answered."""
    message, data = work(model, 1, {"state0": state}, ["final_state"])
    control = pb.Rollout(work=message, nstep=10).SerializeToString()
    batch = b"".join(HEADER.pack(b"SHF1", 1, 0, pb.FRAME_ROLLOUT, k + 1, len(control), 0, len(data)) + control + data
                     for k in range(each))
    clients = [Client(server.address) for _ in range(connections)]
    began = time.monotonic()
    selector = selectors.DefaultSelector()
    for c in clients:
        c.socket.sendall(batch)
        c.left, c.rest = each, b""
        selector.register(c.socket, selectors.EVENT_READ, c)
    left = connections * each
    info = Client("unix://" + server.unix)
    most = 0
    while left:
        most = max(most, info.info().inflight) if left > connections * each // 2 else most
        for key, _ in selector.select():
            c = key.data
            c.rest += c.socket.recv(1 << 20)
            while len(c.rest) >= HEADER.size:
                _, _, _, type_, id_, ncontrol, _, ndata = HEADER.unpack_from(c.rest)
                if len(c.rest) < HEADER.size + ncontrol + ndata:
                    break
                assert type_ != pb.FRAME_ERROR, c.rest[HEADER.size:HEADER.size + ncontrol]
                c.rest = c.rest[HEADER.size + ncontrol + ndata:]
                left -= 1
    rate = connections * each / (time.monotonic() - began)
    for c in clients + [info]:
        c.close()
    return rate, most


def test_many_requests_in_flight_cost_what_few_do(start):
    server = start()
    client = Client(server.address)
    model, state = put(client)
    few = max(flood(server, 16, 60, model, state)[0] for _ in range(2))
    many, inflight = flood(server, 250, 60, model, state)
    assert many > 0.2 * few, (few, many)
    assert inflight > 1000, inflight
    server.stop()


def test_there_is_a_bound_on_requests_of_all_clients(start):
    server = start("--max-queued", "10")
    first, second = hog(server.address, jobs=6), Client(server.address)
    model, state = put(second)
    server.until(lambda: second.info().inflight == 6, 10)
    ids = [begin(second, model, state, 1, 10**6, timeout_us=10**9) for _ in range(8)]
    refused = []
    while len(refused) < 4:
        type_, _, id_, control, _ = second.frame()
        assert type_ == pb.FRAME_ERROR
        error = pb.Error.FromString(control)
        refused.append(id_)
        assert error.code == pb.CODE_RESOURCE_EXHAUSTED and error.retriable and 0 < error.retry_after_us <= 10**7
    assert refused == ids[4:]
    first.close()
    second.close()
    server.stop()


ARENA = "<mujoco><size memory='{}M'/><worldbody><body><joint name='{}'/><geom size='.1'/></body></worldbody></mujoco>"


def test_workers_memory_is_counted_before_it_is_made(start):
    """A model may ask for much memory for each state, and each worker has four or eight states and one. What is idle makes room."""
    server = start("--max-worker-memory", "1000", "--default-deadline", "3600")
    client = Client(server.address)
    state = np.zeros((1, 3))
    reply = client.put("m.xml", {"m.xml": ARENA.format(200, "big").encode()})[0]
    with pytest.raises(Failure) as refused:
        rollout(client, reply.hash, 1, 1, {"state0": state})
    assert refused.value.code == pb.CODE_RESOURCE_EXHAUSTED and not refused.value.error.retriable
    for i in range(12):
        model = client.put("m.xml", {"m.xml": ARENA.format(20, f"j{i}").encode()})[0].hash
        assert not rollout(client, model, 1, 1, {"state0": state})["status"].any()
        assert 0 < client.info().worker_bytes <= 1000 << 20

    # models in use are no room: none of these requests ends by itself, nor is one refused because it would take too long
    for i in range(6):
        model = client.put("m.xml", {"m.xml": ARENA.format(20, f"j{i}").encode()})[0].hash
        begin(client, model, state, 1, 2 * 10**9)
    type_, control = None, b""
    while type_ != pb.FRAME_ERROR:
        type_, _, _, control, _ = client.frame()
    error = pb.Error.FromString(control)
    assert error.code == pb.CODE_RESOURCE_EXHAUSTED and error.retriable
    client.close()
    server.stop()


def test_memory_that_runs_short_is_relieved_in_steps(start):
    """Requests whose inputs fill the memory: idle models go, small requests are refused, and the largest is stopped."""
    server = start("--max-memory", "40", threads=1)
    client, other = Client(server.address), Client(server.address)
    model, state = put(client)
    client.put("m.xml", {"m.xml": ARENA.format(1, "idle").encode()})
    before = client.info().models
    ids = {}
    for megabytes in (20, 10, 8.5):
        rows = int(megabytes * 2**20) // (8 * state.size)
        message, data = work(model, rows, {"state0": np.repeat(state, rows, 0)}, ["final_state"], timeout_us=10**9)
        ids[other.send(pb.FRAME_ROLLOUT, pb.Rollout(work=message, nstep=100), data)] = megabytes
        other.ping()
    refused = []
    for _ in range(40):
        with pytest.raises(Failure) as failure:
            client.wait(begin(client, model, state, 1, 1, ["state"]))
        assert failure.value.code == pb.CODE_RESOURCE_EXHAUSTED and failure.value.error.retriable
        refused.append(failure.value.error.retry_after_us)
        if client.info().overload_cancelled_total:
            break
    info = client.info()
    assert info.overload_evicted_total and info.models < before and info.overload_refused_total
    assert info.overload_cancelled_total == 1 and all(us > 0 for us in refused)
    type_, _, id_, control, _ = other.frame()
    while type_ != pb.FRAME_ERROR:
        type_, _, id_, control, _ = other.frame()
    assert ids[id_] == 20 and pb.Error.FromString(control).retriable
    assert rollout(client, model, 1, 1, {"state0": state})["status"] == 0
    other.close()
    server.stop()


def test_work_that_cannot_be_done_in_time_is_not_begun(start):
    server = start(threads=1)
    client = Client(server.address)
    model, state = put(client)
    client.wait(begin(client, model, state, 64, 1000))    # the cost of a step is known from here on
    steps = client.info().steps_total
    began = time.monotonic()
    for _ in range(3):
        with pytest.raises(Failure) as late:
            client.wait(begin(client, model, state, 64, 10**8, timeout_us=10**6))
        assert late.value.code == pb.CODE_DEADLINE_EXCEEDED and "would take" in late.value.error.message
    assert time.monotonic() - began < 1 * SLOW
    assert client.info().steps_total == steps

    # an estimate is not believed for ever: after some refusals one is tried
    for _ in range(30):
        with pytest.raises(Failure):
            client.wait(begin(client, model, state, 64, 10**8, timeout_us=50000))
    assert client.info().steps_total > steps
    server.stop()


def test_a_crowd_that_backs_off_gets_all_its_answers(start):
    """Thirty clients ask for several times the memory that there is, and wait as long as they are told to."""
    server = start("--max-memory", "8", "--log-rate", "0", threads=2)
    model = Client(server.address).put("m.xml", {"m.xml": PENDULUM})[0].hash
    control = np.linspace(-1, 1, 120000).reshape(300, 400, 1)    # 0.9 MiB
    lock, wrong, refused, most, gate = threading.Lock(), [], [], [], threading.Barrier(30)
    want = rollout(Client(server.address), model, 300, 400, {"state0": np.zeros((1, 3)), "control": control}, ["final_state"])

    def ask(i):
        client, end, done = Client(server.address), time.monotonic() + 60 * SLOW, 0
        gate.wait()
        while done < 3:
            assert time.monotonic() < end, "waited too long"
            try:
                got = rollout(client, model, 300, 400, {"state0": np.zeros((1, 3)), "control": control}, ["final_state"])
                assert all(np.array_equal(got[k], want[k]) for k in want)
                done += 1
            except Failure as e:
                assert e.code == pb.CODE_RESOURCE_EXHAUSTED and e.error.retry_after_us > 0, e
                with lock:
                    refused.append(e.error.retry_after_us)
                time.sleep(min(1e-6 * e.error.retry_after_us, 1))
        client.close()

    def guarded(i):
        try:
            ask(i)
        except BaseException as e:
            wrong.append(e)

    threads = [threading.Thread(target=guarded, args=(i,)) for i in range(30)]
    for thread in threads:
        thread.start()
    info = Client(server.address)
    while any(thread.is_alive() for thread in threads):
        most.append(info.info().queued_bytes)
        time.sleep(0.01)
    assert not wrong, wrong
    assert refused and max(most) <= 8 << 20
    print(f"{len(refused)} refused, at most {max(most)} bytes held")


@pytest.mark.parametrize("place", ["sent", "shared"])
def test_rows_that_are_finished_come_when_the_job_is_stopped_between_its_slices(start, place):
    """While others have their turns nothing of it is computed."""
    server = start(threads=1)
    client = Client("unix://" + server.unix)
    heavy = [hog("unix://" + server.unix, jobs=1) for _ in range(3)]
    model, state = put(client)
    message, data = work(model, 4000, {"state0": state}, ["final_state"], partial=True, progress=True)
    if place == "shared":
        message.region, _, fd = region(client, 2 * MIB)
        os.close(fd)
        message.places.add(output="final_state", offset=0)
    for _ in range(6):
        id_ = client.send(pb.FRAME_ROLLOUT, pb.Rollout(work=message, nstep=100), data)
        begun = client.waiting[id_] = [client.frame()]
        while begun[-1][0] != pb.FRAME_PROGRESS or not pb.Progress.FromString(begun[-1][3]).done:
            begun.append(client.frame())
        client.ask(pb.FRAME_CANCEL, pb.Cancel(request_id=id_))
        parts = client.wait(id_)
        assert parts[-1][0].stopped == pb.CODE_CANCELLED
        told = np.cumsum([0] + [part.rows for part, _ in parts])
        assert [part.first_row for part, _ in parts] == told[:-1].tolist()
    for c in heavy:
        c.close()
    server.stop()
