// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Resource providers beside the documented functions (mjp_registerResourceProvider and the like).
#ifndef SHEAF_PROVIDERS_H_
#define SHEAF_PROVIDERS_H_

#include <mujoco/mujoco.h>

#ifdef __cplusplus
extern "C" {
#endif

// From now on this process has no resource providers, and none can be registered: all names of files are names of
// files. For programs that load models which others wrote.
MJAPI void sheaf_forbidProviders(void);

#ifdef __cplusplus
}
#endif

#endif  // SHEAF_PROVIDERS_H_
