#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
#
# Make a man page from a command's --help and a file of further sections.
#   sh make.sh HELP2MAN "COMMAND ..." PAGE VERSION SECTIONS OUT.gz
# A page has no date and no path of the build, so each build makes the same page.
set -eu
page=$3
name=$(echo "$page" | tr - ' ')
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# help2man calls the command by the page's name; ARGP_HELP_FMT below sets the width of its help
printf '#!/bin/sh\nexec %s "$@"\n' "$2" >"$work/$page"
chmod 755 "$work/$page"
ARGP_HELP_FMT=rmargin=110,opt-doc-col=40 LC_ALL=C SOURCE_DATE_EPOCH=0 "$1" --no-info --no-discard-stderr --section=1 --source="Sheaf $4" \
  --version-string="$4" --include="$5" --output="$work/page" "$work/$page"
sed -i "s/^\.TH .*/.TH $(echo "$page" | tr a-z A-Z) 1 \"\" \"Sheaf $4\" \"Sheaf\"/" "$work/page"
if [ "$name" != "$page" ]; then sed -i "s/^\.B sheaf$/.B $name/; s/^\\\\fI\\\\,serve \\\\\/\\\\fR\\[/[/" "$work/page"; fi
gzip -9n <"$work/page" >"$6"
