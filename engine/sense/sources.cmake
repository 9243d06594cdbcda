set(SOURCES sensor_contact.c sensor_tactile.c sense.c)
set(LANE_SOURCES sensor_acc.c sensor_pos.c sensor_vel.c stage.c)
