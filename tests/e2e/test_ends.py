# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""What ends the work of a connection, and what does not: half a close, and cancellations from elsewhere."""
import socket

import numpy as np
import pytest
from wire import Client, Failure, pb, work


def begin(client, pendulum, steps=10**8):
    """Minutes of work."""
    model = client.put("m.xml", {"m.xml": pendulum})[0].hash
    message, data = work(model, 8, {"state0": np.zeros((8, 3))}, ["final_state"], timeout_us=10**9)
    return client.send(pb.FRAME_ROLLOUT, pb.Rollout(work=message, nstep=steps), data)


@pytest.mark.parametrize("where", ["tcp", "unix"])
def test_a_half_close_cancels(server, pendulum, where):
    """A process that ended looks the same as one that will not send any more, so nothing is computed for either."""
    client, watcher = Client(server.tcp if where == "tcp" else "unix://" + server.unix), Client(server.address)
    begin(client, pendulum)
    server.until(lambda: watcher.info().steps_total > 1000 and watcher.info().inflight == 1, 10)
    cancelled = watcher.info().cancelled_total
    client.socket.shutdown(socket.SHUT_WR)
    server.until(lambda: watcher.info().inflight == 0, 10)
    assert watcher.info().cancelled_total == cancelled + 1
    assert client.socket.recv(1) == b""
    client.close()
    watcher.close()


def test_no_connection_cancels_requests_of_another(server, pendulum):
    """Numbers of requests belong to their connection."""
    client, other = Client(server.address), Client(server.address)
    id_ = begin(client, pendulum)
    for number in range(id_ + 2):
        assert not other.ask(pb.FRAME_CANCEL, pb.Cancel(request_id=number))[0].found
    assert other.info().inflight == 1
    assert client.ask(pb.FRAME_CANCEL, pb.Cancel(request_id=id_))[0].found
    with pytest.raises(Failure, match="code 1"):
        client.wait(id_)
    client.close()
    other.close()
