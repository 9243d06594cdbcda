#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0

# Which lines of the sources the inputs of the fuzz targets reach: builds the targets with clang's coverage, replays their
# corpora and what fuzzing has found since (build/fuzz/found), and prints a row for each file, the least covered last.
#   sh tests/fuzz/coverage.sh [target ...]
# The whole report of lines and branches stays in build/coverage/report.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
build=${SHEAF_COVERAGE_BUILD:-$root/build/coverage}
found=${SHEAF_FUZZ_BUILD:-$root/build/fuzz}/found
targets=${*:-session frames tls tokens settings mjcf obj stl msh png hfield skn mjb pair hull scene}

# the folders whose code is meant to be reached by each target; others are reached by the way
sources() {
  case $1 in
    frames) echo server/wire proto ;;
    session) echo server/wire server/net server/request server/jobs server/models ;;
    tls) echo server/net ;;
    tokens) echo server/auth ;;
    settings) echo server/base ;;
    mjcf | scene) echo engine/mjcf engine/spec engine/compile ;;
    mjb) echo engine/model engine/load ;;
    pair) echo engine/collide ;;
    *) echo engine/compile ;;
  esac
}

cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_C_COMPILER=clang -DSHEAF_FUZZ=ON -DSHEAF_BENCH=OFF \
  -DSHEAF_TESTS=ON -DSHEAF_SANITIZE=undefined -DCMAKE_C_FLAGS='-O1 -fprofile-instr-generate -fcoverage-mapping' >/dev/null
# shellcheck disable=SC2086
cmake --build "$build" --target $(printf 'replay_%s ' $targets) >"$build/log.build" 2>&1 || {
  tail -30 "$build/log.build"
  exit 1
}
mkdir -p "$build/raw"
rm -f "$build"/raw/* "$build/table"
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
  # a row for the target: lines of its folders
  # shellcheck disable=SC2046
  llvm-cov-14 report "$program" -object="$build/engine/libsheaf.so" -instr-profile="$build/raw/$target.merged" \
    $(for folder in $(sources "$target"); do echo "$root/$folder"; done) 2>/dev/null |
    awk -v name="$target" -v where="$(sources "$target")" '
      $1 == "TOTAL" { printf "%-9s %6d of %6d lines (%s) of %s\n", name, $8 - $9, $8, $10, where }' >>"$build/table"
done
llvm-profdata-14 merge -sparse -o "$build/raw/all" "$build"/raw/*.merged
# shellcheck disable=SC2086
llvm-cov-14 report "$build/engine/libsheaf.so" $all -instr-profile="$build/raw/all" "$root/engine" "$root/server" "$root/proto" \
  >"$build/report" 2>/dev/null
awk 'NF >= 10 && $8 ~ /^[0-9]+$/ && $1 != "TOTAL" { printf "%s %d %d %s\n", $1, $8 - $9, $8, $10 }' "$build/report" |
  sort -k4,4 -rn -t' ' | awk '{ printf "%-50s %6d of %6d lines %8s\n", $1, $2, $3, $4 }'
echo
cat "$build/table"
