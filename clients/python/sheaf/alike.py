# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""MjModels that differ in numbers alone: one compiled model computes all of them, each in rows with parameters."""
from __future__ import annotations

import copy
from collections.abc import Iterable
from operator import attrgetter

import numpy as np

from .objects import compiled

# What a simulation does not see: statistics for views, and colours, which are often drawn at random beside numbers.
UNSEEN = ("stat.meanmass", "stat.meansize", "stat.extent", "stat.center", "geom_rgba", "site_rgba", "tendon_rgba", "mat_rgba", "skin_rgba",
          "flex_rgba", "light_ambient", "light_diffuse", "light_specular")


def _put(model, name: str, value) -> None:
    """Set a number of an MjModel. Names with a point are fields of its options or statistics, which may be plain numbers."""
    owner, _, field = name.rpartition(".")
    owner = getattr(model, owner) if owner else model
    if np.ndim(value):
        getattr(owner, field)[...] = value
    else:
        setattr(owner, field, value)


def _differ(a, b, name: str) -> bool:
    return np.asarray(attrgetter(name)(a)).tobytes() != np.asarray(attrgetter(name)(b)).tobytes()


def _becomes(like, model, names: Iterable[str], data: bytes) -> bool:
    """Is the one model the other (of these bytes) when it has its numbers of these names?"""
    for name in names:
        value = attrgetter(name)(model)
        if np.shape(value) != np.shape(attrgetter(name)(like)):
            return False
        _put(like, name, value)
    return compiled(like) == data


def differences(models: list, names: Iterable[str]) -> dict[str, np.ndarray] | None:
    """The numbers in which these MjModels differ, (n, ...) by name; None if they differ in something else than numbers of these names.

    The proof is in the bytes: the first model with the numbers of another is the other.
    """
    like, moved = copy.copy(models[0]), []
    for model in {id(m): m for m in models}.values():
        data = compiled(model)
        if _becomes(like, model, moved, data):
            continue
        moved += [n for n in (*names, *UNSEEN) if n not in moved and _differ(like, model, n)]
        if not _becomes(like, model, moved, data):
            return None
    return {n: np.array([attrgetter(n)(m) for m in models], np.float64) for n in moved if n not in UNSEEN}
