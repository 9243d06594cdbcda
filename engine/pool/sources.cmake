set(SOURCES job.c pool.c queue.c worker.c)
set(LANE_SOURCES)
