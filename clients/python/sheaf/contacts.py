# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""What the columns of the output "contact[N]" are."""
from __future__ import annotations

import numpy as np

from .errors import InvalidArgument

# columns of sheaf/batch.h: name and shape
_PARTS = (("geom", (2,)), ("body", (2,)), ("dim", ()), ("dist", ()), ("pos", (3,)), ("frame", (3, 3)), ("force", (6,)))
_COLUMNS = 24


def contacts(rows: np.ndarray) -> dict[str, np.ndarray]:
    """The parts of "contact[N]", an array (..., N, 24), by name; they are views of it:

        geom, body  (..., N, 2)     ids; -1 in rows without a contact, which the output "ncon" counts
        dim, dist   (..., N)        dimension of the contact, distance (negative in penetration)
        pos         (..., N, 3)     midpoint, in world coordinates
        frame       (..., N, 3, 3)  rows: the normal, from the first geom to the second, and two tangents
        force       (..., N, 6)     force and torque in this frame, as mj_contactForce returns them
    """
    shape = np.shape(rows)
    if not shape or shape[-1] != _COLUMNS:
        raise InvalidArgument("wrong shape", field="contact", expected="(..., 24)", got=str(shape))
    parts, at = {}, 0
    for name, form in _PARTS:
        n = int(np.prod(form))
        part = rows[..., at:at + n] if form else rows[..., at]
        parts[name] = part if len(form) < 2 else part.reshape(*shape[:-1], *form)
        at += n
    return parts
