# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""The experiments of bench/paper, small: what their tables and plots are made of."""
import os
import pathlib
import shutil
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests" / "support"), str(ROOT / "bench" / "paper")]
import live  # noqa: E402
import paper  # noqa: E402

pytestmark = pytest.mark.skipif(not shutil.which(os.environ.get("CC", "cc")), reason="no C compiler")


@pytest.fixture
def libraries():
    live.library()    # skips if there is none
    return paper.libraries(os.environ["SHEAF_LIBRARY"])


def test_impulses_of_forward_and_inverse_dynamics_agree(libraries, tmp_path):
    apart, lines = paper.single_joint(str(tmp_path), libraries[0], 500)
    assert max(apart[paper.PGS] + apart[paper.NEWTON]) < 1e-5    # the paper's figure
    friction, contact = [x[1] for x in lines], [x[3] for x in lines]
    assert max(friction) > 0.9 * 0.006 and min(friction) < -0.9 * 0.006    # slides both ways
    assert sum(c > 0 for c in contact) > 50 and sum(c == 0 for c in contact) > 50 and any(abs(f) < 0.005 for f in friction)


def test_times_by_the_number_of_rows(libraries, tmp_path):
    tables = paper.humanoid(str(tmp_path), libraries[:1], 768, 1)
    one, lanes = tables["this engine"], tables["lanes"]
    assert len(one) >= 3 and all(len(t) == len(paper.WAYS) and min(t) > 0 for t in one.values())
    assert all(t[3] < t[2] for rows, t in one.items() if rows > 20)    # the inverse needs no iterations
    assert lanes and all(len(t) == 2 and min(t) > 0 for t in lanes.values())
