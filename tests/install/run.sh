#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
#
# Install a build into an empty folder, then build and run a program against what is there: once by the CMake
# package, once by pkg-config; a C++ program, too, and each public header alone.
set -eu
build=$1
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'code=$?; [ $code -eq 0 ] || cat "$work/log"; rm -rf "$work"' EXIT
cmake --install "$build" --prefix "$work/prefix" >"$work/log"
lib=$(dirname "$(find "$work/prefix" -name libsheaf.so)")

cmake -G Ninja -S "$here" -B "$work/cmake" -DCMAKE_PREFIX_PATH="$work/prefix" >>"$work/log"
cmake --build "$work/cmake" >>"$work/log"
"$work/cmake/outside"

PKG_CONFIG_PATH=$(dirname "$(find "$work/prefix" -name sheaf.pc)")
export PKG_CONFIG_PATH
cc "$here/outside.c" -o "$work/outside" $(pkg-config --cflags --libs sheaf) -Wl,-rpath,"$lib"
"$work/outside"
"${CXX:-c++}" -std=c++17 -Wall -Wextra -pedantic -Werror "$here/outside.cpp" -o "$work/outside_cpp" \
  $(pkg-config --cflags --libs sheaf) -Wl,-rpath,"$lib"
"$work/outside_cpp"
sh "$here/headers.sh" "$(dirname "$(dirname "$(find "$work/prefix" -name mjmodel.h)")")"
"$work/prefix/bin/sheaf" --help >/dev/null

# the C client alone
for way in "cmake-client" "pkg-config"; do
  case $way in
    cmake-client) program=$work/cmake/outside_client ;;
    *) program=$work/outside_client
       cc "$here/outside_client.c" -o "$program" $(pkg-config --cflags --libs sheaf_client) -Wl,-rpath,"$lib" ;;
  esac
  "$program"
done
