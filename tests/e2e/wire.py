# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""A client of a few lines, written from proto/README.md alone: it can also send what no client should."""
import hashlib
import importlib.util
import itertools
import os
import socket
import struct
import subprocess
import tempfile

import numpy as np

SLOW = float(os.environ.get("TEST_SLOW", "1"))

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
HEADER = struct.Struct("<4sBBHQIIQ")
MORE, CONT = 1, 2
DTYPES = {0: np.float64, 1: np.float32, 2: np.int32, 3: np.int64, 4: np.uint8}


def _messages():
    with tempfile.TemporaryDirectory(prefix="sheaf-proto-") as out:
        subprocess.run(["protoc", f"--proto_path={ROOT}/proto", f"--python_out={out}", "sheaf.proto"], check=True)
        spec = importlib.util.spec_from_file_location("sheaf_wire_test_pb2", f"{out}/sheaf_pb2.py")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module


pb = _messages()
REPLIES = {pb.FRAME_HELLO: pb.HelloReply, pb.FRAME_PING: pb.PingReply, pb.FRAME_SERVER_INFO: pb.ServerInfoReply,
           pb.FRAME_CANCEL: pb.CancelReply, pb.FRAME_MODEL_PUT: pb.ModelInfoReply,
           pb.FRAME_MODEL_INFO: pb.ModelInfoReply, pb.FRAME_MODEL_LIST: pb.ModelListReply, pb.FRAME_MODEL_UNLOAD: pb.ModelUnloadReply,
           pb.FRAME_REGION: pb.RegionReply, pb.FRAME_REGION_CLOSE: pb.RegionCloseReply}


class Failure(Exception):
    """An Error frame."""

    def __init__(self, request_id, error):
        super().__init__(f"code {error.code}: {error.message}")
        self.id, self.code, self.error = request_id, error.code, error


def model_hash(main, files):
    text = f"sheaf-model-1\nmain {main}\n"
    for name in sorted(files, key=str.encode):
        text += f"{hashlib.sha256(files[name]).hexdigest()} {len(files[name])} {name}\n"
    return hashlib.sha256(text.encode()).digest()


def arrays(tensors, data):
    """Views of the tensors of a frame, by name."""
    out = {}
    for t in tensors:
        n = int(np.prod(t.shape, dtype=np.int64))
        assert t.offset % 64 == 0
        out[t.name] = np.frombuffer(data, DTYPES[t.dtype], n, t.offset if n else 0).reshape(t.shape)
    return out


class Client:
    def __init__(self, address, hello=True, token=b"", timeout=120 * SLOW, source=None):
        if address.startswith("unix://"):
            self.socket = socket.socket(socket.AF_UNIX)
            self.socket.settimeout(timeout)
            self.socket.connect(address[len("unix://"):])
        else:
            host, port = address[len("tcp://"):].rsplit(":", 1)
            self.socket = socket.create_connection((host, int(port)), timeout, (source, 0) if source else None)
        self.ids = itertools.count(1)
        self.waiting = {}
        self.progress = []
        self.told = None    # that the server is going
        if hello:
            self.hello = self.ask(pb.FRAME_HELLO, pb.Hello(version=1, token=token, client="test"))[0]

    def close(self):
        self.socket.close()

    # ---- frames

    def send(self, type_, message=None, data=b"", flags=0, id_=None):
        control = message.SerializeToString() if message is not None else b""
        id_ = id_ if id_ is not None else next(self.ids)
        header = HEADER.pack(b"SHF1", 1, flags, type_, id_, len(control), 0, len(data))
        self.socket.sendall(header + control + data)
        return id_

    def read(self, n):
        out = bytearray(n)
        view = memoryview(out)
        while view:
            got = self.socket.recv_into(view)
            if not got:
                raise EOFError
            view = view[got:]
        return bytes(out)

    def frame(self):
        magic, version, flags, type_, id_, ncontrol, reserved, ndata = HEADER.unpack(self.read(HEADER.size))
        assert (magic, version, reserved) == (b"SHF1", 1, 0)
        return type_, flags, id_, self.read(ncontrol), self.read(ndata)

    def frames(self, id_):
        """All frames of a request up to its last; frames of others are kept for them."""
        out = self.waiting.pop(id_, [])
        while not out or out[-1][1] & MORE:
            frame = self.frame()
            if frame[0] == pb.FRAME_GO_AWAY:
                self.told = pb.GoAway.FromString(frame[3])
            elif frame[0] == pb.FRAME_ERROR and frame[2] == 0:
                raise Failure(0, pb.Error.FromString(frame[3]))
            elif frame[2] == id_:
                out.append(frame)
            else:
                self.waiting.setdefault(frame[2], []).append(frame)
        return out

    def wait(self, id_):
        """(message, data) of the parts of a reply."""
        parts = []
        for type_, flags, _, control, data in self.frames(id_):
            if type_ == pb.FRAME_ERROR:
                assert not flags & MORE
                raise Failure(id_, pb.Error.FromString(control))
            if type_ == pb.FRAME_PROGRESS:
                assert flags & MORE
                self.progress.append(pb.Progress.FromString(control))
                continue
            assert type_ & pb.FRAME_REPLY
            parts.append((REPLIES.get(type_ & 0x7FFF, pb.Result).FromString(control), data))
        return parts

    def ask(self, type_, message, data=b""):
        return self.wait(self.send(type_, message, data))[0]

    # ---- requests

    def ping(self, payload=b"x"):
        assert self.ask(pb.FRAME_PING, pb.Ping(payload=payload))[0].payload == payload

    def info(self):
        return self.ask(pb.FRAME_SERVER_INFO, pb.ServerInfo())[0]

    def put(self, main, files, hash_=b""):
        message, data = put_message(main, files, hash_)
        reply, tensors = self.ask(pb.FRAME_MODEL_PUT, message, data)
        return reply, arrays(reply.tensors, tensors)

    def compute(self, type_, message, data=b""):
        return self.join(self.wait(self.send(type_, message, data)))

    def join(self, parts):
        """Whole arrays from parts, with the rules of the protocol checked."""
        out, row = {}, 0
        for message, data in parts:
            assert message.first_row == row
            row += message.rows
            for name, part in arrays(message.tensors, data).items():
                if name not in out:
                    out[name] = np.empty((message.total_rows,) + part.shape[1:], part.dtype)
                assert part.shape[0] == message.rows
                out[name][message.first_row:row] = part
        assert row == parts[-1][0].total_rows and parts[-1][0].HasField("timing")
        self.timing, self.nparts = parts[-1][0].timing, len(parts)
        return out


def put_message(main, files, hash_=b""):
    message, data = pb.ModelPut(hash=hash_, main=main), b""
    for name, content in files.items():
        data += b"\0" * (-len(data) % 64)
        message.files.add(name=name, offset=len(data), size=len(content))
        data += content
    return message, data


def work(model, nbatch, inputs, outputs=(), **options):
    """A Work message and its data section."""
    message, data = pb.Work(model=model, nbatch=nbatch, outputs=outputs, **options), b""
    for name, array in inputs.items():
        array = np.ascontiguousarray(array)
        dtype = next(k for k, v in DTYPES.items() if v == array.dtype)
        data += b"\0" * (-len(data) % 64)
        message.inputs.add(name=name, dtype=dtype, shape=array.shape, offset=len(data) if array.size else 0)
        data += array.tobytes()
    return message, data


def rollout(client, model, nbatch, nstep, inputs, outputs=(), control_spec=0, hold=0, **options):
    message, data = work(model, nbatch, inputs, outputs, **options)
    return client.compute(pb.FRAME_ROLLOUT, pb.Rollout(work=message, nstep=nstep, control_spec=control_spec,
                                                       hold=hold), data)
