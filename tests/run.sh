#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
#
# Install what is missing, build, and run every test. The last line counts them all.
#   sh tests/run.sh            everything but the long tests
#   sh tests/run.sh nightly    only the long tests; TEST_MINUTES=1 shortens those that have a time (README.md)
#   SHEAF_FAST=1 ...           without the sanitizer builds
set -u
cd "$(dirname "$0")/.."
root=$(pwd)
sh deploy/install-deps.sh test || exit 1

jobs=$(nproc)
log=build/log
mkdir -p "$log"
passed=0
failed=0
skipped=0
started=$(date +%s)

stage() { printf '== %s (%s s)\n' "$1" "$(($(date +%s) - started))"; }

# add the counts that a runner printed as "N passed, N failed, N skipped"
count() {
  set -- $(grep -aoE '[0-9]+ (passed|failed|skipped|error)' "$1" | awk '
    { n[$2] += $1 } END { print n["passed"] + 0, n["failed"] + n["error"] + 0, n["skipped"] + 0 }')
  passed=$((passed + $1))
  failed=$((failed + $2))
  skipped=$((skipped + $3))
}

build() {
  stage "build $1"
  if ! { cmake --preset "$1" -DSHEAF_TESTS=ON && cmake --build --preset "$1" -j "$jobs"; } >"$log/build-$1" 2>&1; then
    tail -40 "$log/build-$1"
    echo "FAILED: build $1"
    failed=$((failed + 1))
    return 1
  fi
}

# run one thing that counts as one test unless it counts itself
single() {
  name=$1
  shift
  if "$@" >"$log/$name" 2>&1; then
    passed=$((passed + 1))
  else
    tail -40 "$log/$name"
    echo "FAILED: $name"
    failed=$((failed + 1))
  fi
}

# The OpenMP runtime of Debian's clang is not instrumented. Two settings keep ThreadSanitizer from reporting races that
# do not exist: calls inside the runtime are ignored, and libarcher tells the sanitizer where threads of a team wait for
# each other. The runtime does not find libarcher by itself, although both lie in the same folder.
export TSAN_OPTIONS=ignore_noninstrumented_modules=1
OMP_TOOL_LIBRARIES=$(clang -print-resource-dir)/../../libarcher.so
export OMP_TOOL_LIBRARIES

archer_works() {
  ARCHER_OPTIONS=verbose=1 build/tsan/tests/test_engine_pool 2>&1 | grep -a 'Archer detected OpenMP application with TSan'
}

run_c() {
  stage "C tests, $1"
  ctest --test-dir "build/$1" --verbose >"$log/ctest-$1" 2>&1
  code=$?
  count "$log/ctest-$1"
  if [ $code -ne 0 ]; then
    grep -aE 'FAILED|Failed|ERROR|SUMMARY|: .* is .*expected|runtime error' "$log/ctest-$1" | head -60
    grep -aq ' failed' "$log/ctest-$1" && [ $failed -gt 0 ] || failed=$((failed + 1))
  fi
}

# Python: the client as users install it, and the reference's wheel where it can be had
venv=build/venv
python_environment() {
  stage "Python environment"
  [ -x $venv/bin/python ] || python3 -m venv $venv
  {
    $venv/bin/pip install -q pytest numpy protobuf prometheus-client
    $venv/bin/pip install -q mujoco==3.4.0 || echo "no reference wheel: live comparisons are skipped"
    $venv/bin/pip install -q --force-reinstall --no-deps ./clients/python
  } >"$log/pip" 2>&1 || { tail -20 "$log/pip"; failed=$((failed + 1)); }
}

# run_python BUILD PYTEST_ARGUMENT...
run_python() {
  stage "Python tests, $*"
  built=$1
  shift
  SHEAF_LIBRARY=$root/build/release/engine/libsheaf.so SHEAF_BUILD=$root/build/$built \
    $venv/bin/python -m pytest -q -p no:cacheprovider "$@" >"$log/pytest-$built" 2>&1
  code=$?
  count "$log/pytest-$built"
  if [ $code -ne 0 ] && [ $code -ne 5 ]; then
    grep -aE '^(FAILED|ERROR|E  )' "$log/pytest-$built" | head -60
    tail -5 "$log/pytest-$built"
    [ $code -eq 1 ] || failed=$((failed + 1))
  fi
}

finish() {
  stage done
  echo "$passed passed, $failed failed, $skipped skipped"
  [ "$failed" -eq 0 ]
  exit
}

if [ "${1:-}" = nightly ]; then
  export SHEAF_NIGHTLY=1
  build release && python_environment && run_python release -rA -m nightly tests/e2e
  # what the long tests counted: connections, GiB, faults, minutes
  grep -aE '^[0-9].*(minutes|elements|GiB|faults|malformed|rounds)|^lost:|^small requests:' "$log/pytest-release"
  TEST_ROUNDS=40 run_python release tests/e2e/test_comeback.py
  # the server under memcheck, through the paths that everybody uses; times are not what counts there
  SHEAF_VALGRIND=1 SHEAF_SANITIZED=1 TEST_SLOW=20 run_python release tests/e2e/test_valgrind.py tests/e2e/test_protocol.py \
    tests/e2e/test_compute.py tests/e2e/test_upload.py tests/e2e/test_lifecycle.py tests/e2e/test_pieces.py \
    tests/e2e/test_hostile.py tests/e2e/test_identities.py tests/e2e/test_shared.py tests/e2e/test_tls.py \
    tests/e2e/test_invalid_rows.py tests/e2e/test_names.py
  stage "10^7 pairs of geoms, every word of binary models"
  single random_pairs build/release/tests/fuzz/random_pairs 10000000
  build asan && ASAN_OPTIONS=allocator_may_return_null=1 single damage_words build/asan/tests/fuzz/damage_words
  minutes=${TEST_MINUTES:-10}
  stage "fuzzing, $minutes minutes for each target"
  sh tests/fuzz/run.sh $((60 * minutes)) >"$log/fuzz" 2>&1 || grep -aE ' failed$|ERROR|runtime error' "$log/fuzz"
  count "$log/fuzz"
  finish
fi

build release && run_c release
stage "lint"
single lint python3 tests/lint/check.py
stage "an outside program against the installed tree"
single install sh tests/install/run.sh "$root/build/release"
if [ -z "${SHEAF_FAST:-}" ]; then
  build asan && run_c asan
  build tsan && single archer archer_works && single known_race sh tests/support/known_race.sh build/tsan && run_c tsan
fi

python_environment
run_python release tests/live tests/e2e
# the server again where each byte that it touches is looked at; its clients and times are not what counts there
if [ -z "${SHEAF_FAST:-}" ] && [ -x build/asan/clients/cli/sheaf ]; then
  export SHEAF_SANITIZED=1 TEST_SLOW=4
  run_python asan tests/e2e/test_protocol.py tests/e2e/test_hostile.py tests/e2e/test_upload.py \
    tests/e2e/test_lifecycle.py tests/e2e/test_pieces.py tests/e2e/test_bad_bytes.py tests/e2e/test_crowds.py \
    tests/e2e/test_slow_peers.py tests/e2e/test_names.py tests/e2e/test_invalid_rows.py \
    --deselect tests/e2e/test_slow_peers.py::test_stopped_readers_cost_little \
    --deselect tests/e2e/test_slow_peers.py::test_200_slow_writers
fi
finish
