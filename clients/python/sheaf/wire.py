# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Frames, messages and tensors of the protocol (proto/README.md)."""
from __future__ import annotations

import math
import os
import struct
import sys

import numpy as np
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

from .table import REQUESTS

HEADER = struct.Struct("<IBBHQIIQ")
REQUEST_ID, REQUEST_ID_AT = struct.Struct("<Q"), 8    # within it
MAGIC, VERSION = 0x31464853, 1
MORE, CONT = 1, 2
REPLY, GO_AWAY, PROGRESS, ERROR = 0x8000, 0x80FD, 0x80FE, 0x80FF


def _descriptor():
    """The protocol, from the descriptor that the build made of sheaf.proto."""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "sheaf.desc")
    with open(path, "rb") as f:
        files = descriptor_pb2.FileDescriptorSet.FromString(f.read())
    pool = descriptor_pool.DescriptorPool()
    for f in files.file:
        pool.Add(f)
    return pool.FindFileByName("sheaf.proto")


_PROTO = _descriptor()
M = {name: message_factory.GetMessageClass(d) for name, d in _PROTO.message_types_by_name.items()}
_FRAMES = {v.name: v.number for v in _PROTO.enum_types_by_name["FrameType"].values}
_CONTROL = {"Hello": "HELLO", "Ping": "PING", "ServerInfo": "SERVER_INFO", "Cancel": "CANCEL", "Region": "REGION",
            "RegionClose": "REGION_CLOSE", "ModelPut": "MODEL_PUT", "ModelInfo": "MODEL_INFO", "ModelList": "MODEL_LIST",
            "ModelUnload": "MODEL_UNLOAD"}
TYPES = {m: _FRAMES["FRAME_" + kind] for m, kind in _CONTROL.items()}
REPLIES = {n: "ModelInfoReply" if m == "ModelPut" else m + "Reply" for m, n in TYPES.items()}
for _r in REQUESTS.values():
    TYPES[_r.message] = _FRAMES["FRAME_" + _r.kind]
    REPLIES[TYPES[_r.message]] = "Result"
DTYPES = [np.dtype("<f8"), np.dtype("<f4"), np.dtype("<i4"), np.dtype("<i8"), np.dtype("u1")]


def _header(kind: int, request: int, control: int, data: int, flags: int = 0) -> bytes:
    return HEADER.pack(MAGIC, VERSION, flags, kind, request, control, 0, data)


def frame(kind: int, request: int, control: bytes) -> bytes:
    """A request without a data section."""
    return _header(kind, request, len(control), 0) + control


def frames(kind: int, request: int, control: bytes, pieces, limit: int):
    """The buffers to send for one request: frames whose data sections are the pieces, cut where they exceed `limit` bytes."""
    left = sum(map(len, pieces))
    if left <= limit:
        yield _header(kind, request, len(control), left) + control
        yield from pieces
        return
    room = min(left, limit)
    left -= room
    yield _header(kind, request, len(control), room, MORE if left else 0) + control
    for piece in pieces:
        view = memoryview(piece)
        while len(view):
            if room == 0:
                room = min(left, limit)
                left -= room
                yield _header(kind, request, 0, room, CONT | (MORE if left else 0))
            now, view = view[:room], view[room:]
            room -= len(now)
            yield now


def drop(views: list, n: int) -> None:
    """Remove the first n bytes, which were transferred, from a list of buffers."""
    if n == sum(map(len, views)):
        views.clear()
        return
    while n >= len(views[0]):
        n -= len(views.pop(0))
    if n:
        views[0] = memoryview(views[0])[n:]


def kinds(arrays: dict[str, np.ndarray]) -> dict[str, tuple[int, tuple[int, ...]]]:
    """The dtype on the wire and the shape of each array."""
    return {name: (2 if a.dtype == np.int32 else 0, a.shape) for name, a in arrays.items()}


def section(arrays: dict[str, tuple[int, tuple[int, ...]]]) -> tuple:
    """Descriptions for `describe` of such arrays (from `kinds`) in a data section: name, dtype, shape, offset."""
    tensors, end = [], 0
    for name, (kind, shape) in arrays.items():
        size = DTYPES[kind].itemsize * math.prod(shape)
        offset = end + -end % 64 if size else 0
        tensors.append((name, kind, shape, offset))
        end = offset + size if size else end
    return tuple(tensors)


def order(tensors: tuple) -> tuple:
    """Name, dtype and the bytes before it, of each array of a data section that is not empty. tensors: from `section`."""
    found, end = [], 0
    for name, kind, shape, offset in tensors:
        if math.prod(shape):
            found.append((name, DTYPES[kind], bytes(offset - end)))
            end = offset + DTYPES[kind].itemsize * math.prod(shape)
    return tuple(found)


def pieces(order_: tuple, arrays: dict[str, np.ndarray]) -> list:
    """The pieces of the data section that holds these arrays. order_: from `order`."""
    found = []
    for name, dtype, gap in order_:
        if gap:
            found.append(gap)
        found.append(memoryview(np.ascontiguousarray(arrays[name], dtype)).cast("B"))
    return found


def lay_out(arrays: dict[str, np.ndarray]) -> tuple[tuple, list]:
    """Descriptions for `describe` of these arrays in a data section, and its pieces."""
    tensors = section(kinds(arrays))
    return tensors, pieces(order(tensors), arrays)


def describe(field, tensors, in_region: bool = False) -> None:
    """Fill a repeated Tensor field."""
    for name, kind, shape, offset in tensors:
        field.add(name=name, dtype=kind, shape=shape, offset=offset, in_region=in_region)


def tensor(t, data) -> np.ndarray:
    """The array that a Tensor describes, as a view of the data section."""
    shape = tuple(t.shape)
    dtype = DTYPES[t.dtype]
    count = int(np.prod(shape, dtype=np.int64))
    if count == 0:
        return np.zeros(shape, dtype)
    if t.offset + count * dtype.itemsize > len(data):
        raise ConnectionError(f"tensor {t.name} lies outside its frame")
    return np.frombuffer(data, dtype, count, t.offset).reshape(shape)


def rows_of(arrays: dict[str, np.ndarray]) -> dict:
    """For each array that is not empty: its memory, bytes of a row, bytes of an item, and dtype on the wire."""
    return {name: (memoryview(a).cast("B"), a.nbytes // len(a), a.itemsize, DTYPES.index(a.dtype))
            for name, a in arrays.items() if a.size}


def row_views(part, arrays: dict, ndata: int) -> list:
    """Where the tensors of a Result belong: (name, offset in its data section, bytes of the rows in the array), in order.
    arrays: from `rows_of`."""
    views, first, rows = [], part.first_row, part.rows
    for t in part.tensors:
        if t.name not in arrays:
            continue
        data, row, item, kind = arrays[t.name]
        target = data[first * row:(first + rows) * row]
        if len(target) != rows * row or math.prod(t.shape) * item != rows * row or t.dtype != kind:
            raise ConnectionError(f"tensor {t.name}: expected {rows} rows of {row} bytes at {first}, got {tuple(t.shape)}")
        if rows:
            views.append((t.name, t.offset, target))
    views.sort(key=lambda v: v[1])
    ends = [0] + [start + len(view) for _, start, view in views]
    if any(start < end for (_, start, _), end in zip(views, ends)) or ends[-1] > ndata:
        raise ConnectionError("tensors overlap or lie outside their frame")
    return views


assert sys.byteorder == "little", "arrays are sent as they lie in memory"
