// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Which integer arrays of a model point into which others: one row per array.
//   INDEX(array, count, limit)      0 <= array[i] < limit
//   OPTION(array, count, limit)     the same, or -1
//   RANGE(adr, num, count, limit)   0 <= adr[i] and adr[i] + num[i] <= limit; if num[i] is 0, adr[i] may be anything
//   WORD(array, count, first, limit)   first <= array[i] < limit, which are constants: values of an enum
// What depends on more than one array is in model/check_*.c.
#ifndef SHEAF_TABLES_REFERENCE_TABLE_H_
#define SHEAF_TABLES_REFERENCE_TABLE_H_

#define MJI_REFERENCES                                                       \
  INDEX(body_parentid, nbody, nbody)                                         \
  INDEX(body_rootid, nbody, nbody)                                           \
  INDEX(body_weldid, nbody, nbody)                                           \
  OPTION(body_mocapid, nbody, nmocap)                                        \
  RANGE(body_jntadr, body_jntnum, nbody, njnt)                               \
  RANGE(body_dofadr, body_dofnum, nbody, nv)                                 \
  OPTION(body_treeid, nbody, ntree)                                          \
  RANGE(body_geomadr, body_geomnum, nbody, ngeom)                            \
  OPTION(body_plugin, nbody, nplugin)                                        \
  RANGE(body_bvhadr, body_bvhnum, nbody, nbvh)                               \
  WORD(jnt_type, njnt, mjJNT_FREE, mjJNT_HINGE + 1)                          \
  INDEX(jnt_qposadr, njnt, nq)                                               \
  INDEX(jnt_dofadr, njnt, nv)                                                \
  INDEX(jnt_bodyid, njnt, nbody)                                             \
  INDEX(dof_bodyid, nv, nbody)                                               \
  INDEX(dof_jntid, nv, njnt)                                                 \
  OPTION(dof_parentid, nv, nv)                                               \
  INDEX(dof_treeid, nv, ntree)                                               \
  INDEX(dof_Madr, nv, nM)                                                    \
  RANGE(tree_bodyadr, tree_bodynum, ntree, nbody)                            \
  RANGE(tree_dofadr, tree_dofnum, ntree, nv)                                 \
  WORD(tree_sleep_policy, ntree, mjSLEEP_AUTO, mjSLEEP_INIT + 1)             \
  WORD(geom_type, ngeom, mjGEOM_PLANE, mjNGEOMTYPES)                         \
  INDEX(geom_bodyid, ngeom, nbody)                                           \
  OPTION(geom_matid, ngeom, nmat)                                            \
  OPTION(geom_plugin, ngeom, nplugin)                                        \
  WORD(site_type, nsite, mjGEOM_PLANE, mjNGEOMTYPES)                         \
  INDEX(site_bodyid, nsite, nbody)                                           \
  OPTION(site_matid, nsite, nmat)                                            \
  WORD(cam_mode, ncam, mjCAMLIGHT_FIXED, mjCAMLIGHT_TARGETBODYCOM + 1)       \
  INDEX(cam_bodyid, ncam, nbody)                                             \
  OPTION(cam_targetbodyid, ncam, nbody)                                      \
  WORD(light_mode, nlight, mjCAMLIGHT_FIXED, mjCAMLIGHT_TARGETBODYCOM + 1)   \
  WORD(light_type, nlight, mjLIGHT_SPOT, mjLIGHT_IMAGE + 1)                  \
  INDEX(light_bodyid, nlight, nbody)                                         \
  OPTION(light_targetbodyid, nlight, nbody)                                  \
  OPTION(light_texid, nlight, ntex)                                          \
  RANGE(mesh_vertadr, mesh_vertnum, nmesh, nmeshvert)                        \
  RANGE(mesh_normaladr, mesh_normalnum, nmesh, nmeshnormal)                  \
  RANGE(mesh_texcoordadr, mesh_texcoordnum, nmesh, nmeshtexcoord)            \
  RANGE(mesh_faceadr, mesh_facenum, nmesh, nmeshface)                        \
  RANGE(mesh_bvhadr, mesh_bvhnum, nmesh, nbvh)                               \
  OPTION(mesh_graphadr, nmesh, nmeshgraph)                                   \
  RANGE(mesh_polyadr, mesh_polynum, nmesh, nmeshpoly)                        \
  RANGE(mesh_polyvertadr, mesh_polyvertnum, nmeshpoly, nmeshpolyvert)        \
  RANGE(mesh_polymapadr, mesh_polymapnum, nmeshvert, nmeshpolymap)           \
  OPTION(mesh_pathadr, nmesh, npaths)                                        \
  WORD(flex_selfcollide, nflex, mjFLEXSELF_NONE, mjFLEXSELF_AUTO + 1)        \
  WORD(flex_dim, nflex, 1, 4)                                                \
  OPTION(flex_matid, nflex, nmat)                                            \
  RANGE(flex_nodeadr, flex_nodenum, nflex, nflexnode)                        \
  RANGE(flex_vertadr, flex_vertnum, nflex, nflexvert)                        \
  RANGE(flex_edgeadr, flex_edgenum, nflex, nflexedge)                        \
  RANGE(flex_elemadr, flex_elemnum, nflex, nflexelem)                        \
  RANGE(flex_evpairadr, flex_evpairnum, nflex, nflexevpair)                  \
  OPTION(flex_texcoordadr, nflex, nflextexcoord)                             \
  INDEX(flex_nodebodyid, nflexnode, nbody)                                   \
  OPTION(flex_vertbodyid, nflexvert, nbody)                                  \
  RANGE(flex_bvhadr, flex_bvhnum, nflex, nbvh)                               \
  OPTION(skin_matid, nskin, nmat)                                            \
  RANGE(skin_vertadr, skin_vertnum, nskin, nskinvert)                        \
  RANGE(skin_faceadr, skin_facenum, nskin, nskinface)                        \
  RANGE(skin_boneadr, skin_bonenum, nskin, nskinbone)                        \
  RANGE(skin_bonevertadr, skin_bonevertnum, nskinbone, nskinbonevert)        \
  INDEX(skin_bonebodyid, nskinbone, nbody)                                   \
  OPTION(skin_pathadr, nskin, npaths)                                        \
  OPTION(hfield_pathadr, nhfield, npaths)                                    \
  WORD(tex_type, ntex, mjTEXTURE_2D, mjTEXTURE_SKYBOX + 1)                   \
  WORD(tex_colorspace, ntex, mjCOLORSPACE_AUTO, mjCOLORSPACE_SRGB + 1)       \
  OPTION(tex_pathadr, ntex, npaths)                                          \
  OPTION(mat_texid, nmat* mjNTEXROLE, ntex)                                  \
  INDEX(pair_geom1, npair, ngeom)                                            \
  INDEX(pair_geom2, npair, ngeom)                                            \
  RANGE(tendon_adr, tendon_num, ntendon, nwrap)                              \
  OPTION(tendon_matid, ntendon, nmat)                                        \
  OPTION(tendon_treeid, ntendon * 2, ntree)                                  \
  WORD(actuator_dyntype, nu, mjDYN_NONE, mjDYN_USER + 1)                     \
  WORD(actuator_gaintype, nu, mjGAIN_FIXED, mjGAIN_USER + 1)                 \
  WORD(actuator_biastype, nu, mjBIAS_NONE, mjBIAS_USER + 1)                  \
  RANGE(actuator_actadr, actuator_actnum, nu, na)                            \
  OPTION(actuator_plugin, nu, nplugin)                                       \
  WORD(sensor_type, nsensor, 0, mjSENS_USER + 1)                             \
  WORD(sensor_datatype, nsensor, mjDATATYPE_REAL, mjDATATYPE_QUATERNION + 1) \
  RANGE(sensor_adr, sensor_dim, nsensor, nsensordata)                        \
  OPTION(sensor_plugin, nsensor, nplugin)                                    \
  RANGE(numeric_adr, numeric_size, nnumeric, nnumericdata)                   \
  RANGE(text_adr, text_size, ntext, ntextdata)                               \
  RANGE(tuple_adr, tuple_size, ntuple, ntupledata)                           \
  INDEX(name_bodyadr, nbody, nnames)                                         \
  INDEX(name_jntadr, njnt, nnames)                                           \
  INDEX(name_geomadr, ngeom, nnames)                                         \
  INDEX(name_siteadr, nsite, nnames)                                         \
  INDEX(name_camadr, ncam, nnames)                                           \
  INDEX(name_lightadr, nlight, nnames)                                       \
  INDEX(name_flexadr, nflex, nnames)                                         \
  INDEX(name_meshadr, nmesh, nnames)                                         \
  INDEX(name_skinadr, nskin, nnames)                                         \
  INDEX(name_hfieldadr, nhfield, nnames)                                     \
  INDEX(name_texadr, ntex, nnames)                                           \
  INDEX(name_matadr, nmat, nnames)                                           \
  INDEX(name_pairadr, npair, nnames)                                         \
  INDEX(name_excludeadr, nexclude, nnames)                                   \
  INDEX(name_eqadr, neq, nnames)                                             \
  INDEX(name_tendonadr, ntendon, nnames)                                     \
  INDEX(name_actuatoradr, nu, nnames)                                        \
  INDEX(name_sensoradr, nsensor, nnames)                                     \
  INDEX(name_numericadr, nnumeric, nnames)                                   \
  INDEX(name_textadr, ntext, nnames)                                         \
  INDEX(name_tupleadr, ntuple, nnames)                                       \
  INDEX(name_keyadr, nkey, nnames)                                           \
  INDEX(name_pluginadr, nplugin, nnames)                                     \
  RANGE(B_rowadr, B_rownnz, nbody, nB)                                       \
  INDEX(B_colind, nB, nv)                                                    \
  RANGE(M_rowadr, M_rownnz, nv, nC)                                          \
  INDEX(M_colind, nC, nv)                                                    \
  INDEX(mapM2M, nC, nM)                                                      \
  RANGE(D_rowadr, D_rownnz, nv, nD)                                          \
  INDEX(D_colind, nD, nv)                                                    \
  OPTION(mapM2D, nD, nC)                                                     \
  INDEX(mapD2M, nC, nD)

#endif  // SHEAF_TABLES_REFERENCE_TABLE_H_
