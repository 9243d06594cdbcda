# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Columns of derivatives: which of them a call computes, and how many of these each result has."""
from __future__ import annotations

import operator

from .errors import InvalidArgument

# words of the table that count columns: the first number and the end, by the sizes of the model
_WORDS = {
    "nxcol": lambda s: (0, s["ndx"]), "nucol": lambda s: (s["ndx"], s["ndxu"]), "nxucol": lambda s: (0, s["ndxu"]),
    "nqcol": lambda s: (0, s["nv"]), "nvcol": lambda s: (s["nv"], 2 * s["nv"]), "nacol": lambda s: (2 * s["nv"], 3 * s["nv"]),
}


def numbers(value, numbers_of) -> tuple[int, ...]:
    """Numbers of the columns that are meant by names, by numbers, or by one of these. numbers_of(name): those of a name."""
    found: list[int] = []
    for one in [value] if isinstance(value, str) or not hasattr(value, "__iter__") else value:
        if isinstance(one, str):
            found += numbers_of(one)
            continue
        try:
            found.append(operator.index(one))
        except TypeError:
            raise InvalidArgument("not a column", field="columns", expected="names as 'qvel[hip]', or numbers", got=repr(one)) from None
    if not found:
        raise InvalidArgument("no columns", field="columns", expected="one or more, or None for all", got=repr(value))
    if max(map(abs, found)) >= 1 << 31:
        raise InvalidArgument("no such column", field="columns", expected="numbers of columns", got=repr(value))
    return tuple(found)


def size(word: str, chosen: tuple[int, ...], sizes: dict[str, int]) -> int | None:
    """How many columns a word stands for; None if it is another word. chosen: none for all."""
    if word not in _WORDS:
        return None
    first, end = _WORDS[word](sizes)
    return sum(first <= c < end for c in chosen) if chosen else end - first
