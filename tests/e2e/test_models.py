# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Models: upload, hash, what the server says about them, and models that mean harm."""
import math
import os
import struct
import time
import zlib

import numpy as np
import pytest
from wire import Client, Failure, model_hash, pb, put_message


def refuse(client, main, files, hash_=b""):
    with pytest.raises(Failure) as failure:
        client.put(main, files, hash_)
    return failure.value.error


def test_put_and_info(client, pendulum):
    files = {"m.xml": pendulum}
    hash_ = model_hash("m.xml", files)
    reply, tensors = client.put("m.xml", files, hash_)
    assert reply.hash == hash_ and reply.name == "pendulum"
    assert (reply.nq, reply.nv, reply.nu, reply.na, reply.nstate, reply.ndx) == (1, 1, 1, 0, 3, 2)
    assert (reply.nsensor, reply.nsensordata, reply.nkey, reply.timestep) == (2, 4, 1, 0.01)
    assert tensors["qpos0"].tolist() == [0] and tensors["state0"].tolist() == [0, 0, 0]
    assert tensors["ctrlrange"].tolist() == [[-1, 1]] and tensors["ctrllimited"].tolist() == [1]
    assert tensors["key_state"].tolist() == [[0, 3.14, 0]]
    tables = {t.kind: t for t in reply.tables}
    assert list(tables["body"].name) == ["world", "rod"] and list(tables["body"].parent) == [0, 0]
    assert list(tables["joint"].name) == ["hinge"] and list(tables["joint"].dof_adr) == [0]
    assert list(tables["sensor"].adr) == [0, 1] and list(tables["sensor"].dim) == [1, 3]
    assert list(tables["actuator"].adr) == [-1]
    shapes = {o.name: list(o.shape) for o in reply.outputs}
    assert shapes["qacc"] == [1] and shapes["xpos"] == [2, 3]

    again, data = client.ask(pb.FRAME_MODEL_INFO, pb.ModelInfo(hash=hash_))
    assert again == reply
    compiled = client.info().models
    assert client.put("m.xml", files)[0] == reply
    assert client.info().models == compiled


def test_includes_and_folders(client):
    files = {"main.xml": b'<mujoco><include file="./parts/a.xml"/></mujoco>',
             "parts/a.xml": b'<mujoco><worldbody><body name="included"><geom size="1"/></body></worldbody></mujoco>'}
    reply, _ = client.put("main.xml", files)
    assert "included" in list(reply.tables[0].name)


def test_hash_must_fit(client, pendulum):
    error = refuse(client, "m.xml", {"m.xml": pendulum}, b"0" * 32)
    assert error.code == pb.CODE_DATA_LOSS and error.field == "hash"


def test_compile_errors_come_back_as_text(client):
    error = refuse(client, "m.xml", {"m.xml": b"<mujoco>\n<worldbody>\n<gem/>\n</worldbody></mujoco>"})
    assert error.code == pb.CODE_FAILED_PRECONDITION and "gem" in error.message and "3" in error.message
    assert refuse(client, "m.xml", {"m.xml": b"not xml"}).code == pb.CODE_FAILED_PRECONDITION
    assert refuse(client, "m.xml", {"m.xml": b"\xff\xfe\0<"}).code == pb.CODE_FAILED_PRECONDITION


@pytest.mark.parametrize("name", ["", "/m.xml", "../m.xml", "a/../m.xml", "./m.xml", "a//m.xml", "a\\m.xml", "c:m.xml",
                                  "m\n.xml", "x" * 256])
def test_names_that_are_not_plain(client, name):
    error = refuse(client, name, {name: b"<mujoco/>"})
    assert error.code == pb.CODE_INVALID_ARGUMENT and error.field == "files.name"


def test_manifest_mistakes(client, pendulum):
    assert refuse(client, "other.xml", {"m.xml": pendulum}).field == "main"
    message, data = put_message("m.xml", {"m.xml": pendulum})
    for offset, size in ((0, len(pendulum) + 1), (64, len(pendulum)), (1, 5), (2 ** 64 - 64, 64), (0, 2 ** 64 - 1)):
        message.files[0].offset, message.files[0].size = offset, size
        with pytest.raises(Failure) as failure:
            client.ask(pb.FRAME_MODEL_PUT, message, data)
        assert failure.value.code in (pb.CODE_INVALID_ARGUMENT, pb.CODE_RESOURCE_EXHAUSTED)
    twice = pb.ModelPut(main="m.xml", files=[pb.ModelFile(name="m.xml", size=9)] * 2)
    with pytest.raises(Failure, match="twice"):
        client.ask(pb.FRAME_MODEL_PUT, twice, b"<mujoco/>")
    many = pb.ModelPut(main="m.xml", files=[pb.ModelFile(name=f"{i}") for i in range(513)])
    with pytest.raises(Failure, match="at most 512"):
        client.ask(pb.FRAME_MODEL_PUT, many)


def test_the_disk_is_out_of_reach(client, tmp_path):
    (tmp_path / "secret.xml").write_text("<mujoco><worldbody><geom size='1'/></worldbody></mujoco>")
    for path in (str(tmp_path / "secret.xml"), "/etc/passwd", "../../../etc/passwd", "/proc/self/maps"):
        error = refuse(client, "m.xml", {"m.xml": f'<mujoco><include file="{path}"/></mujoco>'.encode()})
        assert error.code == pb.CODE_FAILED_PRECONDITION and "root:" not in error.message
    mesh = b'<mujoco><asset><mesh name="a" file="/etc/passwd.stl"/></asset></mujoco>'
    assert refuse(client, "m.xml", {"m.xml": mesh}).code == pb.CODE_FAILED_PRECONDITION


@pytest.mark.parametrize("inner", ['<include file="x.y"/>', '<asset><mesh file="x.obj"/></asset>',
                                   '<asset><model name="a" file="x.xml"/></asset>',
                                   '<asset><hfield name="a" file="x.bin" size="1 1 1 1"/></asset>'])
def test_a_file_that_was_not_sent_is_named(client, inner):
    error = refuse(client, "m.xml", {"m.xml": f"<mujoco>{inner}</mujoco>".encode()})
    assert error.code == pb.CODE_FAILED_PRECONDITION and "x." in error.message
    assert error.message.endswith("it is not one of the model's files")


def test_xml_attacks_are_refused(client):
    laughs = b'<!DOCTYPE a [<!ENTITY a "' + b"x" * 1000 + b'">' + b"".join(
        b'<!ENTITY b%d "%s">' % (i, b"&a;" * 100) for i in range(5)) + b"]><mujoco>&b1;</mujoco>"
    outside = b'<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><mujoco>&x;</mujoco>'
    deep = b"<mujoco><worldbody>" + b"<body>" * 100000
    for text in (laughs, outside, deep):
        start = time.monotonic()
        assert refuse(client, "m.xml", {"m.xml": text}).code == pb.CODE_FAILED_PRECONDITION
        assert time.monotonic() - start < 5
    client.ping()


def test_bombs_cost_a_process_and_not_the_server(start):
    server = start("--compile-time", "1")
    client = Client(server.address)
    bombs = [
        b'<mujoco><worldbody><replicate count="1000"><replicate count="1000"><replicate count="1000"><body>'
        b'<geom size="1"/></body></replicate></replicate></replicate></worldbody></mujoco>',
        b'<mujoco><asset><hfield name="h" nrow="40000" ncol="40000" size="1 1 1 1"/></asset></mujoco>',
        b'<mujoco><size nuser_body="2000000000"/></mujoco>',
        b'<mujoco><size memory="1000G"/></mujoco>',
        b'<mujoco><option timestep="nan"/></mujoco>',
        b'<mujoco><option iterations="2000000000"/></mujoco>',
        b'<mujoco><size nuserdata="2000000000"/></mujoco>',
    ]
    ids = []
    for bomb in bombs:
        message, data = put_message("m.xml", {"m.xml": bomb})
        ids.append(client.send(pb.FRAME_MODEL_PUT, message, data))
    start_time = time.monotonic()
    while time.monotonic() - start_time < 1:
        asked = time.monotonic()
        client.ping()
        assert time.monotonic() - asked < 0.5
    for id_ in ids:
        with pytest.raises(Failure) as failure:
            client.wait(id_)
        assert failure.value.code in (pb.CODE_FAILED_PRECONDITION, pb.CODE_RESOURCE_EXHAUSTED, pb.CODE_INTERNAL)
    assert server.rss() < 1 << 30
    client.put("m.xml", {"m.xml": b"<mujoco/>"})
    client.close()


def png_claiming(side):
    head = struct.pack(">IIBBBBB", side, side, 8, 6, 0, 0, 0)
    chunks = ((b"IHDR", head), (b"IDAT", zlib.compress(b"")), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks)


def stl_cone(n):
    """All faces meet in one vertex: its hull takes time that grows with the square of their number."""
    rim = [(math.cos(2 * math.pi * i / n), math.sin(2 * math.pi * i / n), 0.0) for i in range(n + 1)]
    faces = b"".join(struct.pack("<12fH", 0, 0, 0, 0, 0, 1, *rim[i], *rim[i + 1], 0) for i in range(n))
    return bytes(80) + struct.pack("<I", n) + faces


def test_files_that_ask_for_much(start):
    server = start("--compile-time", "1")
    client = Client(server.address)
    models = b"".join(b'<model name="a%d" file="m%%d.xml"/>' % i for i in range(50))
    nested = {f"m{i}.xml": b"<mujoco><asset>" + models.replace(b"%d", b"%d" % (i + 1)) + b"</asset></mujoco>"
              for i in range(9)}
    cable = b'<composite prefix="c%d" type="cable" count="2000 1 1" size="1"><joint kind="main"/>' \
            b'<geom type="capsule" size=".01"/></composite>'
    bombs = [
        {"m.xml": b'<mujoco><asset><hfield name="h" file="h.png" size="1 1 1 1"/></asset></mujoco>',
         "h.png": png_claiming(30000)},
        {"m.xml": b'<mujoco><asset><texture name="t" type="2d" file="t.png"/></asset></mujoco>',
         "t.png": png_claiming(30000)},
        {"m.xml": b'<mujoco><asset><mesh name="m" file="m.stl"/></asset><worldbody><geom type="mesh" mesh="m"/>'
                  b'</worldbody></mujoco>', "m.stl": stl_cone(60000)},
        {"m.xml": b'<mujoco><asset><model name="a" file="m0.xml"/></asset></mujoco>',
         **nested, "m9.xml": b"<mujoco/>"},
        {"m.xml": b"<mujoco><worldbody>" + b"".join(cable % i for i in range(2000)) + b"</worldbody></mujoco>"},
        {"m.xml": b'<mujoco><asset><texture name="t" type="cube" builtin="flat" width="30000"/></asset></mujoco>'},
        {"m.xml": b'<mujoco><sensor><user dim="100000000"/></sensor></mujoco>'},
    ]
    for files in bombs:
        error = refuse(client, "m.xml", files)
        assert error.code in (pb.CODE_FAILED_PRECONDITION, pb.CODE_RESOURCE_EXHAUSTED), error
    assert server.rss() < 1 << 30
    client.put("m.xml", {"m.xml": b"<mujoco/>"})
    client.close()


def test_many_clients_put_one_model(server, pendulum):
    files = {"m.xml": pendulum + b"<!-- all together -->"}
    message, data = put_message("m.xml", files)
    clients = [Client(server.address) for _ in range(16)]
    before = server.log().count("model_ready")
    ids = [c.send(pb.FRAME_MODEL_PUT, message, data) for c in clients]
    hashes = {c.wait(i)[0][0].hash for c, i in zip(clients, ids)}
    assert hashes == {model_hash("m.xml", files)}
    server.until(lambda: server.log().count("model_ready") == before + 1, 5)
    for c in clients:
        c.close()


def test_a_full_cache_forgets_the_oldest(start):
    server = start("--model-cache", "1")
    client = Client(server.address)
    hashes = []
    for i in range(12):
        text = f'<mujoco><asset><texture name="t{i}" type="2d" builtin="flat" width="256" height="256"/></asset></mujoco>'
        hashes.append(client.put("m.xml", {"m.xml": text.encode()})[0].hash)
    assert client.info().model_bytes <= 1 << 20
    client.ask(pb.FRAME_MODEL_INFO, pb.ModelInfo(hash=hashes[-1]))
    with pytest.raises(Failure) as failure:
        client.ask(pb.FRAME_MODEL_INFO, pb.ModelInfo(hash=hashes[0]))
    assert failure.value.code == pb.CODE_NOT_FOUND
    client.close()


def test_models_of_the_project_load(client, models):
    for path in ("mujoco/humanoid.xml", "dm_control/walker.xml", "gymnasium/half_cheetah.xml"):
        folder, main = os.path.split(os.path.join(models, path))
        files = {main: open(os.path.join(folder, main), "rb").read()}
        for part in ("visual", "materials", "skybox"):
            name = f"common/{part}.xml"
            if name.encode() in files[main]:
                files[name] = open(os.path.join(folder, name), "rb").read()
        reply, tensors = client.put(main, files)
        assert reply.nq == len(tensors["qpos0"]) and np.isfinite(tensors["body_mass"]).all()
