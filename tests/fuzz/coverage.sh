#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0

# Which lines of the sources the inputs of the fuzz targets reach: builds the targets with clang's coverage, replays their
# corpora and what fuzzing has found since (build/fuzz/found), prints a row for each file, the least
# covered last, and one for each folder.
#   sh tests/fuzz/coverage.sh [target ...]
# The whole report of lines and branches stays in build/coverage/report.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
build=${SHEAF_COVERAGE_BUILD:-$root/build/coverage}
found=${SHEAF_FUZZ_BUILD:-$root/build/fuzz}/found
targets=${*:-session frames tls tokens settings mjcf obj stl msh png hfield skn mjb pair hull scene}

cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_C_COMPILER=clang -DSHEAF_FUZZ=ON -DSHEAF_BENCH=OFF \
  -DSHEAF_TESTS=ON -DSHEAF_SANITIZE=undefined -DCMAKE_C_FLAGS='-O1 -fprofile-instr-generate -fcoverage-mapping' >/dev/null
# shellcheck disable=SC2086
cmake --build "$build" --target $(printf 'replay_%s ' $targets) >"$build/log.build" 2>&1 || {
  tail -30 "$build/log.build"
  exit 1
}
mkdir -p "$build/raw"
rm -f "$build"/raw/*
export ASAN_OPTIONS=allocator_may_return_null=1
all=
for target in $targets; do
  program=$build/tests/fuzz/replay_$target
  all="$all -object=$program"
  for corpus in "$root/tests/fuzz/corpus_$target" "$found/$target"; do
    [ -d "$corpus" ] || continue
    LLVM_PROFILE_FILE="$build/raw/$target-%p.profraw" "$program" "$corpus" >"$build/log.$target" 2>&1 || {
      tail -5 "$build/log.$target"
      exit 1
    }
  done
  llvm-profdata-14 merge -sparse -o "$build/raw/$target.merged" "$build"/raw/"$target"-*.profraw
done
llvm-profdata-14 merge -sparse -o "$build/raw/all" "$build"/raw/*.merged
# shellcheck disable=SC2086
llvm-cov-14 report "$build/engine/libsheaf.so" $all -instr-profile="$build/raw/all" >"$build/report" 2>/dev/null

# a row for each file with code, then one for each folder; readers of the reference's other formats and writers are not fuzzed
awk '$8 ~ /^[0-9]+$/ && $8 > 0 && $1 != "TOTAL" { sub(/^(..\/)+/, "", $1); print $1, $8 - $9, $8 }' "$build/report" >"$build/lines"
table() { sort -k4,4nr -k1,1 | awk '{ printf "%-48s %6d of %6d lines %6.1f %%\n", $1, $2, $3, $4 }'; }
awk '{ print $0, 100 * $2 / $3 }' "$build/lines" | table
echo
awk '{ n = split($1, part, "/"); f = part[1] "/" (n > 2 ? part[2] : ""); hit[f] += $2; all[f] += $3 }
  END { for (f in all) print f, hit[f], all[f], 100 * hit[f] / all[f] }' "$build/lines" | table
