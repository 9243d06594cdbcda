# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Bytes that no client should send: cut, wrong, garbled, huge. Each gets an error or the end of its connection, and nothing is left."""
import itertools
import random
import select
import struct
import time

import numpy as np
import pytest
from chaos import connect
from conftest import PENDULUM, SLOW, read_gauges
from google.protobuf.message import DecodeError
from wire import CONT, HEADER, MORE, Client, Failure, pb, put_message, rollout, work

KIB, MIB = 1 << 10, 1 << 20


def frame(type_, message=None, data=b"", flags=0, id_=1, control=None):
    if control is None:
        control = message.SerializeToString() if message is not None else b""
    return HEADER.pack(b"SHF1", 1, flags, type_, id_, len(control), 0, len(data)) + control + data


HELLO = frame(pb.FRAME_HELLO, pb.Hello(version=1))


@pytest.fixture
def model(server, gauges):
    client = Client(server.address)
    hash_ = client.put("m.xml", {"m.xml": PENDULUM})[0].hash
    client.close()
    gauges(server)
    return hash_


def frames_of(stream):
    """The frames of what came; a cut frame at the end is left out."""
    out = []
    while len(stream) >= HEADER.size:
        _, _, _, type_, id_, ncontrol, _, ndata = HEADER.unpack(stream[:HEADER.size])
        end = HEADER.size + ncontrol + ndata
        if len(stream) < end:
            break
        out.append((type_, id_, stream[HEADER.size:HEADER.size + ncontrol]))
        stream = stream[end:]
    return out


def exchange(address, stream, wait=5):
    """What the server sends for these bytes until it closes."""
    sock, came = connect(address, wait), b""
    try:
        sock.sendall(stream)
        while piece := sock.recv(1 << 16):
            came += piece
    except OSError:
        pass
    finally:
        sock.close()
    return frames_of(came)


def leave_at_once(address, stream):
    sock = connect(address)
    try:
        sock.sendall(stream)
    except OSError:
        pass
    sock.close()


# ---- row 10: frames

FIELDS = {"magic": (0, 4), "version": (4, 1), "flags": (5, 1), "type": (6, 2), "request_id": (8, 8), "control_len": (16, 4),
          "reserved": (20, 4), "data_len": (24, 8)}
MOST = {"control_len": 64 * KIB, "data_len": 256 * MIB}


def bad_headers():
    for name, (at, size) in FIELDS.items():
        top = 1 << 8 * size
        most = MOST.get(name, 1)
        for value in {0, 1, most, most + 1, top - 1, top >> 1, (top >> 1) - 1}:
            yield name, at, (value % top).to_bytes(size, "little")


@pytest.mark.parametrize("name,at,value", list(bad_headers()))
def test_each_field_of_a_header_at_its_ends(server, name, at, value):
    good = bytearray(frame(pb.FRAME_PING, pb.Ping(payload=b"abc"), id_=2))
    good[at:at + len(value)] = value
    client = Client(server.address, timeout=5)
    client.socket.sendall(bytes(good))
    client.socket.settimeout(0.3)
    try:
        while True:
            type_, _, id_, control, _ = client.frame()
            if id_ == 0:
                error = pb.Error.FromString(control)
                second_hello = error.code == pb.CODE_FAILED_PRECONDITION
                assert second_hello or ("frame." in error.message and
                                        error.code in (pb.CODE_INVALID_ARGUMENT, pb.CODE_RESOURCE_EXHAUSTED))
                with pytest.raises(EOFError):
                    client.frame()
                break
    except TimeoutError:
        pass    # the frame is a good one, or the server waits for the rest of it
    client.close()


def session(model):
    """Five frames: every way in which a frame can be read."""
    put, files = put_message("m.xml", {"m.xml": PENDULUM})
    message, data = work(model, 2, {"state0": np.zeros((2, 3))})
    return HELLO + frame(pb.FRAME_PING, pb.Ping(payload=b"abc"), id_=2) + \
        frame(pb.FRAME_MODEL_PUT, put, files[:64], MORE, 3) + frame(pb.FRAME_MODEL_PUT, None, files[64:], CONT, 3) + \
        frame(pb.FRAME_ROLLOUT, pb.Rollout(work=message, nstep=3), data, id_=4)


@pytest.mark.parametrize("stride", [5, pytest.param(1, marks=pytest.mark.nightly)])
def test_a_session_cut_anywhere(server, model, stride):
    whole = session(model)
    for cut in range(0, len(whole), stride):
        leave_at_once(server.address, whole[:cut])
    client = Client(server.address, hello=False)
    for i in range(len(whole)):
        client.socket.sendall(whole[i:i + 1])
    assert client.wait(1)[0][0].version == 1
    assert client.wait(3)[0][0].nq == 1 and client.join(client.wait(4))["state"].shape == (2, 3, 3)
    client.close()


@pytest.mark.parametrize("count", [300, pytest.param(20000, marks=pytest.mark.nightly)])
def test_blobs(server, model, count):
    rng = random.Random(7)
    whole = session(model)
    for i in range(count):
        blob = rng.randbytes(rng.randrange(1, 4 * KIB))
        if i % 3 == 0:
            leave_at_once(server.address, HELLO + blob)
        elif i % 3 == 1:
            at = rng.randrange(len(whole))    # a good session with garbage in the middle
            leave_at_once(server.address, whole[:at] + blob[:8] + whole[at + 8:])
        else:
            leave_at_once(server.address, blob)
    for stream in (b"GET / HTTP/1.1\r\nHost: x\r\n\r\n" + bytes(40), b"\x16\x03\x01\x02\0\1\0\1\xfc\3\3" + bytes(200)):
        frames = exchange(server.address, stream)
        assert frames[-1][:2] == (pb.FRAME_ERROR, 0)
    good = Client(server.address)
    good.ping()
    good.close()


def test_endless_garbage_is_not_read_for_long(server, model):
    sock = connect(server.address)
    sent, began = 0, time.monotonic()
    with pytest.raises(OSError):
        sock.sendall(HELLO)
        while time.monotonic() - began < 5:
            sent += sock.send(b"\xa5" * KIB)
    assert time.monotonic() - began < 2 * SLOW
    sock.close()


# ---- row 11: control messages

def varint(n):
    out = b""
    while n > 127:
        out += bytes([n & 127 | 128])
        n >>= 7
    return out + bytes([n])


def field(number, wire, value=b""):
    body = {0: lambda: varint(value), 2: lambda: varint(len(value)) + value, 1: lambda: value, 5: lambda: value}[wire]()
    return varint(number << 3 | wire) + body


def bombs():
    """Small on the wire, large or slow to unpack (see server/wire/scan.h)."""
    n = 60 * KIB
    sub = field(1, 2, field(4, 2, b""))    # Rollout.work, with an input
    yield "empty sub-messages", field(1, 2, field(3, 2, b"") * (n // 2))
    yield "empty strings", field(1, 2, field(4, 2, b"") * (n // 2))
    yield "unknown fields", field(200, 0, 1) * (n // 3)
    yield "a repeated singular message", sub * (n // len(sub))
    yield "unknown groups", b"\x0b" * n
    deep = b""
    while len(deep) < n:
        deep = field(1, 2, deep)
    yield "nesting", deep
    yield "a length past the end", b"\x0a" + varint(1 << 40)
    yield "a length that wraps", b"\x0a" + b"\xff" * 9 + b"\x01"
    yield "an endless varint", b"\x08" + b"\xff" * n


@pytest.mark.parametrize("name,control", list(bombs()), ids=[b[0] for b in bombs()])
def test_messages_that_are_bombs(server, model, name, control):
    client = Client(server.address)
    before = server.rss()
    began = time.monotonic()
    for i in range(10):
        client.socket.sendall(frame(pb.FRAME_ROLLOUT, id_=100 + i, control=control))
    for i in range(10):
        with pytest.raises(Failure) as failure:
            client.wait(100 + i)
        assert failure.value.code in (pb.CODE_INVALID_ARGUMENT, pb.CODE_NOT_FOUND)
    assert time.monotonic() - began < 0.5 * SLOW and server.rss() - before < 12 * MIB
    client.close()


def test_wrong_wire_types_and_values(server, model):
    """Each field of a rollout with each wire type, and each scalar out of its range."""
    client = Client(server.address)
    number = itertools.count(100)
    for level in (1, 2):
        for n, wire in itertools.product(range(1, 12), (0, 1, 2, 5)):
            value = {0: 1 << 63, 1: b"\xff" * 8, 2: b"\xff\xff", 5: b"\xff" * 4}[wire]
            control = field(n, wire, value)
            if level == 2:
                control = field(1, 2, field(1, 2, model) + field(2, 0, 1) + control)
            id_ = next(number)
            client.socket.sendall(frame(pb.FRAME_ROLLOUT, id_=id_, control=control))
            with pytest.raises(Failure) as failure:
                client.wait(id_)
            assert failure.value.code in (pb.CODE_INVALID_ARGUMENT, pb.CODE_NOT_FOUND, pb.CODE_DEADLINE_EXCEEDED,
                                          pb.CODE_RESOURCE_EXHAUSTED), (n, wire, failure.value)
    client.ping()
    client.close()


@pytest.mark.parametrize("count", [800, pytest.param(20000, marks=pytest.mark.nightly)])
def test_mutated_messages_agree_with_another_codec(server, model, count):
    """What Python's protobuf cannot parse is refused, and what it can is answered as a message or refused with a reason."""
    rng = random.Random(11)
    message, data = work(model, 2, {"state0": np.zeros((2, 3))}, ["state"])
    good = pb.Rollout(work=message, nstep=3).SerializeToString()
    after_hash = good.index(model) + len(model)
    client, number = Client(server.address), itertools.count(1000)
    seen = {True: 0, False: 0}
    for _ in range(count):
        control = bytearray(good)
        for _ in range(rng.randrange(1, 3)):
            how = rng.randrange(4)
            at = rng.randrange(0 if rng.random() < 0.1 else after_hash, len(control))
            if how == 0:
                control[at] ^= 1 << rng.randrange(8)
            elif how == 1:
                del control[at]
            elif how == 2:
                control.insert(at, rng.randrange(256))
            else:
                control += field(rng.randrange(100, 9999), 0, rng.randrange(1 << 40))
        try:
            parsed = pb.Rollout.FromString(bytes(control))
        except DecodeError:
            parsed = None
        if parsed is not None and (parsed.nstep > 10000 or parsed.work.nbatch > 10000 or parsed.hold < 0):
            continue    # as good as any, but long
        id_ = next(number)
        client.socket.sendall(frame(pb.FRAME_ROLLOUT, data=data, id_=id_, control=bytes(control)))
        try:
            client.wait(id_)
            answered = True
        except Failure as failure:
            assert failure.id == id_ and failure.code != pb.CODE_INTERNAL
            answered = False
        assert parsed is not None or not answered, bytes(control)
        seen[answered] += 1
    assert min(seen.values()) > count / 100
    client.ping()
    client.close()


# ---- row 12: dimensions

def test_dimensions_of_any_size(server, model):
    """Four dimensions of the ends of all integers, against Python's."""
    client = Client(server.address)
    ends = [0, 1, 2, (1 << 31) - 1, 1 << 31, 1 << 32, 1 << 63, (1 << 64) - 1]
    before, number, asked = client.info().queued_bytes, itertools.count(1000), {}
    rss = server.rss()
    for shape in itertools.product(ends, repeat=4):
        message = pb.Work(model=model, nbatch=1)
        message.inputs.add(name="control", dtype=pb.DTYPE_F64, shape=shape, offset=0)
        asked[next(number)] = (shape, frame(pb.FRAME_ROLLOUT, pb.Rollout(work=message, nstep=1), bytes(64)))
    items = list(asked.items())
    for at in range(0, len(items), 50):
        block = items[at:at + 50]
        client.socket.sendall(b"".join(f[:8] + struct.pack("<Q", id_) + f[16:] for id_, (_, f) in block))
        for id_, (shape, _) in block:
            with pytest.raises(Failure) as failure:
                client.wait(id_)
            error = failure.value.error
            assert error.code == pb.CODE_INVALID_ARGUMENT and error.field in ("control", "inputs", "state0"), (shape, error)
    assert client.info().queued_bytes == before and server.rss() - rss < 8 * MIB
    client.close()


@pytest.mark.parametrize("nbatch,nstep,hold", [
    ((1 << 31) - 1, (1 << 31) - 1, 0), ((1 << 31) - 1, 1, (1 << 31) - 1), (1, (1 << 31) - 1, 0), ((1 << 32) - 1, 1, 0)])
def test_batches_of_any_size_are_refused_or_begun(server, model, nbatch, nstep, hold):
    client = Client(server.address)
    rss = server.rss()
    message, data = work(model, nbatch, {"state0": np.zeros((1, 3))}, ["state"])
    client.send(pb.FRAME_ROLLOUT, pb.Rollout(work=message, nstep=nstep, hold=hold), data)
    if select.select([client.socket], [], [], 0.2)[0]:
        first = client.frame()
        if first[0] == pb.FRAME_ERROR:
            assert pb.Error.FromString(first[3]).code in (pb.CODE_INVALID_ARGUMENT, pb.CODE_RESOURCE_EXHAUSTED)
    assert server.rss() - rss < 200 * MIB
    client.close()


@pytest.mark.nightly
def test_a_result_of_more_elements_than_32_bits_count(start):
    """8.6 GB of numbers, read and forgotten."""
    server = start()
    client = Client(server.address, timeout=120)
    model = client.put("m.xml", {"m.xml": PENDULUM})[0].hash
    x0 = np.array([[0.0, 1.0, 0.0]])
    want = rollout(client, model, 1, 1000, {"state0": x0}, ["state"])["state"].tobytes()
    nbatch = (1 << 31) // 3000 + 1
    message, data = work(model, nbatch, {"state0": x0}, ["state"], timeout_us=3600 * 1000000)
    id_ = client.send(pb.FRAME_ROLLOUT, pb.Rollout(work=message, nstep=1000), data)
    row, peak, before = 0, 0, server.rss()
    while row < nbatch:
        type_, _, got, control, data = client.frame()
        assert got == id_ and type_ != pb.FRAME_ERROR, control
        part = pb.Result.FromString(control)
        assert part.first_row == row and part.total_rows == nbatch
        assert data[:len(want)] == want
        row += part.rows
        peak = max(peak, server.rss())
    print(f"{nbatch * 3000} elements, {nbatch * len(want) / 2**30:.1f} GiB, {(peak - before) / MIB:.0f} MiB held at most")
    assert peak - before <= 48 * MIB
    client.close()
