set(SOURCES job.c pool.c queue.c task.c worker.c)
set(LANE_SOURCES)
