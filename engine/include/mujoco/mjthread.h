// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#ifndef SHEAF_MUJOCO_MJTHREAD_H_
#define SHEAF_MUJOCO_MJTHREAD_H_

#define mjMAXTHREAD 128  // threads for which mjData has statistics

// State of a task.
typedef enum mjtTaskStatus_ {
  mjTASK_NEW = 0,
  mjTASK_QUEUED = 1,
  mjTASK_COMPLETED = 2,
} mjtTaskStatus;

// Function of a task.
typedef void* (*mjfTask)(void*);

// A pool of threads that run tasks. Steps do not use it; sheaf/batch.h computes states in parallel.
typedef struct mjThreadPool_ {
  int nworker;  // number of threads
} mjThreadPool;

// A unit of work for a pool.
typedef struct mjTask_ {
  mjfTask func;         // what to run
  void* args;           // its argument
  volatile int status;  // mjtTaskStatus
} mjTask;

#endif  // SHEAF_MUJOCO_MJTHREAD_H_
