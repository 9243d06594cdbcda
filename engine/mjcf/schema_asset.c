// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Assets: meshes, height fields, skins, textures, materials, models.

#include "mjcf/schema.h"

const mjiAttrRow mji_rowsMesh[] = {ROW_OTHER(name, .flags = mjiINMODEL),
                                   ROW_OTHER(class, .flags = mjiINMODEL),
                                   ROW_OTHER(builtin, .flags = mjiINMODEL),
                                   ROW_OTHER(params, .flags = mjiINMODEL),
                                   ROW(content_type, mjiTEXT, 1, mjsMesh, content_type, .flags = mjiINMODEL),
                                   ROW(file, mjiFILE, 1, mjsMesh, file, .flags = mjiINMODEL),
                                   ROW(vertex, mjiFLTS, 0, mjsMesh, uservert, .flags = mjiINMODEL),
                                   ROW(normal, mjiFLTS, 0, mjsMesh, usernormal, .flags = mjiINMODEL),
                                   ROW(texcoord, mjiFLTS, 0, mjsMesh, usertexcoord, .flags = mjiINMODEL),
                                   ROW(face, mjiINTS, 0, mjsMesh, userface, .flags = mjiINMODEL),
                                   ROW(material, mjiTEXT, 1, mjsMesh, material, .flags = mjiINMODEL),
                                   ROW(refpos, mjiNUM, 3, mjsMesh, refpos, .flags = mjiINMODEL),
                                   ROW(refquat, mjiQUAT, 4, mjsMesh, refquat, .flags = mjiINMODEL),
                                   ROW(smoothnormal, mjiBOOL, 1, mjsMesh, smoothnormal, .flags = mjiINMODEL),
                                   ROW(scale, mjiNUM, 3, mjsMesh, scale),
                                   ROW_WORD(inertia, mjiWORD, mji_wordsMeshInertia, mjsMesh, inertia),
                                   ROW(maxhullvert, mjiINT, 1, mjsMesh, maxhullvert),
                                   {0}};

const mjiAttrRow mji_rowsHField[] = {ROW_OTHER(name),
                                     ROW(content_type, mjiTEXT, 1, mjsHField, content_type),
                                     ROW(file, mjiFILE, 1, mjsHField, file),
                                     ROW(size, mjiNUM, 4, mjsHField, size, .flags = mjiREQUIRED),
                                     ROW(nrow, mjiINT, 1, mjsHField, nrow),
                                     ROW(ncol, mjiINT, 1, mjsHField, ncol),
                                     ROW_OTHER(elevation),
                                     {0}};

const mjiAttrRow mji_rowsSkin[] = {ROW_OTHER(name),
                                   ROW(file, mjiFILE, 1, mjsSkin, file),
                                   ROW(material, mjiTEXT, 1, mjsSkin, material),
                                   ROW(rgba, mjiFLT, 4, mjsSkin, rgba),
                                   ROW(inflate, mjiFLT, 1, mjsSkin, inflate),
                                   ROW(group, mjiINT, 1, mjsSkin, group),
                                   ROW(vertex, mjiFLTS, 0, mjsSkin, vert),
                                   ROW(texcoord, mjiFLTS, 0, mjsSkin, texcoord),
                                   ROW(face, mjiINTS, 0, mjsSkin, face),
                                   {0}};

// the parts of all bones are gathered into arrays of the skin
const mjiAttrRow mji_rowsBone[] = {
    ROW_OTHER(body, .flags = mjiREQUIRED),       ROW_OTHER(bindpos, .flags = mjiREQUIRED),
    ROW_OTHER(bindquat, .flags = mjiREQUIRED),   ROW_OTHER(vertid, .flags = mjiREQUIRED),
    ROW_OTHER(vertweight, .flags = mjiREQUIRED), {0}};

const mjiAttrRow mji_rowsTexture[] = {ROW_OTHER(name),
                                      ROW_WORD(type, mjiWORD, mji_wordsTexture, mjsTexture, type),
                                      ROW_WORD(colorspace, mjiWORD, mji_wordsColorSpace, mjsTexture, colorspace),
                                      ROW(content_type, mjiTEXT, 1, mjsTexture, content_type),
                                      ROW(file, mjiFILE, 1, mjsTexture, file),
                                      ROW_WORD(builtin, mjiWORD, mji_wordsBuiltin, mjsTexture, builtin),
                                      ROW_WORD(mark, mjiWORD, mji_wordsMark, mjsTexture, mark),
                                      ROW(rgb1, mjiNUM, 3, mjsTexture, rgb1),
                                      ROW(rgb2, mjiNUM, 3, mjsTexture, rgb2),
                                      ROW(markrgb, mjiNUM, 3, mjsTexture, markrgb),
                                      ROW(random, mjiNUM, 1, mjsTexture, random),
                                      ROW(width, mjiINT, 1, mjsTexture, width),
                                      ROW(height, mjiINT, 1, mjsTexture, height),
                                      ROW(nchannel, mjiINT, 1, mjsTexture, nchannel),
                                      ROW(gridsize, mjiINT, 2, mjsTexture, gridsize),
                                      ROW(hflip, mjiBOOL, 1, mjsTexture, hflip),
                                      ROW(vflip, mjiBOOL, 1, mjsTexture, vflip),
                                      ROW_OTHER(gridlayout),
                                      ROW_OTHER(fileright),
                                      ROW_OTHER(fileleft),
                                      ROW_OTHER(fileup),
                                      ROW_OTHER(filedown),
                                      ROW_OTHER(filefront),
                                      ROW_OTHER(fileback),
                                      {0}};

const mjiAttrRow mji_rowsMaterial[] = {ROW_OTHER(name, .flags = mjiINMODEL),
                                       ROW_OTHER(class, .flags = mjiINMODEL),
                                       ROW_OTHER(texture),
                                       ROW(texuniform, mjiBOOL, 1, mjsMaterial, texuniform),
                                       ROW(texrepeat, mjiFLT, 2, mjsMaterial, texrepeat),
                                       ROW(emission, mjiFLT, 1, mjsMaterial, emission),
                                       ROW(specular, mjiFLT, 1, mjsMaterial, specular),
                                       ROW(shininess, mjiFLT, 1, mjsMaterial, shininess),
                                       ROW(reflectance, mjiFLT, 1, mjsMaterial, reflectance),
                                       ROW(metallic, mjiFLT, 1, mjsMaterial, metallic),
                                       ROW(roughness, mjiFLT, 1, mjsMaterial, roughness),
                                       ROW(rgba, mjiFLT, 4, mjsMaterial, rgba),
                                       {0}};

const mjiAttrRow mji_rowsLayer[] = {
    ROW_OTHER(role, .flags = mjiREQUIRED), ROW_OTHER(texture, .flags = mjiREQUIRED), {0}};

const mjiAttrRow mji_rowsModel[] = {
    ROW_OTHER(name), ROW_OTHER(file, .flags = mjiREQUIRED), ROW_OTHER(content_type), {0}};

const mjiElemRow mji_elemsSkin[] = {{"bone", '*', mji_rowsBone}, {0}};
const mjiElemRow mji_elemsMaterial[] = {{"layer", '*', mji_rowsLayer}, {0}};

const mjiElemRow mji_elemsAsset[] = {{"mesh", '*', mji_rowsMesh, mji_elemsPlugin},
                                     {"hfield", '*', mji_rowsHField},
                                     {"skin", '*', mji_rowsSkin, mji_elemsSkin},
                                     {"texture", '*', mji_rowsTexture},
                                     {"material", '*', mji_rowsMaterial, mji_elemsMaterial},
                                     {"model", '*', mji_rowsModel},
                                     {0}};
