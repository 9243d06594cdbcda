#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""What a server adds to the same work in this process: the same calls of the Python client, in turn.

    python bench/overhead.py [--server build/release/clients/cli/sheaf] [--threads 1] [--rounds 60] [--in-a-row 8]
                             [--model MODEL.xml] [--only OUTPUT ...]

Sizes batches of rollouts so that they take about 1 ms and 20 ms in process, then measures both ways in turn (A B A B ...) over
a Unix socket and over TCP. In its turn each way makes some calls in a row, as a program does that uses it, and the median of
these counts: the workers of the two ways have data of their own, which a single call would find out of the cache. Printed are
medians of the turns; the overhead is the median over the rounds of one time over the other, so that a machine that is slow for
a while is slow for both. `MB` is what travels, inputs and results. Below the table stands what it costs processors to move a
megabyte through a socket of the system and nothing else: what a server cannot avoid on TCP.

`wake-ups` is what the system takes of it, by a control without Python, engine or server (wakeups.c): as many threads do arithmetic
for as long, here and in another process that sleeps as a server does, which gets one byte and sends one back. Needs the Python
package sheaf, with the engine, and a C compiler.
"""
import argparse
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


def work_of(model, seconds, only):
    """Controls of rollouts that take about this long: 100 steps and as many rows as needed, or 8 rows of fewer steps."""
    rng = np.random.default_rng(0)

    def control(steps):
        rows = max(8, round(steps / 100))
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


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--server", default=os.path.join(ROOT, "build/release/clients/cli/sheaf"))
    ap.add_argument("--threads", type=int, default=1)
    ap.add_argument("--rounds", type=int, default=60)
    ap.add_argument("--in-a-row", type=int, default=8)
    ap.add_argument("--model", default=os.path.join(ROOT, "deploy/demo/quadruped.xml"))
    ap.add_argument("--only", nargs="*", default=(), help="results that are wanted; default: those of every rollout")
    args = ap.parse_args()

    with tempfile.TemporaryDirectory() as tmp:
        path, port, program = os.path.join(tmp, "s"), 17447, build_control(tmp)
        server = subprocess.Popen([args.server, "serve", "--unix", path, "--listen", f"127.0.0.1:{port}", "--threads",
                                   str(args.threads)], stderr=subprocess.DEVNULL)
        try:
            while not os.path.exists(path):
                time.sleep(0.05)
            print("| work | MB | in process | transport | through the server | overhead | wake-ups |\n|---|---|---|---|---|---|---|")
            with sheaf.connect(threads=args.threads) as here:
                local = here.load(args.model)
                for seconds in (0.001, 0.020):
                    control = work_of(local, seconds, args.only)
                    size, wakes = megabytes(local, control, args.only), waking_up(program, args.threads, seconds)
                    for name, address in (("Unix socket", f"unix://{path}"), ("TCP", f"tcp://127.0.0.1:{port}")):
                        with sheaf.connect(address) as there:
                            remote = there.load(args.model)
                            a, b = [], []
                            for _ in range(args.rounds):
                                a.append(turn(local, control, args.in_a_row, args.only))
                                b.append(turn(remote, control, args.in_a_row, args.only))
                        x, y = statistics.median(a), statistics.median(b)
                        over = statistics.median(q / p for p, q in zip(a, b)) - 1
                        shape = "x".join(str(n) for n in control.shape[:2])
                        print(f"| {seconds * 1e3:g} ms ({shape}) | {size:.2f} | {x * 1e3:.2f} ms | {name} | {y * 1e3:.2f} ms | "
                              f"{100 * over:.1f} % | {wakes:.0f} us, {1e-4 * wakes / seconds:.1f} % |", flush=True)
            for size in (1 << 16, 1 << 20):
                print(f"a MB over TCP in messages of {size >> 10} KiB: {moving_a_megabyte(size):.0f} us of processor time")
        finally:
            server.terminate()
            server.wait()


if __name__ == "__main__":
    main()
