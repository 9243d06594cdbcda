#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
#
# Prove the two commands of the README on an empty Debian 12: make its file system in a temporary folder, clone HEAD
# into it (uncommitted changes stay out), and run there deploy/run.sh and then tests/run.sh. Says which failed.
#   sh tests/fresh.sh [--keep]     --keep: do not remove the file system; its place is the last line
#   SHEAF_FAST=1 ...               as for tests/run.sh
# Needs root and the package mmdebstrap. Package sources, certificates and settings of pip come from this machine.
set -eu
cd "$(dirname "$0")/.."

# ---- inside: called by this script itself, in mount and process namespaces of its own, which end with it
if [ "${1:-}" = --inside ]; then
  root=$2
  mount -t proc proc "$root/proc"
  mount --rbind /sys "$root/sys"
  mount --rbind /dev "$root/dev"
  for folder in ${PIP_FIND_LINKS:-}; do
    [ -d "$folder" ] || continue
    mkdir -p "$root$folder"
    mount --bind "$folder" "$root$folder"
  done
  for script in deploy/run.sh tests/run.sh; do
    echo "== fresh: sh $script"
    code=0
    env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 ${SHEAF_FAST:+SHEAF_FAST="$SHEAF_FAST"} \
      $(env | grep '^PIP_' | grep -v ' ') ${cert:+PIP_CERT=/etc/pip-cert.pem} \
      chroot "$root" sh "/src/$script" || code=$?
    echo "== fresh: sh $script: $([ $code -eq 0 ] && echo passed || echo "FAILED ($code)")"
    [ $code -eq 0 ] || failed="${failed:-}$script "
  done
  [ -z "${failed:-}" ]
  exit
fi

# ---- outside
[ "$(id -u)" -eq 0 ] || { echo "run as root: it makes a file system and changes root into it" >&2; exit 1; }
command -v mmdebstrap >/dev/null || { echo "install mmdebstrap first" >&2; exit 1; }

root=$(mktemp -d)
# safe, although devices were mounted below: those mounts ended with their namespace
[ "${1:-}" = --keep ] && trap 'echo "kept: $root"' EXIT || trap 'rm -rf --one-file-system "$root"' EXIT
trap 'exit 1' INT TERM

echo "== fresh: empty Debian 12"
settings=$(mktemp -d)
apt-get indextargets --format 'deb $(REPO_URI) $(CODENAME) $(COMPONENT)' 'Created-By: Packages' 'Origin: Debian' |
  sort -u >"$settings/sources.list"
apt-config dump | grep -E '^Acquire::(https?::(Proxy |Timeout|Verify-|CaInfo)|Check-|Retries)' >"$settings/apt.conf" || :
code=0
mmdebstrap --quiet --mode=root --variant=minbase --aptopt="$settings/apt.conf" bookworm "$root" \
  "$settings/sources.list" >"$settings/log" 2>&1 || { code=$?; tail -20 "$settings/log"; }
rm -r "$settings"
[ $code -eq 0 ] || exit $code
cp /etc/resolv.conf /etc/hosts "$root/etc/"
for file in /etc/pip.conf "$HOME/.config/pip/pip.conf"; do
  [ -f "$file" ] && cp "$file" "$root/etc/pip.conf"
done
cert=${PIP_CERT:-$(sed -n 's/^ *cert *= *//p' "$root/etc/pip.conf" 2>/dev/null || :)}
[ -f "$cert" ] && cp "$cert" "$root/etc/pip-cert.pem" || cert=""
export cert
git clone -q --no-local . "$root/src"

unshare --mount --pid --fork --kill-child sh tests/fresh.sh --inside "$root"
