# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Call the engine from Python next to the reference, on the same model.

Both libraries share the layout of the public structures, so a model that the reference compiled can be
copied into one of ours (`adopt`), and arrays of either side are numpy views by name:

    import mujoco, bridge
    lib = bridge.load("build/release/engine/libsheaf.so")
    rm = mujoco.MjModel.from_xml_path("humanoid.xml"); rd = mujoco.MjData(rm)
    m = bridge.adopt(lib, rm)                 # our mjModel, copied from the reference's
    d = bridge.Data(lib, m)                   # our mjData
    d.qpos[:] = rd.qpos
    lib.mj_kinematics(m.ptr, d.ptr); mujoco.mj_kinematics(rm, rd)
    abs(d.xpos - rd.xpos).max()

Needs the mujoco wheel and numpy; only tests use it.
"""
import ctypes
import functools
import math
import os

import numpy as np
from mujoco.introspect import structs
from mujoco.introspect.ast_nodes import (AnonymousStructDecl, ArrayType, PointerType)

_C = {"int": ctypes.c_int, "mjtNum": ctypes.c_double, "double": ctypes.c_double, "float": ctypes.c_float,
      "mjtByte": ctypes.c_ubyte, "mjtSize": ctypes.c_int64, "size_t": ctypes.c_size_t, "char": ctypes.c_char,
      "uintptr_t": ctypes.c_size_t, "uint64_t": ctypes.c_uint64, "unsigned int": ctypes.c_uint}
_STRUCTS = {}


def _ctype(t):
    if isinstance(t, ArrayType):
        c = _ctype(t.inner_type)
        for n in reversed(t.extents):
            c = c * n
        return c
    if isinstance(t, PointerType):
        return ctypes.c_void_p
    if isinstance(t, AnonymousStructDecl):
        return type("anonymous", (ctypes.Structure,), {"_fields_": [(f.name, _ctype(f.type)) for f in t.fields]})
    if t.name in _C:
        return _C[t.name]
    if t.name in structs.STRUCTS:
        return struct(t.name)
    return ctypes.c_int  # enums


def struct(name):
    """The ctypes structure of a public struct."""
    if name not in _STRUCTS:
        fields = [(f.name, _ctype(f.type)) for f in structs.STRUCTS[name].fields]
        _STRUCTS[name] = type(name, (ctypes.Structure,), {"_fields_": fields})
    return _STRUCTS[name]


def load(path, mode=None):
    """Load libsheaf; lazy binding, so that a library with parts missing can be tried."""
    lib = ctypes.CDLL(os.path.abspath(path), mode=mode or (os.RTLD_LAZY | os.RTLD_LOCAL))
    for name, res in (("mj_copyModel", ctypes.c_void_p), ("mj_makeData", ctypes.c_void_p),
                      ("mj_loadXML", ctypes.c_void_p), ("mj_id2name", ctypes.c_char_p),
                      ("mj_compile", ctypes.c_void_p), ("mj_makeSpec", ctypes.c_void_p)):
        try:
            getattr(lib, name).restype = res
        except AttributeError:
            pass
    return lib


_CONSTANTS = {"mjNREF": 2, "mjNIMP": 5, "mjNEQDATA": 11, "mjNDYN": 10, "mjNGAIN": 10, "mjNBIAS": 10, "mjNFLUID": 12, "mjNSENS": 3,
              "mjNTEXROLE": 10}


def _extent(text):
    """A number and the names of the sizes that it is multiplied by."""
    factor, names = 1, []
    for part in str(text).split("*"):
        part = part.strip()
        if part.isdigit():
            factor *= int(part)
        elif part.startswith(("mjN", "mjMAX")):
            factor *= _CONSTANTS[part]
        else:
            names.append(part)
    return factor, names


@functools.cache
def _field(struct_name, name):
    """How a field is read: None if there is none, "value", "array", or of a pointer to an array the type of its elements, whether they are
    structs, and the extents."""
    f = next((f for f in structs.STRUCTS[struct_name].fields if f.name == name), None)
    if f is None:
        return None
    if isinstance(f.type, PointerType) and f.array_extent is not None:
        inner = f.type.inner_type
        return _ctype(inner), inner.name in structs.STRUCTS, [_extent(e) for e in f.array_extent]
    return "array" if isinstance(f.type, ArrayType) and f.type.inner_type.name in _C else "value"


class _View:
    """Fields of a struct at an address: scalars by value, arrays as numpy views."""

    def __init__(self, name, ptr, model=None):
        self.__dict__.update(ptr=ctypes.c_void_p(ptr), _name=name, _model=model,
                             _s=ctypes.cast(ptr, ctypes.POINTER(struct(name))).contents)

    def _size(self, extent):
        total, names = extent
        for name in names:
            own = getattr(self._s, name, None)
            total *= own if own is not None else getattr(self._model._s, name)
        return total

    def __getattr__(self, name):
        field = _field(self._name, name)
        if field is None:
            raise AttributeError(name)
        value = getattr(self._s, name)
        if field == "value":
            return value
        if field == "array":
            return np.ctypeslib.as_array(value)
        element, of_structs, extents = field
        shape = [self._size(e) for e in extents]
        n = math.prod(shape)
        if n == 0 or not value:
            return np.zeros(shape)
        array = (element * n).from_address(value)
        return array if of_structs else np.frombuffer(array, element).reshape(shape)

    def __setattr__(self, name, value):
        setattr(self._s, name, value)

    def _bytes(self, name):
        """What tells whether a field is the same in two views: its shape and bytes, or its value."""
        field, value = _field(self._name, name), getattr(self._s, name)
        if not isinstance(field, tuple):
            return value if field == "value" else bytes(value)
        shape = [self._size(e) for e in field[2]]
        n = math.prod(shape) * ctypes.sizeof(field[0])
        return shape, ctypes.string_at(value, n) if n and value else b""


def unequal(a, b):
    """Fields of two views of a struct in which they are not equal to the byte, but for structs in it. Comparing numbers takes far longer,
    and nearly all fields of nearly all models are equal."""
    return [f for f in structs.STRUCTS[a._name].fields if a._bytes(f.name) != b._bytes(f.name)]


class Model(_View):
    def __init__(self, ptr):
        super().__init__("mjModel", ptr)


class Data(_View):
    def __init__(self, lib, model, ptr=None):
        super().__init__("mjData", ptr or lib.mj_makeData(model.ptr), model)


def adopt(lib, reference_model):
    """Copy a model of the reference's Python bindings into one of ours."""
    ptr = lib.mj_copyModel(None, ctypes.c_void_p(reference_model._address))
    if not ptr:
        raise RuntimeError("mj_copyModel failed")
    return Model(ptr)


def load_xml(lib, path):
    """Load a model with our own compiler."""
    err = ctypes.create_string_buffer(1000)
    ptr = lib.mj_loadXML(os.fsencode(path), None, err, 1000)
    if not ptr:
        raise RuntimeError(err.value.decode(errors="replace"))
    return Model(ptr)
