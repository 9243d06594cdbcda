// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// What a service manager that started this process gives and wants to know: systemd's protocols of sd_notify(3) and
// sd_listen_fds(3), which are an environment variable and a datagram each. Without a manager nothing happens.
#ifndef SHEAF_SERVER_ADMIN_NOTIFY_H_
#define SHEAF_SERVER_ADMIN_NOTIFY_H_

#include <stdint.h>

// Tell the manager, e.g. "READY=1". A manager that does not listen is not waited for.
void srv_notify(const char* state);

// "RELOADING=1" with the time that the manager wants to see.
void srv_notify_reloading(void);

// How often the manager wants to hear "WATCHDOG=1": milliseconds, 0 for not at all.
uint64_t srv_notify_watchdog_ms(void);

// Sockets that the manager opened for this process: descriptors SRV_NOTIFY_FIRST_FD and up. Their number; they are
// made private to this process, and asking again gives 0.
enum { SRV_NOTIFY_FIRST_FD = 3 };
int srv_notify_sockets(void);

#endif  // SHEAF_SERVER_ADMIN_NOTIFY_H_
