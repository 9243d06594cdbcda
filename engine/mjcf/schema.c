// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The document: sections in order, default classes, and elements that are known by name although
// the engine does not run them yet (plugins).

#include <string.h>

#include "mjcf/schema.h"

// ---- plugins

const mjiAttrRow mji_rowsPlugin[] = {ROW_OTHER(plugin), ROW_OTHER(instance), {0}};

static const mjiAttrRow config[] = {ROW_OTHER(key), ROW_OTHER(value), {0}};
const mjiElemRow mji_elemsConfig[] = {{"config", '*', config}, {0}};
const mjiElemRow mji_elemsPlugin[] = {{"plugin", '*', mji_rowsPlugin, mji_elemsConfig}, {0}};

static const mjiAttrRow onlyName[] = {ROW_OTHER(name), {0}};
static const mjiAttrRow onlyPlugin[] = {ROW_OTHER(plugin), {0}};
static const mjiElemRow instanceElems[] = {{"instance", '*', onlyName, mji_elemsConfig}, {0}};
static const mjiElemRow extensionElems[] = {{"plugin", '*', onlyPlugin, instanceElems}, {0}};

// ---- composite

// clang-format off
const mjiAttrRow mji_rowsComposite[] = {
    ROW_OTHER(type, .flags = mjiREQUIRED), ROW_OTHER(prefix), ROW_OTHER(count), ROW_OTHER(offset),
    ROW_OTHER(quat), ROW_OTHER(initial), ROW_OTHER(vertex), ROW_OTHER(curve), ROW_OTHER(size), {0}};
// clang-format on

const mjiAttrRow mji_rowsCableJoint[] = {ROW_OTHER(kind, .flags = mjiREQUIRED),
                                         ROW_WORD(type, mjiWORD, mji_wordsJoint, mjsJoint, type),
                                         ROW(group, mjiINT, 1, mjsJoint, group),
                                         ROW(axis, mjiNUM, 3, mjsJoint, axis),
                                         ROW(stiffness, mjiNUM, 1, mjsJoint, stiffness),
                                         ROW_OTHER(limited),  // without effect: the range decides
                                         ROW(range, mjiNUM, 2, mjsJoint, range),
                                         ROW(margin, mjiNUM, 1, mjsJoint, margin),
                                         ROW_UPTO(solreflimit, mjiNUM, mjNREF, mjsJoint, solref_limit),
                                         ROW_UPTO(solimplimit, mjiNUM, mjNIMP, mjsJoint, solimp_limit),
                                         ROW(armature, mjiNUM, 1, mjsJoint, armature),
                                         ROW(damping, mjiNUM, 1, mjsJoint, damping),
                                         ROW(frictionloss, mjiNUM, 1, mjsJoint, frictionloss),
                                         ROW_UPTO(solreffriction, mjiNUM, mjNREF, mjsJoint, solref_friction),
                                         ROW_UPTO(solimpfriction, mjiNUM, mjNIMP, mjsJoint, solimp_friction),
                                         ROW_OTHER(solreffix),
                                         ROW_OTHER(solimpfix),
                                         {0}};

const mjiAttrRow mji_rowsCableGeom[] = {ROW_WORD(type, mjiWORD, mji_wordsGeom, mjsGeom, type),
                                        ROW_UPTO(size, mjiNUM, 3, mjsGeom, size),
                                        ROW(contype, mjiINT, 1, mjsGeom, contype),
                                        ROW(conaffinity, mjiINT, 1, mjsGeom, conaffinity),
                                        ROW(condim, mjiINT, 1, mjsGeom, condim),
                                        ROW(priority, mjiINT, 1, mjsGeom, priority),
                                        ROW(group, mjiINT, 1, mjsGeom, group),
                                        ROW_UPTO(friction, mjiNUM, 3, mjsGeom, friction),
                                        ROW(solmix, mjiNUM, 1, mjsGeom, solmix),
                                        ROW_UPTO(solref, mjiNUM, mjNREF, mjsGeom, solref),
                                        ROW_UPTO(solimp, mjiNUM, mjNIMP, mjsGeom, solimp),
                                        ROW(margin, mjiNUM, 1, mjsGeom, margin),
                                        ROW(gap, mjiNUM, 1, mjsGeom, gap),
                                        ROW(mass, mjiNUM, 1, mjsGeom, mass),
                                        ROW(density, mjiNUM, 1, mjsGeom, density),
                                        ROW(material, mjiTEXT, 1, mjsGeom, material),
                                        ROW(rgba, mjiFLT, 4, mjsGeom, rgba),
                                        {0}};

const mjiAttrRow mji_rowsCableSite[] = {ROW(group, mjiINT, 1, mjsSite, group),
                                        ROW_UPTO(size, mjiNUM, 3, mjsSite, size),
                                        ROW(material, mjiTEXT, 1, mjsSite, material),
                                        ROW(rgba, mjiFLT, 4, mjsSite, rgba),
                                        {0}};

const mjiAttrRow mji_rowsCableSkin[] = {ROW(group, mjiINT, 1, mjsSkin, group),
                                        ROW(material, mjiTEXT, 1, mjsSkin, material),
                                        ROW(rgba, mjiFLT, 4, mjsSkin, rgba),
                                        ROW(inflate, mjiFLT, 1, mjsSkin, inflate),
                                        ROW_OTHER(texcoord),
                                        ROW_OTHER(subgrid),
                                        {0}};

const mjiElemRow mji_elemsComposite[] = {{"joint", '*', mji_rowsCableJoint},
                                         {"skin", '?', mji_rowsCableSkin},
                                         {"geom", '?', mji_rowsCableGeom},
                                         {"site", '?', mji_rowsCableSite},
                                         {"plugin", '*', mji_rowsPlugin, mji_elemsConfig},
                                         {0}};

// ---- default classes

static const mjiAttrRow rowsDefault[] = {ROW_OTHER(class), {0}};

const mjiElemRow mji_elemsDefault[] = {{"default", 'R', rowsDefault, mji_elemsDefault},
                                       {"mesh", '?', mji_rowsMesh},
                                       {"material", '?', mji_rowsMaterial, mji_elemsMaterial},
                                       {"joint", '?', mji_rowsJoint},
                                       {"geom", '?', mji_rowsGeom},
                                       {"site", '?', mji_rowsSite},
                                       {"camera", '?', mji_rowsCamera},
                                       {"light", '?', mji_rowsLight},
                                       {"pair", '?', mji_rowsPair},
                                       {"equality", '?', mji_rowsEquality},
                                       {"tendon", '?', mji_rowsSpatial},
                                       {"general", '?', mji_rowsGeneral},
                                       {"motor", '?', mji_rowsMotor},
                                       {"position", '?', mji_rowsPosition},
                                       {"velocity", '?', mji_rowsVelocity},
                                       {"intvelocity", '?', mji_rowsIntVelocity},
                                       {"damper", '?', mji_rowsDamper},
                                       {"cylinder", '?', mji_rowsCylinder},
                                       {"muscle", '?', mji_rowsMuscle},
                                       {"adhesion", '?', mji_rowsAdhesion},
                                       {0}};

// ---- the document

static const mjiAttrRow none[] = {{0}};

static const mjiElemRow deformableElems[] = {
    {"flex", '*', mji_rowsFlex, mji_elemsFlex}, {"skin", '*', mji_rowsSkin, mji_elemsSkin}, {0}};

static const mjiElemRow keyElems[] = {{"key", '*', mji_rowsKey}, {0}};

const mjiElemRow mji_elemsRoot[] = {{"compiler", '*', mji_rowsCompiler, mji_elemsCompiler},
                                    {"option", '*', mji_rowsOption, mji_elemsOption},
                                    {"size", '*', mji_rowsSize},
                                    {"visual", '*', none, mji_elemsVisual},
                                    {"statistic", '*', mji_rowsStatistic},
                                    {"default", 'R', rowsDefault, mji_elemsDefault},
                                    {"extension", '*', none, extensionElems},
                                    {"custom", '*', none, mji_elemsCustom},
                                    {"asset", '*', none, mji_elemsAsset},
                                    {"worldbody", '*', mji_rowsBody, mji_elemsBody},
                                    {"deformable", '*', none, deformableElems},
                                    {"contact", '*', none, mji_elemsContact},
                                    {"equality", '*', none, mji_elemsEquality},
                                    {"tendon", '*', none, mji_elemsTendon},
                                    {"actuator", '*', none, mji_elemsActuator},
                                    {"sensor", '*', none, mji_elemsSensor},
                                    {"keyframe", '*', none, keyElems},

                                    // parts of other models are documents of their own: allowed here, and not read
                                    {"body", 'R', mji_rowsBody, mji_elemsBody},
                                    {"frame", 'R', mji_rowsBody, mji_elemsBody},
                                    {"replicate", 'R', mji_rowsBody, mji_elemsBody},
                                    {0}};

const mjiElemRow* mji_schemaElem(const mjiElemRow* rows, const char* name) {
  for (; rows && rows->name; rows++)
    if (!strcmp(rows->name, name)) return rows;
  return NULL;
}
