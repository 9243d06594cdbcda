// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The reader: fills an mjSpec from an element tree. The first error ends reading: mji_readFail
// jumps back to mji_readDocument, where the spec is deleted; nothing in between owns memory of its
// own.
#ifndef SHEAF_MJCF_READ_H_
#define SHEAF_MJCF_READ_H_

#include <locale.h>
#include <setjmp.h>
#include <stdint.h>
#include <mujoco/mujoco.h>

#include "mjcf/xml.h"
#include "mjcf/schema.h"

enum {
  mjiMAX_MODELS = 1000,
  mjiMAX_MODELDEPTH = 10,
  mjiMAX_COPIES = 1 << 18,   // elements of a model with replicates
  mjiMAX_VISITED = 1 << 29,  // elements that replication visits, copy by copy
  mjiMAX_KEYED = 1 << 22,    // numbers of keyframes that attached models bring
};

typedef struct mjiReader_ {
  mjSpec* spec;
  mjiTree* tree;  // also scratch memory of the reader
  const mjVFS* vfs;
  const char* dir;               // of the model file
  locale_t numbers;              // decimal point in any user locale
  mjSpec* model[mjiMAX_MODELS];  // models named in <asset>, to attach from
  int nmodel;
  int depth;            // models inside models
  int own, *ndocument;  // models inside this one, at any depth; counted by the outermost
  int64_t visited;      // elements, by replication
  int nattachedkey;     // keyframes that attached models brought
  char* error;
  int nerror;
  jmp_buf onfail;
} mjiReader;

// ---- read.c: generic

// Give up with `file:line: element: reason`.
__attribute__((noreturn, format(printf, 3, 4))) void mji_readFail(mjiReader* r, const mjiXML* elem, const char* format,
                                                                  ...);

// Give up with the error of the spec.
__attribute__((noreturn)) void mji_readFailSpec(mjiReader* r, const mjiXML* elem);

// Fail unless every element and attribute below root is in the schema.
void mji_readCheck(mjiReader* r, const mjiXML* root);

// Read the attributes that rows describe into a structure; element is named if there is a name.
void mji_readRows(mjiReader* r, const mjiXML* elem, const mjiAttrRow* rows, void* dest);

// Value of an attribute; fails if it is required and missing.
const char* mji_readText(mjiReader* r, const mjiXML* elem, const char* name, int required);

// Is there an attribute that is not blank?
int mji_readGiven(const mjiXML* elem, const char* name);

// Between least and most numbers into out; returns how many there were, 0 if there is no attribute.
int mji_readNums(mjiReader* r, const mjiXML* elem, const char* name, double* out, int least, int most);

// One number; the default if there is no attribute.
double mji_readNum(mjiReader* r, const mjiXML* elem, const char* name, double otherwise);
int mji_readInt(mjiReader* r, const mjiXML* elem, const char* name, int otherwise);

// Value of a keyword; the default if there is no attribute.
int mji_readWord(mjiReader* r, const mjiXML* elem, const char* name, const mjiWord* words, int otherwise);

// Path of a file in a folder (of meshes, of textures, "") without "." and, where possible, without "..", in memory of
// the tree; from an included document also beside that.
char* mji_readPath(mjiReader* r, const mjiXML* elem, const char* folder, const char* text);

// Any number of values, in memory of the tree; NULL if there is no attribute.
double* mji_readDoubles(mjiReader* r, const mjiXML* elem, const char* name, int* n);
float* mji_readFloats(mjiReader* r, const mjiXML* elem, const char* name, int* n);
int* mji_readInts(mjiReader* r, const mjiXML* elem, const char* name, int* n);

// Note where an element of the spec came from.
void mji_readLine(mjiReader* r, const mjiXML* elem, mjString* info);

// The same, and name it if it has a name.
void mji_readIdentity(mjiReader* r, const mjiXML* elem, mjsElement* element, mjString* info);

// Default class named by the element, or else the given one.
const mjsDefault* mji_readClass(mjiReader* r, const mjiXML* elem, const char* attr, const mjsDefault* otherwise);

// Memory of the tree; fails when there is none.
void* mji_readAlloc(mjiReader* r, const mjiXML* elem, size_t size);

// ---- one function per section

void mji_readCompiler(mjiReader* r, const mjiXML* section);
void mji_readOption(mjiReader* r, const mjiXML* section);
void mji_readSize(mjiReader* r, const mjiXML* section);
void mji_readVisual(mjiReader* r, const mjiXML* section);
void mji_readStatistic(mjiReader* r, const mjiXML* section);
void mji_readDefault(mjiReader* r, const mjiXML* section);
void mji_readCustom(mjiReader* r, const mjiXML* section);
void mji_readAsset(mjiReader* r, const mjiXML* section);
void mji_readExtension(mjiReader* r, const mjiXML* section);
void mji_readWorldBody(mjiReader* r, const mjiXML* section);
void mji_readContact(mjiReader* r, const mjiXML* section);
void mji_readEquality(mjiReader* r, const mjiXML* section);
void mji_readTendon(mjiReader* r, const mjiXML* section);
void mji_readActuator(mjiReader* r, const mjiXML* section);
void mji_readSensor(mjiReader* r, const mjiXML* section);
void mji_readKeyframe(mjiReader* r, const mjiXML* section);

// Keyframes of attached models, which were read before, go behind those of the document.
void mji_readKeyOrder(mjiReader* r, const mjiXML* root);

// ---- elements that appear in sections and in default classes

void mji_readJoint(mjiReader* r, const mjiXML* elem, mjsJoint* joint);
void mji_readGeom(mjiReader* r, const mjiXML* elem, mjsGeom* geom);
void mji_readCamera(mjiReader* r, const mjiXML* elem, mjsCamera* camera);
void mji_readLight(mjiReader* r, const mjiXML* elem, mjsLight* light);
void mji_readMaterial(mjiReader* r, const mjiXML* elem, mjsMaterial* material);
void mji_readMeshRows(mjiReader* r, const mjiXML* elem, mjsMesh* mesh);
void mji_readTendonRows(mjiReader* r, const mjiXML* elem, const mjiAttrRow* rows, mjsTendon* tendon);
void mji_readActuatorRows(mjiReader* r, const mjiXML* elem, mjsActuator* actuator);
void mji_readSkinRows(mjiReader* r, const mjiXML* elem, const mjiAttrRow* rows, mjsSkin* skin);
void mji_readSkin(mjiReader* r, const mjiXML* elem);
void mji_readFlex(mjiReader* r, const mjiXML* elem);
void mji_readFlexcomp(mjiReader* r, const mjiXML* elem, mjsBody* parent, mjsFrame* frame);
void mji_readFlexParts(mjiReader* r, const mjiXML* elem, mjsFlex* flex);  // contact, edge, elasticity

// ---- plugins
void mji_readPlugin(mjiReader* r, const mjiXML* elem, mjsPlugin* dest);  // what an element says about its plugin
// the instance that all bodies of an element share: one that is declared, or their own, which gets this name
const mjsPlugin* mji_readSharedPlugin(mjiReader* r, const mjiXML* elem, const char* own);
void mji_usePlugin(mjsBody* body, const mjsPlugin* shared);  // none if it is NULL

void mji_readComposite(mjiReader* r, const mjiXML* elem, mjsBody* body, mjsFrame* frame);

// Read an expanded document of a model; NULL with the reason in error. The outer reader met it in an
// asset; NULL for the model itself.
mjSpec* mji_readDocument(mjiTree* tree, const mjiXML* root, const mjVFS* vfs, const char* dir, const mjiReader* outer,
                         char* error, int nerror);

// Does the name of a file or else the given type (may be NULL) say that it is XML? Where other formats could be
// meant, the reference asks that much.
int mji_saysXML(const char* filename, const char* content_type);

// Text of a file in the directory dir to a spec: tree, includes, reading.
mjSpec* mji_parseText(const char* name, const char* dir, const char* text, size_t size, const mjVFS* vfs,
                      const mjiReader* outer, char* error, int nerror);
mjSpec* mji_parseFile(const char* name, const mjVFS* vfs, const mjiReader* outer, char* error, int nerror);

// Specification of a file that is no XML, by a decoder of the program; NULL with the reason in error. content_type may
// be NULL.
mjSpec* mji_decodeFile(const char* name, const char* content_type, const mjVFS* vfs, char* error, int nerror);

#endif  // SHEAF_MJCF_READ_H_
