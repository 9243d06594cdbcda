# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Compiled models against the reference: every array and every size."""
import ctypes
import os
import sys

import numpy as np
import pytest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
sys.path.insert(0, os.path.dirname(__file__))
import live  # noqa: E402
import bridge  # noqa: E402
from compile_cases import CASES, REJECTS  # noqa: E402
from mujoco.introspect.ast_nodes import PointerType  # noqa: E402

# memory, our own name map, pixels
OWN = {"buffer", "nbuffer", "signature", "names_map", "tex_data", "opt", "vis", "stat"}


def text(parts):
    head, body, tail = parts
    return f"<mujoco>{head}<worldbody>{body}</worldbody>{tail}</mujoco>"


def compile_text(xml):
    """Our model and error."""
    lib = live.library()
    lib.mj_parseXMLString.restype = ctypes.c_void_p
    lib.mjs_getError.restype = ctypes.c_char_p
    error = ctypes.create_string_buffer(1000)
    spec = ctypes.c_void_p(lib.mj_parseXMLString(xml.encode(), None, error, 1000))
    assert spec.value, error.value
    model = lib.mj_compile(spec, None)
    reason = lib.mjs_getError(spec).decode()
    lib.mj_deleteSpec(spec)
    return (bridge.Model(model) if model else None), reason


def differing(reference_model, m, skip=(), double=1e-9):
    """Names of fields that differ: integers and text at all, numbers by more than 1e-9 or what is given (float: 1e-6)."""
    r = bridge.Model(reference_model._address)
    names = []
    for f in bridge.unequal(r, m):
        if f.name in OWN or f.name in skip:
            continue
        want, got = getattr(r, f.name), getattr(m, f.name)
        if not isinstance(f.type, PointerType):
            same = want == got
        elif want.shape != got.shape:
            same = False
        elif want.dtype.kind == "f":
            tolerance = double if want.dtype == np.float64 else 1e-6
            with np.errstate(invalid="ignore"):
                near = np.abs(want - got) <= tolerance * np.maximum(1, np.abs(want))
            # what is divided by a singular matrix is infinite or not a number as its last bits fall
            same = np.all((want == got) | near | (np.isnan(want) & ~np.isfinite(got)))
        else:
            same = np.array_equal(want, got)
        if not same:
            names.append(f.name)
    for name in ("opt", "vis"):
        if bytes(getattr(r._s, name)) != bytes(getattr(m._s, name)):
            names.append(name)
    stat, ours = r._s.stat, m._s.stat
    for name in ("meaninertia", "meanmass", "meansize", "extent", "center"):
        if live.difference(np.array(getattr(ours, name)), np.array(getattr(stat, name))) > 1e-9:
            names.append("stat." + name)
    return names


@pytest.mark.parametrize("name", CASES)
def test_feature(name):
    xml = text(CASES[name])
    want = live.mujoco.MjModel.from_xml_string(xml)
    m, reason = compile_text(xml)
    assert m is not None, reason
    assert differing(want, m) == []
    live.library().mj_deleteModel(m.ptr)


@pytest.mark.parametrize("name", live.model_files())
def test_file(name):
    path = str(live.MODELS / name)
    want = live.mujoco.MjModel.from_xml_path(path)
    m = bridge.load_xml(live.library(), path)
    assert differing(want, m) == []
    live.library().mj_deleteModel(m.ptr)


@pytest.mark.parametrize("word,head,body,tail", REJECTS)
def test_reject(word, head, body, tail):
    xml = text((head, body, tail))
    with pytest.raises(ValueError):
        live.mujoco.MjModel.from_xml_string(xml)
    m, reason = compile_text(xml)
    assert m is None
    assert word in reason


@pytest.mark.parametrize("name", ["humanoid.xml", "arm26.xml"])
def test_constants_again(name):
    """mj_setConst on a changed model."""
    if not live.MODELS.is_dir():
        pytest.skip("no models")
    pair = live.Pair.from_file("mujoco/" + name)
    for model in (pair.rm, pair.m):
        model.body_mass[1:] *= 1.5
        model.qpos0[-1] += 0.2
        model.dof_armature[:] += 0.1
    pair.call("mj_setConst")
    assert differing(pair.rm, pair.m) == []


def test_gravity_compensation_again():
    """A model in which nothing was compensated: mj_setConst notices what a program changed."""
    pair = live.Pair.from_text('<mujoco><worldbody><body gravcomp="-1"><freejoint/><geom size=".1"/></body>'
                               '<body pos="1 0 0"><freejoint/><geom size=".1"/></body></worldbody></mujoco>')
    for compensation in ([0, 0, 0.5], [0, -1, 0.5], [0, -1, 0], [0, 0, 0]):
        for model in (pair.rm, pair.m):
            model.body_gravcomp[:] = compensation
        pair.call("mj_setConst", "mj_forward")
        assert pair.m._s.ngravcomp == pair.rm.ngravcomp
        assert pair.off("qfrc_passive")[0] < 1e-12
