// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Batches of rollouts, forward and inverse dynamics and derivatives over a pool of worker threads.
//
// A pool is a team of threads that lives as long as the pool, with simulation data of its own. Many callers may share
// it. Each call or job names a model, which must stay alive and unchanged until the call or job is over. Results depend
// on model, inputs and options alone: they have the same bits for any number of threads, any size of chunks and any
// order of the rows of a batch.
//
// Arrays are row-major doubles. An input has nbatch rows, or one for all rows of the batch; a count beside it says
// which. These functions do not print, exit or call mju_error; numerical trouble is reported for each row in `status`.
#ifndef SHEAF_BATCH_H_
#define SHEAF_BATCH_H_

#include <stddef.h>
#include <stdint.h>

#include <mujoco/mujoco.h>
#include <sheaf/cost_term.h>
#include <sheaf/request_rows.h>
#include <sheaf/sampling.h>
#include <sheaf/version.h>

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

// Why a call failed. Where a field is to blame the message is "expected ..., got ...".
typedef struct sheafStatus_ {
  int code;  // sheafCode
  char field[64];
  char message[320];
} sheafStatus;

// Why one row of a batch stopped being valid. Positive codes are 1 + mjtWarning of the cause. A quaternion of zeros
// where a row starts is BADQPOS.
typedef enum sheafRow_ {
  SHEAF_ROW_OK = 0,
  SHEAF_ROW_BADQPOS = 1 + mjWARN_BADQPOS,
  SHEAF_ROW_BADQVEL = 1 + mjWARN_BADQVEL,
  SHEAF_ROW_BADQACC = 1 + mjWARN_BADQACC,
  SHEAF_ROW_BADCTRL = 1 + mjWARN_BADCTRL,
  SHEAF_ROW_ERROR = 100,      // an engine error was caught while this row was computed
  SHEAF_ROW_CANCELLED = 101,  // not computed: the job was cancelled
  SHEAF_ROW_BADTIME = 102,    // the time of the state is not a finite number
} sheafRow;

// What derivatives took differences for, in `fallback`: bits.
typedef enum sheafFallback_ {
  SHEAF_FALLBACK_STEP = 1,        // everything: differences of whole steps, or of inverse dynamics
  SHEAF_FALLBACK_GEOMETRY = 2,    // where geoms touch and tendons leave a geom, as its place changes
  SHEAF_FALLBACK_INTEGRATOR = 4,  // the change of the matrix of an integrator that is implicit in velocity
  SHEAF_FALLBACK_SENSOR = 8,      // sensors, along directions in which the acceleration has its derivative
  SHEAF_FALLBACK_OUTPUT = 16,     // named outputs that have no formula, as sensors
  SHEAF_FALLBACK_PARAMETER = 32,  // the change of forces with numbers of the model at given accelerations
  SHEAF_FALLBACK_FORCE = 64,      // forces and rates of activations of flexes, plugins, callbacks
  SHEAF_FALLBACK_NOSLIP = 128,    // what noslip makes of the solution of the solver, which has its derivative
} sheafFallback;

typedef struct sheafPool_ sheafPool;
typedef struct sheafJob_ sheafJob;

typedef struct sheafPoolConfig_ {
  size_t size;  // sizeof(sheafPoolConfig); may grow, see requests
  int nthread;  // worker threads; 0: CPUs usable by this process
  int nlane;  // lanes: 0 chooses by CPU and model; 1, 4 or 8 (single precision: 1, 8 or 16) force it where the CPU can
  int chunk;  // lane groups (or rows) a worker takes at a time; 0 chooses
  double piece;  // seconds that a job has the threads before it gives way, see sheaf_jobPaused; 0: until it is over

  // For programs that watch the threads: called when thread `worker` begins work on the job that was submitted with
  // `user`, and with user NULL when it ends that work. The thread itself calls it; must not block. NULL: not called.
  void (*on_work)(int worker, void* user);

  // Bytes that rows of derivatives may keep together while they have given way. Beyond it they do not give way. 0: an
  // eighth of the machine's memory.
  size_t keep;

  // Bytes of a number while it is computed with: 0 or 8: doubles; 4: floats, twice as many lanes (1, 8 or 16). Requests
  // and results stay as they are. For rollouts, forward and inverse dynamics, and sampling without gradients; other
  // requests, and models with flexes, plugins or sleep, are refused. engine/single/README.md says what is lost.
  int precision;
} sheafPoolConfig;

MJAPI sheafPoolConfig sheaf_defaultPoolConfig(void);

// Open a pool. NULL on failure, with the reason in status (may be NULL).
MJAPI sheafPool* sheaf_openPool(const sheafPoolConfig* config, sheafStatus* status);

// Finish what runs, cancel what waits, end the threads. NULL is ignored.
MJAPI void sheaf_closePool(sheafPool* pool);

MJAPI int sheaf_poolThreads(const sheafPool* pool);

// Steps of groups of rows, and other portions of work, that a thread of the pool has finished: a number that grows
// while it is not stuck. Safe from any thread while the pool lives. 0 if there is no such thread.
MJAPI uint64_t sheaf_poolBeats(const sheafPool* pool, int worker);

// Bytes that the data of all threads for a model may occupy. Each thread allocates its data when it first works on the
// model, and keeps it until it has worked on some other models or is told to forget this one. Most pages are never
// touched. Includes the data of the threads on which rows of derivatives of large models are computed (strands); what
// those hold that have given way is bounded for all models together by `keep`.
MJAPI size_t sheaf_poolBytes(const sheafPool* pool, const mjModel* m);

// Free the threads' data of a model that has no jobs. The model may be deleted at once.
MJAPI void sheaf_poolForget(sheafPool* pool, const mjModel* m);

// Tell a pool with pieces that jobs wait (1) or do not wait (0) outside of it, for a caller that gives turns itself:
// while they do, a job that is alone in the pool gives way after each piece, too, instead of going on for some pieces.
MJAPI void sheaf_poolOthers(sheafPool* pool, int wait);

// Compute in the place of a thread of the pool that waits. To wake that thread takes as long as a small request, so a
// caller that has nothing else to do meanwhile borrows its place, submits a job, for which the pool then wakes one
// thread less, and returns the place: before it does, it computes what it can take of the job, which it must not free
// meanwhile, not in `done` either. In a pool with pieces it gives way as that thread would. job NULL, or
// one that only the pool's own threads compute (derivatives of large models): nothing is computed.
//
// sheaf_borrowPlace returns 0 if no thread waits, or if somebody else has borrowed a place. Who has borrowed one must
// return it, from the same thread, before the pool is closed.
MJAPI int sheaf_borrowPlace(sheafPool* pool);
MJAPI void sheaf_returnPlace(sheafPool* pool, sheafJob* job);

// ---- outputs by name
// Any mjData array or scalar that has one value per state: "qacc", "xpos", "site_xpos",
// "qfrc_constraint", "sensordata", "energy", "qpos", "act", "time", "ncon", "M" (dense nv x nv), ...
//
// Brackets choose rows of an array: "xpos[head]", "sensordata[gyro, touch]", "qpos[3]", "site_xpos[0:4]". A name stands
// for all rows of the element with this name: a body, geom, site, camera, light, tendon or actuator; a joint for arrays
// over nq and nv, a sensor for sensordata, an actuator for act. A number stands for a row, a:b for the rows from a to
// b - 1 (a left out: from 0; b left out: to the last). The result has the rows in this order, each once. One row of an
// array with several columns is a vector: "xpos[head]" has 3 numbers and shape (3, 1), "xpos[head, foot]" has shape
// (2, 3).
//
// "M" is the dense inertia matrix (nv, nv), "qM" the same in the layout of mjData (nM). "energy" is potential and
// kinetic energy (2). "ncon" and "nefc" count contacts and constraint rows. "solver_niter" counts the iterations of the
// constraint solver: of the last solve of a step, the most of its islands, with the sweeps of noslip.
//
// Further outputs are computed from what brackets say. An element is a name or a number; a name with a comma, or with
// the word that stands behind it here (at, along, to, within), is given by its number.
//
//   jac_site[hand, foot]
//   jac_geom[..]  jac_body[..]
//       Jacobians as mj_jacSite, mj_jacGeom and mj_jacBody give them: for each element 3 rows of velocity, then 3 of
//       rotation, nv columns: (6 n, nv). jacp_.. has the first 3 rows alone and jacr_.. the last 3. Without brackets:
//       of all elements
//   jacp_body_com[torso]  jac_subtree_com[torso]
//       as mj_jacBodyCom and mj_jacSubtreeCom: (3 n, nv)
//   jac_point[hand at .1 0 .2]
//       mj_jac of points in the frames of bodies: (6 n, nv); also jacp_point, jacr_point
//   contact[16]
//       contacts, with room for 16: (16, 24). A row has geom (2), body (2), dim, dist, pos (3) and frame (9) of
//       mjContact, and the force of mj_contactForce in that frame (6). Rows without a contact have -1 for geoms and
//       bodies, else zeros. "ncon" counts all, so nothing is left out silently
//   contact_geom[16]  contact_body  contact_dim  contact_dist  contact_pos  contact_frame  contact_force
//       one of these parts
//   efc_J[40]
//       the Jacobian of the constraint rows, dense, with room for 40: (40, nv); zeros behind the last. "nefc" counts
//       all
//   efc_force[40]  efc_type  efc_id  efc_pos  efc_margin  efc_frictionloss  efc_D  efc_R  efc_vel  efc_aref
//       numbers of the rows (40); behind the last -1 for type and id, else zeros. The id of a contact is its row in
//       "contact"
//   ray[eye, eye along 1 0 0, 0 0 2 along 0 0 -1]
//       rays from sites along their z axis, or along a direction in the frame of the site; from points along a
//       direction, in world coordinates. As mj_ray against all visible geoms, but not those of the site's body:
//       distance, geom (both -1 without a hit) and the unit normal of the surface (zeros without a hit): (n, 5)
//   distance[hand to ball, 3 to 7 within .5]
//       mj_geomDistance: the distance, and the segment between the nearest points: (n, 7). A distance above the one
//       behind `within` becomes that one, with a segment of zeros
//
// There is room for 65536 contacts or rows, and for 256 points, rays and pairs in a request.
//
// Requests for derivatives have these outputs, too, at the states that the derivatives are of, as forward dynamics, or
// inverse dynamics, leave them there. Their names begin with SHEAF_NOMINAL: "nominal.xpos[head]", "nominal.M". Names
// without it are of what is differentiated.

// Numbers per state of a named output, or -1 if there is no such output. shape (may be NULL)
// receives up to two dimensions, the second 1 for vectors.
MJAPI int sheaf_outputSize(const mjModel* m, const char* name, int shape[2]);

// The same with the reason in status (may be NULL): it lists what there is, the nearest names first.
MJAPI int sheaf_outputShape(const mjModel* m, const char* name, int shape[2], sheafStatus* status);

// The same for the names that a kind of request takes: those of outputs, of parameters for derivatives by numbers of
// the model (sheafInverseRegressor, sheafTransitionRegressor), and nominal ones for derivatives. Kind -1: any.
MJAPI int sheaf_namedShape(const mjModel* m, int kind, const char* name, int shape[2], sheafStatus* status);

// Number of named outputs, and the i-th name. Those that always have brackets have no size without them.
MJAPI int sheaf_outputCount(void);
MJAPI const char* sheaf_outputName(int i);

typedef struct sheafOutput_ {
  const char* name;
  double* data;  // (nbatch x nrecord x n) for a rollout, (nbatch x n) otherwise; of floats where dtype is 4.
                 // sheaf/request_table.h has the shape of each request
} sheafOutput;

// Set source, first and count of a cost term (sheaf/cost_term.h) by name: "sensordata[height]", "qpos[hip]", "ctrl",
// "qvel[3]", "state[1:4]", read as outputs are; the elements must lie side by side. 0, or the code that is also in
// status (may be NULL).
MJAPI int sheaf_costElements(const mjModel* m, const char* of, sheafCostTerm* term, sheafStatus* status);

// ---- numbers of the model by name
// Rows of a batch may set numbers of the model (parameters) to different values: any array or option that
// sheaf_paramName names, such as "body_mass", "geom_friction", "actuator_gainprm", "opt.gravity". The results of a row
// are those of a model in which these numbers were changed and, unless keep_constants is set, mj_setConst was called.
// If geom_size is changed, the bounding radii of geoms are computed again, too. Numbers that mj_setConst derives
// ("body_invweight0") may be given only together with keep_constants.
//
// Rows may have what the model lacks: a spring, damper, friction loss, mass, medium. If some do, all rows of the
// request are computed as of a model that has it. So rows without it may differ from the model within the tolerance of
// the solver, and derivatives are taken in the way that the model with it needs (sheafFallback).
//
// Rows are computed side by side, but groups in which rows differ in solver tolerances, opt.o_ numbers, geom_fluid,
// site_size, cam_fovy, sensor_cutoff or numbers of flexes are not: put rows that agree in these next to each other.
//
// Refused is what the layout of the compiled model depends on: frames of bodies and joints that MuJoCo calls simple
// (the inertia matrix has no room for their other entries), sizes of meshes, height fields and distance fields (other
// arrays hold their shape), pulleys and side sites in paths of tendons, armature of tendons that wrap around geoms,
// springs and dampers of flexes whose edges have no equality, spring or damper in the model, and, where the model
// enables sleep, springs of tendons between trees that had none (they decide which trees may sleep). Counts and flags,
// such as iterations, are no numbers of rows. A value that the compiler would refuse, such as a negative mass, is
// refused.

// How many numbers a parameter has in a model, or -1 if there is no such parameter. shape (may be NULL) receives rows
// and columns; for an option, its length and 1.
MJAPI int sheaf_paramSize(const mjModel* m, const char* name, int shape[2]);

// The model's own values of a parameter, or NULL if there is no such parameter.
MJAPI const mjtNum* sheaf_paramValues(const mjModel* m, const char* name);

// Number of parameters, and the name of the i-th.
MJAPI int sheaf_paramCount(void);
MJAPI const char* sheaf_paramName(int i);

typedef struct sheafParam_ {
  const char* name;
  const double* data;  // (nrow x n)
  int nrow;            // nbatch, or 1 that serves all rows
} sheafParam;

// ---- columns of derivatives by name
// Requests for derivatives compute all columns of their results, or those whose numbers `column` lists, each once. A
// step has columns by positions (nv of them: moves in the tangent space), velocities (nv), activations (na) and
// controls (nu), numbered in this order; inverse dynamics have nv each by positions, velocities and accelerations.
// Those that are left out are not computed, and the others have the bits that they have beside them. Columns of a
// result are in the order of the list: of A those by positions, velocities and activations, of B those by controls.

// The columns that a name stands for in a kind of request: "qpos[root]", "qvel", "act[grip]", "ctrl[hip_left, 3]",
// "qacc[0:6]". Brackets are those of outputs, but numbers count dofs for qpos, too. At most `room` of them are written
// to `column`. Returns how many there are, -1 with the reason in status (may be NULL).
MJAPI int sheaf_columns(const mjModel* m, int kind, const char* name, int32_t* column, int room, sheafStatus* status);

// Called from worker threads, at most one call at a time: units of work done, of total. sheaf/request_table.h has the
// unit of each request.
typedef void (*sheafProgress)(void* user, int64_t done, int64_t total);

// ---- requests
// sheaf/request_table.h has a line for each field of each request, with its type and what it means. The structs are
// sheafRollout, sheafForward, sheafInverse, sheafTransitionFD, sheafInverseFD. Every struct begins with
//
//   size_t size;     sizeof the struct as the caller was compiled, at least that of the first version. Fields
//                    behind it are zero, so structs may grow
//   int nbatch;      rows, at least 1
//
// Then come the fields of its lines. An option is a number. An input is an address (NULL: the default) and, where one
// row may serve all, a number of rows (nbatch or 1). An output is an address (NULL: not wanted). Outputs by name are
// `output` and `noutput`, parameters of rows `param` and `nparam`, columns of derivatives `column` and `ncolumn`. The
// last fields of the first version say how to run it:
//
//   sheafProgress progress;    or NULL
//   void* user;                its first argument
//
// Results of type num are doubles, or floats where the option dtype is 4: pass the address of an array of floats then.
//
// Controls of a rollout. Without knots, row i of `control` is applied in steps i*hold to (i+1)*hold - 1, the last to
// the end; more rows than that takes are refused. With knots the rows are values at knot_times of a function of time
// that is evaluated every `hold` steps, at the time of the step. With t in [t[j], t[j+1]], h = t[j+1] - t[j] and
// s = (t - t[j]) / h it is
//
//   1, zero     p[j]
//   2, linear   (1 - s) p[j] + s p[j+1]
//   3, cubic    (2s^3 - 3s^2 + 1) p[j] + (s^3 - 2s^2 + s) h v[j] + (3s^2 - 2s^3) p[j+1] + (s^3 - s^2) h v[j+1]
//
// The last is a cubic Hermite spline. Its slope v[j] is the mean of the slopes (p[j+1] - p[j]) / (t[j+1] - t[j]) on the
// two sides of knot j; the first and the last knot have one side. Before the first knot the value is that of the first
// knot, after the last knot that of the last. knot_times are seconds from the beginning of the rollout, whatever the
// time of its state. Without them knot j of n is at step j (nstep - 1) / (n - 1), for zero-order at step j nstep / n.
// With `delay`, the control for step t is applied in step t + delay; the first `delay` steps apply rows of `earlier`.
// Feedback is then computed at the state of step t, and what it gave is applied in step t + delay.
//
// Feedback, if one of its arrays is given: u = clamp(U + a k + K (x - X)) at the beginning of each step that is a
// multiple of hold. X, U and K are those of row t in step t, k is the value of `control` (zero without it) and a is
// step_size. x - X is in the tangent space of the state: differences of positions as by mj_differentiatePos (nv), of
// velocities (nv) and of activations (na), but not of time. u is clamped to actuator_ctrlrange, if the actuator has one
// and the model does not disable it. The output "ctrl" is u.
//
// To take several physics steps for each control and row of results (decimation), set hold and every to their number.
//
// When results of a rollout are made. Row t of `state` is the state after step t. Sensors and named outputs are what
// the step has computed, as after mj_step: time, qpos, qvel and act are those after the step, and everything else
// (xpos, sensordata, qacc, forces) belongs to the state that the step began from, so it is one step behind the row of
// `state` beside it. With `aligned` everything in row t belongs to the state after step t: it is made by the forward
// dynamics of the next step, with the controls of that step, and for the last row by forward dynamics with the last
// controls. If accelerations are bad there, these outputs cannot be made: the row repeats the outputs of the row
// before, and status and badstep name the step that would come next.
//
// ndx is 2*nv + na. Set what is not used to zero: sheafRollout r = {.size = sizeof r, .nbatch = 64, ...};
//
// What the rows of a diverging rollout hold. The step in which a number of the state stops being finite and sensible
// (badstep, with the reason in status) is not kept: from that step on every row of state and outputs repeats the row
// before it, so row badstep - 1 is the last that the simulation made, and final_state and final_warmstart are what it
// started the bad step from. Before the first step that is the initial state, with zeros for sensordata and outputs.
// mj_step on a single mjData resets it instead and goes on from the model's initial state: in a batch such rows would
// look like a valid rollout that began somewhere else, so a learner or planner that does not look at status would take
// them for data.

#define SHEAF_C_int int
#define SHEAF_C_bits unsigned int
#define SHEAF_C_flag int
#define SHEAF_C_real double
#define SHEAF_C_f64 double
#define SHEAF_C_num double
#define SHEAF_C_times double
#define SHEAF_C_i32 int32_t

#define SHEAF_REQUEST(KIND, Type, call, name, unit, doc) \
  typedef struct sheaf##Type##_ {                        \
    size_t size;                                         \
    int nbatch;
#define SHEAF_OPTION(field, type, least, most, initial, doc) SHEAF_C_##type field;
#define SHEAF_INPUT(field, type, need, shape, doc) \
  const SHEAF_C_##type* field;                     \
  int n##field;
#define SHEAF_EACH(field, type, need, most, shape, doc) const SHEAF_C_##type* field;
#define SHEAF_SIZE(field, doc) int field;
#define SHEAF_OUTPUT(field, type, when, shape, doc) SHEAF_C_##type* field;
#define SHEAF_NAMED(shape, initial, doc) \
  const sheafOutput* output;             \
  int noutput;
#define SHEAF_CONTROL()   \
  sheafProgress progress; \
  void* user;
#define SHEAF_PARAMS(shape, doc) \
  const sheafParam* param;       \
  int nparam;
#define SHEAF_COLUMNS(arrays, doc) \
  const int32_t* column;           \
  int ncolumn;
#define SHEAF_END(KIND, Type, call, name) \
  }                                       \
  sheaf##Type;
#include <sheaf/request_table.h>

// Blocking calls, one for each request: int sheaf_rollout(sheafPool* pool, const mjModel* m, const sheafRollout* r,
// sheafStatus* status). 0 (SHEAF_OK) or the code that is also in status (may be NULL).
#define SHEAF_REQUEST(KIND, Type, call, name, unit, doc) \
  MJAPI int sheaf_##call(sheafPool* pool, const mjModel* m, const sheaf##Type* r, sheafStatus* status);
#include <sheaf/request_table.h>

// ---- requests as data, for servers and bindings

// The fields of a kind of request (sheaf/request_rows.h), NULL if there is no such kind.
MJAPI const sheafRequest* sheaf_requestInfo(int kind);

// The dimensions that follow the batch in the shape of a field, from the sizes of the model and of the request;
// returns how many there are.
MJAPI int sheaf_fieldShape(const mjModel* m, int kind, const void* request, const sheafField* field, int64_t shape[4]);

// Bytes of a number of type num in the request.
MJAPI int sheaf_numberBytes(int kind, const void* request);

// The option or size of the request that gives dimension k of that shape; NULL if the model gives it, or the number is
// fixed.
MJAPI const sheafField* sheaf_fieldSize(int kind, const sheafField* field, int k);

// The checks of the calls, for servers that want to know earlier. The first looks at one field, but not at the numbers
// in its array; the second looks at the numbers in all arrays, of `count` rows from `first` on. 0, or the code that is
// also in status.
MJAPI int sheaf_checkField(const mjModel* m, int kind, const void* request, const sheafField* field,
                           sheafStatus* status);
MJAPI int sheaf_checkNumbers(const mjModel* m, int kind, const void* request, int first, int count,
                             sheafStatus* status);

// The cost of one row of the batch: its units of progress, and the bytes that a job holds for it in addition to the
// arrays of the request. The request must have this version's size and valid options.
MJAPI void sheaf_requestSize(const mjModel* m, int kind, const void* request, double* units, double* bytes);

// ---- jobs: the same work without waiting
// Called once from a worker thread when a job is over (done or cancelled); must not block.
typedef void (*sheafDone)(void* user, sheafJob* job);

// Check the request and queue it. The request struct is copied; arrays it points to must stay until
// the job is over. NULL if the request is not valid, with the reason in status; then `done` is never
// called.
MJAPI sheafJob* sheaf_submit(sheafPool* pool, const mjModel* m, sheafKind kind, const void* request, sheafDone done,
                             void* user, sheafStatus* status);

// The same for a request that sheaf_submit has taken before, or that differs from such a one in its rows alone: their
// number, addresses, and numbers in arrays. Only these numbers are checked. A server that gets a request again and
// again saves time.
MJAPI sheafJob* sheaf_submitAgain(sheafPool* pool, const mjModel* m, sheafKind kind, const void* request,
                                  sheafDone done, void* user, sheafStatus* status);

// Ask a job to stop: rows that have not started are not computed, others stop within a few steps.
MJAPI void sheaf_cancel(sheafJob* job);

// Wait until the job is over, and return its code. Free it afterwards with sheaf_freeJob.
MJAPI int sheaf_wait(sheafJob* job, sheafStatus* status);

// Wait for at most so many seconds: -1 if the job is not over then, and goes on. Bindings that have to look at signals
// now and then wait in this way.
MJAPI int sheaf_waitFor(sheafJob* job, double seconds, sheafStatus* status);

// Work done so far, in the unit of sheafProgress. Safe from any thread while the job lives.
MJAPI void sheaf_jobProgress(const sheafJob* job, int64_t* done, int64_t* total);

// For `done` to ask: nonzero if the job is paused and not over. In a pool with pieces (sheafPoolConfig) a job that has
// had the threads for long enough stops between two steps of its rows, so that others need not wait. Put it back with
// sheaf_resume, or free it. Its results have the bits of a job that never paused. A job without a `done` goes on by
// itself, behind the others.
MJAPI int sheaf_jobPaused(const sheafJob* job);

// Put a paused job back into the queue. SHEAF_UNAVAILABLE if the pool is closing.
MJAPI int sheaf_resume(sheafJob* job, sheafStatus* status);

// What a job has cost so far. Safe from any thread while the job lives.
typedef struct sheafWork_ {
  size_t size;       // sizeof(sheafWork); may grow
  int64_t computed;  // in the unit of sheafProgress, without what a cancellation or a row's end left out
  double seconds;    // of worker threads
  int64_t kept;      // bytes that a paused job holds beside its arrays
  double queued;     // seconds from its submission until a worker began with it; so far, if none has
  double elapsed;    // seconds since its submission, up to its end if it is over
  double cpu;        // seconds of processors: `seconds` without the time in which other programs ran instead
} sheafWork;
MJAPI void sheaf_jobWork(const sheafJob* job, sheafWork* work);

// Free a job that is over or paused. Must not be called before `done` was called, but may be called from it.
MJAPI void sheaf_freeJob(sheafJob* job);

// ---- models from any file
// Load MJCF, URDF or a compiled model (a file that mj_saveModel of this library or of the reference's release 3.4.0
// wrote); the content of the file decides which. vfs as in mj_loadXML. NULL after a failure, and a reason in `error`
// (may be NULL) that names the file. Every size and index of a compiled model is checked.
MJAPI mjModel* sheaf_loadModel(const char* filename, const mjVFS* vfs, char* error, int error_sz);

// Do these bytes begin like a compiled model?
MJAPI int sheaf_isCompiledModel(const void* data, size_t size);

// ---- models by field name, for bindings that do not know the layout of mjModel
// Value of a size ("nq", also "nstate", "ndx" and "ndxu" = ndx + nu) or of a number among the options ("timestep",
// "integrator"), as a double; NaN if there is no such field.
MJAPI double sheaf_modelNumber(const mjModel* m, const char* name);

// Address of an array of the model ("qpos0", "actuator_ctrlrange"), or NULL. shape receives rows and
// columns, type one of 'd' (double), 'f' (float), 'i' (int), 'l' (int64), 'b' (byte), 'c' (char).
MJAPI const void* sheaf_modelArray(const mjModel* m, const char* name, int64_t shape[2], char* type);

// ---- build and lanes
// One line: the version of the library (SHEAF_VERSION of its headers), its compiler, and the lane counts that this CPU
// runs.
MJAPI const char* sheaf_buildInfo(void);

// Bytes of a compiled model: its arrays, and what was worked out from them when it was made. Candidate pairs of geoms
// and meshes laid out for the search of contacts may be many times as large as the arrays.
MJAPI size_t sheaf_modelBytes(const mjModel* m);

// Lanes that batches of this model run in (1 if a feature of the model has no lane path).
MJAPI int sheaf_modelLanes(const mjModel* m);

#ifdef __cplusplus
}
#endif

#endif  // SHEAF_BATCH_H_
