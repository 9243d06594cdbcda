// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#ifndef SHEAF_MUJOCO_MUJOCO_H_
#define SHEAF_MUJOCO_MUJOCO_H_

#include <math.h>
#include <stdlib.h>
#include <mujoco/mjdata.h>
#include <mujoco/mjexport.h>
#include <mujoco/mjmacro.h>
#include <mujoco/mjmodel.h>
#include <mujoco/mjplugin.h>
#include <mujoco/mjspec.h>
#include <mujoco/mjthread.h>
#include <mujoco/mjtnum.h>

// Version of the interface that these headers describe; mj_version returns the same.
#define mjVERSION_HEADER 340

#ifdef __cplusplus
extern "C" {
#endif

// Functions of the documented interface that this release does not have are not declared, so that using them is a
// compile error: rendering, visualization (except mjv_copyData) and user interface (mjr_, mjv_, mjui_), mj_printScene
// and mj_printFormattedScene. Functions about resources and decoders, rays on flexible bodies, signed distance fields
// and the asset cache are declared at the end of this file.

// Handlers of errors and warnings. NULL means the default: report, and after an error end the process. An error handler
// must not return.
MJAPI extern void (*mju_user_error)(const char*);
MJAPI extern void (*mju_user_warning)(const char*);

// Functions that allocate and free memory instead of those of the C library; set both or none, before any other call.
MJAPI extern void* (*mju_user_malloc)(size_t);
MJAPI extern void (*mju_user_free)(void*);

// Callbacks of the step, NULL if unused; they are shared by all models of the process.
MJAPI extern mjfGeneric mjcb_passive;
MJAPI extern mjfGeneric mjcb_control;
MJAPI extern mjfConFilt mjcb_contactfilter;
MJAPI extern mjfSensor mjcb_sensor;
MJAPI extern mjfTime mjcb_time;
MJAPI extern mjfAct mjcb_act_dyn;
MJAPI extern mjfAct mjcb_act_gain;
MJAPI extern mjfAct mjcb_act_bias;

// Collision functions by the types of two geoms, the lower type first. A pair of types with NULL never collides.
MJAPI extern mjfCollision mjCOLLISIONFUNC[mjNGEOMTYPES][mjNGEOMTYPES];

// Names of the disable bits, enable bits and timers.
MJAPI extern const char* mjDISABLESTRING[mjNDISABLE];
MJAPI extern const char* mjENABLESTRING[mjNENABLE];
MJAPI extern const char* mjTIMERSTRING[mjNTIMER];

// ---- Virtual file system

// Make an empty set of files in memory.
MJAPI void mj_defaultVFS(mjVFS* vfs);

// Read a file into the set under its bare name; returns 0, 2 if the name is taken, -1 if it cannot
// be read.
MJAPI int mj_addFileVFS(mjVFS* vfs, const char* directory, const char* filename);

// Copy a buffer of nbuffer bytes into the set under a name; returns 0, 2 if the name is taken, -1
// if it fails.
MJAPI int mj_addBufferVFS(mjVFS* vfs, const char* name, const void* buffer, int nbuffer);

// Remove a file from the set; returns 0, or -1 if there is none of that name.
MJAPI int mj_deleteFileVFS(mjVFS* vfs, const char* filename);

// Free the set and all that is in it; NULL is allowed.
MJAPI void mj_deleteVFS(mjVFS* vfs);

// ---- Parse and compile

// Parse and compile an MJCF file; returns NULL with the reason in error if it fails. A model with a
// warning is returned with the warning in error.
MJAPI mjModel* mj_loadXML(const char* filename, const mjVFS* vfs, char* error, int error_sz);

// Parse an MJCF file, or MJCF text, into a specification; NULL with the reason in error if it
// fails.
MJAPI mjSpec* mj_parseXML(const char* filename, const mjVFS* vfs, char* error, int error_sz);
MJAPI mjSpec* mj_parseXMLString(const char* xml, const mjVFS* vfs, char* error, int error_sz);

// Parse a file of the given content type, or of the type its extension says if that is NULL.
MJAPI mjSpec* mj_parse(const char* filename, const char* content_type, const mjVFS* vfs, char* error, int error_sz);

// Compile a specification; NULL if it fails, and mjs_getError then says why. Free the model with
// mj_deleteModel.
MJAPI mjModel* mj_compile(mjSpec* s, const mjVFS* vfs);

// Copy the real-valued arrays of a model back into the specification that it was compiled from, so that they can be
// saved as MJCF; returns 1 on success.
MJAPI int mj_copyBack(mjSpec* s, const mjModel* m);

// Compile again, into the same model and data, keeping time and the state of elements that are still
// there; returns 0, or -1 after freeing model and data. Data may be NULL.
MJAPI int mj_recompile(mjSpec* s, const mjVFS* vfs, mjModel* m, mjData* d);

// Write the specification that mj_loadXML loaded last to a file, or to the standard output if filename is NULL. The
// real-valued arrays come from m, unless it is NULL. Returns 1, or 0 with the reason in error.
MJAPI int mj_saveLastXML(const char* filename, const mjModel* m, char* error, int error_sz);

// Free the specification of the last loaded model.
MJAPI void mj_freeLastXML(void);

// Write a compiled specification to a buffer. Returns 0; -1 with the reason in error; or, if the buffer is too small,
// the length of the document.
MJAPI int mj_saveXMLString(const mjSpec* s, char* xml, int xml_sz, char* error, int error_sz);

// Write a compiled specification to a file; returns 0, or -1 with the reason in error.
MJAPI int mj_saveXML(const mjSpec* s, const char* filename, char* error, int error_sz);

// Fill a list of texts with the file and all files that loading it would open, each once: included files, models,
// meshes, height fields, skins, textures. A file that cannot be read is an error (mju_error).
MJAPI void mju_getXMLDependencies(const char* filename, mjStringVec* dependencies);

// Print the elements and attributes of MJCF as text, or as HTML if flg_html, indented by style if flg_pad, else by
// spaces. Writes to a file and to a buffer, unless they are NULL; a buffer that is too small gets the first
// part. Returns the length of the whole.
MJAPI int mj_printSchema(const char* filename, char* buffer, int buffer_sz, int flg_html, int flg_pad);

// ---- Main simulation

// Advance the state by one time step, with the integrator of m->opt.
MJAPI void mj_step(const mjModel* m, mjData* d);

// The two halves of a step. mj_step1 computes all that does not depend on controls and applied forces; set them between
// the two calls. mj_step2 integrates with Euler's method, unless the integrator is an implicit one.
MJAPI void mj_step1(const mjModel* m, mjData* d);
MJAPI void mj_step2(const mjModel* m, mjData* d);

// Compute everything from the state and the inputs, accelerations and sensors included, without
// integrating.
MJAPI void mj_forward(const mjModel* m, mjData* d);

// Compute the force qfrc_inverse that explains d->qacc in the current state.
MJAPI void mj_inverse(const mjModel* m, mjData* d);

// Do the same as mj_forward and mj_inverse, but keep the results of stages up to skipstage (mjtStage), and leave out
// sensors if skipsensor is nonzero.
MJAPI void mj_forwardSkip(const mjModel* m, mjData* d, int skipstage, int skipsensor);
MJAPI void mj_inverseSkip(const mjModel* m, mjData* d, int skipstage, int skipsensor);

// ---- Initialization

// Fill in the default settings of mj_setLengthRange.
MJAPI void mj_defaultLROpt(mjLROpt* opt);

// Fill in the default solref[mjNREF] and solimp[mjNIMP]; either may be NULL.
MJAPI void mj_defaultSolRefImp(mjtNum* solref, mjtNum* solimp);

// Fill in the default options of the physics.
MJAPI void mj_defaultOption(mjOption* opt);

// Fill in the default appearance.
MJAPI void mj_defaultVisual(mjVisual* vis);

// Copy a model into dest, which must have the same sizes, or into a new one if dest is NULL.
MJAPI mjModel* mj_copyModel(mjModel* dest, const mjModel* src);

// Write a model as a binary file, or into buffer if filename is NULL; mj_sizeModel says how large
// that must be.
MJAPI void mj_saveModel(const mjModel* m, const char* filename, void* buffer, int buffer_sz);

// Read a binary model from a file, in vfs first if that is given; NULL with a warning if it is not
// valid.
MJAPI mjModel* mj_loadModel(const char* filename, const mjVFS* vfs);

// Free a model; NULL is allowed.
MJAPI void mj_deleteModel(mjModel* m);

// Bytes of the model as mj_saveModel writes it.
MJAPI mjtSize mj_sizeModel(const mjModel* m);

// Allocate the data of one simulation, in the reference state; m must outlive it.
MJAPI mjData* mj_makeData(const mjModel* m);

// Copy data of the same model, into new data if dest is NULL. In this library mjv_copyData does the same.
MJAPI mjData* mj_copyData(mjData* dest, const mjModel* m, const mjData* src);
MJAPI mjData* mjv_copyData(mjData* dest, const mjModel* m, const mjData* src);

// Put the data into the reference state: qpos0, everything else zero.
MJAPI void mj_resetData(const mjModel* m, mjData* d);

// Reset as mj_resetData, but fill the computed arrays with a byte, so that reads of values that were never computed
// show up.
MJAPI void mj_resetDataDebug(const mjModel* m, mjData* d, unsigned char debug_value);

// Reset as mj_resetData, then take the state of a keyframe; an id out of range is ignored.
MJAPI void mj_resetDataKeyframe(const mjModel* m, mjData* d, int key);

// Open and close a frame of the stack in the arena; closing frees at once what was allocated since.
MJAPI void mj_markStack(mjData* d);
MJAPI void mj_freeStack(mjData* d);

// Allocate on the stack, within a frame: bytes with an alignment, numbers or integers. mju_error reports if there is no
// room.
MJAPI void* mj_stackAllocByte(mjData* d, size_t bytes, size_t alignment);
MJAPI mjtNum* mj_stackAllocNum(mjData* d, size_t size);
MJAPI int* mj_stackAllocInt(mjData* d, size_t size);

// Free data; NULL is allowed.
MJAPI void mj_deleteData(mjData* d);

// Set all callbacks to NULL.
MJAPI void mj_resetCallbacks(void);

// Compute again what the model derives from the pose qpos0, after you changed masses, poses or the like. d keeps its
// state, but for qpos, which is qpos_spring afterwards; constants follow from its poses of mocap bodies.
MJAPI void mj_setConst(mjModel* m, mjData* d);

// Find the length range of one actuator by simulation; returns 1, or 0 with the reason in error.
MJAPI int mj_setLengthRange(mjModel* m, mjData* d, int index, const mjLROpt* opt, char* error, int error_sz);

// Make a specification that holds only the world and the main default class.
MJAPI mjSpec* mj_makeSpec(void);

// Copy a specification; NULL if it fails.
MJAPI mjSpec* mj_copySpec(const mjSpec* s);

// Free a specification and all of its elements; NULL is allowed.
MJAPI void mj_deleteSpec(mjSpec* s);

// Declare the use of a plugin. Returns 0, or -1 if it is not registered.
MJAPI int mjs_activatePlugin(mjSpec* s, const char* name);

// Choose whether attaching to s copies the child (nonzero) or takes its elements; returns 0.
MJAPI int mjs_setDeepCopy(mjSpec* s, int deepcopy);

// ---- Printing

// Write a model as text to a file, with a printf format for numbers or the default one.
MJAPI void mj_printFormattedModel(const mjModel* m, const char* filename, const char* float_format);
MJAPI void mj_printModel(const mjModel* m, const char* filename);

// Write data as text to a file, with a printf format for numbers or the default one.
MJAPI void mj_printFormattedData(const mjModel* m, const mjData* d, const char* filename, const char* float_format);
MJAPI void mj_printData(const mjModel* m, const mjData* d, const char* filename);

// Print a matrix of nr x nc, or a sparse one by rows, to the standard output.
MJAPI void mju_printMat(const mjtNum* mat, int nr, int nc);
MJAPI void mju_printMatSparse(const mjtNum* mat, int nr, const int* rownnz, const int* rowadr, const int* colind);

// ---- Components

// Kinematics: poses, tendons, transmissions and all that follows from qpos without inertia.
MJAPI void mj_fwdKinematics(const mjModel* m, mjData* d);

// Position stage: kinematics, inertia, collision, constraints.
MJAPI void mj_fwdPosition(const mjModel* m, mjData* d);

// Velocity stage: velocities, passive forces, bias forces, reference accelerations.
MJAPI void mj_fwdVelocity(const mjModel* m, mjData* d);

// Actuator forces and activation derivatives.
MJAPI void mj_fwdActuation(const mjModel* m, mjData* d);

// Sum of the smooth forces and the acceleration qacc_smooth they cause.
MJAPI void mj_fwdAcceleration(const mjModel* m, mjData* d);

// Constraint forces and the acceleration qacc.
MJAPI void mj_fwdConstraint(const mjModel* m, mjData* d);

// Integrate by one step, semi-implicit in velocity, with joint damping taken implicitly.
MJAPI void mj_Euler(const mjModel* m, mjData* d);

// Integrate by one step with the Runge-Kutta method of order N; only 4 is offered.
MJAPI void mj_RungeKutta(const mjModel* m, mjData* d, int N);

// Integrate by one step, implicit in velocity, as m->opt.integrator says.
MJAPI void mj_implicit(const mjModel* m, mjData* d);

// Position and velocity stage of the inverse dynamics.
MJAPI void mj_invPosition(const mjModel* m, mjData* d);
MJAPI void mj_invVelocity(const mjModel* m, mjData* d);

// Constraint forces in closed form, from d->qacc.
MJAPI void mj_invConstraint(const mjModel* m, mjData* d);

// Compare forward with inverse dynamics; the differences go to d->solver_fwdinv.
MJAPI void mj_compareFwdInv(const mjModel* m, mjData* d);

// ---- Sub components

// Sensors that need the position, velocity or acceleration stage.
MJAPI void mj_sensorPos(const mjModel* m, mjData* d);
MJAPI void mj_sensorVel(const mjModel* m, mjData* d);
MJAPI void mj_sensorAcc(const mjModel* m, mjData* d);

// Potential and kinetic energy into d->energy[0] and [1].
MJAPI void mj_energyPos(const mjModel* m, mjData* d);
MJAPI void mj_energyVel(const mjModel* m, mjData* d);

// Test qpos, qvel or qacc for bad values; if there are any, warn and reset unless autoreset is
// disabled.
MJAPI void mj_checkPos(const mjModel* m, mjData* d);
MJAPI void mj_checkVel(const mjModel* m, mjData* d);
MJAPI void mj_checkAcc(const mjModel* m, mjData* d);

// Poses of bodies, joints, geoms and sites from qpos.
MJAPI void mj_kinematics(const mjModel* m, mjData* d);

// Centers of mass, and inertias and motion axes about them.
MJAPI void mj_comPos(const mjModel* m, mjData* d);

// Poses of cameras and lights.
MJAPI void mj_camlight(const mjModel* m, mjData* d);

// Vertices, edges and bounding boxes of flexes.
MJAPI void mj_flex(const mjModel* m, mjData* d);

// Lengths, paths and moment arms of tendons.
MJAPI void mj_tendon(const mjModel* m, mjData* d);

// Lengths and moments of actuators.
MJAPI void mj_transmission(const mjModel* m, mjData* d);

// Inertia matrix by the composite rigid body method, into d->qM.
MJAPI void mj_crb(const mjModel* m, mjData* d);

// Inertia matrix with the armature of tendons, into d->qM and d->M.
MJAPI void mj_makeM(const mjModel* m, mjData* d);

// Factor the inertia matrix: M = L' * D * L.
MJAPI void mj_factorM(const mjModel* m, mjData* d);

// Solve M * x = y for n right hand sides of nv numbers, one after another; x may be y.
MJAPI void mj_solveM(const mjModel* m, mjData* d, mjtNum* x, const mjtNum* y, int n);

// Half of mj_solveM: x = inv(sqrt(D)) * inv(L') * y, with 1/sqrt(D) given.
MJAPI void mj_solveM2(const mjModel* m, mjData* d, mjtNum* x, const mjtNum* y, const mjtNum* sqrtInvD, int n);

// Velocities of bodies about the centers of mass, and derivatives of the motion axes.
MJAPI void mj_comVel(const mjModel* m, mjData* d);

// Springs, dampers, gravity compensation and forces of the medium.
MJAPI void mj_passive(const mjModel* m, mjData* d);

// Linear velocity and angular momentum of each subtree.
MJAPI void mj_subtreeVel(const mjModel* m, mjData* d);

// Recursive Newton-Euler: result[nv] = M * qacc + bias forces, without the first term if flg_acc is
// 0.
MJAPI void mj_rne(const mjModel* m, mjData* d, int flg_acc, mjtNum* result);

// Body accelerations and forces, with contacts and applied forces included.
MJAPI void mj_rnePostConstraint(const mjModel* m, mjData* d);

// Find all contacts.
MJAPI void mj_collision(const mjModel* m, mjData* d);

// Make all constraint rows and their Jacobian.
MJAPI void mj_makeConstraint(const mjModel* m, mjData* d);

// Group trees that are coupled by constraints into islands.
MJAPI void mj_island(const mjModel* m, mjData* d);

// Matrix J * inv(M) * J' + R of the dual problem, if mj_isDual says that the solver needs it.
MJAPI void mj_projectConstraint(const mjModel* m, mjData* d);

// Velocities and reference accelerations of the constraints.
MJAPI void mj_referenceConstraint(const mjModel* m, mjData* d);

// States and forces of the constraints from jar[nefc] = J * qacc - aref; the cost, if `cost` is not NULL; the Hessians
// of cones, if flg_coneHessian.
MJAPI void mj_constraintUpdate(const mjModel* m, mjData* d, const mjtNum* jar, mjtNum cost[1], int flg_coneHessian);

// ---- Support

// Size of the packed state whose parts are the bits of sig (mjtState).
MJAPI int mj_stateSize(const mjModel* m, unsigned int sig);

// Copy the chosen parts of the state into a packed vector.
MJAPI void mj_getState(const mjModel* m, const mjData* d, mjtNum* state, unsigned int sig);

// Copy some parts (dstsig) of a packed vector that holds more (srcsig).
MJAPI void mj_extractState(const mjModel* m, const mjtNum* src, unsigned int srcsig, mjtNum* dst, unsigned int dstsig);

// Copy a packed vector into the chosen parts of the state.
MJAPI void mj_setState(const mjModel* m, mjData* d, const mjtNum* state, unsigned int sig);

// Copy the chosen parts of the state to other data of the same model.
MJAPI void mj_copyState(const mjModel* m, const mjData* src, mjData* dst, unsigned int sig);

// Store the current state as keyframe k.
MJAPI void mj_setKeyframe(mjModel* m, const mjData* d, int k);

// Append a contact; returns 0, or 1 if there is no room.
MJAPI int mj_addContact(const mjModel* m, mjData* d, const mjContact* con);

// Whether the model uses pyramidal cones, a sparse Jacobian, a solver of the dual problem (PGS or noslip).
MJAPI int mj_isPyramidal(const mjModel* m);
MJAPI int mj_isSparse(const mjModel* m);
MJAPI int mj_isDual(const mjModel* m);

// Products of the constraint Jacobian: res[nefc] = J * vec[nv].
MJAPI void mj_mulJacVec(const mjModel* m, const mjData* d, mjtNum* res, const mjtNum* vec);

// Products of its transpose: res[nv] = J' * vec[nefc].
MJAPI void mj_mulJacTVec(const mjModel* m, const mjData* d, mjtNum* res, const mjtNum* vec);

// Jacobians of a global point that moves with a body: jacp (3 x nv) of its position, jacr (3 x nv)
// of its orientation; either may be NULL here and below.
MJAPI void mj_jac(const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr, const mjtNum point[3], int body);

// Jacobians as mj_jac gives them, for the body frame, its center of mass, the center of mass of its subtree, a geom or
// a site.
MJAPI void mj_jacBody(const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr, int body);
MJAPI void mj_jacBodyCom(const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr, int body);
MJAPI void mj_jacSubtreeCom(const mjModel* m, mjData* d, mjtNum* jacp, int body);
MJAPI void mj_jacGeom(const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr, int geom);
MJAPI void mj_jacSite(const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr, int site);

// Jacobians (3 x nv) of a point and an axis that move with a body, both global.
MJAPI void mj_jacPointAxis(const mjModel* m, mjData* d, mjtNum* jacPoint, mjtNum* jacAxis, const mjtNum point[3],
                           const mjtNum axis[3], int body);

// Time derivative of the Jacobians of mj_jac.
MJAPI void mj_jacDot(const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr, const mjtNum point[3], int body);

// Matrix (3 x nv) that maps qvel to the angular momentum of a subtree about its center of mass.
MJAPI void mj_angmomMat(const mjModel* m, mjData* d, mjtNum* mat, int body);

// Id of the object of a type (mjtObj) with that name, or -1.
MJAPI int mj_name2id(const mjModel* m, int type, const char* name);

// Name of an object, or NULL if it has none or does not exist.
MJAPI const char* mj_id2name(const mjModel* m, int type, int id);

// Inertia matrix as a dense nv x nv matrix, from M in the layout of d->qM.
MJAPI void mj_fullM(const mjModel* m, mjtNum* dst, const mjtNum* M);

// Product res = M * vec.
MJAPI void mj_mulM(const mjModel* m, const mjData* d, mjtNum* res, const mjtNum* vec);

// Product res = sqrt(D) * L * vec, where M = L' * D * L.
MJAPI void mj_mulM2(const mjModel* m, const mjData* d, mjtNum* res, const mjtNum* vec);

// Add the lower triangle of the inertia matrix to dst: sparse if rownnz, rowadr and colind are given,
// dense if they are NULL.
MJAPI void mj_addM(const mjModel* m, mjData* d, mjtNum* dst, int* rownnz, int* rowadr, int* colind);

// Add the generalized force of a force and a torque at a global point of a body to qfrc_target[nv].
MJAPI void mj_applyFT(const mjModel* m, mjData* d, const mjtNum force[3], const mjtNum torque[3], const mjtNum point[3],
                      int body, mjtNum* qfrc_target);

// Velocity of an object, rotation first; in its own axes if flg_local, else in the global ones.
MJAPI void mj_objectVelocity(const mjModel* m, const mjData* d, int objtype, int objid, mjtNum res[6], int flg_local);

// Acceleration of an object, with gravity, rotation first; mj_rnePostConstraint must have been
// called.
MJAPI void mj_objectAcceleration(const mjModel* m, const mjData* d, int objtype, int objid, mjtNum res[6],
                                 int flg_local);

// Signed distance of two geoms, at most distmax; the end points go to fromto if it is not NULL.
MJAPI mjtNum mj_geomDistance(const mjModel* m, const mjData* d, int geom1, int geom2, mjtNum distmax, mjtNum fromto[6]);

// Force and torque of a contact, in the contact frame; zeros if it has no constraint.
MJAPI void mj_contactForce(const mjModel* m, const mjData* d, int id, mjtNum result[6]);

// Velocity that takes qpos1 to qpos2 in time dt.
MJAPI void mj_differentiatePos(const mjModel* m, mjtNum* qvel, mjtNum dt, const mjtNum* qpos1, const mjtNum* qpos2);

// Move qpos by the velocity qvel for time dt, in place.
MJAPI void mj_integratePos(const mjModel* m, mjtNum* qpos, const mjtNum* qvel, mjtNum dt);

// Normalize all quaternions in qpos.
MJAPI void mj_normalizeQuat(const mjModel* m, mjtNum* qpos);

// Global pose of a pose given in the frame of a body. If sameframe (mjtSameFrame) says that frames coincide, they are
// copied.
MJAPI void mj_local2Global(mjData* d, mjtNum xpos[3], mjtNum xmat[9], const mjtNum pos[3], const mjtNum quat[4],
                           int body, mjtByte sameframe);

// Sum of all body masses.
MJAPI mjtNum mj_getTotalmass(const mjModel* m);

// Scale masses and inertias to a total mass.
MJAPI void mj_setTotalmass(mjModel* m, mjtNum newmass);

// Version of the interface, as a number and as text.
MJAPI int mj_version(void);
MJAPI const char* mj_versionString(void);

// ---- Ray casting

// Cast nray rays from one point as mj_ray does, with results in geomid[nray] and dist[nray]. Geoms farther away than
// cutoff may be missed.
MJAPI void mj_multiRay(const mjModel* m, mjData* d, const mjtNum pnt[3], const mjtNum vec[3], const mjtByte* geomgroup,
                       mjtByte flg_static, int bodyexclude, int* geomid, mjtNum* dist, int nray, mjtNum cutoff);

// Distance along vec from pnt to the first geom that the ray meets, in units of the length of vec, or -1 if there is
// none; the geom's id goes to geomid if that is not NULL. Left out are transparent geoms, geoms of groups that are zero
// in geomgroup (NULL: no group), geoms of static bodies if flg_static is 0, and those of the body bodyexclude (-1:
// none).
MJAPI mjtNum mj_ray(const mjModel* m, const mjData* d, const mjtNum pnt[3], const mjtNum vec[3],
                    const mjtByte* geomgroup, mjtByte flg_static, int bodyexclude, int geomid[1]);

// Distance as mj_ray gives it, for one height field, mesh, or shape at a pose.
MJAPI mjtNum mj_rayHfield(const mjModel* m, const mjData* d, int geomid, const mjtNum pnt[3], const mjtNum vec[3]);
MJAPI mjtNum mj_rayMesh(const mjModel* m, const mjData* d, int geomid, const mjtNum pnt[3], const mjtNum vec[3]);
MJAPI mjtNum mju_rayGeom(const mjtNum pos[3], const mjtNum mat[9], const mjtNum size[3], const mjtNum pnt[3],
                         const mjtNum vec[3], int geomtype);

// Distance as mj_ray gives it, for a skin; the nearest vertex goes to vertid.
MJAPI mjtNum mju_raySkin(int nface, int nvert, const int* face, const float* vert, const mjtNum pnt[3],
                         const mjtNum vec[3], int vertid[1]);

// ---- Error and memory

// Report an error in the manner of printf; the default handler ends the process. The others take
// one argument.
MJAPI void mju_error(const char* msg, ...) mjPRINTFLIKE(1, 2);
MJAPI void mju_error_i(const char* msg, int i);
MJAPI void mju_error_s(const char* msg, const char* text);

// Report a warning in the manner of printf; the others take one argument.
MJAPI void mju_warning(const char* msg, ...) mjPRINTFLIKE(1, 2);
MJAPI void mju_warning_i(const char* msg, int i);
MJAPI void mju_warning_s(const char* msg, const char* text);

// Set handlers and allocators back to the default.
MJAPI void mju_clearHandlers(void);

// Allocate memory that is aligned for vector loads, or through mju_user_malloc.
MJAPI void* mju_malloc(size_t size);

// Free memory from mju_malloc; NULL is allowed.
MJAPI void mju_free(void* ptr);

// Count a warning (mjtWarning) in the data, and report the first of its kind.
MJAPI void mj_warning(mjData* d, int warning, int info);

// Append a line with date, type and message to MUJOCO_LOG.TXT in the working directory.
MJAPI void mju_writeLog(const char* type, const char* msg);

// Reason of the last failure of a specification; empty if there was none. No specification is an error.
MJAPI const char* mjs_getError(mjSpec* s);

// Whether the last failure of a specification was only a warning.
MJAPI int mjs_isWarning(mjSpec* s);

// ---- Vector math

// Vectors of three: zero, copy, scale, add, subtract.
MJAPI void mju_zero3(mjtNum res[3]);
MJAPI void mju_copy3(mjtNum res[3], const mjtNum data[3]);
MJAPI void mju_scl3(mjtNum res[3], const mjtNum vec[3], mjtNum scl);
MJAPI void mju_add3(mjtNum res[3], const mjtNum vec1[3], const mjtNum vec2[3]);
MJAPI void mju_sub3(mjtNum res[3], const mjtNum vec1[3], const mjtNum vec2[3]);

// In place: res += vec, res -= vec, res += vec * scl.
MJAPI void mju_addTo3(mjtNum res[3], const mjtNum vec[3]);
MJAPI void mju_subFrom3(mjtNum res[3], const mjtNum vec[3]);
MJAPI void mju_addToScl3(mjtNum res[3], const mjtNum vec[3], mjtNum scl);

// Scaled sum res = vec1 + vec2 * scl.
MJAPI void mju_addScl3(mjtNum res[3], const mjtNum vec1[3], const mjtNum vec2[3], mjtNum scl);

// Normalize and return the length before; a zero vector becomes (1, 0, 0).
MJAPI mjtNum mju_normalize3(mjtNum vec[3]);

// Length, dot product, distance of two points.
MJAPI mjtNum mju_norm3(const mjtNum vec[3]);
MJAPI mjtNum mju_dot3(const mjtNum vec1[3], const mjtNum vec2[3]);
MJAPI mjtNum mju_dist3(const mjtNum pos1[3], const mjtNum pos2[3]);

// Product with a 3 x 3 matrix, or with its transpose.
MJAPI void mju_mulMatVec3(mjtNum res[3], const mjtNum mat[9], const mjtNum vec[3]);
MJAPI void mju_mulMatTVec3(mjtNum res[3], const mjtNum mat[9], const mjtNum vec[3]);

// Cross product a x b.
MJAPI void mju_cross(mjtNum res[3], const mjtNum a[3], const mjtNum b[3]);

// Vectors of four: zero, the unit quaternion, copy.
MJAPI void mju_zero4(mjtNum res[4]);
MJAPI void mju_unit4(mjtNum res[4]);
MJAPI void mju_copy4(mjtNum res[4], const mjtNum data[4]);

// Normalize and return the length before; a zero vector becomes (1, 0, 0, 0).
MJAPI mjtNum mju_normalize4(mjtNum vec[4]);

// Vectors of n: zero, fill with a value, copy.
MJAPI void mju_zero(mjtNum* res, int n);
MJAPI void mju_fill(mjtNum* res, mjtNum val, int n);
MJAPI void mju_copy(mjtNum* res, const mjtNum* vec, int n);

// Sum of the elements, and of their absolute values.
MJAPI mjtNum mju_sum(const mjtNum* vec, int n);
MJAPI mjtNum mju_L1(const mjtNum* vec, int n);

// Vectors of n: scale, add, subtract.
MJAPI void mju_scl(mjtNum* res, const mjtNum* vec, mjtNum scl, int n);
MJAPI void mju_add(mjtNum* res, const mjtNum* vec1, const mjtNum* vec2, int n);
MJAPI void mju_sub(mjtNum* res, const mjtNum* vec1, const mjtNum* vec2, int n);

// In place: res += vec, res -= vec, res += vec * scl.
MJAPI void mju_addTo(mjtNum* res, const mjtNum* vec, int n);
MJAPI void mju_subFrom(mjtNum* res, const mjtNum* vec, int n);
MJAPI void mju_addToScl(mjtNum* res, const mjtNum* vec, mjtNum scl, int n);

// Scaled sum res = vec1 + vec2 * scl.
MJAPI void mju_addScl(mjtNum* res, const mjtNum* vec1, const mjtNum* vec2, mjtNum scl, int n);

// Normalize and return the length before; a zero vector becomes (1, 0, ...).
MJAPI mjtNum mju_normalize(mjtNum* res, int n);

// Length, and dot product.
MJAPI mjtNum mju_norm(const mjtNum* res, int n);
MJAPI mjtNum mju_dot(const mjtNum* vec1, const mjtNum* vec2, int n);

// Product of an nr x nc matrix, or of its transpose, with a vector. Matrices are stored by rows.
MJAPI void mju_mulMatVec(mjtNum* res, const mjtNum* mat, const mjtNum* vec, int nr, int nc);
MJAPI void mju_mulMatTVec(mjtNum* res, const mjtNum* mat, const mjtNum* vec, int nr, int nc);

// Number vec1' * mat * vec2 for an n x n matrix.
MJAPI mjtNum mju_mulVecMatVec(const mjtNum* vec1, const mjtNum* mat, const mjtNum* vec2, int n);

// Transpose: res (nc x nr) = mat'.
MJAPI void mju_transpose(mjtNum* res, const mjtNum* mat, int nr, int nc);

// Symmetric part: res = (mat + mat') / 2; res may be mat.
MJAPI void mju_symmetrize(mjtNum* res, const mjtNum* mat, int n);

// Identity matrix.
MJAPI void mju_eye(mjtNum* mat, int n);

// Matrix product: res (r1 x c2) = mat1 * mat2.
MJAPI void mju_mulMatMat(mjtNum* res, const mjtNum* mat1, const mjtNum* mat2, int r1, int c1, int c2);

// Matrix product: res (r1 x r2) = mat1 * mat2'.
MJAPI void mju_mulMatMatT(mjtNum* res, const mjtNum* mat1, const mjtNum* mat2, int r1, int c1, int r2);

// Matrix product: res (c1 x c2) = mat1' * mat2.
MJAPI void mju_mulMatTMat(mjtNum* res, const mjtNum* mat1, const mjtNum* mat2, int r1, int c1, int c2);

// Symmetric product: res (nc x nc) = mat' * diag * mat; without diag if that is NULL.
MJAPI void mju_sqrMatTD(mjtNum* res, const mjtNum* mat, const mjtNum* diag, int nr, int nc);

// Move a spatial vector, motion or force, to another point and other axes; rotnew2old may be NULL.
MJAPI void mju_transformSpatial(mjtNum res[6], const mjtNum vec[6], int flg_force, const mjtNum newpos[3],
                                const mjtNum oldpos[3], const mjtNum rotnew2old[9]);

// ---- Sparse math

// Dense to compressed rows; returns 0, or 1 if there are more than nnz nonzeros.
MJAPI int mju_dense2sparse(mjtNum* res, const mjtNum* mat, int nr, int nc, int* rownnz, int* rowadr, int* colind,
                           int nnz);

// Compressed rows to dense.
MJAPI void mju_sparse2dense(mjtNum* res, const mjtNum* mat, int nr, int nc, const int* rownnz, const int* rowadr,
                            const int* colind);

// ---- Quaternions

// Rotate a vector. Quaternions are (w, x, y, z).
MJAPI void mju_rotVecQuat(mjtNum res[3], const mjtNum vec[3], const mjtNum quat[4]);

// Inverse of a unit quaternion.
MJAPI void mju_negQuat(mjtNum res[4], const mjtNum quat[4]);

// Product of two quaternions, or of a quaternion and the vector (0, axis).
MJAPI void mju_mulQuat(mjtNum res[4], const mjtNum quat1[4], const mjtNum quat2[4]);
MJAPI void mju_mulQuatAxis(mjtNum res[4], const mjtNum quat[4], const mjtNum axis[3]);

// Quaternion of a rotation by an angle around a unit axis.
MJAPI void mju_axisAngle2Quat(mjtNum res[4], const mjtNum axis[3], mjtNum angle);

// Angular velocity that makes the rotation in time dt.
MJAPI void mju_quat2Vel(mjtNum res[3], const mjtNum quat[4], mjtNum dt);

// Rotation vector from qb to qa, in the frame of qb.
MJAPI void mju_subQuat(mjtNum res[3], const mjtNum qa[4], const mjtNum qb[4]);

// Quaternion to rotation matrix, and back.
MJAPI void mju_quat2Mat(mjtNum res[9], const mjtNum quat[4]);
MJAPI void mju_mat2Quat(mjtNum quat[4], const mjtNum mat[9]);

// Time derivative of a quaternion that turns with an angular velocity in its own frame.
MJAPI void mju_derivQuat(mjtNum res[4], const mjtNum quat[4], const mjtNum vel[3]);

// Turn a quaternion by vel * scale in its own frame, in place.
MJAPI void mju_quatIntegrate(mjtNum quat[4], const mjtNum vel[3], mjtNum scale);

// Smallest rotation that takes the z axis to vec.
MJAPI void mju_quatZ2Vec(mjtNum quat[4], const mjtNum vec[3]);

// Rotation nearest to a matrix, from the given quaternion on; returns the number of iterations.
MJAPI int mju_mat2Rot(mjtNum quat[4], const mjtNum mat[9]);

// Quaternion of Euler angles (rad); seq names the axes: lower case moving, upper case fixed.
MJAPI void mju_euler2Quat(mjtNum quat[4], const mjtNum euler[3], const char* seq);

// ---- Poses

// Pose 2 in pose 1.
MJAPI void mju_mulPose(mjtNum posres[3], mjtNum quatres[4], const mjtNum pos1[3], const mjtNum quat1[4],
                       const mjtNum pos2[3], const mjtNum quat2[4]);

// Inverse of a pose.
MJAPI void mju_negPose(mjtNum posres[3], mjtNum quatres[4], const mjtNum pos[3], const mjtNum quat[4]);

// Point of a pose's frame in the frame around it.
MJAPI void mju_trnVecPose(mjtNum res[3], const mjtNum pos[3], const mjtNum quat[4], const mjtNum vec[3]);

// ---- Decompositions / Solvers

// Cholesky factor of an n x n matrix in place, in its lower triangle; pivots below mindiag are
// replaced. Returns the rank.
MJAPI int mju_cholFactor(mjtNum* mat, int n, mjtNum mindiag);

// Solve with the factor of mju_cholFactor.
MJAPI void mju_cholSolve(mjtNum* res, const mjtNum* mat, const mjtNum* vec, int n);

// Update the factor of A to that of A + x * x', or A - x * x'; x is used up. Returns the rank.
MJAPI int mju_cholUpdate(mjtNum* mat, mjtNum* x, int n, int flg_plus);

// Cholesky factor of a band matrix with ndense dense rows at the end; adds diagadd + diagmul *
// diagonal first. Returns the smallest pivot, 0 if it fails.
MJAPI mjtNum mju_cholFactorBand(mjtNum* mat, int ntotal, int nband, int ndense, mjtNum diagadd, mjtNum diagmul);

// Solve with the factor of mju_cholFactorBand.
MJAPI void mju_cholSolveBand(mjtNum* res, const mjtNum* mat, const mjtNum* vec, int ntotal, int nband, int ndense);

// Band-dense storage to dense and back; flg_sym fills the upper triangle, too.
MJAPI void mju_band2Dense(mjtNum* res, const mjtNum* mat, int ntotal, int nband, int ndense, mjtByte flg_sym);
MJAPI void mju_dense2Band(mjtNum* res, const mjtNum* mat, int ntotal, int nband, int ndense);

// Product of a band-dense matrix with nvec vectors, one after another.
MJAPI void mju_bandMulMatVec(mjtNum* res, const mjtNum* mat, const mjtNum* vec, int ntotal, int nband, int ndense,
                             int nvec, mjtByte flg_sym);

// Index of diagonal element i in band-dense storage.
MJAPI int mju_bandDiag(int i, int ntotal, int nband, int ndense);

// Eigenvalues, decreasing, and eigenvectors of a symmetric 3 x 3 matrix, the latter also as a
// quaternion; returns the number of iterations.
MJAPI int mju_eig3(mjtNum eigval[3], mjtNum eigvec[9], mjtNum quat[4], const mjtNum mat[9]);

// Minimize x' * H * x / 2 + x' * g between bounds, starting at res. Returns the number of free
// variables or -1; R gets the factor of their Hessian, index their ids. Of H the lower triangle is read.
MJAPI int mju_boxQP(mjtNum* res, mjtNum* R, int* index, const mjtNum* H, const mjtNum* g, int n, const mjtNum* lower,
                    const mjtNum* upper);

// Allocate what mju_boxQP needs for n variables; free with mju_free.
MJAPI void mju_boxQPmalloc(mjtNum** res, mjtNum** R, int** index, mjtNum** H, mjtNum** g, int n, mjtNum** lower,
                           mjtNum** upper);

// ---- Miscellaneous

// Active force of a muscle at full activation (negative), and its passive force.
MJAPI mjtNum mju_muscleGain(mjtNum len, mjtNum vel, const mjtNum lengthrange[2], mjtNum acc0, const mjtNum prm[9]);
MJAPI mjtNum mju_muscleBias(mjtNum len, const mjtNum lengthrange[2], mjtNum acc0, const mjtNum prm[9]);

// Activation derivative of a muscle.
MJAPI mjtNum mju_muscleDynamics(mjtNum ctrl, mjtNum act, const mjtNum prm[3]);

// Force in the contact frame to pyramid edges, and back; dim is that of the contact.
MJAPI void mju_encodePyramid(mjtNum* pyramid, const mjtNum* force, const mjtNum* mu, int dim);
MJAPI void mju_decodePyramid(mjtNum* force, const mjtNum* pyramid, const mjtNum* mu, int dim);

// Position after time dt of a spring-damper of unit mass, in closed form.
MJAPI mjtNum mju_springDamper(mjtNum pos0, mjtNum vel0, mjtNum Kp, mjtNum Kv, mjtNum dt);

// Smaller, larger, bounded number.
MJAPI mjtNum mju_min(mjtNum a, mjtNum b);
MJAPI mjtNum mju_max(mjtNum a, mjtNum b);
MJAPI mjtNum mju_clip(mjtNum x, mjtNum min, mjtNum max);

// Sign of a number: 1, -1 or 0.
MJAPI mjtNum mju_sign(mjtNum x);

// Nearest integer.
MJAPI int mju_round(mjtNum x);

// Name of an object type (mjtObj), or NULL; and the type of a name, mjOBJ_UNKNOWN if there is none.
MJAPI const char* mju_type2Str(int type);
MJAPI int mju_str2Type(const char* str);

// Number of bytes as text with a unit; valid until the thread's next call.
MJAPI const char* mju_writeNumBytes(size_t nbytes);

// Text of a warning (mjtWarning) with its info; valid until the thread's next call.
MJAPI const char* mju_warningText(int warning, size_t info);

// Whether a number is not finite or larger than mjMAXVAL.
MJAPI int mju_isBad(mjtNum x);

// Whether all elements are zero.
MJAPI int mju_isZero(const mjtNum* vec, int n);

// Normally distributed random number; a second one goes to num2 if that is not NULL.
MJAPI mjtNum mju_standardNormal(mjtNum* num2);

// Copies between number types, n elements.
MJAPI void mju_f2n(mjtNum* res, const float* vec, int n);
MJAPI void mju_n2f(float* res, const mjtNum* vec, int n);
MJAPI void mju_d2n(mjtNum* res, const double* vec, int n);
MJAPI void mju_n2d(double* res, const mjtNum* vec, int n);

// Sort increasing, in place.
MJAPI void mju_insertionSort(mjtNum* list, int n);
MJAPI void mju_insertionSortInt(int* list, int n);

// Element of a Halton sequence; the base is a prime.
MJAPI mjtNum mju_Halton(int index, int base);

// Copy a string into n bytes, always with a terminating zero.
MJAPI char* mju_strncpy(char* dst, const char* src, int n);

// Smooth step from 0 to 1 on [0, 1], with two continuous derivatives.
MJAPI mjtNum mju_sigmoid(mjtNum x);

// ---- Derivatives

// Derivatives of one step by finite differences: A and B of the next state by state and control, C
// and D of the sensors; each may be NULL. States are (dq, qvel, act).
MJAPI void mjd_transitionFD(const mjModel* m, mjData* d, mjtNum eps, mjtByte flg_centered, mjtNum* A, mjtNum* B,
                            mjtNum* C, mjtNum* D);

// Derivatives of the inverse dynamics by finite differences, transposed: force, sensors and inertia
// by position, velocity and acceleration; each may be NULL.
MJAPI void mjd_inverseFD(const mjModel* m, mjData* d, mjtNum eps, mjtByte flg_actuation, mjtNum* DfDq, mjtNum* DfDv,
                         mjtNum* DfDa, mjtNum* DsDq, mjtNum* DsDv, mjtNum* DsDa, mjtNum* DmDq);

// Derivatives of mju_subQuat by both quaternions' tangents; either may be NULL.
MJAPI void mjd_subQuat(const mjtNum qa[4], const mjtNum qb[4], mjtNum Da[9], mjtNum Db[9]);

// Derivatives of mju_quatIntegrate by the quaternion's tangent, vel and scale; each may be NULL.
MJAPI void mjd_quatIntegrate(const mjtNum vel[3], mjtNum scale, mjtNum Dquat[9], mjtNum Dvel[9], mjtNum Dscale[3]);

// ---- Attachment

// Attach a body, frame or whole specification to a body, frame or site, and put prefix and suffix around the names;
// returns the attached element, NULL if it fails; without parent or child it is an error. Unless the parent makes deep
// copies (mjs_setDeepCopy), the child's elements move to the parent, and the child's specification cannot be compiled
// any more. The keyframes of the child come along under extended names. In all keyframes, the numbers stay with their
// joints, actuators and mocap bodies. Until the next compilation the lists of an mjsKey are empty; if you write numbers
// into them before it, the compiler uses these instead.
MJAPI mjsElement* mjs_attach(mjsElement* parent, const mjsElement* child, const char* prefix, const char* suffix);

// ---- Tree elements

// Add an element to a body, with the values of a default class or those of the body's class if that
// is NULL. Returns NULL if it fails.
MJAPI mjsBody* mjs_addBody(mjsBody* body, const mjsDefault* def);
MJAPI mjsSite* mjs_addSite(mjsBody* body, const mjsDefault* def);
MJAPI mjsJoint* mjs_addJoint(mjsBody* body, const mjsDefault* def);

// Add a free joint, which takes no values from classes.
MJAPI mjsJoint* mjs_addFreeJoint(mjsBody* body);

// More elements of a body, as above.
MJAPI mjsGeom* mjs_addGeom(mjsBody* body, const mjsDefault* def);
MJAPI mjsCamera* mjs_addCamera(mjsBody* body, const mjsDefault* def);
MJAPI mjsLight* mjs_addLight(mjsBody* body, const mjsDefault* def);

// Add a frame to a body, inside parentframe if that is not NULL.
MJAPI mjsFrame* mjs_addFrame(mjsBody* body, mjsFrame* parentframe);

// Delete an element; a body goes with all that is below it or refers to it. Frames stay. Returns 0,
// or -1 if it fails.
MJAPI int mjs_delete(mjSpec* spec, mjsElement* element);

// ---- Non-tree elements

// Add an element to a specification, with the values of a default class where there is one.
MJAPI mjsActuator* mjs_addActuator(mjSpec* s, const mjsDefault* def);
MJAPI mjsSensor* mjs_addSensor(mjSpec* s);
MJAPI mjsFlex* mjs_addFlex(mjSpec* s);
MJAPI mjsPair* mjs_addPair(mjSpec* s, const mjsDefault* def);
MJAPI mjsExclude* mjs_addExclude(mjSpec* s);
MJAPI mjsEquality* mjs_addEquality(mjSpec* s, const mjsDefault* def);
MJAPI mjsTendon* mjs_addTendon(mjSpec* s, const mjsDefault* def);

// Append a part to the path of a tendon; sidesite may be empty.
MJAPI mjsWrap* mjs_wrapSite(mjsTendon* tendon, const char* name);
MJAPI mjsWrap* mjs_wrapGeom(mjsTendon* tendon, const char* name, const char* sidesite);
MJAPI mjsWrap* mjs_wrapJoint(mjsTendon* tendon, const char* name, double coef);
MJAPI mjsWrap* mjs_wrapPulley(mjsTendon* tendon, double divisor);

// More elements of a specification.
MJAPI mjsNumeric* mjs_addNumeric(mjSpec* s);
MJAPI mjsText* mjs_addText(mjSpec* s);
MJAPI mjsTuple* mjs_addTuple(mjSpec* s);
MJAPI mjsKey* mjs_addKey(mjSpec* s);
MJAPI mjsPlugin* mjs_addPlugin(mjSpec* s);

// Add a default class below parent, or below the main class if that is NULL; NULL if the name is
// taken.
MJAPI mjsDefault* mjs_addDefault(mjSpec* s, const char* classname, const mjsDefault* parent);

// ---- Set actuator parameters

// Turn an actuator into one of the usual kinds. They return an empty text, or the reason of the failure. Optional
// values are passed by pointer, NULL if they are not given.
MJAPI const char* mjs_setToMotor(mjsActuator* actuator);
MJAPI const char* mjs_setToPosition(mjsActuator* actuator, double kp, double kv[1], double dampratio[1],
                                    double timeconst[1], double inheritrange);
MJAPI const char* mjs_setToIntVelocity(mjsActuator* actuator, double kp, double kv[1], double dampratio[1],
                                       double timeconst[1], double inheritrange);
MJAPI const char* mjs_setToVelocity(mjsActuator* actuator, double kv);
MJAPI const char* mjs_setToDamper(mjsActuator* actuator, double kv);
MJAPI const char* mjs_setToCylinder(mjsActuator* actuator, double timeconst, double bias, double area, double diameter);
MJAPI const char* mjs_setToMuscle(mjsActuator* actuator, double timeconst[2], double tausmooth, double range[2],
                                  double force, double scale, double lmin, double lmax, double vmax, double fpmax,
                                  double fvmax);
MJAPI const char* mjs_setToAdhesion(mjsActuator* actuator, double gain);

// ---- Assets

// Add an asset to a specification.
MJAPI mjsMesh* mjs_addMesh(mjSpec* s, const mjsDefault* def);
MJAPI mjsHField* mjs_addHField(mjSpec* s);
MJAPI mjsSkin* mjs_addSkin(mjSpec* s);
MJAPI mjsTexture* mjs_addTexture(mjSpec* s);
MJAPI mjsMaterial* mjs_addMaterial(mjSpec* s, const mjsDefault* def);

// Make the vertices and faces of a builtin mesh; returns 0, or -1 if it fails.
MJAPI int mjs_makeMesh(mjsMesh* mesh, mjtMeshBuiltin builtin, double* params, int nparams);

// ---- Find and get utilities

// Specification that an element belongs to.
MJAPI mjSpec* mjs_getSpec(mjsElement* element);

// Specification by its name: an attached one, or one of the models among the assets of a document; else NULL.
MJAPI mjSpec* mjs_findSpec(mjSpec* spec, const char* name);

// Body or element of that name, or NULL.
MJAPI mjsBody* mjs_findBody(mjSpec* s, const char* name);
MJAPI mjsElement* mjs_findElement(mjSpec* s, mjtObj type, const char* name);

// Body of that name: this one or one below it; or NULL.
MJAPI mjsBody* mjs_findChild(mjsBody* body, const char* name);

// Body that an element belongs to, and the innermost frame it is in; NULL if there is none.
MJAPI mjsBody* mjs_getParent(mjsElement* element);
MJAPI mjsFrame* mjs_getFrame(mjsElement* element);

// Frame of that name, or NULL.
MJAPI mjsFrame* mjs_findFrame(mjSpec* s, const char* name);

// Default class of an element, class of that name, main class; NULL if there is none.
MJAPI mjsDefault* mjs_getDefault(mjsElement* element);
MJAPI mjsDefault* mjs_findDefault(mjSpec* s, const char* classname);
MJAPI mjsDefault* mjs_getSpecDefault(mjSpec* s);

// Id of an element in the compiled model, or -1.
MJAPI int mjs_getId(mjsElement* element);

// Walk the elements of a type in a body, with the bodies below it if recurse is nonzero; NULL at
// the end.
MJAPI mjsElement* mjs_firstChild(mjsBody* body, mjtObj type, int recurse);
MJAPI mjsElement* mjs_nextChild(mjsBody* body, mjsElement* child, int recurse);

// Walk all elements of a type; NULL at the end.
MJAPI mjsElement* mjs_firstElement(mjSpec* s, mjtObj type);
MJAPI mjsElement* mjs_nextElement(mjSpec* s, mjsElement* element);

// Object, side site, divisor and coefficient of a part of a tendon path.
MJAPI mjsElement* mjs_getWrapTarget(mjsWrap* wrap);
MJAPI mjsSite* mjs_getWrapSideSite(mjsWrap* wrap);
MJAPI double mjs_getWrapDivisor(mjsWrap* wrap);
MJAPI double mjs_getWrapCoef(mjsWrap* wrap);

// ---- Attribute setters

// Set the name of an element; returns 0, or -1 if another of its type has it.
MJAPI int mjs_setName(mjsElement* element, const char* name);

// Replace the content of a container by a copy of `size` bytes, of a text, or of the words of a text as a list.
MJAPI void mjs_setBuffer(mjByteVec* dest, const void* array, int size);
MJAPI void mjs_setString(mjString* dest, const char* text);
MJAPI void mjs_setStringVec(mjStringVec* dest, const char* text);

// Replace text i of a list; returns 1, or 0 if there is no such text.
MJAPI mjtByte mjs_setInStringVec(mjStringVec* dest, int i, const char* text);

// Append one text, or one array, to a list.
MJAPI void mjs_appendString(mjStringVec* dest, const char* text);

// Containers of numbers, as above.
MJAPI void mjs_setInt(mjIntVec* dest, const int* array, int size);
MJAPI void mjs_appendIntVec(mjIntVecVec* dest, const int* array, int size);
MJAPI void mjs_setFloat(mjFloatVec* dest, const float* array, int size);
MJAPI void mjs_appendFloatVec(mjFloatVecVec* dest, const float* array, int size);
MJAPI void mjs_setDouble(mjDoubleVec* dest, const double* array, int size);

// Replace the attributes of a plugin instance by a list of texts (sheaf/strings.h), each name followed by its value.
// (In the reference it is a C++ map.)
MJAPI void mjs_setPluginAttributes(mjsPlugin* plugin, void* attributes);

// ---- Attribute getters

// Name of an element, as a container.
MJAPI mjString* mjs_getName(mjsElement* element);

// Content of a container, valid until it changes. The number of elements goes to size if that is not
// NULL.
MJAPI const char* mjs_getString(const mjString* source);
MJAPI const double* mjs_getDouble(const mjDoubleVec* source, int* size);

// Number of parts of a tendon path, and one of them; an error if there is none of this number.
MJAPI int mjs_getWrapNum(const mjsTendon* tendonspec);
MJAPI mjsWrap* mjs_getWrap(const mjsTendon* tendonspec, int i);

// Attributes of a plugin instance: such a list (const mjStringVec*).
MJAPI const void* mjs_getPluginAttributes(const mjsPlugin* plugin);

// ---- Spec utilities

// Set the default class of an element; values that it has are kept.
MJAPI void mjs_setDefault(mjsElement* element, const mjsDefault* def);

// Move an element into a frame of the same body; returns 0, or -1 if it fails.
MJAPI int mjs_setFrame(mjsElement* dest, mjsFrame* frame);

// Quaternion of another kind of orientation; returns NULL, or the reason of the failure.
MJAPI const char* mjs_resolveOrientation(double quat[4], mjtByte degree, const char* sequence,
                                         const mjsOrientation* orientation);

// Turn a body into a frame of its parent, with all its content; *body becomes NULL. If its inertia was given, that of
// the parent grows by it and counts as given from then on; NULL if the parent's inertia cannot be found.
MJAPI mjsFrame* mjs_bodyToFrame(mjsBody** body);

// Keep a pointer of the user with an element under a key; the second form frees it with cleanup.
MJAPI void mjs_setUserValue(mjsElement* element, const char* key, const void* data);
MJAPI void mjs_setUserValueWithCleanup(mjsElement* element, const char* key, const void* data,
                                       void (*cleanup)(const void*));

// Pointer kept under a key, or NULL.
MJAPI const void* mjs_getUserValue(mjsElement* element, const char* key);

// Forget the pointer kept under a key.
MJAPI void mjs_deleteUserValue(mjsElement* element, const char* key);

// Number of values of a sensor; some are only known once the model is compiled.
MJAPI int mjs_sensorDim(const mjsSensor* sensor);

// ---- Element initialization

// Fill in the default values of a structure; what it owns is left alone.
MJAPI void mjs_defaultSpec(mjSpec* spec);
MJAPI void mjs_defaultOrientation(mjsOrientation* orient);
MJAPI void mjs_defaultBody(mjsBody* body);
MJAPI void mjs_defaultFrame(mjsFrame* frame);
MJAPI void mjs_defaultJoint(mjsJoint* joint);
MJAPI void mjs_defaultGeom(mjsGeom* geom);
MJAPI void mjs_defaultSite(mjsSite* site);
MJAPI void mjs_defaultCamera(mjsCamera* camera);
MJAPI void mjs_defaultLight(mjsLight* light);
MJAPI void mjs_defaultFlex(mjsFlex* flex);
MJAPI void mjs_defaultMesh(mjsMesh* mesh);
MJAPI void mjs_defaultHField(mjsHField* hfield);
MJAPI void mjs_defaultSkin(mjsSkin* skin);
MJAPI void mjs_defaultTexture(mjsTexture* texture);
MJAPI void mjs_defaultMaterial(mjsMaterial* material);
MJAPI void mjs_defaultPair(mjsPair* pair);
MJAPI void mjs_defaultEquality(mjsEquality* equality);
MJAPI void mjs_defaultTendon(mjsTendon* tendon);
MJAPI void mjs_defaultActuator(mjsActuator* actuator);
MJAPI void mjs_defaultSensor(mjsSensor* sensor);
MJAPI void mjs_defaultNumeric(mjsNumeric* numeric);
MJAPI void mjs_defaultText(mjsText* text);
MJAPI void mjs_defaultTuple(mjsTuple* tuple);
MJAPI void mjs_defaultKey(mjsKey* key);
MJAPI void mjs_defaultPlugin(mjsPlugin* plugin);

// ---- Element casting

// The structure of an element, or NULL if the element is of another kind.
MJAPI mjsBody* mjs_asBody(mjsElement* element);
MJAPI mjsGeom* mjs_asGeom(mjsElement* element);
MJAPI mjsJoint* mjs_asJoint(mjsElement* element);
MJAPI mjsSite* mjs_asSite(mjsElement* element);
MJAPI mjsCamera* mjs_asCamera(mjsElement* element);
MJAPI mjsLight* mjs_asLight(mjsElement* element);
MJAPI mjsFrame* mjs_asFrame(mjsElement* element);
MJAPI mjsActuator* mjs_asActuator(mjsElement* element);
MJAPI mjsSensor* mjs_asSensor(mjsElement* element);
MJAPI mjsFlex* mjs_asFlex(mjsElement* element);
MJAPI mjsPair* mjs_asPair(mjsElement* element);
MJAPI mjsEquality* mjs_asEquality(mjsElement* element);
MJAPI mjsExclude* mjs_asExclude(mjsElement* element);
MJAPI mjsTendon* mjs_asTendon(mjsElement* element);
MJAPI mjsNumeric* mjs_asNumeric(mjsElement* element);
MJAPI mjsText* mjs_asText(mjsElement* element);
MJAPI mjsTuple* mjs_asTuple(mjsElement* element);
MJAPI mjsKey* mjs_asKey(mjsElement* element);
MJAPI mjsMesh* mjs_asMesh(mjsElement* element);
MJAPI mjsHField* mjs_asHField(mjsElement* element);
MJAPI mjsSkin* mjs_asSkin(mjsElement* element);
MJAPI mjsTexture* mjs_asTexture(mjsElement* element);
MJAPI mjsMaterial* mjs_asMaterial(mjsElement* element);
MJAPI mjsPlugin* mjs_asPlugin(mjsElement* element);

// ---- Threads

// Make a pool of threads that run tasks; an error if the system has no more of them.
MJAPI mjThreadPool* mju_threadPoolCreate(size_t number_of_threads);

// Note a pool in data, once; steps do not use it.
MJAPI void mju_bindThreadPool(mjData* d, void* thread_pool);

// Put a new task into the queue; waits while that is full. The task must live until it is completed.
MJAPI void mju_threadPoolEnqueue(mjThreadPool* thread_pool, mjTask* task);

// End the threads after their current tasks, and free the pool; tasks that wait are dropped.
MJAPI void mju_threadPoolDestroy(mjThreadPool* thread_pool);

// Make a task new, without a function.
MJAPI void mju_defaultTask(mjTask* task);

// Wait until a task is completed.
MJAPI void mju_taskJoin(mjTask* task);

// ---- Plugins

// Set all members to zero.
MJAPI void mjp_defaultPlugin(mjpPlugin* plugin);

// Register a plugin in this process, from any thread; a copy is kept. Returns its slot, also if the same plugin was
// registered before. An error if another one has its name. Those that are built in (mujoco.pid,
// mujoco.elasticity.cable, mujoco.sensor.touch_grid) come first.
MJAPI int mjp_registerPlugin(const mjpPlugin* plugin);
MJAPI int mjp_pluginCount(void);

// Plugin by name; its slot, or -1, goes to slot if that is not NULL. NULL if there is none.
MJAPI const mjpPlugin* mjp_getPlugin(const char* name, int* slot);
MJAPI const mjpPlugin* mjp_getPluginAtSlot(int slot);

// Text of an attribute of an instance, "" if it was not given; NULL if there is no such instance or attribute.
MJAPI const char* mj_getPluginConfig(const mjModel* m, int plugin_id, const char* attrib);

// Load a library, whose initializer registers plugins (mjPLUGIN_LIB_INIT). An error if that fails.
MJAPI void mj_loadPluginLibrary(const char* path);

// Load all libraries (*.so) of a directory in alphabetical order; a file that is none is a warning. The callback, if
// any, is told of each that registered plugins.
MJAPI void mj_loadAllPluginLibraries(const char* directory, mjfPluginLibraryLoadCallback callback);

// ---- Resource providers and decoders, for the whole process; functions must be safe to call from several threads.
// A name "prefix:rest" goes to the provider with that prefix; slots count from 1. -1 and a warning if the prefix is no
// scheme or a function is missing; an error if another provider has the prefix. Decoders: for mj_parse and <model>, by
// content type (may be NULL) or the end of a name.
MJAPI void mjp_defaultResourceProvider(mjpResourceProvider* provider);
MJAPI int mjp_registerResourceProvider(const mjpResourceProvider* provider);
MJAPI int mjp_resourceProviderCount(void);
MJAPI const mjpResourceProvider* mjp_getResourceProvider(const char* resource_name);
MJAPI const mjpResourceProvider* mjp_getResourceProviderAtSlot(int slot);
MJAPI void mjp_defaultDecoder(mjpDecoder* decoder);
MJAPI void mjp_registerDecoder(const mjpDecoder* decoder);
MJAPI const mjpDecoder* mjp_findDecoder(const mjResource* resource, const char* content_type);

// ---- Rays on flexible bodies. Signed distance fields of geoms.
MJAPI mjtNum mju_rayFlex(const mjModel* m, const mjData* d, int flex_layer, mjtByte flg_vert, mjtByte flg_edge,
                         mjtByte flg_face, mjtByte flg_skin, int flexid, const mjtNum pnt[3], const mjtNum vec[3],
                         int vertid[1]);
MJAPI const mjpPlugin* mjc_getSDF(const mjModel* m, int id);
MJAPI mjtNum mjc_distance(const mjModel* m, const mjData* d, const mjSDF* s, const mjtNum x[3]);
MJAPI void mjc_gradient(const mjModel* m, const mjData* d, const mjSDF* s, mjtNum gradient[3], const mjtNum x[3]);

// Asset cache of the process, in bytes: meshes of files as they were compiled. NULL: a cache with nothing in it.
MJAPI mjCache* mj_getCache(void);
MJAPI size_t mj_getCacheSize(const mjCache* cache);
MJAPI size_t mj_getCacheCapacity(const mjCache* cache);
MJAPI size_t mj_setCacheCapacity(mjCache* cache, size_t size);
MJAPI void mj_clearCache(mjCache* cache);

// Names for the functions of the C library.
#define mju_sqrt sqrt
#define mju_exp exp
#define mju_sin sin
#define mju_cos cos
#define mju_tan tan
#define mju_asin asin
#define mju_acos acos
#define mju_atan2 atan2
#define mju_tanh tanh
#define mju_pow pow
#define mju_abs fabs
#define mju_log log
#define mju_log10 log10
#define mju_floor floor
#define mju_ceil ceil

#ifdef __cplusplus
}
#endif

#endif  // SHEAF_MUJOCO_MUJOCO_H_
