// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Logs the call stacks of the threads of this process.
#ifndef SHEAF_SERVER_WATCH_STACKS_H_
#define SHEAF_SERVER_WATCH_STACKS_H_

// Call once, before there are threads: installs the handler of the signal that asks a thread for its stack.
void srv_stacks_init(void);

// Log one line for each thread but the caller's: event=stack thread=NAME frames="inner < outer". A thread that does not
// answer within 200 ms is logged without frames.
void srv_stacks_log(void);

#endif  // SHEAF_SERVER_WATCH_STACKS_H_
