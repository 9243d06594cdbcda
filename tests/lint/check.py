#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Rules of the house that a machine can check: include direction, licence lines, machine paths, marks of unfinished work."""
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
ORDER = "base lanes model spec mjcf compile dynamics collide constraint solve actuate sense integrate pipeline pool batch".split()
SERVER = "base wire net models jobs request admin".split()

# plain data that may be used from anywhere (engine/README.md)
SHARED = {"collide/slot.h", "constraint/block.h"}

EXTENSIONS = (".c", ".h", ".py", ".sh", ".cmake", "CMakeLists.txt", ".proto")


def tracked():
    out = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True)
    return out.stdout.splitlines()


def includes(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as f:
        for n, line in enumerate(f, 1):
            m = re.match(r'\s*#include "([^"]+)"', line)
            if m:
                yield n, m.group(1)


def main():
    bad = []
    for path in tracked():
        if not path.endswith(EXTENSIONS) or not os.path.exists(os.path.join(ROOT, path)):
            continue
        with open(os.path.join(ROOT, path), encoding="utf-8") as f:
            text = f.read()
        if text.strip() and "SPDX-License-Identifier: Apache-2.0" not in text[:400] and not path.endswith("sources.cmake"):
            bad.append(f"{path}:1: no SPDX lines")
        if not path.startswith("tests/lint"):
            for n, line in enumerate(text.splitlines(), 1):
                if re.search(r"(^|[^\w./-])/(work|home|root)/", line):
                    bad.append(f"{path}:{n}: path of one machine")
                if re.search(r"\b(TODO|FIXME)\b", line):
                    bad.append(f"{path}:{n}: unfinished by its own words")
        parts = path.split("/")
        if parts[0] == "engine" and len(parts) == 3 and parts[1] in ORDER and path.endswith((".c", ".h")):
            for n, name in includes(path):
                folder = name.split("/")[0]
                if name not in SHARED and folder in ORDER and ORDER.index(folder) > ORDER.index(parts[1]):
                    bad.append(f"{path}:{n}: includes {name} from a later folder")
    print("\n".join(bad) or "clean")
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main())
