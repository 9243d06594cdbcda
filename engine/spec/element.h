// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// What stands behind mjSpec and mjsElement.
//
// Every element, of whatever type, is one mjiElem: the public struct that users edit (as.geom, as.body,
// ...), storage for the strings and lists which that struct points to, its name, and its place in
// the tree. Users hold pointers to the public struct or to `head`; both lead back here. Which
// containers a public struct has is said once, in spec/element.c; creation, copying and deletion
// follow from that table.
//
// The specification owns all elements. Bodies form a tree and hold lists of what is attached to
// them; frames group elements of one body. References between elements are names, resolved by the
// compiler.
#ifndef SHEAF_SPEC_ELEMENT_H_
#define SHEAF_SPEC_ELEMENT_H_

#include <mujoco/mujoco.h>
#include <mujoco/mjxmacro.h>

#include "base/error.h"
#include "spec/vec.h"

enum {
  MJI_MAXSTORE = 16,  // containers of one element
};

typedef struct mjiSpec_ mjiSpec;
typedef struct mjiElem_ mjiElem;

// what a body holds, one list each, in order of addition
typedef enum mjiKid_ {
  MJI_KID_BODY,
  MJI_KID_FRAME,
  MJI_KID_JOINT,
  MJI_KID_GEOM,
  MJI_KID_SITE,
  MJI_KID_CAMERA,
  MJI_KID_LIGHT,
  MJI_NKID,
} mjiKid;

#define MJI_MAXASKED (512 << 20)  // bytes of all that is sized without being given

// path element of a tendon, beside mjsWrap
typedef struct mjiWrapInfo_ {
  mjiVec target;  // name of the joint, site or geom
  mjiVec sidesite;
  double prm;  // coefficient of a joint, divisor of a pulley
} mjiWrapInfo;

// Compiler settings of the file that elements came from. What is attached keeps those of its guest.
typedef struct mjiOrigin_ {
  mjsCompiler compiler;
  mjiVec meshdir, texturedir, modelfiledir;
  mjiVec document;         // its file, for messages
  struct mjiSpec_* guest;  // whose settings these are, while it lives: the user may change them there
} mjiOrigin;

// What a geom that names a mesh was given, and where that put it: its own frame is that of the mesh's
// inertia, or of the primitive that was fitted to it. It comes first in the info of compiled geoms.
typedef struct mjiFit_ {
  double pos[3], quat[4];              // pose of the mesh file
  double placedpos[3], placedquat[4];  // pose of the geom
  double size[3];
} mjiFit;

struct mjiElem_ {
  mjsElement head;  // first, so that mjsElement* is mjiElem*
  mjiSpec* spec;
  mjiVec name;
  int id;                   // position among elements of its type; -1 where not yet known
  mjiElem* parent;          // body that holds it; parent class of a default; tendon of a wrap
  mjiElem* frame;           // frame around it, of the same body
  mjiElem* dclass;          // default class it was made with
  const mjiOrigin* origin;  // NULL: settings of the specification itself
  mjiVec* kid;              // bodies: MJI_NKID lists; others NULL
  mjiVec list;              // tendons: wraps; defaults: classes below
  mjiWrapInfo* wrap;        // wraps only
  mjiVec config;            // plugin instances: attribute, value, attribute, ... (STRINGS)
  double* settled;          // frames: pose in the body, as the first compilation found it; NULL before
  int made;                 // id in the last model that was made; -1 if it was not in it
  struct mjiUserValue_* user;
  mjiElem* source;       // what it was copied from; used while compiling and attaching
  mjiVec shares;         // keyframes: mjiKeyShare*, numbers of elements while the structure changes
  int attached;          // keyframes: came from another specification since the last compilation
  mjiElem* counterpart;  // its copy, or what it is a copy of; while attaching
  int marked;            // by a walk over elements: will be deleted, or is done
  void* info;            // what the compiler works out about it; one block, or freed by the compiler
  mjiVec store[MJI_MAXSTORE];
  union {
    mjsElement* element;  // every public struct starts with this
    mjsBody body;
    mjsFrame frame;
    mjsJoint joint;
    mjsGeom geom;
    mjsSite site;
    mjsCamera camera;
    mjsLight light;
    mjsFlex flex;
    mjsMesh mesh;
    mjsHField hfield;
    mjsSkin skin;
    mjsTexture texture;
    mjsMaterial material;
    mjsPair pair;
    mjsExclude exclude;
    mjsEquality equality;
    mjsTendon tendon;
    mjsWrap wrap;
    mjsActuator actuator;
    mjsSensor sensor;
    mjsNumeric numeric;
    mjsText text;
    mjsTuple tuple;
    mjsKey key;
    mjsPlugin plugin;
    mjsDefault dflt;
  } as;
};

// names of one type of element; index.c
typedef struct mjiIndex_ {
  mjiElem** slot;  // open addressing; NULL: not made
  int size, num;
  mjiElem* repeated;  // one with the name of another, NULL: all names differ
} mjiIndex;

// The ids of elements in the tree that users see: after an addition there are none; after a deletion they are those of
// the next reordering, which runs when an id is asked for.
typedef enum mjiNumbered_ { MJI_UNNUMBERED, MJI_RENUMBER, MJI_NUMBERED } mjiNumbered;

// what a compiled specification remembers of its model
typedef struct mjiMade_ {
  mjStatistic stat;
  uint64_t signature;
#define X(name) mjtSize name;
  MJMODEL_INTS
#undef X
} mjiMade;

struct mjiSpec_ {
  mjSpec pub;       // first, so that mjSpec* is mjiSpec*
  mjiElem self;     // what pub.element points to
  mjiVec store[5];  // containers of pub
  mjiVec document;  // file that it was read from, "" if from none
  mjiVec active;    // names of plugins that it may use
  mjiElem* world;
  mjiElem* mainclass;
  mjiVec classes;  // all default classes, main first
  mjiVec frames;
  mjiVec list[mjNOBJECT];  // elements by type; those of the tree in order of addition
  mjiIndex index[mjNOBJECT + 1];
  mjiVec origins;        // mjiOrigin* of attached specifications
  mjiVec attached;       // mjSpec* that were attached to it, or elements of them; not owned
  mjiVec hosts;          // mjiSpec* that it, or elements of it, were attached to
  mjiVec models;         // mjSpec* of models among the assets of its document; owned
  int lent;              // elements of it belong to another specification now
  mjiNumbered numbered;  // what the ids of elements in the tree mean to users
  mjiSpec* compiled;     // what the compiler made of it, NULL before; owned
  mjiMade made;          // of a compiled one
  int deepcopy;
  int warning;
  char error[MJI_ERROR_TEXT];
};

// Make an element of a specification, in no list and no tree yet. Type mjOBJ_UNKNOWN makes a wrap.
mjiElem* mji_elem_make(mjiSpec* s, mjtObj type);

// Free the element only; it must be in no list.
void mji_elem_free(mjiElem* e);

// Free the shares of a keyframe (keyframe.h).
void mji_elem_freeShares(mjiElem* key);

// Copy name, class, frame and the public struct with its containers; place and identity of dst stay.
void mji_elem_copy(mjiElem* dst, const mjiElem* src);

// After the struct was moved in memory: point its members at its own storage.
void mji_elem_reconnect(mjiElem* e);

// Copy only the public struct with its containers.
void mji_elem_copyFields(mjiElem* dst, const mjiElem* src);

// Pose of the mesh file for a pose of the geom.
void mji_elem_unfit(const mjiFit* fit, double pos[3], double quat[4]);

// Call visit for each name in the element's fields that refers to another element:
// visit(arg, type of the target, text).
void mji_elem_references(mjiElem* e, void (*visit)(void* arg, mjtObj type, mjiVec* text), void* arg);

// Is all there that the element refers to, assets aside? An equality needs two different objects.
int mji_elem_isResolved(mjiElem* e);

// List of a body for elements of this type, -1 if bodies hold none.
int mji_elem_kid(mjtObj type);

// "geom", "body", ... for messages.
const char* mji_elem_typeName(mjtObj type);

const char* mji_elem_name(const mjiElem* e);

// Name an asset that has none after its file, if it has one.
void mji_elem_nameAfterFile(mjiElem* e);

const char* mji_elem_info(const mjiElem* e);  // the text that says where it comes from, "" if none
const mjsCompiler* mji_elem_compiler(const mjiElem* e);
const mjiVec* mji_elem_user(const mjiElem* e);  // user values, NULL if there are none of this type

static inline mjiElem* mji_elem(const mjsElement* e) { return (mjiElem*)e; }

static inline mjiSpec* mji_spec(const mjSpec* s) { return (mjiSpec*)s; }

static inline mjiElem* mji_elem_at(const mjiVec* list, int i) { return mji_vec_get(list, i); }

// ---- spec.c
// Text "file:line: geom 'name': reason", about an element or NULL; without a place if nothing was read from a file.
void mji_spec_describe(char* text, size_t size, const mjiSpec* s, const mjiElem* e, const char* reason);

// Record an error about an element (or NULL); returns -1.
int mji_spec_error(mjiSpec* s, const mjiElem* e, const char* format, ...) __attribute__((format(printf, 3, 4)));

// List that holds the elements of a type, NULL if there is none.
mjiVec* mji_spec_list(mjiSpec* s, mjtObj type);

// Put elements of the tree in depth-first order and renumber all elements.
void mji_spec_reorder(mjiSpec* s);

// Number that changes with the structure of the specification.
uint64_t mji_spec_signature(const mjiSpec* s);

// After an element was added: change the signature that users see, in constant time, so that building a specification
// takes linear time. mji_spec_signature runs when something is deleted, attached or compiled.
void mji_spec_signAdded(mjiSpec* s, mjtObj type);

// Take an element out of its lists and free it with everything below it.
void mji_spec_remove(mjiElem* e);

// Drop user values of an element, calling their cleanup functions.
void mji_user_free(mjiElem* e);

// ---- adopt.c: attaching by reference
void mji_adopt(mjiSpec* host, mjiSpec* guest);  // originals of fresh copies take their places
void mji_adopt_introduce(mjiSpec* host, mjiSpec* guest);
void mji_adopt_forget(mjiSpec* s);            // before it is freed
void mji_adopt_refresh(const mjiSpec* host);  // settings of what was attached to it, as they are now

// ---- index.c
mjiElem* mji_index_find(mjiSpec* s, mjtObj type, const char* name);  // named element, NULL if none
mjiElem* mji_index_repeated(mjiSpec* s, mjtObj type);  // one with the name of another, NULL if there is none
void mji_index_add(mjiElem* e);                        // after it got its first name
void mji_index_drop(mjiSpec* s, mjtObj type);          // after any other change of names
void mji_index_dropAll(mjiSpec* s);

// ---- class.c
mjiElem* mji_class_values(const mjiElem* dclass, mjtObj type);  // initial values; NULL if classes have none
mjiElem* mji_class_find(const mjiSpec* s, const char* name);
mjiElem* mji_class_add(mjiSpec* s, const char* name, mjiElem* parent);
int mji_class_delete(mjiElem* dclass);  // and the classes below; 0
// Class that new elements in a body (or frame) get.
mjiElem* mji_class_inherited(const mjiElem* body);

#endif  // SHEAF_SPEC_ELEMENT_H_
