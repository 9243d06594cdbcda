# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""URDF: what is accepted and what comes of it, for random documents and for what people write.

A longer search, from document FIRST on:

    SHEAF_LIBRARY=build/release/engine/libsheaf.so python3 tests/live/test_urdf.py FIRST COUNT
"""
import ctypes
import os
import pathlib
import sys

import pytest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
sys.path.insert(0, os.path.dirname(__file__))
import live  # noqa: E402
import bridge  # noqa: E402
import judge  # noqa: E402
import urdf_documents as urdf  # noqa: E402
import fusing  # noqa: E402
from test_compile import differing as all_differing  # noqa: E402

mujoco = live.mujoco


def differing(want, m):
    """In a worker of the judge, which stands beside its document."""
    return fusing.differing(pathlib.Path(judge.DOCUMENT), want, m)



def disagreements(seeds, library):
    for v in judge.judge(((str(seed), urdf.document(seed)) for seed in seeds), library, differing, urdf.FILES):
        if (v.reference is None) != (v.ours is None) or v.differing or v.ours in judge.BAD:
            yield f"{v.name}: ours: {v.ours}, reference: {v.reference}, differing: {v.differing}"


def library_path():
    live.library()
    return os.path.abspath(os.environ["SHEAF_LIBRARY"])


def test_random_documents():
    assert not list(disagreements(range(1200), library_path()))


def test_random_documents_say_something():
    """Most of the right documents make models, and what is wrong is found by the reader and by the compiler."""
    verdicts = list(judge.judge(((str(seed), urdf.document(seed, seed % 2)) for seed in range(200)), library_path(), lambda m, ours: [], urdf.FILES))
    assert sum(v.ours is None for v in verdicts[::2]) > 50 and sum(v.ours is not None for v in verdicts[1::2]) > 40


ROBOT = """<robot name="arm"><mujoco><compiler meshdir="meshes" discardvisual="false"/></mujoco><link name="base"><collision><geometry>
<box size="1 1 1"/></geometry></collision></link><link name="rod"><visual><geometry><mesh filename="package://arm/tet.obj" scale="2 2 2"/>
</geometry></visual><collision name="c"><geometry><mesh filename="tet.obj"/></geometry></collision></link><joint name="j" type="revolute">
<parent link="base"/><child link="rod"/><origin xyz="0 0 1" rpy="1 2 3"/><limit lower="-1" upper="1" effort="5"/></joint></robot>"""
ATTACH = """<mujoco><asset><model name="k" file="robots/arm.%s" %s/></asset><worldbody><frame pos="1 2 3" euler="10 20 30">
<attach model="k" prefix="p_" %s/></frame><attach model="k" body="rod" prefix="q_"/></worldbody></mujoco>"""
ASSETS = {"robots/meshes/tet.obj": urdf.OBJ, "meshes/tet.obj": urdf.OBJ, "robots/arm.xml": ROBOT, "robots/arm.urdf": ROBOT}
PACKAGE = """<robot><mujoco><compiler strippath="false" meshdir="meshes"/></mujoco><link name="a"><collision><geometry>
<mesh filename="%s"/></geometry></collision></link></robot>"""
DOCUMENTS = {
    "alone": ROBOT,
    "as a model": ATTACH % ("xml", "", ""),
    "as a model by its type": ATTACH % ("urdf", 'content_type="text/xml"', 'body="base"'),
    "as a model without its type": ATTACH % ("urdf", "", ""),
    "package": PACKAGE % "package://arm/tet.obj",
    "package elsewhere": PACKAGE % "package://none/tet.obj",
    "address": PACKAGE % "file:///tet.obj",
    "chain": "<robot>%s%s</robot>" % ("".join(f'<link name="{i}"/>' for i in range(1023)), "".join(
        f'<joint name="j" type="fixed"><parent link="{i}"/><child link="{i + 1}"/></joint>' for i in range(1022))),
    "chain too long": "<robot>%s%s</robot>" % ("".join(f'<link name="{i}"/>' for i in range(1024)), "".join(
        f'<joint name="j" type="fixed"><parent link="{i}"/><child link="{i + 1}"/></joint>' for i in range(1023))),
}


@pytest.mark.parametrize("name", DOCUMENTS)
def test_documents(name):
    files = {**ASSETS, "package:/arm/tet.obj": urdf.OBJ}
    (v,) = judge.judge([(name, DOCUMENTS[name])], library_path(), differing, files)
    refused = name in ("as a model without its type", "package elsewhere", "address", "chain too long")
    assert (v.reference is not None) == refused and (v.ours is not None) == refused, v
    assert not v.differing


def saved(path):
    """Our MJCF of a document."""
    lib = live.library()
    error = ctypes.create_string_buffer(1000)
    model = lib.mj_loadXML(path.encode(), None, error, 1000)
    if not model:
        return None
    assert lib.mj_saveLastXML(b"saved.xml", ctypes.c_void_p(model), error, 1000) == 1, error.value
    lib.mj_deleteModel(ctypes.c_void_p(model))
    return "saved.xml"


def test_documents_are_written_as_mjcf(tmp_path, monkeypatch):
    """The reference reads what we write as our model of the original. MJCF has no place for the inertia and the pose of the world."""
    monkeypatch.chdir(tmp_path)
    for name, content in urdf.FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    lib, count = live.library(), 0
    for seed in range(400):
        text = urdf.document(seed, 0)
        if 'name="world"' in text:
            continue
        (tmp_path / "test.urdf").write_text(text)
        if not saved("test.urdf"):
            continue
        judge.forget()
        theirs = mujoco.MjModel.from_xml_path("saved.xml")
        m = bridge.load_xml(lib, "saved.xml")
        original = bridge.load_xml(lib, "test.urdf")
        off = all_differing(theirs, original) + all_differing(theirs, m)
        lib.mj_deleteModel(original.ptr)
        assert not off, f"{seed}: {off}"
        lib.mj_deleteModel(m.ptr)
        count += 1
    assert count > 100


if __name__ == "__main__":
    first, number = map(int, sys.argv[1:])
    for line in disagreements(range(first, first + number), library_path()):
        print(line, flush=True)
