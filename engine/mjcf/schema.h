// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The language as data: which elements exist, what they contain, and for each attribute how many
// values of which kind go where. To add an attribute, add one row.
#ifndef SHEAF_MJCF_SCHEMA_H_
#define SHEAF_MJCF_SCHEMA_H_

#include <stddef.h>

#include "tables/keywords.h"

// rows name only what they need
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"

typedef enum {
  mjiNUM,       // doubles
  mjiFLT,       // floats
  mjiINT,       // ints
  mjiBOOL,      // true or false, to a byte
  mjiWORD,      // keyword, to an int
  mjiWORDBYTE,  // keyword, to a byte
  mjiWORDNUM,   // keyword, to a double
  mjiLIMIT,     // false, true or auto, to an int; value is the offset of the range that decides
  mjiTEXT,      // string
  mjiFILE,      // string, a path: read without "." and, where possible, without ".."
  mjiNUMS,      // any number of doubles
  mjiFLTS,      // any number of floats
  mjiINTS,      // any number of ints
  mjiQUAT,      // four doubles, not all zero
  mjiORIENT,    // other ways to give an orientation; value is the mjtOrientation
  mjiUNSET,     // flag word: "disable" sets the bit in value
  mjiSET,       // flag word: "enable" sets the bit in value
  mjiGROUP,     // rows of another table belong here
  mjiOTHER,     // read by the code of its element
} mjiAttrKind;

enum {
  mjiREQUIRED = 1,  // must be given
  mjiINMODEL = 2,   // in the model but not in default classes
  mjiOWN = 4,       // written with each element, not with default classes: it cannot be taken back
  mjiCONSUMED = 8,  // not written: the compiler turns it into other attributes
};

enum { mjiMAX_NUMERIC = 500 };  // numbers of a custom field

typedef struct mjiAttrRow_ {
  const char* name;
  unsigned char kind;
  unsigned char flags;  // mjiREQUIRED, ...
  short least, most;    // how many values
  size_t offset;        // in the structure that the element fills
  int value;
  const mjiWord* words;
  const struct mjiAttrRow_* group;
} mjiAttrRow;

typedef struct mjiElemRow_ {
  const char* name;
  char times;                       // '!' once, '?' at most once, '*' any number, 'R' nests in itself
  const mjiAttrRow* attr;           // ended by a row without name
  const struct mjiElemRow_* child;  // ended by a row without name
} mjiElemRow;

// n values exactly; between one and n; by keyword
#define ROW(name, kind, n, type, field, ...) \
  { #name, kind, .least = n, .most = n, .offset = offsetof(type, field), __VA_ARGS__ }
#define ROW_UPTO(name, kind, n, type, field, ...) \
  { #name, kind, .least = 0, .most = n, .offset = offsetof(type, field), __VA_ARGS__ }
// clang-format off
#define ROW_WORD(name, kind, list, type, field, ...) \
  {#name, kind, .least = 1, .most = 1, .offset = offsetof(type, field), .words = list, __VA_ARGS__}
// clang-format on
// clang-format off
#define ROW_LIMIT(name, type, field, range, ...)                                              \
  {#name, mjiLIMIT, .least = 1, .most = 1, .offset = offsetof(type, field),                    \
   .value = (int)offsetof(type, range), .words = mji_wordsAuto, __VA_ARGS__}
// clang-format on
#define ROW_OTHER(name, ...) \
  { #name, mjiOTHER, __VA_ARGS__ }
#define ROW_ANY \
  { "*", mjiOTHER }  // whatever else is given has no effect
#define ROW_GROUP(rows) \
  { "", mjiGROUP, .group = rows }

// alternatives to quat
#define ROW_ORIENTATION(type, field)                                                 \
  {"axisangle", mjiORIENT, 0, 4, 4, offsetof(type, field), mjORIENTATION_AXISANGLE}, \
      {"xyaxes", mjiORIENT, 0, 6, 6, offsetof(type, field), mjORIENTATION_XYAXES},   \
      {"zaxis", mjiORIENT, 0, 3, 3, offsetof(type, field), mjORIENTATION_ZAXIS}, {   \
    "euler", mjiORIENT, 0, 3, 3, offsetof(type, field), mjORIENTATION_EULER          \
  }

// attribute tables that more than one file uses
extern const mjiAttrRow mji_rowsCompiler[], mji_rowsLengthRange[], mji_rowsOption[], mji_rowsFlag[], mji_rowsSize[],
    mji_rowsStatistic[];
extern const mjiAttrRow mji_rowsMesh[], mji_rowsHField[], mji_rowsSkin[], mji_rowsTexture[], mji_rowsMaterial[],
    mji_rowsLayer[];
extern const mjiAttrRow mji_rowsBody[], mji_rowsFrame[], mji_rowsInertial[], mji_rowsJoint[], mji_rowsFreeJoint[],
    mji_rowsGeom[], mji_rowsSite[], mji_rowsCamera[], mji_rowsLight[];
extern const mjiAttrRow mji_rowsPair[], mji_rowsExclude[], mji_rowsEquality[], mji_rowsSpatial[], mji_rowsFixed[];
extern const mjiAttrRow mji_rowsGeneral[], mji_rowsMotor[], mji_rowsPosition[], mji_rowsVelocity[],
    mji_rowsIntVelocity[], mji_rowsDamper[], mji_rowsCylinder[], mji_rowsMuscle[], mji_rowsAdhesion[];
extern const mjiAttrRow mji_rowsSensor[], mji_rowsText[], mji_rowsKey[];
extern const mjiAttrRow mji_rowsPlugin[], mji_rowsActuatorPlugin[], mji_rowsComposite[];
extern const mjiAttrRow mji_rowsFlex[], mji_rowsFlexCommon[], mji_rowsFlexContact[], mji_rowsFlexEdge[],
    mji_rowsFlexElasticity[], mji_rowsFlexcomp[], mji_rowsFlexcompPose[], mji_rowsFlexcompEquality[];
extern const mjiAttrRow mji_rowsCableJoint[], mji_rowsCableGeom[], mji_rowsCableSite[], mji_rowsCableSkin[];

// what an actuator can act on, ended by a row without name
typedef struct mjiTargetRow_ {
  const char* name;
  mjtTrn type;
} mjiTargetRow;
extern const mjiTargetRow mji_actuatorTargets[];

// elements by section
extern const mjiElemRow mji_elemsCompiler[], mji_elemsOption[], mji_elemsVisual[], mji_elemsAsset[], mji_elemsSkin[],
    mji_elemsMaterial[], mji_elemsDefault[], mji_elemsBody[], mji_elemsContact[], mji_elemsEquality[],
    mji_elemsTendon[], mji_elemsActuator[], mji_elemsSensor[], mji_elemsCustom[], mji_elemsConfig[], mji_elemsPlugin[],
    mji_elemsComposite[], mji_elemsFlex[], mji_elemsFlexcomp[];

// Root of the schema: the children of <mujoco>.
extern const mjiElemRow mji_elemsRoot[];

// Row of a name; NULL if there is none. rows may be NULL.
const mjiElemRow* mji_schemaElem(const mjiElemRow* rows, const char* name);

#endif  // SHEAF_MJCF_SCHEMA_H_
