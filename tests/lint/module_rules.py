# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Rules about files among each other: includes, names, conditional kernels, versions."""
import collections
import os
import re

import tree

# regions of `#if SHEAF_LANES` in kernels; lanes/ itself defines what they ask for
LANE_REGIONS = 15


def includes_go_down():
    for path in tree.sources():
        for n, name in tree.includes(path):
            if tree.is_later(path, name):
                yield f"{path}:{n}", f"includes {name} from a later folder"


def no_mutual_includes():
    graph = collections.defaultdict(set)
    for path in tree.sources():
        graph[tree.module(path)] |= {tree.module(name) for _, name in tree.includes(path)} - {tree.module(path)}
    for a in sorted(graph):
        for b in sorted(graph[a]):
            if a < b and a in graph.get(b, ()):
                yield a, f"and {b} include each other"


def unique_names():
    """solve/cg.c and solve/cg.h are one module; a second cg elsewhere makes every search and error message ambiguous."""
    folders = collections.defaultdict(set)
    for path in tree.sources():
        folders[os.path.basename(tree.module(path))].add(os.path.dirname(path))
    for name, where in sorted(folders.items()):
        if len(where) > 1:
            yield name, "is the name of files in " + ", ".join(sorted(where))


def lane_regions():
    count = sum(bool(re.match(r"\s*#\s*(el)?if.*SHEAF_LANES", line)) for path in tree.sources()
                if path.startswith("engine/") and not path.startswith("engine/lanes/")
                for line in tree.text(path).splitlines())
    if count > LANE_REGIONS:
        yield "engine", f"{count} regions of #if SHEAF_LANES, at most {LANE_REGIONS}: use ONE_STATE or a file of its own"


def one_version():
    """The Python client is built without the headers, so it repeats the number."""
    header = tree.text("engine/include/sheaf/version.h")
    version = ".".join(re.search(rf"SHEAF_VERSION_{part} (\d+)", header)[1] for part in ("MAJOR", "MINOR", "PATCH"))
    path = "clients/python/sheaf/version.py"
    if f'VERSION = "{version}"' not in tree.text(path):
        yield path, f"states another version than engine/include/sheaf/version.h, {version}"


def check():
    for rule in (includes_go_down, no_mutual_includes, unique_names, lane_regions, one_version):
        yield from rule()
