set(SOURCES cable_path.c cable_skin.c check_schema.c decode.c dependencies.c read_document.c include.c parse.c print_schema.c read.c read_actuator.c read_asset.c read_body.c
  read_composite.c read_default.c read_flex.c read_flexcomp.c flexcomp_shape.c flexcomp_file.c read_links.c read_plugin.c write_plugin.c read_sensor.c read_settings.c save_xml.c schema.c schema_actuator.c
  schema_asset.c schema_body.c schema_flex.c schema_links.c schema_sensor.c schema_settings.c sensor_kind.c source.c urdf.c urdf_joint.c urdf_link.c urdf_names.c urdf_rows.c write.c write_asset.c write_body.c
  write_default.c write_flex.c write_document.c write_links.c write_sensor.c write_settings.c write_text.c xml.c xml_forgive.c xml_parse.c)
set(LANE_SOURCES)
