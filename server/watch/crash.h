// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// What the process does when it crashes: it says so, with the place, before it dies as the signal wants.
#ifndef SHEAF_SERVER_WATCH_CRASH_H_
#define SHEAF_SERVER_WATCH_CRASH_H_

// Report SIGSEGV, SIGBUS, SIGILL, SIGFPE and SIGABRT on standard error: signal, address, thread, version, call
// stack, and the requests that workers compute. The signal's own end, a core file for instance, follows. Sanitizers
// keep their own reports.
void srv_crash_reports(void);

#endif  // SHEAF_SERVER_WATCH_CRASH_H_
