# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""A client whose machine vanishes. Run in a network namespace of its own:

    unshare -Urn python3 half_open.py SHEAF FOLDER MODEL.xml

prints the seconds from its end until the server's Unix socket tells that nothing is in flight.

The client has the address 127.0.0.2; a route that swallows what is sent there makes it vanish without a word.
"""
import os
import re
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "e2e"))
import numpy as np  # noqa: E402
from wire import Client, pb, work  # noqa: E402


def main(sheaf, folder, model, deadline=60):
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    log_path, path = os.path.join(folder, "half_open.log"), os.path.join(folder, "h.sock")
    with open(log_path, "w") as log:
        server = subprocess.Popen([sheaf, "serve", "--listen", "127.0.0.1:0", "--unix", path, "--peer-timeout", "2"],
                                  stderr=log)
    try:
        while "event=started" not in open(log_path).read():
            assert server.poll() is None, open(log_path).read()
            time.sleep(0.01)
        port = int(re.search(r"tcp://127.0.0.1:(\d+)", open(log_path).read()).group(1))
        watcher = Client("unix://" + path)
        client = Client(f"tcp://127.0.0.1:{port}", source="127.0.0.2")
        with open(model, "rb") as file:
            hash_ = client.put("m.xml", {"m.xml": file.read()})[0].hash
        message, data = work(hash_, 64, {"state0": np.zeros((1, 3))}, ["final_state"])
        client.send(pb.FRAME_ROLLOUT, pb.Rollout(work=message, nstep=10000000), data)
        while watcher.info().inflight != 1:
            time.sleep(0.01)
        subprocess.run(["ip", "route", "add", "blackhole", "127.0.0.2/32", "table", "local"], check=True)
        gone = time.monotonic()
        while watcher.info().inflight and time.monotonic() - gone < deadline:
            time.sleep(0.02)
        print(time.monotonic() - gone)
    finally:
        server.terminate()
        server.wait(10)


if __name__ == "__main__":
    main(*sys.argv[1:])
