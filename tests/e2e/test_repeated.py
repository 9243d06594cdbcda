# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Requests whose message says what the last one said: the server does not read it again, and nobody can tell."""
import numpy as np
import pytest
from conftest import PENDULUM
from test_shared import region
from wire import Client, Failure, pb, work

ROWS = 4000    # states of so many rows are worked on while they come


def request(model, seed, nbatch=3, nstep=5, **options):
    rng = np.random.default_rng(seed)
    inputs = {"state0": np.c_[np.zeros((nbatch, 1)), rng.uniform(-1, 1, (nbatch, 2))],
              "params.opt.timestep": rng.uniform(0.001, 0.01, (nbatch, 1))}
    message, data = work(model, nbatch, inputs, outputs=("state", "qpos"), **options)
    return pb.Rollout(work=message, nstep=nstep), data


def ask(client, message, data):
    return client.compute(pb.FRAME_ROLLOUT, message, data)


def fails(client, message, data, code):
    with pytest.raises(Failure) as failure:
        ask(client, message, data)
    assert failure.value.code == code
    return failure.value.error.field


@pytest.fixture
def address(server):
    return "unix://" + server.unix


@pytest.fixture
def model(client):
    return client.put("m.xml", {"m.xml": PENDULUM})[0].hash


@pytest.mark.parametrize("nbatch", [3, ROWS])
def test_other_numbers_give_other_results(server, client, model, nbatch):
    asked = [request(model, seed, nbatch, nstep=2) for seed in range(4)]
    assert len({message.SerializeToString() for message, _ in asked}) == 1
    alone = []
    for message, data in asked:
        fresh = Client("unix://" + server.unix)
        alone.append(ask(fresh, message, data))
        fresh.close()
    assert not np.array_equal(alone[0]["state"], alone[1]["state"])
    for (message, data), want in zip(asked, alone):
        got = ask(client, message, data)
        assert got.keys() == want.keys() and all(np.array_equal(got[k], want[k]) for k in want)

    # all at once, and one that says something else between them
    ids = [client.send(pb.FRAME_ROLLOUT, message, data) for message, data in asked]
    other = request(model, 0, nbatch=2)
    ids.insert(2, client.send(pb.FRAME_ROLLOUT, *other))
    results = [client.join(client.wait(id_)) for id_ in ids]
    assert len(results.pop(2)["state"]) == 2
    for got, want in zip(results, alone):
        assert np.array_equal(got["state"], want["state"])


def test_what_does_not_follow_from_the_message_is_checked_again(client, model):
    message, data = request(model, 0)
    ask(client, message, data)
    assert fails(client, message, data[:-8], pb.CODE_INVALID_ARGUMENT) == "params.opt.timestep"
    ask(client, message, data)
    assert fails(client, message, data[:-8] + np.float64(np.nan).tobytes(), pb.CODE_INVALID_ARGUMENT)
    ask(client, message, data)
    ask(client, message, data)
    assert client.ask(pb.FRAME_MODEL_UNLOAD, pb.ModelUnload(hash=model))[0].found
    assert fails(client, message, data, pb.CODE_NOT_FOUND) == "model"
    assert client.put("m.xml", {"m.xml": PENDULUM})[0].hash == model
    ask(client, message, data)


def test_a_region_that_was_closed(client, model):
    number = region(client, 1 << 20)[0]
    message, data = request(model, 0, region=number)
    message.work.places.add(output="state", offset=0)
    for _ in range(2):
        assert "state" not in ask(client, message, data)
    client.ask(pb.FRAME_REGION_CLOSE, pb.RegionClose(region=number))
    assert fails(client, message, data, pb.CODE_NOT_FOUND) == "region"
