# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""What a compute request says besides its numbers: its message, where its arrays lie, and what its answers look like."""
from __future__ import annotations

import numpy as np

from . import wire
from .answer import Plan
from .asked import Asked
from .flight import LONGEST
from .info import Info
from .shared import Layout, Placed

CONTROLS = 16    # messages that are kept: one for each region, timeout, priority and trace


class Form:
    """given: its input arrays, of which only the shapes count."""

    def __init__(self, info: Info, asked: Asked, given: dict[str, np.ndarray]):
        self._info, self._asked, self._shapes = info, asked, wire.kinds(given)
        self.layout = Layout(asked, given)
        self.plan = Plan()
        self._controls: dict[tuple, bytes] = {}
        self._orders: dict[bool, tuple] = {}    # whether some inputs are shared -> wire.order of the others

    def pieces(self, given: dict[str, np.ndarray], placed: Placed | None) -> list:
        """The data section: the arrays that do not lie in shared memory."""
        shared = bool(placed and placed.inputs)
        order = self._orders.get(shared)
        if order is None:
            sent = {k: shape for k, shape in self._shapes.items() if not shared or k not in placed.inputs}
            order = self._orders[shared] = wire.order(wire.section(sent))
        return wire.pieces(order, given) if order else []

    def control(self, placed: Placed | None, manner: tuple) -> bytes:
        """The message. manner: timeout, priority, whether rows that are done are wanted then, whether progress is, and the trace."""
        key = (manner, placed.region.number, placed.region.takes_inputs) if placed else (manner,)
        control = self._controls.get(key)
        if control is None:
            if len(self._controls) >= CONTROLS:
                self._controls.clear()
            control = self._controls[key] = self._make(placed, manner)
        return control

    def _make(self, placed: Placed | None, manner: tuple) -> bytes:
        msg = wire.M[self._asked.request.message]()
        msg.work.model, msg.work.nbatch = self._info.hash, self._asked.nbatch
        timeout, msg.work.priority, msg.work.partial, msg.work.progress, msg.work.traceparent = manner
        # a server ends requests that name no timeout after a time of its own, and no other after less than its largest
        msg.work.timeout_us = max(1, int((LONGEST if timeout is None else timeout) * 1e6))
        msg.work.outputs.extend(self._asked.want)
        for k, v in self._asked.options.items():
            if k == "columns":
                msg.columns.extend(v)
            else:
                setattr(msg, k, v)
        inputs = placed.inputs if placed else {}
        wire.describe(msg.work.inputs, wire.section({k: shape for k, shape in self._shapes.items() if k not in inputs}))
        wire.describe(msg.work.inputs, [(name, *self._shapes[name], at) for name, at in inputs.items()], True)
        if placed:
            msg.work.region = placed.region.number
            for output, offset in placed.places:
                msg.work.places.add(output=output, offset=offset)
        return msg.SerializeToString()
