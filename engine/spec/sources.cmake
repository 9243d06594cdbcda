set(SOURCES vec.c element.c asset_name.c defaults.c spec.c class.c add.c find.c set.c plugin_use.c text_lists.c mesh_builtin.c orientation.c set_actuator.c copy.c delete.c sensor_size.c attach.c attach_names.c attach_flex.c adopt.c index.c keyframe.c)
set(LANE_SOURCES)
