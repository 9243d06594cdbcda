// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// A report when the process crashes.
#ifndef SHEAF_SERVER_WATCH_CRASH_H_
#define SHEAF_SERVER_WATCH_CRASH_H_

// Report SIGSEGV, SIGBUS, SIGILL, SIGFPE and SIGABRT on standard error: signal, address, thread, version, call
// stack, and the requests that workers compute. Then the signal takes its default effect, a core file for instance.
// Builds with sanitizers keep the sanitizers' reports.
void srv_crash_reports(void);

#endif  // SHEAF_SERVER_WATCH_CRASH_H_
