# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""A model as a set of files: what an MJCF or URDF file refers to, under the names that it uses."""
from __future__ import annotations

import dataclasses
import hashlib
import os
import posixpath
import re
from collections.abc import Iterator, Mapping

from . import objects
from .errors import InvalidArgument

MAX_FILES = 512
COMPILED = (b"SHEAFMDL", (54321).to_bytes(4, "little"))    # how compiled models begin: ours, the reference's

# which <compiler> folder applies to the files of an element
_FOLDER = {"mesh": "meshdir", "skin": "meshdir", "hfield": "meshdir", "texture": "texturedir", "flexcomp": "meshdir"}
_FILE_ATTRIBUTES = ("file", "fileright", "fileup", "fileleft", "filedown", "filefront", "fileback")


def content_hash(main: str, files: Mapping[str, bytes]) -> bytes:
    """SHA-256 over the manifest defined in proto/README.md."""
    lines = ["sheaf-model-1\n", f"main {main}\n"]
    for name in sorted(files, key=lambda n: n.encode()):
        lines.append(f"{hashlib.sha256(files[name]).hexdigest()} {len(files[name])} {name}\n")
    return hashlib.sha256("".join(lines).encode()).digest()


# ---- what a file refers to

# The compiler's reader accepts some text that XML parsers refuse ("--" in comments, "&" and "<" in values, attributes
# without space between them), so this looks for tags only. Comments and declarations match without a name.
_TAG = re.compile(r"""<(?:!--.*?-->|[!?].*?>|([\w:.-]+)((?:[^"'>]|"[^"]*"|'[^']*')*)>)""", re.S)
_ATTRIBUTE = re.compile(r"""([\w:.-]+)\s*=\s*("[^"]*"|'[^']*')""")
_CHARACTER = re.compile("&(lt|gt|amp|quot|apos|#[0-9]+|#x[0-9a-fA-F]+);")
_NAMED = {"lt": "<", "gt": ">", "amp": "&", "quot": '"', "apos": "'"}


def _character(match: re.Match) -> str:
    name = match[1]
    return _NAMED[name] if name in _NAMED else chr(int(name[2:], 16) if name[1] == "x" else int(name[1:]))


def _elements(text: bytes) -> Iterator[tuple[str, dict[str, str]]]:
    """Names and attributes of the elements of a file, in order."""
    for tag in _TAG.finditer(text.decode(errors="surrogateescape")):
        if tag[1]:
            yield tag[1], {a[1]: _CHARACTER.sub(_character, a[2][1:-1]) for a in _ATTRIBUTE.finditer(tag[2])}


def _read(path: str, field: str) -> bytes:
    try:
        with open(path, "rb") as f:
            return f.read()
    except OSError as e:
        raise InvalidArgument(f"cannot read {path}: {e.strerror}", field=field, expected="a readable file",
                              got=path) from None


@dataclasses.dataclass
class _Document:
    """A model file, read with each included file in the place of its <include>. A setting holds from where it stands to the end."""
    home: str                                       # its folder
    folders: dict[str, str] = dataclasses.field(default_factory=dict)
    strip: bool = False
    urdf: bool = False
    assets: list[tuple[str, str, str]] = dataclasses.field(default_factory=list)     # kind, file, folder of its text
    models: list[str] = dataclasses.field(default_factory=list)                      # to be attached


def _turns(path: str) -> Iterator[str]:
    """The folders to which ".." leads in an absolute path: "/a/b/../b/x" passes through "/a"."""
    here = ""
    for part in path.split(os.sep)[1:]:
        if part == "..":
            here = os.path.dirname(here)
            yield here or os.sep
        elif part not in ("", "."):
            here += os.sep + part


class _Gathering:
    """Files of a model, by their paths on this disk."""

    def __init__(self):
        self.found: dict[str, bytes] = {}
        self.passed: set[str] = set()      # folders that relative paths pass through: they need a name, too
        self.bare: set[str] = set()        # those that are referred to by an absolute path

    def add(self, path: str) -> bool:
        """Take a file unless it is here already or does not exist (the compiler reports missing files). True if it is new."""
        path = os.path.normpath(path)
        if path in self.found or not os.path.isfile(path):
            return False
        if len(self.found) == MAX_FILES:
            raise InvalidArgument("too many files", field="model", expected=f"at most {MAX_FILES}", got="more")
        self.found[path] = _read(path, "model")
        return True

    def add_first(self, name: str, folders: list[str]) -> str | None:
        """The file of this name in the first folder that has it, if it was not here before."""
        for folder in folders:
            path = os.path.normpath(os.path.join(folder, name))
            if os.path.isfile(path):
                if os.path.isabs(name):
                    self.bare.add(path)
                else:
                    self.passed.update(_turns(os.path.join(folder, name)))
                return path if self.add(path) else None
        return None

    def add_document(self, path: str) -> None:
        if self.add(path) and not path.lower().endswith(".mjb"):
            document = _Document(os.path.dirname(path))
            self._scan(document, path)
            self._add_assets(document)

    def _scan(self, document: _Document, path: str) -> None:
        near = os.path.dirname(path)
        for tag, a in _elements(self.found[path]):
            if tag.lower() == "robot":
                document.urdf = True
            elif tag == "compiler":
                document.folders.update((k, a[k]) for k in ("meshdir", "texturedir", "assetdir") if k in a)
                document.strip = a.get("strippath", str(document.strip)).lower() == "true"
            elif tag == "include" and not document.urdf:
                included = self.add_first(a.get("file", ""), [document.home, near])
                if included:
                    self._scan(document, included)
            elif tag == "model" and a.get("file"):
                document.models.append(a["file"])
            elif tag == "mesh" and document.urdf and a.get("filename"):
                # URDF names meshes as "package://...", and the packages are not here: look for the path as it is written, and
                # for the bare name in the folder of meshes
                name = a["filename"].replace("\\", "/")
                document.assets += [(tag, name, near), (tag, name.rpartition("/")[2], near)]
            elif tag in _FOLDER:
                document.assets += [(tag, a[k], near) for k in _FILE_ATTRIBUTES if a.get(k)]

    def _add_assets(self, document: _Document) -> None:
        home = document.home
        for kind, name, near in document.assets:
            if document.strip:
                name = name.rpartition("/")[2]
            folder = document.folders.get(_FOLDER[kind], document.folders.get("assetdir", ""))
            if os.path.isabs(folder):
                name, folder = os.path.join(folder, name), ""
            self.add_first(name, [os.path.join(home, folder), home, os.path.join(near, folder), near])
        for name in document.models:
            self.add_document(os.path.normpath(os.path.join(home, name)))

    def names(self) -> dict[str, str]:
        """The name of each file: its path relative to the folder that holds all files and all folders that their paths pass through. A file
        that is referred to by an absolute path gets its bare lower-case name, where the compiler looks last."""
        top = os.path.commonpath([*self.passed, *(os.path.dirname(p) for p in self.found if p not in self.bare)])
        names = {p: os.path.basename(p).lower() if p in self.bare else os.path.relpath(p, top).replace(os.sep, "/")
                 for p in self.found}
        if len(set(names.values())) < len(names):
            twice = next(n for n in names.values() if list(names.values()).count(n) > 1)
            raise InvalidArgument("two files would have one name", field="model", expected="different names", got=twice)
        return names


def from_path(path: str) -> tuple[str, dict[str, bytes]]:
    """The main file and everything it refers to, directly or through includes and attached models.

    Looks for files where the compiler does, also above the folder of the main file. The compiler reports files that do not exist.
    """
    main = os.path.abspath(path)
    if not os.path.isfile(main):
        _read(main, "model")
    g = _Gathering()
    g.add_document(main)
    names = g.names()
    return names[main], {names[p]: data for p, data in g.found.items()}


def from_mapping(files: Mapping) -> tuple[str, dict[str, bytes]]:
    """A dict of name -> content (bytes or text). The first is the main file."""
    if not files:
        raise InvalidArgument("no files", field="model", expected="at least one file", got="none")
    out = {}
    for name, data in files.items():
        clean = posixpath.normpath(str(name).replace("\\", "/"))
        if clean.startswith(("/", "..")) or clean == ".":
            raise InvalidArgument("file names must stay inside the model", field="model",
                                  expected="a relative path", got=str(name))
        out[clean] = data.encode() if isinstance(data, str) else bytes(data)
    return next(iter(out)), out


def from_bytes(data: bytes) -> tuple[str, dict[str, bytes]]:
    """MJCF, URDF or a compiled model; the compiler finds out from the content which it is."""
    name = "model.mjb" if data.startswith(COMPILED) else "model.xml"
    return name, {name: data}


def from_spec(spec) -> tuple[str, dict[str, bytes]]:
    """An MjSpec with the files that it holds or refers to."""
    main, data, folder, held = objects.of_spec(spec)
    files = {main: data}
    if folder:
        g = _Gathering()
        path = os.path.join(folder, main)
        g.found[path] = data
        document = _Document(folder)
        g._scan(document, path)
        g._add_assets(document)
        names = g.names()
        main, files = names[path], {names[p]: d for p, d in g.found.items()}
    return main, files | {name: d for name, d in held.items() if name not in files}


def collect(model) -> tuple[str, dict[str, bytes]]:
    """The name of the main file and all files of whatever `load` accepts."""
    if isinstance(model, Mapping):
        return from_mapping(model)
    if isinstance(model, (bytes, bytearray, memoryview)):
        return from_bytes(bytes(model))
    if isinstance(model, str) and model.lstrip("\ufeff \t\r\n").startswith("<"):
        return "model.xml", {"model.xml": model.encode()}
    if isinstance(model, (str, os.PathLike)):
        return from_path(os.fspath(model))
    if objects.is_mujoco(model, "MjModel"):
        return from_bytes(objects.compiled(model))
    if objects.is_mujoco(model, "MjSpec"):
        return from_spec(model)
    if hasattr(model, "to_xml"):
        return "model.xml", {"model.xml": model.to_xml().encode()}
    raise InvalidArgument("cannot load this", field="model", got=type(model).__name__,
                          expected="a path, text, bytes, a dict of files, an MjModel, an MjSpec or an object with to_xml()")
