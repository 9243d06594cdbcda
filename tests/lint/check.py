#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Rules of the house that a machine can check.

    python3 tests/lint/check.py [--format] [BUILD]

BUILD is a folder whose objects tell who calls whom, by default build/release. With --format the sources are first
rewritten as clang-format writes them.
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


def main():
    options = sys.argv[1:]
    if "--format" in options:
        format_rules.write()
    builds = [option for option in options if option != "--format"]
    build = builds[0] if builds else os.path.join(tree.ROOT, "build", "release")
    found = [*text_rules.check(), *module_rules.check(), *written_rules.check(), *format_rules.check()]
    if os.path.exists(os.path.join(build, "compile_commands.json")):
        found += call_rules.check(build)
    else:
        print(f"no build in {build}: calls are not checked")
    print("\n".join(f"{place}: {what}" for place, what in found) or "clean")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
