# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Errors of calls, by code. The codes are the numbers of gRPC, as in proto/README.md."""
from __future__ import annotations


class Error(Exception):
    """A call failed. `field`, `expected` and `got` say which argument was wrong, if one was. `retriable` says that the same call
    may succeed later, after `retry_after` seconds if that is known."""
    code = 2

    def __init__(self, message: str, field: str = "", expected: str = "", got: str = "", retry_after: float = 0.0,
                 retriable: bool = False):
        super().__init__(message)
        self.message, self.field, self.expected, self.got = message, field, expected, got
        self.retry_after, self.retriable = retry_after, retriable

    def __str__(self) -> str:
        text = f"{self.field}: {self.message}" if self.field and not self.message.startswith(self.field) else self.message
        if self.expected and self.expected not in text:
            text += f" (expected {self.expected}, got {self.got})"
        return text


class Cancelled(Error):
    code = 1


class InvalidArgument(Error, ValueError):
    code = 3


class DeadlineExceeded(Error, TimeoutError):
    code = 4


class NotFound(Error):
    code = 5


class ResourceExhausted(Error):
    code = 8


class FailedPrecondition(Error):
    code = 9


class Unimplemented(Error):
    code = 12


class Internal(Error):
    code = 13


class Unavailable(Error, ConnectionError):
    code = 14


class DataLoss(Error):
    code = 15


class Unauthenticated(Error):
    code = 16


_BY_CODE = {c.code: c for c in Error.__subclasses__()}


def make(code: int, message: str, **kw) -> Error:
    """The error class for a code."""
    return _BY_CODE.get(code, Error)(message, **kw)


def received(e) -> Error:
    """The error that a message of the server tells."""
    return make(e.code, e.message, field=e.field, expected=e.expected, got=e.got, retry_after=e.retry_after_us * 1e-6,
                retriable=e.retriable)
