# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""What is on the stream: good and bad frames, limits, order of answers."""
import random
import select
import struct
import time

import pytest
from wire import CONT, HEADER, MORE, Client, Failure, pb, put_message, work


def raw(server, stream, timeout=5):
    """Send bytes on a new connection; the frames that come until it is closed."""
    client = Client(server.address, hello=False, timeout=timeout)
    frames = []
    try:
        client.socket.sendall(stream)
        while True:
            frames.append(client.frame())
    except (EOFError, ConnectionError):
        return frames
    finally:
        client.close()


def frame(type_, message=None, data=b"", flags=0, id_=1):
    control = message.SerializeToString() if message is not None else b""
    return HEADER.pack(b"SHF1", 1, flags, type_, id_, len(control), 0, len(data)) + control + data


HELLO = frame(pb.FRAME_HELLO, pb.Hello(version=1))


def refused(frames):
    """The connection ended with an error for the whole of it."""
    type_, flags, id_, control, _ = frames[-1]
    assert type_ == pb.FRAME_ERROR and id_ == 0 and not flags & MORE
    return pb.Error.FromString(control)


def test_hello_tells_limits(server):
    client = Client(server.address)
    assert client.hello.version == 1
    assert client.hello.limits.max_control_bytes == 64 * 1024
    assert client.hello.limits.max_inflight == 64
    client.ping(b"a" * 1024)
    with pytest.raises(Failure, match="at most 1024"):
        client.ping(b"a" * 1025)
    client.ping()
    client.close()


def test_first_frame_must_be_hello(server):
    error = refused(raw(server, frame(pb.FRAME_PING, pb.Ping())))
    assert error.code == pb.CODE_FAILED_PRECONDITION and "Hello" in error.message
    error = refused(raw(server, HELLO + frame(pb.FRAME_HELLO, pb.Hello(version=1), id_=2)))
    assert error.code == pb.CODE_FAILED_PRECONDITION
    error = refused(raw(server, frame(pb.FRAME_HELLO, pb.Hello(version=2))))
    assert error.code == pb.CODE_INVALID_ARGUMENT and error.field == "version"


@pytest.mark.parametrize("offset,value", [
    (0, b"SHF2"), (0, b"\0\0\0\0"), (4, b"\0"), (4, b"\2"), (4, b"\xff"), (5, b"\4"), (5, b"\x80"), (6, b"\0\x80"),
    (6, b"\xff\xff"), (8, b"\0" * 8), (16, struct.pack("<I", 65537)), (16, b"\xff" * 4), (20, b"\1\0\0\0"),
    (24, struct.pack("<Q", (256 << 20) + 1)), (24, b"\xff" * 8), (24, struct.pack("<Q", 1 << 63)),
])
def test_bad_header_is_named_and_closes(server, offset, value):
    good = frame(pb.FRAME_PING, pb.Ping(), id_=2)
    bad = good[:offset] + value + good[offset + len(value):]
    frames = raw(server, HELLO + bad)
    assert frames[0][0] == pb.FRAME_REPLY | pb.FRAME_HELLO
    error = refused(frames)
    assert error.code in (pb.CODE_INVALID_ARGUMENT, pb.CODE_RESOURCE_EXHAUSTED) and "frame." in error.message


def test_garbage_never_hurts(server):
    rng = random.Random(1)
    streams = [b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", b"\x16\x03\x01\x02\0\1\0" + bytes(200), bytes(5000), b"SHF1"]
    streams += [rng.randbytes(rng.randrange(1, 4096)) for _ in range(60)]
    streams += [HELLO + rng.randbytes(rng.randrange(32, 4096)) for _ in range(60)]
    for stream in streams:
        client = Client(server.address, hello=False)
        try:
            client.socket.sendall(stream)
            if len(stream) >= 32 and not stream.startswith(HELLO):
                error = pb.Error.FromString(client.frame()[3])
                assert error.code == pb.CODE_INVALID_ARGUMENT
        except ConnectionError:
            pass
        client.close()
    good = Client(server.address)
    good.ping()
    good.close()


def test_session_cut_at_every_byte(server, pendulum):
    message, data = put_message("m.xml", {"m.xml": pendulum})
    session = HELLO + frame(pb.FRAME_PING, pb.Ping(payload=b"abc"), id_=2)
    session += frame(pb.FRAME_MODEL_INFO, pb.ModelInfo(hash=b"x" * 32), id_=3)
    session += frame(pb.FRAME_MODEL_PUT, message, data[:100], MORE, 4)
    for cut in range(0, len(session), 3):
        client = Client(server.address, hello=False)
        client.socket.sendall(session[:cut])
        client.close()
    # a byte at a time it is still a session
    client = Client(server.address, hello=False)
    for i in range(len(session)):
        client.socket.sendall(session[i:i + 1])
    assert client.frame()[0] == pb.FRAME_REPLY | pb.FRAME_HELLO
    client.waiting = {}
    assert client.wait(2)[0][0].payload == b"abc"
    with pytest.raises(Failure) as failure:
        client.wait(3)
    assert failure.value.code == pb.CODE_NOT_FOUND
    client.close()


def test_bad_messages_keep_the_connection(server):
    client = Client(server.address)
    for control in (b"\x0a\xff", b"\xff" * 30, b"\x0a\x00\x0a\x00", b"\x70\x01" * 100, b"\x0a\x02\x08\x01\x0b"):
        id_ = next(client.ids)
        client.socket.sendall(HEADER.pack(b"SHF1", 1, 0, pb.FRAME_ROLLOUT, id_, len(control), 0, 0) + control)
        with pytest.raises(Failure) as failure:
            client.wait(id_)
        assert failure.value.code == pb.CODE_INVALID_ARGUMENT and failure.value.id == id_
    with pytest.raises(Failure) as failure:
        client.wait(client.send(77))
    assert failure.value.code == pb.CODE_UNIMPLEMENTED
    client.ping()
    client.close()


def test_id_in_use_is_an_error(server, pendulum):
    client = Client(server.address)
    message, data = put_message("m.xml", {"m.xml": pendulum})
    client.send(pb.FRAME_MODEL_PUT, message, data, MORE, id_=9)
    client.send(pb.FRAME_PING, pb.Ping(), id_=9)
    with pytest.raises(Failure, match="request_id"):
        client.wait(9)
    client.close()


def test_request_in_many_frames(server, pendulum):
    client = Client(server.address)
    message, data = put_message("m.xml", {"m.xml": pendulum, "pad.bin": b"x" * 5000})
    pieces = [data[i:i + 1000] for i in range(0, len(data), 1000)]
    client.send(pb.FRAME_MODEL_PUT, message, pieces[0], MORE, 50)
    for i, piece in enumerate(pieces[1:], 2):
        client.send(pb.FRAME_MODEL_PUT, None, piece, CONT | (MORE if i < len(pieces) else 0), 50)
        client.ping()
    assert client.wait(50)[0][0].nq == 1
    # continuing what was never begun is not an error, only useless
    client.send(pb.FRAME_MODEL_PUT, None, b"zzz", CONT, 51)
    client.ping()
    client.close()


def test_a_request_goes_on_as_what_it_began(server, pendulum):
    client = Client(server.address)
    message, data = put_message("m.xml", {"m.xml": pendulum})
    id_ = client.send(pb.FRAME_MODEL_PUT, message, data[:64], MORE)
    client.send(pb.FRAME_ROLLOUT, None, data[64:], CONT, id_)
    with pytest.raises(Failure) as failure:
        client.wait(id_)
    assert failure.value.code == pb.CODE_INVALID_ARGUMENT and failure.value.error.field == "frame.type"
    client.send(pb.FRAME_MODEL_PUT, None, data[64:], CONT, id_)   # read and ignored
    client.ping()
    client.close()


def test_cancel_while_sending(server, pendulum):
    client = Client(server.address)
    message, data = put_message("m.xml", {"m.xml": pendulum})
    id_ = client.send(pb.FRAME_MODEL_PUT, message, data, MORE)
    assert client.ask(pb.FRAME_CANCEL, pb.Cancel(request_id=id_))[0].found
    with pytest.raises(Failure) as failure:
        client.wait(id_)
    assert failure.value.code == pb.CODE_CANCELLED
    client.send(pb.FRAME_MODEL_PUT, None, b"more", CONT, id_)
    assert not client.ask(pb.FRAME_CANCEL, pb.Cancel(request_id=id_))[0].found
    client.close()


def test_too_many_requests_in_flight(server, pendulum):
    client = Client(server.address)
    model = client.put("m.xml", {"m.xml": pendulum})[0].hash
    message, data = work(model, 64, {"state0": [[0.0, 1.0, 0.0]]}, ["final_state"])
    ids = [client.send(pb.FRAME_ROLLOUT, pb.Rollout(work=message, nstep=2000000), data) for _ in range(70)]
    codes = []
    for id_ in ids[64:]:
        with pytest.raises(Failure) as failure:
            client.wait(id_)
        codes.append(failure.value.code)
        assert failure.value.error.retriable and failure.value.error.retry_after_us
    assert codes == [pb.CODE_RESOURCE_EXHAUSTED] * 6
    client.close()


def test_small_questions_with_large_answers(start):
    server = start("--max-unsent", "1")
    client = Client(server.address)
    text = b"<mujoco><worldbody>" + b"".join(b'<geom name="g%05d" size="1"/>' % i for i in range(3000)) + \
        b"</worldbody></mujoco>"
    hash_ = client.put("m.xml", {"m.xml": text})[0].hash
    asked = b"".join(frame(pb.FRAME_MODEL_INFO, pb.ModelInfo(hash=hash_), id_=1000 + i) for i in range(900))
    before = server.rss()
    client.socket.sendall(asked)
    refused = 0
    for i in range(900):
        try:
            client.wait(1000 + i)
        except Failure as failure:
            assert failure.code == pb.CODE_RESOURCE_EXHAUSTED and failure.error.retriable
            refused += 1
    assert server.rss() - before < 30 << 20 and refused < 900
    client.ping()
    client.close()


def test_answers_come_in_any_order(server, pendulum):
    client = Client(server.address)
    model = client.put("m.xml", {"m.xml": pendulum})[0].hash
    slow, data = work(model, 64, {"state0": [[0.0, 1.0, 0.0]]}, ["final_state"])
    id_ = client.send(pb.FRAME_ROLLOUT, pb.Rollout(work=slow, nstep=2000000), data)
    client.ping()
    assert client.info().inflight == 1
    assert client.ask(pb.FRAME_CANCEL, pb.Cancel(request_id=id_))[0].found
    with pytest.raises(Failure):
        client.wait(id_)
    client.close()


def test_token(start, tmp_path):
    (tmp_path / "token").write_text("secret\n")
    server = start("--token-file", str(tmp_path / "token"))
    Client(server.address, token=b"secret").close()
    for wrong in (b"", b"secre", b"secrets", b"x" * 2000):
        with pytest.raises(Failure) as failure:
            Client(server.address, token=wrong)
        assert failure.value.code == pb.CODE_UNAUTHENTICATED
    assert "secret" not in server.log()


def test_a_frame_that_stalls_and_a_client_that_never_speaks(start):
    server = start("--hello-timeout", "1", "--read-timeout", "1")
    silent = Client(server.address, hello=False, timeout=15)
    stalled = Client(server.address, timeout=15)
    stalled.socket.sendall(frame(pb.FRAME_PING, pb.Ping(payload=b"abcdef"))[:-3])
    for client, code in ((silent, pb.CODE_DEADLINE_EXCEEDED), (stalled, pb.CODE_DEADLINE_EXCEEDED)):
        error = pb.Error.FromString(client.frame()[3])
        assert error.code == code
        with pytest.raises(EOFError):
            client.frame()
        client.close()


def test_a_frame_that_comes_byte_by_byte_stalls(start):
    server = start("--read-timeout", "1")
    client = Client(server.address, timeout=15)
    whole = frame(pb.FRAME_PING, pb.Ping(payload=bytes(20000)))
    for at in range(0, len(whole), 1000):  # slow, but it comes
        client.socket.sendall(whole[at:at + 1000])
        time.sleep(0.1)
    assert client.frame()[2] == 1  # an answer to this request, too long for an echo
    sent = 0
    while sent < 400 and not select.select([client.socket], [], [], 0.05)[0]:
        client.socket.sendall(whole[sent:sent + 1])
        sent += 1
    assert sent < 400 and pb.Error.FromString(client.frame()[3]).code == pb.CODE_DEADLINE_EXCEEDED
    client.close()
