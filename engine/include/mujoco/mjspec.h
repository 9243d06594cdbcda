// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#ifndef SHEAF_MUJOCO_MJSPEC_H_
#define SHEAF_MUJOCO_MJSPEC_H_

// This file is formatted by hand, because the tables below align their columns.
// clang-format off

#include <stddef.h>
#include <stdint.h>
#include <mujoco/mjmodel.h>
#include <mujoco/mjtnum.h>
#include <sheaf/containers.h>    // mjString, mjDoubleVec and their siblings


#ifdef __cplusplus
extern "C" {
#endif

// How the mass of a geom is spread.
typedef enum mjtGeomInertia_ {
  mjINERTIA_VOLUME = 0,  // over its volume
  mjINERTIA_SHELL  = 1,  // over its surface
} mjtGeomInertia;

// How the inertia of a mesh is found.
typedef enum mjtMeshInertia_ {
  mjMESH_INERTIA_CONVEX = 0,  // volume of the convex hull
  mjMESH_INERTIA_EXACT  = 1,  // volume; the mesh must be closed and well oriented
  mjMESH_INERTIA_LEGACY = 2,  // volume, overcounting concave parts
  mjMESH_INERTIA_SHELL  = 3,  // surface
} mjtMeshInertia;

// Meshes that mjs_makeMesh generates.
typedef enum mjtMeshBuiltin_ {
  mjMESH_BUILTIN_NONE        = 0,
  mjMESH_BUILTIN_SPHERE      = 1,
  mjMESH_BUILTIN_HEMISPHERE  = 2,
  mjMESH_BUILTIN_CONE        = 3,
  mjMESH_BUILTIN_SUPERSPHERE = 4,
  mjMESH_BUILTIN_SUPERTORUS  = 5,
  mjMESH_BUILTIN_WEDGE       = 6,
  mjMESH_BUILTIN_PLATE       = 7,
} mjtMeshBuiltin;

// Textures that the compiler generates.
typedef enum mjtBuiltin_ {
  mjBUILTIN_NONE     = 0,
  mjBUILTIN_GRADIENT = 1,  // from rgb1 to rgb2
  mjBUILTIN_CHECKER  = 2,  // rgb1 and rgb2 alternate
  mjBUILTIN_FLAT     = 3,  // rgb1; the lower side of a cube is rgb2
} mjtBuiltin;

// Marks on a generated texture.
typedef enum mjtMark_ {
  mjMARK_NONE   = 0,
  mjMARK_EDGE   = 1,  // around each face
  mjMARK_CROSS  = 2,  // in the middle
  mjMARK_RANDOM = 3,  // random pixels
} mjtMark;

// Whether a limit applies.
typedef enum mjtLimited_ {
  mjLIMITED_FALSE = 0,
  mjLIMITED_TRUE  = 1,
  mjLIMITED_AUTO  = 2,  // if a range is given
} mjtLimited;

// Whether a free body's frame moves to its inertial frame.
typedef enum mjtAlignFree_ {
  mjALIGNFREE_FALSE = 0,
  mjALIGNFREE_TRUE  = 1,
  mjALIGNFREE_AUTO  = 2,  // as the compiler option says
} mjtAlignFree;

// Whether the inertia of a body comes from its geoms.
typedef enum mjtInertiaFromGeom_ {
  mjINERTIAFROMGEOM_FALSE = 0,
  mjINERTIAFROMGEOM_TRUE  = 1,
  mjINERTIAFROMGEOM_AUTO  = 2,  // if none is given
} mjtInertiaFromGeom;

// Which field of mjsOrientation is in use.
typedef enum mjtOrientation_ {
  mjORIENTATION_QUAT      = 0,  // none; the quaternion beside the mjsOrientation is used
  mjORIENTATION_AXISANGLE = 1,
  mjORIENTATION_XYAXES    = 2,
  mjORIENTATION_ZAXIS     = 3,
  mjORIENTATION_EULER     = 4,
} mjtOrientation;

// Common head of all elements; the rest of an element is private.
typedef struct mjsElement_ {
  mjtObj elemtype;     // kind of element
  uint64_t signature;  // hash of the compiled structure
} mjsElement;

// Settings of the compiler.
typedef struct mjsCompiler_ {
  mjtByte autolimits;        // a range implies a limit
  double boundmass;          // lower bound of body masses
  double boundinertia;       // lower bound of body inertias
  double settotalmass;       // wanted total mass, negative: as given
  mjtByte balanceinertia;    // repair inertias that no body can have
  mjtByte fitaabb;           // fit shapes to boxes around meshes, not to inertias
  mjtByte degree;            // angles are in degrees
  char eulerseq[3];          // axes of Euler angles; lower case: they move along
  mjtByte discardvisual;     // drop what has no effect on the physics
  mjtByte usethread;         // compile with several threads
  mjtByte fusestatic;        // merge bodies without joints into their parents
  int inertiafromgeom;       // mjtInertiaFromGeom
  int inertiagrouprange[2];  // geom groups that count as mass
  mjtByte saveinertial;      // write inertias when saving
  int alignfree;             // mjtAlignFree
  mjLROpt LRopt;             // search of actuator length ranges
  mjString* meshdir;         // folder of meshes and height fields
  mjString* texturedir;      // folder of textures
} mjsCompiler;

// A specification: all of a model, before it is compiled.
typedef struct mjSpec_ {
  mjsElement* element;            // common head
  mjString* modelname;            // name of the model
  mjsCompiler compiler;           // settings of the compiler
  mjtByte strippath;              // drop the folders of asset files
  mjOption option;                // physics
  mjVisual visual;                // appearance
  mjStatistic stat;               // typical magnitudes, NaN: found by the compiler
  mjtSize memory;                 // bytes of the arena, -1: found by the compiler
  int nemax;                      // rows of equality constraints
  int nuserdata;                  // user values in mjData
  int nuser_body;                 // here to nuser_sensor: user values per element, -1: as needed
  int nuser_jnt;
  int nuser_geom;
  int nuser_site;
  int nuser_cam;
  int nuser_tendon;
  int nuser_actuator;
  int nuser_sensor;
  int nkey;                       // keyframes, at least
  int njmax;                      // old size limit
  int nconmax;                    // old size limit
  mjtSize nstack;                 // old size limit
  mjString* comment;              // at the top of the document
  mjString* modelfiledir;         // folder of the document
  mjtByte hasImplicitPluginElem;  // a plugin was declared within an element
} mjSpec;

// Other ways to give an orientation than the quaternion next to it.
typedef struct mjsOrientation_ {
  mjtOrientation type;  // which of the fields below is in use
  double axisangle[4];  // axis and angle
  double xyaxes[6];     // x axis and approximate y axis
  double zaxis[3];      // z axis; the rotation from global z is the smallest
  double euler[3];      // in the order of mjsCompiler.eulerseq
} mjsOrientation;

// A plugin instance, or an element's reference to one.
typedef struct mjsPlugin_ {
  mjsElement* element;    // common head
  mjString* name;         // name of the instance
  mjString* plugin_name;  // name of the plugin
  mjtByte active;         // the element refers to a plugin
  mjString* info;         // shown in error messages
} mjsPlugin;

// A body.
typedef struct mjsBody_ {
  mjsElement* element;       // common head
  mjString* childclass;      // default class of its content
  double pos[3];             // in the parent frame
  double quat[4];            // in the parent frame
  mjsOrientation alt;        // orientation, other ways
  double mass;               // used if the inertia is given
  double ipos[3];            // inertial frame
  double iquat[4];           // inertial frame
  double inertia[3];         // about the inertial axes
  mjsOrientation ialt;       // inertial orientation, other ways
  double fullinertia[6];     // xx yy zz xy xz yz, NaN: not given
  mjtByte mocap;             // moved by the user
  double gravcomp;           // antigravity force, in units of weight
  mjtSleepPolicy sleep;      // policy of its tree
  mjDoubleVec* userdata;     // user values
  mjtByte explicitinertial;  // the inertia is given, not derived
  mjsPlugin plugin;          // plugin reference
  mjString* info;            // shown in error messages
} mjsBody;

// A frame: a pose that is merged into its content.
typedef struct mjsFrame_ {
  mjsElement* element;   // common head
  mjString* childclass;  // default class of its content
  double pos[3];         // in the parent frame
  double quat[4];        // in the parent frame
  mjsOrientation alt;    // orientation, other ways
  mjString* info;        // shown in error messages
} mjsFrame;

// A joint.
typedef struct mjsJoint_ {
  mjsElement* element;        // common head
  mjtJoint type;
  double pos[3];              // anchor in the body frame
  double axis[3];             // axis in the body frame
  double ref;                 // position at which the joint is in its reference pose
  int align;                  // mjtAlignFree, free joints only
  double stiffness;           // spring
  double springref;           // position at which the spring rests
  double springdamper[2];     // time constant and damping ratio, 0: not used
  int limited;                // mjtLimited
  double range[2];            // limits
  double margin;              // distance at which the limit starts
  mjtNum solref_limit[2];     // stiffness and damping of the limit
  mjtNum solimp_limit[5];     // impedance of the limit
  int actfrclimited;          // mjtLimited
  double actfrcrange[2];      // bounds of the total actuator force
  double armature;            // inertia of the rotor
  double damping;             // viscous
  double frictionloss;        // dry friction
  mjtNum solref_friction[2];  // stiffness and damping of the friction
  mjtNum solimp_friction[5];  // impedance of the friction
  int group;                  // for pictures
  mjtByte actgravcomp;        // gravity compensation counts as actuation
  mjDoubleVec* userdata;      // user values
  mjString* info;             // shown in error messages
} mjsJoint;

// A geom.
typedef struct mjsGeom_ {
  mjsElement* element;         // common head
  mjtGeom type;
  double pos[3];               // in the parent frame
  double quat[4];              // in the parent frame
  mjsOrientation alt;          // orientation, other ways
  double fromto[6];            // end points instead of a pose, NaN: not given
  double size[3];              // as in mjtGeom
  int contype;                 // bits: classes that it belongs to
  int conaffinity;             // bits: classes that it collides with
  int condim;                  // contact dimension
  int priority;                // the higher one gives the parameters
  double friction[3];          // sliding, torsional, rolling
  double solmix;               // weight in the mix of parameters
  mjtNum solref[2];            // stiffness and damping
  mjtNum solimp[5];            // impedance
  double margin;               // distance at which contacts are found
  double gap;                  // part of the margin without force
  double mass;                 // NaN: from the density
  double density;              // (kg/m^3)
  mjtGeomInertia typeinertia;  // volume or shell
  mjtNum fluid_ellipsoid;      // 1: ellipsoid model of the fluid
  mjtNum fluid_coefs[5];       // coefficients of that model
  mjString* material;          // name of the material
  float rgba[4];               // color without a material
  int group;                   // for pictures
  mjString* hfieldname;        // height field
  mjString* meshname;          // mesh, or mesh to fit a shape to
  double fitscale;             // scale of the fit
  mjDoubleVec* userdata;       // user values
  mjsPlugin plugin;            // plugin reference
  mjString* info;              // shown in error messages
} mjsGeom;

// A site: a frame with a shape, without mass or contact.
typedef struct mjsSite_ {
  mjsElement* element;    // common head
  double pos[3];          // in the parent frame
  double quat[4];         // in the parent frame
  mjsOrientation alt;     // orientation, other ways
  double fromto[6];       // end points instead of a pose, NaN: not given
  double size[3];         // as in mjtGeom
  mjtGeom type;
  mjString* material;     // name of the material
  int group;              // for pictures
  float rgba[4];          // color without a material
  mjDoubleVec* userdata;  // user values
  mjString* info;         // shown in error messages
} mjsSite;

// A camera.
typedef struct mjsCamera_ {
  mjsElement* element;        // common head
  double pos[3];              // in the parent frame
  double quat[4];             // in the parent frame
  mjsOrientation alt;         // orientation, other ways
  mjtCamLight mode;           // how it moves with its body
  mjString* targetbody;       // body that it turns to
  int orthographic;           // projection
  double fovy;                // vertical field of view (deg, or length if orthographic)
  double ipd;                 // distance of the eyes
  float intrinsic[4];         // written by the compiler
  float sensor_size[2];       // width and height; 0: fovy is used
  float resolution[2];        // width and height, in pixels
  float focal_length[2];      // in units of length
  float focal_pixel[2];       // in pixels
  float principal_length[2];  // in units of length
  float principal_pixel[2];   // in pixels
  mjDoubleVec* userdata;      // user values
  mjString* info;             // shown in error messages
} mjsCamera;

// A light.
typedef struct mjsLight_ {
  mjsElement* element;   // common head
  double pos[3];         // in the parent frame
  double dir[3];
  mjtCamLight mode;      // how it moves with its body
  mjString* targetbody;  // body that it turns to
  mjtByte active;
  mjtLightType type;
  mjString* texture;     // for image based light
  mjtByte castshadow;
  float bulbradius;      // for soft shadows
  float intensity;       // in candela
  float range;           // distance that it reaches
  float attenuation[3];  // constant, linear, quadratic
  float cutoff;          // half angle of a spot (deg)
  float exponent;        // sharpness of a spot
  float ambient[3];
  float diffuse[3];
  float specular[3];
  mjString* info;        // shown in error messages
} mjsLight;

// A deformable object.
typedef struct mjsFlex_ {
  mjsElement* element;     // common head
  int contype;             // here to gap: as for geoms
  int conaffinity;
  int condim;
  int priority;
  double friction[3];
  double solmix;
  mjtNum solref[2];
  mjtNum solimp[5];
  double margin;
  double gap;
  int dim;                 // 1: lines, 2: triangles, 3: tetrahedra
  double radius;           // of every primitive
  mjtByte internal;        // collisions within elements
  mjtByte flatskin;        // flat shading
  int selfcollide;         // mjtFlexSelf
  int vertcollide;         // vertices collide as spheres
  int passive;             // contacts act as passive forces
  int activelayers;        // layers that collide, solids only
  int group;               // for pictures
  double edgestiffness;    // edge springs
  double edgedamping;      // edge dampers
  float rgba[4];           // color without a material
  mjString* material;      // name of the material
  double young;            // Young's modulus (Pa)
  double poisson;          // Poisson's ratio
  double damping;          // Rayleigh coefficient
  double thickness;        // shells only
  int elastic2d;           // shells: 0 none, 1 bending, 2 stretching, 3 both
  mjStringVec* nodebody;   // bodies of the nodes
  mjStringVec* vertbody;   // bodies of the vertices
  mjDoubleVec* node;       // positions of the nodes
  mjDoubleVec* vert;       // positions of the vertices
  mjIntVec* elem;          // dim + 1 vertex ids each
  mjFloatVec* texcoord;    // texture coordinates
  mjIntVec* elemtexcoord;  // texture coordinate ids
  mjString* info;          // shown in error messages
} mjsFlex;

// A mesh.
typedef struct mjsMesh_ {
  mjsElement* element;         // common head
  mjString* content_type;      // of the file, empty: from its extension
  mjString* file;              // empty: user vertices
  double refpos[3];            // subtracted from the vertices
  double refquat[4];           // rotation that is undone in the vertices
  double scale[3];             // applied to the vertices
  mjtMeshInertia inertia;      // how the inertia is found
  mjtByte smoothnormal;        // normals do not respect sharp edges
  mjtByte needsdf;             // make an octree of distances
  int maxhullvert;             // most vertices of the convex hull, -1: all
  mjFloatVec* uservert;        // positions
  mjFloatVec* usernormal;      // normals
  mjFloatVec* usertexcoord;    // texture coordinates
  mjIntVec* userface;          // vertex ids
  mjIntVec* userfacenormal;    // normal ids
  mjIntVec* userfacetexcoord;  // texture coordinate ids
  mjsPlugin plugin;            // plugin reference
  mjString* material;          // name of the material
  mjString* info;              // shown in error messages
} mjsMesh;

// A height field.
typedef struct mjsHField_ {
  mjsElement* element;     // common head
  mjString* content_type;  // of the file, empty: from its extension
  mjString* file;          // empty: user heights
  double size[4];          // half sizes x, y, height, base depth
  int nrow;                // along y
  int ncol;                // along x
  mjFloatVec* userdata;    // heights
  mjString* info;          // shown in error messages
} mjsHField;

// A skin: a surface that follows bodies, for pictures.
typedef struct mjsSkin_ {
  mjsElement* element;        // common head
  mjString* file;
  mjString* material;         // name of the material
  float rgba[4];              // color without a material
  float inflate;              // offset along the normals
  int group;                  // for pictures
  mjFloatVec* vert;           // positions
  mjFloatVec* texcoord;       // texture coordinates
  mjIntVec* face;             // vertex ids
  mjStringVec* bodyname;      // body of each bone
  mjFloatVec* bindpos;        // bind pose of each bone
  mjFloatVec* bindquat;       // bind pose of each bone
  mjIntVecVec* vertid;        // vertex ids of each bone
  mjFloatVecVec* vertweight;  // their weights
  mjString* info;             // shown in error messages
} mjsSkin;

// A texture.
typedef struct mjsTexture_ {
  mjsElement* element;     // common head
  mjtTexture type;
  mjtColorSpace colorspace;
  int builtin;             // mjtBuiltin
  int mark;                // mjtMark
  double rgb1[3];          // first color
  double rgb2[3];          // second color
  double markrgb[3];       // color of the marks
  double random;           // probability of a random mark
  int height;
  int width;
  int nchannel;            // bytes per pixel
  mjString* content_type;  // of the file, empty: from its extension
  mjString* file;          // one file for all faces
  int gridsize[2];         // rows and columns of a grid of faces
  char gridlayout[12];     // face in each cell: R L U D F B or a dot
  mjStringVec* cubefiles;  // one file per face
  mjByteVec* data;         // pixels given by the user
  mjtByte hflip;           // mirror left and right
  mjtByte vflip;           // mirror up and down
  mjString* info;          // shown in error messages
} mjsTexture;

// A material.
typedef struct mjsMaterial_ {
  mjsElement* element;    // common head
  mjStringVec* textures;  // names by mjtTextureRole
  mjtByte texuniform;     // repeat in space, not per object
  float texrepeat[2];     // repetitions
  float emission;         // times the color
  float specular;         // times white
  float shininess;
  float reflectance;
  float metallic;
  float roughness;
  float rgba[4];          // color
  mjString* info;         // shown in error messages
} mjsMaterial;

// An explicit contact pair; its parameters replace those of the geoms.
typedef struct mjsPair_ {
  mjsElement* element;       // common head
  mjString* geomname1;
  mjString* geomname2;
  int condim;                // contact dimension
  mjtNum solref[2];          // normal stiffness and damping
  mjtNum solreffriction[2];  // the same for friction
  mjtNum solimp[5];          // impedance
  double margin;             // distance at which contacts are found
  double gap;                // part of the margin without force
  double friction[5];        // two sliding, torsional, two rolling
  mjString* info;            // shown in error messages
} mjsPair;

// A pair of bodies that do not collide.
typedef struct mjsExclude_ {
  mjsElement* element;  // common head
  mjString* bodyname1;
  mjString* bodyname2;
  mjString* info;       // shown in error messages
} mjsExclude;

// An equality constraint.
typedef struct mjsEquality_ {
  mjsElement* element;  // common head
  mjtEq type;
  double data[11];      // anchors, pose or polynomial, as in mjModel.eq_data
  mjtByte active;       // initially switched on
  mjString* name1;      // first object
  mjString* name2;      // second object, empty: none or the world
  mjtObj objtype;       // body or site; others follow from the type
  mjtNum solref[2];     // stiffness and damping
  mjtNum solimp[5];     // impedance
  mjString* info;       // shown in error messages
} mjsEquality;

// A tendon; its path is made of mjsWrap.
typedef struct mjsTendon_ {
  mjsElement* element;        // common head
  double stiffness;
  double springlength[2];     // no spring force between these lengths, -1: as at qpos0
  double damping;             // viscous
  double frictionloss;        // dry friction
  mjtNum solref_friction[2];  // stiffness and damping of the friction
  mjtNum solimp_friction[5];  // impedance of the friction
  double armature;            // inertia along the tendon
  int limited;                // mjtLimited
  int actfrclimited;          // mjtLimited
  double range[2];            // length limits
  double actfrcrange[2];      // bounds of the total actuator force
  double margin;              // distance at which the limit starts
  mjtNum solref_limit[2];     // stiffness and damping of the limit
  mjtNum solimp_limit[5];     // impedance of the limit
  mjString* material;         // name of the material
  double width;               // for pictures
  float rgba[4];              // color without a material
  int group;                  // for pictures
  mjDoubleVec* userdata;      // user values
  mjString* info;             // shown in error messages
} mjsTendon;

// One part of a tendon path; made by mjs_wrap*.
typedef struct mjsWrap_ {
  mjsElement* element;  // common head
  mjtWrap type;
  mjString* info;       // shown in error messages
} mjsWrap;

// An actuator; mjs_setTo* fill in the usual kinds.
typedef struct mjsActuator_ {
  mjsElement* element;    // common head
  mjtGain gaintype;
  double gainprm[10];
  mjtBias biastype;
  double biasprm[10];
  mjtDyn dyntype;
  double dynprm[10];
  int actdim;             // activations, -1: one if there are dynamics
  mjtByte actearly;       // force uses the next activation
  mjtTrn trntype;
  double gear[6];         // scale of length and moment
  mjString* target;       // object that it acts on
  mjString* refsite;      // reference frame of a site transmission
  mjString* slidersite;   // slider of a slider-crank
  double cranklength;     // rod of a slider-crank
  double lengthrange[2];  // reachable lengths, 0 0: found by the compiler
  double inheritrange;    // control range from the target's, scaled
  int ctrllimited;        // mjtLimited
  double ctrlrange[2];
  int forcelimited;       // mjtLimited
  double forcerange[2];
  int actlimited;         // mjtLimited
  double actrange[2];
  int group;              // for pictures
  mjDoubleVec* userdata;  // user values
  mjsPlugin plugin;       // plugin reference
  mjString* info;         // shown in error messages
} mjsActuator;

// A sensor.
typedef struct mjsSensor_ {
  mjsElement* element;    // common head
  mjtSensor type;
  mjtObj objtype;
  mjString* objname;      // sensed object
  mjtObj reftype;
  mjString* refname;      // reference frame
  int intprm[3];          // parameters of contact sensors
  mjtDataType datatype;   // user sensors only
  mjtStage needstage;     // user sensors only
  int dim;                // user sensors only
  double cutoff;          // clamp, 0: none
  double noise;           // standard deviation; not applied
  mjDoubleVec* userdata;  // user values
  mjsPlugin plugin;       // plugin reference
  mjString* info;         // shown in error messages
} mjsSensor;

// A field of numbers.
typedef struct mjsNumeric_ {
  mjsElement* element;  // common head
  mjDoubleVec* data;
  int size;             // values, at least those in data
  mjString* info;       // shown in error messages
} mjsNumeric;

// A field of text.
typedef struct mjsText_ {
  mjsElement* element;  // common head
  mjString* data;
  mjString* info;       // shown in error messages
} mjsText;

// A list of objects.
typedef struct mjsTuple_ {
  mjsElement* element;   // common head
  mjIntVec* objtype;     // mjtObj of each
  mjStringVec* objname;  // name of each
  mjDoubleVec* objprm;   // parameter of each
  mjString* info;        // shown in error messages
} mjsTuple;

// A keyframe; empty fields take the values of qpos0 or zero.
typedef struct mjsKey_ {
  mjsElement* element;  // common head
  double time;
  mjDoubleVec* qpos;
  mjDoubleVec* qvel;
  mjDoubleVec* act;
  mjDoubleVec* mpos;    // mocap positions
  mjDoubleVec* mquat;   // mocap orientations
  mjDoubleVec* ctrl;
  mjString* info;       // shown in error messages
} mjsKey;

// A default class: one template per kind of element.
typedef struct mjsDefault_ {
  mjsElement* element;    // common head
  mjsJoint* joint;
  mjsGeom* geom;
  mjsSite* site;
  mjsCamera* camera;
  mjsLight* light;
  mjsFlex* flex;
  mjsMesh* mesh;
  mjsMaterial* material;
  mjsPair* pair;
  mjsEquality* equality;
  mjsTendon* tendon;
  mjsActuator* actuator;
} mjsDefault;

#ifdef __cplusplus
}
#endif

// clang-format on

#endif  // SHEAF_MUJOCO_MJSPEC_H_
