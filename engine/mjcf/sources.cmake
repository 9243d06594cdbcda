set(SOURCES check.c document.c include.c load.c read.c read_actuator.c read_asset.c read_body.c
  read_composite.c read_default.c read_links.c read_sensor.c read_settings.c schema.c schema_actuator.c
  schema_asset.c schema_body.c schema_links.c schema_sensor.c schema_settings.c sensor_kind.c source.c xml.c xml_parse.c)
set(LANE_SOURCES)
