# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Connections. A session is a server, or the engine in this process; both answer the same calls."""
from __future__ import annotations

import os
import ssl
from collections.abc import Callable

from . import files
from .errors import InvalidArgument
from .flight import seconds
from .info import LoadedModel
from .model import Model
from .retry import Retry


class Session:
    """Made by `connect`. Use it in a `with` statement, or call `close`."""

    def __init__(self, backend):
        self._backend = backend

    @property
    def trace(self) -> str | Callable[[], str] | None:
        """W3C's traceparent of the program's current operation ("00-<32 digits>-<16 digits>-<2 digits>"), or a function that returns
        it for each request. The server's log shows it with the request. The engine in this process has no log."""
        return self._backend.trace

    @trace.setter
    def trace(self, trace: str | Callable[[], str] | None) -> None:
        self._backend.trace = trace

    def load(self, model) -> Model:
        """Compile a model, once.

        model   a path of MJCF, URDF or a compiled model (.mjb), with everything that the file refers to;
                text of MJCF or URDF, which begins with "<"; bytes of any of these;
                a dict of files, name -> bytes or text, the main one first;
                a mujoco.MjModel (release 3.4), a mujoco.MjSpec with its files, or another object with to_xml().

        The server keeps the model under the hash of its content, so loading the same files again uploads nothing.
        Raises FailedPrecondition with `file:line: element: reason` if the model does not compile, InvalidArgument if a file cannot
        be read.
        """
        main, content = files.collect(model)
        return Model(self._backend, self._backend.load(main, content))

    def models(self) -> list[LoadedModel]:
        """The models of this session in this process; on a server those that this client's identity has put or asked for."""
        return self._backend.models()

    def info(self) -> dict:
        """State, build and counters of the server, or of the engine in this process."""
        return self._backend.info()

    def ping(self) -> float:
        """Round-trip time in seconds."""
        return self._backend.ping()

    def close(self) -> None:
        self._backend.close()

    def __repr__(self) -> str:
        return f"<sheaf.Session {self._backend.where}>"

    def __enter__(self) -> "Session":
        return self

    def __exit__(self, *exc) -> None:
        self.close()


def _check_remote(**arguments) -> None:
    """Have these arguments the types that they may have?"""
    for field, (value, types) in arguments.items():
        if not isinstance(value, types):
            kinds = types if isinstance(types, tuple) else (types,)
            raise InvalidArgument("wrong type", field=field, expected=" or ".join(kind.__name__ for kind in kinds), got=type(value).__name__)


def connect(address: str | None = None, *, threads: int | None = None, lanes: int = 0, precision: str = "double", token: str | None = None,
            timeout: float | None = None, retry: Retry | bool = True, tls: ssl.SSLContext | None = None,
            tls_ca: str | None = None, tls_certificate: tuple[str, str] | None = None) -> Session:
    """Connect to a server, or open the engine in this process.

    address  "tcp://HOST:PORT", "tls://HOST:PORT" or "unix:///PATH"; default: the environment variable SHEAF_ADDRESS
    threads  instead of an address: worker threads in this process (0: one per usable CPU). The environment
             variable SHEAF_LIBRARY names another build of the engine.
    lanes    with threads: how many states each worker computes at once, 1, 4 or 8; 0: the engine chooses
    precision  with threads: "double", or "single": 1.4 to 1.7 times faster for robots of primitives, with 7 digits, for rollouts, forward and inverse dynamics
             and sampling without gradients. Results are doubles in either case. A server has it as a setting of its operator.
    token    the token that the server's operator gave you, if the server asks for one
    timeout  seconds that a call may take, its repetitions included; None: no limit, on a server none but the largest that it allows
             (an hour, if its operator set no other)
    retry    repeat calls on a new connection when the last was lost, and when the server says that it is busy, full or shutting
             down; False: a call raises its first failure. `sheaf.Retry` has the numbers. `connect`, `info`, `ping` and
             `models` fail at once if no server listens.
    tls_ca   for tls://: file of authorities (PEM), one of which signed the server's certificate; None: those of this system
    tls_certificate  files of a certificate and its key, for servers that identify clients by certificates
    tls      a context of the module ssl, instead of tls_ca and tls_certificate
    """
    timeout = seconds(timeout)
    if threads is not None:
        if address is not None:
            raise InvalidArgument("give an address or threads, not both", field="threads", expected="None", got=str(threads))
        from .embedded import Embedded
        return Session(Embedded(threads, lanes, timeout, precision))
    address = address or os.environ.get("SHEAF_ADDRESS")
    if not address:
        raise InvalidArgument("no address", field="address", expected="tcp://HOST:PORT, tls://HOST:PORT, unix:///PATH or threads=N",
                              got="None")
    _check_remote(address=(address, str), token=(token, (str, type(None))), retry=(retry, (bool, Retry)))
    for field, value, default in (("lanes", lanes, 0), ("precision", precision, "double")):
        if value != default:
            raise InvalidArgument("a server's operator sets this", field=field, expected=f"{default!r} with an address", got=repr(value))
    from .remote import Remote
    from .secure import context
    if tls is None and (tls_ca or tls_certificate):
        tls = context(tls_ca, tls_certificate)
    return Session(Remote(address, token=token, timeout=timeout, retry=retry, rules=tls))
