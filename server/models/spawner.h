// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// A small process between the server and the helpers that compile models.
//
// A server that forks stops for as long as copying its page tables takes, and cannot fork at all once its address
// space is larger than the memory that the system would promise twice. The spawner is started once, stays small, and
// forks the helpers. It holds no model and no secret, and its helpers find none in their copy of it.
//
// It reads from a socket on descriptor SRV_SPAWNER_FD (messages in models/exchange.h) until the server closes it, then
// kills what still runs and ends.
#ifndef SHEAF_SERVER_MODELS_SPAWNER_H_
#define SHEAF_SERVER_MODELS_SPAWNER_H_

// The spawner's main function: `sheaf spawn-compilers`.
int srv_spawner_main(void);

#endif  // SHEAF_SERVER_MODELS_SPAWNER_H_
