// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Fuzz targets for the files of assets: the input is such a file, of the kind FUZZ_KIND, and models around
// it use it in every way there is.
#include <stdlib.h>
#include <string.h>

#include "use_model.h"

enum { STEPS = 3, MODELS = 4 };

// a mesh as two colliding bodies, mirrored with a small hull, as a fitted shape, and filled as a flex
// clang-format off
#define MESH(ending)                                                                               \
  {"<mujoco><asset><mesh name='m' file='f." ending "'/></asset><worldbody>"                        \
   "<geom type='plane' size='1 1 1'/>"                                                             \
   "<body><freejoint/><geom type='mesh' mesh='m'/></body>"                                         \
   "<body pos='.1 .2 .3'><freejoint/><geom type='mesh' mesh='m'/></body></worldbody></mujoco>",     \
   "<mujoco><asset><mesh name='m' file='f." ending "' scale='-1 2 .5' inertia='convex'"            \
   " maxhullvert='8' smoothnormal='true' refpos='1 0 0' refquat='1 1 0 0'/></asset><worldbody>"    \
   "<geom type='box' size='.1 .1 .1'/>"                                                            \
   "<body><freejoint/><geom type='mesh' mesh='m'/></body></worldbody></mujoco>",                   \
   "<mujoco><compiler fitaabb='true'/><asset><mesh name='m' file='f." ending "' inertia='shell'/>"  \
   "</asset><worldbody><geom type='mesh' mesh='m' contype='0' conaffinity='0'/>"                   \
   "<body><freejoint/><geom type='capsule' mesh='m'/></body></worldbody></mujoco>",                \
   "<mujoco><worldbody><geom type='plane' size='1 1 1'/><body name='b'><flexcomp name='f'"         \
   " type='mesh' file='f." ending "' dim='3' origin='.1 .2 .3'/></body></worldbody></mujoco>"}
// clang-format on

#define HFIELD(ending)                                                                      \
  "<mujoco><asset><hfield name='h' file='f." ending                                         \
  "' size='1 1 .2 .1'/></asset><worldbody>"                                                 \
  "<geom type='hfield' hfield='h'/><body pos='0 0 .1'><freejoint/><geom size='.1'/></body>" \
  "<body pos='.5 0 .1'><freejoint/><geom type='box' size='.1 .1 .1'/></body></worldbody></mujoco>"

#define FLEX(attributes, inner)                                                            \
  "<mujoco><worldbody><geom type='plane' size='1 1 1'/><body name='b'><flexcomp name='f' " \
  "type='gmsh' file='f.gmsh' scale='1 2 .5' " attributes ">" inner "</flexcomp></body></worldbody></mujoco>"

static const struct {
  const char* kind;
  const char* file;
  const char* mjcf[MODELS];
} kinds[] = {
    {"obj", "f.obj", MESH("obj")},
    {"stl", "f.stl", MESH("stl")},
    {"msh", "f.msh", MESH("msh")},
    {"gmsh",
     "f.gmsh",
     {FLEX("", "<edge damping='1'/>"), FLEX("dof='radial' rigid='true'", "<pin id='1'/>"),
      FLEX("dof='trilinear'", "<elasticity young='10'/><contact selfcollide='none'/>"),
      FLEX("", "<elasticity young='10' thickness='.1' elastic2d='both'/><contact internal='true'/>")}},
    {"png",
     "f.png",
     {HFIELD("png"),
      "<mujoco><asset><texture name='t' type='2d' file='f.png'/><material name='m' texture='t'/>"
      "</asset></mujoco>",
      "<mujoco><asset><texture name='t' type='cube' file='f.png' gridsize='3 4'"
      " gridlayout='.U..LFRB.D..'/></asset></mujoco>"}},
    {"hfield", "f.bin", {HFIELD("bin")}},
    {"skn",
     "f.skn",
     {"<mujoco><worldbody><body name='a'><freejoint/><geom size='.1'/></body></worldbody>"
      "<deformable><skin name='s' file='f.skn'/></deformable></mujoco>"}},
};

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t n) {
  size_t k = 0;
  while (strcmp(kinds[k].kind, FUZZ_KIND)) k++;
  fuzz_setHandlers();
  for (int i = 0; i < MODELS && kinds[k].mjcf[i]; i++) {
    mjModel* m = fuzz_compile(kinds[k].mjcf[i], kinds[k].file, bytes, n);
    if (m) fuzz_useModel(m, STEPS);
    mj_deleteModel(m);
  }
  return 0;
}
