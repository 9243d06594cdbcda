set(SOURCES vec.c element.c defaults.c spec.c class.c add.c find.c set.c strings.c orientation.c actuator.c copy.c delete.c sensor.c attach.c attach_names.c adopt.c index.c key.c key_owner.c)
set(LANE_SOURCES)
