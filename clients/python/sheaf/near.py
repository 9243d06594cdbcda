# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Suggests right names for a wrong one."""
from __future__ import annotations

import difflib
from collections.abc import Iterable

MOST = 12    # names that an error lists


def near(name: str, names: Iterable[str]) -> str:
    """The names that are most like this one, or the first ones."""
    names = [n for n in names if n]
    lower = {n.lower(): n for n in names}
    close = [lower[n] for n in difflib.get_close_matches(str(name).lower(), lower, 4, 0.5)]
    if close:
        return " or ".join(map(repr, close))
    more = f", ... ({len(names)} in all)" if len(names) > MOST else ""
    return "one of " + ", ".join(map(repr, names[:MOST])) + more if names else "nothing: there are none with a name"
