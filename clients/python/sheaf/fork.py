# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Sessions after fork(): the child has their memory, but not their threads, and shares their sockets with its parent."""
from __future__ import annotations

import os
import weakref

from .errors import FailedPrecondition

_all: weakref.WeakSet[Forked] = weakref.WeakSet()


class Forked:
    """Base of the backends: notices that it is a copy in a child process after fork()."""
    forked = False

    def __init__(self):
        _all.add(self)

    def check_process(self) -> None:
        if self.forked:
            raise FailedPrecondition("this session was opened before fork() and belongs to the parent process; call sheaf.connect "
                                     "again in the child, or start it with multiprocessing's \"spawn\"")


def _mark() -> None:
    for session in list(_all):
        session.forked = True


os.register_at_fork(after_in_child=_mark)
