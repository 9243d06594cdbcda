# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""C programs as users write them: one source, built against our headers and library and against the reference's."""
import os
import pathlib
import shutil
import subprocess
import sys

import pytest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
mujoco = pytest.importorskip("mujoco")
import live  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCES = sorted((ROOT / "tests" / "programs").glob("*.c"))
CC = os.environ.get("CC", "cc")
REFERENCE = pathlib.Path(mujoco.__file__).parent

pytestmark = pytest.mark.skipif(not shutil.which(CC), reason="no C compiler")


def output(source, include, library, folder):
    exe = folder / f"{source.stem}_{library.name}"
    command = [CC, "-std=c11", "-D_GNU_SOURCE", "-O1", "-Wall", "-Werror", str(source), "-o", str(exe),
               f"-I{include}", str(library), "-lm", f"-Wl,-rpath,{library.parent}"]
    built = subprocess.run(command, capture_output=True, text=True)
    assert not built.returncode, built.stderr
    done = subprocess.run([str(exe), str(folder / "file.mjb")], capture_output=True, text=True, cwd=folder, timeout=60)
    assert not done.returncode, done.stdout + done.stderr
    return done.stdout.splitlines()


def same(a, b):
    """Equal words; numbers may differ in the last digits that are printed."""
    a, b = a.split(), b.split()
    if len(a) != len(b):
        return False
    for x, y in zip(a, b):
        if x == y:
            continue
        try:
            x, y = float(x), float(y)
        except ValueError:
            return False
        if abs(x - y) > 1e-5 * max(1, abs(x)):
            return False
    return True


@pytest.mark.parametrize("source", SOURCES, ids=lambda s: s.stem)
def test_program(source, tmp_path):
    live.library()    # skips if there is none
    ours = pathlib.Path(os.environ["SHEAF_LIBRARY"]).resolve()
    want = output(source, REFERENCE / "include", next(REFERENCE.glob("libmujoco.so*")), tmp_path)
    got = output(source, ROOT / "engine" / "include", ours, tmp_path)
    wrong = [(w, g) for w, g in zip(want, got) if not same(w, g)]
    assert not wrong and len(want) == len(got), wrong[:3]
