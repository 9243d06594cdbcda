// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// A program against an installed C client. There is no server: the client says so.
#include <string.h>

#include <sheaf_client.h>

int main(void) {
  sheafc_status status;
  sheafc_rollout_args args = sheafc_rollout_default();
  sheafc* c = sheafc_connect("unix:///nowhere/s.sock", NULL, &status);
  return c || status.code != SHEAFC_UNAVAILABLE || !strstr(status.message, "nowhere") || args.size != sizeof args;
}
