# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""The samples of a plan, divided over several sessions. Noise needs no state, so a part of the samples is a request of its own; a last
request puts their costs together and changes the plan. Its bits are those of one request for all samples."""
from __future__ import annotations

import time

import numpy as np

from .errors import DeadlineExceeded, InvalidArgument
from .flight import Flight


def _parts(samples: int, n: int) -> list[tuple[int, int]]:
    """First sample and number of each part that has any."""
    ends = [samples * k // n for k in range(n + 1)]
    return [(a, b - a) for a, b in zip(ends, ends[1:]) if b > a]


def _shifted(fields: dict) -> dict:
    """The fields for a plan that was moved forward already."""
    warmstart, shift = fields["warmstart"], fields["shift"]
    if warmstart is not None:
        warmstart = np.asarray(warmstart)[..., shift:, :]
    return fields | {"shift": 0, "warmstart": warmstart if warmstart is not None and warmstart.shape[-2] else None}


def _costs(models, fields: dict, flight) -> tuple[np.ndarray, np.ndarray]:
    """Costs of all samples (B, samples), and the status of the first part."""
    futures = []

    def begin(m, first, count):
        part = fields | {"sample_begin": first, "sample_count": count, "ntop": 0}
        return m._backend.crew.submit(lambda own: m._with(own)._compute("sample", dict(part), ["cost"], False))

    def stop():
        for f in futures:
            f.cancel()
    with flight.stops(stop):
        parts = _parts(fields["nsample"], len(models))
        futures += [begin(m, *part) for m, part in zip(models, parts)]
        try:
            got = [f.result() for f in futures]
        except BaseException:
            stop()
            raise
    cost = np.concatenate([g["cost"][:, a:a + n] for g, (a, n) in zip(got, parts)], axis=1)
    return cost, got[0]["status"]


def divide(model, shards, fields: dict, names: list[str], out=None) -> dict[str, np.ndarray]:
    """What `sample` returns, with its samples on this model and on the same model elsewhere."""
    for other in shards:
        if other.info_.hash != model.info_.hash:
            raise InvalidArgument("another model", field="shards", expected=f"models with the hash {model.hash[:12]}", got=other.hash[:12])
    flight, timeout, iterations = model._flight or Flight(), fields["timeout"], fields["niteration"]
    end = None if timeout is None else time.monotonic() + timeout
    for k in range(iterations):
        flight.check()
        fields = fields | {"niteration": 1, "first_iteration": k}
        if end is not None:
            fields["timeout"] = end - time.monotonic()
            if fields["timeout"] <= 0:
                raise DeadlineExceeded(f"not done within {timeout:g} s")
        cost, status = _costs([model, *shards], fields, flight)
        last = k == iterations - 1
        got = model._compute("sample", fields | {"sample_cost": cost} | ({} if last else {"ntop": 0}),
                             names if last else ["knots", "spread"], False, out if last else None)
        fields = _shifted(fields) | {"plan": got["knots"], "noise": got["spread"]}
    # where no sample is valid, the reason is that of the first one's rollout
    got["status"][:] = np.where(got["status"] != 0, status, 0)
    return got
