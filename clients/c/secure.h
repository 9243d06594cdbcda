// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// TLS of a connection: sends and receives without waiting.
#ifndef SHEAF_CLIENT_SECURE_H_
#define SHEAF_CLIENT_SECURE_H_

#include <sys/types.h>

#include "internal.h"

// Rules from the options: which authorities to trust, and the certificate to show. NULL after a failure.
sheafc_secure_rules* sheafc_secure_make_rules(const sheafc_options* o, sheafc_status* st);
void sheafc_secure_free_rules(sheafc_secure_rules* rules);

// Shake hands with a server of this name over c->fd. Returns the code.
int sheafc_secure_open(sheafc* c, const char* host, int timeout_ms, sheafc_status* st);
void sheafc_secure_close(sheafc* c);

// Behave as recv and sendmsg with MSG_DONTWAIT.
ssize_t sheafc_secure_receive(sheafc* c, void* to, size_t n);
ssize_t sheafc_secure_send(sheafc* c, const struct iovec* from, int n);

#endif  // SHEAF_CLIENT_SECURE_H_
