// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// sheaf token new NAME: prints a token for a client, and the lines for the server's token file.
#include <stdio.h>
#include <string.h>

#include "auth/token_file.h"
#include "commands.h"

int cli_token(int argc, char** argv) {
  char token[SRV_TOKEN_TEXT], line[SRV_TOKEN_TEXT];
  bool help = argc == 2 && !strcmp(argv[1], "--help");
  if (help || argc != 3 || strcmp(argv[1], "new")) {
    fprintf(
        help ? stdout : stderr,
        "usage: sheaf token new NAME\n\nPrints a new token to standard output, once and nowhere else: give it to the "
        "client.\nPrints lines for the server's --tokens file, which holds only its hash, to standard error.\n");
    return help ? 0 : 2;
  }
  if (!srv_identity_name_fits(argv[2])) {
    fprintf(stderr, "sheaf token: \"%s\": expected at most 48 letters, digits and . _ - @\n", argv[2]);
    return 2;
  }
  if (!srv_token_make(token, line)) {
    fprintf(stderr, "sheaf token: no random numbers\n");
    return 1;
  }
  printf("%s\n", token);
  fprintf(stderr, "[%s]\ntoken = %s\n", argv[2], line);
  return fflush(stdout) ? 1 : 0;
}
