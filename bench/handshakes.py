#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""How long does a light client wait while a crowd of others connects with TLS?

    python bench/handshakes.py [--server build/release/clients/cli/sheaf] [--clients 1000] [--rounds 4] [--realtime]

A client of an encrypted connection asks for one row of 10 steps of a pendulum every 2 ms. Meanwhile another process opens connections
all at once, then leaves them silent, or sends the first words of TLS on all of them at once and never answers, and at last closes
all of them at once. Prints median, 99th percentile and worst time of the light client in each phase, over all rounds.

The crowd's words were made before, so it needs little time; it must not be slowed down, or the server would seem better than
it is. The last column says how long the crowd needed to connect, to speak or to close. --realtime is for machines on which others
work, too: server and light client run with `chrt -f 10`, the crowd with `chrt -f 9`, above all ordinary processes.
"""
import argparse
import json
import os
import resource
import socket
import ssl
import subprocess
import sys
import tempfile
import time

import numpy as np

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "tests", "e2e"))
PENDULUM = b'<mujoco><worldbody><body><joint axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0 0 -1" size=".05"/></body></worldbody></mujoco>'
PHASE = 1.5    # seconds


def first_words():
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    try:
        ssl.create_default_context().wrap_bio(incoming, outgoing, server_hostname="localhost").do_handshake()
    except ssl.SSLWantReadError:
        pass
    return outgoing.read()


def crowd(port, count):
    """Lines on the standard input say what to do; for each, prints how long it took."""
    words, socks = first_words(), []
    print("ready", flush=True)
    for line in sys.stdin:
        began = time.monotonic()
        if line.strip() == "connect":
            for _ in range(count):
                socks.append(socket.socket())
                socks[-1].setblocking(False)
                socks[-1].connect_ex(("127.0.0.1", port))
        elif line.strip() == "speak":
            for s in socks:
                s.send(words)
        else:
            for s in socks:
                s.close()
            socks = []
        print(time.monotonic() - began, flush=True)


def light(port, pem):
    """For each line, which is the end of a phase as a time: the times of its requests."""
    import itertools
    from wire import Client, pb, work
    c = Client.__new__(Client)
    c.socket = ssl.create_default_context(cafile=pem).wrap_socket(socket.create_connection(("127.0.0.1", port)), server_hostname="localhost")
    c.ids, c.waiting, c.progress = itertools.count(1), {}, []
    c.ask(pb.FRAME_HELLO, pb.Hello(version=1, client="bench"))
    reply, tensors = c.put("m.xml", {"m.xml": PENDULUM})
    state = np.zeros((1, 3))
    print("ready", flush=True)
    for line in sys.stdin:
        times = []
        while time.monotonic() < float(line):
            message, data = work(reply.hash, 1, {"state0": state}, ["final_state"])
            began = time.perf_counter()
            c.wait(c.send(pb.FRAME_ROLLOUT, pb.Rollout(work=message, nstep=10), data))
            times.append(time.perf_counter() - began)
            time.sleep(0.002)
        print(json.dumps(times), flush=True)


def start(rank, *args):
    p = subprocess.Popen([*rank, sys.executable, os.path.abspath(__file__), *map(str, args)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                         text=True, bufsize=1)
    assert p.stdout.readline().strip() == "ready"
    return p


def tell(process, line):
    process.stdin.write(f"{line}\n")
    process.stdin.flush()


def measure(port, pem, count, rounds, realtime):
    a, b = (["chrt", "-f", "10"], ["chrt", "-f", "9"]) if realtime else ([], [])
    client, others = start(a, "--light", port, pem), start(b, "--crowd", port, count)
    phases = ("alone", "connect", "silent", "speak", "close")
    times, took = {p: [] for p in phases}, {p: [] for p in phases}
    for _ in range(rounds):
        for phase in phases:
            tell(client, time.monotonic() + PHASE)
            time.sleep(0.05)
            if phase in ("connect", "speak", "close"):
                tell(others, phase)
                took[phase].append(float(others.stdout.readline()))
            times[phase] += json.loads(client.stdout.readline())
    print(f"| {count} others | median | 99 % | worst | the others needed |\n|---|---|---|---|---|")
    for phase in phases:
        p50, p99 = np.percentile(times[phase], [50, 99])
        need = f"{1e3 * np.median(took[phase]):.0f} ms" if took[phase] else ""
        print(f"| {phase} | {1e3 * p50:.2f} ms | {1e3 * p99:.2f} ms | {1e3 * max(times[phase]):.2f} ms | {need} |")
    for p in (client, others):
        p.stdin.close()
        p.wait()


def main():
    if sys.argv[1:2] == ["--crowd"]:
        return crowd(int(sys.argv[2]), int(sys.argv[3]))
    if sys.argv[1:2] == ["--light"]:
        return light(int(sys.argv[2]), sys.argv[3])
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--server", default=os.path.join(ROOT, "build/release/clients/cli/sheaf"))
    ap.add_argument("--clients", type=int, default=1000)
    ap.add_argument("--rounds", type=int, default=4)
    ap.add_argument("--realtime", action="store_true")
    args = ap.parse_args()
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    with tempfile.TemporaryDirectory() as tmp:
        log, pem, key = (os.path.join(tmp, name) for name in ("log", "pem", "key"))
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", key, "-out", pem,
                        "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"], check=True, capture_output=True)
        rank = ["chrt", "-f", "10"] if args.realtime else []
        with open(log, "w") as file:
            server = subprocess.Popen([*rank, args.server, "serve", "--listen", "127.0.0.1:0", "--tls-certificate", pem, "--tls-key", key,
                                       "--max-connections", str(args.clients + 10)], stderr=file)
        try:
            while "event=started" not in open(log).read():
                time.sleep(0.05)
            address = next(w for w in open(log).read().split() if w.startswith("address=tls"))
            measure(int(address.rsplit(":", 1)[1]), pem, args.clients, args.rounds, args.realtime)
        finally:
            server.terminate()
            server.wait()


main()
