# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""SHEAF_VALGRIND=1 runs the servers of any tests under memcheck; this one shows that it would say so."""
import subprocess

import pytest
from conftest import SLOW, VALGRIND
from wire import Client

if not VALGRIND:
    pytest.skip("only with SHEAF_VALGRIND=1", allow_module_level=True)


@pytest.mark.parametrize("what,says", [("lost", "definitely lost"), ("read", "Invalid read")])
def test_what_is_wrong_ends_a_server_with_status_99(start, what, says):
    server = start(SHEAF_KNOWN_ERROR=what)
    Client(server.address).close()
    server.terminate()
    assert server.process.wait(30 * SLOW) == 99
    assert says in server.log() and "begin" in server.log()


def test_a_server_without_errors_ends_well(start):
    server = start()
    Client(server.address).close()
    server.terminate()
    try:
        assert server.process.wait(30 * SLOW) == 0, server.log()
    except subprocess.TimeoutExpired:
        server.process.kill()
        raise
