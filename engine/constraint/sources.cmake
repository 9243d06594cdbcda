set(SOURCES api.c island.c jacobian.c project.c rows.c spring.c tendon.c)
set(LANE_SOURCES block_ops.c contact_rows.c equality.c joint_rows.c make.c reference.c tendon_rows.c)
