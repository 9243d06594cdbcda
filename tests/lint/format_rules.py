# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""C sources look as clang-format 14 with the tree's .clang-format writes them."""
import concurrent.futures
import os
import shutil
import subprocess

import tree

# another version breaks lines elsewhere: Debian 12 has clang-format-14, others may call it so too
TOOL = shutil.which("clang-format-14") or shutil.which("clang-format")
JOBS = os.cpu_count() or 1


def run(*options):
    """The output of clang-format over all sources, in parts side by side."""
    files = [path for path in tree.sources() if path.split("/")[0] in ("engine", "server", "clients", "proto", "tests", "bench")]
    parts = [files[k::4 * JOBS] for k in range(4 * JOBS)]

    def one(part):
        return subprocess.run([TOOL, "--style=file", *options, *part], cwd=tree.ROOT, capture_output=True, text=True).stderr
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        return "".join(pool.map(one, filter(None, parts)))


def version():
    out = subprocess.run([TOOL, "--version"], capture_output=True, text=True).stdout if TOOL else ""
    return out.partition("version ")[2].split(".")[0]


def write():
    run("-i")


def check():
    if version() != "14":
        print("no clang-format 14: the format is not checked")
        return
    for line in run("--dry-run").splitlines():
        path, _, rest = line.partition(":")
        if "code should be clang-formatted" in rest:
            yield f"{path}:{rest.split(':')[0]}", "is not formatted: python3 tests/lint/check.py --format"
