# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Rules that look at the text of one file. Each yields (place, what is wrong)."""
import re

import tree

EXTENSIONS = (".c", ".h", ".py", ".sh", ".cmake", "CMakeLists.txt", ".proto")
COLUMNS = 120
TABLE_COLUMNS = 150    # between clang-format off and on
FUNCTION_LINES = 76

# families of types whose order means nothing: ask a predicate (isOneSided), or compare with ==
UNORDERED = "CNSTR|JNT|GEOM|SENS|EQ|TRN|WRAP|GAIN|BIAS|DYN"


def licence(path, text):
    if text.strip() and "SPDX-License-Identifier: Apache-2.0" not in text[:400]:
        yield f"{path}:1", "no SPDX lines"


def marks(path, text):
    if path.startswith("tests/lint"):
        return
    for n, line in enumerate(text.splitlines(), 1):
        if re.search(r"(^|[^\w./-])/(work|home|root)/", line):
            yield f"{path}:{n}", "path of one machine"
        if re.search(r"\b(TODO|FIXME)\b", line):
            yield f"{path}:{n}", "unfinished by its own words"


def columns(path, text):
    """C sources. A table whose columns mean something is read by columns, so its rows may be wider."""
    if not path.endswith((".c", ".h")):
        return
    most = COLUMNS
    for n, line in enumerate(text.splitlines(), 1):
        if line.strip() in ("// clang-format off", "// clang-format on"):
            most = TABLE_COLUMNS if line.endswith("off") else COLUMNS
        if len(line) > most:
            yield f"{path}:{n}", f"{len(line)} columns, at most {most}"


def functions(path, text):
    """A function ends at the first brace in column one after its opening line."""
    if not path.endswith(".c"):
        return
    start = None
    for n, line in enumerate(text.splitlines(), 1):
        if line.endswith("{") and ")" in line and not line.startswith((" ", "#")):
            start = n
        elif start is None and re.match(r" .*\) \{$", line):
            start = n    # the last line of parameters that took several
        elif line.startswith("}") and start:
            if n - start + 1 > FUNCTION_LINES:
                yield f"{path}:{start}", f"{n - start + 1} lines, at most {FUNCTION_LINES}"
            start = None


def enum_order(path, text):
    """Range checks name both ends, or zero and the last, and are fine: x < mjJNT_FREE || x > mjJNT_HINGE."""
    if not path.startswith(("engine/", "server/")):
        return
    for n, line in enumerate(text.splitlines(), 1):
        found = re.findall(rf"(?<![-<>])(?:<=|>=|<|>) *mj(?:{UNORDERED})_[A-Z]", line.split("//")[0])
        if found and len(found) != 2 and not re.search(r"\w < 0 \|\| ", line):
            yield f"{path}:{n}", "types compared by their order: use a predicate or =="


ALL = (licence, marks, columns, functions, enum_order)


def check():
    for path in tree.tracked():
        if path.endswith(EXTENSIONS) and not path.endswith("sources.cmake"):
            for rule in ALL:
                yield from rule(path, tree.text(path))
