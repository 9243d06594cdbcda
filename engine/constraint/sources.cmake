set(SOURCES api.c island.c island_export.c jacobian.c rows.c spring.c)
set(LANE_SOURCES block_ops.c contact_rows.c equality.c blocks_ok.c joint_rows.c lane_rows.c make.c reference.c side_rows.c tendon_rows.c)
