// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Warnings that belong to a data.
#include <mujoco/mujoco.h>

#include "model/work.h"

void mj_warning(mjData* d, int warning, int info) {
  if (warning < 0 || warning >= mjNWARNING) {
    mju_error("mj_warning: no warning has the number %d", warning);
    return;
  }

  // report only the first warning of a kind, and none in a batch
  if (!d->warning[warning].number && !mji_work(d)->quiet) {
    mju_warning("%s Time = %.4f.", mju_warningText(warning, (size_t)info), d->time);
  }
  d->warning[warning].lastinfo = info;
  d->warning[warning].number++;
}

void mji_warn(mjData* d, int warning, int info) {
  if (mji_work(d)->nlane == 1) {
    mj_warning(d, warning, info);
  } else {
    d->warning[warning].lastinfo = info;
    d->warning[warning].number++;
  }
}
