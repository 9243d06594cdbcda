// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// A server that others can reach must have tokens and TLS, unless the settings insecure-no-token and insecure-no-tls
// say otherwise.
#ifndef SHEAF_SERVER_ADMIN_EXPOSURE_H_
#define SHEAF_SERVER_ADMIN_EXPOSURE_H_

#include "base/config.h"
#include "base/failure.h"

// May the server listen where its settings say? On loopback addresses it always may.
int srv_exposure_check(const srv_config* config, srv_error* error);

// May it listen on this socket, which the service manager gave it?
int srv_exposure_check_socket(const srv_config* config, int descriptor, srv_error* error);

#endif  // SHEAF_SERVER_ADMIN_EXPOSURE_H_
