# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""What a call says besides its numbers. Programs often make the same call with other numbers; then all this is found out once."""
from __future__ import annotations

import functools
import operator

import numpy as np

from .calls import PARAM
from .table import Request

KEPT = 256    # that a model keeps for further calls
_F8 = np.dtype(np.float64)
_PLAIN = frozenset((int, float, bool, str))


def signature(name: str, fields: dict, outputs: tuple | None, places) -> tuple | None:
    """The key of a call: calls with equal keys differ in the numbers of their inputs alone.

    fields: inputs and options by name. outputs, places: names of results, and of those for which the caller has arrays. None: a call
    whose arguments have to be looked at one by one.
    """
    names, kinds = tuple(fields), tuple(map(type, fields.values()))
    sorted_ = _sort(names, kinds)
    if sorted_ is None:
        return None
    arrays, others = sorted_
    shapes = []
    for value in map(fields.__getitem__, arrays):
        if not _is_plain(value):
            return None
        shapes.append(value.shape)
    for param, value in (fields.get("params") or {}).items():
        if type(value) is not np.ndarray or not _is_plain(value):
            return None
        shapes.append((param, value.shape))
    return name, outputs, tuple(places), names, kinds, tuple(shapes), others(fields)


def _is_plain(value: np.ndarray) -> bool:
    """Can the engine and the wire have the array as it is?"""
    return (value.dtype is _F8 or value.dtype == _F8) and value.flags.c_contiguous


def _with_params(fields: dict) -> dict:
    """Fields and parameters by the names that they have among the arrays of a call."""
    params = fields.get("params")
    return fields | {PARAM + name: value for name, value in params.items()} if params else fields


@functools.lru_cache(KEPT)
def _sort(names: tuple, kinds: tuple):
    """The names of fields that are arrays, and a function that gets the values of the others; None: there are other kinds of values."""
    arrays, others = [], []
    for name, kind in zip(names, kinds):
        if kind is np.ndarray:
            arrays.append(name)
        elif kind in _PLAIN or (kind is tuple and name == "columns"):
            others.append(name)
        elif kind is not type(None) and not (kind is dict and name == "params"):
            return None
    return tuple(arrays), operator.itemgetter(*others) if others else lambda fields: ()


class Asked:
    """options: numbers by name. want: calls.Wanted by name. places: names of those results for which the caller has arrays. Nobody
    changes these: calls in other threads may have them, too."""
    __slots__ = ("request", "nbatch", "options", "want", "places", "made", "_inputs")

    def __init__(self, request: Request, nbatch: int, options: dict[str, float], want: dict, places=(),
                 given: dict[str, np.ndarray] | None = None):
        self.request, self.nbatch, self.options, self.want, self.places = request, nbatch, options, want, tuple(places)
        self.made = None    # what the backend makes of it
        self._inputs = tuple((name, a.shape, a.size) for name, a in (given or {}).items())

    def fits(self, fields: dict) -> bool:
        """Are its inputs arrays among these fields, and nothing else?"""
        fields = _with_params(fields)
        return all(type(fields.get(name)) is np.ndarray for name, _, _ in self._inputs)

    def arrange(self, fields: dict) -> dict[str, np.ndarray]:
        """The inputs of another call with the same signature, in the shapes of those that this was made for."""
        given, fields = {}, _with_params(fields)
        for name, shape, size in self._inputs:
            a = fields[name]
            if a.shape != shape:
                a = a.reshape(shape) if a.size == size else np.repeat(a.reshape(1, *shape[1:]), shape[0], axis=0)
            given[name] = a
        return given
