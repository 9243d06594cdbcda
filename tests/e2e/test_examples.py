# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""The examples of the Python client and the snippets of its README run."""
import glob
import os
import re
import subprocess
import sys

import pytest
from conftest import LIBRARY, ROOT

pytest.importorskip("sheaf", reason="pip install ./clients/python")
HOME = os.path.join(ROOT, "clients", "python")
ENVIRONMENT = dict(os.environ, SHEAF_LIBRARY=os.environ.get("SHEAF_LIBRARY", LIBRARY))
with open(os.path.join(HOME, "README.md"), encoding="utf-8") as file:
    SNIPPETS = [text for text in re.findall(r"```python\n(.*?)```", file.read(), re.S) if "connect(threads" in text]


def run(*command, **options):
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, env=ENVIRONMENT, **options)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("name", ["in_flight.py", "closed_loop.py"])
@pytest.mark.parametrize("where", ["here", "there"])
def test_example(name, where, start):
    address = [] if where == "here" else ["unix://" + start().unix]
    assert run(sys.executable, os.path.join(HOME, "examples", name), *address)


def test_examples_are_all_run_somewhere():
    elsewhere = ""
    for path in glob.glob(os.path.join(ROOT, "tests", "e2e", "test_*.py")):
        with open(path, encoding="utf-8") as f:
            elsewhere += f.read()
    for path in glob.glob(os.path.join(HOME, "examples", "*.py")):
        with open(path, encoding="utf-8") as f:
            program = "__main__" in f.read()
        assert not program or os.path.basename(path).removesuffix(".py") in elsewhere, path


@pytest.mark.parametrize("number", range(len(SNIPPETS)))
def test_snippet_of_the_readme(number):
    """Run from the repository's root, as a reader would."""
    text = SNIPPETS[number]
    if "VectorEnv" in text:
        pytest.importorskip("gymnasium")
    if "mujoco" in text:
        pytest.importorskip("mujoco")
    run(sys.executable, "-c", text, cwd=ROOT)
