// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// From the working copy to the model: flexes.

#include <stdlib.h>
#include <string.h>

#include "compile/compile_flex.h"
#include "model/flex_parts.h"

void mji_flex_count(const mjiCompile* c, mjModel* sizes) {
  sizes->nflex = mji_count(c, mjOBJ_FLEX);
  for (int i = 0; i < sizes->nflex; i++) {
    const mjiElem* e = mji_get(c, mjOBJ_FLEX, i);
    const mjiFlex* f = e->info;
    mji_sizes_add(&sizes->nflexnode, f->nnode);
    mji_sizes_add(&sizes->nflexvert, f->nvert);
    mji_sizes_add(&sizes->nflexedge, f->nedge);
    mji_sizes_add(&sizes->nflexelem, f->nelem);
    mji_sizes_add(&sizes->nflexelemdata, (int64_t)f->nelem * (f->dim + 1));
    mji_sizes_add(&sizes->nflexelemedge, (int64_t)f->nelem * mji_flexElemEdges(f->dim));
    mji_sizes_add(&sizes->nflexshelldata, (int64_t)f->nshell * f->dim);
    mji_sizes_add(&sizes->nflexevpair, f->nevpair);
    mji_sizes_add(&sizes->nflextexcoord, ((const mjiVec*)e->as.flex.texcoord)->num / 2);
  }
}

static void copyInts(int* dst, const int* src, int n) {
  if (n > 0) memcpy(dst, src, (size_t)n * sizeof(int));
}

static void packContact(mjModel* m, int i, const mjsFlex* flex) {
  m->flex_contype[i] = flex->contype;
  m->flex_conaffinity[i] = flex->conaffinity;
  m->flex_condim[i] = flex->condim;
  m->flex_priority[i] = flex->priority;
  m->flex_solmix[i] = flex->solmix;
  mju_copy(m->flex_solref + mjNREF * i, flex->solref, mjNREF);
  mju_copy(m->flex_solimp + mjNIMP * i, flex->solimp, mjNIMP);
  mju_copy3(m->flex_friction + 3 * i, flex->friction);
  m->flex_margin[i] = flex->margin;
  m->flex_gap[i] = flex->gap;
  m->flex_internal[i] = flex->internal;
  m->flex_selfcollide[i] = flex->selfcollide;
  m->flex_activelayers[i] = flex->activelayers;
  m->flex_passive[i] = flex->passive;
}

static void packNumbers(mjModel* m, int i, const mjsFlex* flex, const mjiFlex* f) {
  m->flex_dim[i] = f->dim;
  m->flex_group[i] = flex->group;
  m->flex_interp[i] = f->interp;
  m->flex_radius[i] = flex->radius;
  m->flex_damping[i] = flex->damping;
  m->flex_edgestiffness[i] = flex->edgestiffness;
  m->flex_edgedamping[i] = flex->edgedamping;
  m->flex_edgeequality[i] = (mjtByte)f->equality;
  m->flex_rigid[i] = (mjtByte)f->rigid;
  m->flex_centered[i] = (mjtByte)f->centered;
  m->flex_flatskin[i] = flex->flatskin;
  memcpy(m->flex_rgba + 4 * i, flex->rgba, sizeof flex->rgba);
}

// addresses and counts; `at` keeps the running addresses
static void packAddresses(mjModel* m, int i, const mjiFlex* f, const mjModel* at, int ntexcoord) {
  m->flex_nodeadr[i] = at->nflexnode;
  m->flex_nodenum[i] = f->nnode;
  m->flex_vertadr[i] = at->nflexvert;
  m->flex_vertnum[i] = f->nvert;
  m->flex_edgeadr[i] = at->nflexedge;
  m->flex_edgenum[i] = f->nedge;
  m->flex_elemadr[i] = at->nflexelem;
  m->flex_elemnum[i] = f->nelem;
  m->flex_elemdataadr[i] = at->nflexelemdata;
  m->flex_elemedgeadr[i] = at->nflexelemedge;
  m->flex_shellnum[i] = f->nshell;
  m->flex_shelldataadr[i] = f->nshell ? at->nflexshelldata : -1;
  m->flex_evpairadr[i] = f->nevpair ? at->nflexevpair : -1;
  m->flex_evpairnum[i] = f->nevpair;
  m->flex_texcoordadr[i] = ntexcoord ? at->nflextexcoord : -1;
}

static void packPoints(mjModel* m, const mjiFlex* f, const mjModel* at) {
  for (int k = 0; k < f->nvert; k++) m->flex_vertbodyid[at->nflexvert + k] = f->vertbody ? f->vertbody[k] : -1;
  mju_copy(m->flex_vert + 3 * at->nflexvert, f->vert, 3 * f->nvert);
  mju_copy(m->flex_vert0 + 3 * at->nflexvert, f->vert0, 3 * f->nvert);
  copyInts(m->flex_nodebodyid + at->nflexnode, f->nodebody, f->nnode);
  mju_copy(m->flex_node + 3 * at->nflexnode, f->node, 3 * f->nnode);
  mju_copy(m->flex_node0 + 3 * at->nflexnode, f->nodepos, 3 * f->nnode);
}

static void packEdges(mjModel* m, const mjiFlex* f, const mjModel* at) {
  const int adr = at->nflexedge;
  copyInts(m->flex_edge + 2 * adr, f->edge, 2 * f->nedge);
  copyInts(m->flex_edgeflap + 2 * adr, f->edgeflap, 2 * f->nedge);
  mju_copy(m->flex_bending + 17 * adr, f->bending, 17 * f->nedge);
  for (int k = 0; k < f->nedge; k++) {
    const int *v = f->edge + 2 * k, *body = f->vertbody;
    m->flexedge_rigid[adr + k] = body && m->body_weldid[body[v[0]]] == m->body_weldid[body[v[1]]];
  }
}

static void packElements(mjModel* m, const mjiFlex* f, const mjModel* at) {
  copyInts(m->flex_elem + at->nflexelemdata, f->elem, f->nelem * (f->dim + 1));
  copyInts(m->flex_elemtexcoord + at->nflexelemdata, f->elemtexcoord, f->nelem * (f->dim + 1));
  copyInts(m->flex_elemedge + at->nflexelemedge, f->elemedge, f->nelem * mji_flexElemEdges(f->dim));
  copyInts(m->flex_elemlayer + at->nflexelem, f->elemlayer, f->nelem);
  copyInts(m->flex_shell + at->nflexshelldata, f->shell, f->nshell * f->dim);
  copyInts(m->flex_evpair + 2 * at->nflexevpair, f->evpair, 2 * f->nevpair);
  mju_copy(m->flex_stiffness + 21 * at->nflexelem, f->stiffness, 21 * f->nelem);
}

static void packFlex(mjiCompile* c, int i, mjModel* at) {
  mjModel* m = c->m;
  const mjiElem* e = mji_get(c, mjOBJ_FLEX, i);
  const mjsFlex* flex = &e->as.flex;
  const mjiFlex* f = e->info;
  const mjiVec* texcoord = flex->texcoord;
  packContact(m, i, flex);
  packNumbers(m, i, flex, f);
  m->flex_matid[i] = mji_names_find(c, mjOBJ_MATERIAL, mjs_getString(flex->material));
  packAddresses(m, i, f, at, texcoord->num);
  packPoints(m, f, at);
  packEdges(m, f, at);
  packElements(m, f, at);
  if (texcoord->num) {
    memcpy(m->flex_texcoord + 2 * at->nflextexcoord, texcoord->data, (size_t)texcoord->num * sizeof(float));
  }
  at->nflexnode += f->nnode;
  at->nflexvert += f->nvert;
  at->nflexedge += f->nedge;
  at->nflexelem += f->nelem;
  at->nflexelemdata += f->nelem * (f->dim + 1);
  at->nflexelemedge += f->nelem * mji_flexElemEdges(f->dim);
  at->nflexshelldata += f->nshell * f->dim;
  at->nflexevpair += f->nevpair;
  at->nflextexcoord += texcoord->num / 2;
}

void mji_flex_pack(mjiCompile* c) {
  mjModel* at = mji_vec_alloc(sizeof(mjModel));
  for (int i = 0; i < c->m->nflex; i++) packFlex(c, i, at);
  free(at);
}
