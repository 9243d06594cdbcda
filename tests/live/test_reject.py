# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""What the reference rejects is rejected, what it accepts compiles to the same arrays.

The tables of tests/reject hold documents and what becomes of them; the documents of reject_grammar.py are made from the
schema, and a sample of them is tried here. All of them (a quarter of an hour):

    SHEAF_LIBRARY=build/release/engine/libsheaf.so python3 tests/live/test_reject.py [part of a name]

With --record, verdicts and messages of the tables are written anew.
"""
import collections
import os
import sys

import pytest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
sys.path.insert(0, os.path.dirname(__file__))
import live  # noqa: E402
import judge  # noqa: E402
import reject_documents  # noqa: E402
import reject_grammar  # noqa: E402
from test_compile import differing  # noqa: E402

SAMPLE = 211  # one document of so many, of those from the grammar

# where we refuse what the reference takes; engine/COMPATIBILITY_ANNEX.md says why
STRICTER = (
    "nan", "NaN", "=inf", "=-inf", "0 inf", "infinity",  # numbers that are not finite
    "contact/pair without geom", "contact/pair geom1=", "contact/pair geom2=", "spatial/geom geom=",
    "texture nchannel=", "skin face=", "camera resolution=0",
)
# documents that end the reference or that it works on without end
UNASKED = ("texture nchannel=", "name=1\t1", "armature=-2147483648", "muscle gear=", "contact num=2147483647", "nan", "inf")
# keyframes with too few numbers, which end as the model is, there as it was written
OTHER_NUMBERS = ("key qpos=", "key mpos=", "key mquat=")


def library_path():
    path = os.environ.get("SHEAF_LIBRARY")
    if not path:
        pytest.skip("SHEAF_LIBRARY is not set")
    return os.path.abspath(path)


def verdict(v):
    """What a line of a table begins with."""
    if v.ours in ("not asked", judge.ENDS, judge.ENDLESS):
        return "alone"
    if v.reference is None:
        return "ok" if v.ours is None else "strict"
    return "no" if v.ours is not None else "lax"


def ask(cases, compare=differing):
    return judge.judge(cases, library_path(), compare, reject_documents.files())


@pytest.mark.parametrize("table", reject_documents.tables())
def test_table(table):
    rows = [r for r in reject_documents.read(table) if not r.verdict.startswith("alone")]
    off = []
    for row, v in zip(rows, ask(((r.snippet, r.xml) for r in rows), lambda m, ours: [])):
        if verdict(v) != row.verdict or (v.ours or "") != row.message:
            off.append(f"{table}:{row.line}: {row.snippet}: {verdict(v)}: {v.ours} (reference: {v.reference})")
    assert not off, "\n".join(off)


def disagreements(cases):
    for v in ask(cases):
        got = verdict(v)
        if got == "strict" and any(s in v.name for s in STRICTER):
            continue
        if got == "lax" and live.is_own_limit(v.reference):
            continue
        if got in ("lax", "strict") or (v.differing and not any(s in v.name for s in UNASKED + OTHER_NUMBERS)) or v.ours in judge.BAD:
            yield f"{v.name}: {got}: {v.ours} (reference: {v.reference}) {v.differing}"


def test_grammar():
    cases = [c for c in reject_grammar.cases() if not any(s in c[0] for s in UNASKED)][::SAMPLE]
    assert not list(disagreements(cases))


def record():
    for table in reject_documents.tables():
        rows = reject_documents.read(table)
        new, count = [], collections.Counter()
        for row, v in zip(rows, ask(((r.snippet, r.xml) for r in rows), lambda m, ours: [])):
            word = verdict(v)
            if word == "alone" or row.verdict.startswith("alone"):
                word, v = "alone", next(judge.judge([(row.snippet, row.xml)], library_path(), None, reject_documents.files(), False))
                word += "-ok" if v.ours is None else ""
            count[word] += 1
            new.append(row._replace(verdict=word, message=v.ours or ""))
        reject_documents.rewrite(table, new)
        print(table, dict(count))


if __name__ == "__main__":
    if "--record" in sys.argv:
        record()
    else:
        part = sys.argv[1] if len(sys.argv) > 1 else ""
        for line in disagreements(c for c in reject_grammar.cases() if part in c[0]):
            print(line)
