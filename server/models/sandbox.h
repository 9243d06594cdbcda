// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// What a process gives up before it reads a model of a client.
//
// There are several layers, because hardly any system allows all of them: containers forbid user namespaces, and only
// root can change its uid. A layer that the system refuses is left out, and is missing in the result of
// srv_sandbox_enter. The filter of system calls alone keeps files, sockets, other processes and new processes out of
// reach. The limits, the namespace and the uid protect each in part, also without the filter.
#ifndef SHEAF_SERVER_MODELS_SANDBOX_H_
#define SHEAF_SERVER_MODELS_SANDBOX_H_

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum {
  SRV_SANDBOX_LIMITS = 1,          // time, memory, no files, no children
  SRV_SANDBOX_UID = 2,             // as root: the uid and gid of nobody
  SRV_SANDBOX_NAMESPACE = 4,       // user, network and IPC namespaces of its own
  SRV_SANDBOX_CAPABILITIES = 8,    // no capabilities
  SRV_SANDBOX_PARENT = 16,         // it ends with its parent
  SRV_SANDBOX_UNREADABLE = 32,     // no other process may read its memory
  SRV_SANDBOX_NO_PRIVILEGES = 64,  // it cannot gain privileges
  SRV_SANDBOX_FILTER = 128,        // a filter of system calls
  SRV_SANDBOX_ALL = 255,
};

typedef struct {
  uint32_t cpu_s;
  uint64_t memory_bytes;  // address space
  uint64_t output_bytes;  // bytes that may be written
  pid_t parent;
} srv_sandbox_limits;

// Make the program of the filter, once. Memory that runs out while libseccomp builds it crashes the process, and
// building takes time, so the spawner does it at its start, and the processes that it forks only hand the program to
// the system. Entering without this makes it then. False: there is no filter.
bool srv_sandbox_prepare(void);

// Close all descriptors but standard input and output, then enter the layers of `wanted`. Returns those that hold, or
// -1 if the parent is gone. For a process of one thread; there is no way back.
int srv_sandbox_enter(const srv_sandbox_limits* limits, int wanted);

// The layers that this system allows; a child process tries them.
int srv_sandbox_probe(void);

// Names of layers, separated by commas; returns out.
const char* srv_sandbox_text(char* out, int size, int layers);

#endif  // SHEAF_SERVER_MODELS_SANDBOX_H_
