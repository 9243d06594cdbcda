#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
#
# Install what is missing, build, and run the main job: a batch of rollouts through a real server.
#   sh deploy/run.sh [arguments of deploy/demo/demo.py]
set -eu
cd "$(dirname "$0")/.."
sh deploy/install-deps.sh

echo "building (first time: a few minutes; log in build/log/run)"
mkdir -p build/log
if ! { cmake --preset release -DSHEAF_TESTS=OFF && cmake --build --preset release; } >build/log/run 2>&1; then
  tail -40 build/log/run
  exit 1
fi

venv=build/venv
[ -x $venv/bin/python ] || python3 -m venv $venv
$venv/bin/pip install -q numpy protobuf matplotlib tqdm
$venv/bin/pip install -q --force-reinstall --no-deps ./clients/python

# a server on a socket of its own, so that another server may run, which ends when this script ends, for whatever reason
dir=$(mktemp -d)
build/release/clients/cli/sheaf serve --no-tcp --unix "$dir/sheaf.sock" 2>"$dir/log" &
server=$!
trap 'kill $server 2>/dev/null; wait $server 2>/dev/null; rm -rf "$dir"' EXIT
for i in $(seq 100); do
  build/release/clients/cli/sheaf info "unix://$dir/sheaf.sock" >/dev/null 2>&1 && break
  kill -0 $server 2>/dev/null || { cat "$dir/log"; exit 1; }
  sleep 0.1
done
$venv/bin/python deploy/demo/demo.py "unix://$dir/sheaf.sock" "$@"
