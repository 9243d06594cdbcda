#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""How soon does the server do what it must do at once? Prints a table of times and a rate.

    python bench/promptness.py [--times 200]

  deadline        requests of a minute of work with deadlines of 1 to 200 ms: how late the error comes. Each is of a model of
                  its own, because the server refuses what it knows to be impossible, and that is never late
  cancel          requests in work that are cancelled: until the worker is free, which is when the error comes
  ping in floods  of another client, beside 10,000 requests that are cancelled as soon as they are sent
  second SIGTERM  to a server that drains with work left: until its process has ended
  restart         of a server that was killed in the middle of work: until it answers a client
  crash report    from SIGSEGV until the process has ended, with its report in the log
  results         four clients that ask for 256 MiB of results again and again over TCP, together

Tests of these promises assert bounds that hold on a busy machine (tests/server/README.md); this is what a quiet one keeps. Needs what
the tests' client needs, and pytest, whose fixtures start servers. SHEAF_BUILD names the build, by default build/release.
"""
import argparse
import contextlib
import os
import signal
import sys
import tempfile
import threading
import time

import numpy as np

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "tests", "e2e"))
import wire                    # noqa: E402
from conftest import Server    # noqa: E402
from wire import pb            # noqa: E402

MODEL = b'<mujoco><worldbody><body><joint name="hinge" type="hinge" axis="0 1 0"/><geom size=".1" pos="0 0 -1"/></body></worldbody></mujoco>'
MINUTES = 10_000_000    # steps
CLIENTS, RESULT = 4, 256 << 20


def put(client, comment=""):
    reply, arrays = client.put("m.xml", {"m.xml": MODEL + f"<!--{comment}-->".encode()})
    return reply.hash, arrays["state0"].reshape(1, -1)


def begin(client, model, state, rows, steps, outputs=("final_state",), **options):
    message, data = wire.work(model, rows, {"state0": state}, outputs, **options)
    return client.send(pb.FRAME_ROLLOUT, pb.Rollout(work=message, nstep=steps), data)


def end(client, request):
    """The code of the error that a request ends with, and when."""
    try:
        client.wait(request)
    except wire.Failure as failure:
        return failure.code, time.monotonic()
    return None, time.monotonic()


def row(name, seconds, more=""):
    ms = 1e3 * np.asarray(seconds)
    print(f"| {name} | {len(ms)} | {np.median(ms):.1f} ms | {np.percentile(ms, 99):.1f} ms | {ms.max():.1f} ms | {more} |", flush=True)


def deadlines(server, times):
    client, late, done = wire.Client(server.address), [], 0
    for i in range(times):
        model, state = put(client, i)
        limit = 1e-3 * (1 + i % 200)
        began = time.monotonic()
        code, ended = end(client, begin(client, model, state, 8, MINUTES, timeout_us=round(1e6 * limit)))
        done += code != pb.CODE_DEADLINE_EXCEEDED
        late.append(ended - began - limit)
    row("deadline", late, f"{done} not refused")
    client.close()


def cancellations(server, times):
    client, other, took = wire.Client(server.address), wire.Client(server.address), []
    model, state = put(client)
    for _ in range(times):
        before = other.info().steps_total
        request = begin(client, model, state, 8, MINUTES)
        server.until(lambda: other.info().steps_total > before, 10)
        began = time.monotonic()
        client.send(pb.FRAME_CANCEL, pb.Cancel(request_id=request))
        code, ended = end(client, request)
        assert code == pb.CODE_CANCELLED
        took.append(ended - began)
    row("cancel", took)
    client.close()
    other.close()


def flood(server, times):
    client, other, took = wire.Client(server.address), wire.Client("unix://" + server.unix), []
    model, state = put(client)
    message, data = wire.work(model, 1, {"state0": state}, ["final_state"])
    control, ids, sent = pb.Rollout(work=message, nstep=MINUTES).SerializeToString(), [], 0
    before = other.info().steps_total
    for _ in range(max(1, times // 2)):
        stream = b""
        for _ in range(100):
            id_, sent = 1000 + 2 * sent, sent + 1
            cancel = pb.Cancel(request_id=id_).SerializeToString()
            stream += wire.HEADER.pack(b"SHF1", 1, 0, pb.FRAME_ROLLOUT, id_, len(control), 0, len(data)) + control + data
            stream += wire.HEADER.pack(b"SHF1", 1, 0, pb.FRAME_CANCEL, id_ + 1, len(cancel), 0, 0) + cancel
            ids += [id_, id_ + 1]
        client.socket.sendall(stream)
        began = time.monotonic()
        other.ping()
        took.append(time.monotonic() - began)
    for id_ in ids:
        end(client, id_)
    row("ping in floods", took, f"{(other.info().steps_total - before) / MINUTES:.2f} of {sent} requests computed")
    client.close()
    other.close()


@contextlib.contextmanager
def started(folder, in_work=False):
    """A server, which may have a request of minutes in work."""
    server = Server(folder)
    client = wire.Client(server.address)
    try:
        if in_work:
            begin(client, *put(client), 64, MINUTES)
            server.until(lambda: client.info().steps_total > 0, 10)
        yield server
    finally:
        client.close()
        server.process.kill()
        server.process.wait()


def second_term(folder):
    with started(folder, in_work=True) as server:
        server.terminate()
        server.until(lambda: "event=draining" in server.log(), 5)
        began = time.monotonic()
        server.terminate()
        assert server.wait() == 1    # and not 0, the end of a drain
        return time.monotonic() - began


def restart(folder):
    with started(folder, in_work=True):
        pass    # killed
    began = time.monotonic()
    with started(folder) as server:
        wire.Client(server.address).ping()
        return time.monotonic() - began


def crash(folder):
    with started(folder, in_work=True) as server:
        began = time.monotonic()
        server.process.send_signal(signal.SIGSEGV)
        server.wait()
        assert "event=crash signal=11" in server.log()
        return time.monotonic() - began


def results(server, seconds=5):
    got, over = [], time.monotonic() + seconds

    def ask():
        client, rows = wire.Client(server.address), 1024
        model, state = put(client)
        steps = RESULT // (8 * state.size * rows)
        while time.monotonic() < over:
            request = begin(client, model, state, rows, steps, ("state",))
            got.extend(len(frame[4]) for frame in client.frames(request))
        client.close()
    before, threads = time.monotonic(), [threading.Thread(target=ask) for _ in range(CLIENTS)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    took = time.monotonic() - before
    print(f"\nresults: {sum(got) / 1e6 / took:.0f} MB/s, {sum(got) >> 20} MiB; resident memory of the server {server.rss() >> 20} MiB", flush=True)


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--times", type=int, default=200)
    args = ap.parse_args()
    with tempfile.TemporaryDirectory() as tmp, tempfile.TemporaryDirectory() as other:
        print("| what | times | median | 99 % | worst | |\n|---|---|---|---|---|---|")
        with started(tmp) as server:
            for measure in (deadlines, cancellations, flood):
                measure(server, args.times)
            for name, measure in (("second SIGTERM", second_term), ("restart", restart), ("crash report", crash)):
                row(name, [measure(other) for _ in range(max(1, args.times // 20))])
            results(server)


if __name__ == "__main__":
    main()
