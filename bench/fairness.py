#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""How long does a light client wait beside a heavy one, and do equal clients get equal shares?

    python bench/fairness.py MODEL.xml [--server build/release/clients/cli/sheaf] [--threads N] [--seconds 10]

For heavy clients that keep 16 requests of 64 rows of 1,000 or of 10,000 steps in flight, or of one row of a million, and for one of
high priority, measures a light one that asks for one row of 10 steps 50 times a second: its median, 99th percentile and worst
time, alone and beside the heavy one. Then four clients that do the same for a while: the index of Jain of their steps, 1 when
all got the same. Clients are processes of their own, over TCP; a second set of rows is measured over a Unix socket, where all
of them are one identity. The client is that of the server's tests.
"""
import argparse
import os
import subprocess
import sys
import tempfile
import time

import numpy as np

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "tests", "e2e"))
from wire import Client, pb, work    # noqa: E402

HEAVY = [(64, 1000, 0), (64, 10000, 0), (1, 1000000, 0), (64, 10000, 1)]


def connect(address, path):
    """A client and what it needs for requests: the model's hash and initial state."""
    c = Client(address, timeout=120)
    with open(path, "rb") as file:
        folder = os.path.join(os.path.dirname(path), "common")
        files = {os.path.basename(path): file.read()}
    for name in os.listdir(folder) if os.path.isdir(folder) else []:
        with open(os.path.join(folder, name), "rb") as file:
            files["common/" + name] = file.read()
    reply, tensors = c.put(os.path.basename(path), files)
    return c, reply.hash, tensors["state0"].reshape(1, -1)


def ask(client, model, state, rows, steps, **options):
    message, data = work(model, rows, {"state0": state}, ["final_state"], **options)
    return client.send(pb.FRAME_ROLLOUT, pb.Rollout(work=message, nstep=steps), data)


def heavy(address, path, rows, steps, jobs, seconds, priority):
    """Keep requests in flight for a while; prints how many steps were answered."""
    c, model, state = connect(address, path)
    ids, done = [ask(c, model, state, rows, steps, priority=priority, timeout_us=10**9) for _ in range(jobs)], 0
    print("ready", flush=True)
    end = time.monotonic() + seconds
    c.socket.settimeout(0.05)
    while time.monotonic() < end:
        try:
            c.waiting.setdefault(ids[0], [])
            _, flags, request, _, _ = frame = c.frame()
        except TimeoutError:
            continue
        assert frame[0] != pb.FRAME_ERROR, frame
        if not flags & 1:
            ids.remove(request)
            done += rows * steps
            c.socket.settimeout(10)
            ids.append(ask(c, model, state, rows, steps, priority=priority, timeout_us=10**9))
            c.socket.settimeout(0.05)
    print(done, flush=True)


def start(*args):
    p = subprocess.Popen([sys.executable, os.path.abspath(__file__), "--heavy", *map(str, args)], stdout=subprocess.PIPE, text=True)
    assert p.stdout.readline().strip() == "ready"
    return p


def light(client, model, state, seconds):
    """Times of requests, sorted, in seconds."""
    times, end = [], time.monotonic() + seconds
    while time.monotonic() < end:
        began = time.perf_counter()
        client.wait(ask(client, model, state, 1, 10))
        times.append(time.perf_counter() - began)
        time.sleep(max(0, 0.02 - times[-1]))
    return np.sort(times)


def row(name, t, alone=None):
    p50, p99 = np.percentile(t, [50, 99])
    wait = f"{1e3 * (p99 - np.median(alone)):.1f} ms" if alone is not None else ""
    print(f"| {name} | {1e3 * p50:.2f} ms | {1e3 * p99:.2f} ms | {1e3 * t[-1]:.2f} ms | {wait} |", flush=True)


def measure(address, path, seconds, where):
    c = connect(address, path)
    alone = light(*c, seconds / 2)
    row(f"{where}, alone", alone)
    for rows, steps, priority in HEAVY:
        p = start(address, path, rows, steps, 16, seconds + 1, priority)
        row(f"{where}, beside 16 x {rows} rows of {steps} steps" + priority * ", high priority", light(*c, seconds), alone)
        p.wait()
    c[0].close()


def main():
    if sys.argv[1:2] == ["--heavy"]:
        address, path, rows, steps, jobs, seconds, priority = sys.argv[2:]
        return heavy(address, path, int(rows), int(steps), int(jobs), float(seconds), int(priority))
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("model")
    ap.add_argument("--server", default=os.path.join(ROOT, "build/release/clients/cli/sheaf"))
    ap.add_argument("--threads", type=int, default=0)
    ap.add_argument("--seconds", type=float, default=10)
    args = ap.parse_args()
    with tempfile.TemporaryDirectory() as tmp:
        log, path = os.path.join(tmp, "log"), os.path.join(tmp, "s")
        with open(log, "w") as file:
            server = subprocess.Popen([args.server, "serve", "--listen", "127.0.0.1:0", "--unix", path, "--threads", str(args.threads)],
                                      stderr=file)
        try:
            while "event=started" not in open(log).read():
                time.sleep(0.05)
            address = next(w[8:] for w in open(log).read().split() if w.startswith("address=tcp"))
            print("| light client | median | 99 % | worst | 99 % beyond its own work |\n|---|---|---|---|---|")
            measure(address, args.model, args.seconds, "TCP")
            measure("unix://" + path, args.model, args.seconds, "Unix socket")
            clients = [start(address, args.model, 64, 100, 4, args.seconds, 0) for _ in range(4)]
            done = np.array([int(p.communicate()[0].split()[-1]) for p in clients], float)
            print(f"\nfour equal clients: {np.round(done / done.mean(), 3)} of the mean, index {done.sum() ** 2 / 4 / (done ** 2).sum():.4f}")
        finally:
            server.terminate()
            server.wait()


main()
