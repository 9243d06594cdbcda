# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Batches of rollouts, forward and inverse dynamics and derivatives, on a server or in this process.

    import sheaf
    with sheaf.connect("tcp://127.0.0.1:7447") as s:      # or "unix:///path", or sheaf.connect(threads=2)
        m = s.load("humanoid.xml")
        state, sensordata = m.rollout(m.state0, controls)   # (B, T, nstate), (B, T, nsensordata)

Reading order: session.py (connect, load), table.py (reads which requests there are), model.py (the calls; calls.py has what they share, asked.py what equal ones do),
then the two backends remote.py (which uses connection.py, wire.py and retry.py) and embedded.py. files.py collects the files of a model.
"""
from . import compat
from .codes import Code, Row
from .contacts import contacts
from .cost import Cost
from .derivatives import Derivatives, Regressor
from .errors import (Cancelled, DataLoss, DeadlineExceeded, Error, FailedPrecondition, Internal, InvalidArgument,
                     NotFound, ResourceExhausted, Unauthenticated, Unavailable, Unimplemented)
from .flight import Timing
from .futures import Future
from .info import LoadedModel
from .model import Model
from .result import RolloutResult
from .retry import Retry
from .sample import CEM, MPPI, Gradient, PredictiveSampling, SampleResult
from .session import Session, connect
from .version import VERSION as __version__

__all__ = ["connect", "compat", "contacts", "Session", "Model", "LoadedModel", "Cost", "PredictiveSampling", "MPPI", "CEM", "Gradient", "SampleResult",
           "Retry", "RolloutResult", "Derivatives", "Regressor", "Future", "Timing", "Code", "Row", "Error", "Cancelled",
           "DataLoss", "DeadlineExceeded", "FailedPrecondition", "Internal", "InvalidArgument", "NotFound", "ResourceExhausted",
           "Unauthenticated", "Unavailable", "Unimplemented", "VectorEnv"]


def __getattr__(name: str):
    # it imports Gymnasium where that is installed, which takes longer than everything else here
    if name == "VectorEnv":
        from .vector import VectorEnv
        return VectorEnv
    raise AttributeError(f"module 'sheaf' has no attribute {name!r}")
