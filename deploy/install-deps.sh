#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
#
# Install the packages that building and running Sheaf on Debian 12 need; does nothing if all are installed.
#   sh deploy/install-deps.sh          compilers (clang for groups of eight states with AVX2), libraries, Python with venv
#   sh deploy/install-deps.sh arm      also those for tests/arm.sh (cross compiler for aarch64, emulator)
#   sh deploy/install-deps.sh test     also those for the tests (clang with its sanitizers, OpenMP and formatter)
set -eu

packages="gcc clang libc6-dev cmake ninja-build pkg-config protobuf-compiler protobuf-c-compiler
  libuv1-dev libprotobuf-c-dev libexpat1-dev libqhull-dev libssl-dev libpng-dev libinih-dev libseccomp-dev libmicrohttpd-dev
  python3 python3-venv"
[ "${1:-}" = test ] && packages="$packages g++ clang-format-14 libclang-rt-14-dev libomp-dev git dpkg-dev valgrind help2man mandoc systemd openssl libccd-dev"
[ "${1:-}" = arm ] && packages="$packages gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user mmdebstrap libccd-dev"

missing=""
for p in $packages; do
  dpkg-query -W -f='${Status}' "$p" 2>/dev/null | grep -q '^install ok installed' || missing="$missing $p"
done
[ -z "$missing" ] && exit 0

echo "installing:$missing"
root=""
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || { echo "run as root or install:$missing" >&2; exit 1; }
  root=sudo
fi
$root apt-get update -qq
DEBIAN_FRONTEND=noninteractive $root apt-get install -y -qq --no-install-recommends $missing
