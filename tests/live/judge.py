# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Is a document accepted? Both libraries answer in processes of their own, since some answers are a crash or never come.

`judge` yields a Verdict for each (name, document).
"""
import collections
import ctypes
import functools
import glob
import json
import os
import select
import signal
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
import bridge  # noqa: E402

# reasons are None where the document is accepted; differing: names of the arrays that differ where both accept
Verdict = collections.namedtuple("Verdict", "name xml reference ours differing")
PATIENCE = 20  # seconds of a processor for one document; some take a few, and a busy machine gives them slowly
DOCUMENT = "test.xml"
ENDS, ENDLESS = "ends the process", "never answers"
BAD = (ENDS, ENDLESS)


@functools.cache
def _cache():
    import mujoco
    lib = ctypes.CDLL(glob.glob(os.path.join(glob.escape(os.path.dirname(mujoco.__file__)), "libmujoco.so*"))[0])
    lib.mj_getCache.restype = ctypes.c_void_p
    for plugin in sorted(glob.glob(os.path.join(glob.escape(os.path.dirname(mujoco.__file__)), "plugin", "*.so"))):
        mujoco.mj_loadPluginLibrary(plugin)
    return lib, ctypes.c_void_p(lib.mj_getCache())


def forget():
    """Files that the reference read once are not read again, whatever is asked of them."""
    lib, cache = _cache()
    lib.mj_clearCache(cache)


def _reference():
    import mujoco
    forget()
    try:
        return mujoco.MjModel.from_xml_path(DOCUMENT), None
    except (ValueError, mujoco.FatalError, mujoco.UnexpectedError) as e:
        return None, str(e) or "no reason"


def _ours(lib):
    error = ctypes.create_string_buffer(2000)
    model = lib.mj_loadXML(DOCUMENT.encode(), None, error, 2000)
    return model, None if model else error.value.decode(errors="replace") or "no reason"


def _worker(cases, start, path, compare, files, both, out):
    """Answers from a start on: a letter before each answer, so that it is known which one ended the process."""
    os.chdir(tempfile.mkdtemp())  # the reference writes a log where it stands
    for name, content in files.items():
        os.makedirs(os.path.dirname(name) or ".", exist_ok=True)
        with open(name, "wb") as f:
            f.write(content.encode() if isinstance(content, str) else content)
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 2)
    os.dup2(null, 1)
    lib = bridge.load(path)
    for i in range(start, len(cases)):
        with open(DOCUMENT, "w") as f:
            f.write(cases[i][1])
        out.write("r")
        out.flush()
        m, want = _reference() if both else (None, "not asked")
        out.write("o")
        out.flush()
        ours, got = _ours(lib)
        off = []
        if m is not None and ours:
            off = compare(m, bridge.Model(ours))
        if ours:
            lib.mj_deleteModel(ctypes.c_void_p(ours))
        out.write(json.dumps([want, got, off]) + "\n")
        out.flush()
    os._exit(0)


def _spawn(*args):
    read, write = os.pipe()
    pid = os.fork()
    if not pid:
        os.close(read)
        try:
            _worker(*args, os.fdopen(write, "w"))
        finally:
            os._exit(3)
    os.close(write)
    return pid, read


def _processor(pid):
    """Seconds that the worker has had a processor."""
    with open(f"/proc/{pid}/schedstat") as file:
        return 1e-9 * int(file.read().split()[0])


def judge(cases, library, compare, files=(), both=True):
    """Verdicts in order; compare(model of the reference, ours) names what differs. Without both, only ours is asked."""
    cases, done = list(cases), 0
    while done < len(cases):
        pid, read = _spawn(cases, done, library, compare, dict(files), both)
        text = b""
        why = ENDS
        while True:
            began, used = time.monotonic(), _processor(pid)
            while not select.select([read], [], [], 1)[0]:
                if _processor(pid) - used > PATIENCE or time.monotonic() - began > 15 * PATIENCE:
                    why = ENDLESS
                    os.kill(pid, signal.SIGKILL)
                    break
            chunk = os.read(read, 1 << 16)
            text += chunk
            *lines, text = text.split(b"\n")
            for line in lines:
                yield Verdict(*cases[done], *json.loads(line[2:]))
                done += 1
            if not chunk:
                break
        os.close(read)
        os.waitpid(pid, 0)
        if done < len(cases):
            reference = "o" not in text.decode()
            yield Verdict(*cases[done], why if reference else "unknown", "not asked" if reference else why, [])
            done += 1
