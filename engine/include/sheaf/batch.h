// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Batches of rollouts, forward and inverse dynamics and derivatives over a pool of worker threads.
//
// A pool is one persistent team of threads with simulation data of its own. It may be shared by
// many callers; each call or job names a model, which must stay alive and unchanged until it is
// done. Results are a pure function of (model, inputs, options): the same bits for any number of
// threads, any chunking and any order of the batch.
//
// Arrays are row-major doubles. Every input has a count of its own for each dimension marked
// "or 1": 1 there means that one row serves all. Nothing here prints, exits or raises; numerical trouble is
// reported per row in `status`.
#ifndef SHEAF_BATCH_H_
#define SHEAF_BATCH_H_

#include <stddef.h>
#include <stdint.h>

#include <mujoco/mujoco.h>

#ifdef __cplusplus
extern "C" {
#endif

// Codes of calls, with the numbers of gRPC.
typedef enum sheafCode_ {
  SHEAF_OK = 0,
  SHEAF_CANCELLED = 1,
  SHEAF_INVALID_ARGUMENT = 3,
  SHEAF_DEADLINE_EXCEEDED = 4,
  SHEAF_NOT_FOUND = 5,
  SHEAF_RESOURCE_EXHAUSTED = 8,
  SHEAF_FAILED_PRECONDITION = 9,
  SHEAF_UNIMPLEMENTED = 12,
  SHEAF_INTERNAL = 13,
  SHEAF_UNAVAILABLE = 14,
} sheafCode;

// Why a call failed: which field, what was expected and what came.
typedef struct sheafStatus_ {
  int code;               // sheafCode
  char field[64];
  char message[320];
} sheafStatus;

// Why one row of a batch stopped being valid. Positive codes are 1 + mjtWarning of the cause.
typedef enum sheafRow_ {
  SHEAF_ROW_OK = 0,
  SHEAF_ROW_BADQPOS = 1 + mjWARN_BADQPOS,
  SHEAF_ROW_BADQVEL = 1 + mjWARN_BADQVEL,
  SHEAF_ROW_BADQACC = 1 + mjWARN_BADQACC,
  SHEAF_ROW_BADCTRL = 1 + mjWARN_BADCTRL,
  SHEAF_ROW_ERROR = 100,       // an engine error was caught while this row was computed
  SHEAF_ROW_CANCELLED = 101,   // not computed: the job was cancelled
} sheafRow;

typedef struct sheafPool_ sheafPool;
typedef struct sheafJob_ sheafJob;

typedef struct sheafPoolConfig_ {
  size_t size;            // sizeof(sheafPoolConfig)
  int nthread;            // worker threads; 0: CPUs usable by this process
  int nlane;              // lanes: 0 chooses by CPU and model; 1, 4 or 8 force it where the CPU can
  int chunk;              // lane groups (or rows) a worker takes at a time; 0 chooses
} sheafPoolConfig;

MJAPI sheafPoolConfig sheaf_defaultPoolConfig(void);

// Open a pool. NULL on failure, with the reason in status (may be NULL).
MJAPI sheafPool* sheaf_openPool(const sheafPoolConfig* config, sheafStatus* status);

// Finish what runs, cancel what waits, end the threads. NULL is ignored.
MJAPI void sheaf_closePool(sheafPool* pool);

MJAPI int sheaf_poolThreads(const sheafPool* pool);

// ---- outputs by name
// Any mjData array or scalar that has one value per state: "qacc", "xpos", "site_xpos",
// "qfrc_constraint", "sensordata", "energy", "qpos", "act", "time", "ncon", "M" (dense nv x nv), ...

// Numbers per state of a named output, or -1 if there is no such output. shape (may be NULL)
// receives up to two dimensions, the second 1 for vectors.
MJAPI int sheaf_outputSize(const mjModel* m, const char* name, int shape[2]);

// Number of named outputs, and the i-th name.
MJAPI int sheaf_outputCount(void);
MJAPI const char* sheaf_outputName(int i);

typedef struct sheafOutput_ {
  const char* name;
  mjtNum* data;           // (nbatch x nstep x n) for a rollout, (nbatch x n) otherwise
} sheafOutput;

// Called from worker threads, at most one call at a time: steps (rows, columns) done of total.
typedef void (*sheafProgress)(void* user, int64_t done, int64_t total);

// ---- rollout
typedef struct sheafRollout_ {
  size_t size;                   // sizeof(sheafRollout)
  int nbatch;
  int nstep;                     // steps of each rollout
  const int32_t* length;         // (nbatch) steps of each rollout, <= nstep, or NULL; later rows
                                 // repeat the last

  const mjtNum* state0;          // (nbatch or 1) x mj_stateSize(m, mjSTATE_FULLPHYSICS)
  int nstate0;                   // nbatch or 1
  const mjtNum* warmstart0;      // (nbatch or 1) x nv, or NULL: zero
  int nwarmstart0;

  unsigned int control_spec;     // mjtState bits of the control; 0: mjSTATE_CTRL
  const mjtNum* control;         // (nbatch or 1) x ncontrolstep x mj_stateSize(m, control_spec),
                                 // or NULL: zero
  int ncontrol;                  // nbatch or 1
  int ncontrolstep;              // rows of control per rollout
  int hold;                      // steps that each control row is held; 0: 1. Past the end the
                                 // last row is held

  mjtNum* state;                 // (nbatch x nstep x nstate) after each step, or NULL
  mjtNum* sensordata;            // (nbatch x nstep x nsensordata) made within each step, or NULL
  mjtNum* final_state;           // (nbatch x nstate) or NULL
  mjtNum* final_warmstart;       // (nbatch x nv) or NULL; continue from it for the same bits as
                                 // one long rollout
  const sheafOutput* output;     // (noutput) more outputs, as they are after each step
  int noutput;

  int32_t* status;               // (nbatch) sheafRow, or NULL
  int32_t* badstep;              // (nbatch) first step that is not valid, -1 if all are; or NULL

  sheafProgress progress;        // or NULL
  void* user;
} sheafRollout;

// ---- forward dynamics at given states
typedef struct sheafForward_ {
  size_t size;
  int nbatch;
  // each (nbatch or 1) x n, or NULL for the model's default (qpos0, zero)
  const mjtNum* qpos;            int nqpos;
  const mjtNum* qvel;            int nqvel;
  const mjtNum* act;             int nact;
  const mjtNum* ctrl;            int nctrl;
  const mjtNum* qfrc_applied;    int nqfrc_applied;
  const mjtNum* xfrc_applied;    int nxfrc_applied;     // nbody x 6
  const mjtNum* mocap_pos;       int nmocap_pos;        // nmocap x 3
  const mjtNum* mocap_quat;      int nmocap_quat;       // nmocap x 4
  const mjtNum* warmstart;       int nwarmstart;
  const mjtNum* time;            int ntime;
  int stage;                     // compute through mjSTAGE_POS, mjSTAGE_VEL or mjSTAGE_ACC (0: ACC)
  const sheafOutput* output;
  int noutput;
  int32_t* status;               // (nbatch) or NULL
  sheafProgress progress;
  void* user;
} sheafForward;

// ---- inverse dynamics
typedef struct sheafInverse_ {
  size_t size;
  int nbatch;
  const mjtNum* qpos;            int nqpos;
  const mjtNum* qvel;            int nqvel;
  const mjtNum* qacc;            int nqacc;
  const mjtNum* mocap_pos;       int nmocap_pos;
  const mjtNum* mocap_quat;      int nmocap_quat;
  int discrete;                  // qacc is a discrete-time acceleration (mjENBL_INVDISCRETE)
  mjtNum* qfrc_inverse;          // (nbatch x nv) or NULL
  const sheafOutput* output;
  int noutput;
  int32_t* status;
  sheafProgress progress;
  void* user;
} sheafInverse;

// ---- derivatives of a step, one set per state; T states of one trajectory are T rows
typedef struct sheafTransitionFD_ {
  size_t size;
  int nbatch;
  const mjtNum* state;           // (nbatch x nstate) mjSTATE_FULLPHYSICS
  const mjtNum* ctrl;            // (nbatch or 1) x nu, or NULL: zero
  int nctrl;
  const mjtNum* warmstart;       // (nbatch or 1) x nv, or NULL: zero
  int nwarmstart;
  mjtNum eps;
  int centered;
  // ndx = 2*nv + na; NULL where not wanted
  mjtNum* A;                     // (nbatch x ndx x ndx)
  mjtNum* B;                     // (nbatch x ndx x nu)
  mjtNum* C;                     // (nbatch x nsensordata x ndx)
  mjtNum* D;                     // (nbatch x nsensordata x nu)
  int32_t* status;
  sheafProgress progress;
  void* user;
} sheafTransitionFD;

// ---- derivatives of inverse dynamics
typedef struct sheafInverseFD_ {
  size_t size;
  int nbatch;
  const mjtNum* qpos;            int nqpos;
  const mjtNum* qvel;            int nqvel;
  const mjtNum* qacc;            int nqacc;
  mjtNum eps;
  int flg_actuation;
  // NULL where not wanted. The force is the row: DfDq[i][j] = d qfrc_inverse[i] / d q[j].
  // (mjd_inverseFD returns the transpose of these.)
  mjtNum* DfDq;                  // (nbatch x nv x nv)
  mjtNum* DfDv;
  mjtNum* DfDa;
  int32_t* status;
  sheafProgress progress;
  void* user;
} sheafInverseFD;

// Blocking calls. 0 (SHEAF_OK) or the code that is also in status (may be NULL).
MJAPI int sheaf_rollout(sheafPool* pool, const mjModel* m, const sheafRollout* r,
                        sheafStatus* status);
MJAPI int sheaf_forward(sheafPool* pool, const mjModel* m, const sheafForward* r,
                        sheafStatus* status);
MJAPI int sheaf_inverse(sheafPool* pool, const mjModel* m, const sheafInverse* r,
                        sheafStatus* status);
MJAPI int sheaf_transitionFD(sheafPool* pool, const mjModel* m, const sheafTransitionFD* r,
                             sheafStatus* status);
MJAPI int sheaf_inverseFD(sheafPool* pool, const mjModel* m, const sheafInverseFD* r,
                          sheafStatus* status);

// ---- jobs: the same work without waiting
typedef enum sheafKind_ {
  SHEAF_ROLLOUT = 0,
  SHEAF_FORWARD,
  SHEAF_INVERSE,
  SHEAF_TRANSITION_FD,
  SHEAF_INVERSE_FD,
} sheafKind;

// Called once from a worker thread when a job is over (done or cancelled); must not block.
typedef void (*sheafDone)(void* user, sheafJob* job);

// Check the request and queue it. The request struct is copied; arrays it points to must stay until
// the job is over. NULL if the request is not valid, with the reason in status; then `done` is never
// called.
MJAPI sheafJob* sheaf_submit(sheafPool* pool, const mjModel* m, sheafKind kind, const void* request,
                             sheafDone done, void* user, sheafStatus* status);

// Ask a job to stop: rows that have not started are not computed, others stop within a few steps.
MJAPI void sheaf_cancel(sheafJob* job);

// Wait until the job is over; its code. Then free it with sheaf_freeJob.
MJAPI int sheaf_wait(sheafJob* job, sheafStatus* status);

// Work done so far, in the unit of sheafProgress. Safe from any thread while the job lives.
MJAPI void sheaf_jobProgress(const sheafJob* job, int64_t* done, int64_t* total);

// Free a job that is over. Must not be called before `done` was called, but may be called from it.
MJAPI void sheaf_freeJob(sheafJob* job);

// ---- models by field name, for bindings that do not know the layout of mjModel
// Value of a size ("nq") or of a number among the options ("timestep", "integrator"), as a double;
// NaN if there is no such field.
MJAPI double sheaf_modelNumber(const mjModel* m, const char* name);

// Address of an array of the model ("qpos0", "actuator_ctrlrange"), or NULL. shape receives rows and
// columns, type one of 'd' (double), 'f' (float), 'i' (int), 'l' (int64), 'b' (byte), 'c' (char).
MJAPI const void* sheaf_modelArray(const mjModel* m, const char* name, int64_t shape[2],
                                   char* type);

// ---- build and lanes
// One line: version, compiler, lane variants in this build and the ones this CPU runs.
MJAPI const char* sheaf_buildInfo(void);

// Lanes that batches of this model run in (1 if a feature of the model has no lane path).
MJAPI int sheaf_modelLanes(const mjModel* m);

#ifdef __cplusplus
}
#endif

#endif  // SHEAF_BATCH_H_
