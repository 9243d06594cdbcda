set(SOURCES pool.c queue.c strand.c submitted.c task.c worker.c worker_data.c)
set(LANE_SOURCES)
