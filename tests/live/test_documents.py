# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""What is a document, and where its files are: both libraries read the same texts and find the same files."""
import ctypes
import os
import sys

import pytest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
sys.path.insert(0, os.path.dirname(__file__))
import live  # noqa: E402
import bridge  # noqa: E402

GEOM = '<geom name="g" size="1"/>'
BODY = f"<mujoco><worldbody>{GEOM}</worldbody></mujoco>"
VALUES = ["a&amp;b", "a&b < c", "&foo; &", "&#65;&#x4a;&#X4a;&#6a;&#66", "&#xe9;&#128512;&#1114112;", "a&#10;b", "<!-- x -->", "a\nb\r\nc\rd\n\re\tf\v",
          "&#10;&#13;&#9;", "a\x01b&#2;\x1f", "a&#0;b", "&#x;", "&#;", "&#55296;&#xFFFF;&#266;&#x10FFFF;", "&#x00000000041;&#4294967361;", "&#xg; &#4g;"]
DOCUMENTS = [
    *[BODY.replace('"g"', f'"{v}"') for v in VALUES],
    BODY.replace('" s', '"s'), BODY.replace("</mujoco", "</ mujoco"),
    BODY.replace("</mujoco", "</mujoco junk"), BODY.replace("/>", "/ >"),
    BODY.replace("size", "name='h' size"), BODY.replace("size=", "size "), BODY.replace('"1"', "1"), BODY.replace("worldbody>", "Worldbody>", 1),
    BODY.replace("<geom", "<geom <!-- x -->"), BODY.replace(GEOM, f"<!-- a -- b -->{GEOM}"), BODY.replace(GEOM, f"<!--> {GEOM}"),
    BODY.replace(GEOM, f"text & {GEOM}"), BODY.replace(GEOM, f"1 < 2 {GEOM}"), BODY.replace(GEOM, f"<![CDATA[<a>]]>{GEOM}"),
    BODY.replace(GEOM, f"<1/>{GEOM}"),
    "junk" + BODY, BODY + "junk", BODY + "\0\0", BODY + BODY, BODY + "<other/>", "<other/>" + BODY, BODY + "</mujoco>", BODY + "<",
    '<?xml version="1.0" encoding="unknown"?>' + BODY, "<?a?><?b?>" + BODY, "<!-- --><?xml?>" + BODY, "\n<?xml?>\n" + BODY, "<?xml?>", "", "  ",
    "\ufeff" + BODY, "<mujoco>", "<mujoco", "<mujoco/>", "</mujoco>",
    *[f"<mujoco><worldbody>{'<frame>' * n}{'</frame>' * n}</worldbody></mujoco>" for n in (496, 497)],
]
MESH = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n"
PLACES = ["t.obj", "./t.obj", "no/../t.obj", "no/no/../../t.obj", "../top.obj", "../w/t.obj", "../no/../w/t.obj", "d//u.obj", "d/./u.obj", "d\\u.obj",
          "no\\..\\t.obj", "link/../t.obj", "link/../far.obj", " t.obj", "missing.obj"]


def outcome(path):
    """Names and paths of the model in both, or None where it is refused."""
    try:
        m = live.mujoco.MjModel.from_xml_path(str(path))
        want = bytes(m.names), bytes(m.paths)
    except ValueError:
        want = None
    try:
        m = bridge.load_xml(live.library(), path)
    except RuntimeError:
        return want, None
    got = m.names.tobytes(), m.paths.tobytes()
    live.library().mj_deleteModel(m.ptr)
    return want, got


@pytest.mark.parametrize("number", range(len(DOCUMENTS)))
def test_document(number, tmp_path):
    path = tmp_path / "m.xml"
    path.write_bytes(DOCUMENTS[number].encode())
    want, got = outcome(path)
    assert got == want


COMMENTS = ["<!-- a --><mujoco><!-- b --><!-- c --></mujoco>", "<mujoco>\n<!--\n a\r\n b &amp; -- < é -->\n<compiler/></mujoco>", "<mujoco>a<!-- b --></mujoco>",
            "<mujoco><compiler/><!-- b --></mujoco>", "<mujoco><![CDATA[]]><!-- b --></mujoco>", "<mujoco/><!-- b -->", "<mujoco model='>'><!-- b --></mujoco>",
            "<mujoco>\f\v<!-- \x01 --></mujoco>", "<mujoco><!----></mujoco>", "<mujoco><!---><!-- --></mujoco>", "<?a?><mujoco><!--b--></mujoco>"]


@pytest.mark.parametrize("number", range(len(COMMENTS)))
def test_comment(number):
    """The comment that a specification has, and has again when it was saved."""
    lib, document = live.library(), COMMENTS[number]
    lib.mj_parseXMLString.restype = ctypes.c_void_p
    lib.mjs_getString.restype = ctypes.c_char_p
    want = live.mujoco.MjSpec.from_string(document).comment.encode()
    for _ in range(2):
        spec = lib.mj_parseXMLString(document.encode(), None, None, 0)
        comment = lib.mjs_getString(ctypes.c_void_p(bridge.struct("mjSpec").from_address(spec).comment))
        lib.mj_deleteModel(ctypes.c_void_p(lib.mj_compile(ctypes.c_void_p(spec), None)))
        saved = ctypes.create_string_buffer(1000)
        assert lib.mj_saveXMLString(ctypes.c_void_p(spec), saved, 1000, None, 0) == 0
        lib.mj_deleteSpec(ctypes.c_void_p(spec))
        assert comment == want
        document = saved.value.decode()
        assert live.mujoco.MjSpec.from_string(document).comment.encode() == want


# read by the reference alone: what no writer of models writes
STRICTER = ["<!DOCTYPE mujoco>" + BODY, BODY.replace("<geom", "< geom"), BODY.replace("</mujoco", "< /mujoco"), BODY.replace(GEOM, f"<!x>{GEOM}"),
            BODY.replace("</mujoco", "</mujoco a='1'"),]


@pytest.mark.parametrize("number", range(len(STRICTER)))
def test_stricter(number, tmp_path):
    path = tmp_path / "m.xml"
    path.write_text(STRICTER[number])
    want, got = outcome(path)
    assert want and not got


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    top = tmp_path_factory.mktemp("places")
    for name in ("w/d", "elsewhere/in"):
        (top / name).mkdir(parents=True)
    (top / "w/link").symlink_to(top / "elsewhere/in")
    for name in ("w/t.obj", "top.obj", "w/d/u.obj", "elsewhere/far.obj"):
        (top / name).write_text(MESH)
    (top / "w/part.xml").write_text(f"<mujocoinclude><worldbody>{GEOM}</worldbody></mujocoinclude>")
    (top / "w/kid.xml").write_text('<mujoco model="kid"/>')
    return top


@pytest.mark.parametrize("place", PLACES)
def test_file(place, folder):
    path = folder / "w/m.xml"
    path.write_text(f'<mujoco><asset><mesh name="m" file="{place}"/></asset></mujoco>')
    want, got = outcome(path)
    assert got == want


@pytest.mark.parametrize("settings,place", [('meshdir="no"', "../t.obj"), ('meshdir="no/.."', "t.obj"), ('meshdir="d\\"', "u.obj"),
                                            ('strippath="true"', "no/../x/t.obj"), ('assetdir="d"', "u.obj")])
def test_folder(settings, place, folder):
    path = folder / "w/m.xml"
    path.write_text(f'<mujoco><compiler {settings}/><asset><mesh name="m" file="{place}"/></asset></mujoco>')
    want, got = outcome(path)
    assert got == want and got


@pytest.mark.parametrize("element", ['<include file="no/../part.xml"/>', '<include file="../w/part.xml"/>', '<include file="d\\..\\part.xml"/>',
                                     '<asset><model name="k" file="no/../kid.xml"/></asset>', '<include file="missing.xml"/>'])
def test_other_documents(element, folder):
    path = folder / "w/m.xml"
    path.write_text(f"<mujoco>{element}</mujoco>")
    want, got = outcome(path)
    assert got == want
