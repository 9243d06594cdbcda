// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Compiled assets: what the model needs of a mesh, a height field and a texture.
//
// The functions read files (from the virtual file system first, then from disk) and fill a struct that
// the compiler packs into the model. All arrays are allocated with mju_malloc and freed by the matching
// free function, also after an error. They return 0, or -1 with the reason in `error`; the reason does not
// name the element, the caller does that.
#ifndef SHEAF_COMPILE_ASSET_H_
#define SHEAF_COMPILE_ASSET_H_

#include <mujoco/mujoco.h>

// where files are looked for, and room for the reason of a failure
typedef struct mjiAssetSource_ {
  const mjVFS* vfs;      // may be NULL
  const char* modeldir;  // directory of the model file, "" if none
  const char* assetdir;  // meshdir or texturedir of the compiler settings, "" if none
  int strippath;         // nonzero: use only the last part of file names
  char error[500];
} mjiAssetSource;

typedef struct mjiMesh_ {
  int nvert, nnormal, ntexcoord, nface, ngraph, npoly, npolyvert, npolymap, noct;
  float* vert;         // (nvert x 3), centered and aligned: in the frame below
  double* place;       // (nvert x 3), vert before it was rounded
  float* normal;       // (nnormal x 3)
  float* texcoord;     // (ntexcoord x 2)
  int* face;           // (nface x 3)
  int* facenormal;     // (nface x 3)
  int* facetexcoord;   // (nface x 3)
  int* graph;          // (ngraph) convex hull; ngraph is 0 unless asked for
  double* polynormal;  // (npoly x 3)
  int* polyvertadr;    // (npoly) in polyvert
  int* polyvertnum;    // (npoly)
  int* polyvert;       // (npolyvert)
  int* polymapadr;     // (nvert) in polymap
  int* polymapnum;     // (nvert)
  int* polymap;        // (npolymap)
  int* octdepth;       // (noct) octree of distances; noct is 0 unless asked for
  int* octchild;       // (noct x 8)
  double* octaabb;     // (noct x 6)
  double* octcoeff;    // (noct x 8)
  double scale[3];
  double pos[3], quat[4];              // frame of the inertia, in the frame of the file: mesh_pos, mesh_quat
  double aabb[6];                      // center, half sizes, in the mesh frame
  double volume, area;                 // of the solid; of the surface
  double inertia[3];                   // solid of density one, in the mesh frame (diagonal)
  double shell_inertia[3];             // shell of area density one, in the mesh frame (diagonal)
  double shell_pos[3], shell_quat[4];  // frame of the shell, in the frame of the file
  int exact;                           // nonzero: inertia was asked for as a shell (mjMESH_INERTIA_SHELL)
  char* path;                          // file as it was found, "" if none
} mjiMesh;

// needhull: a geom collides with it, or it takes its inertia from the hull. needtree: a geom or a sensor asks for its
// distances.
int mji_mesh_compile(mjiMesh* out, const mjsMesh* mesh, int needhull, int needtree, mjiAssetSource* source);
void mji_mesh_free(mjiMesh* mesh);

// The arrays of a mesh, all but its path, with their sizes in bytes.
enum { mjiMESH_PARTS = 19 };
typedef struct mjiMeshPart_ {
  void** array;
  size_t size;
} mjiMeshPart;
void mji_mesh_parts(mjiMesh* mesh, mjiMeshPart part[mjiMESH_PARTS]);

// The arrays of a mesh without a path are still those of another: give it its own. Returns 0, or -1 without memory;
// then the mesh is empty. (mesh_share.c)
int mji_mesh_ownParts(mjiMesh* mesh);

// Half sizes of the box that has this inertia for this volume (or area).
void mji_mesh_box(double half[3], const double inertia[3], double amount);

// Primitive that fits the mesh: size, and pos/quat of its frame in the frame of the file. Used by geoms of a
// primitive type that name a mesh. fitaabb: fit the bounding box instead of the inertia box.
int mji_mesh_fitGeom(const mjiMesh* mesh, mjtGeom type, int fitaabb, double size[3], double pos[3], double quat[4],
                     mjiAssetSource* source);

// Fill the lists of a skin from the file it names.
int mji_skin_read(mjsSkin* skin, mjiAssetSource* source);

typedef struct mjiHField_ {
  int nrow, ncol;
  float* data;  // (nrow x ncol), scaled to [0, 1]
  char* path;
} mjiHField;

int mji_hfield_compile(mjiHField* out, const mjsHField* hfield, mjiAssetSource* source);
void mji_hfield_free(mjiHField* hfield);

typedef struct mjiTexture_ {
  int width, height, nchannel;
  int colorspace;  // mjtColorSpace; a file may say it
  mjtByte* data;   // (width x height x nchannel)
  char* path;
} mjiTexture;

int mji_texture_compile(mjiTexture* out, const mjsTexture* texture, mjiAssetSource* source);
void mji_texture_free(mjiTexture* texture);

#endif  // SHEAF_COMPILE_ASSET_H_
