# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
#
# Completion of sheaf's commands, options and models in bash: from what `sheaf --help` and `sheaf COMMAND --help` say.

_sheaf() {
  local word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]}
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    mapfile -t COMPREPLY < <(compgen -W "$("${COMP_WORDS[0]}" --help 2>/dev/null | sed -n 's/^  \([a-z_]\{1,\}\) .*/\1/p')" -- "$word")
  elif [[ $word == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$("${COMP_WORDS[0]}" "$command" --help 2>/dev/null | grep -oE -- '--[a-z][a-z_-]*' | sort -u)" -- "$word")
  fi
}

# everything else is a file
complete -o default -F _sheaf sheaf
