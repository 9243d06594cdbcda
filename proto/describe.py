#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Write the tables of requests in README.md from engine/include/sheaf/request_table.h.

    python3 proto/describe.py
"""
import importlib.util
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
README = os.path.join(HERE, "README.md")
BEGIN, END = "<!-- tables: written by proto/describe.py -->\n", "<!-- end of the tables -->\n"
WHEN = {"DEFAULT": "default", "ALWAYS": "always", "ASKED": "when asked for"}


def requests():
    """The table, as the Python client reads it; that client need not be installed for this."""
    path = os.path.join(HERE, "..", "clients", "python", "sheaf", "table.py")
    spec = importlib.util.spec_from_file_location("table", path)
    table = importlib.util.module_from_spec(spec)
    sys.modules["table"] = table
    spec.loader.exec_module(table)
    return table.REQUESTS.values()


def shape(f):
    first = "B" if f.role != "input" or f.each else "B or 1"
    return "(" + ", ".join([first, *("T" if w == "nstep" else w for w in f.shape)]) + ")"


def rows(head, lines):
    return [f"| {head} |", "|" + " --- |" * (head.count("|") + 1), *(f"| {line} |" for line in lines), ""] if lines else []


def frame_type(kind):
    with open(os.path.join(HERE, "sheaf.proto"), encoding="utf-8") as f:
        return re.search(rf"\bFRAME_{kind} = (\d+);", f.read())[1]


def describe(r):
    options = r.of("option")
    fields = ", ".join(["work", *(f.name for f in options)])
    out = [f"**{r.message}** `{{{fields}}}`, frame type {frame_type(r.kind)}: {r.doc[0].lower()}{r.doc[1:]}. Its progress counts "
           f"{r.unit}.", ""]
    out += rows("option | type | ", [f"`{f.name}` | {f.type} | {f.doc}" for f in options])
    out += rows("input | type | shape | ",
                [f"`{f.name}` | {f.type} | {shape(f)} | {'required; ' if f.when == 'REQUIRED' else ''}{f.doc}"
                 for f in r.of("input")])
    for f in r.of("columns"):
        out += [f"Also the field `columns`, numbers of {f.doc}. They count the elements of {', '.join(f'`{w}`' for w in f.word.split())}, "
                "one array after the other, with nv positions; `ModelInfo.columns` asks for the numbers of a name.", ""]
    for f in r.of("params"):
        out += ["Also `params.NAME` for any name in `ModelInfoReply.params`, f64 (B or 1, its shape): "
                f"{f.doc}.", ""]
    out += rows("output | type | shape | comes | ",
                [f"`{f.name}` | {f.type} | {shape(f)} | {WHEN[f.when]} | {f.doc}" for f in r.of("output")])
    for f in r.of("named"):
        unasked = f" Default: `{f.initial}`." if f.initial else ""
        out += [f"Also any name in `ModelInfoReply.outputs`, shape {shape(f)[:-1]}, its shape), {f.doc}.{unasked}", ""]
    return out


def fresh(text):
    """README.md with the tables of today."""
    before, rest = text.split(BEGIN)
    _, after = rest.split(END)
    return before + BEGIN + "\n" + "\n".join(line for r in requests() for line in describe(r)) + END + after


def is_fresh():
    with open(README, encoding="utf-8") as f:
        text = f.read()
    return text == fresh(text)


def main():
    with open(README, encoding="utf-8") as f:
        text = f.read()
    with open(README, "w", encoding="utf-8") as f:
        f.write(fresh(text))


if __name__ == "__main__":
    main()
