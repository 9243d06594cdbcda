// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Sensors, custom fields and keyframes.

#include "mjcf/schema.h"
#include "tables/sensor_table.h"

const mjiAttrRow mji_rowsSensor[] = {ROW_OTHER(name),
                                     ROW(cutoff, mjiNUM, 1, mjsSensor, cutoff),
                                     ROW(noise, mjiNUM, 1, mjsSensor, noise),
                                     ROW(user, mjiNUMS, 0, mjsSensor, userdata),
                                     {0}};

// attributes by attachment: on_SITE belongs to rows of tables/sensor_table.h with the attachment SITE
static const mjiAttrRow on_NOTHING[] = {ROW_GROUP(mji_rowsSensor), {0}};
static const mjiAttrRow on_SITE[] = {ROW_GROUP(mji_rowsSensor), ROW_OTHER(site, .flags = mjiREQUIRED), {0}};
static const mjiAttrRow on_JOINT[] = {ROW_GROUP(mji_rowsSensor), ROW_OTHER(joint, .flags = mjiREQUIRED), {0}};
static const mjiAttrRow on_TENDON[] = {ROW_GROUP(mji_rowsSensor), ROW_OTHER(tendon, .flags = mjiREQUIRED), {0}};
static const mjiAttrRow on_ACTUATOR[] = {ROW_GROUP(mji_rowsSensor), ROW_OTHER(actuator, .flags = mjiREQUIRED), {0}};
static const mjiAttrRow on_BODY[] = {ROW_GROUP(mji_rowsSensor), ROW_OTHER(body, .flags = mjiREQUIRED), {0}};
static const mjiAttrRow on_SITE_IN_CAMERA[] = {ROW_GROUP(on_SITE), ROW_OTHER(camera, .flags = mjiREQUIRED), {0}};
static const mjiAttrRow on_FRAME[] = {
    ROW_GROUP(mji_rowsSensor), ROW_OTHER(objtype, .flags = mjiREQUIRED), ROW_OTHER(objname, .flags = mjiREQUIRED), {0}};
static const mjiAttrRow on_FRAME_IN_FRAME[] = {ROW_GROUP(on_FRAME), ROW_OTHER(reftype), ROW_OTHER(refname), {0}};
static const mjiAttrRow on_FRAME_IN_SITE[] = {ROW_GROUP(on_FRAME), ROW_OTHER(site, .flags = mjiREQUIRED), {0}};
static const mjiAttrRow on_TWO_SURFACES[] = {ROW_GROUP(mji_rowsSensor), ROW_OTHER(geom1), ROW_OTHER(geom2),
                                             ROW_OTHER(body1),          ROW_OTHER(body2), {0}};
static const mjiAttrRow on_CONTACT[] = {ROW_GROUP(on_TWO_SURFACES),
                                        ROW_OTHER(site),
                                        ROW_OTHER(subtree1),
                                        ROW_OTHER(subtree2),
                                        ROW_OTHER(data),
                                        ROW_OTHER(reduce),
                                        ROW_OTHER(num),
                                        {0}};
static const mjiAttrRow onUser[] = {ROW_GROUP(mji_rowsSensor),
                                    ROW_OTHER(objtype),
                                    ROW_OTHER(objname),
                                    ROW_WORD(datatype, mjiWORD, mji_wordsDataType, mjsSensor, datatype),
                                    ROW_WORD(needstage, mjiWORD, mji_wordsStage, mjsSensor, needstage),
                                    ROW(dim, mjiINT, 1, mjsSensor, dim, .flags = mjiREQUIRED),
                                    {0}};
static const mjiAttrRow on_MESH_ON_GEOM[] = {ROW_OTHER(name),
                                             ROW(user, mjiNUMS, 0, mjsSensor, userdata),
                                             ROW_OTHER(geom, .flags = mjiREQUIRED),
                                             ROW_OTHER(mesh, .flags = mjiREQUIRED),
                                             {0}};
static const mjiAttrRow onPlugin[] = {ROW_OTHER(name),     ROW(cutoff, mjiNUM, 1, mjsSensor, cutoff),
                                      ROW_OTHER(objtype),  ROW_OTHER(objname),
                                      ROW_OTHER(reftype),  ROW_OTHER(refname),
                                      ROW_OTHER(user),     ROW_OTHER(plugin),
                                      ROW_OTHER(instance), {0}};

#define on_LIMITED_JOINT on_JOINT
#define on_BALL on_JOINT
#define on_LIMITED_TENDON on_TENDON

const mjiElemRow mji_elemsSensor[] = {
#define S(TYPE, word, dim, DATATYPE, STAGE, ATTACHMENT, FLAGS, WHERE, evaluator) {word, '*', on_##ATTACHMENT, NULL},
    MJI_SENSORS(S)
#undef S
        {"user", '*', onUser, NULL},
    {"plugin", '*', onPlugin, mji_elemsConfig},
    {0}};

// ---- custom fields

const mjiAttrRow mji_rowsNumeric[] = {ROW_OTHER(name, .flags = mjiREQUIRED), ROW_OTHER(size), ROW_OTHER(data), {0}};

const mjiAttrRow mji_rowsText[] = {
    ROW_OTHER(name, .flags = mjiREQUIRED), ROW(data, mjiTEXT, 1, mjsText, data, .flags = mjiREQUIRED), {0}};

const mjiAttrRow mji_rowsTuple[] = {ROW_OTHER(name, .flags = mjiREQUIRED), {0}};

static const mjiAttrRow tupleElement[] = {
    ROW_OTHER(objtype, .flags = mjiREQUIRED), ROW_OTHER(objname, .flags = mjiREQUIRED), ROW_OTHER(prm), {0}};

static const mjiElemRow tupleElems[] = {{"element", '*', tupleElement}, {0}};

const mjiElemRow mji_elemsCustom[] = {
    {"numeric", '*', mji_rowsNumeric}, {"text", '*', mji_rowsText}, {"tuple", '*', mji_rowsTuple, tupleElems}, {0}};

// ---- keyframes

const mjiAttrRow mji_rowsKey[] = {ROW_OTHER(name),
                                  ROW(time, mjiNUM, 1, mjsKey, time),
                                  ROW(qpos, mjiNUMS, 0, mjsKey, qpos),
                                  ROW(qvel, mjiNUMS, 0, mjsKey, qvel),
                                  ROW(act, mjiNUMS, 0, mjsKey, act),
                                  ROW(mpos, mjiNUMS, 0, mjsKey, mpos),
                                  ROW(mquat, mjiNUMS, 0, mjsKey, mquat),
                                  ROW(ctrl, mjiNUMS, 0, mjsKey, ctrl),
                                  {0}};
