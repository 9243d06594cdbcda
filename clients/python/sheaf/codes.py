# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Names of error codes, and of the status of rows."""
from __future__ import annotations

import enum


class Code(enum.IntEnum):
    """Codes of failed calls (`Error.code`): the numbers of gRPC."""
    OK = 0
    CANCELLED = 1
    INVALID_ARGUMENT = 3
    DEADLINE_EXCEEDED = 4
    NOT_FOUND = 5
    ALREADY_EXISTS = 6
    PERMISSION_DENIED = 7
    RESOURCE_EXHAUSTED = 8
    FAILED_PRECONDITION = 9
    OUT_OF_RANGE = 11
    UNIMPLEMENTED = 12
    INTERNAL = 13
    UNAVAILABLE = 14
    DATA_LOSS = 15
    UNAUTHENTICATED = 16


class Row(enum.IntEnum):
    """Why a row of a batch is not valid (`status` of results)."""
    OK = 0
    BADQPOS = 5        # a position is not finite, or too large, or a quaternion that was given is zero
    BADQVEL = 6        # a velocity
    BADQACC = 7        # an acceleration: the simulation diverged
    BADCTRL = 8        # a control
    ERROR = 100        # the engine could not compute this row
    CANCELLED = 101    # the call was stopped before it
    BADTIME = 102      # the time of the state is not a finite number

    @classmethod
    def name_of(cls, status: int) -> str:
        return cls(status).name if status in cls._value2member_map_ else str(int(status))
