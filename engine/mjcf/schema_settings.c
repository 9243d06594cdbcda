// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Settings of a whole model: compiler, option, size, visual, statistic. All fill mjSpec.

#include "mjcf/schema.h"

#define S(name, kind, n, field, ...) ROW(name, kind, n, mjSpec, field, __VA_ARGS__)
#define S_UPTO(name, kind, n, field) ROW_UPTO(name, kind, n, mjSpec, field)
#define S_WORD(name, kind, list, field) ROW_WORD(name, kind, list, mjSpec, field)

const mjiAttrRow mji_rowsCompiler[] = {S_WORD(alignfree, mjiWORD, mji_wordsBool, compiler.alignfree),
                                       S_WORD(angle, mjiWORDBYTE, mji_wordsAngle, compiler.degree),
                                       S(autolimits, mjiBOOL, 1, compiler.autolimits),
                                       S(balanceinertia, mjiBOOL, 1, compiler.balanceinertia),
                                       S(boundinertia, mjiNUM, 1, compiler.boundinertia),
                                       S(boundmass, mjiNUM, 1, compiler.boundmass),
                                       S(discardvisual, mjiBOOL, 1, compiler.discardvisual),
                                       S(fitaabb, mjiBOOL, 1, compiler.fitaabb),
                                       S(fusestatic, mjiBOOL, 1, compiler.fusestatic),
                                       S_WORD(inertiafromgeom, mjiWORD, mji_wordsAuto, compiler.inertiafromgeom),
                                       S(inertiagrouprange, mjiINT, 2, compiler.inertiagrouprange),
                                       S(meshdir, mjiTEXT, 1, compiler.meshdir),
                                       S(saveinertial, mjiBOOL, 1, compiler.saveinertial),
                                       S(settotalmass, mjiNUM, 1, compiler.settotalmass),
                                       S(strippath, mjiBOOL, 1, strippath),
                                       S(texturedir, mjiTEXT, 1, compiler.texturedir),
                                       S(usethread, mjiBOOL, 1, compiler.usethread),
                                       ROW_OTHER(assetdir),
                                       ROW_OTHER(coordinate),
                                       ROW_OTHER(eulerseq),
                                       {0}};

const mjiAttrRow mji_rowsLengthRange[] = {S_WORD(mode, mjiWORD, mji_wordsLRMode, compiler.LRopt.mode),
                                          S_WORD(useexisting, mjiWORD, mji_wordsBool, compiler.LRopt.useexisting),
                                          S_WORD(uselimit, mjiWORD, mji_wordsBool, compiler.LRopt.uselimit),
                                          S(accel, mjiNUM, 1, compiler.LRopt.accel),
                                          S(maxforce, mjiNUM, 1, compiler.LRopt.maxforce),
                                          S(timeconst, mjiNUM, 1, compiler.LRopt.timeconst),
                                          S(timestep, mjiNUM, 1, compiler.LRopt.timestep),
                                          S(inttotal, mjiNUM, 1, compiler.LRopt.inttotal),
                                          S(interval, mjiNUM, 1, compiler.LRopt.interval),
                                          S(tolrange, mjiNUM, 1, compiler.LRopt.tolrange),
                                          {0}};

const mjiAttrRow mji_rowsOption[] = {S(timestep, mjiNUM, 1, option.timestep),
                                     S(impratio, mjiNUM, 1, option.impratio),
                                     S(tolerance, mjiNUM, 1, option.tolerance),
                                     S(ls_tolerance, mjiNUM, 1, option.ls_tolerance),
                                     S(noslip_tolerance, mjiNUM, 1, option.noslip_tolerance),
                                     S(ccd_tolerance, mjiNUM, 1, option.ccd_tolerance),
                                     S(sleep_tolerance, mjiNUM, 1, option.sleep_tolerance),
                                     S(gravity, mjiNUM, 3, option.gravity),
                                     S(wind, mjiNUM, 3, option.wind),
                                     S(magnetic, mjiNUM, 3, option.magnetic),
                                     S(density, mjiNUM, 1, option.density),
                                     S(viscosity, mjiNUM, 1, option.viscosity),
                                     S(o_margin, mjiNUM, 1, option.o_margin),
                                     S_UPTO(o_solref, mjiNUM, mjNREF, option.o_solref),
                                     S_UPTO(o_solimp, mjiNUM, mjNIMP, option.o_solimp),
                                     S_UPTO(o_friction, mjiNUM, 5, option.o_friction),
                                     S_WORD(integrator, mjiWORD, mji_wordsIntegrator, option.integrator),
                                     S_WORD(cone, mjiWORD, mji_wordsCone, option.cone),
                                     S_WORD(jacobian, mjiWORD, mji_wordsJacobian, option.jacobian),
                                     S_WORD(solver, mjiWORD, mji_wordsSolver, option.solver),
                                     S(iterations, mjiINT, 1, option.iterations),
                                     S(ls_iterations, mjiINT, 1, option.ls_iterations),
                                     S(noslip_iterations, mjiINT, 1, option.noslip_iterations),
                                     S(ccd_iterations, mjiINT, 1, option.ccd_iterations),
                                     S(sdf_iterations, mjiINT, 1, option.sdf_iterations),
                                     S(sdf_initpoints, mjiINT, 1, option.sdf_initpoints),
                                     ROW_OTHER(actuatorgroupdisable),
                                     {0}};

#define OFF(name, bit) ROW(name, mjiUNSET, 1, mjSpec, option.disableflags, .value = bit)
#define ON(name, bit) ROW(name, mjiSET, 1, mjSpec, option.enableflags, .value = bit)

const mjiAttrRow mji_rowsFlag[] = {OFF(constraint, mjDSBL_CONSTRAINT),
                                   OFF(equality, mjDSBL_EQUALITY),
                                   OFF(frictionloss, mjDSBL_FRICTIONLOSS),
                                   OFF(limit, mjDSBL_LIMIT),
                                   OFF(contact, mjDSBL_CONTACT),
                                   OFF(spring, mjDSBL_SPRING),
                                   OFF(damper, mjDSBL_DAMPER),
                                   OFF(gravity, mjDSBL_GRAVITY),
                                   OFF(clampctrl, mjDSBL_CLAMPCTRL),
                                   OFF(warmstart, mjDSBL_WARMSTART),
                                   OFF(filterparent, mjDSBL_FILTERPARENT),
                                   OFF(actuation, mjDSBL_ACTUATION),
                                   OFF(refsafe, mjDSBL_REFSAFE),
                                   OFF(sensor, mjDSBL_SENSOR),
                                   OFF(midphase, mjDSBL_MIDPHASE),
                                   OFF(eulerdamp, mjDSBL_EULERDAMP),
                                   OFF(autoreset, mjDSBL_AUTORESET),
                                   OFF(nativeccd, mjDSBL_NATIVECCD),
                                   OFF(island, mjDSBL_ISLAND),
                                   ON(override, mjENBL_OVERRIDE),
                                   ON(energy, mjENBL_ENERGY),
                                   ON(fwdinv, mjENBL_FWDINV),
                                   ON(invdiscrete, mjENBL_INVDISCRETE),
                                   ON(multiccd, mjENBL_MULTICCD),
                                   ON(sleep, mjENBL_SLEEP),
                                   {0}};

const mjiAttrRow mji_rowsSize[] = {S(nuserdata, mjiINT, 1, nuserdata),
                                   S(nkey, mjiINT, 1, nkey),
                                   S(njmax, mjiINT, 1, njmax),
                                   S(nconmax, mjiINT, 1, nconmax),
                                   S(nuser_body, mjiINT, 1, nuser_body),
                                   S(nuser_jnt, mjiINT, 1, nuser_jnt),
                                   S(nuser_geom, mjiINT, 1, nuser_geom),
                                   S(nuser_site, mjiINT, 1, nuser_site),
                                   S(nuser_cam, mjiINT, 1, nuser_cam),
                                   S(nuser_tendon, mjiINT, 1, nuser_tendon),
                                   S(nuser_actuator, mjiINT, 1, nuser_actuator),
                                   S(nuser_sensor, mjiINT, 1, nuser_sensor),
                                   ROW_OTHER(memory),
                                   ROW_OTHER(nstack),
                                   {0}};

const mjiAttrRow mji_rowsStatistic[] = {
    S(meaninertia, mjiNUM, 1, stat.meaninertia), S(meanmass, mjiNUM, 1, stat.meanmass),
    S(meansize, mjiNUM, 1, stat.meansize),       S(extent, mjiNUM, 1, stat.extent),
    S(center, mjiNUM, 3, stat.center),           {0}};

const mjiAttrRow mji_rowsGlobal[] = {S(cameraid, mjiINT, 1, visual.global.cameraid),
                                     S_WORD(orthographic, mjiWORD, mji_wordsBool, visual.global.orthographic),
                                     S(fovy, mjiFLT, 1, visual.global.fovy),
                                     S(ipd, mjiFLT, 1, visual.global.ipd),
                                     S(azimuth, mjiFLT, 1, visual.global.azimuth),
                                     S(elevation, mjiFLT, 1, visual.global.elevation),
                                     S(linewidth, mjiFLT, 1, visual.global.linewidth),
                                     S(glow, mjiFLT, 1, visual.global.glow),
                                     S(realtime, mjiFLT, 1, visual.global.realtime),
                                     S(offwidth, mjiINT, 1, visual.global.offwidth),
                                     S(offheight, mjiINT, 1, visual.global.offheight),
                                     S_WORD(ellipsoidinertia, mjiWORD, mji_wordsBool, visual.global.ellipsoidinertia),
                                     S_WORD(bvactive, mjiWORD, mji_wordsBool, visual.global.bvactive),
                                     {0}};

const mjiAttrRow mji_rowsQuality[] = {
    S(shadowsize, mjiINT, 1, visual.quality.shadowsize), S(offsamples, mjiINT, 1, visual.quality.offsamples),
    S(numslices, mjiINT, 1, visual.quality.numslices),   S(numstacks, mjiINT, 1, visual.quality.numstacks),
    S(numquads, mjiINT, 1, visual.quality.numquads),     {0}};

const mjiAttrRow mji_rowsHeadlight[] = {S(ambient, mjiFLT, 3, visual.headlight.ambient),
                                        S(diffuse, mjiFLT, 3, visual.headlight.diffuse),
                                        S(specular, mjiFLT, 3, visual.headlight.specular),
                                        S(active, mjiINT, 1, visual.headlight.active),
                                        {0}};

#define MAP(name) S(name, mjiFLT, 1, visual.map.name)
const mjiAttrRow mji_rowsMap[] = {MAP(stiffness),  MAP(stiffnessrot), MAP(force),          MAP(torque), MAP(alpha),
                                  MAP(fogstart),   MAP(fogend),       MAP(znear),          MAP(zfar),   MAP(haze),
                                  MAP(shadowclip), MAP(shadowscale),  MAP(actuatortendon), {0}};

#define SCALE(name) S(name, mjiFLT, 1, visual.scale.name)
// clang-format off
const mjiAttrRow mji_rowsScale[] = {
    SCALE(forcewidth),     SCALE(contactwidth), SCALE(contactheight), SCALE(connect),
    SCALE(com),            SCALE(camera),       SCALE(light),         SCALE(selectpoint),
    SCALE(jointlength),    SCALE(jointwidth),   SCALE(actuatorlength), SCALE(actuatorwidth),
    SCALE(framelength),    SCALE(framewidth),   SCALE(constraint),    SCALE(slidercrank),
    SCALE(frustum),        {0}};
// clang-format on

#define RGBA(name) S(name, mjiFLT, 4, visual.rgba.name)
// clang-format off
const mjiAttrRow mji_rowsRgba[] = {
    RGBA(fog),         RGBA(haze),          RGBA(force),           RGBA(inertia),
    RGBA(joint),       RGBA(actuator),      RGBA(actuatornegative), RGBA(actuatorpositive),
    RGBA(com),         RGBA(camera),        RGBA(light),           RGBA(selectpoint),
    RGBA(connect),     RGBA(contactpoint),  RGBA(contactforce),    RGBA(contactfriction),
    RGBA(contacttorque), RGBA(contactgap),  RGBA(rangefinder),     RGBA(constraint),
    RGBA(slidercrank), RGBA(crankbroken),   RGBA(frustum),         RGBA(bv),
    RGBA(bvactive),    {0}};
// clang-format on

const mjiElemRow mji_elemsCompiler[] = {{"lengthrange", '?', mji_rowsLengthRange}, {0}};

const mjiElemRow mji_elemsOption[] = {{"flag", '?', mji_rowsFlag}, {0}};

const mjiElemRow mji_elemsVisual[] = {{"global", '?', mji_rowsGlobal},
                                      {"quality", '?', mji_rowsQuality},
                                      {"headlight", '?', mji_rowsHeadlight},
                                      {"map", '?', mji_rowsMap},
                                      {"scale", '?', mji_rowsScale},
                                      {"rgba", '?', mji_rowsRgba},
                                      {0}};
