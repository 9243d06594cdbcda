# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Memory that the server shares with clients on its host: results written in place, and clients that mean harm."""
import ctypes
import fcntl
import gc
import mmap
import os
import random
import socket
import threading

import numpy as np
import pytest
from conftest import PENDULUM, SLOW
from wire import HEADER, Client, Failure, pb, rollout, work

SEALS = fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SEAL
PUNCH, KEEP_SIZE = 2, 1
MIB = 1 << 20
libc = ctypes.CDLL(None, use_errno=True)


def punch(fd, at, size):
    """A hole in a file: 0 or an errno."""
    done = libc.fallocate(fd, PUNCH | KEEP_SIZE, ctypes.c_long(at), ctypes.c_long(size))
    return ctypes.get_errno() if done else 0


@pytest.fixture
def address(server):
    return "unix://" + server.unix


@pytest.fixture
def model(client):
    return client.put("m.xml", {"m.xml": PENDULUM})[0].hash


def region(client, size):
    """A region: its number, its size and its descriptor."""
    client.send(pb.FRAME_REGION, pb.Region(bytes=size))
    head, fds, _, _ = socket.recv_fds(client.socket, HEADER.size, 4)
    _, _, _, kind, id_, ncontrol, _, _ = HEADER.unpack(head)
    control = client.read(ncontrol)
    if kind == pb.FRAME_ERROR:
        assert not fds
        raise Failure(id_, pb.Error.FromString(control))
    assert len(fds) == 1
    reply = pb.RegionReply.FromString(control)
    return reply.region, reply.bytes, fds[0]


def request(model, nbatch, nstep, number, places, outputs=("state",)):
    x = np.c_[np.zeros((nbatch, 1)), np.random.default_rng(0).uniform(-1, 1, (nbatch, 2))]
    message, data = work(model, nbatch, {"state0": x}, outputs, region=number)
    for output, offset in places:
        message.places.add(output=output, offset=offset)
    return pb.Rollout(work=message, nstep=nstep), data, x


def test_results_are_written_in_place(server, client, model):
    number, size, fd = region(client, 3 * MIB)
    assert size >= 3 * MIB and fcntl.fcntl(fd, fcntl.F_GET_SEALS) == SEALS
    memory = mmap.mmap(fd, size)
    os.close(fd)
    message, data, x = request(model, 1000, 100, number, [("state", MIB // 2)], ("state", "final_state"))
    before = client.info()
    got = client.compute(pb.FRAME_ROLLOUT, message, data)
    assert client.info().bytes_out_total - before.bytes_out_total < 100000
    want = rollout(client, model, 1000, 100, {"state0": x}, ("state", "final_state"))
    assert "state" not in got and np.array_equal(got["final_state"], want["final_state"])
    assert memory[MIB // 2:MIB // 2 + want["state"].nbytes] == want["state"].tobytes()
    assert not any(memory[:MIB // 2]) and not any(memory[MIB // 2 + want["state"].nbytes:])


def test_rows_in_shared_memory_are_told_of_together(start, pendulum):
    """Rows that a client has already are told of when all are there, or every 50 ms."""
    server = start(threads=1)
    client = Client("unix://" + server.unix)
    model = client.put("m.xml", {"m.xml": pendulum})[0].hash
    number, _, fd = region(client, 4 * MIB)
    os.close(fd)
    for steps in (50, 10000):
        message, data, _ = request(model, 400, steps, number, [("final_state", 0)], ("final_state",))
        client.compute(pb.FRAME_ROLLOUT, message, data)
        most = 1 + 1e-6 * client.timing.compute_us / 0.05
        assert client.nparts <= most and (steps == 50 or client.nparts > 1), (client.nparts, most)


def test_rows_that_were_not_told_of_come_when_the_time_is_over(start, pendulum):
    """Before 50 ms no rows are told of."""
    server = start(threads=1)
    client = Client("unix://" + server.unix)
    model = client.put("m.xml", {"m.xml": pendulum})[0].hash
    number, size, fd = region(client, MIB)
    memory = mmap.mmap(fd, size)
    os.close(fd)
    _, _, x = request(model, 8000, 7, number, [])
    want = rollout(client, model, 8000, 300, {"state0": x}, ["final_state"])["final_state"]
    message, data = work(model, 8000, {"state0": x}, ["final_state"], region=number, timeout_us=45000, partial=True)
    message.places.add(output="final_state", offset=0)
    found = 0
    for _ in range(40):    # on a busy machine there may be no row in the time, now and then
        parts = client.wait(client.send(pb.FRAME_ROLLOUT, pb.Rollout(work=message, nstep=300), data))
        assert parts[-1][0].stopped == pb.CODE_DEADLINE_EXCEEDED
        rows, told = np.frombuffer(memory, np.float64, 8000 * 3).reshape(8000, 3), 0
        statuses = []
        for part, section in parts:
            assert part.first_row == told
            told += part.rows
            statuses += [np.frombuffer(section, np.int32, part.rows, t.offset) for t in part.tensors if t.name == "status"]
        done = np.flatnonzero(np.concatenate(statuses) == 0)
        assert (rows[done] == want[done]).all()
        found += len(done) > 0
        if found == 6:
            break
    assert found == 6


def test_what_the_server_lends_is_counted_until_nobody_uses_it(server, client, model):
    def held():
        return client.info().queued_bytes // MIB
    number, _, fd = region(client, 8 * MIB)
    os.close(fd)
    assert held() == 8
    message, data, _ = request(model, 4, 300000, number, [("state", 0)], ("state",))
    message.nstep, message.work.nbatch = 80000, 4
    id_ = client.send(pb.FRAME_ROLLOUT, message, data)
    assert client.ask(pb.FRAME_REGION_CLOSE, pb.RegionClose(region=number))[0].found
    assert not client.ask(pb.FRAME_REGION_CLOSE, pb.RegionClose(region=number))[0].found
    client.wait(id_)
    assert held() == 0
    with pytest.raises(Failure) as gone:
        client.compute(pb.FRAME_ROLLOUT, message, data)
    assert gone.value.code == pb.CODE_NOT_FOUND and gone.value.error.field == "region"


@pytest.mark.parametrize("places, field", [
    ([("state", 1)], "state"), ([("state", 8 * MIB - 8)], "state"), ([("state", 2**64 - 8)], "state"), ([("state", 2**63)], "state"),
    ([("state", 0), ("state", 0)], "places"), ([("status", 0)], "places"), ([("sensordata", 0)], "places"), ([("", 0)], "places")])
def test_places_that_cannot_be(client, model, places, field):
    number, _, fd = region(client, 8 * MIB)
    os.close(fd)
    message, data, _ = request(model, 10, 10, number, places)
    with pytest.raises(Failure) as wrong:
        client.compute(pb.FRAME_ROLLOUT, message, data)
    assert wrong.value.code == pb.CODE_INVALID_ARGUMENT and wrong.value.error.field == field
    client.ping()


def shared(model, number, x, u, at, outputs=("state",)):
    """A rollout whose initial states and controls lie in a region, at these offsets."""
    message, data = work(model, len(x), {}, outputs, region=number)
    for name, a, offset in (("state0", x, at[0]), ("control", u, at[1])):
        message.inputs.add(name=name, dtype=pb.DTYPE_F64, shape=a.shape, offset=offset, in_region=True)
    return pb.Rollout(work=message, nstep=u.shape[1]), data


def inputs(n, steps):
    rng = np.random.default_rng(0)
    return np.c_[np.zeros((n, 1)), rng.uniform(-1, 1, (n, 2))], rng.uniform(-1, 1, (n, steps, 1))


def test_inputs_are_read_where_they_lie(server, client, model):
    x, u = inputs(300, 50)
    number, size, fd = region(client, MIB)
    memory = mmap.mmap(fd, size)
    os.close(fd)
    memory[128:128 + x.nbytes], memory[MIB // 2:MIB // 2 + u.nbytes] = x.tobytes(), u.tobytes()
    before = client.info()
    message, data = shared(model, number, x, u, (128, MIB // 2), ("final_state",))
    got = client.compute(pb.FRAME_ROLLOUT, message, data)
    assert client.info().bytes_in_total - before.bytes_in_total < 2000
    want = rollout(client, model, 300, 50, {"state0": x, "control": u}, ("final_state",))
    assert np.array_equal(got["final_state"], want["final_state"])


@pytest.mark.parametrize("at, field", [((64, 8 * MIB - 64), "control"), ((2**64 - 64, 0), "state0"), ((8, 0), "state0"), ((0, 2**63), "control")])
def test_inputs_that_do_not_lie_in_their_region(client, model, at, field):
    number, _, fd = region(client, 8 * MIB)
    os.close(fd)
    message, data = shared(model, number, *inputs(10, 10), at)
    with pytest.raises(Failure) as wrong:
        client.compute(pb.FRAME_ROLLOUT, message, data)
    assert wrong.value.code == pb.CODE_INVALID_ARGUMENT and wrong.value.error.field == field
    message.work.region = 0
    with pytest.raises(Failure) as wrong:
        client.compute(pb.FRAME_ROLLOUT, message, data)
    assert wrong.value.error.field == "region"
    client.ping()


@pytest.mark.parametrize("name, shape", [("knot_times", (1, 10)), ("params.body_mass", (1, 2)), ("no_such", (1, 1))])
def test_numbers_that_the_server_checks_are_not_shared(client, model, name, shape):
    number, _, fd = region(client, MIB)
    os.close(fd)
    message, data = shared(model, number, *inputs(10, 10), (0, 4096))
    message.knots = 2
    message.work.inputs.add(name=name, dtype=pb.DTYPE_F64, shape=shape, offset=MIB // 2, in_region=True)
    with pytest.raises(Failure) as wrong:
        client.compute(pb.FRAME_ROLLOUT, message, data)
    assert wrong.value.code == pb.CODE_INVALID_ARGUMENT and wrong.value.error.field == name


def test_a_client_that_changes_what_workers_read(server, client, model):
    """Numbers, not numbers, holes, while the work goes on: rows are wrong or invalid, and nothing else happens."""
    rng, (x, u) = np.random.default_rng(3), inputs(64, 400)
    number, size, fd = region(client, MIB)
    memory = mmap.mmap(fd, size)
    for _ in range(8):
        memory[:x.nbytes], memory[65536:65536 + u.nbytes] = x.tobytes(), u.tobytes()
        message, data = shared(model, number, x, u, (0, 65536), ("final_state",))
        id_ = client.send(pb.FRAME_ROLLOUT, message, data)
        for _ in range(50):
            at = 8 * int(rng.integers(size // 8))
            memory[at:at + 8] = rng.choice([np.nan, np.inf, 1e300, -0.0, 5.0]).tobytes()
            assert punch(fd, 4096 * int(rng.integers(200)), 4096) == 0
        assert len(client.join(client.wait(id_))["final_state"]) == 64
    os.close(fd)
    client.ping()


def test_regions_that_cannot_be(server, client, model):
    for size in (0, 64 * MIB + 1, 2**64 - 1):
        with pytest.raises(Failure) as wrong:
            region(client, size)
        assert wrong.value.code == pb.CODE_INVALID_ARGUMENT and wrong.value.error.field == "bytes"
    number, _, fd = region(client, MIB)
    os.close(fd)
    other = Client("unix://" + server.unix)
    message, data, _ = request(model, 1, 1, number, [("state", 0)])
    with pytest.raises(Failure) as wrong:
        other.compute(pb.FRAME_ROLLOUT, message, data)
    assert wrong.value.error.field == "region"
    message.work.region = 0
    with pytest.raises(Failure) as wrong:
        other.compute(pb.FRAME_ROLLOUT, message, data)
    assert wrong.value.error.field == "places"
    other.close()
    far = Client(server.tcp)
    with pytest.raises(Failure) as wrong:
        far.ask(pb.FRAME_REGION, pb.Region(bytes=MIB))
    assert wrong.value.code == pb.CODE_FAILED_PRECONDITION
    far.close()


def test_only_a_part_of_the_memory_is_lent(start):
    server = start("--max-memory", "64")
    client = Client("unix://" + server.unix)
    numbers = []
    with pytest.raises(Failure) as full:
        while True:
            numbers.append(region(client, 3 * MIB)[0])
    assert len(numbers) == 5 and full.value.code == pb.CODE_RESOURCE_EXHAUSTED and full.value.error.retriable
    assert client.ask(pb.FRAME_REGION_CLOSE, pb.RegionClose(region=numbers[2]))[0].found
    region(client, 3 * MIB)
    client.close()
    other = Client("unix://" + server.unix)
    server.until(lambda: other.info().queued_bytes < 1000, 5)
    for _ in range(32):
        region(other, 1000)
    with pytest.raises(Failure) as many:
        region(other, 1000)
    assert many.value.error.retriable
    other.close()


def test_a_client_that_takes_the_memory_away(server, client, model):
    """Shrinks it, makes holes, closes it, leaves: workers write on, and the server has everything back at the end."""
    rng = random.Random(1)
    for k in range(30):
        c = Client("unix://" + server.unix)
        number, size, fd = region(c, 4 * MIB)
        with pytest.raises(PermissionError):
            os.ftruncate(fd, 4096)
        with pytest.raises(PermissionError):
            os.ftruncate(fd, 64 * MIB)
        with pytest.raises(PermissionError):
            fcntl.fcntl(fd, fcntl.F_ADD_SEALS, fcntl.F_SEAL_WRITE)
        message, data, _ = request(model, 40, 4000, number, [("state", 0)])
        c.send(pb.FRAME_ROLLOUT, message, data)
        for _ in range(rng.randrange(20)):
            assert punch(fd, 4096 * rng.randrange(1000), 4096 * rng.randrange(1, 24)) == 0
        if k % 3 == 0:
            assert punch(fd, 0, size) == 0
        os.close(fd)
        if k % 2:
            c.send(pb.FRAME_REGION_CLOSE, pb.RegionClose(region=number))
        c.close()
    client.ping()


def test_descriptors_from_a_client_go_nowhere(server, client):
    server.until(lambda: client.info().connections == 1, 10)    # that of the test before may be closing
    before = len(os.listdir(f"/proc/{server.process.pid}/fd"))
    with open(os.devnull) as null:
        for _ in range(20):
            message = pb.Ping(payload=b"x").SerializeToString()
            frame = HEADER.pack(b"SHF1", 1, 0, pb.FRAME_PING, next(client.ids), len(message), 0, 0) + message
            socket.send_fds(client.socket, [frame], [null.fileno()] * 3)
            client.frame()
    assert len(os.listdir(f"/proc/{server.process.pid}/fd")) == before


# ---- the Python client

sheaf = pytest.importorskip("sheaf", reason="pip install ./clients/python")


def batch(m, k, n=64):
    rng = np.random.default_rng(k)
    return m.rollout(np.c_[np.zeros((n, 1)), rng.uniform(-1, 1, (n, 2))], rng.uniform(-1, 1, (n, 100, 1)), outputs="qacc")


def same(a, b):
    return all(x.tobytes() == y.tobytes() and x.shape == y.shape for x, y in
               ((a.state, b.state), (a.sensordata, b.sensordata), (a.final_state, b.final_state), (a.outputs["qacc"], b.outputs["qacc"])))


def test_python_results_are_not_sent_and_stay(server):
    with sheaf.connect(server.tcp) as s:
        m = s.load(PENDULUM)
        want = [batch(m, k) for k in range(40)]
    with sheaf.connect("unix://" + server.unix) as s:
        m = s.load(PENDULUM)
        sent = s.info()["bytes_out_total"]
        kept = []
        for k in range(40):
            r = batch(m, k)
            assert same(r, want[k])
            if k % 8 == 0:
                kept.append(r.state[3])    # a part of it is enough to keep it
            r.state[0] = 0
        assert all(np.array_equal(part, want[8 * n].state[3]) for n, part in enumerate(kept))
        assert s.info()["bytes_out_total"] - sent < 40 * 4000 and s.info()["queued_bytes"] < 9 * MIB
        assert kept[0].flags.writeable and not np.shares_memory(kept[0], kept[1])


def test_python_inputs_are_not_sent(server):
    rng = np.random.default_rng(0)
    x, u = np.c_[np.zeros((64, 1)), rng.uniform(-1, 1, (64, 2))], rng.uniform(-1, 1, (64, 100, 1))
    with sheaf.connect(server.tcp) as s:
        want = s.load(PENDULUM).rollout(x, u)
    with sheaf.connect("unix://" + server.unix) as s:
        m = s.load(PENDULUM)
        m.rollout(x, u)
        before = s.info()["bytes_in_total"]
        got = [m.rollout(x, u), m.rollout(x[:1], u), m.rollout(x, u, every="last")]
        assert s.info()["bytes_in_total"] - before < 2000
        assert np.array_equal(got[0].state, want.state) and np.array_equal(got[2].state[:, 0], want.state[:, -1])
        assert np.array_equal(got[1].state[0], want.state[0]) and not np.shares_memory(got[0].state, got[1].state)


def test_python_threads_share_no_region(server):
    with sheaf.connect("unix://" + server.unix) as s, sheaf.connect(server.tcp) as far:
        m, got = s.load(PENDULUM), {}

        def work_on(first):
            for k in range(first, 40, 8):
                got[k] = batch(m, k)
        threads = [threading.Thread(target=work_on, args=(n,)) for n in range(8)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        other = far.load(PENDULUM)
        assert len(got) == 40 and all(same(got[k], batch(other, k)) for k in got)


def test_a_call_that_was_given_up_spoils_its_region(server):
    with sheaf.connect("unix://" + server.unix) as s, sheaf.connect(server.tcp) as far:
        m, want = s.load(PENDULUM), batch(far.load(PENDULUM), 1)
        batch(m, 0)
        for k in range(5):
            s._backend._timeout = 0.02
            with pytest.raises(sheaf.DeadlineExceeded):
                m.rollout(m.state0[None].repeat(200, 0), nstep=10000)
            s._backend._timeout = None
            assert same(batch(m, 1), want)
            gc.collect()
        s._backend._connection.regions._take(100, None)
        server.until(lambda: s.info()["queued_bytes"] < 8 * MIB, 5 * SLOW)


def test_python_goes_on_without_memory_to_share(start):
    server = start("--max-memory", "32")
    with sheaf.connect("unix://" + server.unix) as s:
        m, kept = s.load(PENDULUM), []
        for k in range(60):
            kept.append(batch(m, k))
        assert s.info()["queued_bytes"] <= 8.1 * MIB
        other = sheaf.connect(server.tcp)
        assert all(same(r, batch(other.load(PENDULUM), k)) for k, r in enumerate(kept))
        other.close()
