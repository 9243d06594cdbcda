// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#ifndef SHEAF_MUJOCO_MJDATA_H_
#define SHEAF_MUJOCO_MJDATA_H_

// This file is formatted by hand, because the tables below align their columns.
// clang-format off

#include <stddef.h>
#include <stdint.h>
#include <mujoco/mjmodel.h>
#include <mujoco/mjthread.h>
#include <mujoco/mjtnum.h>

// Parts of the state, in the order of the packed vector of mj_getState.
typedef enum mjtState_ {
  mjSTATE_TIME         = 1 << 0,   // time
  mjSTATE_QPOS         = 1 << 1,   // positions
  mjSTATE_QVEL         = 1 << 2,   // velocities
  mjSTATE_ACT          = 1 << 3,   // activations
  mjSTATE_WARMSTART    = 1 << 4,   // qacc_warmstart
  mjSTATE_CTRL         = 1 << 5,   // controls
  mjSTATE_QFRC_APPLIED = 1 << 6,   // generalized force of the user
  mjSTATE_XFRC_APPLIED = 1 << 7,   // Cartesian wrenches of the user
  mjSTATE_EQ_ACTIVE    = 1 << 8,   // active equality constraints
  mjSTATE_MOCAP_POS    = 1 << 9,   // mocap positions
  mjSTATE_MOCAP_QUAT   = 1 << 10,  // mocap orientations
  mjSTATE_USERDATA     = 1 << 11,  // user values
  mjSTATE_PLUGIN       = 1 << 12,  // plugin states
  mjNSTATE             = 13,       // number of parts
  mjSTATE_PHYSICS      = 14,       // qpos, qvel, act
  mjSTATE_FULLPHYSICS  = 4111,     // physics, time and plugin states
  mjSTATE_USER         = 4064,     // all inputs: from CTRL to USERDATA
  mjSTATE_INTEGRATION  = 8191,     // everything that the next step depends on
} mjtState;

// Constraint types, in the order of the rows.
typedef enum mjtConstraint_ {
  mjCNSTR_EQUALITY             = 0,  // bilateral
  mjCNSTR_FRICTION_DOF         = 1,  // dry friction of a dof
  mjCNSTR_FRICTION_TENDON      = 2,  // dry friction of a tendon
  mjCNSTR_LIMIT_JOINT          = 3,  // joint limit
  mjCNSTR_LIMIT_TENDON         = 4,  // tendon limit
  mjCNSTR_CONTACT_FRICTIONLESS = 5,  // normal force only
  mjCNSTR_CONTACT_PYRAMIDAL    = 6,  // edge of a pyramid
  mjCNSTR_CONTACT_ELLIPTIC     = 7,  // component of an elliptic cone
} mjtConstraint;

// Piece of its cost that a constraint row is on.
typedef enum mjtConstraintState_ {
  mjCNSTRSTATE_SATISFIED = 0,  // no cost, no force
  mjCNSTRSTATE_QUADRATIC = 1,  // quadratic
  mjCNSTRSTATE_LINEARNEG = 2,  // friction loss at its lower bound
  mjCNSTRSTATE_LINEARPOS = 3,  // friction loss at its upper bound
  mjCNSTRSTATE_CONE      = 4,  // between satisfied and quadratic, elliptic contacts only
} mjtConstraintState;

// Numerical trouble that mjData counts; the meaning of lastinfo follows each.
typedef enum mjtWarning_ {
  mjWARN_INERTIA     = 0,  // inertia is nearly singular: dof
  mjWARN_CONTACTFULL = 1,  // no room for a contact: number of contacts
  mjWARN_CNSTRFULL   = 2,  // no room for a constraint: number of rows
  mjWARN_VGEOMFULL   = 3,  // too many geoms in a picture; never set here
  mjWARN_BADQPOS     = 4,  // bad value in qpos: index
  mjWARN_BADQVEL     = 5,  // bad value in qvel: index
  mjWARN_BADQACC     = 6,  // bad value in qacc: index
  mjWARN_BADCTRL     = 7,  // bad value in ctrl: index
  mjNWARNING         = 8,  // number of warnings
} mjtWarning;

// Parts of the computation whose calls mjData counts, and times if mjcb_time is set.
typedef enum mjtTimer_ {
  mjTIMER_STEP           = 0,   // mj_step
  mjTIMER_FORWARD        = 1,   // mj_forward
  mjTIMER_INVERSE        = 2,   // mj_inverse
  mjTIMER_POSITION       = 3,   // mj_fwdPosition
  mjTIMER_VELOCITY       = 4,   // mj_fwdVelocity
  mjTIMER_ACTUATION      = 5,   // mj_fwdActuation
  mjTIMER_CONSTRAINT     = 6,   // mj_fwdConstraint
  mjTIMER_ADVANCE        = 7,   // integration
  mjTIMER_POS_KINEMATICS = 8,   // kinematics, tendons, transmissions
  mjTIMER_POS_INERTIA    = 9,   // inertia matrix and its factor
  mjTIMER_POS_COLLISION  = 10,  // mj_collision
  mjTIMER_POS_MAKE       = 11,  // mj_makeConstraint
  mjTIMER_POS_PROJECT    = 12,  // mj_projectConstraint
  mjTIMER_COL_BROAD      = 13,  // broad phase
  mjTIMER_COL_NARROW     = 14,  // narrow phase
  mjNTIMER               = 15,  // number of timers
} mjtTimer;

// Whether a tree or a body takes part in the step.
typedef enum mjtSleepState_ {
  mjS_STATIC = -1,  // it never moves
  mjS_ASLEEP = 0,   // it is at rest and left out
  mjS_AWAKE  = 1,   // it takes part
} mjtSleepState;

// One contact, found by collision detection.
typedef struct mjContact_ {
  // Geometry
  mjtNum dist;                    // signed distance; negative: penetration
  mjtNum pos[3];                  // midpoint between the surfaces, global
  mjtNum frame[9];                // axes by rows; the first, the normal, points from geom1 to geom2

  // Parameters, mixed from both geoms
  mjtNum includemargin;           // constrained if dist is below: margin - gap
  mjtNum friction[5];             // two sliding, torsional, two rolling
  mjtNum solref[mjNREF];          // normal stiffness and damping
  mjtNum solreffriction[mjNREF];  // the same for friction; zeros: as normal
  mjtNum solimp[mjNIMP];          // impedance

  // Written by the solver
  mjtNum mu;                      // friction of the regularized elliptic cone
  mjtNum H[36];                   // Hessian of the cone, dim x dim

  // Objects in contact
  int dim;                        // 1, 3, 4 or 6
  int geom1;                      // old name of geom[0]
  int geom2;                      // old name of geom[1]
  int geom[2];                    // geom ids, -1: flex
  int flex[2];                    // flex ids, -1: geom
  int elem[2];                    // element ids, -1: geom or vertex
  int vert[2];                    // vertex ids, -1: geom or element

  // Use by the constraints
  int exclude;                    // 0: it has rows; else none, because 1: in the gap, 2: fused, 3: no dofs
  int efc_address;                // first constraint row, -1: none
} mjContact;

// Count of one warning.
typedef struct mjWarningStat_ {
  int lastinfo;  // detail of the last one, as in mjtWarning
  int number;    // how often it happened since the reset
} mjWarningStat;

// Time spent in one part, and its calls.
typedef struct mjTimerStat_ {
  mjtNum duration;  // sum (in units of mjcb_time)
  int number;       // calls
} mjTimerStat;

// One iteration of the constraint solver.
typedef struct mjSolverStat_ {
  mjtNum improvement;  // reduction of the cost, scaled
  mjtNum gradient;     // norm of the gradient, scaled
  mjtNum lineslope;    // slope at the end of the line search, relative
  int nactive;         // active rows
  int nchange;         // rows that changed state
  int neval;           // cost evaluations of the line search
  int nupdate;         // rank-one updates of the Cholesky factor
} mjSolverStat;

// The state of one simulation and all that is computed from it, in one buffer and an arena.
typedef struct mjData_ {
  // Memory
  mjtSize narena;                            // bytes of the arena, with the stack
  mjtSize nbuffer;                           // bytes of the buffer
  int nplugin;                               // plugin instances
  size_t pstack;                             // bytes of stack in use
  size_t pbase;                              // where the current stack frame starts
  size_t parena;                             // bytes of arena in use
  mjtSize maxuse_stack;                      // largest pstack so far
  mjtSize maxuse_threadstack[mjMAXTHREAD];   // the same for each thread
  mjtSize maxuse_arena;                      // largest sum of arena and stack so far
  int maxuse_con;                            // largest ncon so far
  int maxuse_efc;                            // largest nefc so far

  // Diagnostics
  mjSolverStat solver[mjNISLAND*mjNSOLVER];  // statistics by island and iteration
  int solver_niter[mjNISLAND];               // iterations by island
  int solver_nnz[mjNISLAND];                 // nonzeros of the Hessian or of AR, by island
  mjtNum solver_fwdinv[2];                   // forward against inverse: constraint, applied force
  mjWarningStat warning[mjNWARNING];         // counts since the reset
  mjTimerStat timer[mjNTIMER];               // times since the reset

  // Counts of variable size
  int ncon;                                  // contacts
  int ne;                                    // rows of equality constraints
  int nf;                                    // rows of friction loss
  int nl;                                    // rows of limits
  int nefc;                                  // all rows
  int nJ;                                    // nonzeros of the constraint Jacobian
  int nA;                                    // nonzeros of the matrix AR
  int nisland;                               // constraint islands
  int nidof;                                 // dofs in islands
  int ntree_awake;                           // trees awake
  int nbody_awake;                           // bodies awake or static
  int nparent_awake;                         // bodies whose parent is awake or static
  int nv_awake;                              // dofs awake

  // Global results
  mjtNum time;                               // simulation time (s)
  mjtNum energy[2];                          // potential and kinetic (J)

  // Memory that the arrays below point into
  void* buffer;                              // arrays of fixed size
  void* arena;                               // contacts and constraints, and the stack at its end

  // State
  mjtNum* qpos;               // (nq x 1)          positions
  mjtNum* qvel;               // (nv x 1)          velocities
  mjtNum* act;                // (na x 1)          activations
  mjtNum* qacc_warmstart;     // (nv x 1)          starting point of the solver
  mjtNum* plugin_state;       // (npluginstate x 1) states of plugins

  // Inputs of the user
  mjtNum* ctrl;               // (nu x 1)          controls
  mjtNum* qfrc_applied;       // (nv x 1)          generalized force
  mjtNum* xfrc_applied;       // (nbody x 6)       force and torque at the center of mass
  mjtByte* eq_active;         // (neq x 1)         equality constraints switched on
  mjtNum* mocap_pos;          // (nmocap x 3)      positions of mocap bodies
  mjtNum* mocap_quat;         // (nmocap x 4)      orientations of mocap bodies

  // Time derivatives
  mjtNum* qacc;               // (nv x 1)          accelerations
  mjtNum* act_dot;            // (na x 1)          of the activations

  // User values and outputs
  mjtNum* userdata;           // (nuserdata x 1)   never touched by the engine
  mjtNum* sensordata;         // (nsensordata x 1) all sensors, one after another

  // Sleep and plugins
  int* tree_asleep;           // (ntree x 1)       negative: awake; else next in a sleeping cycle
  int* plugin;                // (nplugin x 1)     copy of mjModel.plugin
  uintptr_t* plugin_data;     // (nplugin x 1)     pointer of each instance to its own data

  // Position stage: kinematics, all in the global frame
  mjtNum* xpos;               // (nbody x 3)       body frame
  mjtNum* xquat;              // (nbody x 4)       body frame
  mjtNum* xmat;               // (nbody x 9)       body frame
  mjtNum* xipos;              // (nbody x 3)       center of mass
  mjtNum* ximat;              // (nbody x 9)       principal axes of inertia
  mjtNum* xanchor;            // (njnt x 3)        joint anchor
  mjtNum* xaxis;              // (njnt x 3)        joint axis
  mjtNum* geom_xpos;          // (ngeom x 3)       geom frame
  mjtNum* geom_xmat;          // (ngeom x 9)       geom frame
  mjtNum* site_xpos;          // (nsite x 3)       site frame
  mjtNum* site_xmat;          // (nsite x 9)       site frame
  mjtNum* cam_xpos;           // (ncam x 3)        camera frame
  mjtNum* cam_xmat;           // (ncam x 9)        camera frame
  mjtNum* light_xpos;         // (nlight x 3)      light
  mjtNum* light_xdir;         // (nlight x 3)      light direction

  // Position stage: spatial quantities, about subtree_com of the tree's root
  mjtNum* subtree_com;        // (nbody x 3)       center of mass of each subtree
  mjtNum* cdof;               // (nv x 6)          motion axis: rotation, translation
  mjtNum* cinert;             // (nbody x 10)      inertia: 6 moments, mass * offset, mass

  // Position stage: flexes
  mjtNum* flexvert_xpos;      // (nflexvert x 3)   vertices, global
  mjtNum* flexelem_aabb;      // (nflexelem x 6)   center and half sizes
  int* flexedge_J_rownnz;     // (nflexedge x 1)   entries of the row
  int* flexedge_J_rowadr;     // (nflexedge x 1)   start of the row
  int* flexedge_J_colind;     // (nflexedge x nv)  dof ids
  mjtNum* flexedge_J;         // (nflexedge x nv)  derivative of edge lengths
  mjtNum* flexedge_length;    // (nflexedge x 1)   edge lengths
  mjtNum* bvh_aabb_dyn;       // (nbvhdynamic x 6) center and half sizes

  // Position stage: tendons and actuators
  int* ten_wrapadr;           // (ntendon x 1)     first point of the path
  int* ten_wrapnum;           // (ntendon x 1)     points of the path
  int* ten_J_rownnz;          // (ntendon x 1)     entries of the row
  int* ten_J_rowadr;          // (ntendon x 1)     start of the row
  int* ten_J_colind;          // (ntendon x nv)    dof ids
  mjtNum* ten_J;              // (ntendon x nv)    moment arms
  mjtNum* ten_length;         // (ntendon x 1)     lengths
  int* wrap_obj;              // (nwrap x 2)       geom, -1: site, -2: pulley
  mjtNum* wrap_xpos;          // (nwrap x 6)       points of the paths, global
  mjtNum* actuator_length;    // (nu x 1)          lengths
  int* moment_rownnz;         // (nu x 1)          entries of the row
  int* moment_rowadr;         // (nu x 1)          start of the row
  int* moment_colind;         // (nJmom x 1)       dof ids
  mjtNum* actuator_moment;    // (nJmom x 1)       moment arms

  // Position stage: inertia
  mjtNum* crb;                // (nbody x 10)      inertia of composite bodies
  mjtNum* qM;                 // (nM x 1)          inertia matrix, rows of ancestors
  mjtNum* M;                  // (nC x 1)          the same as reduced CSR
  mjtNum* qLD;                // (nC x 1)          factor L' * D * L of M
  mjtNum* qLDiagInv;          // (nv x 1)          1 / D

  // Position stage: bounding volumes and sleep
  mjtByte* bvh_active;        // (nbvh x 1)        nodes that met something
  int* tree_awake;            // (ntree x 1)       1: awake
  int* body_awake;            // (nbody x 1)       mjtSleepState
  int* body_awake_ind;        // (nbody x 1)       bodies awake or static
  int* parent_awake_ind;      // (nbody x 1)       bodies with such a parent
  int* dof_awake_ind;         // (nv x 1)          dofs awake

  // Velocity stage: velocities
  mjtNum* flexedge_velocity;  // (nflexedge x 1)   of edge lengths
  mjtNum* ten_velocity;       // (ntendon x 1)     of tendon lengths
  mjtNum* actuator_velocity;  // (nu x 1)          of actuator lengths
  mjtNum* cvel;               // (nbody x 6)       body: rotation, translation, about com
  mjtNum* cdof_dot;           // (nv x 6)          time derivative of cdof

  // Velocity stage: forces
  mjtNum* qfrc_bias;          // (nv x 1)          Coriolis, centrifugal, gravity
  mjtNum* qfrc_spring;        // (nv x 1)          springs
  mjtNum* qfrc_damper;        // (nv x 1)          dampers
  mjtNum* qfrc_gravcomp;      // (nv x 1)          gravity compensation
  mjtNum* qfrc_fluid;         // (nv x 1)          medium
  mjtNum* qfrc_passive;       // (nv x 1)          sum of the passive forces

  // Velocity stage: momentum, only where a sensor needs it
  mjtNum* subtree_linvel;     // (nbody x 3)       of the center of mass
  mjtNum* subtree_angmom;     // (nbody x 3)       about the center of mass

  // Velocity stage: matrices of implicit integration
  mjtNum* qH;                 // (nC x 1)          factor of the modified inertia
  mjtNum* qHDiagInv;          // (nv x 1)          inverse of its diagonal
  mjtNum* qDeriv;             // (nD x 1)          derivative of forces by velocity
  mjtNum* qLU;                // (nD x 1)          factor of M - dt * qDeriv

  // Acceleration stage: forces and smooth acceleration
  mjtNum* actuator_force;     // (nu x 1)          scalar force
  mjtNum* qfrc_actuator;      // (nv x 1)          sum over actuators
  mjtNum* qfrc_smooth;        // (nv x 1)          all but constraints
  mjtNum* qacc_smooth;        // (nv x 1)          acceleration without constraints

  // Acceleration stage: constraints and inverse dynamics
  mjtNum* qfrc_constraint;    // (nv x 1)          all constraints
  mjtNum* qfrc_inverse;       // (nv x 1)          force that explains qacc

  // Acceleration stage: bodies, only where a sensor needs it
  mjtNum* cacc;               // (nbody x 6)       acceleration with gravity, about com
  mjtNum* cfrc_int;           // (nbody x 6)       between the body and its parent
  mjtNum* cfrc_ext;           // (nbody x 6)       applied and contact forces

  // Arena: contacts
  mjContact* contact;         // (ncon x 1)        all contacts

  // Arena: constraint rows, in the order of mjtConstraint
  int* efc_type;              // (nefc x 1)        mjtConstraint
  int* efc_id;                // (nefc x 1)        equality, dof, joint, tendon or contact
  int* efc_J_rownnz;          // (nefc x 1)        entries of the row
  int* efc_J_rowadr;          // (nefc x 1)        start of the row
  int* efc_J_rowsuper;        // (nefc x 1)        following rows of equal pattern
  int* efc_J_colind;          // (nJ x 1)          dof ids
  mjtNum* efc_J;              // (nJ x 1)          Jacobian, dense or sparse
  mjtNum* efc_pos;            // (nefc x 1)        violation or distance
  mjtNum* efc_margin;         // (nefc x 1)        the row acts below this distance
  mjtNum* efc_frictionloss;   // (nefc x 1)        bound of the force
  mjtNum* efc_diagApprox;     // (nefc x 1)        estimated diagonal of A
  mjtNum* efc_KBIP;           // (nefc x 4)        stiffness, damping, impedance, slope
  mjtNum* efc_D;              // (nefc x 1)        1 / R
  mjtNum* efc_R;              // (nefc x 1)        regularization
  int* tendon_efcadr;         // (ntendon x 1)     first row of the tendon's limit, -1: none

  // Arena: islands of trees and dofs
  int* tree_island;           // (ntree x 1)       island, -1: none
  int* island_ntree;          // (nisland x 1)     trees
  int* island_itreeadr;       // (nisland x 1)     first in map_itree2tree
  int* map_itree2tree;        // (ntree x 1)       trees by island
  int* dof_island;            // (nv x 1)          island, -1: none
  int* island_nv;             // (nisland x 1)     dofs
  int* island_idofadr;        // (nisland x 1)     first idof
  int* island_dofadr;         // (nisland x 1)     first dof
  int* map_dof2idof;          // (nv x 1)          dofs outside come last
  int* map_idof2dof;          // (nv x 1)          inverse of map_dof2idof

  // Arena: dof quantities, reordered by island
  mjtNum* ifrc_smooth;        // (nidof x 1)       qfrc_smooth
  mjtNum* iacc_smooth;        // (nidof x 1)       qacc_smooth
  int* iM_rownnz;             // (nidof x 1)       M_rownnz
  int* iM_rowadr;             // (nidof x 1)       M_rowadr
  int* iM_colind;             // (nC x 1)          M_colind
  mjtNum* iM;                 // (nC x 1)          M
  mjtNum* iLD;                // (nC x 1)          qLD
  mjtNum* iLDiagInv;          // (nidof x 1)       qLDiagInv
  mjtNum* iacc;               // (nidof x 1)       qacc

  // Arena: constraint rows, reordered by island
  int* efc_island;            // (nefc x 1)        island of the row
  int* island_ne;             // (nisland x 1)     equality rows
  int* island_nf;             // (nisland x 1)     friction rows
  int* island_nefc;           // (nisland x 1)     all rows
  int* island_iefcadr;        // (nisland x 1)     first row
  int* map_efc2iefc;          // (nefc x 1)        new place of a row
  int* map_iefc2efc;          // (nefc x 1)        old place of a row
  int* iefc_type;             // (nefc x 1)        efc_type
  int* iefc_id;               // (nefc x 1)        efc_id
  int* iefc_J_rownnz;         // (nefc x 1)        efc_J_rownnz
  int* iefc_J_rowadr;         // (nefc x 1)        efc_J_rowadr
  int* iefc_J_rowsuper;       // (nefc x 1)        efc_J_rowsuper
  int* iefc_J_colind;         // (nJ x 1)          idofs
  mjtNum* iefc_J;             // (nJ x 1)          efc_J
  mjtNum* iefc_frictionloss;  // (nefc x 1)        efc_frictionloss
  mjtNum* iefc_D;             // (nefc x 1)        efc_D
  mjtNum* iefc_R;             // (nefc x 1)        efc_R

  // Arena: matrix of the dual problem
  int* efc_AR_rownnz;         // (nefc x 1)        entries of the row
  int* efc_AR_rowadr;         // (nefc x 1)        start of the row
  int* efc_AR_colind;         // (nA x 1)          rows
  mjtNum* efc_AR;             // (nA x 1)          J * inv(M) * J' + R

  // Arena: reference acceleration and result
  mjtNum* efc_vel;            // (nefc x 1)        velocity in constraint space
  mjtNum* efc_aref;           // (nefc x 1)        reference acceleration
  mjtNum* efc_b;              // (nefc x 1)        J * qacc_smooth - aref
  mjtNum* iefc_aref;          // (nefc x 1)        efc_aref, by island
  int* iefc_state;            // (nefc x 1)        mjtConstraintState, by island
  mjtNum* iefc_force;         // (nefc x 1)        force, by island
  int* efc_state;             // (nefc x 1)        mjtConstraintState
  mjtNum* efc_force;          // (nefc x 1)        force in constraint space
  mjtNum* ifrc_constraint;    // (nidof x 1)       qfrc_constraint, by island

  // Identity
  uintptr_t threadpool;                      // pool of the user; steps do not use it
  uint64_t signature;                        // signature of the model that it was made with
} mjData;

// Callback that reads and changes the state.
typedef void (*mjfGeneric)(const mjModel* m, mjData* d);

// Contact filter: nonzero discards the geom pair.
typedef int (*mjfConFilt)(const mjModel* m, mjData* d, int geom1, int geom2);

// User sensors of one stage (mjtStage).
typedef void (*mjfSensor)(const mjModel* m, mjData* d, int stage);

// Clock of the timers, in any unit.
typedef mjtNum (*mjfTime)(void);

// User actuator id: returns activation derivative, gain or bias.
typedef mjtNum (*mjfAct)(const mjModel* m, const mjData* d, int id);

// Collision of two geoms: writes contacts to con and returns their number.
typedef int (*mjfCollision)(const mjModel* m, const mjData* d, mjContact* con, int g1, int g2,
                            mjtNum margin);

// clang-format on

#endif  // SHEAF_MUJOCO_MJDATA_H_
