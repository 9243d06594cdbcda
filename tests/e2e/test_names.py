# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Names of elements go to clients: what cannot is refused with its place, and what can is held once for all who ask."""
import pytest
from wire import Client, Failure, pb

MIB = 1 << 20


def refused(client, files):
    with pytest.raises(Failure) as failure:
        client.put("m.xml", files)
    assert failure.value.code == pb.CODE_FAILED_PRECONDITION
    return failure.value.error.message


def body(content, before=b""):
    return b"<mujoco>\n" + before + b"\n<worldbody>\n\n<geom size='1'/>\n" + content + b"\n</worldbody></mujoco>"


@pytest.mark.parametrize("name", [b"\xff", b"a\xc3", b"\xc0\xaf", b"\xed\xa0\x80", b"\xf5\x80\x80\x80", b"caf\xe9"])
def test_names_that_are_not_utf8_are_refused_with_their_place(client, name):
    message = refused(client, {"m.xml": body(b'<geom name="%s" size="1"/>' % name)})
    assert message.startswith("m.xml:6: geom: ") and "UTF-8" in message
    message = refused(client, {"m.xml": b'<mujoco model="%s"/>' % name})
    assert message.startswith("m.xml: model: ") and "UTF-8" in message
    part = b'<mujoco><worldbody>\n<body name="%s"/></worldbody></mujoco>' % name
    message = refused(client, {"m.xml": b'<mujoco><include file="part.xml"/></mujoco>', "part.xml": part})
    assert message.startswith("part.xml:2: body: ")


def test_names_in_any_script_are_taken(client):
    names = ["\u00e9", "\u540d\u524d", "\U0001f916", "a" * 1024, "\x7f"]
    text = "".join(f'<geom name="{name}" size="1"/>' for name in names).encode()
    reply = client.put("m.xml", {"m.xml": body(text)})[0]
    table = next(t for t in reply.tables if t.kind == "geom")
    assert list(table.name) == ["", *names]


def test_names_have_a_length(client):
    message = refused(client, {"m.xml": body(b'<site name="%s"/>' % (b"n" * 1025))})
    assert message.startswith("m.xml:6: site: ") and "1024" in message and len(message) < 200
    many = b"".join(b'<site name="%s%d"/>' % (b"n" * 1000, i) for i in range(4300))
    message = refused(client, {"m.xml": body(many)})
    assert message.startswith("m.xml: names: expected at most 4194304 bytes")
    assert "4194304" in refused(client, {"m.xml": b'<mujoco model="%s"/>' % (b"m" * (5 * MIB))})


def test_replies_that_nobody_reads_are_held_once(start):
    server = start("--max-memory", "256", "--max-unsent", "64")
    client = Client(server.address)
    text = b"".join(b'<site name="%s%d"/>' % (b"n" * 900, i) for i in range(4500))
    model = client.put("m.xml", {"m.xml": body(text)})[0].hash
    before = server.rss()
    readers = [Client(server.address) for _ in range(20)]
    for reader in readers:
        for _ in range(8):
            reader.send(pb.FRAME_MODEL_INFO, pb.ModelInfo(hash=model))
    server.until(lambda: client.info().unsent_bytes > 20 * 4 * 3 * MIB, 10)
    assert server.rss() - before < 16 * MIB
    want = readers[0].wait(2)[0][0].SerializeToString()
    assert all(reader.wait(id_)[0][0].SerializeToString() == want for reader in readers for id_ in (3, 9))
    for reader in readers:
        reader.close()
    client.close()
