// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// What links bodies beside the tree: contact pairs and exclusions, equalities, tendons.

#include "mjcf/schema.h"
#include "tables/equality_table.h"

const mjiAttrRow mji_rowsPair[] = {ROW_OTHER(name, .flags = mjiINMODEL),
                                   ROW_OTHER(class, .flags = mjiINMODEL),
                                   ROW(geom1, mjiTEXT, 1, mjsPair, geomname1, .flags = mjiINMODEL | mjiREQUIRED),
                                   ROW(geom2, mjiTEXT, 1, mjsPair, geomname2, .flags = mjiINMODEL | mjiREQUIRED),
                                   ROW(condim, mjiINT, 1, mjsPair, condim),
                                   ROW_UPTO(friction, mjiNUM, 5, mjsPair, friction),
                                   ROW_UPTO(solref, mjiNUM, mjNREF, mjsPair, solref),
                                   ROW_UPTO(solreffriction, mjiNUM, mjNREF, mjsPair, solreffriction),
                                   ROW_UPTO(solimp, mjiNUM, mjNIMP, mjsPair, solimp),
                                   ROW(margin, mjiNUM, 1, mjsPair, margin),
                                   ROW(gap, mjiNUM, 1, mjsPair, gap),
                                   {0}};

const mjiAttrRow mji_rowsExclude[] = {ROW_OTHER(name),
                                      ROW(body1, mjiTEXT, 1, mjsExclude, bodyname1, .flags = mjiREQUIRED),
                                      ROW(body2, mjiTEXT, 1, mjsExclude, bodyname2, .flags = mjiREQUIRED),
                                      {0}};

const mjiElemRow mji_elemsContact[] = {{"pair", '*', mji_rowsPair}, {"exclude", '*', mji_rowsExclude}, {0}};

// ---- equality: the numbers of all types share one array; eq_TYPE has the attributes of mjEQ_TYPE

const mjiAttrRow mji_rowsEquality[] = {ROW_OTHER(name, .flags = mjiINMODEL),
                                       ROW_OTHER(class, .flags = mjiINMODEL),
                                       ROW(active, mjiBOOL, 1, mjsEquality, active),
                                       ROW_UPTO(solref, mjiNUM, mjNREF, mjsEquality, solref),
                                       ROW_UPTO(solimp, mjiNUM, mjNIMP, mjsEquality, solimp),
                                       {0}};

static const mjiAttrRow eq_CONNECT[] = {ROW_GROUP(mji_rowsEquality),
                                        ROW_OTHER(body1),
                                        ROW_OTHER(body2),
                                        ROW_OTHER(site1),
                                        ROW_OTHER(site2),
                                        ROW(anchor, mjiNUM, 3, mjsEquality, data),
                                        {0}};

static const mjiAttrRow eq_WELD[] = {ROW_GROUP(eq_CONNECT),
                                     ROW(relpose, mjiNUM, 7, mjsEquality, data[3]),
                                     ROW(torquescale, mjiNUM, 1, mjsEquality, data[10]),
                                     {0}};

static const mjiAttrRow eq_JOINT[] = {ROW_GROUP(mji_rowsEquality),
                                      ROW(joint1, mjiTEXT, 1, mjsEquality, name1, .flags = mjiREQUIRED),
                                      ROW(joint2, mjiTEXT, 1, mjsEquality, name2),
                                      ROW_UPTO(polycoef, mjiNUM, 5, mjsEquality, data),
                                      {0}};

static const mjiAttrRow eq_TENDON[] = {ROW_GROUP(mji_rowsEquality),
                                       ROW(tendon1, mjiTEXT, 1, mjsEquality, name1, .flags = mjiREQUIRED),
                                       ROW(tendon2, mjiTEXT, 1, mjsEquality, name2),
                                       ROW_UPTO(polycoef, mjiNUM, 5, mjsEquality, data),
                                       {0}};

static const mjiAttrRow eq_FLEX[] = {
    ROW_GROUP(mji_rowsEquality), ROW(flex, mjiTEXT, 1, mjsEquality, name1, .flags = mjiREQUIRED), {0}};

const mjiElemRow mji_elemsEquality[] = {
#define E(TYPE, word, ENDS, dim, nemax, maker) {word, '*', eq_##TYPE, NULL},
    MJI_EQUALITIES(E)
#undef E
        {0}};

// ---- tendon

static const mjiAttrRow tendonCommon[] = {
    ROW_OTHER(name, .flags = mjiINMODEL),
    ROW_OTHER(class, .flags = mjiINMODEL),
    ROW(group, mjiINT, 1, mjsTendon, group),
    ROW_LIMIT(limited, mjsTendon, limited, range),
    ROW(range, mjiNUM, 2, mjsTendon, range),
    ROW(margin, mjiNUM, 1, mjsTendon, margin),
    ROW_UPTO(solreflimit, mjiNUM, mjNREF, mjsTendon, solref_limit),
    ROW_UPTO(solimplimit, mjiNUM, mjNIMP, mjsTendon, solimp_limit),
    ROW_UPTO(solreffriction, mjiNUM, mjNREF, mjsTendon, solref_friction),
    ROW_UPTO(solimpfriction, mjiNUM, mjNIMP, mjsTendon, solimp_friction),
    ROW_LIMIT(actuatorfrclimited, mjsTendon, actfrclimited, actfrcrange, .flags = mjiINMODEL),
    ROW(actuatorfrcrange, mjiNUM, 2, mjsTendon, actfrcrange, .flags = mjiINMODEL),
    ROW(armature, mjiNUM, 1, mjsTendon, armature, .flags = mjiINMODEL),
    ROW(frictionloss, mjiNUM, 1, mjsTendon, frictionloss),
    ROW(stiffness, mjiNUM, 1, mjsTendon, stiffness),
    ROW(damping, mjiNUM, 1, mjsTendon, damping),
    ROW_OTHER(springlength),
    ROW(user, mjiNUMS, 0, mjsTendon, userdata),
    {0}};

// only a tendon in space is drawn; default classes serve both types
const mjiAttrRow mji_rowsSpatial[] = {ROW_GROUP(tendonCommon),
                                      ROW(material, mjiTEXT, 1, mjsTendon, material),
                                      ROW(width, mjiNUM, 1, mjsTendon, width),
                                      ROW(rgba, mjiFLT, 4, mjsTendon, rgba),
                                      {0}};

const mjiAttrRow mji_rowsFixed[] = {ROW_GROUP(tendonCommon), {0}};

static const mjiAttrRow wrapSite[] = {ROW_OTHER(site, .flags = mjiREQUIRED), {0}};
static const mjiAttrRow wrapGeom[] = {ROW_OTHER(geom, .flags = mjiREQUIRED), ROW_OTHER(sidesite), {0}};
static const mjiAttrRow wrapPulley[] = {ROW_OTHER(divisor, .flags = mjiREQUIRED), {0}};
static const mjiAttrRow wrapJoint[] = {
    ROW_OTHER(joint, .flags = mjiREQUIRED), ROW_OTHER(coef, .flags = mjiREQUIRED), {0}};

static const mjiElemRow spatialElems[] = {
    {"site", '*', wrapSite}, {"geom", '*', wrapGeom}, {"pulley", '*', wrapPulley}, {0}};
static const mjiElemRow fixedElems[] = {{"joint", '*', wrapJoint}, {0}};

const mjiElemRow mji_elemsTendon[] = {
    {"spatial", '*', mji_rowsSpatial, spatialElems}, {"fixed", '*', mji_rowsFixed, fixedElems}, {0}};
