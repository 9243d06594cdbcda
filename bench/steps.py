#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Counts what the Python client does for a call: steps of the interpreter, and calls of functions in Python and C.

    python bench/steps.py [--server build/release/clients/cli/sheaf] [--model MODEL.xml] [--most 10]

The call is overhead.py's of 1 ms. Other than times, these numbers do not depend on what else the machine does. --most lists the
functions that take most steps. Needs the Python package sheaf, with the engine.
"""
import argparse
import collections
import os
import subprocess
import sys
import tempfile
import time

import numpy as np

import sheaf

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def count(call):
    """Steps by function, and the numbers of calls in Python and in C."""
    steps, python, c = collections.Counter(), 0, 0

    def trace(frame, event, _):
        nonlocal python
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        python += event == "call"
        if event == "opcode":
            steps[os.path.basename(frame.f_code.co_filename), frame.f_code.co_name] += 1
        return trace

    def profile(_, event, __):
        nonlocal c
        c += event == "c_call"
    for begin, hook in ((sys.settrace, trace), (sys.setprofile, profile)):
        begin(hook)
        call()
        begin(None)
    return steps, python, c


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--server", default=os.path.join(ROOT, "build/release/clients/cli/sheaf"))
    ap.add_argument("--model", default=os.path.join(ROOT, "deploy/demo/quadruped.xml"))
    ap.add_argument("--most", type=int, default=0)
    args = ap.parse_args()
    with tempfile.TemporaryDirectory() as tmp:
        path, port = os.path.join(tmp, "s"), 17448
        server = subprocess.Popen([args.server, "serve", "--unix", path, "--listen", f"127.0.0.1:{port}", "--threads", "1"], stderr=subprocess.DEVNULL)
        try:
            while not os.path.exists(path):
                time.sleep(0.05)
            print("| call | steps | calls in Python | calls in C |\n|---|---|---|---|")
            for name, address in (("in process", None), ("Unix socket", f"unix://{path}"), ("TCP", f"tcp://127.0.0.1:{port}")):
                with sheaf.connect(address) if address else sheaf.connect(threads=1) as s:
                    model = s.load(args.model)
                    control = np.zeros((8, 60, model.nu))
                    for _ in range(5):
                        model.rollout(model.state0, control)
                    steps, python, c = count(lambda: model.rollout(model.state0, control))
                print(f"| {name} | {sum(steps.values())} | {python} | {c} |")
                for (file, function), n in steps.most_common(args.most):
                    print(f"    {n:5} {file} {function}")
        finally:
            server.terminate()
            server.wait()


if __name__ == "__main__":
    main()
