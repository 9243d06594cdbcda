#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
#
# Each public header compiles alone, without a warning, in C99, C17 and C++17.
#   headers.sh FOLDER    the folder that has mujoco/ and sheaf/
set -eu
include=$1
count=0
for header in "$include"/mujoco/*.h "$include"/sheaf/*.h; do
  # a file may not be empty in C: some headers have only macros
  source="#include \"$header\"
extern int nothing;"
  for language in "c -std=c99" "c -std=c17" "c++ -std=c++17"; do
    case $language in c++*) compiler=${CXX:-c++} ;; *) compiler=${CC:-cc} ;; esac
    printf '%s\n' "$source" | $compiler -x $language -I"$include" -Wall -Wextra -pedantic -Werror -fsyntax-only -
    count=$((count + 1))
  done
done
echo "$count headers compiled alone"
[ "$count" -ge 36 ]
