#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
#
# Compile with clang, and with the flags of another compiler:
#   sh with_clang.sh "[LAUNCHER] CLANG" OTHER_COMPILER FLAG ...
# This is how CMake compiles some sources of a project with a second compiler.
set -eu
clang=$1
shift 2
for flag; do
  shift
  case $flag in
    -fopenmp) set -- "$@" -fopenmp-simd ;;    # lane sources start no threads, so clang's library of them is not needed
    -fsingle-precision-constant) set -- "$@" -Xclang -cl-single-precision-constant ;;
    -fno-single-precision-constant) ;;
    *) set -- "$@" "$flag" ;;
  esac
done
exec $clang "$@"
