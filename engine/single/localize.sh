#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
# usage: localize.sh LD NM OBJCOPY SHARED.txt OUT.o OBJECT...
# Link objects into one in which only the functions mji_single_* are global, so that their other names may be those of
# the engine of doubles. What it lacks must be in SHARED.txt: a function of the other engine that reads a model would take
# floats for doubles.
set -eu
ld=$1 nm=$2 objcopy=$3 shared=$4 out=$5
shift 5
"$ld" -r -o "$out.all" "$@"
lacks=$("$nm" -u "$out.all" | awk '$2 ~ /^(mj|sheaf)/ { print $2 }' | grep -vxFf "$shared" || true)
if [ -n "$lacks" ]; then
  echo "single precision lacks: $lacks (add their sources, or list them in $shared)"
  exit 1
fi
"$nm" -g --defined-only "$out.all" | awk '$3 !~ /^mji_single_/ { print $3 }' >"$out.names"
"$objcopy" --localize-symbols="$out.names" "$out.all" "$out"
rm "$out.all" "$out.names"
