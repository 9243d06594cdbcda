#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Rules of the house that a machine can check.

    python3 tests/lint/check.py [BUILD]      BUILD: a folder whose objects tell who calls whom, by default build/release
    python3 tests/lint/check.py --format     rewrite the sources as clang-format writes them

What the tree does not keep yet stands in exceptions.txt, one line each. A line that is no longer needed is an error too, so the
list only shrinks.
"""
import os
import sys

sys.dont_write_bytecode = True
import call_rules      # noqa: E402
import format_rules    # noqa: E402
import module_rules    # noqa: E402
import text_rules      # noqa: E402
import tree            # noqa: E402
import written_rules   # noqa: E402


# until the whole tree is formatted, in one commit of its own
FORMATTED = True


def exceptions():
    with open(os.path.join(tree.ROOT, "tests", "lint", "exceptions.txt"), encoding="utf-8") as f:
        return [line.strip() for line in f if line.strip() and not line.startswith("#")]


def main():
    if sys.argv[1:] == ["--format"]:
        return format_rules.write()
    build = sys.argv[1] if len(sys.argv) > 1 else os.path.join(tree.ROOT, "build", "release")
    found = [*text_rules.check(FORMATTED), *module_rules.check(), *written_rules.check(),
             *(format_rules.check() if FORMATTED else ())]
    has_build = os.path.exists(os.path.join(build, "compile_commands.json"))
    if has_build:
        found += call_rules.check(build)
    else:
        print(f"no build in {build}: calls are not checked")
    known = exceptions()
    bad = [f"{place}: {what}\n    ({name})" for name, place, what in found if name not in known]
    used = {name for name, _, _ in found}
    bad += [f"tests/lint/exceptions.txt: no longer needed, delete: {name}" for name in known
            if name not in used and (has_build or not name.startswith("call "))]
    print("\n".join(bad) or f"clean, {len(known)} known exceptions")
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main())
