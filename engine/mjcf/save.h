// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#ifndef SHEAF_MJCF_SAVE_H_
#define SHEAF_MJCF_SAVE_H_

#include <mujoco/mujoco.h>

// Keep the specification of the model that was loaded last, for mj_saveLastXML; the one before is
// deleted. It belongs to this file from now on.
void mji_saveKeep(mjSpec* s);

#endif  // SHEAF_MJCF_SAVE_H_
