# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""The tables of tests/reject: documents that are right or wrong by one thing. Their README says how they are written."""
import collections
import pathlib

FOLDER = pathlib.Path(__file__).resolve().parents[1] / "reject"
SLOTS = ("head", "world", "tail")

Row = collections.namedtuple("Row", "table line verdict message snippet xml")


def files():
    """Names and contents of the files beside the documents."""
    return {p.name: p.read_bytes() for p in (FOLDER / "files").iterdir()}


def _document(scene, slot, wrap, also, snippet):
    piece = wrap.replace("@", snippet, 1)
    if slot == "document":
        return piece
    for name in SLOTS:
        scene = scene.replace("@" + name, piece if name == slot else also.get(name, ""), 1)
    return scene


def read(table):
    """Rows of a table."""
    scene = (FOLDER / "scene.xml").read_text()
    slot, wrap, also, rows = "", "", {}, []
    for number, line in enumerate((FOLDER / f"{table}.txt").read_text().splitlines(), 1):
        if line.startswith("at "):
            _, slot, wrap = line.split(" ", 2)
            also = {}
        elif line.startswith("with "):
            _, name, text = line.split(" ", 2)
            also[name] = text
        elif line and not line.startswith("#"):
            verdict, rest = line.split(" | ", 1)
            message, snippet = rest.split("| ", 1)
            rows.append(Row(table, number, verdict, message.strip(), snippet, _document(scene, slot, wrap, also, snippet)))
    return rows


def tables():
    return sorted(p.stem for p in FOLDER.glob("*.txt"))


def rewrite(table, rows):
    """Put verdicts and messages of rows into the table."""
    path = FOLDER / f"{table}.txt"
    lines = path.read_text().splitlines()
    for row in rows:
        lines[row.line - 1] = f"{row.verdict} | {row.message}{' ' if row.message else ''}| {row.snippet}"
    path.write_text("\n".join(lines) + "\n")
