# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""The engine in this process, through ctypes: the same calls and the same bits as a server."""
from __future__ import annotations

import ctypes as C
import ctypes.util
import dataclasses
import os
import threading
import time

import numpy as np

from . import errors
from .asked import Asked
from .calls import ARGUMENTS, PARAM, places
from .elements import COLUMNS, JOINT_NQ, JOINT_NV
from .files import content_hash
from .flight import Flight, Timing
from .fork import Forked
from .futures import Crew
from .info import ARRAYS, Info, LoadedModel
from .table import REQUESTS, Field, Request

_PROGRESS = C.CFUNCTYPE(None, C.c_void_p, C.c_int64, C.c_int64)


def _find() -> str:
    """Path of the engine: SHEAF_LIBRARY, else the library inside this package, else one that the system's loader finds."""
    own = os.path.join(os.path.dirname(os.path.abspath(__file__)), "libsheaf.so")
    for path in (os.environ.get("SHEAF_LIBRARY"), own if os.path.exists(own) else None, ctypes.util.find_library("sheaf")):
        if path:
            return path
    raise errors.Unavailable("the engine is not here: install libsheaf, or set SHEAF_LIBRARY to its path")


class _Status(C.Structure):
    _fields_ = [("code", C.c_int), ("field", C.c_char * 64), ("message", C.c_char * 320)]


class _Config(C.Structure):
    _fields_ = [("size", C.c_size_t), ("nthread", C.c_int), ("nlane", C.c_int), ("chunk", C.c_int), ("piece", C.c_double), ("on_work", C.c_void_p),
                ("keep", C.c_size_t), ("precision", C.c_int)]


class _Output(C.Structure):
    _fields_ = [("name", C.c_char_p), ("data", C.c_void_p)]


class _Param(C.Structure):
    _fields_ = [("name", C.c_char_p), ("data", C.c_void_p), ("nrow", C.c_int)]


_TYPES = {"int": C.c_int, "bits": C.c_uint, "flag": C.c_int, "real": C.c_double}


def _fields(f: Field) -> list:
    """The fields of the engine's struct that a row of the table stands for."""
    if f.role == "option":
        return [(f.name, _TYPES[f.type])]
    if f.role == "input":
        return [(f.name, C.c_void_p)] + ([] if f.each else [("n" + f.name, C.c_int)])
    if f.role == "size":
        return [(f.name, C.c_int)]
    if f.role == "output":
        return [(f.name, C.c_void_p)]
    if f.role == "named":
        return [("output", C.c_void_p), ("noutput", C.c_int)]
    if f.role == "params":
        return [("param", C.c_void_p), ("nparam", C.c_int)]
    if f.role == "columns":
        return [("column", C.c_void_p), ("ncolumn", C.c_int)]
    return [("progress", _PROGRESS), ("user", C.c_void_p)] if f.role == "control" else []


def _struct(r: Request):
    own = [("size", C.c_size_t), ("nbatch", C.c_int)]
    return type(r.message, (C.Structure,), {"_fields_": sum(map(_fields, r.fields), own)})


_STRUCTS = {r.name: _struct(r) for r in REQUESTS.values()}

_OBJECTS = {"body": 1, "joint": 3, "geom": 5, "site": 6, "camera": 7, "equality": 17, "tendon": 18, "actuator": 19, "sensor": 20,
            "key": 24}
# the engine's names of the arrays that a model has as attributes (ARRAYS in model.py)
_FIELDS = {n: {"ctrlrange": "actuator_ctrlrange", "ctrllimited": "actuator_ctrllimited"}.get(n, n)
           for n in ARRAYS if n not in ("state0", "key_state")}
# columns of elements.py in the engine's names, and those that follow from the type of a joint
_COLUMN_FIELDS = {
    ("body", "dof_adr"): "body_dofadr", ("body", "dof_dim"): "body_dofnum", ("body", "parent"): "body_parentid",
    ("joint", "type"): "jnt_type", ("joint", "adr"): "jnt_qposadr", ("joint", "dof_adr"): "jnt_dofadr", ("joint", "parent"): "jnt_bodyid",
    ("geom", "type"): "geom_type", ("geom", "parent"): "geom_bodyid", ("site", "type"): "site_type", ("site", "parent"): "site_bodyid",
    ("camera", "parent"): "cam_bodyid", ("equality", "type"): "eq_type", ("actuator", "type"): "actuator_trntype",
    ("actuator", "adr"): "actuator_actadr", ("actuator", "dim"): "actuator_actnum",
    ("sensor", "type"): "sensor_type", ("sensor", "adr"): "sensor_adr", ("sensor", "dim"): "sensor_dim",
}
_JOINT_SIZES = {("joint", "dim"): JOINT_NQ, ("joint", "dof_dim"): JOINT_NV}
_COUNTS = {"body": "nbody", "joint": "njnt", "geom": "ngeom", "site": "nsite", "camera": "ncam", "equality": "neq",
           "tendon": "ntendon", "actuator": "nu", "sensor": "nsensor", "key": "nkey"}


class _Work(C.Structure):
    _fields_ = [("size", C.c_size_t), ("computed", C.c_int64), ("seconds", C.c_double), ("kept", C.c_int64),
                ("queued", C.c_double), ("elapsed", C.c_double), ("cpu", C.c_double)]


@dataclasses.dataclass
class _Held:
    pointer: int | None
    info: Info
    loads: int = 0      # models of Python that were not closed
    calls: int = 0      # that use it


PRECISIONS = {"double": 8, "single": 4}    # bytes of a number
TICK = 0.05    # seconds between looks for signals, while a thread waits for a job


class Embedded(Forked):
    trace = None    # there is no log to show it in
    _closing = False

    def __init__(self, threads: int, lanes: int = 0, timeout: float | None = None, precision: str = "double"):
        super().__init__()
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
                ("sheaf_namedShape", C.c_int, [V, C.c_int, S, V, V]), ("sheaf_costElements", C.c_int, [V, S, V, V]),
                ("sheaf_columns", C.c_int, [V, C.c_int, S, V, C.c_int, V]),
                ("sheaf_paramCount", C.c_int, []), ("sheaf_paramName", S, [C.c_int]), ("sheaf_paramSize", C.c_int, [V, S, V]),
                ("sheaf_paramValues", V, [V, S]),
                ("sheaf_modelNumber", C.c_double, [V, S]), ("sheaf_modelArray", V, [V, S, V, V]),
                ("sheaf_submit", V, [V, V, C.c_int, V, V, V, V]), ("sheaf_waitFor", C.c_int, [V, C.c_double, V]), ("sheaf_jobWork", None, [V, V]),
                ("sheaf_cancel", None, [V]),
                ("sheaf_freeJob", None, [V]), ("sheaf_poolForget", None, [V, V]),
                ("sheaf_poolBytes", C.c_size_t, [V, V]), ("mj_sizeModel", C.c_int64, [V]), ("sheaf_loadModel", V, [S, V, S, C.c_int]), ("mj_deleteModel", None, [V]),
                ("mj_stateSize", C.c_int, [V, C.c_uint]), ("mj_id2name", S, [V, C.c_int, C.c_int]),
                ("mj_defaultVFS", None, [V]), ("mj_addBufferVFS", C.c_int, [V, S, S, C.c_int]), ("mj_deleteVFS", None, [V]),
                ("mj_makeData", V, [V]), ("mj_deleteData", None, [V]), ("mj_getState", None, [V, V, V, C.c_int]),
                ("mj_resetDataKeyframe", None, [V, V, C.c_int])):
            f = getattr(lib, name)
            f.restype, f.argtypes = res, args
        status = _Status()
        if precision not in PRECISIONS:
            raise errors.InvalidArgument("no such precision", field="precision", expected=" or ".join(PRECISIONS), got=repr(precision))
        config = _Config(C.sizeof(_Config), int(threads), int(lanes), 0, precision=PRECISIONS[precision])
        self._pool = lib.sheaf_openPool(C.byref(config), C.byref(status))
        if not self._pool:
            raise self._error(status)
        self.where = f"{lib.sheaf_poolThreads(self._pool)} threads in this process"
        self._models: dict[bytes, _Held] = {}
        self._loading = threading.Lock()    # models come and go one at a time
        self._jobs: set[int] = set()        # jobs that are not freed
        self._ncall = 0                     # number of calls that use the pool
        self._changed = threading.Condition()    # _jobs or _ncall changed
        self.crew = Crew()
        self._timeout, self._start = timeout, time.monotonic()

    @staticmethod
    def _error(status: _Status) -> errors.Error:
        text = status.message.decode(errors="replace")
        expected, _, got = text.removeprefix("expected ").partition(", got ")
        if not text.startswith("expected ") or not got:
            expected = got = ""
        field = status.field.decode(errors="replace")
        return errors.make(status.code, text, field=ARGUMENTS.get(field, field), expected=expected, got=got)

    # ---- models

    def _check_open(self) -> None:
        self.check_process()
        if self._closing or not self._pool:
            raise errors.Unavailable("the session is closed")

    def load(self, main: str, files: dict[str, bytes]) -> Info:
        self._check_open()
        h = content_hash(main, files)
        with self._loading:
            if h not in self._models:
                m = self._compile(main, files)
                self._models[h] = _Held(m, self._describe(h, m))
            held = self._models[h]
            held.loads += 1
            return held.info

    def unload(self, info: Info) -> None:
        """One holder less; without any the model goes when its last call ends."""
        with self._loading, self._changed:
            held = self._models.get(info.hash)
            if held is None or self.forked:
                return
            held.loads -= 1
            if not held.loads:
                del self._models[info.hash]
                if not held.calls:
                    self._delete(held)

    def _delete(self, held: _Held) -> None:
        if self._pool and held.pointer:
            self._lib.sheaf_poolForget(self._pool, held.pointer)
        self._lib.mj_deleteModel(held.pointer)
        held.pointer = None

    def models(self) -> list[LoadedModel]:
        self._check_open()
        with self._loading:
            return [LoadedModel(h.hex(), held.info.name, self._lib.mj_sizeModel(held.pointer),
                                self._lib.sheaf_poolBytes(self._pool, held.pointer), held.calls, False)
                    for h, held in self._models.items()]

    def _compile(self, main: str, files: dict[str, bytes]) -> int:
        vfs, text = C.create_string_buffer(64), C.create_string_buffer(1000)
        self._lib.mj_defaultVFS(vfs)
        try:
            for name, data in files.items():
                if self._lib.mj_addBufferVFS(vfs, name.encode(), data, len(data)):
                    raise errors.InvalidArgument("cannot take this file", field="model", expected="a name once", got=name)
            m = self._lib.sheaf_loadModel(main.encode(), vfs, text, len(text))
        finally:
            self._lib.mj_deleteVFS(vfs)
        if not m:
            raise errors.FailedPrecondition(text.value.decode(errors="replace"), field="model")
        return m

    def _array(self, m, name) -> np.ndarray:
        shape, kind = (C.c_int64 * 2)(), C.c_char()
        p = self._lib.sheaf_modelArray(m, name.encode(), shape, C.byref(kind))
        ctype = {b"d": C.c_double, b"f": C.c_float, b"i": C.c_int, b"l": C.c_int64, b"b": C.c_ubyte, b"c": C.c_ubyte}[kind.value]
        n = shape[0] * shape[1]
        if not n:
            return np.zeros(0)
        return np.ctypeslib.as_array(C.cast(p, C.POINTER(ctype)), (n,)).copy()

    def _column(self, m, kind: str, column: str) -> np.ndarray:
        if (kind, column) in _JOINT_SIZES:
            return np.array(_JOINT_SIZES[kind, column], np.int32)[self._array(m, "jnt_type").astype(int)]
        return self._array(m, _COLUMN_FIELDS[kind, column]).astype(np.int32)

    def _name(self, m) -> str:
        """The model's own name comes first among the names."""
        return bytes(self._array(m, "names").view(np.uint8)).partition(b"\0")[0].decode(errors="replace")

    def _describe(self, h: bytes, m: int) -> Info:
        lib = self._lib
        number = lambda name: lib.sheaf_modelNumber(m, name.encode())
        sizes = {n: int(number(n)) for n in ("nq", "nv", "nu", "na", "nbody", "njnt", "ngeom", "nsite", "nsensor", "nsensordata",
                                             "nmocap", "nkey", "neq", "ntendon", "nuserdata")}
        full = self._FULLPHYSICS
        sizes["nstate"], sizes["ndx"] = lib.mj_stateSize(m, full), 2 * sizes["nv"] + sizes["na"]
        arrays = {n: self._array(m, field) for n, field in _FIELDS.items()}
        d = lib.mj_makeData(m)
        if not d:
            raise MemoryError("there is no memory for the state of the model")
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
        columns = {kind: {c: self._column(m, kind, c) for c in COLUMNS[kind]} for kind in COLUMNS}
        outputs, shape = {}, (C.c_int * 2)()
        for i in range(lib.sheaf_outputCount()):
            name = lib.sheaf_outputName(i)
            n = lib.sheaf_outputSize(m, name, shape)
            if n >= 0 and name.decode() not in outputs:
                outputs[name.decode()] = tuple(shape) if shape[1] != 1 else (shape[0],)
        return Info(h, sizes, number("timestep"), int(number("integrator")), lib.sheaf_modelLanes(m), arrays,
                    self._name(m), names, columns, outputs, self._params(m))

    def _params(self, m: int) -> dict[str, np.ndarray]:
        lib, shape, params = self._lib, (C.c_int * 2)(), {}
        for i in range(lib.sheaf_paramCount()):
            name = lib.sheaf_paramName(i)
            n = lib.sheaf_paramSize(m, name, shape)
            own = np.zeros(0) if n == 0 else np.ctypeslib.as_array(
                C.cast(lib.sheaf_paramValues(m, name), C.POINTER(C.c_double)), (n,)).copy()
            params[name.decode()] = own.reshape(tuple(shape) if shape[1] != 1 else (shape[0],))
        return params

    _FULLPHYSICS = 1 | 2 | 4 | 8 | 1 << 12       # mjSTATE_FULLPHYSICS: time, qpos, qvel, act, plugin

    def _about(self, info: Info, ask, *args) -> int:
        """What the engine says about a model, which nobody frees meanwhile."""
        with self._changed:
            self._check_open()
            if info.hash not in self._models:
                raise errors.FailedPrecondition("the model was closed", field="model")
            return ask(self._models[info.hash].pointer, *args)

    def output_shape(self, info: Info, name: str) -> tuple[int, ...]:
        shape, status = (C.c_int * 2)(), _Status()
        if self._about(info, self._lib.sheaf_namedShape, -1, name.encode(), shape, C.byref(status)) < 0:
            status.field = b"noutput"
            raise self._error(status)
        return tuple(shape) if shape[1] != 1 else (shape[0],)

    def cost_elements(self, info: Info, of: str) -> tuple[int, int, int]:
        term, status = (C.c_double * 10)(), _Status()
        if self._about(info, self._lib.sheaf_costElements, of.encode(), term, C.byref(status)):
            raise self._error(status)
        return int(term[1]), int(term[2]), int(term[3])

    def columns_of(self, info: Info, request: Request, name: str) -> list[int]:
        most = 3 * info.sizes["nv"] + info.sizes["na"] + info.sizes["nu"]
        column, status = (C.c_int32 * most)(), _Status()
        n = self._about(info, self._lib.sheaf_columns, request.number, name.encode(), column, most, C.byref(status))
        if n < 0:
            raise self._error(status)
        return column[:n]

    # ---- calls

    def run(self, info: Info, asked: Asked, given: dict, progress, flight: Flight, at: dict) -> dict:
        self._check_open()
        request, struct = asked.request, _STRUCTS[asked.request.name]
        options = asked.options
        if "columns" in options:
            columns = (C.c_int32 * len(options["columns"]))(*options["columns"])
            options = {k: v for k, v in options.items() if k != "columns"} | {"column": C.addressof(columns), "ncolumn": len(columns)}
        r = struct(size=C.sizeof(struct), nbatch=asked.nbatch, **options)
        out = places(request, asked.nbatch, asked.want, at)
        params = self._set_inputs(r, given, request)    # noqa: F841: the struct has its address
        named = []
        for k, a in out.items():
            f = request.field(k)
            if f and f.role == "output":
                setattr(r, k, a.ctypes.data if a.size else None)
            elif a.size:
                named.append(_Output(k.encode(), a.ctypes.data))
        if named:
            table = (_Output * len(named))(*named)
            r.output, r.noutput = C.addressof(table), len(named)
        if progress:
            r.progress = _PROGRESS(lambda _, done, total: progress(done, total))
        self._call(request.number, info, r, flight)
        return out

    @classmethod
    def _set_inputs(cls, r, given: dict[str, np.ndarray], request: Request):
        """Set the addresses of inputs. Returns what must live as long as the struct."""
        own = []
        for k, a in given.items():
            if not k.startswith(PARAM):
                cls._set_input(r, request.field(k), a, request)
            elif a.size:
                own.append(_Param(k.removeprefix(PARAM).encode(), a.ctypes.data, a.shape[0]))
        params = (_Param * len(own))(*own)
        if own:
            r.param, r.nparam = C.addressof(params), len(own)
        return params

    @staticmethod
    def _set_input(r, f: Field, a: np.ndarray, request: Request) -> None:
        setattr(r, f.name, a.ctypes.data)
        if not f.each:
            setattr(r, "n" + f.name, a.shape[0])
        for k, word in enumerate(f.shape):
            size = request.field(word)
            if size and size.role == "size":
                setattr(r, word, a.shape[1 + k])

    def _call(self, number: int, info: Info, request, flight: Flight) -> None:
        lib, status = self._lib, _Status()
        timeout = self._timeout if flight.timeout is None else flight.timeout
        end = None if timeout is None else time.monotonic() + timeout
        job, held = self._submit(info, number, request, status)
        try:
            with flight.stops(lambda: lib.sheaf_cancel(job)):
                # wait in short pieces, so that an interrupt ends the wait
                while (code := lib.sheaf_waitFor(job, TICK if end is None else min(TICK, end - time.monotonic()), C.byref(status))) < 0:
                    if end is None or time.monotonic() < end:
                        continue
                    if not flight.partial:
                        raise errors.DeadlineExceeded(f"not done within {timeout:g} s")
                    lib.sheaf_cancel(job)
                    self._join(job)
                    return
            if flight.watched:
                flight.timing = self._timing(job)
        except BaseException:
            # the job writes to these arrays: it must end before they are freed
            lib.sheaf_cancel(job)
            self._join(job)
            raise
        finally:
            self._free(job, held)
        if code:
            raise self._error(status)

    def _submit(self, info: Info, number: int, request, status: _Status) -> tuple[int, _Held]:
        with self._changed:
            self._check_open()
            held = self._models.get(info.hash)
            if held is None:
                raise errors.FailedPrecondition("the model was closed", field="model")
            self._ncall += 1
            held.calls += 1
        job = self._lib.sheaf_submit(self._pool, held.pointer, number, C.byref(request), None, None, C.byref(status))
        if not job:
            self._free(job, held)
            raise self._error(status)
        with self._changed:
            self._jobs.add(job)
            if self._closing:
                self._lib.sheaf_cancel(job)
        return job, held

    def _free(self, job: int | None, held: _Held) -> None:
        with self._changed:
            self._jobs.discard(job)
            self._lib.sheaf_freeJob(job)
            self._ncall -= 1
            held.calls -= 1
            if not held.loads and not held.calls:
                self._delete(held)
            if self._closing:
                self._changed.notify_all()

    def _join(self, job: int) -> None:
        while True:
            try:
                if self._lib.sheaf_waitFor(job, TICK, None) >= 0:
                    return
            except KeyboardInterrupt:
                pass      # the job was cancelled already and ends soon: wait on

    def _timing(self, job: int) -> Timing:
        work = _Work(size=C.sizeof(_Work))
        self._lib.sheaf_jobWork(job, C.byref(work))
        return Timing(work.queued, work.elapsed - work.queued, 0.0)

    def info(self) -> dict:
        self._check_open()
        return {"server": "in this process", "build": self._lib.sheaf_buildInfo().decode(), "state": "serving",
                "threads": self._lib.sheaf_poolThreads(self._pool), "models": len(self._models),
                "uptime_us": int((time.monotonic() - self._start) * 1e6)}

    def ping(self) -> float:
        return 0.0

    def close(self) -> None:
        """End the session. Calls of other threads raise Cancelled."""
        self._closing = True
        if self.forked:
            return      # the pool's threads are in the other process
        self.crew.close()
        with self._changed:
            for job in self._jobs:
                self._lib.sheaf_cancel(job)
            self._changed.wait_for(lambda: not self._ncall)
            self._close_pool()

    def _close_pool(self) -> None:
        if self._pool:
            self._lib.sheaf_closePool(self._pool)
            self._pool = None
            for held in self._models.values():
                self._delete(held)
            self._models = {}
