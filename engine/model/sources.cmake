# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
set(SOURCES actuator_row.c check.c data.c default.c equality_row.c hull_corners.c hull_graph.c model_file.c info.c init_data.c lanes_ok.c model.c names.c number.c pairs.c plan.c print.c qpos.c sensor_row.c sleep.c
    plugin.c plugin_instance.c plugin_library.c plugin_stage.c check_assets.c check_flex.c check_links.c flex_side.c check_sensors.c check_tree.c sparse.c stack.c state.c tree.c warning.c)
set(LANE_SOURCES one_lane.c side_lanes.c sleep_lanes.c)
