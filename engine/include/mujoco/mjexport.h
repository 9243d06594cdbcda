// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#ifndef SHEAF_MUJOCO_MJEXPORT_H_
#define SHEAF_MUJOCO_MJEXPORT_H_

// MJAPI marks what the shared library offers, MJLOCAL what it keeps to itself.
#if defined(__GNUC__)
#define MJAPI __attribute__((visibility("default")))
#define MJLOCAL __attribute__((visibility("hidden")))
#else
#define MJAPI
#define MJLOCAL
#endif

#endif  // SHEAF_MUJOCO_MJEXPORT_H_
