#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0

# Builds the fuzz targets with libFuzzer, AddressSanitizer and UndefinedBehaviorSanitizer (clang) and runs
# each for some time, one after the other:
#   sh tests/fuzz/run.sh [seconds, 600] [target ...]
# What they learn stays in build/fuzz/found, an input that fails in build/fuzz/failed. Put a minimized copy
# of the latter in corpus_TARGET: the test suite replays it from then on.
# The timeout is for what does not end: a cable of hundreds of segments, which compiles in seconds (in the reference, too),
# takes minutes with sanitizers on a busy machine.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
build=${SHEAF_FUZZ_BUILD:-$root/build/fuzz}
seconds=${1:-600}
[ $# -gt 0 ] && shift
targets=${*:-mjcf obj stl msh png hfield skn mjb}

# words of the language for the mutations, from the tables of the reader
dictionary() {
  cat "$root"/engine/mjcf/schema*.c "$root"/engine/mjcf/urdf*.c "$root"/engine/tables/*.h |
    grep -oE '(ROW[A-Z_]*\(|")[A-Za-z_0-9]{2,}[,")]' | tr -d '",()' | sed 's/^ROW[A-Z_]*//' | sort -u |
    while read -r word; do printf '" %s=\\""\n"<%s "\n"\x27%s\x27"\n' "$word" "$word" "$word"; done
  printf '"/>"\n"-1"\n"0 0 0"\n"1e9"\n"2147483647"\n"nan"\n'
}

cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_C_COMPILER=clang \
  -DSHEAF_FUZZ=ON -DSHEAF_SANITIZE=address,undefined -DSHEAF_SERVER=OFF -DSHEAF_BENCH=OFF >/dev/null
for target in $targets; do
  cmake --build "$build" --target "fuzz_$target" >/dev/null
  mkdir -p "$build/found/$target" "$build/failed"
  words=
  if [ "$target" = mjcf ]; then
    dictionary >"$build/mjcf.dict"
    words="-dict=$build/mjcf.dict"
  fi
  # shellcheck disable=SC2086
  "$build/tests/fuzz/fuzz_$target" -max_total_time="$seconds" -timeout=400 -rss_limit_mb=3000 -malloc_limit_mb=100000 -max_len=8192 \
    -print_final_stats=1 -artifact_prefix="$build/failed/$target-" $words \
    "$build/found/$target" "$root/tests/fuzz/corpus_$target"
done
