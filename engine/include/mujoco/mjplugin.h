// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#ifndef SHEAF_MUJOCO_MJPLUGIN_H_
#define SHEAF_MUJOCO_MJPLUGIN_H_

#include <mujoco/mjdata.h>
#include <mujoco/mjmodel.h>
#include <mujoco/mjspec.h>
#include <mujoco/mjtnum.h>

// Rendering is not part of this library; these two exist so that plugin tables keep their layout.
typedef struct mjvOption_ mjvOption;
typedef struct mjvScene_ mjvScene;

// A file or other source of bytes, opened by a resource provider.
typedef struct mjResource_ {
  char* name;                                  // with the prefix of the provider
  void* data;                                  // data of the provider
  char timestamp[512];                         // when it was last changed
  const struct mjpResourceProvider* provider;  // the provider that opened it
} mjResource;

// Functions of a resource provider; open returns nonzero if it worked, read the number of bytes.
typedef int (*mjfOpenResource)(mjResource* resource);
typedef int (*mjfReadResource)(mjResource* resource, const void** buffer);
typedef void (*mjfCloseResource)(mjResource* resource);
typedef void (*mjfGetResourceDir)(mjResource* resource, const char** dir, int* ndir);
typedef int (*mjfResourceModified)(const mjResource* resource, const char* timestamp);

// A source of resources whose names start with a prefix.
typedef struct mjpResourceProvider {
  const char* prefix;
  mjfOpenResource open;
  mjfReadResource read;
  mjfCloseResource close;
  mjfGetResourceDir getdir;
  mjfResourceModified modified;
  void* data;
} mjpResourceProvider;

// Functions of a decoder: make a specification of a resource, and say if that is possible.
typedef mjSpec* (*mjfDecode)(const mjResource* resource);
typedef int (*mjfCanDecode)(const mjResource* resource);

// A reader of documents of one content type.
typedef struct mjpDecoder {
  const char* content_type;
  const char* extension;
  mjfCanDecode can_decode;
  mjfDecode decode;
} mjpDecoder;

// What a plugin can compute.
typedef enum mjtPluginCapabilityBit_ {
  mjPLUGIN_ACTUATOR = 1 << 0,  // actuator forces
  mjPLUGIN_SENSOR = 1 << 1,    // sensor values
  mjPLUGIN_PASSIVE = 1 << 2,   // passive forces
  mjPLUGIN_SDF = 1 << 3,       // signed distance functions
} mjtPluginCapabilityBit;

// A plugin: its attributes and its functions, NULL where it has none.
typedef struct mjpPlugin_ {
  const char* name;               // globally unique
  int nattribute;                 // number of attributes
  const char* const* attributes;  // their names
  int capabilityflags;            // mjtPluginCapabilityBit
  int needstage;                  // stage after which sensors are computed (mjtStage)

  // Sizes and life of an instance
  int (*nstate)(const mjModel* m, int instance);
  int (*nsensordata)(const mjModel* m, int instance, int sensor_id);
  int (*init)(const mjModel* m, mjData* d, int instance);
  void (*destroy)(mjData* d, int instance);
  void (*copy)(mjData* dest, const mjModel* m, const mjData* src, int instance);
  void (*reset)(const mjModel* m, mjtNum* plugin_state, void* plugin_data, int instance);

  // Computation and integration of an instance
  void (*compute)(const mjModel* m, mjData* d, int instance, int capability_bit);
  void (*advance)(const mjModel* m, mjData* d, int instance);
  void (*visualize)(const mjModel* m, mjData* d, const mjvOption* opt, mjvScene* scn, int instance);
  void (*actuator_act_dot)(const mjModel* m, mjData* d, int instance);

  // Signed distance functions, of an instance or of given attributes
  mjtNum (*sdf_distance)(const mjtNum point[3], const mjData* d, int instance);
  void (*sdf_gradient)(mjtNum gradient[3], const mjtNum point[3], const mjData* d, int instance);
  mjtNum (*sdf_staticdistance)(const mjtNum point[3], const mjtNum* attributes);
  void (*sdf_attribute)(mjtNum attribute[], const char* name[], const char* value[]);
  void (*sdf_aabb)(mjtNum aabb[6], const mjtNum* attributes);
} mjpPlugin;

// One or two signed distance functions that take part in a collision.
typedef struct mjSDF_ {
  const mjpPlugin** plugin;
  int* id;
  mjtSDFType type;
  mjtNum* relpos;
  mjtNum* relmat;
  mjtGeom* geomtype;
} mjSDF;

// Head of a function that runs when a plugin library is loaded.
#define mjPLUGIN_LIB_INIT __attribute__((constructor)) static void _mjplugin_init(void)

// Called for each plugin library with the slots it registered.
typedef void (*mjfPluginLibraryLoadCallback)(const char* filename, int first, int count);

#endif  // SHEAF_MUJOCO_MJPLUGIN_H_
