#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
#
# Build the engine for aarch64 with Debian's cross compiler, run its C tests under qemu-user, and compare bits: of one
# lane with those of four, and of aarch64 with those of x86-64.
#   sh tests/arm.sh [MODEL_OR_FOLDER ...]     models for the comparison of bits, by default tests/golden/models
# The libraries of arm64 lie in build/arm-root; nothing of that architecture is installed.
set -eu
cd "$(dirname "$0")/.."
sh deploy/install-deps.sh arm
[ $# -gt 0 ] || set -- tests/golden/models
jobs=$(nproc)
SHEAF_ARM_ROOT=$(pwd)/build/arm-root
export SHEAF_ARM_ROOT

if [ ! -e "$SHEAF_ARM_ROOT/complete" ]; then
  echo "== libraries of arm64"
  rm -rf "$SHEAF_ARM_ROOT"
  mkdir -p build
  sources=$(mktemp)
  apt-get indextargets --format 'deb [arch=arm64] $(REPO_URI) $(CODENAME) $(COMPONENT)' 'Created-By: Packages' 'Origin: Debian' |
    sort -u >"$sources"
  mmdebstrap --quiet --variant=extract --architectures=arm64 \
    --include=libc6-dev,libgomp1,libexpat1-dev,libpng-dev,libccd-dev,libqhull-dev bookworm "$SHEAF_ARM_ROOT" "$sources"
  rm "$sources"
  touch "$SHEAF_ARM_ROOT/complete"
fi

# the last line of a build, or all that it says where it fails
build() {
  log=$(mktemp)
  cmake --build "$@" -j "$jobs" >"$log" 2>&1 || { cat "$log"; exit 1; }
  tail -1 "$log"
  rm "$log"
}

echo "== build"
cmake -G Ninja -S . -B build/arm -DCMAKE_TOOLCHAIN_FILE=tests/support/aarch64.cmake -DSHEAF_SERVER=OFF -DSHEAF_BENCH=OFF >/dev/null
build build/arm
cmake --preset release -DSHEAF_TESTS=ON >/dev/null
build --preset release --target same_bits

# every aarch64 can fuse a multiplication with an addition, which rounds once where x86-64 rounds twice
if aarch64-linux-gnu-objdump -d build/arm/engine/libsheaf.so | grep -qE '\sf(n?madd|n?msub|mla|mls)\s'; then
  echo "FAILED: fused multiply-add in the engine" >&2
  exit 1
fi

echo "== C tests"
TEST_EMULATED=1 ctest --test-dir build/arm -j "$jobs" --timeout 6000 --output-on-failure

qemu="qemu-aarch64 -L $SHEAF_ARM_ROOT"
echo "== bits of one lane and of four"
python3 tests/same_bits/compare.py --lanes --emulator "$qemu" build/arm "$@"
echo "== bits of aarch64 and of x86-64"
python3 tests/same_bits/compare.py --compiled --emulator "$qemu" build/release build/arm "$@"
