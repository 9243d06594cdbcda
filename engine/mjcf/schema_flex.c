// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Deformable bodies: <flex>, and <flexcomp>, which makes a flex with its bodies.

#include "mjcf/schema.h"

const mjiAttrRow mji_rowsFlexContact[] = {ROW(contype, mjiINT, 1, mjsFlex, contype),
                                          ROW(conaffinity, mjiINT, 1, mjsFlex, conaffinity),
                                          ROW(condim, mjiINT, 1, mjsFlex, condim),
                                          ROW(priority, mjiINT, 1, mjsFlex, priority),
                                          ROW_UPTO(friction, mjiNUM, 3, mjsFlex, friction),
                                          ROW(solmix, mjiNUM, 1, mjsFlex, solmix),
                                          ROW_UPTO(solref, mjiNUM, mjNREF, mjsFlex, solref),
                                          ROW_UPTO(solimp, mjiNUM, mjNIMP, mjsFlex, solimp),
                                          ROW(margin, mjiNUM, 1, mjsFlex, margin),
                                          ROW(gap, mjiNUM, 1, mjsFlex, gap),
                                          ROW(internal, mjiBOOL, 1, mjsFlex, internal),
                                          ROW_WORD(selfcollide, mjiWORD, mji_wordsFlexSelf, mjsFlex, selfcollide),
                                          ROW(activelayers, mjiINT, 1, mjsFlex, activelayers),
                                          ROW_WORD(vertcollide, mjiWORD, mji_wordsBool, mjsFlex, vertcollide),
                                          ROW_WORD(passive, mjiWORD, mji_wordsBool, mjsFlex, passive),
                                          {0}};

const mjiAttrRow mji_rowsFlexElasticity[] = {ROW(young, mjiNUM, 1, mjsFlex, young),
                                             ROW(poisson, mjiNUM, 1, mjsFlex, poisson),
                                             ROW(damping, mjiNUM, 1, mjsFlex, damping),
                                             ROW(thickness, mjiNUM, 1, mjsFlex, thickness),
                                             ROW_WORD(elastic2d, mjiWORD, mji_wordsElastic2D, mjsFlex, elastic2d),
                                             {0}};

const mjiAttrRow mji_rowsFlexEdge[] = {
    ROW(stiffness, mjiNUM, 1, mjsFlex, edgestiffness), ROW(damping, mjiNUM, 1, mjsFlex, edgedamping), {0}};

const mjiElemRow mji_elemsFlex[] = {{"contact", '?', mji_rowsFlexContact},
                                    {"edge", '?', mji_rowsFlexEdge},
                                    {"elasticity", '?', mji_rowsFlexElasticity},
                                    {0}};

// attributes that <flex> and <flexcomp> have in common
const mjiAttrRow mji_rowsFlexCommon[] = {ROW(dim, mjiINT, 1, mjsFlex, dim),
                                         ROW(group, mjiINT, 1, mjsFlex, group),
                                         ROW(radius, mjiNUM, 1, mjsFlex, radius),
                                         ROW(material, mjiTEXT, 1, mjsFlex, material),
                                         ROW(rgba, mjiFLT, 4, mjsFlex, rgba),
                                         ROW(flatskin, mjiBOOL, 1, mjsFlex, flatskin),
                                         {0}};

const mjiAttrRow mji_rowsFlex[] = {ROW_OTHER(name),
                                   ROW_GROUP(mji_rowsFlexCommon),
                                   ROW_OTHER(body, .flags = mjiREQUIRED),
                                   ROW_OTHER(node),
                                   ROW(vertex, mjiNUMS, 0, mjsFlex, vert),
                                   ROW(element, mjiINTS, 0, mjsFlex, elem, .flags = mjiREQUIRED),
                                   ROW(texcoord, mjiFLTS, 0, mjsFlex, texcoord),
                                   ROW(elemtexcoord, mjiINTS, 0, mjsFlex, elemtexcoord),
                                   {0}};

const mjiAttrRow mji_rowsFlexcompPose[] = {
    ROW(pos, mjiNUM, 3, mjsFrame, pos), ROW(quat, mjiQUAT, 4, mjsFrame, quat), ROW_ORIENTATION(mjsFrame, alt), {0}};

const mjiAttrRow mji_rowsFlexcompEquality[] = {
    ROW_UPTO(solref, mjiNUM, mjNREF, mjsEquality, solref), ROW_UPTO(solimp, mjiNUM, mjNIMP, mjsEquality, solimp), {0}};

const mjiAttrRow mji_rowsFlexcomp[] = {ROW_OTHER(name, .flags = mjiREQUIRED),
                                       ROW_OTHER(type),
                                       ROW_GROUP(mji_rowsFlexCommon),
                                       ROW_OTHER(dof),
                                       ROW_OTHER(count),
                                       ROW_OTHER(spacing),
                                       ROW_OTHER(point),
                                       ROW_OTHER(element),
                                       ROW_OTHER(texcoord),
                                       ROW_OTHER(mass),
                                       ROW_OTHER(inertiabox),
                                       ROW_OTHER(file),
                                       ROW_OTHER(rigid),
                                       ROW_GROUP(mji_rowsFlexcompPose),
                                       ROW_OTHER(scale),
                                       ROW_OTHER(origin),
                                       {0}};

static const mjiAttrRow flexcompEdge[] = {
    ROW_GROUP(mji_rowsFlexEdge), ROW_GROUP(mji_rowsFlexcompEquality), ROW_OTHER(equality), {0}};

static const mjiAttrRow flexcompPin[] = {ROW_OTHER(id), ROW_OTHER(range), ROW_OTHER(grid), ROW_OTHER(gridrange), {0}};

const mjiElemRow mji_elemsFlexcomp[] = {{"edge", '?', flexcompEdge},
                                        {"elasticity", '?', mji_rowsFlexElasticity},
                                        {"contact", '?', mji_rowsFlexContact},
                                        {"pin", '*', flexcompPin},
                                        {"plugin", '*', mji_rowsPlugin, mji_elemsConfig},
                                        {0}};
