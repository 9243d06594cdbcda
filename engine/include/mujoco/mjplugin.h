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

typedef struct mjResource_ {
  char* name;
  void* data;
  char timestamp[512];
  const struct mjpResourceProvider* provider;
} mjResource;

typedef int (*mjfOpenResource)(mjResource* resource);
typedef int (*mjfReadResource)(mjResource* resource, const void** buffer);
typedef void (*mjfCloseResource)(mjResource* resource);
typedef void (*mjfGetResourceDir)(mjResource* resource, const char** dir, int* ndir);
typedef int (*mjfResourceModified)(const mjResource* resource, const char* timestamp);

typedef struct mjpResourceProvider {
  const char* prefix;
  mjfOpenResource open;
  mjfReadResource read;
  mjfCloseResource close;
  mjfGetResourceDir getdir;
  mjfResourceModified modified;
  void* data;
} mjpResourceProvider;

typedef mjSpec* (*mjfDecode)(const mjResource* resource);
typedef int (*mjfCanDecode)(const mjResource* resource);

typedef struct mjpDecoder {
  const char* content_type;
  const char* extension;
  mjfCanDecode can_decode;
  mjfDecode decode;
} mjpDecoder;

typedef enum mjtPluginCapabilityBit_ {
  mjPLUGIN_ACTUATOR = 1 << 0,
  mjPLUGIN_SENSOR = 1 << 1,
  mjPLUGIN_PASSIVE = 1 << 2,
  mjPLUGIN_SDF = 1 << 3,
} mjtPluginCapabilityBit;

typedef struct mjpPlugin_ {
  const char* name;
  int nattribute;
  const char* const* attributes;
  int capabilityflags;
  int needstage;
  int (*nstate)(const mjModel* m, int instance);
  int (*nsensordata)(const mjModel* m, int instance, int sensor_id);
  int (*init)(const mjModel* m, mjData* d, int instance);
  void (*destroy)(mjData* d, int instance);
  void (*copy)(mjData* dest, const mjModel* m, const mjData* src, int instance);
  void (*reset)(const mjModel* m, mjtNum* plugin_state, void* plugin_data, int instance);
  void (*compute)(const mjModel* m, mjData* d, int instance, int capability_bit);
  void (*advance)(const mjModel* m, mjData* d, int instance);
  void (*visualize)(const mjModel* m, mjData* d, const mjvOption* opt, mjvScene* scn, int instance);
  void (*actuator_act_dot)(const mjModel* m, mjData* d, int instance);
  mjtNum (*sdf_distance)(const mjtNum point[3], const mjData* d, int instance);
  void (*sdf_gradient)(mjtNum gradient[3], const mjtNum point[3], const mjData* d, int instance);
  mjtNum (*sdf_staticdistance)(const mjtNum point[3], const mjtNum* attributes);
  void (*sdf_attribute)(mjtNum attribute[], const char* name[], const char* value[]);
  void (*sdf_aabb)(mjtNum aabb[6], const mjtNum* attributes);
} mjpPlugin;

typedef struct mjSDF_ {
  const mjpPlugin** plugin;
  int* id;
  mjtSDFType type;
  mjtNum* relpos;
  mjtNum* relmat;
  mjtGeom* geomtype;
} mjSDF;

#define mjPLUGIN_LIB_INIT __attribute__((constructor)) static void _mjplugin_init(void)

typedef void (*mjfPluginLibraryLoadCallback)(const char* filename, int first, int count);

#endif  // SHEAF_MUJOCO_MJPLUGIN_H_
