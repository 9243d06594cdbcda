// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#ifndef SHEAF_MUJOCO_MJMODEL_H_
#define SHEAF_MUJOCO_MJMODEL_H_

#include <stddef.h>
#include <stdint.h>
#include <mujoco/mjtnum.h>

#define mjPI             3.14159265358979323846
#define mjMAXVAL         1E+10
#define mjMINMU          1E-5
#define mjMINIMP         0.0001
#define mjMAXIMP         0.9999
#define mjMAXCONPAIR     50
#define mjMAXTREEDEPTH   50
#define mjMAXFLEXNODES   27
#define mjMINAWAKE       10
#define mjNEQDATA        11
#define mjNDYN           10
#define mjNGAIN          10
#define mjNBIAS          10
#define mjNFLUID         12
#define mjNREF           2
#define mjNIMP           5
#define mjNSENS          3
#define mjNSOLVER        200
#define mjNISLAND        20

typedef enum mjtDisableBit_ {
  mjDSBL_CONSTRAINT   = 1 << 0,
  mjDSBL_EQUALITY     = 1 << 1,
  mjDSBL_FRICTIONLOSS = 1 << 2,
  mjDSBL_LIMIT        = 1 << 3,
  mjDSBL_CONTACT      = 1 << 4,
  mjDSBL_SPRING       = 1 << 5,
  mjDSBL_DAMPER       = 1 << 6,
  mjDSBL_GRAVITY      = 1 << 7,
  mjDSBL_CLAMPCTRL    = 1 << 8,
  mjDSBL_WARMSTART    = 1 << 9,
  mjDSBL_FILTERPARENT = 1 << 10,
  mjDSBL_ACTUATION    = 1 << 11,
  mjDSBL_REFSAFE      = 1 << 12,
  mjDSBL_SENSOR       = 1 << 13,
  mjDSBL_MIDPHASE     = 1 << 14,
  mjDSBL_EULERDAMP    = 1 << 15,
  mjDSBL_AUTORESET    = 1 << 16,
  mjDSBL_NATIVECCD    = 1 << 17,
  mjDSBL_ISLAND       = 1 << 18,
  mjNDISABLE          = 19,
} mjtDisableBit;

typedef enum mjtEnableBit_ {
  mjENBL_OVERRIDE    = 1 << 0,
  mjENBL_ENERGY      = 1 << 1,
  mjENBL_FWDINV      = 1 << 2,
  mjENBL_INVDISCRETE = 1 << 3,
  mjENBL_MULTICCD    = 1 << 4,
  mjENBL_SLEEP       = 1 << 5,
  mjNENABLE          = 6,
} mjtEnableBit;

typedef enum mjtJoint_ {
  mjJNT_FREE  = 0,
  mjJNT_BALL  = 1,
  mjJNT_SLIDE = 2,
  mjJNT_HINGE = 3,
} mjtJoint;

typedef enum mjtGeom_ {
  mjGEOM_PLANE     = 0,
  mjGEOM_HFIELD    = 1,
  mjGEOM_SPHERE    = 2,
  mjGEOM_CAPSULE   = 3,
  mjGEOM_ELLIPSOID = 4,
  mjGEOM_CYLINDER  = 5,
  mjGEOM_BOX       = 6,
  mjGEOM_MESH      = 7,
  mjGEOM_SDF       = 8,
  mjNGEOMTYPES     = 9,
  mjGEOM_ARROW     = 100,
  mjGEOM_ARROW1    = 101,
  mjGEOM_ARROW2    = 102,
  mjGEOM_LINE      = 103,
  mjGEOM_LINEBOX   = 104,
  mjGEOM_FLEX      = 105,
  mjGEOM_SKIN      = 106,
  mjGEOM_LABEL     = 107,
  mjGEOM_TRIANGLE  = 108,
  mjGEOM_NONE      = 1001,
} mjtGeom;

typedef enum mjtCamLight_ {
  mjCAMLIGHT_FIXED         = 0,
  mjCAMLIGHT_TRACK         = 1,
  mjCAMLIGHT_TRACKCOM      = 2,
  mjCAMLIGHT_TARGETBODY    = 3,
  mjCAMLIGHT_TARGETBODYCOM = 4,
} mjtCamLight;

typedef enum mjtLightType_ {
  mjLIGHT_SPOT        = 0,
  mjLIGHT_DIRECTIONAL = 1,
  mjLIGHT_POINT       = 2,
  mjLIGHT_IMAGE       = 3,
} mjtLightType;

typedef enum mjtTexture_ {
  mjTEXTURE_2D     = 0,
  mjTEXTURE_CUBE   = 1,
  mjTEXTURE_SKYBOX = 2,
} mjtTexture;

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
  mjNTEXROLE          = 10,
} mjtTextureRole;

typedef enum mjtColorSpace_ {
  mjCOLORSPACE_AUTO   = 0,
  mjCOLORSPACE_LINEAR = 1,
  mjCOLORSPACE_SRGB   = 2,
} mjtColorSpace;

typedef enum mjtIntegrator_ {
  mjINT_EULER        = 0,
  mjINT_RK4          = 1,
  mjINT_IMPLICIT     = 2,
  mjINT_IMPLICITFAST = 3,
} mjtIntegrator;

typedef enum mjtCone_ {
  mjCONE_PYRAMIDAL = 0,
  mjCONE_ELLIPTIC  = 1,
} mjtCone;

typedef enum mjtJacobian_ {
  mjJAC_DENSE  = 0,
  mjJAC_SPARSE = 1,
  mjJAC_AUTO   = 2,
} mjtJacobian;

typedef enum mjtSolver_ {
  mjSOL_PGS    = 0,
  mjSOL_CG     = 1,
  mjSOL_NEWTON = 2,
} mjtSolver;

typedef enum mjtEq_ {
  mjEQ_CONNECT  = 0,
  mjEQ_WELD     = 1,
  mjEQ_JOINT    = 2,
  mjEQ_TENDON   = 3,
  mjEQ_FLEX     = 4,
  mjEQ_DISTANCE = 5,
} mjtEq;

typedef enum mjtWrap_ {
  mjWRAP_NONE     = 0,
  mjWRAP_JOINT    = 1,
  mjWRAP_PULLEY   = 2,
  mjWRAP_SITE     = 3,
  mjWRAP_SPHERE   = 4,
  mjWRAP_CYLINDER = 5,
} mjtWrap;

typedef enum mjtTrn_ {
  mjTRN_JOINT         = 0,
  mjTRN_JOINTINPARENT = 1,
  mjTRN_SLIDERCRANK   = 2,
  mjTRN_TENDON        = 3,
  mjTRN_SITE          = 4,
  mjTRN_BODY          = 5,
  mjTRN_UNDEFINED     = 1000,
} mjtTrn;

typedef enum mjtDyn_ {
  mjDYN_NONE        = 0,
  mjDYN_INTEGRATOR  = 1,
  mjDYN_FILTER      = 2,
  mjDYN_FILTEREXACT = 3,
  mjDYN_MUSCLE      = 4,
  mjDYN_USER        = 5,
} mjtDyn;

typedef enum mjtGain_ {
  mjGAIN_FIXED  = 0,
  mjGAIN_AFFINE = 1,
  mjGAIN_MUSCLE = 2,
  mjGAIN_USER   = 3,
} mjtGain;

typedef enum mjtBias_ {
  mjBIAS_NONE   = 0,
  mjBIAS_AFFINE = 1,
  mjBIAS_MUSCLE = 2,
  mjBIAS_USER   = 3,
} mjtBias;

typedef enum mjtObj_ {
  mjOBJ_UNKNOWN  = 0,
  mjOBJ_BODY     = 1,
  mjOBJ_XBODY    = 2,
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
  mjNOBJECT      = 26,
  mjOBJ_FRAME    = 100,
  mjOBJ_DEFAULT  = 101,
  mjOBJ_MODEL    = 102,
} mjtObj;

typedef enum mjtSensor_ {
  mjSENS_TOUCH          = 0,
  mjSENS_ACCELEROMETER  = 1,
  mjSENS_VELOCIMETER    = 2,
  mjSENS_GYRO           = 3,
  mjSENS_FORCE          = 4,
  mjSENS_TORQUE         = 5,
  mjSENS_MAGNETOMETER   = 6,
  mjSENS_RANGEFINDER    = 7,
  mjSENS_CAMPROJECTION  = 8,
  mjSENS_JOINTPOS       = 9,
  mjSENS_JOINTVEL       = 10,
  mjSENS_TENDONPOS      = 11,
  mjSENS_TENDONVEL      = 12,
  mjSENS_ACTUATORPOS    = 13,
  mjSENS_ACTUATORVEL    = 14,
  mjSENS_ACTUATORFRC    = 15,
  mjSENS_JOINTACTFRC    = 16,
  mjSENS_TENDONACTFRC   = 17,
  mjSENS_BALLQUAT       = 18,
  mjSENS_BALLANGVEL     = 19,
  mjSENS_JOINTLIMITPOS  = 20,
  mjSENS_JOINTLIMITVEL  = 21,
  mjSENS_JOINTLIMITFRC  = 22,
  mjSENS_TENDONLIMITPOS = 23,
  mjSENS_TENDONLIMITVEL = 24,
  mjSENS_TENDONLIMITFRC = 25,
  mjSENS_FRAMEPOS       = 26,
  mjSENS_FRAMEQUAT      = 27,
  mjSENS_FRAMEXAXIS     = 28,
  mjSENS_FRAMEYAXIS     = 29,
  mjSENS_FRAMEZAXIS     = 30,
  mjSENS_FRAMELINVEL    = 31,
  mjSENS_FRAMEANGVEL    = 32,
  mjSENS_FRAMELINACC    = 33,
  mjSENS_FRAMEANGACC    = 34,
  mjSENS_SUBTREECOM     = 35,
  mjSENS_SUBTREELINVEL  = 36,
  mjSENS_SUBTREEANGMOM  = 37,
  mjSENS_INSIDESITE     = 38,
  mjSENS_GEOMDIST       = 39,
  mjSENS_GEOMNORMAL     = 40,
  mjSENS_GEOMFROMTO     = 41,
  mjSENS_CONTACT        = 42,
  mjSENS_E_POTENTIAL    = 43,
  mjSENS_E_KINETIC      = 44,
  mjSENS_CLOCK          = 45,
  mjSENS_TACTILE        = 46,
  mjSENS_PLUGIN         = 47,
  mjSENS_USER           = 48,
} mjtSensor;

typedef enum mjtStage_ {
  mjSTAGE_NONE = 0,
  mjSTAGE_POS  = 1,
  mjSTAGE_VEL  = 2,
  mjSTAGE_ACC  = 3,
} mjtStage;

typedef enum mjtDataType_ {
  mjDATATYPE_REAL       = 0,
  mjDATATYPE_POSITIVE   = 1,
  mjDATATYPE_AXIS       = 2,
  mjDATATYPE_QUATERNION = 3,
} mjtDataType;

typedef enum mjtConDataField_ {
  mjCONDATA_FOUND   = 0,
  mjCONDATA_FORCE   = 1,
  mjCONDATA_TORQUE  = 2,
  mjCONDATA_DIST    = 3,
  mjCONDATA_POS     = 4,
  mjCONDATA_NORMAL  = 5,
  mjCONDATA_TANGENT = 6,
  mjNCONDATA        = 7,
} mjtConDataField;

typedef enum mjtSameFrame_ {
  mjSAMEFRAME_NONE       = 0,
  mjSAMEFRAME_BODY       = 1,
  mjSAMEFRAME_INERTIA    = 2,
  mjSAMEFRAME_BODYROT    = 3,
  mjSAMEFRAME_INERTIAROT = 4,
} mjtSameFrame;

typedef enum mjtSleepPolicy_ {
  mjSLEEP_AUTO         = 0,
  mjSLEEP_AUTO_NEVER   = 1,
  mjSLEEP_AUTO_ALLOWED = 2,
  mjSLEEP_NEVER        = 3,
  mjSLEEP_ALLOWED      = 4,
  mjSLEEP_INIT         = 5,
} mjtSleepPolicy;

typedef enum mjtLRMode_ {
  mjLRMODE_NONE       = 0,
  mjLRMODE_MUSCLE     = 1,
  mjLRMODE_MUSCLEUSER = 2,
  mjLRMODE_ALL        = 3,
} mjtLRMode;

typedef enum mjtFlexSelf_ {
  mjFLEXSELF_NONE   = 0,
  mjFLEXSELF_NARROW = 1,
  mjFLEXSELF_BVH    = 2,
  mjFLEXSELF_SAP    = 3,
  mjFLEXSELF_AUTO   = 4,
} mjtFlexSelf;

typedef enum mjtSDFType_ {
  mjSDFTYPE_SINGLE       = 0,
  mjSDFTYPE_INTERSECTION = 1,
  mjSDFTYPE_MIDSURFACE   = 2,
  mjSDFTYPE_COLLISION    = 3,
} mjtSDFType;

typedef struct mjLROpt_ {
  int mode;
  int useexisting;
  int uselimit;
  mjtNum accel;
  mjtNum maxforce;
  mjtNum timeconst;
  mjtNum timestep;
  mjtNum inttotal;
  mjtNum interval;
  mjtNum tolrange;
} mjLROpt;

typedef struct mjCache_ {
  void* impl_;
} mjCache;

typedef struct mjVFS_ {
  void* impl_;
} mjVFS;

typedef struct mjOption_ {
  mjtNum timestep;
  mjtNum impratio;
  mjtNum tolerance;
  mjtNum ls_tolerance;
  mjtNum noslip_tolerance;
  mjtNum ccd_tolerance;
  mjtNum sleep_tolerance;
  mjtNum gravity[3];
  mjtNum wind[3];
  mjtNum magnetic[3];
  mjtNum density;
  mjtNum viscosity;
  mjtNum o_margin;
  mjtNum o_solref[mjNREF];
  mjtNum o_solimp[mjNIMP];
  mjtNum o_friction[5];
  int integrator;
  int cone;
  int jacobian;
  int solver;
  int iterations;
  int ls_iterations;
  int noslip_iterations;
  int ccd_iterations;
  int disableflags;
  int enableflags;
  int disableactuator;
  int sdf_initpoints;
  int sdf_iterations;
} mjOption;

typedef struct mjVisual_ {
  struct {
    int cameraid;
    int orthographic;
    float fovy;
    float ipd;
    float azimuth;
    float elevation;
    float linewidth;
    float glow;
    float realtime;
    int offwidth;
    int offheight;
    int ellipsoidinertia;
    int bvactive;
  } global;
  struct {
    int shadowsize;
    int offsamples;
    int numslices;
    int numstacks;
    int numquads;
  } quality;
  struct {
    float ambient[3];
    float diffuse[3];
    float specular[3];
    int active;
  } headlight;
  struct {
    float stiffness;
    float stiffnessrot;
    float force;
    float torque;
    float alpha;
    float fogstart;
    float fogend;
    float znear;
    float zfar;
    float haze;
    float shadowclip;
    float shadowscale;
    float actuatortendon;
  } map;
  struct {
    float forcewidth;
    float contactwidth;
    float contactheight;
    float connect;
    float com;
    float camera;
    float light;
    float selectpoint;
    float jointlength;
    float jointwidth;
    float actuatorlength;
    float actuatorwidth;
    float framelength;
    float framewidth;
    float constraint;
    float slidercrank;
    float frustum;
  } scale;
  struct {
    float fog[4];
    float haze[4];
    float force[4];
    float inertia[4];
    float joint[4];
    float actuator[4];
    float actuatornegative[4];
    float actuatorpositive[4];
    float com[4];
    float camera[4];
    float light[4];
    float selectpoint[4];
    float connect[4];
    float contactpoint[4];
    float contactforce[4];
    float contactfriction[4];
    float contacttorque[4];
    float contactgap[4];
    float rangefinder[4];
    float constraint[4];
    float slidercrank[4];
    float crankbroken[4];
    float frustum[4];
    float bv[4];
    float bvactive[4];
  } rgba;
} mjVisual;

typedef struct mjStatistic_ {
  mjtNum meaninertia;
  mjtNum meanmass;
  mjtNum meansize;
  mjtNum extent;
  mjtNum center[3];
} mjStatistic;

typedef struct mjModel_ {
  int nq;
  int nv;
  int nu;
  int na;
  int nbody;
  int nbvh;
  int nbvhstatic;
  int nbvhdynamic;
  int noct;
  int njnt;
  int ntree;
  int nM;
  int nB;
  int nC;
  int nD;
  int ngeom;
  int nsite;
  int ncam;
  int nlight;
  int nflex;
  int nflexnode;
  int nflexvert;
  int nflexedge;
  int nflexelem;
  int nflexelemdata;
  int nflexelemedge;
  int nflexshelldata;
  int nflexevpair;
  int nflextexcoord;
  int nmesh;
  int nmeshvert;
  int nmeshnormal;
  int nmeshtexcoord;
  int nmeshface;
  int nmeshgraph;
  int nmeshpoly;
  int nmeshpolyvert;
  int nmeshpolymap;
  int nskin;
  int nskinvert;
  int nskintexvert;
  int nskinface;
  int nskinbone;
  int nskinbonevert;
  int nhfield;
  int nhfielddata;
  int ntex;
  int ntexdata;
  int nmat;
  int npair;
  int nexclude;
  int neq;
  int ntendon;
  int nwrap;
  int nsensor;
  int nnumeric;
  int nnumericdata;
  int ntext;
  int ntextdata;
  int ntuple;
  int ntupledata;
  int nkey;
  int nmocap;
  int nplugin;
  int npluginattr;
  int nuser_body;
  int nuser_jnt;
  int nuser_geom;
  int nuser_site;
  int nuser_cam;
  int nuser_tendon;
  int nuser_actuator;
  int nuser_sensor;
  int nnames;
  int npaths;
  int nnames_map;
  int nJmom;
  int ngravcomp;
  int nemax;
  int njmax;
  int nconmax;
  int nuserdata;
  int nsensordata;
  int npluginstate;
  mjtSize narena;
  mjtSize nbuffer;
  mjOption opt;
  mjVisual vis;
  mjStatistic stat;
  void* buffer;
  mjtNum* qpos0;                        // (nq x 1)
  mjtNum* qpos_spring;                  // (nq x 1)
  int* body_parentid;                   // (nbody x 1)
  int* body_rootid;                     // (nbody x 1)
  int* body_weldid;                     // (nbody x 1)
  int* body_mocapid;                    // (nbody x 1)
  int* body_jntnum;                     // (nbody x 1)
  int* body_jntadr;                     // (nbody x 1)
  int* body_dofnum;                     // (nbody x 1)
  int* body_dofadr;                     // (nbody x 1)
  int* body_treeid;                     // (nbody x 1)
  int* body_geomnum;                    // (nbody x 1)
  int* body_geomadr;                    // (nbody x 1)
  mjtByte* body_simple;                 // (nbody x 1)
  mjtByte* body_sameframe;              // (nbody x 1)
  mjtNum* body_pos;                     // (nbody x 3)
  mjtNum* body_quat;                    // (nbody x 4)
  mjtNum* body_ipos;                    // (nbody x 3)
  mjtNum* body_iquat;                   // (nbody x 4)
  mjtNum* body_mass;                    // (nbody x 1)
  mjtNum* body_subtreemass;             // (nbody x 1)
  mjtNum* body_inertia;                 // (nbody x 3)
  mjtNum* body_invweight0;              // (nbody x 2)
  mjtNum* body_gravcomp;                // (nbody x 1)
  mjtNum* body_margin;                  // (nbody x 1)
  mjtNum* body_user;                    // (nbody x nuser_body)
  int* body_plugin;                     // (nbody x 1)
  int* body_contype;                    // (nbody x 1)
  int* body_conaffinity;                // (nbody x 1)
  int* body_bvhadr;                     // (nbody x 1)
  int* body_bvhnum;                     // (nbody x 1)
  int* bvh_depth;                       // (nbvh x 1)
  int* bvh_child;                       // (nbvh x 2)
  int* bvh_nodeid;                      // (nbvh x 1)
  mjtNum* bvh_aabb;                     // (nbvhstatic x 6)
  int* oct_depth;                       // (noct x 1)
  int* oct_child;                       // (noct x 8)
  mjtNum* oct_aabb;                     // (noct x 6)
  mjtNum* oct_coeff;                    // (noct x 8)
  int* jnt_type;                        // (njnt x 1)
  int* jnt_qposadr;                     // (njnt x 1)
  int* jnt_dofadr;                      // (njnt x 1)
  int* jnt_bodyid;                      // (njnt x 1)
  int* jnt_group;                       // (njnt x 1)
  mjtByte* jnt_limited;                 // (njnt x 1)
  mjtByte* jnt_actfrclimited;           // (njnt x 1)
  mjtByte* jnt_actgravcomp;             // (njnt x 1)
  mjtNum* jnt_solref;                   // (njnt x mjNREF)
  mjtNum* jnt_solimp;                   // (njnt x mjNIMP)
  mjtNum* jnt_pos;                      // (njnt x 3)
  mjtNum* jnt_axis;                     // (njnt x 3)
  mjtNum* jnt_stiffness;                // (njnt x 1)
  mjtNum* jnt_range;                    // (njnt x 2)
  mjtNum* jnt_actfrcrange;              // (njnt x 2)
  mjtNum* jnt_margin;                   // (njnt x 1)
  mjtNum* jnt_user;                     // (njnt x nuser_jnt)
  int* dof_bodyid;                      // (nv x 1)
  int* dof_jntid;                       // (nv x 1)
  int* dof_parentid;                    // (nv x 1)
  int* dof_treeid;                      // (nv x 1)
  int* dof_Madr;                        // (nv x 1)
  int* dof_simplenum;                   // (nv x 1)
  mjtNum* dof_solref;                   // (nv x mjNREF)
  mjtNum* dof_solimp;                   // (nv x mjNIMP)
  mjtNum* dof_frictionloss;             // (nv x 1)
  mjtNum* dof_armature;                 // (nv x 1)
  mjtNum* dof_damping;                  // (nv x 1)
  mjtNum* dof_invweight0;               // (nv x 1)
  mjtNum* dof_M0;                       // (nv x 1)
  mjtNum* dof_length;                   // (nv x 1)
  int* tree_bodyadr;                    // (ntree x 1)
  int* tree_bodynum;                    // (ntree x 1)
  int* tree_dofadr;                     // (ntree x 1)
  int* tree_dofnum;                     // (ntree x 1)
  int* tree_sleep_policy;               // (ntree x 1)
  int* geom_type;                       // (ngeom x 1)
  int* geom_contype;                    // (ngeom x 1)
  int* geom_conaffinity;                // (ngeom x 1)
  int* geom_condim;                     // (ngeom x 1)
  int* geom_bodyid;                     // (ngeom x 1)
  int* geom_dataid;                     // (ngeom x 1)
  int* geom_matid;                      // (ngeom x 1)
  int* geom_group;                      // (ngeom x 1)
  int* geom_priority;                   // (ngeom x 1)
  int* geom_plugin;                     // (ngeom x 1)
  mjtByte* geom_sameframe;              // (ngeom x 1)
  mjtNum* geom_solmix;                  // (ngeom x 1)
  mjtNum* geom_solref;                  // (ngeom x mjNREF)
  mjtNum* geom_solimp;                  // (ngeom x mjNIMP)
  mjtNum* geom_size;                    // (ngeom x 3)
  mjtNum* geom_aabb;                    // (ngeom x 6)
  mjtNum* geom_rbound;                  // (ngeom x 1)
  mjtNum* geom_pos;                     // (ngeom x 3)
  mjtNum* geom_quat;                    // (ngeom x 4)
  mjtNum* geom_friction;                // (ngeom x 3)
  mjtNum* geom_margin;                  // (ngeom x 1)
  mjtNum* geom_gap;                     // (ngeom x 1)
  mjtNum* geom_fluid;                   // (ngeom x mjNFLUID)
  mjtNum* geom_user;                    // (ngeom x nuser_geom)
  float* geom_rgba;                     // (ngeom x 4)
  int* site_type;                       // (nsite x 1)
  int* site_bodyid;                     // (nsite x 1)
  int* site_matid;                      // (nsite x 1)
  int* site_group;                      // (nsite x 1)
  mjtByte* site_sameframe;              // (nsite x 1)
  mjtNum* site_size;                    // (nsite x 3)
  mjtNum* site_pos;                     // (nsite x 3)
  mjtNum* site_quat;                    // (nsite x 4)
  mjtNum* site_user;                    // (nsite x nuser_site)
  float* site_rgba;                     // (nsite x 4)
  int* cam_mode;                        // (ncam x 1)
  int* cam_bodyid;                      // (ncam x 1)
  int* cam_targetbodyid;                // (ncam x 1)
  mjtNum* cam_pos;                      // (ncam x 3)
  mjtNum* cam_quat;                     // (ncam x 4)
  mjtNum* cam_poscom0;                  // (ncam x 3)
  mjtNum* cam_pos0;                     // (ncam x 3)
  mjtNum* cam_mat0;                     // (ncam x 9)
  int* cam_orthographic;                // (ncam x 1)
  mjtNum* cam_fovy;                     // (ncam x 1)
  mjtNum* cam_ipd;                      // (ncam x 1)
  int* cam_resolution;                  // (ncam x 2)
  float* cam_sensorsize;                // (ncam x 2)
  float* cam_intrinsic;                 // (ncam x 4)
  mjtNum* cam_user;                     // (ncam x nuser_cam)
  int* light_mode;                      // (nlight x 1)
  int* light_bodyid;                    // (nlight x 1)
  int* light_targetbodyid;              // (nlight x 1)
  int* light_type;                      // (nlight x 1)
  int* light_texid;                     // (nlight x 1)
  mjtByte* light_castshadow;            // (nlight x 1)
  float* light_bulbradius;              // (nlight x 1)
  float* light_intensity;               // (nlight x 1)
  float* light_range;                   // (nlight x 1)
  mjtByte* light_active;                // (nlight x 1)
  mjtNum* light_pos;                    // (nlight x 3)
  mjtNum* light_dir;                    // (nlight x 3)
  mjtNum* light_poscom0;                // (nlight x 3)
  mjtNum* light_pos0;                   // (nlight x 3)
  mjtNum* light_dir0;                   // (nlight x 3)
  float* light_attenuation;             // (nlight x 3)
  float* light_cutoff;                  // (nlight x 1)
  float* light_exponent;                // (nlight x 1)
  float* light_ambient;                 // (nlight x 3)
  float* light_diffuse;                 // (nlight x 3)
  float* light_specular;                // (nlight x 3)
  int* flex_contype;                    // (nflex x 1)
  int* flex_conaffinity;                // (nflex x 1)
  int* flex_condim;                     // (nflex x 1)
  int* flex_priority;                   // (nflex x 1)
  mjtNum* flex_solmix;                  // (nflex x 1)
  mjtNum* flex_solref;                  // (nflex x mjNREF)
  mjtNum* flex_solimp;                  // (nflex x mjNIMP)
  mjtNum* flex_friction;                // (nflex x 3)
  mjtNum* flex_margin;                  // (nflex x 1)
  mjtNum* flex_gap;                     // (nflex x 1)
  mjtByte* flex_internal;               // (nflex x 1)
  int* flex_selfcollide;                // (nflex x 1)
  int* flex_activelayers;               // (nflex x 1)
  int* flex_passive;                    // (nflex x 1)
  int* flex_dim;                        // (nflex x 1)
  int* flex_matid;                      // (nflex x 1)
  int* flex_group;                      // (nflex x 1)
  int* flex_interp;                     // (nflex x 1)
  int* flex_nodeadr;                    // (nflex x 1)
  int* flex_nodenum;                    // (nflex x 1)
  int* flex_vertadr;                    // (nflex x 1)
  int* flex_vertnum;                    // (nflex x 1)
  int* flex_edgeadr;                    // (nflex x 1)
  int* flex_edgenum;                    // (nflex x 1)
  int* flex_elemadr;                    // (nflex x 1)
  int* flex_elemnum;                    // (nflex x 1)
  int* flex_elemdataadr;                // (nflex x 1)
  int* flex_elemedgeadr;                // (nflex x 1)
  int* flex_shellnum;                   // (nflex x 1)
  int* flex_shelldataadr;               // (nflex x 1)
  int* flex_evpairadr;                  // (nflex x 1)
  int* flex_evpairnum;                  // (nflex x 1)
  int* flex_texcoordadr;                // (nflex x 1)
  int* flex_nodebodyid;                 // (nflexnode x 1)
  int* flex_vertbodyid;                 // (nflexvert x 1)
  int* flex_edge;                       // (nflexedge x 2)
  int* flex_edgeflap;                   // (nflexedge x 2)
  int* flex_elem;                       // (nflexelemdata x 1)
  int* flex_elemtexcoord;               // (nflexelemdata x 1)
  int* flex_elemedge;                   // (nflexelemedge x 1)
  int* flex_elemlayer;                  // (nflexelem x 1)
  int* flex_shell;                      // (nflexshelldata x 1)
  int* flex_evpair;                     // (nflexevpair x 2)
  mjtNum* flex_vert;                    // (nflexvert x 3)
  mjtNum* flex_vert0;                   // (nflexvert x 3)
  mjtNum* flex_node;                    // (nflexnode x 3)
  mjtNum* flex_node0;                   // (nflexnode x 3)
  mjtNum* flexedge_length0;             // (nflexedge x 1)
  mjtNum* flexedge_invweight0;          // (nflexedge x 1)
  mjtNum* flex_radius;                  // (nflex x 1)
  mjtNum* flex_stiffness;               // (nflexelem x 21)
  mjtNum* flex_bending;                 // (nflexedge x 17)
  mjtNum* flex_damping;                 // (nflex x 1)
  mjtNum* flex_edgestiffness;           // (nflex x 1)
  mjtNum* flex_edgedamping;             // (nflex x 1)
  mjtByte* flex_edgeequality;           // (nflex x 1)
  mjtByte* flex_rigid;                  // (nflex x 1)
  mjtByte* flexedge_rigid;              // (nflexedge x 1)
  mjtByte* flex_centered;               // (nflex x 1)
  mjtByte* flex_flatskin;               // (nflex x 1)
  int* flex_bvhadr;                     // (nflex x 1)
  int* flex_bvhnum;                     // (nflex x 1)
  float* flex_rgba;                     // (nflex x 4)
  float* flex_texcoord;                 // (nflextexcoord x 2)
  int* mesh_vertadr;                    // (nmesh x 1)
  int* mesh_vertnum;                    // (nmesh x 1)
  int* mesh_faceadr;                    // (nmesh x 1)
  int* mesh_facenum;                    // (nmesh x 1)
  int* mesh_bvhadr;                     // (nmesh x 1)
  int* mesh_bvhnum;                     // (nmesh x 1)
  int* mesh_octadr;                     // (nmesh x 1)
  int* mesh_octnum;                     // (nmesh x 1)
  int* mesh_normaladr;                  // (nmesh x 1)
  int* mesh_normalnum;                  // (nmesh x 1)
  int* mesh_texcoordadr;                // (nmesh x 1)
  int* mesh_texcoordnum;                // (nmesh x 1)
  int* mesh_graphadr;                   // (nmesh x 1)
  float* mesh_vert;                     // (nmeshvert x 3)
  float* mesh_normal;                   // (nmeshnormal x 3)
  float* mesh_texcoord;                 // (nmeshtexcoord x 2)
  int* mesh_face;                       // (nmeshface x 3)
  int* mesh_facenormal;                 // (nmeshface x 3)
  int* mesh_facetexcoord;               // (nmeshface x 3)
  int* mesh_graph;                      // (nmeshgraph x 1)
  mjtNum* mesh_scale;                   // (nmesh x 3)
  mjtNum* mesh_pos;                     // (nmesh x 3)
  mjtNum* mesh_quat;                    // (nmesh x 4)
  int* mesh_pathadr;                    // (nmesh x 1)
  int* mesh_polynum;                    // (nmesh x 1)
  int* mesh_polyadr;                    // (nmesh x 1)
  mjtNum* mesh_polynormal;              // (nmeshpoly x 3)
  int* mesh_polyvertadr;                // (nmeshpoly x 1)
  int* mesh_polyvertnum;                // (nmeshpoly x 1)
  int* mesh_polyvert;                   // (nmeshpolyvert x 1)
  int* mesh_polymapadr;                 // (nmeshvert x 1)
  int* mesh_polymapnum;                 // (nmeshvert x 1)
  int* mesh_polymap;                    // (nmeshpolymap x 1)
  int* skin_matid;                      // (nskin x 1)
  int* skin_group;                      // (nskin x 1)
  float* skin_rgba;                     // (nskin x 4)
  float* skin_inflate;                  // (nskin x 1)
  int* skin_vertadr;                    // (nskin x 1)
  int* skin_vertnum;                    // (nskin x 1)
  int* skin_texcoordadr;                // (nskin x 1)
  int* skin_faceadr;                    // (nskin x 1)
  int* skin_facenum;                    // (nskin x 1)
  int* skin_boneadr;                    // (nskin x 1)
  int* skin_bonenum;                    // (nskin x 1)
  float* skin_vert;                     // (nskinvert x 3)
  float* skin_texcoord;                 // (nskintexvert x 2)
  int* skin_face;                       // (nskinface x 3)
  int* skin_bonevertadr;                // (nskinbone x 1)
  int* skin_bonevertnum;                // (nskinbone x 1)
  float* skin_bonebindpos;              // (nskinbone x 3)
  float* skin_bonebindquat;             // (nskinbone x 4)
  int* skin_bonebodyid;                 // (nskinbone x 1)
  int* skin_bonevertid;                 // (nskinbonevert x 1)
  float* skin_bonevertweight;           // (nskinbonevert x 1)
  int* skin_pathadr;                    // (nskin x 1)
  mjtNum* hfield_size;                  // (nhfield x 4)
  int* hfield_nrow;                     // (nhfield x 1)
  int* hfield_ncol;                     // (nhfield x 1)
  int* hfield_adr;                      // (nhfield x 1)
  float* hfield_data;                   // (nhfielddata x 1)
  int* hfield_pathadr;                  // (nhfield x 1)
  int* tex_type;                        // (ntex x 1)
  int* tex_colorspace;                  // (ntex x 1)
  int* tex_height;                      // (ntex x 1)
  int* tex_width;                       // (ntex x 1)
  int* tex_nchannel;                    // (ntex x 1)
  int* tex_adr;                         // (ntex x 1)
  mjtByte* tex_data;                    // (ntexdata x 1)
  int* tex_pathadr;                     // (ntex x 1)
  int* mat_texid;                       // (nmat x mjNTEXROLE)
  mjtByte* mat_texuniform;              // (nmat x 1)
  float* mat_texrepeat;                 // (nmat x 2)
  float* mat_emission;                  // (nmat x 1)
  float* mat_specular;                  // (nmat x 1)
  float* mat_shininess;                 // (nmat x 1)
  float* mat_reflectance;               // (nmat x 1)
  float* mat_metallic;                  // (nmat x 1)
  float* mat_roughness;                 // (nmat x 1)
  float* mat_rgba;                      // (nmat x 4)
  int* pair_dim;                        // (npair x 1)
  int* pair_geom1;                      // (npair x 1)
  int* pair_geom2;                      // (npair x 1)
  int* pair_signature;                  // (npair x 1)
  mjtNum* pair_solref;                  // (npair x mjNREF)
  mjtNum* pair_solreffriction;          // (npair x mjNREF)
  mjtNum* pair_solimp;                  // (npair x mjNIMP)
  mjtNum* pair_margin;                  // (npair x 1)
  mjtNum* pair_gap;                     // (npair x 1)
  mjtNum* pair_friction;                // (npair x 5)
  int* exclude_signature;               // (nexclude x 1)
  int* eq_type;                         // (neq x 1)
  int* eq_obj1id;                       // (neq x 1)
  int* eq_obj2id;                       // (neq x 1)
  int* eq_objtype;                      // (neq x 1)
  mjtByte* eq_active0;                  // (neq x 1)
  mjtNum* eq_solref;                    // (neq x mjNREF)
  mjtNum* eq_solimp;                    // (neq x mjNIMP)
  mjtNum* eq_data;                      // (neq x mjNEQDATA)
  int* tendon_adr;                      // (ntendon x 1)
  int* tendon_num;                      // (ntendon x 1)
  int* tendon_matid;                    // (ntendon x 1)
  int* tendon_group;                    // (ntendon x 1)
  int* tendon_treenum;                  // (ntendon x 1)
  int* tendon_treeid;                   // (ntendon x 2)
  mjtByte* tendon_limited;              // (ntendon x 1)
  mjtByte* tendon_actfrclimited;        // (ntendon x 1)
  mjtNum* tendon_width;                 // (ntendon x 1)
  mjtNum* tendon_solref_lim;            // (ntendon x mjNREF)
  mjtNum* tendon_solimp_lim;            // (ntendon x mjNIMP)
  mjtNum* tendon_solref_fri;            // (ntendon x mjNREF)
  mjtNum* tendon_solimp_fri;            // (ntendon x mjNIMP)
  mjtNum* tendon_range;                 // (ntendon x 2)
  mjtNum* tendon_actfrcrange;           // (ntendon x 2)
  mjtNum* tendon_margin;                // (ntendon x 1)
  mjtNum* tendon_stiffness;             // (ntendon x 1)
  mjtNum* tendon_damping;               // (ntendon x 1)
  mjtNum* tendon_armature;              // (ntendon x 1)
  mjtNum* tendon_frictionloss;          // (ntendon x 1)
  mjtNum* tendon_lengthspring;          // (ntendon x 2)
  mjtNum* tendon_length0;               // (ntendon x 1)
  mjtNum* tendon_invweight0;            // (ntendon x 1)
  mjtNum* tendon_user;                  // (ntendon x nuser_tendon)
  float* tendon_rgba;                   // (ntendon x 4)
  int* wrap_type;                       // (nwrap x 1)
  int* wrap_objid;                      // (nwrap x 1)
  mjtNum* wrap_prm;                     // (nwrap x 1)
  int* actuator_trntype;                // (nu x 1)
  int* actuator_dyntype;                // (nu x 1)
  int* actuator_gaintype;               // (nu x 1)
  int* actuator_biastype;               // (nu x 1)
  int* actuator_trnid;                  // (nu x 2)
  int* actuator_actadr;                 // (nu x 1)
  int* actuator_actnum;                 // (nu x 1)
  int* actuator_group;                  // (nu x 1)
  mjtByte* actuator_ctrllimited;        // (nu x 1)
  mjtByte* actuator_forcelimited;       // (nu x 1)
  mjtByte* actuator_actlimited;         // (nu x 1)
  mjtNum* actuator_dynprm;              // (nu x mjNDYN)
  mjtNum* actuator_gainprm;             // (nu x mjNGAIN)
  mjtNum* actuator_biasprm;             // (nu x mjNBIAS)
  mjtByte* actuator_actearly;           // (nu x 1)
  mjtNum* actuator_ctrlrange;           // (nu x 2)
  mjtNum* actuator_forcerange;          // (nu x 2)
  mjtNum* actuator_actrange;            // (nu x 2)
  mjtNum* actuator_gear;                // (nu x 6)
  mjtNum* actuator_cranklength;         // (nu x 1)
  mjtNum* actuator_acc0;                // (nu x 1)
  mjtNum* actuator_length0;             // (nu x 1)
  mjtNum* actuator_lengthrange;         // (nu x 2)
  mjtNum* actuator_user;                // (nu x nuser_actuator)
  int* actuator_plugin;                 // (nu x 1)
  int* sensor_type;                     // (nsensor x 1)
  int* sensor_datatype;                 // (nsensor x 1)
  int* sensor_needstage;                // (nsensor x 1)
  int* sensor_objtype;                  // (nsensor x 1)
  int* sensor_objid;                    // (nsensor x 1)
  int* sensor_reftype;                  // (nsensor x 1)
  int* sensor_refid;                    // (nsensor x 1)
  int* sensor_intprm;                   // (nsensor x mjNSENS)
  int* sensor_dim;                      // (nsensor x 1)
  int* sensor_adr;                      // (nsensor x 1)
  mjtNum* sensor_cutoff;                // (nsensor x 1)
  mjtNum* sensor_noise;                 // (nsensor x 1)
  mjtNum* sensor_user;                  // (nsensor x nuser_sensor)
  int* sensor_plugin;                   // (nsensor x 1)
  int* plugin;                          // (nplugin x 1)
  int* plugin_stateadr;                 // (nplugin x 1)
  int* plugin_statenum;                 // (nplugin x 1)
  char* plugin_attr;                    // (npluginattr x 1)
  int* plugin_attradr;                  // (nplugin x 1)
  int* numeric_adr;                     // (nnumeric x 1)
  int* numeric_size;                    // (nnumeric x 1)
  mjtNum* numeric_data;                 // (nnumericdata x 1)
  int* text_adr;                        // (ntext x 1)
  int* text_size;                       // (ntext x 1)
  char* text_data;                      // (ntextdata x 1)
  int* tuple_adr;                       // (ntuple x 1)
  int* tuple_size;                      // (ntuple x 1)
  int* tuple_objtype;                   // (ntupledata x 1)
  int* tuple_objid;                     // (ntupledata x 1)
  mjtNum* tuple_objprm;                 // (ntupledata x 1)
  mjtNum* key_time;                     // (nkey x 1)
  mjtNum* key_qpos;                     // (nkey x nq)
  mjtNum* key_qvel;                     // (nkey x nv)
  mjtNum* key_act;                      // (nkey x na)
  mjtNum* key_mpos;                     // (nkey x nmocap*3)
  mjtNum* key_mquat;                    // (nkey x nmocap*4)
  mjtNum* key_ctrl;                     // (nkey x nu)
  int* name_bodyadr;                    // (nbody x 1)
  int* name_jntadr;                     // (njnt x 1)
  int* name_geomadr;                    // (ngeom x 1)
  int* name_siteadr;                    // (nsite x 1)
  int* name_camadr;                     // (ncam x 1)
  int* name_lightadr;                   // (nlight x 1)
  int* name_flexadr;                    // (nflex x 1)
  int* name_meshadr;                    // (nmesh x 1)
  int* name_skinadr;                    // (nskin x 1)
  int* name_hfieldadr;                  // (nhfield x 1)
  int* name_texadr;                     // (ntex x 1)
  int* name_matadr;                     // (nmat x 1)
  int* name_pairadr;                    // (npair x 1)
  int* name_excludeadr;                 // (nexclude x 1)
  int* name_eqadr;                      // (neq x 1)
  int* name_tendonadr;                  // (ntendon x 1)
  int* name_actuatoradr;                // (nu x 1)
  int* name_sensoradr;                  // (nsensor x 1)
  int* name_numericadr;                 // (nnumeric x 1)
  int* name_textadr;                    // (ntext x 1)
  int* name_tupleadr;                   // (ntuple x 1)
  int* name_keyadr;                     // (nkey x 1)
  int* name_pluginadr;                  // (nplugin x 1)
  char* names;                          // (nnames x 1)
  int* names_map;                       // (nnames_map x 1)
  char* paths;                          // (npaths x 1)
  int* B_rownnz;                        // (nbody x 1)
  int* B_rowadr;                        // (nbody x 1)
  int* B_colind;                        // (nB x 1)
  int* M_rownnz;                        // (nv x 1)
  int* M_rowadr;                        // (nv x 1)
  int* M_colind;                        // (nC x 1)
  int* mapM2M;                          // (nC x 1)
  int* D_rownnz;                        // (nv x 1)
  int* D_rowadr;                        // (nv x 1)
  int* D_diag;                          // (nv x 1)
  int* D_colind;                        // (nD x 1)
  int* mapM2D;                          // (nD x 1)
  int* mapD2M;                          // (nC x 1)
  uint64_t signature;
} mjModel;

#endif  // SHEAF_MUJOCO_MJMODEL_H_
