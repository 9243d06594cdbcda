set(SOURCES asset_cache.c asset_file.c hfield.c mesh.c mesh_hull.c mesh_distance.c mesh_octree.c mesh_cubes.c mesh_field.c mesh_inertia.c mesh_polygon.c mesh_share.c texture.c compile.c name_ids.c limit.c frame.c assets.c geom.c geom_inertia.c added_mass.c joint.c body.c reduce.c fuse.c visual.c links.c
  tendon.c actuator.c sensor.c compile_plugin.c skin.c skin_file.c compile_flex.c flex_topology.c flex_elastic.c flex_nodes.c pack_flex.c custom.c sizes.c pack_tree.c sleep_policy.c bvh.c bvh_split.c pack_objects.c pack_links.c pack_custom.c
  reals.c finite.c copyback.c body_to_frame.c)
set(LANE_SOURCES)
