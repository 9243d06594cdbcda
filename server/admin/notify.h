// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Talks to the service manager that started this process, by systemd's protocols: sd_notify(3) for the state of the
// process, sd_listen_fds(3) for sockets that the manager opened. Without a manager these functions do nothing.
#ifndef SHEAF_SERVER_ADMIN_NOTIFY_H_
#define SHEAF_SERVER_ADMIN_NOTIFY_H_

#include <stdint.h>

// Tell the manager a state, e.g. "READY=1". Does not wait if the manager does not read.
void srv_notify(const char* state);

// Tell the manager "RELOADING=1", with the time stamp that it wants.
void srv_notify_reloading(void);

// Milliseconds between two "WATCHDOG=1" that the manager should get; 0: it wants none.
uint64_t srv_notify_watchdog_ms(void);

// The number of sockets that the manager opened for this process: descriptors SRV_NOTIFY_FIRST_FD and up. They are set
// to close in child processes, and a second call returns 0.
enum { SRV_NOTIFY_FIRST_FD = 3 };
int srv_notify_sockets(void);

#endif  // SHEAF_SERVER_ADMIN_NOTIFY_H_
