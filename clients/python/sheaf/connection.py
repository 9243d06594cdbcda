# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""One connection to a server, from Hello to the first failure.

Any number of threads may call at the same time. One of the threads that wait for an answer, the reader, reads all replies and hands each to
the thread that waits for it; when its own answer is here, another thread becomes the reader. So the only thread of a program waits for
the socket itself, and no second thread has to wake it up.
"""
from __future__ import annotations

import contextlib
import queue
import socket
import ssl
import threading
import time
from collections.abc import Callable
from typing import NoReturn

from google.protobuf.message import DecodeError

from . import errors, wire
from .answer import Call
from .incoming import Incoming
from .opening import open_socket
from .shared import Regions
from .version import VERSION

CONNECT_TIMEOUT = 10.0
FRAME = 64 << 20      # larger data sections are cut into frames of this size
REASON_TIME = 1.0     # seconds to wait for the reason of a lost connection
CANCEL_TIME = 1.0     # seconds that telling the server to stop may take
MOST_SLOTS = 1 << 16  # requests that one connection has in flight, however many the server takes
READ = object()       # in the queue of a call: it may have become the reader

class _Slot:
    def __init__(self, slots):
        self._slots = slots

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._slots.put(None)


class Connection(Incoming):
    def __init__(self, address: str, token: str | None, timeout: float, rules: ssl.SSLContext | None = None, session: bytes = b""):
        super().__init__(open_socket(address, timeout, rules))
        self.failure: errors.Error | None = None    # set once: nothing more will be answered
        self._retired = False    # another connection has taken its place; close this one when its calls are answered
        self._address = address
        self._send_lock = threading.RLock()    # it knows whether a thread that was interrupted has it
        self._next = 1
        self._reading = False    # some thread is the reader
        self.hello, self._most_control = None, 0
        hello = wire.M["Hello"](version=1, client="sheaf-python " + VERSION, session=session)
        if token:
            hello.token = token.encode()
        try:
            self.hello, _ = self.ask("Hello", hello, deadline=time.monotonic() + timeout)
        except errors.DeadlineExceeded:
            self.close()
            raise errors.Unavailable(f"{address} does not answer", retriable=True) from None
        except BaseException:
            self.close()
            raise
        self._most_control = self.hello.limits.max_control_bytes

        # memory that a server on this host writes results into
        self.regions = Regions(self) if self._socket.family == socket.AF_UNIX else None

        # calls of many threads wait here rather than be refused; some room is left for pings and cancels
        self._slots: queue.SimpleQueue[None] = queue.SimpleQueue()
        self._slot = _Slot(self._slots)
        for _ in range(max(1, min(self.hello.limits.max_inflight - 8, MOST_SLOTS))):
            self._slots.put(None)

    def slot(self, timeout: float | None) -> _Slot:
        """Room for one more request in flight, to be used in a `with`."""
        try:
            self._slots.get(timeout=timeout)
        except queue.Empty:
            raise errors.DeadlineExceeded("too many requests in flight") from None
        return self._slot

    # ---- who reads

    def _fail(self, e: Exception) -> None:
        """End the connection because of this failure, and tell the calls that wait."""
        self._shut()
        with self._lock:
            self.failure = self.failure or (e if isinstance(e, errors.Error) else self._lost(e))
            calls, self._calls = self._calls, {}
        for call in calls.values():
            call.frames.put(self.failure)
        self._close_socket()

    def _close_socket(self) -> None:
        """Close the descriptor once no thread uses it; earlier, another socket could get its number while it is in use."""
        if self.failure:
            with self._send_lock, self._lock:
                if not self._reading:
                    self._socket.close()

    def _read(self, call: Call, deadline: float | None) -> tuple | None:
        """Be the reader until a frame for this call is here, or its time is over. Returns the frame, or it is in the call's queue."""
        item = None
        try:
            while item is None and call.frames.empty() and not self.failure:
                left = None if deadline is None else deadline - time.monotonic()
                if left is not None and left <= 0:
                    break
                try:
                    if self._within or self._begin(left) and not (item := self._known(call)):
                        next(self._input)
                except Exception as e:
                    self._fail(e)
                except BaseException:
                    # after an interrupt in the middle of a frame, the next frame cannot be found; every frame begins with a byte that is not 0
                    if self._within or self._buffer[0]:
                        self._fail(ConnectionError("interrupted"))
                    raise
        finally:
            self._pass_on(call, item is not None)
        return item

    def _pass_on(self, call: Call, over: bool = False) -> None:
        """Let another thread be the reader. over: this call was answered."""
        call.over |= over
        with self._lock:
            if over:
                self._calls.pop(call.request, None)
            other = next((c for c in self._calls.values() if c.waits and c is not call), None) if self._calls else None

            # An interrupt comes after the call of a function, and none is called before the last of these lines: then this thread is
            # the reader, or the other is. An interrupt of the other may lose what it takes from the queue, so that only wakes it up.
            call.reads = False
            self._reading = other is not None
            if other is not None:
                other.reads = True
                other.frames.put(READ)
            over = self._retired and not self._calls
        if over:
            self._fail(self._gone())
        if self.failure:
            self._close_socket()

    def _next_frame(self, call: Call, deadline: float | None):
        """The next frame for this call, or a failure; None when its time is over."""
        while True:
            if not call.reads:
                with self._lock:
                    if not self._reading and call.frames.empty() and not self.failure:
                        call.reads = self._reading = True
            item = self._read(call, deadline) if call.reads else None
            if item is not None:
                return item
            try:
                item = call.frames.get(timeout=None if deadline is None else max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                return None
            if item is not READ:
                return item

    def _leave(self, call: Call) -> None:
        """The thread of this call waits no more. If it is or was just made the reader, make another thread the reader."""
        if call.reads:
            self._pass_on(call)
        if call.over:
            return    # nobody makes it the reader now
        with self._lock:
            call.waits = False
        if call.reads:
            self._pass_on(call)

    def _gone(self) -> errors.Unavailable:
        return errors.Unavailable(f"the server at {self._address} is shutting down", retriable=True)

    def _lost(self, e: Exception) -> errors.Unavailable:
        return errors.Unavailable(f"connection to {self._address} lost: {e}", retriable=True)

    def broken(self, why: str) -> NoReturn:
        """What came is not what a server sends: nothing more is asked of this one."""
        self._fail(ConnectionError(why))
        raise self.failure

    def parsed(self, name: str, message: bytes):
        """A message that came."""
        try:
            return wire.M[name].FromString(message)
        except DecodeError:
            self.broken(f"the server sent a message that cannot be read ({name})")

    # ---- writing

    def _send(self, views: list, deadline: float | None) -> None:
        """Send all of these buffers."""
        lock, begun, half = self._send_lock, False, False
        if lock._is_owned():    # this thread sends, and the collector ends a call that nobody refers to
            raise errors.DeadlineExceeded("another request was still being sent")
        try:
            if not lock.acquire(timeout=-1 if deadline is None else max(0.0, deadline - time.monotonic())):
                raise errors.DeadlineExceeded("another request was still being sent")
            while views:
                try:
                    begun = True
                    wire.drop(views, self._socket.sendmsg(views[:16]))
                except BlockingIOError:
                    if deadline is not None and time.monotonic() >= deadline:
                        raise errors.DeadlineExceeded("the server does not read") from None
        except OSError as e:
            half = isinstance(e, errors.Error)    # after another OSError the connection is lost anyway
            raise
        except BaseException:
            half = begun
            raise
        finally:
            if lock._is_owned():
                lock.release()
            if half:
                self._fail(ConnectionError("a request was given up while it was sent"))    # nothing can follow half a frame

    def start(self, name: str, message, pieces=(), call: Call | None = None, deadline: float | None = None) -> Call:
        """Send a request: a message, or its bytes, and the pieces of its data section."""
        control = message if isinstance(message, bytes) else message.SerializeToString()
        most = self._most_control
        if len(control) > most > 0:    # the server would close the connection, and with it the calls of others
            raise errors.ResourceExhausted("the call names too much: it does not fit without its arrays", field=name,
                                           expected=f"at most {most} bytes", got=str(len(control)))
        call, kind = call or Call(), wire.TYPES[name]
        call.kind = kind | wire.REPLY
        self._register(call)
        views = list(wire.frames(kind, call.request, control, pieces, FRAME)) if pieces else [wire.frame(kind, call.request, control)]
        self._transmit(views, call, deadline)
        return call

    def start_again(self, frame: bytearray, call: Call, deadline: float | None) -> None:
        """Send a request that is one frame, with a number of its own."""
        self._register(call)
        wire.REQUEST_ID.pack_into(frame, wire.REQUEST_ID_AT, call.request)
        self._transmit([memoryview(frame)], call, deadline)

    def _register(self, call: Call) -> None:
        """The call has a number from now on. If it is the only one, a thread that will wait at once is the reader already."""
        with self._lock:
            if self.failure:
                raise self.failure
            call.request = self._next
            self._next += 1
            if call.at_once and not self._calls and not self._reading:
                call.reads = self._reading = True
            self._calls[call.request] = call

    def _transmit(self, views: list, call: Call, deadline: float | None) -> None:
        try:
            self._send(views, deadline)
        except errors.DeadlineExceeded:
            with self._lock:
                self._calls.pop(call.request, None)
            raise
        except OSError as e:
            # the server may have sent an error frame with the reason before it closed the connection
            self._next_frame(call, time.monotonic() + REASON_TIME)
            raise self.failure or self._lost(e) from None

    def result(self, send: Callable[[Call], None], call: Call, deadline: float | None, on_progress=None) -> bytes:
        """Send a request for rows by send(call), and wait until they are in the call's arrays: the message of the last of them."""
        call.at_once, item = True, None
        try:
            send(call)
            call.waits = True
            item = self._next_frame(call, deadline)
        except BaseException:
            self._give_up(call)
            raise
        last = b""
        if type(item) is tuple and item[0] < wire.PROGRESS and not item[1]:
            return item[2]    # as nearly always: one frame
        for _, last, _ in self._frames(call, item, deadline, on_progress):
            pass
        return last

    def frames(self, call: Call, deadline: float | None = None, on_progress=None):
        """Frames of the answer up to the last one. A caller that leaves early cancels the request."""
        call.waits = True
        return self._frames(call, READ, deadline, on_progress)

    def _frames(self, call: Call, item, deadline: float | None, on_progress):
        """The same; the first of them, unless it is READ, has come."""
        answered = False
        try:
            while not answered:
                if item is READ:
                    item = self._next_frame(call, deadline)
                if item is None:
                    raise errors.DeadlineExceeded("the server was still at work")
                if isinstance(item, Exception):
                    answered = True
                    raise item
                kind, flags, control, data = item
                answered, item = not flags & wire.MORE, READ
                if kind < wire.PROGRESS:
                    yield kind, control, data
                elif kind == wire.ERROR:
                    raise errors.received(self.parsed("Error", control))
                elif on_progress:
                    p = self.parsed("Progress", control)
                    on_progress(p.done, p.total)
        finally:
            self._give_up(call, answered)

    def _give_up(self, call: Call, answered: bool = False) -> None:
        """Wait no more for an answer. A request that was sent and not answered is cancelled."""
        sent = call.waits
        try:
            self._leave(call)
        except BaseException:    # a second interrupt
            self._leave(call)
            raise
        if answered or self.failure or call.over:
            return
        if sent:
            self._cancel(call)
        else:
            with self._lock:
                self._calls.pop(call.request, None)

    def ask(self, name: str, message, pieces=(), deadline: float | None = None) -> tuple:
        """A request with one reply: the message and its data (of a Region, its file)."""
        call, reply = self.start(name, message, pieces, deadline=deadline), None
        for kind, control, data in self.frames(call, deadline):
            reply = self.parsed(wire.REPLIES[kind & 0x7FFF], control), data
        if reply is None:
            self.broken("the server did not answer")
        return reply

    def _cancel(self, call: Call) -> None:
        """Stop a request, and read the frames that are on their way: the server may wait until they are read."""
        def drain():
            with self._lock:
                call.waits = call.request in self._calls
            while call.waits and isinstance(item := self._next_frame(call, None), tuple) and item[1] & wire.MORE:
                pass
            self._leave(call)

        with contextlib.suppress(errors.Error):
            self.start("Cancel", wire.M["Cancel"](request_id=call.request), deadline=time.monotonic() + CANCEL_TIME)
        threading.Thread(target=drain, name="sheaf-drain", daemon=True).start()

    def stop(self, call: Call) -> None:
        """Ask the server to stop a request that another thread waits for, which gets the answer. Returns at once."""
        def tell():
            with contextlib.suppress(errors.Error):
                self.start("Cancel", wire.M["Cancel"](request_id=call.request), deadline=time.monotonic() + CANCEL_TIME)
        threading.Thread(target=tell, name="sheaf-cancel", daemon=True).start()

    # ---- the end

    def retire(self) -> None:
        """Close when what is in flight has been answered."""
        with self._lock:
            self._retired, over = True, not self._calls
        if over:
            self._fail(self._gone())

    def close(self) -> None:
        self._fail(errors.Unavailable("the session was closed"))

    def _shut(self) -> None:
        """End the connection; the reader, if there is one, notices it and tells the calls that wait."""
        try:
            self._socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
