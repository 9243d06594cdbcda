# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""The engine in this process, through ctypes: the same calls and the same bits as a server."""
from __future__ import annotations

import ctypes as C
import ctypes.util
import os
import threading
import time

import numpy as np

from . import errors
from .files import content_hash
from .model import ARRAYS, Info

_F64, _I32 = C.POINTER(C.c_double), C.POINTER(C.c_int32)
_PROGRESS = C.CFUNCTYPE(None, C.c_void_p, C.c_int64, C.c_int64)
_DONE = C.CFUNCTYPE(None, C.c_void_p, C.c_void_p)


def _find() -> str:
    """SHEAF_LIBRARY, or the engine inside this package, or one that the system's loader knows."""
    own = os.path.join(os.path.dirname(os.path.abspath(__file__)), "libsheaf.so")
    for path in (os.environ.get("SHEAF_LIBRARY"), own if os.path.exists(own) else None, ctypes.util.find_library("sheaf")):
        if path:
            return path
    raise errors.Unavailable("the engine is not here: install libsheaf, or set SHEAF_LIBRARY to its path")


class _Status(C.Structure):
    _fields_ = [("code", C.c_int), ("field", C.c_char * 64), ("message", C.c_char * 320)]


class _Config(C.Structure):
    _fields_ = [("size", C.c_size_t), ("nthread", C.c_int), ("nlane", C.c_int), ("chunk", C.c_int)]


class _Output(C.Structure):
    _fields_ = [("name", C.c_char_p), ("data", C.c_void_p)]


def _struct(name, text):
    """A ctypes structure from 'field field ...' with types: i int, u unsigned, d double, p pointer, s size_t, f callback."""
    types = {"i": C.c_int, "u": C.c_uint, "d": C.c_double, "p": C.c_void_p, "s": C.c_size_t, "f": _PROGRESS}
    return type(name, (C.Structure,), {"_fields_": [(f[2:], types[f[0]]) for f in text.split()]})


def _inputs(names):
    return " ".join(f"p:{n} i:n{n}" for n in names.split())


# sheaf/batch.h
_KINDS = {
    "rollout": (0, "sheaf_rollout", _struct("Rollout", "s:size i:nbatch i:nstep p:length " + _inputs("state0 warmstart0") +
                " u:control_spec p:control i:ncontrol i:ncontrolstep i:hold p:state p:sensordata p:final_state"
                " p:final_warmstart p:output i:noutput p:status p:badstep f:progress p:user")),
    "forward": (1, "sheaf_forward", _struct("Forward", "s:size i:nbatch " + _inputs("qpos qvel act ctrl qfrc_applied xfrc_applied "
                "mocap_pos mocap_quat warmstart time") + " i:stage p:output i:noutput p:status f:progress p:user")),
    "inverse": (2, "sheaf_inverse", _struct("Inverse", "s:size i:nbatch " + _inputs("qpos qvel qacc mocap_pos mocap_quat") +
                " i:discrete p:qfrc_inverse p:output i:noutput p:status f:progress p:user")),
    "transition_fd": (3, "sheaf_transitionFD", _struct("TransitionFD", "s:size i:nbatch p:state " + _inputs("ctrl warmstart") +
                      " d:eps i:centered p:A p:B p:C p:D p:status f:progress p:user")),
    "inverse_fd": (4, "sheaf_inverseFD", _struct("InverseFD", "s:size i:nbatch " + _inputs("qpos qvel qacc") +
                   " d:eps i:flg_actuation p:DfDq p:DfDv p:DfDa p:status f:progress p:user")),
}

# results with a field of their own; others go by name
_RESULTS = {"state", "sensordata", "final_state", "final_warmstart", "qfrc_inverse", "A", "B", "C", "D", "DfDq", "DfDv", "DfDa",
            "status", "badstep"}
_OPTIONS = {"actuation": "flg_actuation"}
_OBJECTS = {"body": 1, "joint": 3, "geom": 5, "site": 6, "camera": 7, "equality": 17, "tendon": 18, "actuator": 19, "sensor": 20,
            "key": 24}
# arrays that a model shows, where their name is not the engine's (ARRAYS in model.py)
_FIELDS = {n: {"ctrlrange": "actuator_ctrlrange", "ctrllimited": "actuator_ctrllimited"}.get(n, n)
           for n in ARRAYS if n not in ("state0", "key_state")}
_COUNTS = {"body": "nbody", "joint": "njnt", "geom": "ngeom", "site": "nsite", "camera": "ncam", "equality": "neq",
           "tendon": "ntendon", "actuator": "nu", "sensor": "nsensor", "key": "nkey"}


class Embedded:
    def __init__(self, threads: int, lanes: int = 0, timeout: float | None = None):
        path = _find()
        try:
            self._lib = lib = C.CDLL(path)
        except OSError as e:
            raise errors.Unavailable(f"cannot load the engine: {e}") from None
        V, S = C.c_void_p, C.c_char_p
        for name, res, args in (
                ("sheaf_openPool", V, [V, V]), ("sheaf_closePool", None, [V]), ("sheaf_poolThreads", C.c_int, [V]),
                ("sheaf_buildInfo", S, []), ("sheaf_modelLanes", C.c_int, [V]), ("sheaf_outputCount", C.c_int, []),
                ("sheaf_outputName", S, [C.c_int]), ("sheaf_outputSize", C.c_int, [V, S, V]),
                ("sheaf_modelNumber", C.c_double, [V, S]), ("sheaf_modelArray", V, [V, S, V, V]),
                ("sheaf_submit", V, [V, V, C.c_int, V, _DONE, V, V]), ("sheaf_wait", C.c_int, [V, V]), ("sheaf_cancel", None, [V]),
                ("sheaf_freeJob", None, [V]), ("mj_loadXML", V, [S, V, S, C.c_int]), ("mj_deleteModel", None, [V]),
                ("mj_stateSize", C.c_int, [V, C.c_uint]), ("mj_id2name", S, [V, C.c_int, C.c_int]),
                ("mj_defaultVFS", None, [V]), ("mj_addBufferVFS", C.c_int, [V, S, S, C.c_int]), ("mj_deleteVFS", None, [V]),
                ("mj_makeData", V, [V]), ("mj_deleteData", None, [V]), ("mj_getState", None, [V, V, V, C.c_int]),
                ("mj_resetDataKeyframe", None, [V, V, C.c_int])):
            f = getattr(lib, name)
            f.restype, f.argtypes = res, args
        status = _Status()
        config = _Config(C.sizeof(_Config), int(threads), int(lanes), 0)
        self._pool = lib.sheaf_openPool(C.byref(config), C.byref(status))
        if not self._pool:
            raise self._error(status)
        self._models: dict[bytes, tuple[int, Info]] = {}
        self._lock = threading.Lock()       # of _models
        self._timeout, self._start = timeout, time.monotonic()

    @staticmethod
    def _error(status: _Status) -> errors.Error:
        return errors.make(status.code, status.message.decode(errors="replace"), field=status.field.decode(errors="replace"))

    # ---- models

    def _check_open(self) -> None:
        if not self._pool:
            raise errors.Unavailable("the session is closed")

    def load(self, main: str, files: dict[str, bytes]) -> Info:
        self._check_open()
        h = content_hash(main, files)
        with self._lock:
            if h not in self._models:
                m = self._compile(main, files)
                self._models[h] = (m, self._describe(h, m))
            return self._models[h][1]

    def _compile(self, main: str, files: dict[str, bytes]) -> int:
        vfs, text = C.create_string_buffer(64), C.create_string_buffer(1000)
        self._lib.mj_defaultVFS(vfs)
        try:
            for name, data in files.items():
                if self._lib.mj_addBufferVFS(vfs, name.encode(), data, len(data)):
                    raise errors.InvalidArgument("cannot take this file", field="model", expected="a name once", got=name)
            m = self._lib.mj_loadXML(main.encode(), vfs, text, len(text))
        finally:
            self._lib.mj_deleteVFS(vfs)
        if not m:
            raise errors.FailedPrecondition(text.value.decode(errors="replace"), field="model")
        return m

    def _array(self, m, name) -> np.ndarray:
        shape, kind = (C.c_int64 * 2)(), C.c_char()
        p = self._lib.sheaf_modelArray(m, name.encode(), shape, C.byref(kind))
        ctype = {b"d": C.c_double, b"f": C.c_float, b"i": C.c_int, b"l": C.c_int64, b"b": C.c_ubyte}[kind.value]
        n = shape[0] * shape[1]
        if not n:
            return np.zeros(0)
        return np.ctypeslib.as_array(C.cast(p, C.POINTER(ctype)), (n,)).copy()

    def _describe(self, h: bytes, m: int) -> Info:
        lib = self._lib
        number = lambda name: lib.sheaf_modelNumber(m, name.encode())
        sizes = {n: int(number(n)) for n in ("nq", "nv", "nu", "na", "nbody", "njnt", "ngeom", "nsite", "nsensor", "nsensordata",
                                             "nmocap", "nkey", "neq", "ntendon", "nuserdata")}
        full = self._FULLPHYSICS
        sizes["nstate"], sizes["ndx"] = lib.mj_stateSize(m, full), 2 * sizes["nv"] + sizes["na"]
        arrays = {n: self._array(m, field) for n, field in _FIELDS.items()}
        d = lib.mj_makeData(m)
        row = np.zeros(sizes["nstate"])
        lib.mj_getState(m, d, row.ctypes.data, full)
        arrays["state0"] = row.copy()
        keys = np.zeros((sizes["nkey"], sizes["nstate"]))
        for k in range(sizes["nkey"]):
            lib.mj_resetDataKeyframe(m, d, k)
            lib.mj_getState(m, d, row.ctypes.data, full)
            keys[k] = row
        arrays["key_state"] = keys
        lib.mj_deleteData(d)
        arrays = {n: arrays[n].reshape(shape(sizes)) for n, shape in ARRAYS.items()}
        names = {}
        for kind, obj in _OBJECTS.items():
            n = int(number(_COUNTS[kind]))
            names[kind] = [(lib.mj_id2name(m, obj, i) or b"").decode(errors="replace") for i in range(n)]
        outputs, shape = {}, (C.c_int * 2)()
        for i in range(lib.sheaf_outputCount()):
            name = lib.sheaf_outputName(i)
            n = lib.sheaf_outputSize(m, name, shape)
            if n >= 0 and name.decode() not in outputs:
                outputs[name.decode()] = tuple(shape) if shape[1] != 1 else (shape[0],)
        return Info(h, sizes, number("timestep"), int(number("integrator")), lib.sheaf_modelLanes(m), arrays, names,
                    outputs, lambda spec: lib.mj_stateSize(m, spec))

    _FULLPHYSICS = 1 | 2 | 4 | 8 | 1 << 12       # mjSTATE_FULLPHYSICS: time, qpos, qvel, act, plugin

    # ---- calls

    def run(self, info: Info, kind: str, given: dict, nbatch: int, options: dict, want: dict, progress) -> dict:
        self._check_open()
        number, _, struct = _KINDS[kind]
        r = struct(size=C.sizeof(struct), nbatch=nbatch)
        fields = {f[0] for f in struct._fields_}
        out = {k: np.zeros(shape) for k, shape in want.items()}
        out["status"] = np.zeros(nbatch, np.int32)
        if kind == "rollout":
            out["badstep"] = np.zeros(nbatch, np.int32)
        for k, v in options.items():
            setattr(r, _OPTIONS.get(k, k), int(v) if isinstance(v, bool) else v)
        for k, a in given.items():
            setattr(r, k, a.ctypes.data)
            if "n" + k in fields:
                setattr(r, "n" + k, a.shape[0])
        if "control" in given:
            r.ncontrolstep = given["control"].shape[1]
        named = []
        for k, a in out.items():
            if k in fields & _RESULTS:
                setattr(r, k, a.ctypes.data if a.size else None)
            elif a.size:
                named.append(_Output(k.encode(), a.ctypes.data))
        if named:
            table = (_Output * len(named))(*named)
            r.output, r.noutput = C.addressof(table), len(named)
        if progress:
            r.progress = _PROGRESS(lambda _, done, total: progress(done, total))
        self._call(number, self._models[info.hash][0], r)
        return out

    def _call(self, number: int, m: int, request) -> None:
        lib, status, over = self._lib, _Status(), threading.Event()
        done = _DONE(lambda user, job: over.set())
        job = lib.sheaf_submit(self._pool, m, number, C.byref(request), done, None, C.byref(status))
        if not job:
            raise self._error(status)
        try:
            # the wait is Python's own, so that an interrupt ends it
            if not over.wait(self._timeout):
                raise errors.DeadlineExceeded(f"not done within {self._timeout} s")
        except BaseException:
            # the job writes to our arrays: it must be over before they go
            lib.sheaf_cancel(job)
            self._join(over)
            raise
        else:
            if lib.sheaf_wait(job, C.byref(status)):
                raise self._error(status)
        finally:
            lib.sheaf_freeJob(job)

    @staticmethod
    def _join(over: threading.Event) -> None:
        while not over.is_set():
            try:
                over.wait()
            except KeyboardInterrupt:
                pass      # once is enough: the job is on its way out

    def info(self) -> dict:
        return {"server": "in this process", "build": self._lib.sheaf_buildInfo().decode(), "state": "serving",
                "threads": self._lib.sheaf_poolThreads(self._pool), "models": len(self._models),
                "uptime_us": int((time.monotonic() - self._start) * 1e6)}

    def ping(self) -> float:
        return 0.0

    def close(self) -> None:
        if self._pool:
            self._lib.sheaf_closePool(self._pool)
            self._pool = None
            for m, _ in self._models.values():
                self._lib.mj_deleteModel(m)
            self._models = {}
