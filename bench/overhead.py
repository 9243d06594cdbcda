#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""What a server adds to the same work in this process: the same calls of the Python client, in turn.

    python bench/overhead.py [--server build/release/clients/cli/sheaf] [--threads 1] [--starts 5] [--seconds 6] [--in-a-row 6]
                             [--model MODEL.xml] [--only OUTPUT ...] [--work 1 20] [--transport unix tcp] [--free]

Sizes batches of rollouts so that they take about 1 ms and 20 ms in process, then measures both ways in turn (A B, B A, A B, ...) over
a Unix socket and over TCP. In its turn each way makes some calls in a row, as a program does that uses it, and the median of these
counts: the workers of the two ways have data of their own, which a single call would find out of the cache. Workers of either way
have the same processors, because those of a shared machine differ (`--free`: those that the system gives them).

The overhead is the median of one time over the other, turn beside turn, so that a machine that is slow for a while is slow for both.
Where in memory the data of two pools of workers lie makes one of them faster for as long as they live, by a few percent, and a shared
machine moves from start to start by more. So all is done again with a new server and a new pool (`--starts`). Printed is the median of
the starts, and in brackets the two of them between which the median of any number of starts lies with a probability of 94 % or more:
of five the least and the most, of a hundred the 41st and the 60th. A run decides about a bound that is not between them.
`MB` is what travels, inputs and results. Below the table stands what it costs processors to move a
megabyte through a socket of the system and nothing else: what a server cannot avoid on TCP.

`wake-ups` is what the system takes of it, by a control without Python, engine or server (wakeups.c): as many threads do arithmetic
for as long, here and in another process that sleeps as a server does, which gets one byte and sends one back. Needs the Python
package sheaf, with the engine, and a C compiler.
"""
import argparse
import math
import os
import resource
import socket
import statistics
import subprocess
import tempfile
import threading
import time

import numpy as np

import sheaf

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PORT = 17447
ALL = sorted(os.sched_getaffinity(0))
NAMES = {"unix": "Unix socket", "tcp": "TCP"}


def once(model, state, control, only):
    start = time.perf_counter()
    model.rollout(state, control, outputs=only, only=bool(only))
    return time.perf_counter() - start


def turn(model, control, calls, only):
    return statistics.median(once(model, model.state0, control, only) for _ in range(calls))


def megabytes(model, control, only):
    r = model.rollout(model.state0, control, outputs=only, only=bool(only))
    arrays = list(r.outputs.values()) if only else [r.state, r.sensordata, r.final_warmstart]
    return (control.nbytes + sum(a.nbytes for a in arrays)) / 1e6


def moving_a_megabyte(size):
    """Microseconds of processor time, of sender and receiver together, for a MB sent over TCP on this host in messages of `size` bytes."""
    with socket.create_server(("127.0.0.1", 0)) as door:
        sender = socket.create_connection(door.getsockname())
        receiver, _ = door.accept()
    data, room, count = bytes(size), memoryview(bytearray(size)), max(40, (200 << 20) // size)

    def send():
        for _ in range(count):
            sender.sendall(data)

    def spent():
        r = resource.getrusage(resource.RUSAGE_SELF)
        return r.ru_utime + r.ru_stime
    with sender, receiver:
        before, thread = spent(), threading.Thread(target=send)
        thread.start()
        for _ in range(count):
            left = size
            while left:
                left -= receiver.recv_into(room[:left], left, socket.MSG_WAITALL)
        thread.join()
        return 1e6 * (spent() - before) / (count * size / 1e6)


def build_control(folder):
    """The program of wakeups.c."""
    program = os.path.join(folder, "wakeups")
    source = os.path.join(ROOT, "bench", "wakeups.c")
    subprocess.run([os.environ.get("CC", "cc"), "-O2", "-o", program, source, "-lpthread"], check=True)
    return program


def waking_up(control, threads, seconds):
    """Microseconds that the same work takes longer if another process does it, which only sleeps, wakes up and answers."""
    work = 1e6 * min(seconds, 0.002)    # sleep of 2 ms is as deep as of 20, and others disturb it less
    told = subprocess.run([control, str(threads), str(work), "40"], check=True, capture_output=True, text=True).stdout
    return float(told.split()[2])


def work_of(model, seconds, only, threads):
    """Controls of rollouts that take about this long: 100 steps and as many rows as needed, or 8 rows of fewer steps."""
    rng = np.random.default_rng(0)
    whole = 8 * threads    # rows of which all workers get equally many groups; otherwise the last one of these decides

    def control(steps):
        rows = max(8, round(steps / 100))
        if rows > whole:
            rows -= rows % whole
        return rng.uniform(-0.2, 0.2, (rows, max(1, round(steps / rows)), model.nu))

    # total steps, corrected by the least of several runs until it fits
    steps = 800
    for _ in range(12):
        work = control(steps)
        took = min(once(model, model.state0, work, only) for _ in range(9))
        if 0.9 < took / seconds < 1.1:
            break
        steps = max(8, steps * min(8, seconds / took))
    return work


def spent(process):
    """Nanoseconds that each thread of a process has had a processor; of this one, without the thread that asks."""
    times = {}
    for thread in map(int, os.listdir(f"/proc/{process}/task")):
        with open(f"/proc/{process}/task/{thread}/schedstat") as f:
            times[thread] = int(f.read().split()[0])
    times.pop(os.getpid(), None)
    return times


def loop_threads(process):
    """The two threads that run a server's loop in turns, of which the one that does also computes; none in this process."""
    threads = set()
    for thread in map(int, os.listdir(f"/proc/{process}/task")):
        with open(f"/proc/{process}/task/{thread}/comm") as f:
            if f.read().strip() == "loop":
                threads |= {thread, process}
    return threads


def place_workers(process, n, call):
    """Put each thread that computes, one of the n that calls keep busiest, on a processor of its own, the last ones first."""
    before = spent(process)
    call()
    after = spent(process)
    turns = loop_threads(process)
    busy = sorted(after, key=lambda thread: after[thread] - before.get(thread, 0), reverse=True)
    one_of_turns = next((thread for thread in busy if thread in turns), None)
    busy = [thread for thread in busy if thread not in turns or thread == one_of_turns][:n]
    for k, thread in enumerate(sorted(busy)):
        for each in turns if thread in turns else {thread}:
            os.sched_setaffinity(each, {ALL[-1 - k % len(ALL)]})


def ratios(local, remote, control, args, seconds):
    """Times of turns beside each other, in process and through the server, for so many seconds."""
    end, times, ways = time.monotonic() + seconds, [], [local, remote]
    while not times or time.monotonic() < end:
        took = {way: turn(way, control, args.in_a_row, args.only) for way in ways}
        times.append((took[local], took[remote]))
        ways.reverse()
    return np.array(times)


class Start:
    """A server and a pool of this process, both new."""

    def __init__(self, args, folder):
        path = os.path.join(folder, "s")
        self.addresses = {"unix": f"unix://{path}", "tcp": f"tcp://127.0.0.1:{PORT}"}
        self.server = subprocess.Popen([args.server, "serve", "--unix", path, "--listen", f"127.0.0.1:{PORT}", "--threads",
                                         str(args.threads)], stderr=subprocess.DEVNULL)
        while not os.path.exists(path):
            time.sleep(0.05)
        self._here = sheaf.connect(threads=args.threads)
        self.local = self._here.load(args.model)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._here.close()
        self.server.terminate()
        self.server.wait()


def measure(args, folder, controls):
    """Times by work and transport, of each start."""
    times = {}
    for _ in range(args.starts):
        with Start(args, folder) as start:
            for ms, control in controls.items():
                for transport in args.transport:
                    with sheaf.connect(start.addresses[transport]) as there:
                        remote = there.load(args.model)
                        for way, process in ((start.local, os.getpid()), (remote, start.server.pid)):
                            turn(way, control, 2, args.only)    # what is made by the first calls is no overhead
                            if not args.free:
                                place_workers(process, args.threads, lambda: turn(way, control, 20, args.only))
                        each = ratios(start.local, remote, control, args, args.seconds / args.starts)
                        times.setdefault((ms, transport), []).append(each)
    return times


def bounds_of_median(ordered):
    """The two of these figures between which the median of any number of them lies with a probability of 93.75 % or more."""
    n, left, below = len(ordered), 0, 0.0
    while left < n // 2 and (below := below + math.comb(n, left) / 2 ** n) <= 1 / 32:
        left += 1
    left = max(left - 1, 0)
    return ordered[left], ordered[n - 1 - left]


def row(ms, control, size, transport, starts, wakes):
    """A row of the table; starts: arrays of times, in process and through the server."""
    here, there = (1e3 * np.median(np.concatenate(starts)[:, k]) for k in (0, 1))
    over = sorted(100 * (np.median(t[:, 1] / t[:, 0]) - 1) for t in starts)
    least, most = bounds_of_median(over)
    more = 1e6 * statistics.median(np.median(t[:, 1] - t[:, 0]) for t in starts)
    shape = "x".join(str(n) for n in control.shape[:2])
    return (f"| {ms:g} ms ({shape}) | {size:.2f} | {here:.2f} ms | {NAMES[transport]} | {there:.2f} ms | "
            f"{statistics.median(over):.1f} % ({least:.1f} to {most:.1f}), {more:.0f} us | {wakes:.0f} us, {0.1 * wakes / ms:.1f} % |")


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--server", default=os.path.join(ROOT, "build/release/clients/cli/sheaf"))
    ap.add_argument("--threads", type=int, default=1)
    ap.add_argument("--starts", type=int, default=5)
    ap.add_argument("--seconds", type=float, default=6, help="for each row of the table, all starts together")
    ap.add_argument("--in-a-row", type=int, default=6)
    ap.add_argument("--model", default=os.path.join(ROOT, "deploy/demo/quadruped.xml"))
    ap.add_argument("--only", nargs="*", default=(), help="results that are wanted; default: those of every rollout")
    ap.add_argument("--free", action="store_true", help="workers run where the system puts them")
    ap.add_argument("--work", nargs="+", type=float, default=(1, 20), help="milliseconds in process")
    ap.add_argument("--transport", nargs="+", choices=sorted(NAMES), default=("unix", "tcp"))
    args = ap.parse_args()

    with tempfile.TemporaryDirectory() as tmp:
        program = build_control(tmp)
        with sheaf.connect(threads=args.threads) as here:
            model = here.load(args.model)
            controls = {ms: work_of(model, 1e-3 * ms, args.only, args.threads) for ms in args.work}
            sizes = {ms: megabytes(model, control, args.only) for ms, control in controls.items()}
        wakes = {ms: waking_up(program, args.threads, 1e-3 * ms) for ms in args.work}
        print("| work | MB | in process | transport | through the server | overhead | wake-ups |\n|---|---|---|---|---|---|---|")
        for (ms, transport), starts in measure(args, tmp, controls).items():
            print(row(ms, controls[ms], sizes[ms], transport, starts, wakes[ms]), flush=True)
    for size in (1 << 16, 1 << 20) if "tcp" in args.transport else ():
        print(f"a MB over TCP in messages of {size >> 10} KiB: {moving_a_megabyte(size):.0f} us of processor time")


if __name__ == "__main__":
    main()
