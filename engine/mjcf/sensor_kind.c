// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "mjcf/sensor_kind.h"

#include "tables/sensor_table.h"

// how MJCF writes each attachment: the grammar, attributes and types of the object and of the reference
#define ON_NOTHING mjiON_NOTHING, NULL, mjOBJ_UNKNOWN, NULL, mjOBJ_UNKNOWN
#define ON_ONE(name, OBJ) mjiON_ONE, name, mjOBJ_##OBJ, NULL, mjOBJ_UNKNOWN
#define ON_SITE ON_ONE("site", SITE)
#define ON_SITE_IN_CAMERA mjiON_ONE, "site", mjOBJ_SITE, "camera", mjOBJ_CAMERA
#define ON_JOINT ON_ONE("joint", JOINT)
#define ON_LIMITED_JOINT ON_JOINT
#define ON_BALL ON_JOINT
#define ON_TENDON ON_ONE("tendon", TENDON)
#define ON_LIMITED_TENDON ON_TENDON
#define ON_ACTUATOR ON_ONE("actuator", ACTUATOR)
#define ON_BODY ON_ONE("body", BODY)
#define ON_FRAME mjiON_OBJECT, NULL, mjOBJ_UNKNOWN, NULL, mjOBJ_UNKNOWN
#define ON_FRAME_IN_FRAME ON_FRAME
#define ON_FRAME_IN_SITE mjiON_OBJECT_SITE, NULL, mjOBJ_UNKNOWN, "site", mjOBJ_SITE
#define ON_TWO_SURFACES mjiON_TWO_GEOMS, NULL, mjOBJ_UNKNOWN, NULL, mjOBJ_UNKNOWN
#define ON_CONTACT mjiON_CONTACT, NULL, mjOBJ_UNKNOWN, NULL, mjOBJ_UNKNOWN
#define ON_MESH_ON_GEOM mjiON_ONE, "mesh", mjOBJ_MESH, "geom", mjOBJ_GEOM
#define ON_PLUGIN mjiON_PLUGIN, NULL, mjOBJ_UNKNOWN, NULL, mjOBJ_UNKNOWN

const mjiSensorKind mji_sensorKinds[] = {
#define S(TYPE, word, dim, DATATYPE, STAGE, ATTACHMENT, FLAGS, WHERE, evaluator) {word, mjSENS_##TYPE, ON_##ATTACHMENT},
    MJI_SENSORS(S)
#undef S
        {"user", mjSENS_USER, ON_FRAME},
    {"plugin", mjSENS_PLUGIN, ON_PLUGIN},
    {.name = NULL},
};
