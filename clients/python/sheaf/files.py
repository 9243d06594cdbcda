# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""A model as a set of files: what an MJCF or URDF file refers to, under the names that it uses."""
from __future__ import annotations

import hashlib
import os
import posixpath
import xml.etree.ElementTree as ElementTree
from collections.abc import Mapping

from .errors import InvalidArgument

MAX_FILES = 512

# which <compiler> folder applies to the files of an element
_FOLDER = {"mesh": "meshdir", "skin": "meshdir", "hfield": "meshdir", "texture": "texturedir", "flexcomp": "meshdir"}
_FILE_ATTRIBUTES = ("file", "fileright", "fileup", "fileleft", "filedown", "filefront", "fileback")


def content_hash(main: str, files: Mapping[str, bytes]) -> bytes:
    """SHA-256 over the manifest defined in proto/README.md."""
    lines = ["sheaf-model-1\n", f"main {main}\n"]
    for name in sorted(files, key=lambda n: n.encode()):
        lines.append(f"{hashlib.sha256(files[name]).hexdigest()} {len(files[name])} {name}\n")
    return hashlib.sha256("".join(lines).encode()).digest()


def _references(text: bytes):
    """(kind, file) of everything that one file refers to, and its <compiler> folders."""
    try:
        root = ElementTree.fromstring(text)
    except ElementTree.ParseError:
        return [], {}         # the compiler reports it, with line and reason
    folders: dict[str, str] = {}
    found = []
    for e in root.iter():
        if e.tag == "compiler":
            for key in ("meshdir", "texturedir", "assetdir"):
                if key in e.attrib:
                    folders[key] = e.attrib[key]
        elif e.tag in ("include", "model"):
            if "file" in e.attrib:
                found.append(("include", e.attrib["file"]))
        elif e.tag == "mesh" and e.attrib.get("filename"):
            # URDF: as it is written, or in the folder of meshes without its own
            name = e.attrib["filename"]
            found += [("mesh", name), ("mesh", name.replace("\\", "/").rpartition("/")[2])]
        elif e.tag in _FOLDER:
            found += [(e.tag, e.attrib[a]) for a in _FILE_ATTRIBUTES if e.attrib.get(a)]
    return found, folders


def _read(path: str, field: str) -> bytes:
    try:
        with open(path, "rb") as f:
            return f.read()
    except OSError as e:
        raise InvalidArgument(f"cannot read {path}: {e.strerror}", field=field, expected="a readable file",
                              got=path) from None


def from_path(path: str) -> tuple[str, dict[str, bytes]]:
    """The main file and everything it refers to, directly or through includes.

    Names are relative to the folder that holds all of them, so a file outside the folder of the main one keeps
    its place. Files that do not exist are left to the compiler to report.
    """
    main = os.path.abspath(path)
    home = os.path.dirname(main)
    found = {main: _read(main, "model")}
    folders: dict[str, str] = {}
    assets: list[tuple[str, str, str]] = []
    todo = [main]
    while todo:
        current = todo.pop()
        refs, own = _references(found[current])
        folders.update(own)
        for kind, name in refs:
            if kind != "include":
                assets.append((kind, name, os.path.dirname(current)))
                continue
            for base in (home, os.path.dirname(current)):
                p = os.path.normpath(os.path.join(base, name))
                if os.path.isfile(p):
                    if p not in found:
                        found[p] = _read(p, "model")
                        todo.append(p)
                    break
        if len(found) > MAX_FILES:
            raise InvalidArgument("too many files", field="model", expected=f"at most {MAX_FILES}", got="more")
    for kind, name, near in assets:
        folder = folders.get(_FOLDER[kind], folders.get("assetdir", ""))
        for base in (os.path.join(home, folder), home, os.path.join(near, folder), near):
            p = os.path.normpath(os.path.join(base, name))
            if os.path.isfile(p):
                found.setdefault(p, b"")
                break
    for p in found:
        found[p] = found[p] or _read(p, "model")
    top = os.path.commonpath([os.path.dirname(p) for p in found])
    names = {p: os.path.relpath(p, top).replace(os.sep, "/") for p in found}
    return names[main], {names[p]: data for p, data in found.items()}


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


def collect(model) -> tuple[str, dict[str, bytes]]:
    """What `load` accepts: a path, MJCF or URDF text as bytes, a dict of files, or an object with to_xml()."""
    if isinstance(model, Mapping):
        return from_mapping(model)
    if isinstance(model, (bytes, bytearray, memoryview)):
        return "model.xml", {"model.xml": bytes(model)}
    if isinstance(model, (str, os.PathLike)):
        return from_path(os.fspath(model))
    if hasattr(model, "to_xml"):
        return "model.xml", {"model.xml": model.to_xml().encode()}
    raise InvalidArgument("cannot load this", field="model", expected="a path, bytes, a dict of files or an object with to_xml()",
                          got=type(model).__name__)
