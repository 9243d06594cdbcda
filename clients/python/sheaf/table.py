# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""The requests: rows of sheaf/request_table.h, which is read as text. Every call, struct and message follows from these rows.

An installed package has a copy of the table; in the source tree the engine's file is read.
"""
from __future__ import annotations

import dataclasses
import functools
import os
import re

_HERE = os.path.dirname(os.path.abspath(__file__))
_PLACES = (os.path.join(_HERE, "request_table.h"),
           os.path.join(_HERE, "..", "..", "..", "engine", "include", "sheaf", "request_table.h"))

# an entry begins a line and ends with its parenthesis; texts are in double quotes
_ENTRY = re.compile(r'^SHEAF_(\w+)\(((?:[^()"]|"[^"]*")*)\)', re.M)
# a group of entries is a macro without arguments
_GROUP = re.compile(r"^#define (SHEAF_\w+)\(\) \\\n((?:.*\\\n)*.*\n)", re.M)
_ARGUMENT = re.compile(r'((?:\s*"[^"]*")+|[^,"]*)(?:,|$)')


@dataclasses.dataclass(frozen=True)
class Field:
    """A line of the table. Roles: option, input, size, output, named, control, params, columns, word."""
    name: str
    role: str
    type: str = ""                    # int, bits, flag, real; f64, i32, num
    shape: tuple[str, ...] = ()       # words after the batch
    when: str = ""                    # OPTIONAL, REQUIRED; ASKED, DEFAULT, ALWAYS
    each: bool = False                # an input that must have a row for each row of the batch
    initial: str = ""                 # default of an option; the default among named outputs; the number of a word
    word: str = ""                    # word that stands for a number of the option; arrays whose elements are columns
    least: str = ""                   # of an option
    most: str = ""
    doc: str = ""

    @functools.cached_property
    def bits(self) -> int:
        """Those that an option of bits may have."""
        return int(self.most, 0)


@dataclasses.dataclass(frozen=True)
class Request:
    number: int                       # sheafKind
    kind: str                         # ROLLOUT
    message: str                      # Rollout
    name: str                         # rollout
    unit: str
    doc: str
    fields: tuple[Field, ...]

    # every call asks for these many times

    @functools.cached_property
    def _by_name(self) -> dict[str, Field]:
        return {f.name: f for f in reversed(self.fields)}    # a word comes after the option whose name it has

    @functools.cached_property
    def _by_roles(self) -> dict[tuple[str, ...], tuple[Field, ...]]:
        return {}

    @functools.cached_property
    def always(self) -> tuple[tuple[str, str], ...]:
        """Name and type of the outputs that come with every answer."""
        return tuple((f.name, "int32" if f.type == "i32" else "float64") for f in self.of("output") if f.when == "ALWAYS")

    @functools.cached_property
    def _words(self) -> dict[str, dict[str, int]]:
        words: dict[str, dict[str, int]] = {}
        for f in self.of("word"):
            words.setdefault(f.name, {})[f.word] = int(f.initial)
        return words

    def of(self, *roles: str) -> tuple[Field, ...]:
        found = self._by_roles.get(roles)
        if found is None:
            found = self._by_roles[roles] = tuple(f for f in self.fields if f.role in roles)
        return found

    def field(self, name: str) -> Field | None:
        return self._by_name.get(name)

    def words(self, option: str) -> dict[str, int]:
        """Words that stand for numbers of an option."""
        return self._words.get(option, {})


def _arguments(text: str) -> list[str]:
    found = [m[1].strip() for m in _ARGUMENT.finditer(text)]
    return ["".join(re.findall('"([^"]*)"', a)) if a.startswith('"') else a for a in found]


def _field(macro: str, a: list[str]) -> Field:
    words = lambda text: tuple(text.split()[1:])
    if macro == "OPTION":
        return Field(a[0], "option", a[1], initial=a[4], least=a[2], most=a[3], doc=a[5])
    if macro == "INPUT":
        return Field(a[0], "input", a[1], words(a[3]), a[2], doc=a[4])
    if macro == "EACH":
        return Field(a[0], "input", a[1], words(a[4]), a[2], each=True, doc=a[5])
    if macro == "SIZE":
        return Field(a[0], "size", doc=a[1])
    if macro == "OUTPUT":
        return Field(a[0], "output", a[1], words(a[3]), a[2], doc=a[4])
    if macro == "NAMED":
        return Field("output", "named", "num", words(a[0]), initial=a[1], doc=a[2])
    if macro == "WORD":
        return Field(a[0], "word", word=a[1], initial=a[2])
    if macro == "CONTROL":
        return Field("", "control")
    if macro == "PARAMS":
        return Field("params", "params", "f64", words(a[0]), doc=a[1])
    if macro == "COLUMNS":
        return Field("columns", "columns", "i32", word=a[0], doc=a[1])
    raise ValueError(f"sheaf/request_table.h: no SHEAF_{macro}")


def parse(text: str) -> dict[str, Request]:
    """The requests of a table, by name."""
    out: dict[str, Request] = {}
    groups = {name: lines.replace("\\\n", "\n") for name, lines in _GROUP.findall(text)}
    text = _GROUP.sub("", text)
    while any(re.search(rf"^{name}\(\)", text, re.M) for name in groups):    # groups may be in groups
        text = re.sub(r"^(SHEAF_\w+)\(\)", lambda m: groups.get(m[1], m[0]), text, flags=re.M)
    for entry in _ENTRY.finditer(text):
        macro, a = entry[1], _arguments(entry[2])
        if macro == "REQUEST":
            head, fields = a, []
        elif macro == "END":
            out[head[3]] = Request(len(out), head[0], head[1], head[3], head[4], head[5], tuple(fields))
        else:
            fields.append(_field(macro, a))
    return out


def _load() -> dict[str, Request]:
    with open(next(p for p in _PLACES if os.path.exists(p)), encoding="utf-8") as f:
        return parse(f.read())


REQUESTS = _load()
