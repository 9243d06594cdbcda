set(SOURCES box_box.c box_gap.c box_patch.c capsule_box.c contact.c convex.c distance.c epa.c flex_collide.c flex_shape.c gjk.c mesh_sdf.c pair_hfield.c mpr.c multiccd.c multiface.c
  pair_plane.c pair_round.c pair_sdf.c pair_table.c ray.c ray_normal.c ray_scene.c ray_sdf.c ray_surface.c sdf.c sdf_octree.c simplex.c support.c)
set(LANE_SOURCES broad.c collision.c)
