# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""A server at the other end of a socket.

One thread reads replies and hands them to the calls that wait; any number of threads may call at the same time.
"""
from __future__ import annotations

import contextlib
import queue
import socket
import threading
import time
import urllib.parse

import numpy as np

from . import errors, wire
from .calls import always
from .files import content_hash
from .model import ARRAYS, KINDS, Info
from .table import Request
from .version import VERSION

CONNECT_TIMEOUT = 10.0
FRAME = 64 << 20      # larger data sections are cut into frames of this size
SEND_BUFFER = 1 << 20 # of Unix sockets, which do not grow theirs by themselves
CONTROLS = 256        # control messages that are kept
SKIP = 1 << 16        # bytes between tensors that are read at once, to be forgotten


def _open(address: str) -> socket.socket:
    try:
        u = urllib.parse.urlsplit(address)
        port = 7447 if u.port is None else u.port
    except ValueError:
        u = urllib.parse.urlsplit("")
    try:
        if u.scheme == "unix" and u.path:
            s = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            s.settimeout(CONNECT_TIMEOUT)
            s.connect(u.path)
            s.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
        elif u.scheme == "tcp" and u.hostname:
            s = socket.create_connection((u.hostname, port), CONNECT_TIMEOUT)
            s.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        else:
            raise errors.InvalidArgument("cannot parse the address", field="address",
                                         expected="tcp://HOST:PORT or unix:///PATH", got=address)
    except OSError as e:
        raise errors.Unavailable(f"cannot connect to {address}: {e}") from None
    s.settimeout(None)
    return s


class _Call:
    """A request in flight: frames of its answer arrive in a queue.

    A call that has `arrays` gets the rows of its results read straight into them; of their frames only the last arrives here.
    """

    def __init__(self, request: int, arrays: dict[str, np.ndarray] | None = None):
        self.request, self.arrays, self.frames, self._rows = request, arrays, queue.SimpleQueue(), None

    def rows(self) -> dict:
        if self._rows is None:
            self._rows = wire.rows_of(self.arrays)
        return self._rows


class Remote:
    def __init__(self, address: str, token: str | None = None, timeout: float | None = None):
        self._address, self._timeout = address, timeout
        self._socket = _open(address)
        self._send_lock, self._lock = threading.Lock(), threading.Lock()
        self._calls: dict[int, _Call] = {}
        self._next, self._failure = 1, None
        self._controls: dict[tuple, bytes] = {}
        self._files: dict[bytes, tuple[str, dict[str, bytes]]] = {}
        self._reader = threading.Thread(target=self._read, name="sheaf-reader", daemon=True)
        self._reader.start()
        hello = wire.M["Hello"](version=1, client="sheaf-python " + VERSION)
        if token:
            hello.token = token.encode()
        try:
            self.hello = self._simple("Hello", hello)
        except BaseException:
            self.close()
            raise

        # calls of many threads wait here rather than be refused; some room is left for pings and cancels
        self._slots = threading.BoundedSemaphore(max(1, self.hello.limits.max_inflight - 8))

    # ---- reading

    def _fill(self, views: list) -> None:
        """Read until these buffers, none of them empty, are full."""
        while views:
            n = self._socket.recvmsg_into(views[:16], 0, socket.MSG_WAITALL)[0]
            if n == 0:
                raise ConnectionError("the server closed the connection")
            wire.drop(views, n)

    def _exactly(self, n: int) -> bytearray:
        data = bytearray(n)
        self._fill([memoryview(data)] if n else [])
        return data

    def _into_arrays(self, call: _Call, control: bytes, ndata: int) -> None:
        """Read a data section whose tensors are rows of the call's arrays."""
        at, skipped = 0, bytearray(SKIP)
        views = []
        for start, target in wire.row_views(wire.M["Result"].FromString(control), call.rows(), ndata) + [(ndata, None)]:
            while at < start:
                views.append(memoryview(skipped)[:min(SKIP, start - at)])
                at += len(views[-1])
            if target is not None:
                views.append(target)
                at += len(target)
        self._fill(views)

    def _read(self) -> None:
        try:
            while True:
                magic, version, flags, kind, request, ncontrol, _, ndata = wire.HEADER.unpack(self._exactly(32))
                if magic != wire.MAGIC or version != wire.VERSION:
                    raise ConnectionError("the other end does not speak this protocol")
                control = bytes(self._exactly(ncontrol))
                if request == 0 and kind == wire.ERROR:
                    raise self._error(wire.M["Error"].FromString(control))
                with self._lock:
                    call = self._calls.get(request)
                    if call and not flags & wire.MORE:
                        del self._calls[request]
                if call and call.arrays and wire.REPLIES.get(kind & ~wire.REPLY) == "Result":
                    data = self._into_arrays(call, control, ndata)
                    if flags & wire.MORE:
                        continue
                else:
                    data = self._exactly(ndata)
                if call:
                    call.frames.put((kind, flags, control, data))
        except Exception as e:    # whatever it is, nobody will read on: tell those who wait
            self._shut()
            failure = e if isinstance(e, errors.Error) else errors.Unavailable(f"connection to {self._address} lost: {e}")
            with self._lock:
                self._failure = failure
                calls, self._calls = self._calls, {}
            for call in calls.values():
                call.frames.put(failure)

    @staticmethod
    def _error(e) -> errors.Error:
        return errors.make(e.code, e.message, field=e.field, expected=e.expected, got=e.got,
                           retry_after=e.retry_after_us * 1e-6)

    # ---- writing

    def _start(self, name: str, message, pieces=(), arrays=None) -> _Call:
        control = message if isinstance(message, bytes) else message.SerializeToString()
        with self._lock:
            if self._failure:
                raise self._failure
            call = _Call(self._next, arrays)
            self._next += 1
            self._calls[call.request] = call
        try:
            with self._send_lock:
                views = [memoryview(v) for v in wire.frames(wire.TYPES[name], call.request, control, pieces, FRAME)]
                while views:
                    wire.drop(views, self._socket.sendmsg(views[:16]))
        except OSError as e:
            # the reason may be waiting to be read: an error frame before the connection was closed
            self._reader.join(1.0)
            raise self._failure or errors.Unavailable(f"connection to {self._address} lost: {e}") from None
        except BaseException:
            self._shut()      # half a frame may be on its way: nothing can follow it
            raise
        return call

    def _frames(self, call: _Call, on_progress=None):
        """Frames of the answer up to the last one. A caller that leaves early cancels the request."""
        deadline = None if self._timeout is None else time.monotonic() + self._timeout
        answered = False
        try:
            while not answered:
                wait = None if deadline is None else max(0.0, deadline - time.monotonic())
                try:
                    item = call.frames.get(timeout=wait)
                except queue.Empty:
                    raise errors.DeadlineExceeded(f"no answer within {self._timeout} s") from None
                answered = isinstance(item, Exception) or not item[1] & wire.MORE
                if isinstance(item, Exception):
                    raise item
                kind, _, control, data = item
                if kind == wire.ERROR:
                    raise self._error(wire.M["Error"].FromString(control))
                if kind != wire.PROGRESS:
                    yield kind, control, data
                elif on_progress:
                    p = wire.M["Progress"].FromString(control)
                    on_progress(p.done, p.total)
        finally:
            if not answered:
                self._cancel(call)

    def _simple(self, name: str, message, pieces=()):
        call = self._start(name, message, pieces)
        for kind, control, data in self._frames(call):
            reply = wire.M[wire.REPLIES[kind & 0x7FFF]].FromString(control)
            reply_data = data
        if name in ("ModelPut", "ModelInfo"):
            return reply, reply_data
        return reply

    def _cancel(self, call: _Call) -> None:
        try:
            self._start("Cancel", wire.M["Cancel"](request_id=call.request))
        except errors.Error:
            pass

    # ---- what a session needs

    def load(self, main: str, files: dict[str, bytes]) -> Info:
        h = content_hash(main, files)
        self._files[h] = (main, files)
        try:
            return self._info(*self._simple("ModelInfo", wire.M["ModelInfo"](hash=h)))
        except errors.NotFound:
            return self._put(h)

    def _put(self, h: bytes) -> Info:
        main, files = self._files[h]
        put = wire.M["ModelPut"](hash=h, main=main)
        pieces, offset = [], 0
        for name, data in files.items():
            gap = -offset % 64
            put.files.add(name=name, offset=offset + gap, size=len(data))
            pieces += [bytes(gap), data]
            offset += gap + len(data)
        return self._info(*self._simple("ModelPut", put, pieces))

    @staticmethod
    def _info(r, data) -> Info:
        sizes = {n: getattr(r, n) for n in ("nq", "nv", "nu", "na", "nbody", "njnt", "ngeom", "nsite", "nsensor", "nsensordata",
                                            "nmocap", "nkey", "neq", "ntendon", "nuserdata", "nstate", "ndx")}
        came = {t.name: wire.tensor(t, data).copy() for t in r.tensors}
        arrays = {n: came[n] if n in came else np.zeros(shape(sizes)) for n, shape in ARRAYS.items()}
        per_bit = {5: sizes["nu"], 6: sizes["nv"], 7: 6 * sizes["nbody"], 8: sizes["neq"], 9: 3 * sizes["nmocap"],
                   10: 4 * sizes["nmocap"], 11: sizes["nuserdata"]}
        return Info(r.hash, sizes, r.timestep, r.integrator, r.lanes, arrays,
                    dict.fromkeys(KINDS, []) | {t.kind: list(t.name) for t in r.tables},
                    {o.name: tuple(o.shape) for o in r.outputs},
                    lambda spec: sum(n for bit, n in per_bit.items() if spec >> bit & 1))

    def run(self, info: Info, request: Request, given: dict, nbatch: int, options: dict, want: dict, progress) -> dict:
        try:
            with self._slots:
                return self._run(info, request, given, nbatch, options, want, progress)
        except errors.NotFound:
            # the server has forgotten the model
            self._put(info.hash)
            with self._slots:
                return self._run(info, request, given, nbatch, options, want, progress)

    def _control(self, name: str, info, tensors, nbatch, options, want, progress: bool) -> bytes:
        msg = wire.M[name]()
        msg.work.model, msg.work.nbatch, msg.work.progress = info.hash, nbatch, progress
        if self._timeout is not None:
            msg.work.timeout_us = int(self._timeout * 1e6)
        msg.work.outputs.extend(want)
        for k, v in options.items():
            setattr(msg, k, v)
        wire.describe(msg.work.inputs, tensors)
        return msg.SerializeToString()

    def _run(self, info, request, given, nbatch, options, want, progress):
        name = request.message
        tensors, pieces = wire.lay_out(given)
        key = (name, info.hash, tensors, nbatch, tuple(options.items()), tuple(want), progress is not None)
        control = self._controls.get(key)
        if control is None:
            # the same question is asked often, with other numbers
            if len(self._controls) >= CONTROLS:
                self._controls.clear()
            control = self._controls[key] = self._control(name, info, tensors, nbatch, options, want, progress is not None)

        # parts are rows of every output
        out = {k: np.empty(shape) for k, shape in want.items()} | always(request, nbatch)
        call = self._start(name, control, pieces, out)
        with contextlib.closing(self._frames(call, progress)) as parts:
            for _ in parts:
                pass
        return out

    def info(self) -> dict:
        r = self._simple("ServerInfo", wire.M["ServerInfo"]())
        return {f.name: getattr(r, f.name) for f in r.DESCRIPTOR.fields if f.name != "limits"}

    def ping(self) -> float:
        t = time.perf_counter()
        self._simple("Ping", wire.M["Ping"](payload=b"ping"))
        return time.perf_counter() - t

    def close(self) -> None:
        self._shut()
        if threading.current_thread() is not self._reader:
            self._reader.join(1.0)
        self._socket.close()

    def _shut(self) -> None:
        """End the connection; the reader sees it and tells those who wait."""
        try:
            self._socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
