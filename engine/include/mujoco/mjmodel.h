// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#ifndef SHEAF_MUJOCO_MJMODEL_H_
#define SHEAF_MUJOCO_MJMODEL_H_

// This file is formatted by hand, because the tables below align their columns.
// clang-format off

#include <stddef.h>
#include <stdint.h>
#include <mujoco/mjtnum.h>

// Numbers that the computation relies on, and fixed sizes.
#define mjPI             3.14159265358979323846
#define mjMAXVAL         1E+10      // larger numbers count as bad
#define mjMAXUINAME      40         // letters of a name in user interfaces; programs size buffers by it
#define mjMINMU          1E-5       // least friction coefficient of a contact
#define mjMINIMP         0.0001     // least impedance
#define mjMAXIMP         0.9999     // largest impedance
#define mjMAXCONPAIR     50         // most contacts of one geom pair
#define mjMAXTREEDEPTH   50         // depth of bounding volume trees
#define mjMAXFLEXNODES   27         // nodes of an interpolated flex
#define mjMINAWAKE       10         // steps for which a tree must be slow before it may fall asleep
#define mjNEQDATA        11         // numbers per equality constraint
#define mjNDYN           10         // parameters of actuator dynamics
#define mjNGAIN          10         // parameters of actuator gains
#define mjNBIAS          10         // parameters of actuator biases
#define mjNFLUID         12         // parameters of the fluid interaction of a geom
#define mjNREF           2          // numbers in solref
#define mjNGROUP         6          // groups of geoms, sites, ..., that viewers show or hide
#define mjNIMP           5          // numbers in solimp
#define mjNSENS          3          // integers per sensor
#define mjNSOLVER        200        // iterations with statistics
#define mjNISLAND        20         // islands with statistics

// Parts of the computation that a bit of mjOption.disableflags switches off.
typedef enum mjtDisableBit_ {
  mjDSBL_CONSTRAINT   = 1 << 0,   // the whole constraint solver
  mjDSBL_EQUALITY     = 1 << 1,   // equality constraints
  mjDSBL_FRICTIONLOSS = 1 << 2,   // dry friction of joints and tendons
  mjDSBL_LIMIT        = 1 << 3,   // joint and tendon limits
  mjDSBL_CONTACT      = 1 << 4,   // collision detection and contact constraints
  mjDSBL_SPRING       = 1 << 5,   // passive springs
  mjDSBL_DAMPER       = 1 << 6,   // passive dampers
  mjDSBL_GRAVITY      = 1 << 7,   // gravity, and with it gravity compensation
  mjDSBL_CLAMPCTRL    = 1 << 8,   // clamping of controls to their range
  mjDSBL_WARMSTART    = 1 << 9,   // start of the solver from the previous solution
  mjDSBL_FILTERPARENT = 1 << 10,  // removal of contacts between parent and child
  mjDSBL_ACTUATION    = 1 << 11,  // actuator forces and activation dynamics
  mjDSBL_REFSAFE      = 1 << 12,  // lower bound of 2 timesteps on solref[0]
  mjDSBL_SENSOR       = 1 << 13,  // sensors
  mjDSBL_MIDPHASE     = 1 << 14,  // bounding volume trees within a body pair
  mjDSBL_EULERDAMP    = 1 << 15,  // implicit joint damping of the Euler integrator
  mjDSBL_AUTORESET    = 1 << 16,  // reset of the state when it is no longer finite
  mjDSBL_NATIVECCD    = 1 << 17,  // native convex collision; without it: MPR
  mjDSBL_ISLAND       = 1 << 18,  // split of the constraints into islands
  mjNDISABLE          = 19,       // number of bits
} mjtDisableBit;

// Optional parts that a bit of mjOption.enableflags switches on.
typedef enum mjtEnableBit_ {
  mjENBL_OVERRIDE    = 1 << 0,  // contact parameters come from mjOption.o_*
  mjENBL_ENERGY      = 1 << 1,  // potential and kinetic energy
  mjENBL_FWDINV      = 1 << 2,  // comparison of forward and inverse dynamics
  mjENBL_INVDISCRETE = 1 << 3,  // inverse dynamics of the discrete time step
  mjENBL_MULTICCD    = 1 << 4,  // several contacts per convex pair
  mjENBL_SLEEP       = 1 << 5,  // trees at rest leave the computation
  mjNENABLE          = 6,       // number of bits
} mjtEnableBit;

// Joint types, with their sizes in qpos and qvel.
typedef enum mjtJoint_ {
  mjJNT_FREE  = 0,  // 7 and 6: position and quaternion
  mjJNT_BALL  = 1,  // 4 and 3: quaternion relative to the parent
  mjJNT_SLIDE = 2,  // 1 and 1: distance along the axis
  mjJNT_HINGE = 3,  // 1 and 1: angle around the axis
} mjtJoint;

// Shapes; those below mjNGEOMTYPES can collide, in this order of precedence.
typedef enum mjtGeom_ {
  mjGEOM_PLANE     = 0,     // infinite, normal along z
  mjGEOM_HFIELD    = 1,     // grid of heights above a base
  mjGEOM_SPHERE    = 2,     // radius
  mjGEOM_CAPSULE   = 3,     // radius and half length, along z
  mjGEOM_ELLIPSOID = 4,     // three half axes
  mjGEOM_CYLINDER  = 5,     // radius and half length, along z
  mjGEOM_BOX       = 6,     // three half sizes
  mjGEOM_MESH      = 7,     // convex hull of a triangle mesh
  mjGEOM_SDF       = 8,     // signed distance function
  mjNGEOMTYPES     = 9,     // number of shapes that collide
  mjGEOM_ARROW     = 100,   // here and below, shapes of pictures only
  mjGEOM_ARROW1    = 101,
  mjGEOM_ARROW2    = 102,
  mjGEOM_LINE      = 103,
  mjGEOM_LINEBOX   = 104,
  mjGEOM_FLEX      = 105,   // a deformable object
  mjGEOM_SKIN      = 106,
  mjGEOM_LABEL     = 107,
  mjGEOM_TRIANGLE  = 108,
  mjGEOM_NONE      = 1001,  // no shape given
} mjtGeom;

// How a camera or a light moves with its body.
typedef enum mjtCamLight_ {
  mjCAMLIGHT_FIXED         = 0,  // pose fixed in the body
  mjCAMLIGHT_TRACK         = 1,  // position follows the body, orientation is kept
  mjCAMLIGHT_TRACKCOM      = 2,  // position follows the center of mass of the subtree
  mjCAMLIGHT_TARGETBODY    = 3,  // fixed position, turned to the target body
  mjCAMLIGHT_TARGETBODYCOM = 4,  // fixed position, turned to the target's subtree
} mjtCamLight;

// Kinds of light; none has an effect on the physics.
typedef enum mjtLightType_ {
  mjLIGHT_SPOT        = 0,
  mjLIGHT_DIRECTIONAL = 1,
  mjLIGHT_POINT       = 2,
  mjLIGHT_IMAGE       = 3,
} mjtLightType;

// Kinds of texture.
typedef enum mjtTexture_ {
  mjTEXTURE_2D     = 0,
  mjTEXTURE_CUBE   = 1,
  mjTEXTURE_SKYBOX = 2,
} mjtTexture;

// Roles of a texture in a material.
typedef enum mjtTextureRole_ {
  mjTEXROLE_USER      = 0,
  mjTEXROLE_RGB       = 1,
  mjTEXROLE_OCCLUSION = 2,
  mjTEXROLE_ROUGHNESS = 3,
  mjTEXROLE_METALLIC  = 4,
  mjTEXROLE_NORMAL    = 5,
  mjTEXROLE_OPACITY   = 6,
  mjTEXROLE_EMISSIVE  = 7,
  mjTEXROLE_RGBA      = 8,
  mjTEXROLE_ORM       = 9,
  mjNTEXROLE          = 10,  // number of roles
} mjtTextureRole;

// How the values of an image are encoded.
typedef enum mjtColorSpace_ {
  mjCOLORSPACE_AUTO   = 0,
  mjCOLORSPACE_LINEAR = 1,
  mjCOLORSPACE_SRGB   = 2,
} mjtColorSpace;

// Numerical integrators of mj_step.
typedef enum mjtIntegrator_ {
  mjINT_EULER        = 0,  // semi-implicit, joint damping taken implicitly
  mjINT_RK4          = 1,  // Runge-Kutta of order 4
  mjINT_IMPLICIT     = 2,  // implicit in velocity, all derivatives
  mjINT_IMPLICITFAST = 3,  // implicit in velocity, symmetric derivatives only
} mjtIntegrator;

// Friction cone models.
typedef enum mjtCone_ {
  mjCONE_PYRAMIDAL = 0,  // 2*(dim-1) nonnegative edges per contact
  mjCONE_ELLIPTIC  = 1,  // dim rows per contact, quadratic cone
} mjtCone;

// How the constraint Jacobian is stored.
typedef enum mjtJacobian_ {
  mjJAC_DENSE  = 0,
  mjJAC_SPARSE = 1,
  mjJAC_AUTO   = 2,  // sparse for models of at least 60 dofs
} mjtJacobian;

// Algorithms of the constraint solver.
typedef enum mjtSolver_ {
  mjSOL_PGS    = 0,  // projected Gauss-Seidel on the dual problem
  mjSOL_CG     = 1,  // nonlinear conjugate gradients on the primal problem
  mjSOL_NEWTON = 2,  // Newton's method on the primal problem
} mjtSolver;

// Equality constraint types.
typedef enum mjtEq_ {
  mjEQ_CONNECT  = 0,  // two points coincide (ball joint)
  mjEQ_WELD     = 1,  // two poses coincide
  mjEQ_JOINT    = 2,  // polynomial relation of two scalar joints
  mjEQ_TENDON   = 3,  // polynomial relation of two tendon lengths
  mjEQ_FLEX     = 4,  // edges of a flex keep their length
  mjEQ_DISTANCE = 5,  // no longer offered
} mjtEq;

// Parts of a tendon path.
typedef enum mjtWrap_ {
  mjWRAP_NONE     = 0,  // no part given
  mjWRAP_JOINT    = 1,  // term of a fixed tendon
  mjWRAP_PULLEY   = 2,  // divides the length of what follows
  mjWRAP_SITE     = 3,  // the path passes through a site
  mjWRAP_SPHERE   = 4,  // the path wraps around a sphere geom
  mjWRAP_CYLINDER = 5,  // the path wraps around a cylinder geom
} mjtWrap;

// What an actuator acts on.
typedef enum mjtTrn_ {
  mjTRN_JOINT         = 0,     // joint, in the child frame
  mjTRN_JOINTINPARENT = 1,     // joint, in the parent frame
  mjTRN_SLIDERCRANK   = 2,     // slider-crank linkage of two sites
  mjTRN_TENDON        = 3,     // tendon
  mjTRN_SITE          = 4,     // wrench at a site, optionally relative to another
  mjTRN_BODY          = 5,     // adhesion at the contacts of a body
  mjTRN_UNDEFINED     = 1000,  // no transmission given
} mjtTrn;

// Activation dynamics of an actuator.
typedef enum mjtDyn_ {
  mjDYN_NONE        = 0,  // no activation, the control acts directly
  mjDYN_INTEGRATOR  = 1,  // act_dot = ctrl
  mjDYN_FILTER      = 2,  // act_dot = (ctrl - act) / tau, Euler step
  mjDYN_FILTEREXACT = 3,  // the same, integrated exactly
  mjDYN_MUSCLE      = 4,  // muscle with two time constants
  mjDYN_USER        = 5,  // mjcb_act_dyn
} mjtDyn;

// Gain of an actuator: force = gain * input + bias.
typedef enum mjtGain_ {
  mjGAIN_FIXED  = 0,  // prm[0]
  mjGAIN_AFFINE = 1,  // prm[0] + prm[1] * length + prm[2] * velocity
  mjGAIN_MUSCLE = 2,  // force-length-velocity curve of a muscle
  mjGAIN_USER   = 3,  // mjcb_act_gain
} mjtGain;

// Bias of an actuator.
typedef enum mjtBias_ {
  mjBIAS_NONE   = 0,  // zero
  mjBIAS_AFFINE = 1,  // prm[0] + prm[1] * length + prm[2] * velocity
  mjBIAS_MUSCLE = 2,  // passive force of a muscle
  mjBIAS_USER   = 3,  // mjcb_act_bias
} mjtBias;

// Object types, for names and for references by type and id.
typedef enum mjtObj_ {
  mjOBJ_UNKNOWN  = 0,
  mjOBJ_BODY     = 1,    // body, at its inertial frame
  mjOBJ_XBODY    = 2,    // body, at its coordinate frame
  mjOBJ_JOINT    = 3,
  mjOBJ_DOF      = 4,
  mjOBJ_GEOM     = 5,
  mjOBJ_SITE     = 6,
  mjOBJ_CAMERA   = 7,
  mjOBJ_LIGHT    = 8,
  mjOBJ_FLEX     = 9,
  mjOBJ_MESH     = 10,
  mjOBJ_SKIN     = 11,
  mjOBJ_HFIELD   = 12,
  mjOBJ_TEXTURE  = 13,
  mjOBJ_MATERIAL = 14,
  mjOBJ_PAIR     = 15,
  mjOBJ_EXCLUDE  = 16,
  mjOBJ_EQUALITY = 17,
  mjOBJ_TENDON   = 18,
  mjOBJ_ACTUATOR = 19,
  mjOBJ_SENSOR   = 20,
  mjOBJ_NUMERIC  = 21,
  mjOBJ_TEXT     = 22,
  mjOBJ_TUPLE    = 23,
  mjOBJ_KEY      = 24,
  mjOBJ_PLUGIN   = 25,
  mjNOBJECT      = 26,   // number of types that the compiled model holds
  mjOBJ_FRAME    = 100,  // here and below, elements of a specification only
  mjOBJ_DEFAULT  = 101,
  mjOBJ_MODEL    = 102,
} mjtObj;

// Sensor types; the dimension follows each.
typedef enum mjtSensor_ {
  mjSENS_TOUCH          = 0,   // 1, sum of normal forces inside a site
  mjSENS_ACCELEROMETER  = 1,   // 3, in the site frame, with gravity
  mjSENS_VELOCIMETER    = 2,   // 3, linear velocity in the site frame
  mjSENS_GYRO           = 3,   // 3, angular velocity in the site frame
  mjSENS_FORCE          = 4,   // 3, between the site's body and its parent, in the site frame
  mjSENS_TORQUE         = 5,   // 3, between the site's body and its parent, in the site frame
  mjSENS_MAGNETOMETER   = 6,   // 3, magnetic field in the site frame
  mjSENS_RANGEFINDER    = 7,   // 1, distance along z of the site, or -1
  mjSENS_CAMPROJECTION  = 8,   // 2, pixel of a site in a camera image
  mjSENS_JOINTPOS       = 9,   // 1, scalar joint
  mjSENS_JOINTVEL       = 10,  // 1, scalar joint
  mjSENS_TENDONPOS      = 11,  // 1, length
  mjSENS_TENDONVEL      = 12,  // 1
  mjSENS_ACTUATORPOS    = 13,  // 1, length
  mjSENS_ACTUATORVEL    = 14,  // 1
  mjSENS_ACTUATORFRC    = 15,  // 1
  mjSENS_JOINTACTFRC    = 16,  // 1, sum of actuator forces at a joint
  mjSENS_TENDONACTFRC   = 17,  // 1, sum of actuator forces at a tendon
  mjSENS_BALLQUAT       = 18,  // 4
  mjSENS_BALLANGVEL     = 19,  // 3
  mjSENS_JOINTLIMITPOS  = 20,  // 1, distance to the limit less margin
  mjSENS_JOINTLIMITVEL  = 21,  // 1
  mjSENS_JOINTLIMITFRC  = 22,  // 1
  mjSENS_TENDONLIMITPOS = 23,  // 1, distance to the limit less margin
  mjSENS_TENDONLIMITVEL = 24,  // 1
  mjSENS_TENDONLIMITFRC = 25,  // 1
  mjSENS_FRAMEPOS       = 26,  // 3; frame sensors may have a reference frame
  mjSENS_FRAMEQUAT      = 27,  // 4
  mjSENS_FRAMEXAXIS     = 28,  // 3
  mjSENS_FRAMEYAXIS     = 29,  // 3
  mjSENS_FRAMEZAXIS     = 30,  // 3
  mjSENS_FRAMELINVEL    = 31,  // 3
  mjSENS_FRAMEANGVEL    = 32,  // 3
  mjSENS_FRAMELINACC    = 33,  // 3
  mjSENS_FRAMEANGACC    = 34,  // 3
  mjSENS_SUBTREECOM     = 35,  // 3
  mjSENS_SUBTREELINVEL  = 36,  // 3
  mjSENS_SUBTREEANGMOM  = 37,  // 3
  mjSENS_INSIDESITE     = 38,  // 1, whether an object is inside a site
  mjSENS_GEOMDIST       = 39,  // 1, smallest signed distance
  mjSENS_GEOMNORMAL     = 40,  // 3, direction of the smallest distance
  mjSENS_GEOMFROMTO     = 41,  // 6, end points of the smallest distance
  mjSENS_CONTACT        = 42,  // fields of mjtConDataField for chosen contacts
  mjSENS_E_POTENTIAL    = 43,  // 1
  mjSENS_E_KINETIC      = 44,  // 1
  mjSENS_CLOCK          = 45,  // 1, simulation time
  mjSENS_TACTILE        = 46,  // three values per vertex of a mesh
  mjSENS_PLUGIN         = 47,  // as the plugin says
  mjSENS_USER           = 48,  // as declared, written by mjcb_sensor
} mjtSensor;

// Stages of the computation: the last one whose results are kept (mj_forwardSkip), or the one that a sensor needs.
typedef enum mjtStage_ {
  mjSTAGE_NONE = 0,
  mjSTAGE_POS  = 1,  // all that follows from qpos
  mjSTAGE_VEL  = 2,  // all that follows from qpos and qvel
  mjSTAGE_ACC  = 3,  // accelerations and forces
} mjtStage;

// Kinds of values that a sensor returns; the kind decides how the cutoff clamps them.
typedef enum mjtDataType_ {
  mjDATATYPE_REAL       = 0,  // clamped to [-cutoff, cutoff]
  mjDATATYPE_POSITIVE   = 1,  // clamped to [0, cutoff]
  mjDATATYPE_AXIS       = 2,  // unit vector, never clamped
  mjDATATYPE_QUATERNION = 3,  // unit quaternion, never clamped
} mjtDataType;

// Fields that a contact sensor can report, in output order.
typedef enum mjtConDataField_ {
  mjCONDATA_FOUND   = 0,  // 1, number of contacts that match
  mjCONDATA_FORCE   = 1,  // 3, in the contact frame
  mjCONDATA_TORQUE  = 2,  // 3, in the contact frame
  mjCONDATA_DIST    = 3,  // 1
  mjCONDATA_POS     = 4,  // 3, global
  mjCONDATA_NORMAL  = 5,  // 3, global
  mjCONDATA_TANGENT = 6,  // 3, global
  mjNCONDATA        = 7,  // number of fields
} mjtConDataField;

// Whether the frame of an element coincides with a frame of its body, which kinematics can then copy.
typedef enum mjtSameFrame_ {
  mjSAMEFRAME_NONE       = 0,
  mjSAMEFRAME_BODY       = 1,  // pose of the body frame
  mjSAMEFRAME_INERTIA    = 2,  // pose of the inertial frame
  mjSAMEFRAME_BODYROT    = 3,  // orientation of the body frame
  mjSAMEFRAME_INERTIAROT = 4,  // orientation of the inertial frame
} mjtSameFrame;

// Whether a kinematic tree may go to sleep.
typedef enum mjtSleepPolicy_ {
  mjSLEEP_AUTO         = 0,  // the compiler decides
  mjSLEEP_AUTO_NEVER   = 1,  // the compiler decided: never
  mjSLEEP_AUTO_ALLOWED = 2,  // the compiler decided: allowed
  mjSLEEP_NEVER        = 3,  // the user decided: never
  mjSLEEP_ALLOWED      = 4,  // the user decided: allowed
  mjSLEEP_INIT         = 5,  // asleep from the start
} mjtSleepPolicy;

// Actuators whose length range the compiler finds.
typedef enum mjtLRMode_ {
  mjLRMODE_NONE       = 0,
  mjLRMODE_MUSCLE     = 1,  // muscle gain or bias
  mjLRMODE_MUSCLEUSER = 2,  // muscle or user gain or bias
  mjLRMODE_ALL        = 3,
} mjtLRMode;

// Broad phase of the self collisions of a flex.
typedef enum mjtFlexSelf_ {
  mjFLEXSELF_NONE   = 0,
  mjFLEXSELF_NARROW = 1,
  mjFLEXSELF_BVH    = 2,
  mjFLEXSELF_SAP    = 3,
  mjFLEXSELF_AUTO   = 4,
} mjtFlexSelf;

// How several signed distance functions become one.
typedef enum mjtSDFType_ {
  mjSDFTYPE_SINGLE       = 0,  // the function of one geom
  mjSDFTYPE_INTERSECTION = 1,  // max(A, B)
  mjSDFTYPE_MIDSURFACE   = 2,  // A - B
  mjSDFTYPE_COLLISION    = 3,  // A + B + abs(max(A, B))
} mjtSDFType;

// How mj_setLengthRange finds the length range of an actuator.
typedef struct mjLROpt_ {
  int mode;          // which actuators (mjtLRMode)
  int useexisting;   // keep a range that is already set
  int uselimit;      // take the limits of the joint or tendon where there are any
  mjtNum accel;      // target acceleration of the pulling force
  mjtNum maxforce;   // bound of that force, 0: none
  mjtNum timeconst;  // velocity decay (s)
  mjtNum timestep;   // step of the internal simulation (s), 0: that of the model
  mjtNum inttotal;   // simulated time (s)
  mjtNum interval;   // part of it, at the end, in which the length is sampled (s)
  mjtNum tolrange;   // largest variation in that part, relative to the range
} mjLROpt;

// Opaque cache of loaded assets.
typedef struct mjCache_ {
  void* impl_;
} mjCache;

// Opaque set of files held in memory; made by mj_defaultVFS, freed by mj_deleteVFS.
typedef struct mjVFS_ {
  void* impl_;
} mjVFS;

// Options of the physics; may be changed between any two steps.
typedef struct mjOption_ {
  // Steps and tolerances
  mjtNum timestep;          // (s)
  mjtNum impratio;          // friction-to-normal impedance ratio of elliptic cones
  mjtNum tolerance;         // the solver stops below this scaled improvement or gradient
  mjtNum ls_tolerance;      // tolerance of the solver's line search, relative to its own
  mjtNum noslip_tolerance;  // the noslip pass stops below this scaled improvement
  mjtNum ccd_tolerance;     // tolerance of convex collision (m)
  mjtNum sleep_tolerance;   // velocity below which a tree can fall asleep (m/s)

  // Surroundings
  mjtNum gravity[3];        // (m/s^2)
  mjtNum wind[3];           // velocity of the medium (m/s)
  mjtNum magnetic[3];       // global magnetic field
  mjtNum density;           // of the medium (kg/m^3)
  mjtNum viscosity;         // of the medium (Pa s)

  // Contact parameters for all pairs, with mjENBL_OVERRIDE
  mjtNum o_margin;          // detection distance
  mjtNum o_solref[mjNREF];  // stiffness and damping
  mjtNum o_solimp[mjNIMP];  // impedance
  mjtNum o_friction[5];     // two tangential, torsional, two rolling

  // Choices and limits
  int integrator;           // mjtIntegrator
  int cone;                 // mjtCone
  int jacobian;             // mjtJacobian
  int solver;               // mjtSolver
  int iterations;           // most solver iterations
  int ls_iterations;        // most line search iterations per solver iteration
  int noslip_iterations;    // most noslip iterations, 0: no such pass
  int ccd_iterations;       // most iterations of convex collision
  int disableflags;         // bits of mjtDisableBit
  int enableflags;          // bits of mjtEnableBit
  int disableactuator;      // bit i switches actuator group i off
  int sdf_initpoints;       // starting points of signed distance collisions
  int sdf_iterations;       // gradient steps from each of them
} mjOption;

// Appearance; kept for the models that carry it, without effect on the physics.
typedef struct mjVisual_ {
  struct {
    int cameraid;          // initial camera, -1: free
    int orthographic;      // nonzero: the free camera projects without perspective
    float fovy;            // vertical field of view (deg, or length if orthographic)
    float ipd;             // distance of the eyes of the free camera
    float azimuth;         // initial direction of the free camera (deg)
    float elevation;       // initial elevation of the free camera (deg)
    float linewidth;       // lines of wireframes, in pixels
    float glow;            // emission of a selected body
    float realtime;        // ratio of simulated to real time that a viewer should keep
    int offwidth;          // width of the offscreen buffer, in pixels
    int offheight;         // height of the offscreen buffer, in pixels
    int ellipsoidinertia;  // show inertia as ellipsoids, not boxes
    int bvactive;          // show active bounding volumes
  } global;
  struct {
    int shadowsize;        // size of the shadow map, in pixels
    int offsamples;        // samples per pixel of the offscreen buffer
    int numslices;         // parts of a generated mesh around its axis
    int numstacks;         // parts of a generated mesh along its axis
    int numquads;          // rectangles along each side of a drawn plane
  } quality;
  struct {
    float ambient[3];      // color
    float diffuse[3];      // color
    float specular[3];     // color
    int active;            // switched on
  } headlight;
  struct {
    float stiffness;       // stiffness of the mouse spring, translation
    float stiffnessrot;    // stiffness of the mouse spring, rotation
    float force;           // length of a force arrow per newton
    float torque;          // length of a torque arrow per newton metre
    float alpha;           // opacity of transparent geoms
    float fogstart;        // distance at which fog begins; here to zfar in units of stat.extent
    float fogend;          // distance at which fog hides everything
    float znear;           // near plane of the camera
    float zfar;            // far plane of the camera
    float haze;            // width of the haze, as a part of the distance
    float shadowclip;      // size of the shadow map of directional lights, in units of stat.extent
    float shadowscale;     // size of the shadow map of spot lights, as a part of the cutoff
    float actuatortendon;  // width of an actuated tendon, relative to its own
  } map;
  struct {
    float forcewidth;      // here to slidercrank in units of stat.meansize: arrows of forces
    float contactwidth;    // disc at a contact point, radius
    float contactheight;   // disc at a contact point, height
    float connect;         // line from a body to its joints
    float com;             // sphere at a center of mass
    float camera;          // camera
    float light;           // light
    float selectpoint;     // sphere at a selected point
    float jointlength;     // arrow along a joint axis
    float jointwidth;      // arrow along a joint axis
    float actuatorlength;  // arrow of an actuator at a joint
    float actuatorwidth;   // arrow of an actuator at a joint
    float framelength;     // axes of a frame
    float framewidth;      // axes of a frame
    float constraint;      // line of a violated equality
    float slidercrank;     // rod of a slider-crank
    float frustum;         // distance of the frustum plane of a camera
  } scale;
  struct {
    float fog[4];               // fog
    float haze[4];              // transition between horizon and sky
    float force[4];             // arrow of a mouse force
    float inertia[4];           // box or ellipsoid of inertia
    float joint[4];             // joint
    float actuator[4];          // actuator without control
    float actuatornegative[4];  // actuator at its most negative control
    float actuatorpositive[4];  // actuator at its largest control
    float com[4];               // center of mass
    float camera[4];            // camera
    float light[4];             // light
    float selectpoint[4];       // selected point
    float connect[4];           // line from a body to its joints
    float contactpoint[4];      // contact point
    float contactforce[4];      // contact force
    float contactfriction[4];   // friction part of a contact force
    float contacttorque[4];     // contact torque
    float contactgap[4];        // contact in the gap, without force
    float rangefinder[4];       // ray of a range finder
    float constraint[4];        // violated equality
    float slidercrank[4];       // rod of a slider-crank
    float crankbroken[4];       // rod that is too short to reach
    float frustum[4];           // frustum of a camera
    float bv[4];                // bounding volume
    float bvactive[4];          // bounding volume that met something
  } rgba;
} mjVisual;

// Typical magnitudes of a model, found by the compiler or given by the user.
typedef struct mjStatistic_ {
  mjtNum meaninertia;  // mean diagonal of the inertia matrix at qpos0; scales the solver tolerance
  mjtNum meanmass;     // mean body mass
  mjtNum meansize;     // mean body size
  mjtNum extent;       // size of the model
  mjtNum center[3];    // center of the model
} mjStatistic;

// A compiled model: sizes, options and arrays in one buffer; constant during simulation.
typedef struct mjModel_ {
  // Sizes of the generalized coordinates
  int nq;              // positions
  int nv;              // velocities, degrees of freedom
  int nu;              // controls, actuators
  int na;              // activations

  // Bodies and what is attached to them
  int nbody;           // bodies, the world included
  int nbvh;            // nodes of bounding volume trees
  int nbvhstatic;      // nodes that never change: those of bodies and meshes
  int nbvhdynamic;     // nodes that each step fits again: those of flexes
  int noct;            // nodes of octrees
  int njnt;            // joints
  int ntree;           // kinematic trees
  int nM;              // nonzeros of the inertia matrix, lower triangle by rows
  int nB;              // nonzeros of the body-dof matrix
  int nC;              // nonzeros of the reduced inertia matrix
  int nD;              // nonzeros of the dof-dof matrix, both triangles
  int ngeom;
  int nsite;
  int ncam;
  int nlight;

  // Deformable objects
  int nflex;           // flexes
  int nflexnode;       // control nodes
  int nflexvert;       // vertices
  int nflexedge;       // edges
  int nflexelem;       // elements: segments, triangles or tetrahedra
  int nflexelemdata;   // vertex ids of all elements
  int nflexelemedge;   // edge ids of all elements
  int nflexshelldata;  // vertex ids of all shell fragments
  int nflexevpair;     // element-vertex pairs to test
  int nflextexcoord;   // vertices with texture coordinates

  // Assets
  int nmesh;           // meshes
  int nmeshvert;       // vertices of all meshes
  int nmeshnormal;     // normals
  int nmeshtexcoord;   // texture coordinates
  int nmeshface;       // triangles
  int nmeshgraph;      // integers of convex hull graphs
  int nmeshpoly;       // polygons of convex hulls
  int nmeshpolyvert;   // vertex ids of these polygons
  int nmeshpolymap;    // polygon ids around each vertex
  int nskin;           // skins
  int nskinvert;       // vertices of all skins
  int nskintexvert;    // vertices with texture coordinates
  int nskinface;       // triangles
  int nskinbone;       // bones
  int nskinbonevert;   // vertex ids of all bones
  int nhfield;         // height fields
  int nhfielddata;     // heights of all of them
  int ntex;            // textures
  int ntexdata;        // bytes of all of them
  int nmat;            // materials

  // Other elements
  int npair;           // explicit geom pairs
  int nexclude;        // excluded body pairs
  int neq;             // equality constraints
  int ntendon;         // tendons
  int nwrap;           // parts of all tendon paths
  int nsensor;         // sensors
  int nnumeric;        // numeric fields
  int nnumericdata;    // values of all of them
  int ntext;           // text fields
  int ntextdata;       // characters of all of them, with terminating zeros
  int ntuple;          // tuples
  int ntupledata;      // objects of all of them
  int nkey;            // keyframes
  int nmocap;          // mocap bodies
  int nplugin;         // plugin instances
  int npluginattr;     // characters of the attributes of all instances

  // User values per element
  int nuser_body;      // here to nuser_sensor: user values of each element of the kind
  int nuser_jnt;
  int nuser_geom;
  int nuser_site;
  int nuser_cam;
  int nuser_tendon;
  int nuser_actuator;
  int nuser_sensor;

  // Names
  int nnames;          // characters of all names, with terminating zeros
  int npaths;          // characters of all asset paths, with terminating zeros
  int nnames_map;      // slots of the hash tables from names to ids

  // Sizes that the computation needs
  int nJmom;           // nonzeros of the actuator moment matrix
  int ngravcomp;       // bodies with gravity compensation
  int nemax;           // rows of equality constraints, at most
  int njmax;           // old limit of constraint rows, -1: none
  int nconmax;         // old limit of contacts, -1: none
  int nuserdata;       // user values in mjData
  int nsensordata;     // values of all sensors
  int npluginstate;    // values of all plugin states
  mjtSize narena;      // bytes of the arena of mjData, with the stack
  mjtSize nbuffer;     // bytes of the buffer below

  // Options and statistics
  mjOption opt;        // physics
  mjVisual vis;        // appearance
  mjStatistic stat;    // typical magnitudes

  // Buffer
  void* buffer;        // one block; every array below points into it

  // Default positions
  mjtNum* qpos0;                   // (nq x 1)          reference pose, where joints are zero
  mjtNum* qpos_spring;             // (nq x 1)          pose in which joint springs rest

  // Bodies
  int* body_parentid;              // (nbody x 1)       id of the parent
  int* body_rootid;                // (nbody x 1)       ancestor that is a child of the world
  int* body_weldid;                // (nbody x 1)       topmost of the bodies welded together with this one
  int* body_mocapid;               // (nbody x 1)       mocap id, -1: none
  int* body_jntnum;                // (nbody x 1)       joints of the body
  int* body_jntadr;                // (nbody x 1)       first of them, -1: none
  int* body_dofnum;                // (nbody x 1)       dofs of the body
  int* body_dofadr;                // (nbody x 1)       first of them, -1: none
  int* body_treeid;                // (nbody x 1)       tree, -1: static
  int* body_geomnum;               // (nbody x 1)       geoms of the body
  int* body_geomadr;               // (nbody x 1)       first of them, -1: none
  mjtByte* body_simple;            // (nbody x 1)       1: diagonal inertia; 2: sliders only
  mjtByte* body_sameframe;         // (nbody x 1)       mjtSameFrame of the inertia
  mjtNum* body_pos;                // (nbody x 3)       in the parent frame
  mjtNum* body_quat;               // (nbody x 4)       in the parent frame
  mjtNum* body_ipos;               // (nbody x 3)       center of mass in the body frame
  mjtNum* body_iquat;              // (nbody x 4)       principal axes in the body frame
  mjtNum* body_mass;               // (nbody x 1)       (kg)
  mjtNum* body_subtreemass;        // (nbody x 1)       of the body and its descendants
  mjtNum* body_inertia;            // (nbody x 3)       about the principal axes (kg m^2)
  mjtNum* body_invweight0;         // (nbody x 2)       mean inverse inertia at qpos0: pos, rot
  mjtNum* body_gravcomp;           // (nbody x 1)       antigravity force, in units of weight
  mjtNum* body_margin;             // (nbody x 1)       largest margin of its geoms
  mjtNum* body_user;               // (nbody x nuser_body) user values
  int* body_plugin;                // (nbody x 1)       plugin instance, -1: none
  int* body_contype;               // (nbody x 1)       bitwise or over its geoms
  int* body_conaffinity;           // (nbody x 1)       bitwise or over its geoms
  int* body_bvhadr;                // (nbody x 1)       root of its tree, -1: none
  int* body_bvhnum;                // (nbody x 1)       nodes of its tree

  // Bounding volume trees
  int* bvh_depth;                  // (nbvh x 1)        level in the tree
  int* bvh_child;                  // (nbvh x 2)        left and right, -1: none
  int* bvh_nodeid;                 // (nbvh x 1)        geom, face or element of a leaf, or -1
  mjtNum* bvh_aabb;                // (nbvhstatic x 6)  center and half sizes

  // Octrees
  int* oct_depth;                  // (noct x 1)        level in the tree
  int* oct_child;                  // (noct x 8)        -1: none
  mjtNum* oct_aabb;                // (noct x 6)        center and half sizes
  mjtNum* oct_coeff;               // (noct x 8)        distances at the corners

  // Joints
  int* jnt_type;                   // (njnt x 1)        mjtJoint
  int* jnt_qposadr;                // (njnt x 1)        first entry in qpos
  int* jnt_dofadr;                 // (njnt x 1)        first entry in qvel
  int* jnt_bodyid;                 // (njnt x 1)        body that the joint moves
  int* jnt_group;                  // (njnt x 1)        for pictures
  mjtByte* jnt_limited;            // (njnt x 1)        has a limit
  mjtByte* jnt_actfrclimited;      // (njnt x 1)        has a limit on actuator force
  mjtByte* jnt_actgravcomp;        // (njnt x 1)        gravity compensation counts as actuation
  mjtNum* jnt_solref;              // (njnt x mjNREF)   limit: stiffness and damping
  mjtNum* jnt_solimp;              // (njnt x mjNIMP)   limit: impedance
  mjtNum* jnt_pos;                 // (njnt x 3)        anchor in the body frame
  mjtNum* jnt_axis;                // (njnt x 3)        unit axis in the body frame
  mjtNum* jnt_stiffness;           // (njnt x 1)        spring
  mjtNum* jnt_range;               // (njnt x 2)        limits (m or rad)
  mjtNum* jnt_actfrcrange;         // (njnt x 2)        bounds of the total actuator force
  mjtNum* jnt_margin;              // (njnt x 1)        distance at which the limit starts
  mjtNum* jnt_user;                // (njnt x nuser_jnt) user values

  // Degrees of freedom
  int* dof_bodyid;                 // (nv x 1)          body that the dof moves
  int* dof_jntid;                  // (nv x 1)          its joint
  int* dof_parentid;               // (nv x 1)          previous dof up the tree, -1: none
  int* dof_treeid;                 // (nv x 1)          its tree
  int* dof_Madr;                   // (nv x 1)          its diagonal entry in qM
  int* dof_simplenum;              // (nv x 1)          simple dofs that follow, this one included
  mjtNum* dof_solref;              // (nv x mjNREF)     friction loss: stiffness and damping
  mjtNum* dof_solimp;              // (nv x mjNIMP)     friction loss: impedance
  mjtNum* dof_frictionloss;        // (nv x 1)          dry friction (N or N m)
  mjtNum* dof_armature;            // (nv x 1)          inertia of the rotor
  mjtNum* dof_damping;             // (nv x 1)          viscous damping
  mjtNum* dof_invweight0;          // (nv x 1)          diagonal inverse inertia at qpos0
  mjtNum* dof_M0;                  // (nv x 1)          diagonal inertia at qpos0
  mjtNum* dof_length;              // (nv x 1)          length of one radian (m), for sleep tests

  // Kinematic trees
  int* tree_bodyadr;               // (ntree x 1)       first body
  int* tree_bodynum;               // (ntree x 1)       bodies
  int* tree_dofadr;                // (ntree x 1)       first dof
  int* tree_dofnum;                // (ntree x 1)       dofs
  int* tree_sleep_policy;          // (ntree x 1)       mjtSleepPolicy

  // Geoms
  int* geom_type;                  // (ngeom x 1)       mjtGeom
  int* geom_contype;               // (ngeom x 1)       bits: classes that it belongs to
  int* geom_conaffinity;           // (ngeom x 1)       bits: classes that it collides with
  int* geom_condim;                // (ngeom x 1)       contact dimension: 1, 3, 4 or 6
  int* geom_bodyid;                // (ngeom x 1)       its body
  int* geom_dataid;                // (ngeom x 1)       mesh or height field, -1: none
  int* geom_matid;                 // (ngeom x 1)       material, -1: none
  int* geom_group;                 // (ngeom x 1)       for pictures and rays
  int* geom_priority;              // (ngeom x 1)       the geom with the higher one gives the parameters
  int* geom_plugin;                // (ngeom x 1)       plugin instance, -1: none
  mjtByte* geom_sameframe;         // (ngeom x 1)       mjtSameFrame
  mjtNum* geom_solmix;             // (ngeom x 1)       weight in the mix of parameters
  mjtNum* geom_solref;             // (ngeom x mjNREF)  stiffness and damping
  mjtNum* geom_solimp;             // (ngeom x mjNIMP)  impedance
  mjtNum* geom_size;               // (ngeom x 3)       meaning as in mjtGeom
  mjtNum* geom_aabb;               // (ngeom x 6)       center and half sizes, own frame
  mjtNum* geom_rbound;             // (ngeom x 1)       radius of the bounding sphere, 0: plane
  mjtNum* geom_pos;                // (ngeom x 3)       in the body frame
  mjtNum* geom_quat;               // (ngeom x 4)       in the body frame
  mjtNum* geom_friction;           // (ngeom x 3)       sliding, torsional, rolling
  mjtNum* geom_margin;             // (ngeom x 1)       distance at which contacts are found
  mjtNum* geom_gap;                // (ngeom x 1)       part of the margin without force
  mjtNum* geom_fluid;              // (ngeom x mjNFLUID) fluid interaction, first: on or off
  mjtNum* geom_user;               // (ngeom x nuser_geom) user values
  float* geom_rgba;                // (ngeom x 4)       color without a material

  // Sites
  int* site_type;                  // (nsite x 1)       mjtGeom
  int* site_bodyid;                // (nsite x 1)       its body
  int* site_matid;                 // (nsite x 1)       material, -1: none
  int* site_group;                 // (nsite x 1)       for pictures
  mjtByte* site_sameframe;         // (nsite x 1)       mjtSameFrame
  mjtNum* site_size;               // (nsite x 3)       meaning as in mjtGeom
  mjtNum* site_pos;                // (nsite x 3)       in the body frame
  mjtNum* site_quat;               // (nsite x 4)       in the body frame
  mjtNum* site_user;               // (nsite x nuser_site) user values
  float* site_rgba;                // (nsite x 4)       color without a material

  // Cameras
  int* cam_mode;                   // (ncam x 1)        mjtCamLight
  int* cam_bodyid;                 // (ncam x 1)        its body
  int* cam_targetbodyid;           // (ncam x 1)        target body, -1: none
  mjtNum* cam_pos;                 // (ncam x 3)        in the body frame
  mjtNum* cam_quat;                // (ncam x 4)        in the body frame
  mjtNum* cam_poscom0;             // (ncam x 3)        global, from subtree com, at qpos0
  mjtNum* cam_pos0;                // (ncam x 3)        global, from the body, at qpos0
  mjtNum* cam_mat0;                // (ncam x 9)        global orientation at qpos0
  int* cam_orthographic;           // (ncam x 1)        projection
  mjtNum* cam_fovy;                // (ncam x 1)        vertical field of view (deg or length)
  mjtNum* cam_ipd;                 // (ncam x 1)        distance of the eyes
  int* cam_resolution;             // (ncam x 2)        width and height, in pixels
  float* cam_sensorsize;           // (ncam x 2)        width and height; 0: fovy is used
  float* cam_intrinsic;            // (ncam x 4)        focal lengths and principal point
  mjtNum* cam_user;                // (ncam x nuser_cam) user values

  // Lights
  int* light_mode;                 // (nlight x 1)      mjtCamLight
  int* light_bodyid;               // (nlight x 1)      its body
  int* light_targetbodyid;         // (nlight x 1)      target body, -1: none
  int* light_type;                 // (nlight x 1)      mjtLightType
  int* light_texid;                // (nlight x 1)      texture, -1: none
  mjtByte* light_castshadow;       // (nlight x 1)      casts shadows
  float* light_bulbradius;         // (nlight x 1)      for soft shadows
  float* light_intensity;          // (nlight x 1)      in candela
  float* light_range;              // (nlight x 1)      distance that it reaches
  mjtByte* light_active;           // (nlight x 1)      switched on
  mjtNum* light_pos;               // (nlight x 3)      in the body frame
  mjtNum* light_dir;               // (nlight x 3)      in the body frame
  mjtNum* light_poscom0;           // (nlight x 3)      global, from subtree com, at qpos0
  mjtNum* light_pos0;              // (nlight x 3)      global, from the body, at qpos0
  mjtNum* light_dir0;              // (nlight x 3)      global direction at qpos0
  float* light_attenuation;        // (nlight x 3)      constant, linear, quadratic
  float* light_cutoff;             // (nlight x 1)      half angle of a spot (deg)
  float* light_exponent;           // (nlight x 1)      sharpness of a spot
  float* light_ambient;            // (nlight x 3)      color
  float* light_diffuse;            // (nlight x 3)      color
  float* light_specular;           // (nlight x 3)      color

  // Flexes: contact
  int* flex_contype;               // (nflex x 1)       as for geoms
  int* flex_conaffinity;           // (nflex x 1)       as for geoms
  int* flex_condim;                // (nflex x 1)       as for geoms
  int* flex_priority;              // (nflex x 1)       as for geoms
  mjtNum* flex_solmix;             // (nflex x 1)       as for geoms
  mjtNum* flex_solref;             // (nflex x mjNREF)  as for geoms
  mjtNum* flex_solimp;             // (nflex x mjNIMP)  as for geoms
  mjtNum* flex_friction;           // (nflex x 3)       as for geoms
  mjtNum* flex_margin;             // (nflex x 1)       as for geoms
  mjtNum* flex_gap;                // (nflex x 1)       as for geoms
  mjtByte* flex_internal;          // (nflex x 1)       collisions within elements
  int* flex_selfcollide;           // (nflex x 1)       mjtFlexSelf
  int* flex_activelayers;          // (nflex x 1)       layers that collide, solids only
  int* flex_passive;               // (nflex x 1)       contacts act as passive forces

  // Flexes: parts
  int* flex_dim;                   // (nflex x 1)       1: lines, 2: triangles, 3: tetrahedra
  int* flex_matid;                 // (nflex x 1)       material, -1: none
  int* flex_group;                 // (nflex x 1)       for pictures
  int* flex_interp;                // (nflex x 1)       0: vertices, else order of nodes
  int* flex_nodeadr;               // (nflex x 1)       first node
  int* flex_nodenum;               // (nflex x 1)       nodes
  int* flex_vertadr;               // (nflex x 1)       first vertex
  int* flex_vertnum;               // (nflex x 1)       vertices
  int* flex_edgeadr;               // (nflex x 1)       first edge
  int* flex_edgenum;               // (nflex x 1)       edges
  int* flex_elemadr;               // (nflex x 1)       first element
  int* flex_elemnum;               // (nflex x 1)       elements
  int* flex_elemdataadr;           // (nflex x 1)       first vertex id of its elements
  int* flex_elemedgeadr;           // (nflex x 1)       first edge id of its elements
  int* flex_shellnum;              // (nflex x 1)       shell fragments
  int* flex_shelldataadr;          // (nflex x 1)       first vertex id of its shell
  int* flex_evpairadr;             // (nflex x 1)       first element-vertex pair
  int* flex_evpairnum;             // (nflex x 1)       element-vertex pairs
  int* flex_texcoordadr;           // (nflex x 1)       first texture coordinate, -1: none
  int* flex_nodebodyid;            // (nflexnode x 1)   body of each node
  int* flex_vertbodyid;            // (nflexvert x 1)   body of each vertex
  int* flex_edge;                  // (nflexedge x 2)   two vertex ids
  int* flex_edgeflap;              // (nflexedge x 2)   opposite vertices, 2D only
  int* flex_elem;                  // (nflexelemdata x 1) dim + 1 vertex ids each
  int* flex_elemtexcoord;          // (nflexelemdata x 1) as flex_elem, for textures
  int* flex_elemedge;              // (nflexelemedge x 1) edge ids of each element
  int* flex_elemlayer;             // (nflexelem x 1)   distance from the surface, in elements
  int* flex_shell;                 // (nflexshelldata x 1) dim vertex ids each
  int* flex_evpair;                // (nflexevpair x 2) element and vertex id

  // Flexes: shape and elasticity
  mjtNum* flex_vert;               // (nflexvert x 3)   in the frame of its body
  mjtNum* flex_vert0;              // (nflexvert x 3)   within the unit box at qpos0
  mjtNum* flex_node;               // (nflexnode x 3)   in the frame of its body
  mjtNum* flex_node0;              // (nflexnode x 3)   at qpos0
  mjtNum* flexedge_length0;        // (nflexedge x 1)   at qpos0
  mjtNum* flexedge_invweight0;     // (nflexedge x 1)   mean inverse inertia at qpos0
  mjtNum* flex_radius;             // (nflex x 1)       of every primitive
  mjtNum* flex_stiffness;          // (nflexelem x 21)  of each element, packed symmetric
  mjtNum* flex_bending;            // (nflexedge x 17)  of each edge, 2D only
  mjtNum* flex_damping;            // (nflex x 1)       Rayleigh coefficient
  mjtNum* flex_edgestiffness;      // (nflex x 1)       edge springs
  mjtNum* flex_edgedamping;        // (nflex x 1)       edge dampers
  mjtByte* flex_edgeequality;      // (nflex x 1)       edges are constrained
  mjtByte* flex_rigid;             // (nflex x 1)       all vertices in one body
  mjtByte* flexedge_rigid;         // (nflexedge x 1)   both vertices in one body
  mjtByte* flex_centered;          // (nflex x 1)       all vertices at body origins
  mjtByte* flex_flatskin;          // (nflex x 1)       flat shading
  int* flex_bvhadr;                // (nflex x 1)       root of its tree, -1: none
  int* flex_bvhnum;                // (nflex x 1)       nodes of its tree
  float* flex_rgba;                // (nflex x 4)       color without a material
  float* flex_texcoord;            // (nflextexcoord x 2) texture coordinates

  // Meshes
  int* mesh_vertadr;               // (nmesh x 1)       first vertex
  int* mesh_vertnum;               // (nmesh x 1)       vertices
  int* mesh_faceadr;               // (nmesh x 1)       first triangle
  int* mesh_facenum;               // (nmesh x 1)       triangles
  int* mesh_bvhadr;                // (nmesh x 1)       root of its tree, -1: none
  int* mesh_bvhnum;                // (nmesh x 1)       nodes of its tree
  int* mesh_octadr;                // (nmesh x 1)       root of its octree, -1: none
  int* mesh_octnum;                // (nmesh x 1)       nodes of its octree
  int* mesh_normaladr;             // (nmesh x 1)       first normal
  int* mesh_normalnum;             // (nmesh x 1)       normals
  int* mesh_texcoordadr;           // (nmesh x 1)       first texture coordinate, -1: none
  int* mesh_texcoordnum;           // (nmesh x 1)       texture coordinates
  int* mesh_graphadr;              // (nmesh x 1)       convex hull graph, -1: none
  float* mesh_vert;                // (nmeshvert x 3)   centered, along the principal axes
  float* mesh_normal;              // (nmeshnormal x 3) unit vectors
  float* mesh_texcoord;            // (nmeshtexcoord x 2) texture coordinates
  int* mesh_face;                  // (nmeshface x 3)   vertex ids, counted within the mesh
  int* mesh_facenormal;            // (nmeshface x 3)   normal ids
  int* mesh_facetexcoord;          // (nmeshface x 3)   texture coordinate ids
  int* mesh_graph;                 // (nmeshgraph x 1)  hull vertices, their neighbours, faces
  mjtNum* mesh_scale;              // (nmesh x 3)       applied to the file
  mjtNum* mesh_pos;                // (nmesh x 3)       undoes the centering of the vertices
  mjtNum* mesh_quat;               // (nmesh x 4)       undoes their rotation
  int* mesh_pathadr;               // (nmesh x 1)       file, in paths, -1: none
  int* mesh_polynum;               // (nmesh x 1)       hull polygons
  int* mesh_polyadr;               // (nmesh x 1)       first of them
  mjtNum* mesh_polynormal;         // (nmeshpoly x 3)   unit vectors
  int* mesh_polyvertadr;           // (nmeshpoly x 1)   first vertex id of a polygon
  int* mesh_polyvertnum;           // (nmeshpoly x 1)   vertices of a polygon
  int* mesh_polyvert;              // (nmeshpolyvert x 1) vertex ids
  int* mesh_polymapadr;            // (nmeshvert x 1)   first polygon id of a vertex
  int* mesh_polymapnum;            // (nmeshvert x 1)   polygons around a vertex
  int* mesh_polymap;               // (nmeshpolymap x 1) polygon ids

  // Skins
  int* skin_matid;                 // (nskin x 1)       material, -1: none
  int* skin_group;                 // (nskin x 1)       for pictures
  float* skin_rgba;                // (nskin x 4)       color without a material
  float* skin_inflate;             // (nskin x 1)       offset along the normals
  int* skin_vertadr;               // (nskin x 1)       first vertex
  int* skin_vertnum;               // (nskin x 1)       vertices
  int* skin_texcoordadr;           // (nskin x 1)       first texture coordinate, -1: none
  int* skin_faceadr;               // (nskin x 1)       first triangle
  int* skin_facenum;               // (nskin x 1)       triangles
  int* skin_boneadr;               // (nskin x 1)       first bone
  int* skin_bonenum;               // (nskin x 1)       bones
  float* skin_vert;                // (nskinvert x 3)   in the bind pose
  float* skin_texcoord;            // (nskintexvert x 2) texture coordinates
  int* skin_face;                  // (nskinface x 3)   vertex ids
  int* skin_bonevertadr;           // (nskinbone x 1)   first vertex id of a bone
  int* skin_bonevertnum;           // (nskinbone x 1)   vertices of a bone
  float* skin_bonebindpos;         // (nskinbone x 3)   bind pose of a bone
  float* skin_bonebindquat;        // (nskinbone x 4)   bind pose of a bone
  int* skin_bonebodyid;            // (nskinbone x 1)   body of a bone
  int* skin_bonevertid;            // (nskinbonevert x 1) vertex ids
  float* skin_bonevertweight;      // (nskinbonevert x 1) weight of each
  int* skin_pathadr;               // (nskin x 1)       file, in paths, -1: none

  // Height fields
  mjtNum* hfield_size;             // (nhfield x 4)     half sizes x, y, height, base depth
  int* hfield_nrow;                // (nhfield x 1)     rows, along y
  int* hfield_ncol;                // (nhfield x 1)     columns, along x
  int* hfield_adr;                 // (nhfield x 1)     first height
  float* hfield_data;              // (nhfielddata x 1) heights from 0 to 1, by rows
  int* hfield_pathadr;             // (nhfield x 1)     file, in paths, -1: none

  // Textures
  int* tex_type;                   // (ntex x 1)        mjtTexture
  int* tex_colorspace;             // (ntex x 1)        mjtColorSpace
  int* tex_height;                 // (ntex x 1)        rows
  int* tex_width;                  // (ntex x 1)        columns
  int* tex_nchannel;               // (ntex x 1)        bytes per pixel
  int* tex_adr;                    // (ntex x 1)        first byte
  mjtByte* tex_data;               // (ntexdata x 1)    pixels
  int* tex_pathadr;                // (ntex x 1)        file, in paths, -1: none

  // Materials
  int* mat_texid;                  // (nmat x mjNTEXROLE) texture per mjtTextureRole, -1: none
  mjtByte* mat_texuniform;         // (nmat x 1)        repeat in space, not per object
  float* mat_texrepeat;            // (nmat x 2)        repetitions
  float* mat_emission;             // (nmat x 1)        times the color
  float* mat_specular;             // (nmat x 1)        times white
  float* mat_shininess;            // (nmat x 1)        from 0 to 1
  float* mat_reflectance;          // (nmat x 1)        from 0 to 1
  float* mat_metallic;             // (nmat x 1)        from 0 to 1
  float* mat_roughness;            // (nmat x 1)        from 0 to 1
  float* mat_rgba;                 // (nmat x 4)        color

  // Explicit contact pairs
  int* pair_dim;                   // (npair x 1)       contact dimension
  int* pair_geom1;                 // (npair x 1)       first geom
  int* pair_geom2;                 // (npair x 1)       second geom
  int* pair_signature;             // (npair x 1)       body1 << 16 | body2, sorted
  mjtNum* pair_solref;             // (npair x mjNREF)  normal stiffness and damping
  mjtNum* pair_solreffriction;     // (npair x mjNREF)  the same for friction, zeros: as normal
  mjtNum* pair_solimp;             // (npair x mjNIMP)  impedance
  mjtNum* pair_margin;             // (npair x 1)       distance at which contacts are found
  mjtNum* pair_gap;                // (npair x 1)       part of the margin without force
  mjtNum* pair_friction;           // (npair x 5)       two sliding, torsional, two rolling

  // Excluded body pairs
  int* exclude_signature;          // (nexclude x 1)    body1 << 16 | body2, sorted

  // Equality constraints
  int* eq_type;                    // (neq x 1)         mjtEq
  int* eq_obj1id;                  // (neq x 1)         first object
  int* eq_obj2id;                  // (neq x 1)         second object, -1: none
  int* eq_objtype;                 // (neq x 1)         body, site, joint, tendon or flex
  mjtByte* eq_active0;             // (neq x 1)         initial value of mjData.eq_active
  mjtNum* eq_solref;               // (neq x mjNREF)    stiffness and damping
  mjtNum* eq_solimp;               // (neq x mjNIMP)    impedance
  mjtNum* eq_data;                 // (neq x mjNEQDATA) anchors, pose or polynomial

  // Tendons
  int* tendon_adr;                 // (ntendon x 1)     first part of the path
  int* tendon_num;                 // (ntendon x 1)     parts of the path
  int* tendon_matid;               // (ntendon x 1)     material, -1: none
  int* tendon_group;               // (ntendon x 1)     for pictures
  int* tendon_treenum;             // (ntendon x 1)     trees that the tendon touches
  int* tendon_treeid;              // (ntendon x 2)     first two of them, -1: none
  mjtByte* tendon_limited;         // (ntendon x 1)     has length limits
  mjtByte* tendon_actfrclimited;   // (ntendon x 1)     has a limit on actuator force
  mjtNum* tendon_width;            // (ntendon x 1)     for pictures
  mjtNum* tendon_solref_lim;       // (ntendon x mjNREF) limit: stiffness and damping
  mjtNum* tendon_solimp_lim;       // (ntendon x mjNIMP) limit: impedance
  mjtNum* tendon_solref_fri;       // (ntendon x mjNREF) friction: stiffness and damping
  mjtNum* tendon_solimp_fri;       // (ntendon x mjNIMP) friction: impedance
  mjtNum* tendon_range;            // (ntendon x 2)     length limits
  mjtNum* tendon_actfrcrange;      // (ntendon x 2)     bounds of the total actuator force
  mjtNum* tendon_margin;           // (ntendon x 1)     distance at which the limit starts
  mjtNum* tendon_stiffness;        // (ntendon x 1)     spring
  mjtNum* tendon_damping;          // (ntendon x 1)     viscous damping
  mjtNum* tendon_armature;         // (ntendon x 1)     inertia along the tendon
  mjtNum* tendon_frictionloss;     // (ntendon x 1)     dry friction (N)
  mjtNum* tendon_lengthspring;     // (ntendon x 2)     no spring force between these lengths
  mjtNum* tendon_length0;          // (ntendon x 1)     at qpos0
  mjtNum* tendon_invweight0;       // (ntendon x 1)     inverse inertia at qpos0
  mjtNum* tendon_user;             // (ntendon x nuser_tendon) user values
  float* tendon_rgba;              // (ntendon x 4)     color without a material

  // Tendon paths
  int* wrap_type;                  // (nwrap x 1)       mjtWrap
  int* wrap_objid;                 // (nwrap x 1)       joint, site or geom
  mjtNum* wrap_prm;                // (nwrap x 1)       divisor, coefficient or side site

  // Actuators
  int* actuator_trntype;           // (nu x 1)          mjtTrn
  int* actuator_dyntype;           // (nu x 1)          mjtDyn
  int* actuator_gaintype;          // (nu x 1)          mjtGain
  int* actuator_biastype;          // (nu x 1)          mjtBias
  int* actuator_trnid;             // (nu x 2)          target, and reference or slider site
  int* actuator_actadr;            // (nu x 1)          first activation, -1: none
  int* actuator_actnum;            // (nu x 1)          activations
  int* actuator_group;             // (nu x 1)          for pictures and disabling
  mjtByte* actuator_ctrllimited;   // (nu x 1)          control is clamped
  mjtByte* actuator_forcelimited;  // (nu x 1)          force is clamped
  mjtByte* actuator_actlimited;    // (nu x 1)          activation is clamped
  mjtNum* actuator_dynprm;         // (nu x mjNDYN)     parameters of the dynamics
  mjtNum* actuator_gainprm;        // (nu x mjNGAIN)    parameters of the gain
  mjtNum* actuator_biasprm;        // (nu x mjNBIAS)    parameters of the bias
  mjtByte* actuator_actearly;      // (nu x 1)          force uses the next activation
  mjtNum* actuator_ctrlrange;      // (nu x 2)          bounds of the control
  mjtNum* actuator_forcerange;     // (nu x 2)          bounds of the force
  mjtNum* actuator_actrange;       // (nu x 2)          bounds of the activation
  mjtNum* actuator_gear;           // (nu x 6)          scale of length and moment
  mjtNum* actuator_cranklength;    // (nu x 1)          rod of a slider-crank
  mjtNum* actuator_acc0;           // (nu x 1)          acceleration by unit force at qpos0
  mjtNum* actuator_length0;        // (nu x 1)          at qpos0
  mjtNum* actuator_lengthrange;    // (nu x 2)          reachable lengths
  mjtNum* actuator_user;           // (nu x nuser_actuator) user values
  int* actuator_plugin;            // (nu x 1)          plugin instance, -1: none

  // Sensors
  int* sensor_type;                // (nsensor x 1)     mjtSensor
  int* sensor_datatype;            // (nsensor x 1)     mjtDataType
  int* sensor_needstage;           // (nsensor x 1)     mjtStage
  int* sensor_objtype;             // (nsensor x 1)     mjtObj of the sensed object
  int* sensor_objid;               // (nsensor x 1)     its id
  int* sensor_reftype;             // (nsensor x 1)     mjtObj of the reference frame
  int* sensor_refid;               // (nsensor x 1)     its id, -1: global frame
  int* sensor_intprm;              // (nsensor x mjNSENS) parameters of contact sensors
  int* sensor_dim;                 // (nsensor x 1)     number of values
  int* sensor_adr;                 // (nsensor x 1)     first entry in sensordata
  mjtNum* sensor_cutoff;           // (nsensor x 1)     clamp, 0: none
  mjtNum* sensor_noise;            // (nsensor x 1)     standard deviation; not applied
  mjtNum* sensor_user;             // (nsensor x nuser_sensor) user values
  int* sensor_plugin;              // (nsensor x 1)     plugin instance, -1: none

  // Plugin instances
  int* plugin;                     // (nplugin x 1)     slot of the plugin
  int* plugin_stateadr;            // (nplugin x 1)     first entry in plugin_state
  int* plugin_statenum;            // (nplugin x 1)     entries in plugin_state
  char* plugin_attr;               // (npluginattr x 1) attribute values, one after another
  int* plugin_attradr;             // (nplugin x 1)     first character

  // Custom fields
  int* numeric_adr;                // (nnumeric x 1)    first value
  int* numeric_size;               // (nnumeric x 1)    values
  mjtNum* numeric_data;            // (nnumericdata x 1) values of all fields
  int* text_adr;                   // (ntext x 1)       first character
  int* text_size;                  // (ntext x 1)       characters, with the zero
  char* text_data;                 // (ntextdata x 1)   characters of all fields
  int* tuple_adr;                  // (ntuple x 1)      first object
  int* tuple_size;                 // (ntuple x 1)      objects
  int* tuple_objtype;              // (ntupledata x 1)  mjtObj
  int* tuple_objid;                // (ntupledata x 1)  id
  mjtNum* tuple_objprm;            // (ntupledata x 1)  parameter

  // Keyframes
  mjtNum* key_time;                // (nkey x 1)        (s)
  mjtNum* key_qpos;                // (nkey x nq)       positions
  mjtNum* key_qvel;                // (nkey x nv)       velocities
  mjtNum* key_act;                 // (nkey x na)       activations
  mjtNum* key_mpos;                // (nkey x nmocap*3) mocap positions
  mjtNum* key_mquat;               // (nkey x nmocap*4) mocap orientations
  mjtNum* key_ctrl;                // (nkey x nu)       controls

  // Names, as offsets into names
  int* name_bodyadr;               // (nbody x 1)       first character; the same below
  int* name_jntadr;                // (njnt x 1)
  int* name_geomadr;               // (ngeom x 1)
  int* name_siteadr;               // (nsite x 1)
  int* name_camadr;                // (ncam x 1)
  int* name_lightadr;              // (nlight x 1)
  int* name_flexadr;               // (nflex x 1)
  int* name_meshadr;               // (nmesh x 1)
  int* name_skinadr;               // (nskin x 1)
  int* name_hfieldadr;             // (nhfield x 1)
  int* name_texadr;                // (ntex x 1)
  int* name_matadr;                // (nmat x 1)
  int* name_pairadr;               // (npair x 1)
  int* name_excludeadr;            // (nexclude x 1)
  int* name_eqadr;                 // (neq x 1)
  int* name_tendonadr;             // (ntendon x 1)
  int* name_actuatoradr;           // (nu x 1)
  int* name_sensoradr;             // (nsensor x 1)
  int* name_numericadr;            // (nnumeric x 1)
  int* name_textadr;               // (ntext x 1)
  int* name_tupleadr;              // (ntuple x 1)
  int* name_keyadr;                // (nkey x 1)
  int* name_pluginadr;             // (nplugin x 1)
  char* names;                     // (nnames x 1)      of all objects, zero terminated
  int* names_map;                  // (nnames_map x 1)  hash tables, one per object type
  char* paths;                     // (npaths x 1)      of all assets, zero terminated

  // Sparsity patterns: body-dof, inertia, dof-dof
  int* B_rownnz;                   // (nbody x 1)       dofs that move the body
  int* B_rowadr;                   // (nbody x 1)       start of the row
  int* B_colind;                   // (nB x 1)          dof ids
  int* M_rownnz;                   // (nv x 1)          entries of the lower triangle
  int* M_rowadr;                   // (nv x 1)          start of the row
  int* M_colind;                   // (nC x 1)          dof ids, increasing
  int* mapM2M;                     // (nC x 1)          index of each entry in qM
  int* D_rownnz;                   // (nv x 1)          entries, both triangles
  int* D_rowadr;                   // (nv x 1)          start of the row
  int* D_diag;                     // (nv x 1)          place of the diagonal in the row
  int* D_colind;                   // (nD x 1)          dof ids, increasing
  int* mapM2D;                     // (nD x 1)          index of each entry in M
  int* mapD2M;                     // (nC x 1)          index in D of each entry of M

  // Identity
  uint64_t signature;  // hash of the structure, shared with specification and mjData
} mjModel;

// clang-format on

#endif  // SHEAF_MUJOCO_MJMODEL_H_
