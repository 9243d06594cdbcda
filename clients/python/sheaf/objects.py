# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Models that a program holds as objects of the package mujoco. This module does not import the package: a program that has such an
object has imported it."""
from __future__ import annotations

import os
import sys

import numpy as np

from .errors import FailedPrecondition

RELEASE = "3.4."    # release whose compiled models the engine reads


def is_mujoco(model, name: str) -> bool:
    return type(model).__name__ == name and type(model).__module__.partition(".")[0] == "mujoco"


def compiled(model) -> bytes:
    """The bytes of an MjModel's binary file."""
    mujoco = sys.modules["mujoco"]
    if not mujoco.__version__.startswith(RELEASE):
        raise FailedPrecondition(f"a compiled model of mujoco {mujoco.__version__} cannot be read: give its XML, or the MjSpec it was "
                                 "made of", field="model", expected=f"mujoco {RELEASE}x", got=mujoco.__version__)
    data = np.empty(mujoco.mj_sizeModel(model), np.uint8)
    mujoco.mj_saveModel(model, None, data)
    return data.tobytes()


def of_spec(spec) -> tuple[str, bytes, str | None, dict[str, bytes]]:
    """Name and content of the main file of an MjSpec, its folder, and the files that it holds. Does not change the MjSpec.

    If this is a release whose compiled models the engine reads, the package compiles the model; others write it as text that refers to files.
    """
    now = spec.copy()
    try:
        model = now.compile()
    except ValueError as e:
        raise FailedPrecondition(str(e), field="model") from None
    if sys.modules["mujoco"].__version__.startswith(RELEASE):
        return "model.mjb", compiled(model), None, {}
    folder = os.path.abspath(spec.modelfiledir) if spec.modelfiledir else None
    return "model.xml", now.to_xml().encode(), folder, dict(spec.assets)
