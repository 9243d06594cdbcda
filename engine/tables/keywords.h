// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Keywords of MJCF attributes and the values they stand for, one table per attribute type, ended by
// a row without text. Reader and writer use the same rows; where two keywords share a value, the
// writer takes the first.
#ifndef SHEAF_TABLES_KEYWORDS_H_
#define SHEAF_TABLES_KEYWORDS_H_

#include <mujoco/mujoco.h>

#include "tables/actuator_table.h"

typedef struct mjiWord_ {
  const char* text;
  int value;
} mjiWord;

static const mjiWord mji_wordsBool[] = {{"false", 0}, {"true", 1}, {0}};

static const mjiWord mji_wordsAuto[] = {{"false", 0}, {"true", 1}, {"auto", 2}, {0}};

static const mjiWord mji_wordsFlag[] = {{"disable", 0}, {"enable", 1}, {0}};

static const mjiWord mji_wordsAngle[] = {{"radian", 0}, {"degree", 1}, {0}};

static const mjiWord mji_wordsFluid[] = {{"none", 0}, {"ellipsoid", 1}, {0}};

static const mjiWord mji_wordsCoordinate[] = {{"local", 0}, {"global", 1}, {0}};

// clang-format off
static const mjiWord mji_wordsJoint[] = {{"free", mjJNT_FREE},
                                         {"ball", mjJNT_BALL},
                                         {"slide", mjJNT_SLIDE},
                                         {"hinge", mjJNT_HINGE},
                                         {0}};
// clang-format on

static const mjiWord mji_wordsGeom[] = {{"plane", mjGEOM_PLANE},
                                        {"hfield", mjGEOM_HFIELD},
                                        {"sphere", mjGEOM_SPHERE},
                                        {"capsule", mjGEOM_CAPSULE},
                                        {"ellipsoid", mjGEOM_ELLIPSOID},
                                        {"cylinder", mjGEOM_CYLINDER},
                                        {"box", mjGEOM_BOX},
                                        {"mesh", mjGEOM_MESH},
                                        {"sdf", mjGEOM_SDF},
                                        {0}};

static const mjiWord mji_wordsFlexSelf[] = {{"none", mjFLEXSELF_NONE}, {"narrow", mjFLEXSELF_NARROW},
                                            {"bvh", mjFLEXSELF_BVH},   {"sap", mjFLEXSELF_SAP},
                                            {"auto", mjFLEXSELF_AUTO}, {0}};

// what a sheet resists; bits: bending is 1, stretching 2
static const mjiWord mji_wordsElastic2D[] = {{"none", 0}, {"bend", 1}, {"stretch", 2}, {"both", 3}, {0}};

static const mjiWord mji_wordsCamLight[] = {{"fixed", mjCAMLIGHT_FIXED},
                                            {"track", mjCAMLIGHT_TRACK},
                                            {"trackcom", mjCAMLIGHT_TRACKCOM},
                                            {"targetbody", mjCAMLIGHT_TARGETBODY},
                                            {"targetbodycom", mjCAMLIGHT_TARGETBODYCOM},
                                            {0}};

static const mjiWord mji_wordsLight[] = {{"spot", mjLIGHT_SPOT},
                                         {"directional", mjLIGHT_DIRECTIONAL},
                                         {"point", mjLIGHT_POINT},
                                         {"image", mjLIGHT_IMAGE},
                                         {0}};

static const mjiWord mji_wordsIntegrator[] = {{"Euler", mjINT_EULER},
                                              {"RK4", mjINT_RK4},
                                              {"implicit", mjINT_IMPLICIT},
                                              {"implicitfast", mjINT_IMPLICITFAST},
                                              {0}};

static const mjiWord mji_wordsCone[] = {{"pyramidal", mjCONE_PYRAMIDAL}, {"elliptic", mjCONE_ELLIPTIC}, {0}};

static const mjiWord mji_wordsJacobian[] = {
    {"dense", mjJAC_DENSE}, {"sparse", mjJAC_SPARSE}, {"auto", mjJAC_AUTO}, {0}};

static const mjiWord mji_wordsSolver[] = {{"PGS", mjSOL_PGS}, {"CG", mjSOL_CG}, {"Newton", mjSOL_NEWTON}, {0}};

static const mjiWord mji_wordsTexture[] = {
    {"2d", mjTEXTURE_2D}, {"cube", mjTEXTURE_CUBE}, {"skybox", mjTEXTURE_SKYBOX}, {0}};

static const mjiWord mji_wordsTextureRole[] = {{"rgb", mjTEXROLE_RGB},
                                               {"occlusion", mjTEXROLE_OCCLUSION},
                                               {"roughness", mjTEXROLE_ROUGHNESS},
                                               {"metallic", mjTEXROLE_METALLIC},
                                               {"normal", mjTEXROLE_NORMAL},
                                               {"opacity", mjTEXROLE_OPACITY},
                                               {"emissive", mjTEXROLE_EMISSIVE},
                                               {"rgba", mjTEXROLE_RGBA},
                                               {"orm", mjTEXROLE_ORM},
                                               {0}};

static const mjiWord mji_wordsColorSpace[] = {
    {"auto", mjCOLORSPACE_AUTO}, {"linear", mjCOLORSPACE_LINEAR}, {"sRGB", mjCOLORSPACE_SRGB}, {0}};

static const mjiWord mji_wordsBuiltin[] = {{"none", mjBUILTIN_NONE},
                                           {"gradient", mjBUILTIN_GRADIENT},
                                           {"checker", mjBUILTIN_CHECKER},
                                           {"flat", mjBUILTIN_FLAT},
                                           {0}};

static const mjiWord mji_wordsMark[] = {
    {"none", mjMARK_NONE}, {"edge", mjMARK_EDGE}, {"cross", mjMARK_CROSS}, {"random", mjMARK_RANDOM}, {0}};

static const mjiWord mji_wordsMeshInertia[] = {{"convex", mjMESH_INERTIA_CONVEX},
                                               {"legacy", mjMESH_INERTIA_LEGACY},
                                               {"exact", mjMESH_INERTIA_EXACT},
                                               {"shell", mjMESH_INERTIA_SHELL},
                                               {0}};

static const mjiWord mji_wordsMeshBuiltin[] = {{"none", mjMESH_BUILTIN_NONE},
                                               {"sphere", mjMESH_BUILTIN_SPHERE},
                                               {"hemisphere", mjMESH_BUILTIN_HEMISPHERE},
                                               {"cone", mjMESH_BUILTIN_CONE},
                                               {"supersphere", mjMESH_BUILTIN_SUPERSPHERE},
                                               {"supertorus", mjMESH_BUILTIN_SUPERTORUS},
                                               {"wedge", mjMESH_BUILTIN_WEDGE},
                                               {"plate", mjMESH_BUILTIN_PLATE},
                                               {0}};

#define F(TYPE, word, evaluator) {word, mjDYN_##TYPE},
static const mjiWord mji_wordsDyn[] = {MJI_DYNAMICS(F){0}};
#undef F

#define F(TYPE, word, evaluator) {word, mjGAIN_##TYPE},
static const mjiWord mji_wordsGain[] = {MJI_GAINS(F){0}};
#undef F

#define F(TYPE, word, evaluator) {word, mjBIAS_##TYPE},
static const mjiWord mji_wordsBias[] = {MJI_BIASES(F){0}};
#undef F

static const mjiWord mji_wordsStage[] = {
    {"none", mjSTAGE_NONE}, {"pos", mjSTAGE_POS}, {"vel", mjSTAGE_VEL}, {"acc", mjSTAGE_ACC}, {0}};

static const mjiWord mji_wordsDataType[] = {{"real", mjDATATYPE_REAL},
                                            {"positive", mjDATATYPE_POSITIVE},
                                            {"axis", mjDATATYPE_AXIS},
                                            {"quaternion", mjDATATYPE_QUATERNION},
                                            {0}};

static const mjiWord mji_wordsContactData[] = {
    {"found", mjCONDATA_FOUND}, {"force", mjCONDATA_FORCE},   {"torque", mjCONDATA_TORQUE},   {"dist", mjCONDATA_DIST},
    {"pos", mjCONDATA_POS},     {"normal", mjCONDATA_NORMAL}, {"tangent", mjCONDATA_TANGENT}, {0}};

static const mjiWord mji_wordsContactReduce[] = {{"none", 0}, {"mindist", 1}, {"maxforce", 2}, {"netforce", 3}, {0}};

static const mjiWord mji_wordsSleep[] = {
    {"auto", mjSLEEP_AUTO}, {"never", mjSLEEP_NEVER}, {"allowed", mjSLEEP_ALLOWED}, {"init", mjSLEEP_INIT}, {0}};

static const mjiWord mji_wordsLRMode[] = {{"none", mjLRMODE_NONE},
                                          {"muscle", mjLRMODE_MUSCLE},
                                          {"muscleuser", mjLRMODE_MUSCLEUSER},
                                          {"all", mjLRMODE_ALL},
                                          {0}};

#endif  // SHEAF_TABLES_KEYWORDS_H_
