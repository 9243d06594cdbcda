// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#ifndef SHEAF_MJCF_SAVE_XML_H_
#define SHEAF_MJCF_SAVE_XML_H_

#include <mujoco/mujoco.h>

// As mj_saveXML, to standard output if there is no file name; error is not NULL. 0, or -1.
int mji_saveFile(const mjSpec* s, const char* filename, char* error, int nerror);

#endif  // SHEAF_MJCF_SAVE_XML_H_
