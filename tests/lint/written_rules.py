# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Files that are written by a program of this tree are as it would write them today."""
import os
import sys

import tree

sys.path.insert(0, os.path.join(tree.ROOT, "proto"))
import describe    # noqa: E402


def check():
    if not describe.is_fresh():
        yield "proto/README.md", "not what the table says: run python3 proto/describe.py"
