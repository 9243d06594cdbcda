#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
#
# Install what is missing, build, and run every test. The last line counts them all. C tests run side by side, and so do
# two halves of the Python tests that measure no time.
#   sh tests/run.sh            everything but the long tests
#   sh tests/run.sh nightly    only the long tests; TEST_MINUTES=1 shortens the soak, SHEAF_FUZZ_SECONDS=60 the fuzzing (600)
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

# the parts before took so many seconds, and so many of processors, which do not depend on what else the machine does
stage() {
  times >"$log/times"
  used=$(awk 'NR == 2 { for (i = 1; i <= 2; i++) { split($i, t, /[ms]/); s += 60 * t[1] + t[2] } print int(s) }' "$log/times")
  printf '== %s (%s s, %s of processors)\n' "$1" "$(($(date +%s) - started))" "$used"
}

# Add the counts that runners printed in lines such as "N passed, N failed, N skipped", "N failed, N passed in 3.21s" or
# "N inputs, 1 passed". Lines of tests themselves do not end like these.
count() {
  set -- $(grep -aE ' (skipped|passed|failed)$| in [0-9.]+s( \(|$)' "$1" | grep -aoE '[0-9]+ (passed|failed|skipped|error)' | awk '
    { n[$2] += $1 } END { print n["passed"] + 0, n["failed"] + n["error"] + 0, n["skipped"] + 0 }')
  passed=$((passed + $1))
  failed=$((failed + $2))
  skipped=$((skipped + $3))
}

compile() {  # PRESET PRIORITY [TARGET]
  { $2 cmake --preset "$1" -DSHEAF_TESTS=ON && $2 cmake --build --preset "$1" -j "$jobs" --target "${3:-all}"; } >"$log/build-$1" 2>&1
}

built() {
  [ "$1" -eq 0 ] && return
  tail -40 "$log/build-$2"
  echo "FAILED: build $2"
  failed=$((failed + 1))
  return 1
}

build() {
  stage "build $1"
  compile "$1" ""
  built $? "$1"
}

# Many parts leave a processor idle: tests of the server wait for limits of time, and the last of the C tests run alone. So
# the builds with sanitizers run beside everything, with the priority of what nobody waits for.
idle=$(command -v chrt >/dev/null && echo chrt -i 0 || echo nice -n 19)

# start_build PRESET [AFTER TARGET]: in the background, when the build AFTER is done; await_build PRESET counts it if it failed
start_build() {
  rm -f "$log/build-$1.code"
  (
    [ -z "${2:-}" ] || while [ ! -e "$log/build-$2.code" ]; do sleep 2; done
    compile "$1" "$idle" "${3:-}"
    echo $? >"$log/build-$1.code"
  ) &
  eval "pid_build_$1=$!"
}

await_build() {
  stage "the rest of the build $1"
  eval "wait \$pid_build_$1"
  built "$(cat "$log/build-$1.code")" "$1"
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

run_c() {  # PRESET [LABEL]
  stage "C tests, $1 ${2:-}"
  ctest --test-dir "build/$1" --verbose -j "$jobs" ${2:+-L "$2"} >"$log/ctest-$1" 2>&1
  code=$?
  count "$log/ctest-$1"
  if [ $code -ne 0 ]; then
    grep -aE 'FAILED|Failed|ERROR|SUMMARY|: .* is .*expected|runtime error' "$log/ctest-$1" | head -60
    grep -aq ' failed' "$log/ctest-$1" && [ $failed -gt 0 ] || failed=$((failed + 1))
  fi
}

# A C test of the release build where each byte that it touches is looked at: for floats, which builds with sanitizers lack
run_memcheck() {  # FOLDER
  stage "C tests of $1 under memcheck"
  valgrind --quiet --error-exitcode=99 --leak-check=full --show-leak-kinds=definite --errors-for-leak-kinds=definite \
    --suppressions=tests/support/valgrind.supp "build/release/tests/test_engine_$1" >"$log/memcheck-$1" 2>&1
  code=$?
  count "$log/memcheck-$1"
  [ $code -eq 0 ] && return
  tail -40 "$log/memcheck-$1"
  echo "FAILED: memcheck of $1"
  [ $code -eq 1 ] || failed=$((failed + 1))
}

# Python: the client as users install it, and the reference's wheel where it can be had
venv=build/venv
python_environment() {
  stage "Python environment"
  [ -x $venv/bin/python ] || python3 -m venv $venv
  {
    $venv/bin/pip install -q pytest numpy protobuf prometheus-client
    $venv/bin/pip install -q mujoco==3.4.0 || echo "no reference wheel: live comparisons are skipped"
    # imageio: its MuJoCo environments import it
    $venv/bin/pip install -q gymnasium==1.4.0 imageio || echo "no gymnasium: comparisons of VectorEnv are skipped"
    $venv/bin/pip install -q --force-reinstall --no-deps ./clients/python
  } >"$log/pip" 2>&1 || { tail -20 "$log/pip"; failed=$((failed + 1)); }
}

# start_python NAME BUILD PYTEST_ARGUMENT...: in the background; await_python NAME counts what came
start_python() {
  name=$1
  built=$2
  shift 2
  (
    SHEAF_LIBRARY=$root/build/release/engine/libsheaf.so SHEAF_BUILD=$root/build/$built \
      $venv/bin/python -m pytest -q -p no:cacheprovider "$@" >"$log/pytest-$name" 2>&1
    echo $? >"$log/pytest-$name.code"
  ) &
  eval "pid_$name=$!"
}

await_python() {
  eval "wait \$pid_$1"
  code=$(cat "$log/pytest-$1.code")
  count "$log/pytest-$1"
  if [ "$code" -ne 0 ] && [ "$code" -ne 5 ]; then
    grep -aE '^(FAILED|ERROR|E  )' "$log/pytest-$1" | head -60
    tail -5 "$log/pytest-$1"
    [ "$code" -eq 1 ] || failed=$((failed + 1))
  fi
}

# run_python NAME BUILD PYTEST_ARGUMENT...
run_python() {
  stage "Python tests, $*"
  start_python "$@"
  await_python "$1"
}

# two parts side by side, for files in which nothing depends on time: NAME BUILD FILE...; every other file for each
run_python_halves() {
  stage "Python tests, $1, two parts side by side"
  halved=$1
  built=$2
  shift 2
  # shellcheck disable=SC2046
  start_python "${halved}_1" "$built" $(printf '%s\n' "$@" | sed -n 'p;n')
  # shellcheck disable=SC2046
  start_python "${halved}_2" "$built" $(printf '%s\n' "$@" | sed -n 'n;p')
  await_python "${halved}_1"
  await_python "${halved}_2"
}

# The server where each byte that it touches is looked at. Its clients and times are not what counts there. Every run has
# the files in which a server does what C tests and replays of whole sessions do not: other processes, TLS, signals, shared
# memory, files. The others are nightly.
address_often="protocol hostile upload lifecycle pieces crowds invalid_rows compute models shared tls log costs settings compiler"
address_nightly="bad_bytes calls_of_users slow_peers names identities monitoring clients comeback futures held leaving python_client refusals loading sessions parameters
  sampling unload prepared outputs long_rows ends"

# files whose tests compare the server's work or memory with that of a moment before, so that nothing runs beside them
e2e_alone="scheduling slow_peers crowds futures"
run_address() {  # NAME BUILD FILES
  export SHEAF_SANITIZED=1 TEST_SLOW=4
  export PYTEST_ADDOPTS="--deselect tests/e2e/test_slow_peers.py::test_stopped_readers_cost_little
    --deselect tests/e2e/test_slow_peers.py::test_200_slow_writers
    --deselect tests/e2e/test_futures.py::test_a_higher_priority_ends_first"
  # shellcheck disable=SC2046
  run_python_halves "$1" "$2" $(printf 'tests/e2e/test_%s.py\n' $3)
  unset SHEAF_SANITIZED TEST_SLOW PYTEST_ADDOPTS
}

finish() {
  stage done
  echo "$passed passed, $failed failed, $skipped skipped"
  [ "$failed" -eq 0 ]
  exit
}

if [ "${1:-}" = nightly ]; then
  export SHEAF_NIGHTLY=1
  build release && python_environment && run_python nightly release -rA -m nightly tests/e2e
  # what the long tests counted: connections, GiB, faults, minutes
  grep -aE '^[0-9].*(minutes|elements|GiB|faults|malformed|rounds)|^lost:|^small requests:' "$log/pytest-nightly"
  TEST_ROUNDS=40 run_python comeback release tests/e2e/test_comeback.py
  unset SHEAF_NIGHTLY
  # the server under memcheck, through the paths that everybody uses; times are not what counts there
  export SHEAF_VALGRIND=1 SHEAF_SANITIZED=1 TEST_SLOW=20
  # fifty handshakes within the time that a client has for Hello
  export PYTEST_ADDOPTS="--deselect tests/e2e/test_tls.py::test_handshakes_that_stop"
  # shellcheck disable=SC2046
  run_python memcheck release $(printf 'tests/e2e/test_%s.py\n' valgrind protocol compute upload lifecycle pieces hostile shared tls \
    invalid_rows names)
  unset SHEAF_VALGRIND SHEAF_SANITIZED TEST_SLOW PYTEST_ADDOPTS
  stage "31,200 cancellations"
  single cancel_points build/release/tests/fuzz/cancel_points 100
  stage "10^7 pairs of geoms, every word of binary models"
  single random_pairs build/release/tests/fuzz/random_pairs 10000000
  # all variants of the kernels, and floats
  build asan-all && run_c asan-all && ASAN_OPTIONS=allocator_may_return_null=1 single damage_words build/asan-all/tests/fuzz/damage_words &&
    ASAN_OPTIONS=allocator_may_return_null=1 single damage_reference build/asan-all/tests/fuzz/damage_words 1 \
      tests/fuzz/corpus_mjb/reference_3_4_0
  [ -x build/asan-all/clients/cli/sheaf ] && run_address address_nightly asan-all "$address_nightly"
  build tsan-all && run_c tsan-all
  TEST_SLOW=4 SHEAF_SANITIZED=1 TEST_SECONDS=30 run_python thread tsan-all tests/e2e/test_model_cache.py
  seconds=${SHEAF_FUZZ_SECONDS:-600}
  stage "fuzzing, $seconds s for each target"
  sh tests/fuzz/run.sh "$seconds" >"$log/fuzz" 2>&1 || grep -aE ' failed$|ERROR|runtime error' "$log/fuzz"
  count "$log/fuzz"
  finish
fi

build release
[ -n "${SHEAF_FAST:-}" ] || { start_build asan && start_build tsan asan tests_with_threads; }
run_c release
run_memcheck single
stage "instructions"
python3 tests/instructions/count.py build/release >"$log/instructions" 2>&1 || grep -aE 'FAILED|Error' "$log/instructions"
grep -aq ' skipped$' "$log/instructions" || failed=$((failed + 1))
count "$log/instructions"
stage "lint"
single lint python3 tests/lint/check.py
stage "an outside program against the installed tree"
single install sh tests/install/run.sh "$root/build/release"

python_environment
run_python_halves live release tests/live/test_*.py
# shellcheck disable=SC2046
run_python_halves e2e release $(ls tests/e2e/test_*.py | grep -vE "test_($(echo $e2e_alone | tr ' ' '|'))\.py")
if [ -z "${SHEAF_FAST:-}" ]; then
  await_build asan && run_c asan
  [ -x build/asan/clients/cli/sheaf ] && run_address address asan "$address_often"
  await_build tsan && single archer archer_works &&
    single known_race sh tests/support/known_race.sh build/tsan && run_c tsan threads
fi
# shellcheck disable=SC2046
run_python e2e_alone release $(printf 'tests/e2e/test_%s.py\n' $e2e_alone)
finish
