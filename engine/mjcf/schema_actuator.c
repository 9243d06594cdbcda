// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Actuators. All kinds fill mjsActuator; the parameters of a shortcut are read by its code, because
// they mean gains, biases and dynamics together.

#include "mjcf/schema.h"
#include "tables/actuator_table.h"

#define A(name, kind, n, field, ...) ROW(name, kind, n, mjsActuator, field, __VA_ARGS__)

static const mjiAttrRow common[] = {
    ROW_OTHER(name, .flags = mjiINMODEL), ROW_OTHER(class, .flags = mjiINMODEL),
    A(group, mjiINT, 1, group),           A(ctrlrange, mjiNUM, 2, ctrlrange),
    A(forcerange, mjiNUM, 2, forcerange), ROW_LIMIT(forcelimited, mjsActuator, forcelimited, forcerange),
    A(user, mjiNUMS, 0, userdata),        {0}};

static const mjiAttrRow ctrlLimited[] = {ROW_LIMIT(ctrllimited, mjsActuator, ctrllimited, ctrlrange), {0}};

// what the actuator acts on
const mjiTargetRow mji_actuatorTargets[] = {
#define T(TYPE, word, OBJECT, SECOND, evaluator) {word, mjTRN_##TYPE},
    MJI_TRANSMISSIONS(T)
#undef T
        {0}};

static const mjiAttrRow transmission[] = {ROW_GROUP(common),
                                          ROW_UPTO(gear, mjiNUM, 6, mjsActuator, gear),
                                          A(cranklength, mjiNUM, 1, cranklength),
                                          A(lengthrange, mjiNUM, 2, lengthrange, .flags = mjiINMODEL),
                                          ROW_OTHER(joint, .flags = mjiINMODEL),
                                          ROW_OTHER(jointinparent, .flags = mjiINMODEL),
                                          ROW_OTHER(tendon, .flags = mjiINMODEL),
                                          ROW_OTHER(cranksite, .flags = mjiINMODEL),
                                          ROW_OTHER(slidersite, .flags = mjiINMODEL),
                                          {0}};

// muscles cannot act at a site
static const mjiAttrRow onSite[] = {ROW_OTHER(site, .flags = mjiINMODEL), ROW_OTHER(refsite, .flags = mjiINMODEL), {0}};

static const mjiAttrRow activation[] = {ROW_WORD(dyntype, mjiWORD, mji_wordsDyn, mjsActuator, dyntype),
                                        ROW_UPTO(dynprm, mjiNUM, mjNDYN, mjsActuator, dynprm),
                                        A(actdim, mjiINT, 1, actdim),
                                        A(actearly, mjiBOOL, 1, actearly),
                                        ROW_LIMIT(actlimited, mjsActuator, actlimited, actrange),
                                        A(actrange, mjiNUM, 2, actrange),
                                        {0}};

const mjiAttrRow mji_rowsGeneral[] = {ROW_GROUP(transmission),
                                      ROW_GROUP(onSite),
                                      ROW_GROUP(ctrlLimited),
                                      ROW_GROUP(activation),
                                      ROW_OTHER(body, .flags = mjiINMODEL),
                                      ROW_WORD(gaintype, mjiWORD, mji_wordsGain, mjsActuator, gaintype),
                                      ROW_UPTO(gainprm, mjiNUM, mjNGAIN, mjsActuator, gainprm),
                                      ROW_WORD(biastype, mjiWORD, mji_wordsBias, mjsActuator, biastype),
                                      ROW_UPTO(biasprm, mjiNUM, mjNBIAS, mjsActuator, biasprm),
                                      {0}};

const mjiAttrRow mji_rowsMotor[] = {ROW_GROUP(transmission), ROW_GROUP(onSite), ROW_GROUP(ctrlLimited), {0}};

// stiffness and damping of a position servo
static const mjiAttrRow servo[] = {
    ROW_OTHER(kp), ROW_OTHER(kv), ROW_OTHER(dampratio), A(inheritrange, mjiNUM, 1, inheritrange), {0}};

const mjiAttrRow mji_rowsPosition[] = {ROW_GROUP(mji_rowsMotor), ROW_GROUP(servo), ROW_OTHER(timeconst), {0}};

const mjiAttrRow mji_rowsIntVelocity[] = {
    ROW_GROUP(mji_rowsMotor), ROW_GROUP(servo), A(actrange, mjiNUM, 2, actrange), {0}};

const mjiAttrRow mji_rowsVelocity[] = {ROW_GROUP(mji_rowsMotor), ROW_OTHER(kv), {0}};

const mjiAttrRow mji_rowsDamper[] = {ROW_GROUP(transmission), ROW_GROUP(onSite), ROW_OTHER(kv), {0}};

const mjiAttrRow mji_rowsCylinder[] = {ROW_GROUP(mji_rowsMotor), ROW_OTHER(timeconst), ROW_OTHER(area),
                                       ROW_OTHER(diameter),      ROW_OTHER(bias),      {0}};

// clang-format off
const mjiAttrRow mji_rowsMuscle[] = {
    ROW_GROUP(transmission), ROW_GROUP(ctrlLimited), ROW_OTHER(timeconst), ROW_OTHER(tausmooth, .flags = mjiINMODEL),
    ROW_OTHER(range), ROW_OTHER(force), ROW_OTHER(scale), ROW_OTHER(lmin), ROW_OTHER(lmax),
    ROW_OTHER(vmax), ROW_OTHER(fpmax), ROW_OTHER(fvmax), {0}};
// clang-format on

const mjiAttrRow mji_rowsAdhesion[] = {ROW_GROUP(common), ROW_OTHER(body, .flags = mjiINMODEL), ROW_OTHER(gain), {0}};

const mjiAttrRow mji_rowsActuatorPlugin[] = {ROW_GROUP(transmission),
                                             ROW_GROUP(ctrlLimited),
                                             ROW_GROUP(activation),
                                             ROW_OTHER(site, .flags = mjiINMODEL),
                                             ROW_OTHER(plugin),
                                             ROW_OTHER(instance),
                                             {0}};

const mjiElemRow mji_elemsActuator[] = {{"general", '*', mji_rowsGeneral},
                                        {"motor", '*', mji_rowsMotor},
                                        {"position", '*', mji_rowsPosition},
                                        {"velocity", '*', mji_rowsVelocity},
                                        {"intvelocity", '*', mji_rowsIntVelocity},
                                        {"damper", '*', mji_rowsDamper},
                                        {"cylinder", '*', mji_rowsCylinder},
                                        {"muscle", '*', mji_rowsMuscle},
                                        {"adhesion", '*', mji_rowsAdhesion},
                                        {"plugin", '*', mji_rowsActuatorPlugin, mji_elemsConfig},
                                        {0}};
