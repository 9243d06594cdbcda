# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""The same bits on processors that lack instructions: servers whose engine takes this machine for one without AVX-512, or without AVX2."""
import os
import re

import numpy as np
import pytest
from conftest import BUILD, ROOT
from wire import Client, pb, rollout, work

LEVELS = {"1": "lanes 1", "3": "lanes 1 4"}
with open(os.path.join(BUILD, "CMakeCache.txt")) as cache:
    if re.search(r"^(SHEAF_CLANG|CMAKE_C_COMPILER):\w+=/.*clang", cache.read(), re.M):    # which puts eight lanes into two registers
        LEVELS["3"] += " 8"


def answers(server):
    """Bytes of results of every kind of computation, with models of contacts, muscles, tendons and meshes."""
    client, out = Client(server.address), []
    for name in ("walker", "stack", "arm", "limb"):
        with open(os.path.join(ROOT, "tests", "golden", "models", name + ".xml"), "rb") as file:
            info = client.put("m.xml", {"m.xml": file.read()})[0]
        rng = np.random.default_rng(0)
        control = {"control": rng.uniform(-1, 1, (19, 60, info.nu))} if info.nu else {}
        start = client.ask(pb.FRAME_MODEL_INFO, pb.ModelInfo(hash=info.hash))
        first = np.frombuffer(start[1], np.float64, info.nstate, next(t.offset for t in start[0].tensors if t.name == "state0"))
        got = rollout(client, info.hash, 19, 60, {"state0": first[np.newaxis], **control}, ["state", "sensordata", "qacc"])
        out += [got[key].tobytes() for key in sorted(got)]
        message, data = work(info.hash, 5, {"state": np.ascontiguousarray(got["state"][:5, -1])})
        got = client.compute(pb.FRAME_TRANSITION_FD, pb.TransitionFD(work=message), data)
        out += [got[key].tobytes() for key in sorted(got)]
    client.close()
    return out


@pytest.mark.parametrize("level", sorted(LEVELS))
def test_results_do_not_depend_on_the_instructions_of_the_processor(start, level):
    folder = os.path.join(BUILD, "tests", "e2e", "level_" + level)
    if not os.path.isdir(folder):
        pytest.skip("no such library in this build")
    want = answers(start())
    other = start(LD_LIBRARY_PATH=folder)
    assert LEVELS[level] + '"' in other.log()
    got = answers(other)
    assert len(got) >= 12 and got == want
