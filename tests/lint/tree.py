# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""What every rule asks of the tree: its files, its layers, and the includes of a file."""
import functools
import os
import re
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

# folders in the order of layers: a file includes and calls its own folder and folders before it
LAYERS = {
    "engine": "base lanes tables model spec formats mjcf compile dynamics collide constraint solve actuate sense integrate plugins pipeline derive load pool batch"
              .split(),
    "server": "base auth wire net models jobs request watch admin".split(),
}


@functools.cache
def tracked():
    """Paths of the tree, generated and deleted files left out."""
    out = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True)
    return [path for path in out.stdout.splitlines() if os.path.exists(os.path.join(ROOT, path))]


def sources():
    return [path for path in tracked() if path.endswith((".c", ".h"))]


@functools.cache
def text(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as f:
        return f.read()


def layer(path):
    """(program, rank of the folder) of engine/solve/cg.c; None for a file outside the layers."""
    parts = path.split("/")
    if len(parts) == 3 and parts[1] in LAYERS.get(parts[0], ()):
        return parts[0], LAYERS[parts[0]].index(parts[1])
    return None


def is_later(a, b):
    """Is b in a later layer of the same program than a?"""
    first, second = layer(a), layer(b)
    return bool(first and second) and first[0] == second[0] and second[1] > first[1]


@functools.cache
def includes(path):
    """[(line, path of the tree)] of the quoted includes of a file that lie in its own program."""
    program = path.split("/")[0]
    found = []
    for n, line in enumerate(text(path).splitlines(), 1):
        match = re.match(r'\s*#\s*include "([^"]+)"', line)
        if match:
            for name in (f"{program}/{match[1]}", os.path.join(os.path.dirname(path), match[1])):
                if name in tracked():
                    found.append((n, name))
                    break
    return found


def module(path):
    """A header and the source of the same name are one module."""
    return os.path.splitext(path)[0]
