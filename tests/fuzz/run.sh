#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0

# Builds the fuzz targets with libFuzzer, AddressSanitizer and UndefinedBehaviorSanitizer (clang) and runs
# each for some time, as many side by side as there are processors:
#   sh tests/fuzz/run.sh [seconds, 600] [target ...]
# It prints a line for each, and counts them as tests. What they learn stays in build/fuzz/found, an input that fails in
# build/fuzz/failed, what they say in build/fuzz/log. Put a minimized copy of an input that fails in corpus_TARGET: the
# test suite replays it from then on.
# The timeout is for what does not end: a cable of hundreds of segments, which compiles in seconds (in the reference, too),
# takes minutes with sanitizers on a busy machine.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
build=${SHEAF_FUZZ_BUILD:-$root/build/fuzz}
seconds=${1:-600}
[ $# -gt 0 ] && shift
targets=${*:-session frames tls tokens settings mjcf obj stl msh gmsh png hfield skn mjb pair hull scene}

# words of the language for the mutations, from the tables of the reader
dictionary() {
  cat "$root"/engine/mjcf/schema*.c "$root"/engine/mjcf/urdf*.c "$root"/engine/tables/*.h |
    grep -oE '(ROW[A-Z_]*\(|")[A-Za-z_0-9]{2,}[,")]' | tr -d '",()' | sed 's/^ROW[A-Z_]*//' | sort -u |
    while read -r word; do printf '" %s=\\""\n"<%s "\n"\x27%s\x27"\n' "$word" "$word" "$word"; done
  printf '"/>"\n"-1"\n"0 0 0"\n"1e9"\n"2147483647"\n"nan"\n'
}

# names of settings, and what a section of the tokens may have
setting_words() {
  grep -oE '^(SETTING|LIMIT)\("[a-z-]+"' "$root/server/base/setting_table.h" | cut -d'"' -f2 | sed 's/.*/"&="/'
  printf '"[anonymous]\\x0a"\n"token=sha256:"\n"weight="\n"priority=high"\n"max-bytes="\n"certificate="\n"user="\n" MiB"\n'
}

# names of inputs and outputs of requests, and how rows of outputs are chosen
session_words() {
  grep -ohE '^SHEAF_(INPUT|OUTPUT)\([a-z_0-9]+' "$root/engine/include/sheaf/request_table.h" | cut -d'(' -f2 | sort -u | sed 's/.*/"&"/'
  printf '"params.body_mass"\n"params.opt_timestep"\n"xpos[a]"\n"sensordata[0:3]"\n"[0:2147483647]"\n"[-1]"\n"[a, 0:1]"\n"[,"\n'
  printf '"site_xpos[tip]"\n"qacc"\n"ctrl"\n"\\x00\\x00\\x00\\x00\\x00\\x00\\xf8\\x7f"\n"\\x00\\x00\\x00\\x00\\x00\\x00\\xf0\\x3f"\n'
}

# run one target; the log's last numbers become its line
fuzz() {
  target=$1
  words=
  [ "$target" = mjcf ] && words="-dict=$build/mjcf.dict"
  case $target in session | frames) words="-dict=$build/session.dict" ;; esac
  case $target in tokens | settings) words="-dict=$build/settings.dict" ;; esac
  mkdir -p "$build/found/$target" "$build/failed" "$build/log"
  code=0
  # shellcheck disable=SC2086
  "$build/tests/fuzz/fuzz_$target" -max_total_time="$seconds" -timeout=400 -rss_limit_mb=3000 -malloc_limit_mb=100000 -max_len=8192 \
    -print_final_stats=1 -artifact_prefix="$build/failed/$target-" $words \
    "$build/found/$target" "$root/tests/fuzz/corpus_$target" >"$build/log/$target" 2>&1 || code=$?
  runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$build/log/$target")
  if [ $code -eq 0 ]; then
    echo "fuzz $target: ${runs:-0} inputs in $seconds s, 1 passed"
  else
    tail -30 "$build/log/$target"
    echo "fuzz $target: exit status $code after ${runs:-0} inputs, 1 failed"
  fi
}

if [ -n "${SHEAF_FUZZ_ONE:-}" ]; then
  fuzz "$targets"
  exit
fi
cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_C_COMPILER=clang \
  -DSHEAF_FUZZ=ON -DSHEAF_SANITIZE=address,undefined -DSHEAF_BENCH=OFF >/dev/null
# shellcheck disable=SC2086
cmake --build "$build" --target $(printf 'fuzz_%s ' $targets) >"$build/log.build" 2>&1 || {
  tail -30 "$build/log.build"
  exit 1
}
dictionary >"$build/mjcf.dict"
setting_words >"$build/settings.dict"
session_words >"$build/session.dict"
export SHEAF_FUZZ_ONE=1
# shellcheck disable=SC2086
printf '%s\n' $targets | xargs -P "$(nproc)" -I{} sh "$0" "$seconds" {} | tee "$build/log.summary"
! grep -q ' failed$' "$build/log.summary"
