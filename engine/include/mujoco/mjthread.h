// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#ifndef SHEAF_MUJOCO_MJTHREAD_H_
#define SHEAF_MUJOCO_MJTHREAD_H_


#define mjMAXTHREAD      128

typedef enum mjtTaskStatus_ {
  mjTASK_NEW       = 0,
  mjTASK_QUEUED    = 1,
  mjTASK_COMPLETED = 2,
} mjtTaskStatus;

typedef void* (*mjfTask)(void*);

typedef struct mjThreadPool_ {
  int nworker;
} mjThreadPool;

typedef struct mjTask_ {
  mjfTask func;
  void* args;
  volatile int status;
} mjTask;

#endif  // SHEAF_MUJOCO_MJTHREAD_H_
