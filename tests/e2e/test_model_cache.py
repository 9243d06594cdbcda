# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""A cache that is too small for the models of many clients. The nightly tests run this file with a server under ThreadSanitizer, too."""
import os
import re
import threading
import time
import urllib.request

import numpy as np
import pytest
from conftest import PENDULUM, SLOW
from wire import Client, Failure, pb, put_message, rollout

CLIENTS, MODELS, CACHE, MODEL = 8, 60, 1 << 20, 64 << 10    # at most so many bytes of a model
SECONDS = float(os.environ.get("TEST_SECONDS", "3"))
CONTROL = np.linspace(-1, 1, 40).reshape(4, 10, 1)


def text(k):
    """Models that differ in their results."""
    return PENDULUM.replace(b'damping="0.1"', b'damping="%.3f"' % (0.1 + 0.01 * k))


def compute(client, hash_):
    return rollout(client, hash_, 4, 10, {"state0": np.zeros((1, 3)), "control": CONTROL})["state"].tobytes()


def at_once(n, run):
    """run(i) in n threads that begin together; what went wrong in any of them."""
    wrong, gate = [], threading.Barrier(n)

    def guarded(i):
        gate.wait()
        try:
            run(i)
        except Exception as e:
            wrong.append(e)

    threads = [threading.Thread(target=guarded, args=(i,)) for i in range(n)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return wrong


@pytest.fixture
def crowded(start):
    return start("--model-cache", "1", "--log-rate", "0", "--log-requests", "60", threads=3)


def test_many_clients_share_a_cache_that_is_too_small(crowded, gauges):
    """Each answer has the bits of the first, whether the model was there or had to be put again; the cache keeps its limit."""
    first = Client(crowded.address)
    hashes = [first.put("m.xml", {"m.xml": text(k)})[0].hash for k in range(MODELS)]
    want = []
    for k, hash_ in enumerate(hashes):
        first.put("m.xml", {"m.xml": text(k)})
        want.append(compute(first, hash_))
    assert len(set(want)) == MODELS
    counts, lock, most = [0, 0], threading.Lock(), []
    end = time.monotonic() + SECONDS * SLOW

    def use(i):
        rng, client, hits, misses = np.random.default_rng(i), Client(crowded.address), 0, 0
        while time.monotonic() < end:
            k = min(int(rng.zipf(1.3)), MODELS) - 1
            if rng.integers(50) == 0:
                client.close()
                client = Client(crowded.address)
            try:
                got = compute(client, hashes[k])
                hits += 1
            except Failure as e:
                assert e.code == pb.CODE_NOT_FOUND, e
                client.put("m.xml", {"m.xml": text(k)})
                misses += 1
                continue
            assert got == want[k], k
        client.close()
        with lock:
            counts[0] += hits
            counts[1] += misses

    watching = threading.Thread(target=lambda: [most.append(first.info().model_bytes) or time.sleep(0.02)
                                                for _ in range(int(SECONDS * SLOW / 0.03))])
    watching.start()
    wrong = at_once(CLIENTS, use)
    watching.join()
    assert not wrong, wrong
    assert counts[0] > 50 and counts[1] > 5, counts
    assert max(most) <= CACHE + CLIENTS * MODEL    # no more than what is in use comes on top
    first.close()
    print(f"{counts[0]} hits, {counts[1]} misses, {max(most)} bytes")


def test_a_model_that_many_put_at_once_is_compiled_once(crowded):
    hashes = set()

    def put(i):
        client = Client(crowded.address)
        hashes.add(client.put("m.xml", {"m.xml": text(MODELS)})[0].hash)
        client.close()

    assert not at_once(16, put)
    assert len(hashes) == 1 and crowded.log().count("event=model_ready") == 1


def test_very_many_models_do_not_fill_the_loop(start):
    """Metrics show the models that were used last, and whoever asks for lists of all models again and again has to wait."""
    server = start("--metrics", "127.0.0.1:0", "--log-rate", "0", "--max-inflight", "300")
    client, count = Client(server.address), 230
    ids = []
    for k in range(count):
        message, data = put_message("m.xml", {"m.xml": PENDULUM.replace(b'model="pendulum"', b'model="p%d"' % k)})
        ids.append(client.send(pb.FRAME_MODEL_PUT, message, data))
        if len(ids) == 10:
            hashes = [client.wait(i)[0][0].hash for i in ids]
            ids.clear()
    client.ask(pb.FRAME_MODEL_INFO, pb.ModelInfo(hash=hashes[-1]))    # of the last ten any may have been compiled last
    port = int(re.search(r"address=http://127.0.0.1:(\d+)", server.log())[1])
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=20) as reply:
        told = re.findall(r'^sheaf_model_memory_bytes{model="(\w+)"}', reply.read().decode(), re.MULTILINE)
    assert len(told) == 200 and told[0] == hashes[-1].hex()[:16]

    # a list costs 230 us, and 0.1 s may be owed
    ids = [client.send(pb.FRAME_MODEL_LIST, pb.ModelList()) for _ in range(3000)]
    listed = refused = 0
    for id_ in ids:
        try:
            listed += client.wait(id_)[0][0].total == count
        except Failure as failure:
            assert failure.code == pb.CODE_RESOURCE_EXHAUSTED and failure.error.retriable
            refused += 1
    assert listed > 10 and listed + refused == 3000 and refused > 0
    time.sleep(0.2)
    assert client.ask(pb.FRAME_MODEL_LIST, pb.ModelList())[0].total == count
    client.close()
