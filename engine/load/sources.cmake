set(SOURCES finish.c flex_const.c lane_const.c setconst.c statistics.c lengthrange.c recompile.c last_xml.c load_any.c)
set(LANE_SOURCES inverse_weights.c)
