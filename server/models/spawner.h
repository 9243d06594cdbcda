// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// A small process between the server and the helpers that compile models.
//
// A server that forks stands still while its page tables are copied, and cannot fork at all if it uses more memory than
// the system would promise twice. The spawner is started once, stays small, and forks the helpers. It holds no model
// and no secret, so helpers have none in their copy of its memory.
//
// It reads from a socket on descriptor SRV_SPAWNER_FD (messages in models/exchange.h) until the server closes it, then
// kills what still runs and ends.
#ifndef SHEAF_SERVER_MODELS_SPAWNER_H_
#define SHEAF_SERVER_MODELS_SPAWNER_H_

// The variable with the path of the library whose plugins models may use; the server sets it for the spawner.
#define SRV_PLUGIN_VARIABLE "SHEAF_PLUGIN_LIBRARY"

// The spawner's main function: `sheaf spawn-compilers`.
int srv_spawner_main(void);

#endif  // SHEAF_SERVER_MODELS_SPAWNER_H_
