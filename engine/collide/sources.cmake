set(SOURCES box_box.c box_gap.c box_patch.c contact.c convex.c convex_variant.c distance.c flex_collide.c flex_shape.c mesh_sdf.c pair_hfield.c mpr_hit.c multiccd.c multiface.c
  pair_plane.c pair_round.c pair_sdf.c pair_table.c ray.c ray_flex.c ray_normal.c ray_relief.c ray_scene.c ray_sdf.c ray_surface.c sdf.c sdf_octree.c)
set(LANE_SOURCES broad.c collision.c near.c ray_lanes.c simplex.c)
set(ONE_LANE_SOURCES convex_search.c epa.c flex_one.c gjk.c mpr.c support.c)
set(MANY_LANES_SOURCES convex_lanes.c epa_lanes.c flex_lanes.c gjk_lanes.c mpr_lanes.c)
