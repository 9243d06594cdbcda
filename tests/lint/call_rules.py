# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""No call goes up: a file uses functions and data of its own folder and of folders before it.

The compiled objects say exactly which file defines a symbol and which uses it, whatever headers declare it (the public ones
declare functions of every folder). Two more paths lead to a kernel, and both are read from the source: the table of the
kernels of one state, `mji_kernels1()->name`, and `LANE1(name)`.
"""
import json
import os
import re
import shlex
import subprocess

import tree

VARIANT = re.compile(r"_(b1|v1|v4|w8)$")
KERNEL = re.compile(r"(?:\bkernels?\w*(?:\([^()]*\))?->|\bmji_kernels1?\([^()]*\)->|\bLANE1\()(\w+)")

# Tables of functions, chosen from at run time: they name functions of every folder and call none.
TABLES = ("engine/lanes/kernels_table.c",)


def objects(build):
    """{path of a source: its objects}, one for each variant of a kernel."""
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as f:
        commands = json.load(f)
    found = {}
    for entry in commands:
        path = os.path.relpath(entry["file"], tree.ROOT)
        words = shlex.split(entry["command"])
        out = os.path.join(entry["directory"], words[words.index("-o") + 1])
        if tree.layer(path) and os.path.exists(out) and path in tree.tracked():
            found.setdefault(path, []).append(out)
    return found


def symbols(files):
    """Names that objects define for others, and names they use; without the suffix of the variant."""
    out = subprocess.run(["nm", "--extern-only", "--portability", *files], capture_output=True, text=True, check=True)
    defined, used = set(), set()
    for line in out.stdout.splitlines():
        words = line.split()
        if len(words) >= 2 and len(words[1]) == 1:
            (used if words[1] in "Uwv" else defined).add(VARIANT.sub("", words[0]))
    return defined, used - defined


def check(build):
    tables = {path: symbols(files) for path, files in objects(build).items()}
    home = {}
    for path, (defined, _) in tables.items():
        for name in defined:
            home.setdefault((path.split("/")[0], name), path)
    for path, (_, used) in sorted(tables.items()):
        if path in TABLES:
            continue
        used = used | {"mji_" + name for name in KERNEL.findall(tree.text(path))}
        goals = {}
        for name in sorted(used):
            goal = home.get((path.split("/")[0], name))
            if goal and tree.is_later(path, goal):
                goals.setdefault(goal, []).append(name)
        for goal, names in sorted(goals.items()):
            yield path, f"uses {', '.join(names)} of {goal}, a later folder"
