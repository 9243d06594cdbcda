# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""What the calls of a model share. By the rows of the table, inputs become arrays of the right shape, and results get names.

Inputs may leave out the batch dimension, or have 1 there: one row then serves all. Results always have the batch dimension.
"""
from __future__ import annotations

import inspect
import re
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from . import columns
from .codes import Row
from .errors import InvalidArgument
from .table import REQUESTS, Field, Request

# what stands before the name of a parameter among the arrays of a call, and on the wire
PARAM = "params."

# what stands before the name of an output in requests for derivatives: the output itself, at the state of the row
NOMINAL = "nominal."

LARGE = 1 << 31    # whole numbers are smaller

# arguments whose name in the table, or in the engine's errors, is another: table -> method
ARGUMENTS = {"state0": "initial_state", "warmstart0": "initial_warmstart", "noutput": "outputs"}


def array(field: str, value, size: int, *, dtype=np.float64) -> np.ndarray:
    try:
        a = np.asarray(value, dtype=dtype)
    except (TypeError, ValueError, OverflowError) as e:
        raise InvalidArgument(f"not an array of numbers: {e}", field=field, expected=f"(..., {size})",
                              got=type(value).__name__) from None
    if dtype is np.int32 and not np.array_equal(a, value):
        raise InvalidArgument("wrong type", field=field, expected="whole numbers", got=str(value))
    return a


def rows(field: str, value, dims: tuple, dtype=np.float64) -> np.ndarray:
    """One row or rows as (B, *dims); a dimension None is any number but 0."""
    a = array(field, value, dims[-1] if dims else 1, dtype=dtype)
    if dims in ((), (1,)) and a.ndim < 2:
        a = a.reshape(-1, *dims)        # a number, or one for each row
    lead = a.ndim - len(dims)
    if lead not in (0, 1) or any(n == 0 if want is None else n != want for n, want in zip(a.shape[lead:], dims)):
        words = ["any" if n is None else str(n) for n in dims]
        one = f"({words[0]},)" if len(words) == 1 else f"({', '.join(words)})"
        raise InvalidArgument("wrong shape", field=field, expected=f"{one} or (B, {', '.join(words)})", got=str(a.shape))
    return np.ascontiguousarray(a if lead else a[np.newaxis])


def batch(given: dict[str, np.ndarray]) -> int:
    """The common number of rows; inputs with one row serve all."""
    n = max((a.shape[0] for a in given.values()), default=1)
    for field, a in given.items():
        field = ARGUMENTS.get(field, field)
        if a.shape[0] not in (1, n):
            raise InvalidArgument("rows do not match", field=field, expected=f"{n} or 1 rows", got=str(a.shape[0]))
        if n == 0 or a.shape[0] == 0:
            raise InvalidArgument("no rows", field=field, expected="1 or more rows", got="0")
    return n


class Wanted(NamedTuple):
    """An array of results."""
    shape: tuple[int, ...]
    dtype: np.dtype

    def make(self) -> np.ndarray:
        return np.empty(self.shape, self.dtype)    # an answer has all numbers, of rows that failed, too


def number(request: Request, f: Field, value):
    """The number that an option stands for: words of the table count, and types of numpy for dtype."""
    if type(value) is int and (0 <= value < LARGE if f.type == "int" else f.type == "bits" and not value & ~f.bits):
        return value
    words = request.words(f.name)
    if f.name == "dtype" and not isinstance(value, int):
        value = _dtype_word(value)
    if isinstance(value, str) and value in words:
        return words[value]
    if f.type == "flag":
        return bool(value)
    kind, expected = (float, "a number") if f.type == "real" else (int, "a whole number")
    if words:
        expected += " or " + ", ".join(map(repr, words))
    try:
        x = kind(value)
        whole = x == value
    except (TypeError, ValueError, OverflowError):
        whole = False
    if not whole:
        raise InvalidArgument("wrong type", field=f.name, expected=expected, got=repr(value))
    if f.type == "bits" and x & ~f.bits:
        raise InvalidArgument("unknown bits", field=f.name, expected=f"bits of {f.most}", got=str(value))
    if f.type == "int" and abs(x) >= LARGE:
        raise InvalidArgument("too large", field=f.name, expected=f"at most {f.most}", got=str(value))
    if f.type == "int" and x < min(0, int(f.least)):
        raise InvalidArgument("too small", field=f.name, expected=f"{f.least} or more", got=str(value))
    return x


def _dtype_word(value):
    """The word of the table that a type of numpy has: f4 for np.float32, "float32", ...; what is none is left as it is."""
    try:
        dtype = np.dtype(value)
    except TypeError:
        return value
    return dtype.str[1:] if dtype.isnative else value


class Call:
    """A request of a model being put together."""

    def __init__(self, info, name: str):
        self.info, self.request = info, REQUESTS[name]
        self.given: dict[str, np.ndarray] = {}
        self.options: dict[str, float] = {}
        self.lengths: dict[str, int] = {}     # sizes that came with arrays
        self.columns: tuple[int, ...] = ()    # numbers of the columns of derivatives; none: all

    def take(self, values: dict) -> None:
        """Options and inputs by name; None leaves one out. Options come first: shapes depend on them. Columns are numbers here."""
        for name in values:
            f = self.request.field(name)
            if f is None or f.role not in ("option", "input", "params", "columns"):
                raise TypeError(f"{self.request.name}() got an unexpected keyword argument '{name}'")
        for role in ("option", "input"):
            for f in self.request.of(role):
                if values.get(f.name) is not None:
                    self._take(f, values[f.name])
        params = values.get("params") or {}
        if not isinstance(params, Mapping):
            raise InvalidArgument("wrong type", field="params", expected="a dict of arrays by name", got=type(params).__name__)
        for name, value in params.items():
            self._take_param(name, value)
        if values.get("columns") is not None:
            self.options["columns"] = self.columns = values["columns"]

    def _take(self, f: Field, value) -> None:
        if f.role == "option":
            self.options[f.name] = number(self.request, f, value)
        else:
            dtype = np.int32 if f.type == "i32" else np.float64
            self.given[f.name] = rows(ARGUMENTS.get(f.name, f.name), value, self.dims(f), dtype)
            self.lengths |= {word: n for word, n in zip(f.shape, self.given[f.name].shape[1:]) if self._is_size(word)}

    def _is_size(self, word: str) -> bool:
        f = self.request.field(word)
        return f is not None and f.role == "size"

    def _take_param(self, name: str, value) -> None:
        """Parameters of rows: an array in the model's shape for all rows, or one such array for each row of the batch."""
        if name not in self.info.params:
            like = [n for n in self.info.params if re.match("[a-z]+", n)[0] == re.match("[a-z]*", str(name))[0]]
            raise InvalidArgument("no such parameter", field="params",
                                  expected="one of " + ", ".join(like) if like else "a name in Model.params", got=repr(name))
        self.given[PARAM + name] = rows(PARAM + name, value, self.info.params[name].shape)

    def _size(self, word: str):
        if word.isdigit():
            return int(word)
        if word == "nrecord":
            nstep, every = self.options.get("nstep", 0), self.options.get("every", 0) or 1
            if not -1 <= every <= nstep:
                raise InvalidArgument("no rows", field="every", expected=f"1 to nstep ({nstep}) or 'last'", got=str(every))
            return 1 if every < 0 else nstep // every
        if word == "ntrajectory":
            return 1 + self.options.get("ntop", 0)
        if word == "ncontrol":
            spec = self.options.get("control_spec") or int(self.request.field("control_spec").initial, 0)
            return self.info.control_sizes(spec)
        ncolumn = columns.size(word, self.columns, self.info.sizes)
        if ncolumn is not None:
            return ncolumn
        f = self.request.field(word)
        if f and f.role in ("option", "size"):
            return self.lengths.get(word) if f.role == "size" else self.options.get(word) or int(f.initial)
        return self.info.sizes[word]

    def dims(self, f: Field) -> tuple:
        """Dimensions after the batch; None where the given array sets the dimension."""
        return tuple(self._size(word) for word in f.shape)

    def prepare(self) -> int:
        """Check that no required input is missing; the number of rows."""
        for f in self.request.of("input"):
            if f.when == "REQUIRED" and f.name not in self.given:
                raise InvalidArgument("missing", field=ARGUMENTS.get(f.name, f.name), expected=f"(B, {', '.join(f.shape)})", got="nothing")
        n = batch(self.given)
        self._check_sizes()
        for f in self.request.of("input"):
            if f.each and f.name in self.given and self.given[f.name].shape[0] != n:
                self.given[f.name] = np.repeat(self.given[f.name], n, axis=0)
        return n

    def _check_sizes(self) -> None:
        """Inputs that bring the same size agree on it."""
        sizes: dict[str, int] = {}
        for f in self.request.of("input"):
            for k, word in enumerate(f.shape if f.name in self.given else ()):
                size, n = self.request.field(word), self.given[f.name].shape[1 + k]
                if size and size.role == "size" and sizes.setdefault(word, n) != n:
                    raise InvalidArgument("sizes do not match", field=f.name, expected=f"{sizes[word]}", got=str(n))

    def _dtype(self, f: Field) -> np.dtype:
        if f.type == "i32":
            return np.dtype(np.int32)
        return np.dtype(np.float32 if f.type == "num" and self.options.get("dtype") == 4 else np.float64)

    def _wanted(self, name: str, n: int, shape_of) -> Wanted | None:
        f, named = self.request.field(name), next(iter(self.request.of("named")), None)
        if f and f.role == "output":
            return None if f.when == "ALWAYS" else Wanted((n, *self.dims(f)), self._dtype(f))
        if named is None:
            raise InvalidArgument("no such output", field="outputs", got=repr(name),
                                  expected="one of " + ", ".join(f.name for f in self.request.of("output")))
        rows = () if name.startswith(NOMINAL) else self.dims(named)
        return Wanted((n, *rows, *shape_of(name.removeprefix(NOMINAL))), self._dtype(named))

    def want(self, names, n: int, shape_of) -> dict[str, Wanted]:
        """Arrays of results: those of these names, or those that come unasked. shape_of tells the shape of a named output for
        one state."""
        if names is None:
            names = [f.name for f in self.request.of("output") if f.when == "DEFAULT"]
            names += [f.initial for f in self.request.of("named") if f.initial]
        return {name: w for name in names if (w := self._wanted(name, n, shape_of))}


def check_places(want: dict[str, Wanted], out: dict[str, np.ndarray]) -> None:
    """Are these arrays of the caller places for results?"""
    for name, a in out.items():
        w = want.get(name)
        if w is None:
            raise InvalidArgument("not a result of this call", field="out", expected=", ".join(want), got=name)
        fits = isinstance(a, np.ndarray) and a.shape == w.shape and a.dtype == w.dtype and a.flags.c_contiguous and a.flags.writeable
        if not fits:
            got = _layout(a) if isinstance(a, np.ndarray) else type(a).__name__
            raise InvalidArgument("does not fit", field=f"out[{name!r}]", got=got,
                                  expected=f"a writeable array of shape {w.shape} and {w.dtype}, in C order")


def _layout(a: np.ndarray) -> str:
    order = "" if a.flags.c_contiguous else ", not in C order"
    return f"{a.shape} {a.dtype}{order}{'' if a.flags.writeable else ', read-only'}"


def blank(out: dict[str, np.ndarray]) -> None:
    """Leave no numbers in the rows of a partial result that are not done."""
    missing = out["status"] == Row.CANCELLED
    for a in out.values():
        if a.dtype.kind == "f":
            a[missing] = np.nan


def always(request: Request, n: int) -> dict[str, np.ndarray]:
    """Arrays for the results that come with every answer."""
    return {name: np.zeros(n, dtype) for name, dtype in request.always}


def places(request: Request, n: int, want: dict[str, Wanted], at: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The arrays of a result: where `at` has them, else new ones."""
    return {name: at[name] if name in at else w.make() for name, w in want.items()} | always(request, n)


# ---- methods

# keywords that every call takes besides the fields of its request: name, default, meaning
EVERY_CALL = (
    ("timeout", None, "seconds that this call may take, its repetitions included, before it raises DeadlineExceeded and the work\n"
     "                           stops; None: the session's"),
    ("partial", False, "True: when the timeout ends, return the rows that are done instead of raising. The others have the\n"
     "                           status Row.CANCELLED and NaN (DeadlineExceeded if none was begun)"),
    ("priority", 0, "1, 0 or -1: a larger share of the server's workers, if its operator allows; in this process\n"
     "                           calls take turns, whatever their priority"))

def _describe(f: Field) -> str:
    if f.role == "columns":
        return f"        {f.name:<18} names of elements of {', '.join(f.word.split())}, or numbers of columns: {f.doc}"
    if f.role == "params":
        return f"        {f.name:<18} dict of (B or 1, ...) by name: {f.doc}. `Model.params` has the names"
    shape = f"(B{', ' if f.each else ' or 1, ' if f.shape else ''}{', '.join(f.shape)})" if f.role == "input" else f.type
    return f"        {f.name:<18} {shape}: {f.doc}"


def complete(method, request: Request):
    """Add the fields of the table that a method takes as further keywords to its signature and docstring."""
    signature = inspect.signature(method)
    if not any(p.kind == p.VAR_KEYWORD for p in signature.parameters.values()):
        return method        # it has keywords of its own
    taken = {*signature.parameters, "state0", "warmstart0", "ncontrolstep", "cost_term", "cost_target"}
    more = [f for f in request.of("option", "input", "params", "columns") if f.name not in taken]
    keep = [p for p in signature.parameters.values() if p.kind != p.VAR_KEYWORD]
    added = [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=initial)
             for name, initial in [(f.name, None) for f in more] + [(name, initial) for name, initial, _ in EVERY_CALL]]
    method.__signature__ = signature.replace(parameters=keep + added)
    lines = [_describe(f) for f in more] + [f"        {name:<18} {doc}" for name, _, doc in EVERY_CALL]
    method.__doc__ = method.__doc__.rstrip() + "\n\n" + "\n".join(lines) + "\n        "
    return method


def plain(request: Request):
    """A method for a request, made from its rows of the table alone."""
    def method(self, *, outputs=None, progress=False, **fields):
        return self._compute(request.name, fields, outputs, progress)
    method.__name__ = method.__qualname__ = request.name
    method.__doc__ = f"{request.doc}: a dict of (B, ...) arrays by name.\n        "
    return complete(method, request)
