// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The writer: a compiled specification as MJCF text. After compilation, poses are in the
// body, angles in radians and limits on or off, and so they are written. An attribute that equals the one of its
// default class is left out. The first failure is remembered and returned in the end; what follows it is dropped.
#ifndef SHEAF_MJCF_WRITE_H_
#define SHEAF_MJCF_WRITE_H_

#include <mujoco/mujoco.h>

#include "mjcf/schema.h"
#include "spec/element.h"

typedef struct mjiWriter_ {
  mjiSpec* spec;  // compiled
  char* text;     // so far, ended by a zero; owned
  size_t size, cap;
  int depth;                    // open elements
  int intag;                    // the last start tag can still get attributes
  const char* tag;              // its name
  const mjiElem* elem;          // what is being written, for messages; NULL: a setting
  mjiElem* initial[mjNOBJECT];  // elements with initial values; owned
  int mixed;                    // attached elements were compiled with other inertia settings
  int fullpaths;                // assets come from several folders
  char error[600];              // reason of the first failure, "" if none
} mjiWriter;

// What a reader starts from: attributes equal to it are not written.
typedef struct mjiBase_ {
  const void* given;    // values of the default class
  const void* initial;  // the same without default classes
  int inclass;          // a default class is being written
} mjiBase;

// ---- write_text.c: XML

__attribute__((format(printf, 2, 3))) void mji_writeFail(mjiWriter* w, const char* format, ...);

// Start tag; returns where it begins. Close with the same name.
size_t mji_writeOpen(mjiWriter* w, const char* tag);
void mji_writeClose(mjiWriter* w, const char* tag);

// Close the element, or remove it if it has neither attributes nor children.
void mji_writeCloseUsed(mjiWriter* w, const char* tag, size_t start);

// An empty line, between sections.
void mji_writeGap(mjiWriter* w);

void mji_writeComment(mjiWriter* w, const char* text);

// Attributes of the open start tag.
void mji_writeText(mjiWriter* w, const char* name, const char* text);
void mji_writeNums(mjiWriter* w, const char* name, const double* x, int n);
void mji_writeFlts(mjiWriter* w, const char* name, const float* x, int n);
void mji_writeInts(mjiWriter* w, const char* name, const int* x, int n);
void mji_writeWord(mjiWriter* w, const char* name, const mjiWord* words, int value);

// Shortest text that reads back as the same number; out has room for 32 bytes.
void mji_writeDouble(char* out, double x);
void mji_writeFloat(char* out, float x);

// ---- write.c: rows, elements

// The attributes that rows describe.
void mji_writeRows(mjiWriter* w, const mjiAttrRow* rows, const void* src, mjiBase base);

// Would these rows write anything?
int mji_writeDiffers(mjiWriter* w, const mjiAttrRow* rows, const void* src, mjiBase base);

// Start tag with name, and with class if it is not the inherited one (NULL: main).
void mji_writeBegin(mjiWriter* w, const char* tag, const mjiElem* e, const mjiElem* inherited);

// What to compare an element with: the values of its class; initial values.
mjiBase mji_writeBase(mjiWriter* w, const mjiElem* e);
mjiBase mji_writeInitial(mjiWriter* w, mjtObj type);

// ---- one function per section, in the order of the document

void mji_writeCompiler(mjiWriter* w);
void mji_writeOption(mjiWriter* w);
void mji_writeSize(mjiWriter* w);
void mji_writeVisual(mjiWriter* w);
void mji_writeStatistic(mjiWriter* w);
void mji_writeDefault(mjiWriter* w);
void mji_writeExtension(mjiWriter* w);
void mji_writeCustom(mjiWriter* w);
void mji_writeAsset(mjiWriter* w);
void mji_writeWorldBody(mjiWriter* w);
void mji_writeContact(mjiWriter* w);
void mji_writeDeformable(mjiWriter* w);
void mji_writeFlex(mjiWriter* w, const mjiElem* e);
void mji_writeEquality(mjiWriter* w);
void mji_writeTendon(mjiWriter* w);
void mji_writeActuator(mjiWriter* w);
void mji_writeSensor(mjiWriter* w);
void mji_writeKeyframe(mjiWriter* w);

// ---- plugins: as an element within one that uses it; as attributes of an actuator or sensor that is one
void mji_writePlugin(mjiWriter* w, const mjsPlugin* p);
void mji_writePluginUse(mjiWriter* w, const mjsPlugin* p);

// ---- elements that default classes have, too

void mji_writeCamera(mjiWriter* w, const mjsCamera* camera, mjiBase base);
void mji_writeTendonRows(mjiWriter* w, const mjiAttrRow* rows, const mjsTendon* tendon, mjiBase base);
void mji_writeMaterialRows(mjiWriter* w, const mjsMaterial* material, mjiBase base);

// Do attached elements have inertia settings of their own? Folders of their own?
int mji_writeIsMixed(const mjiSpec* s);
int mji_writeNeedsPaths(const mjiSpec* s);

// The whole document; NULL with the reason in error. To be freed.
char* mji_writeDocument(const mjSpec* s, size_t* size, char* error, int nerror);

#endif  // SHEAF_MJCF_WRITE_H_
