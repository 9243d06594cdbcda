// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The kinematic tree: bodies, frames and what they carry.

#include "mjcf/schema.h"

const mjiAttrRow mji_rowsBody[] = {
    ROW_OTHER(name),
    ROW_OTHER(childclass),
    ROW(pos, mjiNUM, 3, mjsBody, pos),
    ROW(quat, mjiQUAT, 4, mjsBody, quat),
    ROW_ORIENTATION(mjsBody, alt),
    ROW(mocap, mjiBOOL, 1, mjsBody, mocap),
    ROW(gravcomp, mjiNUM, 1, mjsBody, gravcomp),
    ROW_WORD(sleep, mjiWORD, mji_wordsSleep, mjsBody, sleep),
    ROW(user, mjiNUMS, 0, mjsBody, userdata),
    {0}};

const mjiAttrRow mji_rowsFrame[] = {
    ROW_OTHER(name),
    ROW_OTHER(childclass),
    ROW(pos, mjiNUM, 3, mjsFrame, pos),
    ROW(quat, mjiQUAT, 4, mjsFrame, quat),
    ROW_ORIENTATION(mjsFrame, alt),
    ROW_ANY,
    {0}};

const mjiAttrRow mji_rowsReplicate[] = {
    ROW_OTHER(count, .flags = mjiREQUIRED), ROW_OTHER(offset), ROW_OTHER(euler),
    ROW_OTHER(sep), ROW_OTHER(childclass), ROW_ANY, {0}};

const mjiAttrRow mji_rowsInertial[] = {
    ROW(pos, mjiNUM, 3, mjsBody, ipos, .flags = mjiREQUIRED),
    ROW(mass, mjiNUM, 1, mjsBody, mass, .flags = mjiREQUIRED),
    ROW(quat, mjiQUAT, 4, mjsBody, iquat),
    ROW_ORIENTATION(mjsBody, ialt),
    ROW(diaginertia, mjiNUM, 3, mjsBody, inertia),
    ROW(fullinertia, mjiNUM, 6, mjsBody, fullinertia, .flags = mjiCONSUMED),
    {0}};

const mjiAttrRow mji_rowsJoint[] = {
    ROW_OTHER(name, .flags = mjiINMODEL),
    ROW_OTHER(class, .flags = mjiINMODEL),
    ROW_WORD(type, mjiWORD, mji_wordsJoint, mjsJoint, type),
    ROW(group, mjiINT, 1, mjsJoint, group),
    ROW(pos, mjiNUM, 3, mjsJoint, pos),
    ROW(axis, mjiNUM, 3, mjsJoint, axis),
    ROW(ref, mjiNUM, 1, mjsJoint, ref),
    ROW(stiffness, mjiNUM, 1, mjsJoint, stiffness),
    ROW(springref, mjiNUM, 1, mjsJoint, springref),
    ROW(springdamper, mjiNUM, 2, mjsJoint, springdamper),
    ROW_LIMIT(limited, mjsJoint, limited, range),
    ROW(range, mjiNUM, 2, mjsJoint, range),
    ROW(margin, mjiNUM, 1, mjsJoint, margin),
    ROW_UPTO(solreflimit, mjiNUM, mjNREF, mjsJoint, solref_limit),
    ROW_UPTO(solimplimit, mjiNUM, mjNIMP, mjsJoint, solimp_limit),
    ROW_LIMIT(actuatorfrclimited, mjsJoint, actfrclimited, actfrcrange),
    ROW(actuatorfrcrange, mjiNUM, 2, mjsJoint, actfrcrange),
    ROW(actuatorgravcomp, mjiBOOL, 1, mjsJoint, actgravcomp),
    ROW(armature, mjiNUM, 1, mjsJoint, armature),
    ROW(damping, mjiNUM, 1, mjsJoint, damping),
    ROW(frictionloss, mjiNUM, 1, mjsJoint, frictionloss),
    ROW_UPTO(solreffriction, mjiNUM, mjNREF, mjsJoint, solref_friction),
    ROW_UPTO(solimpfriction, mjiNUM, mjNIMP, mjsJoint, solimp_friction),
    ROW(user, mjiNUMS, 0, mjsJoint, userdata),
    {0}};

const mjiAttrRow mji_rowsFreeJoint[] = {
    ROW_OTHER(name),
    ROW(group, mjiINT, 1, mjsJoint, group),
    ROW_WORD(align, mjiWORD, mji_wordsAuto, mjsJoint, align),
    {0}};

const mjiAttrRow mji_rowsGeom[] = {
    ROW_OTHER(name, .flags = mjiINMODEL),
    ROW_OTHER(class, .flags = mjiINMODEL),
    ROW_WORD(type, mjiWORD, mji_wordsGeom, mjsGeom, type),
    ROW(pos, mjiNUM, 3, mjsGeom, pos),
    ROW(quat, mjiQUAT, 4, mjsGeom, quat),
    ROW_ORIENTATION(mjsGeom, alt),
    ROW(fromto, mjiNUM, 6, mjsGeom, fromto, .flags = mjiCONSUMED),
    ROW_UPTO(size, mjiNUM, 3, mjsGeom, size),
    ROW(contype, mjiINT, 1, mjsGeom, contype),
    ROW(conaffinity, mjiINT, 1, mjsGeom, conaffinity),
    ROW(condim, mjiINT, 1, mjsGeom, condim),
    ROW(priority, mjiINT, 1, mjsGeom, priority),
    ROW_UPTO(friction, mjiNUM, 3, mjsGeom, friction),
    ROW(solmix, mjiNUM, 1, mjsGeom, solmix),
    ROW_UPTO(solref, mjiNUM, mjNREF, mjsGeom, solref),
    ROW_UPTO(solimp, mjiNUM, mjNIMP, mjsGeom, solimp),
    ROW(margin, mjiNUM, 1, mjsGeom, margin),
    ROW(gap, mjiNUM, 1, mjsGeom, gap),
    ROW(mass, mjiNUM, 1, mjsGeom, mass, .flags = mjiOWN),
    ROW(density, mjiNUM, 1, mjsGeom, density),
    ROW_WORD(shellinertia, mjiWORD, mji_wordsBool, mjsGeom, typeinertia),
    ROW_WORD(fluidshape, mjiWORDNUM, mji_wordsFluid, mjsGeom, fluid_ellipsoid),
    ROW_UPTO(fluidcoef, mjiNUM, 5, mjsGeom, fluid_coefs),
    ROW(hfield, mjiTEXT, 1, mjsGeom, hfieldname, .flags = mjiOWN),
    ROW(mesh, mjiTEXT, 1, mjsGeom, meshname, .flags = mjiOWN),
    ROW(fitscale, mjiNUM, 1, mjsGeom, fitscale),
    ROW(material, mjiTEXT, 1, mjsGeom, material),
    ROW(rgba, mjiFLT, 4, mjsGeom, rgba),
    ROW(group, mjiINT, 1, mjsGeom, group),
    ROW(user, mjiNUMS, 0, mjsGeom, userdata),
    {0}};

const mjiAttrRow mji_rowsSite[] = {
    ROW_OTHER(name, .flags = mjiINMODEL),
    ROW_OTHER(class, .flags = mjiINMODEL),
    ROW_WORD(type, mjiWORD, mji_wordsGeom, mjsSite, type),
    ROW(group, mjiINT, 1, mjsSite, group),
    ROW(pos, mjiNUM, 3, mjsSite, pos),
    ROW(quat, mjiQUAT, 4, mjsSite, quat),
    ROW_ORIENTATION(mjsSite, alt),
    ROW(fromto, mjiNUM, 6, mjsSite, fromto, .flags = mjiCONSUMED),
    ROW_UPTO(size, mjiNUM, 3, mjsSite, size),
    ROW(material, mjiTEXT, 1, mjsSite, material),
    ROW(rgba, mjiFLT, 4, mjsSite, rgba),
    ROW(user, mjiNUMS, 0, mjsSite, userdata),
    {0}};

const mjiAttrRow mji_rowsCamera[] = {
    ROW_OTHER(name, .flags = mjiINMODEL),
    ROW_OTHER(class, .flags = mjiINMODEL),
    ROW_WORD(mode, mjiWORD, mji_wordsCamLight, mjsCamera, mode),
    ROW(target, mjiTEXT, 1, mjsCamera, targetbody, .flags = mjiINMODEL),
    ROW(pos, mjiNUM, 3, mjsCamera, pos),
    ROW(quat, mjiQUAT, 4, mjsCamera, quat),
    ROW_ORIENTATION(mjsCamera, alt),
    ROW_WORD(orthographic, mjiWORD, mji_wordsBool, mjsCamera, orthographic),
    ROW(fovy, mjiNUM, 1, mjsCamera, fovy),
    ROW(ipd, mjiNUM, 1, mjsCamera, ipd),
    ROW(resolution, mjiFLT, 2, mjsCamera, resolution),
    ROW(sensorsize, mjiFLT, 2, mjsCamera, sensor_size),
    ROW(focal, mjiFLT, 2, mjsCamera, focal_length),
    ROW(focalpixel, mjiFLT, 2, mjsCamera, focal_pixel),
    ROW(principal, mjiFLT, 2, mjsCamera, principal_length),
    ROW(principalpixel, mjiFLT, 2, mjsCamera, principal_pixel),
    ROW(user, mjiNUMS, 0, mjsCamera, userdata, .flags = mjiOWN),
    {0}};

const mjiAttrRow mji_rowsLight[] = {
    ROW_OTHER(name, .flags = mjiINMODEL),
    ROW_OTHER(class, .flags = mjiINMODEL),
    ROW_WORD(mode, mjiWORD, mji_wordsCamLight, mjsLight, mode),
    ROW(target, mjiTEXT, 1, mjsLight, targetbody, .flags = mjiINMODEL),
    ROW(texture, mjiTEXT, 1, mjsLight, texture, .flags = mjiINMODEL),
    ROW_WORD(type, mjiWORD, mji_wordsLight, mjsLight, type),
    ROW_OTHER(directional),
    ROW(pos, mjiNUM, 3, mjsLight, pos),
    ROW(dir, mjiNUM, 3, mjsLight, dir),
    ROW(active, mjiBOOL, 1, mjsLight, active),
    ROW(castshadow, mjiBOOL, 1, mjsLight, castshadow),
    ROW(bulbradius, mjiFLT, 1, mjsLight, bulbradius),
    ROW(intensity, mjiFLT, 1, mjsLight, intensity),
    ROW(range, mjiFLT, 1, mjsLight, range),
    ROW(attenuation, mjiFLT, 3, mjsLight, attenuation),
    ROW(cutoff, mjiFLT, 1, mjsLight, cutoff),
    ROW(exponent, mjiFLT, 1, mjsLight, exponent),
    ROW(ambient, mjiFLT, 3, mjsLight, ambient),
    ROW(diffuse, mjiFLT, 3, mjsLight, diffuse),
    ROW(specular, mjiFLT, 3, mjsLight, specular),
    {0}};

const mjiAttrRow mji_rowsAttach[] = {ROW_OTHER(model, .flags = mjiREQUIRED),
                                     ROW_OTHER(body),
                                     ROW_OTHER(prefix, .flags = mjiREQUIRED),
                                     {0}};

static const mjiElemRow geomElems[] = {{"plugin", '*', mji_rowsPlugin, mji_elemsConfig}, {0}};

// a frame and a replicate hold what a body holds
const mjiElemRow mji_elemsBody[] = {
    {"body", 'R', mji_rowsBody, mji_elemsBody},
    {"frame", 'R', mji_rowsFrame, mji_elemsBody},
    {"replicate", 'R', mji_rowsReplicate, mji_elemsBody},
    {"inertial", '?', mji_rowsInertial},
    {"joint", '*', mji_rowsJoint},
    {"freejoint", '*', mji_rowsFreeJoint},
    {"geom", '*', mji_rowsGeom, geomElems},
    {"attach", '*', mji_rowsAttach},
    {"site", '*', mji_rowsSite},
    {"camera", '*', mji_rowsCamera},
    {"light", '*', mji_rowsLight},
    {"plugin", '*', mji_rowsPlugin, mji_elemsConfig},
    {"composite", '*', mji_rowsComposite, mji_elemsComposite},
    {"flexcomp", '*', mji_rowsFlexcomp, mji_elemsFlexcomp},
    {0}};
