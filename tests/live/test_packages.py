# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Every model inside published Python packages: loads if and only if the reference loads it, to the same arrays."""
import os
import sys

import pytest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
sys.path.insert(0, os.path.dirname(__file__))
import live  # noqa: E402, F401
import packages  # noqa: E402

PATHS = packages.all_models()


def test_packages_are_there():
    if not PATHS:
        pytest.skip("no packages: python tests/live/packages.py --fetch")
    assert {p.relative_to(packages.FOLDER).parts[0] for p in PATHS} == set(packages.PACKAGES)


@pytest.mark.parametrize("path", PATHS, ids=[str(p.relative_to(packages.FOLDER)) for p in PATHS])
def test_model(path):
    outcome, details = packages.judge(path)
    assert outcome in (packages.EQUAL, packages.REFUSED), f"{outcome}: {details}"
