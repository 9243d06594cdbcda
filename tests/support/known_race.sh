#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
#
# Does ThreadSanitizer find a race that is there, and none where there is a lock?
#   sh tests/support/known_race.sh build/tsan
set -u
program=$1/tests/known_race
reports() { "$program" "$1" 2>&1 | tee /dev/stderr | grep -ac 'WARNING: ThreadSanitizer: data race'; }

for kind in pthread team; do
  [ "$(reports $kind)" -ge 1 ] || { echo "the race of $kind was not found"; exit 1; }
done
[ "$(reports locked)" -eq 0 ] || { echo "a race was found where there is none"; exit 1; }
[ "$("$program" locked)" = 60000 ] || { echo "wrong count"; exit 1; }
echo "two races found, none beside them"
