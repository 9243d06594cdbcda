# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""What the Python client adds to a call of one step: an ordinary and a prepared rollout beside the bare C call, and over a Unix socket
beside the same bytes sent and received by hand. All run in turn, several times; printed are medians in microseconds.

    python bench/calls.py MODEL.xml --build build/release
"""
import argparse
import os
import socket
import statistics
import struct
import subprocess
import tempfile
import time

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))


def median(call, seconds, clock=time.perf_counter):
    times, end = [], time.perf_counter() + seconds
    while time.perf_counter() < end:
        began = clock()
        call()
        times.append(clock() - began)
    return 1e6 * statistics.median(times)


def in_process(sheaf, args, folder):
    engine = os.path.join(args.build, "engine")
    bare = os.path.join(folder, "bare_calls")
    subprocess.run(["cc", "-std=gnu17", "-O2", os.path.join(HERE, "bare_calls.c"), "-o", bare, "-I" + os.path.join(HERE, "..", "engine", "include"),
                    os.path.join(engine, "libsheaf.so"), "-Wl,-rpath," + os.path.abspath(engine), "-lm"], check=True)
    with sheaf.connect(threads=1) as s:
        m = s.load(args.model)
        x, u, step = m.state0, np.zeros((1, 1, m.nu)), m.prepare()
        yield from turns(args, {
            "bare C call": lambda: float(subprocess.run([bare, args.model, "1", str(args.seconds)], capture_output=True, check=True).stdout),
            "prepared": lambda: median(lambda: step(x, u), args.seconds), "rollout": lambda: median(lambda: m.rollout(x, u), args.seconds)})


def by_hand(path, frame):
    """A connection after its Hello, and a function that sends a frame and receives the answer."""
    from sheaf import wire
    s = socket.socket(socket.AF_UNIX)
    s.connect(path)
    buffer, hello = memoryview(bytearray(1 << 20)), wire.M["Hello"](version=1).SerializeToString()

    def ask(data):
        s.sendall(data)
        n = s.recv_into(buffer)
        while True:
            while n < 32:
                n += s.recv_into(buffer[n:])
            control, _, rest = struct.unpack_from("<IIQ", buffer, 16)
            if n >= 32 + control + rest:
                return buffer[:n]
            n += s.recv_into(buffer[n:])
    ask(b"".join(bytes(v) for v in wire.frames(wire.TYPES["Hello"], 1, hello, [], 1)))
    wire.REQUEST_ID.pack_into(frame, wire.REQUEST_ID_AT, 2)
    assert ask(frame)[6:8].tobytes() == struct.pack("<H", wire.TYPES["Rollout"] | 0x8000)
    return lambda: ask(frame)


def over_a_socket(sheaf, args, folder):
    path = os.path.join(folder, "s")
    server = subprocess.Popen([os.path.join(args.build, "clients", "cli", "sheaf"), "serve", "--no-tcp", "--unix", path, "--threads", "1"],
                              stderr=subprocess.DEVNULL)
    try:
        while not os.path.exists(path):
            time.sleep(0.01)
        with sheaf.connect("unix://" + path) as s:
            m = s.load(args.model)
            x, u, step = m.state0, np.zeros((1, 1, m.nu)), m.prepare()
            step(x, u)
            bare = by_hand(path, bytearray(step._frame))
            ways = {"bytes by hand": bare, "prepared": lambda: step(x, u), "rollout": lambda: m.rollout(x, u)}
            for clock, unit in ((time.perf_counter, ""), (time.thread_time, ", processor time of the caller")):
                yield from turns(args, {name + unit: lambda way=way, clock=clock: median(way, args.seconds, clock) for name, way in ways.items()})
    finally:
        server.terminate()
        server.wait()


def turns(args, ways):
    """(name, median, what it adds to the first way), of the medians of all rounds."""
    rounds = [{name: way() for name, way in ways.items()} for _ in range(args.rounds)]
    first = next(iter(ways))
    for name in ways:
        yield name, statistics.median(r[name] for r in rounds), statistics.median(r[name] - r[first] for r in rounds)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model")
    parser.add_argument("--build", default="build/release")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=0.5, help="of each way in each round")
    args = parser.parse_args()
    os.environ.setdefault("SHEAF_LIBRARY", os.path.join(args.build, "engine", "libsheaf.so"))
    import sheaf
    print("| one step, one row | median, us | above the first, us |\n|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for where, rows in (("in process", in_process(sheaf, args, folder)), ("Unix socket", over_a_socket(sheaf, args, folder))):
            for name, value, above in rows:
                print(f"| {where}: {name} | {value:.1f} | {above:.1f} |", flush=True)


if __name__ == "__main__":
    main()
