set(SOURCES gmsh.c mesh_ear.c mesh_file.c mesh_join.c mesh_obj.c)
set(LANE_SOURCES)
