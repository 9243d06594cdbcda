// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#ifndef SHEAF_MUJOCO_MJDATA_H_
#define SHEAF_MUJOCO_MJDATA_H_

#include <stddef.h>
#include <stdint.h>
#include <mujoco/mjmodel.h>
#include <mujoco/mjthread.h>
#include <mujoco/mjtnum.h>



typedef enum mjtState_ {
  mjSTATE_TIME         = 1 << 0,
  mjSTATE_QPOS         = 1 << 1,
  mjSTATE_QVEL         = 1 << 2,
  mjSTATE_ACT          = 1 << 3,
  mjSTATE_WARMSTART    = 1 << 4,
  mjSTATE_CTRL         = 1 << 5,
  mjSTATE_QFRC_APPLIED = 1 << 6,
  mjSTATE_XFRC_APPLIED = 1 << 7,
  mjSTATE_EQ_ACTIVE    = 1 << 8,
  mjSTATE_MOCAP_POS    = 1 << 9,
  mjSTATE_MOCAP_QUAT   = 1 << 10,
  mjSTATE_USERDATA     = 1 << 11,
  mjSTATE_PLUGIN       = 1 << 12,
  mjNSTATE             = 13,
  mjSTATE_PHYSICS      = 14,
  mjSTATE_FULLPHYSICS  = 4111,
  mjSTATE_USER         = 4064,
  mjSTATE_INTEGRATION  = 8191,
} mjtState;

typedef enum mjtConstraint_ {
  mjCNSTR_EQUALITY             = 0,
  mjCNSTR_FRICTION_DOF         = 1,
  mjCNSTR_FRICTION_TENDON      = 2,
  mjCNSTR_LIMIT_JOINT          = 3,
  mjCNSTR_LIMIT_TENDON         = 4,
  mjCNSTR_CONTACT_FRICTIONLESS = 5,
  mjCNSTR_CONTACT_PYRAMIDAL    = 6,
  mjCNSTR_CONTACT_ELLIPTIC     = 7,
} mjtConstraint;

typedef enum mjtConstraintState_ {
  mjCNSTRSTATE_SATISFIED = 0,
  mjCNSTRSTATE_QUADRATIC = 1,
  mjCNSTRSTATE_LINEARNEG = 2,
  mjCNSTRSTATE_LINEARPOS = 3,
  mjCNSTRSTATE_CONE      = 4,
} mjtConstraintState;

typedef enum mjtWarning_ {
  mjWARN_INERTIA     = 0,
  mjWARN_CONTACTFULL = 1,
  mjWARN_CNSTRFULL   = 2,
  mjWARN_VGEOMFULL   = 3,
  mjWARN_BADQPOS     = 4,
  mjWARN_BADQVEL     = 5,
  mjWARN_BADQACC     = 6,
  mjWARN_BADCTRL     = 7,
  mjNWARNING         = 8,
} mjtWarning;

typedef enum mjtTimer_ {
  mjTIMER_STEP           = 0,
  mjTIMER_FORWARD        = 1,
  mjTIMER_INVERSE        = 2,
  mjTIMER_POSITION       = 3,
  mjTIMER_VELOCITY       = 4,
  mjTIMER_ACTUATION      = 5,
  mjTIMER_CONSTRAINT     = 6,
  mjTIMER_ADVANCE        = 7,
  mjTIMER_POS_KINEMATICS = 8,
  mjTIMER_POS_INERTIA    = 9,
  mjTIMER_POS_COLLISION  = 10,
  mjTIMER_POS_MAKE       = 11,
  mjTIMER_POS_PROJECT    = 12,
  mjTIMER_COL_BROAD      = 13,
  mjTIMER_COL_NARROW     = 14,
  mjNTIMER               = 15,
} mjtTimer;

typedef enum mjtSleepState_ {
  mjS_STATIC = -1,
  mjS_ASLEEP = 0,
  mjS_AWAKE  = 1,
} mjtSleepState;

typedef struct mjContact_ {
  mjtNum dist;
  mjtNum pos[3];
  mjtNum frame[9];
  mjtNum includemargin;
  mjtNum friction[5];
  mjtNum solref[mjNREF];
  mjtNum solreffriction[mjNREF];
  mjtNum solimp[mjNIMP];
  mjtNum mu;
  mjtNum H[36];
  int dim;
  int geom1;
  int geom2;
  int geom[2];
  int flex[2];
  int elem[2];
  int vert[2];
  int exclude;
  int efc_address;
} mjContact;

typedef struct mjWarningStat_ {
  int lastinfo;
  int number;
} mjWarningStat;

typedef struct mjTimerStat_ {
  mjtNum duration;
  int number;
} mjTimerStat;

typedef struct mjSolverStat_ {
  mjtNum improvement;
  mjtNum gradient;
  mjtNum lineslope;
  int nactive;
  int nchange;
  int neval;
  int nupdate;
} mjSolverStat;

typedef struct mjData_ {
  mjtSize narena;
  mjtSize nbuffer;
  int nplugin;
  size_t pstack;
  size_t pbase;
  size_t parena;
  mjtSize maxuse_stack;
  mjtSize maxuse_threadstack[mjMAXTHREAD];
  mjtSize maxuse_arena;
  int maxuse_con;
  int maxuse_efc;
  mjSolverStat solver[mjNISLAND*mjNSOLVER];
  int solver_niter[mjNISLAND];
  int solver_nnz[mjNISLAND];
  mjtNum solver_fwdinv[2];
  mjWarningStat warning[mjNWARNING];
  mjTimerStat timer[mjNTIMER];
  int ncon;
  int ne;
  int nf;
  int nl;
  int nefc;
  int nJ;
  int nA;
  int nisland;
  int nidof;
  int ntree_awake;
  int nbody_awake;
  int nparent_awake;
  int nv_awake;
  mjtNum time;
  mjtNum energy[2];
  void* buffer;
  void* arena;
  mjtNum* qpos;                         // (nq x 1)
  mjtNum* qvel;                         // (nv x 1)
  mjtNum* act;                          // (na x 1)
  mjtNum* qacc_warmstart;               // (nv x 1)
  mjtNum* plugin_state;                 // (npluginstate x 1)
  mjtNum* ctrl;                         // (nu x 1)
  mjtNum* qfrc_applied;                 // (nv x 1)
  mjtNum* xfrc_applied;                 // (nbody x 6)
  mjtByte* eq_active;                   // (neq x 1)
  mjtNum* mocap_pos;                    // (nmocap x 3)
  mjtNum* mocap_quat;                   // (nmocap x 4)
  mjtNum* qacc;                         // (nv x 1)
  mjtNum* act_dot;                      // (na x 1)
  mjtNum* userdata;                     // (nuserdata x 1)
  mjtNum* sensordata;                   // (nsensordata x 1)
  int* tree_asleep;                     // (ntree x 1)
  int* plugin;                          // (nplugin x 1)
  uintptr_t* plugin_data;               // (nplugin x 1)
  mjtNum* xpos;                         // (nbody x 3)
  mjtNum* xquat;                        // (nbody x 4)
  mjtNum* xmat;                         // (nbody x 9)
  mjtNum* xipos;                        // (nbody x 3)
  mjtNum* ximat;                        // (nbody x 9)
  mjtNum* xanchor;                      // (njnt x 3)
  mjtNum* xaxis;                        // (njnt x 3)
  mjtNum* geom_xpos;                    // (ngeom x 3)
  mjtNum* geom_xmat;                    // (ngeom x 9)
  mjtNum* site_xpos;                    // (nsite x 3)
  mjtNum* site_xmat;                    // (nsite x 9)
  mjtNum* cam_xpos;                     // (ncam x 3)
  mjtNum* cam_xmat;                     // (ncam x 9)
  mjtNum* light_xpos;                   // (nlight x 3)
  mjtNum* light_xdir;                   // (nlight x 3)
  mjtNum* subtree_com;                  // (nbody x 3)
  mjtNum* cdof;                         // (nv x 6)
  mjtNum* cinert;                       // (nbody x 10)
  mjtNum* flexvert_xpos;                // (nflexvert x 3)
  mjtNum* flexelem_aabb;                // (nflexelem x 6)
  int* flexedge_J_rownnz;               // (nflexedge x 1)
  int* flexedge_J_rowadr;               // (nflexedge x 1)
  int* flexedge_J_colind;               // (nflexedge x nv)
  mjtNum* flexedge_J;                   // (nflexedge x nv)
  mjtNum* flexedge_length;              // (nflexedge x 1)
  mjtNum* bvh_aabb_dyn;                 // (nbvhdynamic x 6)
  int* ten_wrapadr;                     // (ntendon x 1)
  int* ten_wrapnum;                     // (ntendon x 1)
  int* ten_J_rownnz;                    // (ntendon x 1)
  int* ten_J_rowadr;                    // (ntendon x 1)
  int* ten_J_colind;                    // (ntendon x nv)
  mjtNum* ten_J;                        // (ntendon x nv)
  mjtNum* ten_length;                   // (ntendon x 1)
  int* wrap_obj;                        // (nwrap x 2)
  mjtNum* wrap_xpos;                    // (nwrap x 6)
  mjtNum* actuator_length;              // (nu x 1)
  int* moment_rownnz;                   // (nu x 1)
  int* moment_rowadr;                   // (nu x 1)
  int* moment_colind;                   // (nJmom x 1)
  mjtNum* actuator_moment;              // (nJmom x 1)
  mjtNum* crb;                          // (nbody x 10)
  mjtNum* qM;                           // (nM x 1)
  mjtNum* M;                            // (nC x 1)
  mjtNum* qLD;                          // (nC x 1)
  mjtNum* qLDiagInv;                    // (nv x 1)
  mjtByte* bvh_active;                  // (nbvh x 1)
  int* tree_awake;                      // (ntree x 1)
  int* body_awake;                      // (nbody x 1)
  int* body_awake_ind;                  // (nbody x 1)
  int* parent_awake_ind;                // (nbody x 1)
  int* dof_awake_ind;                   // (nv x 1)
  mjtNum* flexedge_velocity;            // (nflexedge x 1)
  mjtNum* ten_velocity;                 // (ntendon x 1)
  mjtNum* actuator_velocity;            // (nu x 1)
  mjtNum* cvel;                         // (nbody x 6)
  mjtNum* cdof_dot;                     // (nv x 6)
  mjtNum* qfrc_bias;                    // (nv x 1)
  mjtNum* qfrc_spring;                  // (nv x 1)
  mjtNum* qfrc_damper;                  // (nv x 1)
  mjtNum* qfrc_gravcomp;                // (nv x 1)
  mjtNum* qfrc_fluid;                   // (nv x 1)
  mjtNum* qfrc_passive;                 // (nv x 1)
  mjtNum* subtree_linvel;               // (nbody x 3)
  mjtNum* subtree_angmom;               // (nbody x 3)
  mjtNum* qH;                           // (nC x 1)
  mjtNum* qHDiagInv;                    // (nv x 1)
  mjtNum* qDeriv;                       // (nD x 1)
  mjtNum* qLU;                          // (nD x 1)
  mjtNum* actuator_force;               // (nu x 1)
  mjtNum* qfrc_actuator;                // (nv x 1)
  mjtNum* qfrc_smooth;                  // (nv x 1)
  mjtNum* qacc_smooth;                  // (nv x 1)
  mjtNum* qfrc_constraint;              // (nv x 1)
  mjtNum* qfrc_inverse;                 // (nv x 1)
  mjtNum* cacc;                         // (nbody x 6)
  mjtNum* cfrc_int;                     // (nbody x 6)
  mjtNum* cfrc_ext;                     // (nbody x 6)
  mjContact* contact;                   // (ncon x 1)
  int* efc_type;                        // (nefc x 1)
  int* efc_id;                          // (nefc x 1)
  int* efc_J_rownnz;                    // (nefc x 1)
  int* efc_J_rowadr;                    // (nefc x 1)
  int* efc_J_rowsuper;                  // (nefc x 1)
  int* efc_J_colind;                    // (nJ x 1)
  mjtNum* efc_J;                        // (nJ x 1)
  mjtNum* efc_pos;                      // (nefc x 1)
  mjtNum* efc_margin;                   // (nefc x 1)
  mjtNum* efc_frictionloss;             // (nefc x 1)
  mjtNum* efc_diagApprox;               // (nefc x 1)
  mjtNum* efc_KBIP;                     // (nefc x 4)
  mjtNum* efc_D;                        // (nefc x 1)
  mjtNum* efc_R;                        // (nefc x 1)
  int* tendon_efcadr;                   // (ntendon x 1)
  int* tree_island;                     // (ntree x 1)
  int* island_ntree;                    // (nisland x 1)
  int* island_itreeadr;                 // (nisland x 1)
  int* map_itree2tree;                  // (ntree x 1)
  int* dof_island;                      // (nv x 1)
  int* island_nv;                       // (nisland x 1)
  int* island_idofadr;                  // (nisland x 1)
  int* island_dofadr;                   // (nisland x 1)
  int* map_dof2idof;                    // (nv x 1)
  int* map_idof2dof;                    // (nv x 1)
  mjtNum* ifrc_smooth;                  // (nidof x 1)
  mjtNum* iacc_smooth;                  // (nidof x 1)
  int* iM_rownnz;                       // (nidof x 1)
  int* iM_rowadr;                       // (nidof x 1)
  int* iM_colind;                       // (nC x 1)
  mjtNum* iM;                           // (nC x 1)
  mjtNum* iLD;                          // (nC x 1)
  mjtNum* iLDiagInv;                    // (nidof x 1)
  mjtNum* iacc;                         // (nidof x 1)
  int* efc_island;                      // (nefc x 1)
  int* island_ne;                       // (nisland x 1)
  int* island_nf;                       // (nisland x 1)
  int* island_nefc;                     // (nisland x 1)
  int* island_iefcadr;                  // (nisland x 1)
  int* map_efc2iefc;                    // (nefc x 1)
  int* map_iefc2efc;                    // (nefc x 1)
  int* iefc_type;                       // (nefc x 1)
  int* iefc_id;                         // (nefc x 1)
  int* iefc_J_rownnz;                   // (nefc x 1)
  int* iefc_J_rowadr;                   // (nefc x 1)
  int* iefc_J_rowsuper;                 // (nefc x 1)
  int* iefc_J_colind;                   // (nJ x 1)
  mjtNum* iefc_J;                       // (nJ x 1)
  mjtNum* iefc_frictionloss;            // (nefc x 1)
  mjtNum* iefc_D;                       // (nefc x 1)
  mjtNum* iefc_R;                       // (nefc x 1)
  int* efc_AR_rownnz;                   // (nefc x 1)
  int* efc_AR_rowadr;                   // (nefc x 1)
  int* efc_AR_colind;                   // (nA x 1)
  mjtNum* efc_AR;                       // (nA x 1)
  mjtNum* efc_vel;                      // (nefc x 1)
  mjtNum* efc_aref;                     // (nefc x 1)
  mjtNum* efc_b;                        // (nefc x 1)
  mjtNum* iefc_aref;                    // (nefc x 1)
  int* iefc_state;                      // (nefc x 1)
  mjtNum* iefc_force;                   // (nefc x 1)
  int* efc_state;                       // (nefc x 1)
  mjtNum* efc_force;                    // (nefc x 1)
  mjtNum* ifrc_constraint;              // (nidof x 1)
  uintptr_t threadpool;
  uint64_t signature;
} mjData;

typedef void (*mjfGeneric)(const mjModel* m, mjData* d);

typedef int (*mjfConFilt)(const mjModel* m, mjData* d, int geom1, int geom2);

typedef void (*mjfSensor)(const mjModel* m, mjData* d, int stage);

typedef mjtNum (*mjfTime)(void);

typedef mjtNum (*mjfAct)(const mjModel* m, const mjData* d, int id);

typedef int (*mjfCollision)(const mjModel* m, const mjData* d, mjContact* con, int g1, int g2, mjtNum margin);

#endif  // SHEAF_MUJOCO_MJDATA_H_
