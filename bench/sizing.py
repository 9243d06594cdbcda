#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""What a server needs for a model: memory, bytes on the wire, and how much a core gets done.

    python bench/sizing.py [--server build/release/clients/cli/sheaf] [--rows 64] [--steps 100] [--seconds 2] MODEL.xml ...

For each model a server with one worker and a server with five get the same rollouts from random controls, over TCP.
Rates are work over the processor time of the server's process, not over time by the clock: they hold on a machine that is shared, and they
include what the server does around the engine. Memory of a worker is what each of four more adds to the resident memory after
the same work. Needs the Python package sheaf.
"""
import argparse
import os
import re
import subprocess
import tempfile
import time

import numpy as np

import sheaf

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
MORE = 4    # workers of the second server
TICK, PAGE = os.sysconf("SC_CLK_TCK"), os.sysconf("SC_PAGESIZE")


class Server:
    def __init__(self, program, threads, folder):
        log = os.path.join(folder, f"log{threads}")
        self.process = subprocess.Popen([program, "serve", "--listen", "127.0.0.1:0", "--threads", str(threads)],
                                        stderr=open(log, "w"))
        found = None
        while not found:
            time.sleep(0.02)
            with open(log) as file:
                found = re.search(r"address=(tcp://\S+)", file.read())
        self.address = found[1]

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.process.terminate()
        self.process.wait()

    def rss(self):
        with open(f"/proc/{self.process.pid}/statm") as file:
            return int(file.read().split()[1]) * PAGE

    def cpu(self):
        """Seconds of processor time, of all threads."""
        with open(f"/proc/{self.process.pid}/stat") as file:
            words = file.read().rsplit(")", 1)[1].split()
        return (int(words[11]) + int(words[12])) / TICK


def repeat(server, call, seconds):
    """(calls, seconds of the server's processor) of calls for at least so many of its seconds."""
    call()
    n, start = 0, server.cpu()
    while server.cpu() - start < seconds:
        call()
        n += 1
    return n, server.cpu() - start


def measure(program, path, args):
    rng = np.random.default_rng(0)
    out = {}
    with tempfile.TemporaryDirectory() as folder:
        for threads in (1, 1 + MORE):
            with Server(program, threads, folder) as server, sheaf.connect(server.address) as session:
                m = session.load(path)
                control = 0.2 * rng.uniform(-1, 1, (args.rows, args.steps, m.nu))
                call = lambda: m.rollout(m.state0, control)

                # few steps, so that what requests and results take is small beside the workers'
                short = np.tile(control[:, :4], (-(-8 * (1 + MORE) * 8 // args.rows), 1, 1))
                for _ in range(3 * (1 + MORE)):
                    m.rollout(m.state0, short)
                out[f"rss{threads}"] = server.rss()
                if threads == 1:
                    call()
                    before = session.info()
                    call()
                    after = session.info()
                    out.update({k: after[k + "_total"] - before[k + "_total"] for k in ("bytes_in", "bytes_out")})
                    out["model"] = after["model_bytes"]
                    n, cpu = repeat(server, call, args.seconds)
                    out["steps"] = n * args.rows * args.steps / cpu
                    one = control[:1, :1]
                    n, cpu = repeat(server, lambda: m.rollout(m.state0, one), args.seconds / 2)
                    out["requests"] = n / cpu
    return out


def scaled(n):
    """A number with two or three digits and a unit."""
    for unit in ("", "k", "M"):
        if n < 1000:
            return f"{n:.3g}{unit}" if n < 100 else f"{n:.0f}{unit}"
        n /= 1000
    return f"{n:.3g}G"


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--server", default=os.path.join(ROOT, "build/release/clients/cli/sheaf"))
    ap.add_argument("--rows", type=int, default=64)
    ap.add_argument("--steps", type=int, default=100)
    ap.add_argument("--seconds", type=float, default=2)
    ap.add_argument("models", nargs="+")
    args = ap.parse_args()
    print(f"| model | model memory | each worker | request of {args.rows} x {args.steps} steps | its result | steps per core and second |"
          " requests of one step per core and second |\n|---|---|---|---|---|---|---|")
    for path in args.models:
        r = measure(args.server, path, args)
        folder, name = os.path.split(os.path.abspath(path))
        print(f"| {os.path.basename(folder)}/{os.path.splitext(name)[0]} | {r['model'] / 2**20:.1f} MiB | "
              f"{max(0, r[f'rss{1 + MORE}'] - r['rss1']) / MORE / 2**20:.1f} MiB | {scaled(r['bytes_in'])}B | {scaled(r['bytes_out'])}B | "
              f"{scaled(r['steps'])} | {scaled(r['requests'])} |", flush=True)


if __name__ == "__main__":
    main()
