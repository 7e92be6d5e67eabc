meta:
  id: xac
  title: EMotion FX actor
  application: EMotion FX 3
  file-extension: xac
  license: MIT
  ks-version: '0.11'
  endian:
    switch-on: byte_order
    cases:
      0: le
      _: be
doc: |
  An actor: nodes, meshes, skinning, materials, morph targets.
  Chunks are read by their structure, because the sizes of some kinds lie; docs/formats/ says which. A file within the
  wrapper of the Risen games begins 140 bytes later.
seq:
  - id: header
    type: header
  - id: chunk
    type: chunk(_index)
    repeat: until
    repeat-until: _io.size - _io.pos < 12
    if: _io.size - _io.pos >= 12
  - id: trailing
    size-eos: true
instances:
  byte_order:
    pos: 6
    type: u1
types:
  chunk:
    params:
      - id: index
        type: u4
    seq:
      - id: id
        type: u4
      - id: size
        type: u4
      - id: version
        type: u4
      - id: content
        type:
          switch-on: id * 65536 + version
          cases:
            # layout: cases
            0x00000001: node(version)
            0x00000002: node(version)
            0x00000003: node(version)
            0x00000004: node(version)
            0x00010001: mesh(version)
            0x00010002: mesh(version)
            0x00020001: skinning(version, size)
            0x00020002: skinning(version, size)
            0x00020003: skinning(version, size)
            0x00020004: skinning(version, size)
            0x00030001: standard_material(version)
            0x00030002: standard_material(version)
            0x00030003: standard_material(version)
            0x00040001: material_layer
            0x00040002: material_layer
            0x00050001: fx_material(version)
            0x00050002: fx_material(version)
            0x00050003: fx_material(version)
            0x00060001: limit
            0x00070001: info(version)
            0x00070002: info(version)
            0x00070003: info(version)
            0x00070004: info(version)
            0x00080001: mesh_lod
            0x00090001: morph_target
            0x000a0001: node_groups(size, _io.pos)
            0x000b0001: nodes
            0x000c0001: morph_targets
            0x000d0001: material_info(version)
            0x000d0002: material_info(version)
            0x000e0001: node_motion_sources(size)
            0x000f0001: attachment_nodes
            0x00320001: motion_events(version, size)
            0x00320002: motion_events(version, size)
            0x00320003: motion_events(version, size)
            0x00320004: motion_events(version, size)
            0x00330001: timestamp
            # end
            _: opaque(size)
  opaque:
    params:
      - id: size
        type: u4
    seq:
      - id: bytes
        size: size
  text:
    doc: The encoding is stated nowhere; code pages of the exporting machines and UTF-8 occur.
    seq:
      - id: length
        type: u4
      - id: bytes
        size: length
  # layout: types
  header:
    seq:
      - id: magic
        size: 4
      - id: major_version
        type: u1
      - id: minor_version
        type: u1
      - id: endian
        type: u1
      - id: multiplication_order
        type: u1
  motion_events:
    params:
      - id: version
        type: u4
      - id: size
        type: u4
    seq:
      - id: track_2
        type: motion_events_track(version, size, _io.pos)
        repeat: expr
        repeat-expr: 'version >= 4 ? track_count : 1'
        if: version <= 3
      - id: track_count
        type: u4
        if: version == 4
      - id: track
        type: motion_events_track(version, size, _io.pos)
        repeat: expr
        repeat-expr: 'version >= 4 ? track_count : 1'
        if: version == 4
  motion_events_track:
    params:
      - id: version
        type: u4
      - id: size
        type: u4
      - id: start
        type: u4
    seq:
      - id: event_count
        type: u4
      - id: type_count
        type: u4
      - id: parameter_count
        type: u4
      - id: enabled
        type: u1
        if: version == 4
      - id: padding
        type: u1
        repeat: expr
        repeat-expr: 3
        if: version == 4
      - id: name
        type: text
        if: version == 4
      - id: type_name
        type: motion_events_track_type_name
        repeat: expr
        repeat-expr: type_count
      - id: parameter_name
        type: motion_events_track_parameter_name
        repeat: expr
        repeat-expr: parameter_count
      - id: event
        type: motion_events_track_event(version, packed)
        repeat: expr
        repeat-expr: event_count
    instances:
      packed:
        doc: |
          Events of version 3 and later may lack their two bytes of padding, which only the size of the chunk tells.
          Of version 4 this description reads padded ones only.
        value: 'version == 3 and event_count > 0 and (start + size - _io.pos) / event_count == 14'
  motion_events_track_type_name:
    seq:
      - id: text
        type: text
  motion_events_track_parameter_name:
    seq:
      - id: text
        type: text
  motion_events_track_event:
    params:
      - id: version
        type: u4
      - id: packed
        type: bool
    seq:
      - id: start_time
        type: f4
      - id: end_time
        type: f4
        if: version >= 2
      - id: type
        type: u4
      - id: parameter
        type:
          switch-on: version <= 2
          cases:
            true: u4
            false: u2
      - id: padding
        type: u1
        repeat: expr
        repeat-expr: 2
        if: version >= 3 and not packed
  timestamp:
    seq:
      - id: year
        type: u2
      - id: month
        type: s1
      - id: day
        type: s1
      - id: hours
        type: s1
      - id: minutes
        type: s1
      - id: seconds
        type: s1
      - id: padding
        type: u1
  node:
    params:
      - id: version
        type: u4
    seq:
      - id: rotation
        type: quat
      - id: scale_rotation
        type: quat
      - id: position
        type: vec3
      - id: scale
        type: vec3
      - id: shear
        type: vec3
      - id: skeletal_lods
        type: u4
      - id: motion_lods
        type: u4
        if: version == 4
      - id: parent
        type: u4
      - id: child_count
        type: u4
        if: version == 4
      - id: flags
        type: u1
        if: version >= 2
      - id: padding
        type: u1
        repeat: expr
        repeat-expr: 3
        if: version >= 2
      - id: box
        type: f4
        repeat: expr
        repeat-expr: 16
        if: version >= 3
      - id: importance
        type: f4
        if: version == 4
      - id: name
        type: text
  mesh:
    params:
      - id: version
        type: u4
    seq:
      - id: node
        type: u4
      - id: lod
        type: u4
        if: version == 2
      - id: original_vertex_count
        type: u4
      - id: vertex_count
        type: u4
      - id: index_count
        type: u4
      - id: submesh_count
        type: u4
      - id: layer_count
        type: u4
      - id: is_collision
        type: u1
      - id: padding
        type: u1
        repeat: expr
        repeat-expr: 3
      - id: layer
        type: mesh_layer
        repeat: expr
        repeat-expr: layer_count
      - id: submesh
        type: mesh_submesh
        repeat: expr
        repeat-expr: submesh_count
  mesh_layer:
    seq:
      - id: type
        type: u4
      - id: element_size
        type: u4
      - id: enable_deformations
        type: u1
      - id: is_scale
        type: u1
      - id: padding
        type: u1
        repeat: expr
        repeat-expr: 2
      - id: data
        size: element_size * _parent.vertex_count
        type:
          switch-on: type * 256 + element_size
          cases:
            0x00c: vec3_list
            0x10c: vec3_list
            0x210: vec4_list
            0x308: vec2_list
            0x404: u4_list
            0x504: u4_list
            0x610: color_list
            0x70c: vec3_list
            0x804: u4_list
  mesh_submesh:
    seq:
      - id: index_count
        type: u4
      - id: vertex_count
        type: u4
      - id: material
        type: u4
      - id: bone_count
        type: u4
      - id: indices
        type: u4
        repeat: expr
        repeat-expr: index_count
      - id: bones
        type: u4
        repeat: expr
        repeat-expr: bone_count
  skinning:
    params:
      - id: version
        type: u4
      - id: size
        type: u4
    seq:
      - id: node
        type: u4
      - id: lod
        type: u4
        if: version == 4
      - id: local_bone_count
        type: u4
        if: version >= 3
      - id: influence_count
        type: u4
        if: version >= 2
      - id: is_for_collision_mesh
        type: u1
      - id: padding
        type: u1
        repeat: expr
        repeat-expr: 3
      - id: vertex
        type: skinning_vertex
        repeat: expr
        repeat-expr: vertex_count
        if: version == 1
      - id: influences
        type: influence
        repeat: expr
        repeat-expr: influence_count
        if: version >= 2
      - id: ranges
        type: range
        repeat: expr
        repeat-expr: '(size - (version == 2 ? 12 : version == 3 ? 16 : 20) - influence_count * 8) / 8'
        if: version >= 2
    instances:
      vertex_count:
        doc: Entries of the table; they stand in the chunk of the mesh with the same node, level and kind.
        value: '_parent._parent.chunk[_parent.index - 1].content.as<mesh>.original_vertex_count'
  skinning_vertex:
    seq:
      - id: influence_count
        type: u1
      - id: influences
        type: influence
        repeat: expr
        repeat-expr: influence_count
  standard_material:
    params:
      - id: version
        type: u4
    seq:
      - id: lod
        type: u4
        if: version == 3
      - id: ambient
        type: color
      - id: diffuse
        type: color
      - id: specular
        type: color
      - id: emissive
        type: color
      - id: shine
        type: f4
      - id: shine_strength
        type: f4
      - id: opacity
        type: f4
      - id: index_of_refraction
        type: f4
      - id: double_sided
        type: u1
      - id: wireframe
        type: u1
      - id: transparency_type
        type: u1
      - id: padding
        type: u1
        if: version == 1
      - id: layer_count
        type: u1
        if: version >= 2
      - id: name
        type: text
      - id: layer
        type: standard_material_layer
        repeat: expr
        repeat-expr: layer_count
        if: version >= 2
  standard_material_layer:
    seq:
      - id: amount
        type: f4
      - id: u_offset
        type: f4
      - id: v_offset
        type: f4
      - id: u_tiling
        type: f4
      - id: v_tiling
        type: f4
      - id: rotation
        type: f4
      - id: material
        type: u2
      - id: map_type
        type: u1
      - id: blend_mode
        type: u1
      - id: texture
        type: text
  material_layer:
    seq:
      - id: amount
        type: f4
      - id: u_offset
        type: f4
      - id: v_offset
        type: f4
      - id: u_tiling
        type: f4
      - id: v_tiling
        type: f4
      - id: rotation
        type: f4
      - id: material
        type: u2
      - id: map_type
        type: u1
      - id: blend_mode
        type: u1
      - id: texture
        type: text
  fx_material:
    params:
      - id: version
        type: u4
    seq:
      - id: lod
        type: u4
        if: version == 3
      - id: int_count
        type: u4
      - id: float_count
        type: u4
      - id: color_count
        type: u4
      - id: bool_count
        type: u4
        if: version >= 2
      - id: vector_count
        type: u4
        if: version >= 2
      - id: bitmap_count
        type: u4
      - id: name
        type: text
      - id: effect_file
        type: text
      - id: technique
        type: text
        if: version >= 2
      - id: int
        type: fx_material_int
        repeat: expr
        repeat-expr: int_count
      - id: float
        type: fx_material_float
        repeat: expr
        repeat-expr: float_count
      - id: color
        type: fx_material_color
        repeat: expr
        repeat-expr: color_count
      - id: bool
        type: fx_material_bool
        repeat: expr
        repeat-expr: bool_count
        if: version >= 2
      - id: vector
        type: fx_material_vector
        repeat: expr
        repeat-expr: vector_count
        if: version >= 2
      - id: bitmap
        type: fx_material_bitmap
        repeat: expr
        repeat-expr: bitmap_count
  fx_material_int:
    seq:
      - id: value
        type: s4
      - id: name
        type: text
  fx_material_float:
    seq:
      - id: value
        type: f4
      - id: name
        type: text
  fx_material_color:
    seq:
      - id: value
        type: color
      - id: name
        type: text
  fx_material_bitmap:
    seq:
      - id: name
        type: text
      - id: value
        type: text
  fx_material_bool:
    seq:
      - id: value
        type: u1
      - id: name
        type: text
  fx_material_vector:
    seq:
      - id: value
        type: vec3
      - id: name
        type: text
  limit:
    seq:
      - id: translation_min
        type: vec3
      - id: translation_max
        type: vec3
      - id: rotation_min
        type: vec3
      - id: rotation_max
        type: vec3
      - id: scale_min
        type: vec3
      - id: scale_max
        type: vec3
      - id: flags
        type: u1
        repeat: expr
        repeat-expr: 9
      - id: padding
        type: u1
        repeat: expr
        repeat-expr: 3
      - id: node
        type: u4
  info:
    params:
      - id: version
        type: u4
    seq:
      - id: reposition_mask
        type: u4
        if: version <= 2
      - id: reposition_node
        type: u4
        if: version <= 2
      - id: lod_count
        type: u4
        if: version == 4
      - id: trajectory_node
        type: u4
        if: version >= 3
      - id: motion_extraction_node
        type: u4
        if: version >= 3
      - id: motion_extraction_mask
        type: u4
        if: version == 3
      - id: exporter_major
        type: u1
      - id: exporter_minor
        type: u1
      - id: padding
        type: u1
        repeat: expr
        repeat-expr: 2
      - id: retarget_root_offset
        type: f4
        if: version >= 2
      - id: source_application
        type: text
      - id: original_file
        type: text
      - id: export_date
        type: text
      - id: actor_name
        type: text
  mesh_lod:
    seq:
      - id: level
        type: u4
      - id: size
        type: u4
      - id: bytes
        size: size
        type: xac
  morph_target:
    seq:
      - id: range_min
        type: f4
      - id: range_max
        type: f4
      - id: lod
        type: u4
      - id: deformation_count
        type: u4
      - id: transformation_count
        type: u4
      - id: phoneme_sets
        type: u4
      - id: name
        type: text
      - id: deformation
        type: morph_target_deformation
        repeat: expr
        repeat-expr: deformation_count
      - id: transformation
        type: morph_target_transformation
        repeat: expr
        repeat-expr: transformation_count
  morph_target_deformation:
    seq:
      - id: node
        type: u4
      - id: min_value
        type: f4
      - id: max_value
        type: f4
      - id: vertex_count
        type: u4
      - id: positions
        type: packed_position
        repeat: expr
        repeat-expr: vertex_count
      - id: normals
        type: packed_direction
        repeat: expr
        repeat-expr: vertex_count
      - id: tangents
        type: packed_direction
        repeat: expr
        repeat-expr: vertex_count
      - id: vertices
        type: u4
        repeat: expr
        repeat-expr: vertex_count
  morph_target_transformation:
    seq:
      - id: node
        type: u4
      - id: rotation
        type: quat
      - id: scale_rotation
        type: quat
      - id: position
        type: vec3
      - id: scale
        type: vec3
  node_groups:
    params:
      - id: size
        type: u4
      - id: start
        type: u4
    seq:
      - id: group_count
        type: u2
        if: counted
      - id: group
        type: node_groups_group
        repeat: expr
        repeat-expr: 'counted ? group_count : 1'
    instances:
      first_count:
        pos: start
        type: u2
      first_name_length:
        pos: start + 4
        type: u4
      counted:
        doc: Some exporters write a number of groups first. Only the size of the chunk tells.
        value: size < 8 or size != 8 + first_name_length + 2 * first_count
  node_groups_group:
    seq:
      - id: node_count
        type: u2
      - id: disabled_on_default
        type: u1
      - id: padding
        type: u1
      - id: name
        type: text
      - id: nodes
        type: u2
        repeat: expr
        repeat-expr: node_count
  nodes:
    seq:
      - id: node_count
        type: u4
      - id: root_count
        type: u4
      - id: node
        type: nodes_node
        repeat: expr
        repeat-expr: node_count
  nodes_node:
    seq:
      - id: rotation
        type: quat
      - id: scale_rotation
        type: quat
      - id: position
        type: vec3
      - id: scale
        type: vec3
      - id: shear
        type: vec3
      - id: skeletal_lods
        type: u4
      - id: motion_lods
        type: u4
      - id: parent
        type: u4
      - id: child_count
        type: u4
      - id: flags
        type: u1
      - id: padding
        type: u1
        repeat: expr
        repeat-expr: 3
      - id: box
        type: f4
        repeat: expr
        repeat-expr: 16
      - id: importance
        type: f4
      - id: name
        type: text
  morph_targets:
    seq:
      - id: target_count
        type: u4
      - id: lod
        type: u4
      - id: target
        type: morph_targets_target
        repeat: expr
        repeat-expr: target_count
  morph_targets_target:
    seq:
      - id: range_min
        type: f4
      - id: range_max
        type: f4
      - id: lod
        type: u4
      - id: deformation_count
        type: u4
      - id: transformation_count
        type: u4
      - id: phoneme_sets
        type: u4
      - id: name
        type: text
      - id: deformation
        type: morph_targets_target_deformation
        repeat: expr
        repeat-expr: deformation_count
      - id: transformation
        type: morph_targets_target_transformation
        repeat: expr
        repeat-expr: transformation_count
  morph_targets_target_deformation:
    seq:
      - id: node
        type: u4
      - id: min_value
        type: f4
      - id: max_value
        type: f4
      - id: vertex_count
        type: u4
      - id: positions
        type: packed_position
        repeat: expr
        repeat-expr: vertex_count
      - id: normals
        type: packed_direction
        repeat: expr
        repeat-expr: vertex_count
      - id: tangents
        type: packed_direction
        repeat: expr
        repeat-expr: vertex_count
      - id: vertices
        type: u4
        repeat: expr
        repeat-expr: vertex_count
  morph_targets_target_transformation:
    seq:
      - id: node
        type: u4
      - id: rotation
        type: quat
      - id: scale_rotation
        type: quat
      - id: position
        type: vec3
      - id: scale
        type: vec3
  material_info:
    params:
      - id: version
        type: u4
    seq:
      - id: lod
        type: u4
        if: version == 2
      - id: total
        type: u4
      - id: standard
        type: u4
      - id: fx
        type: u4
  node_motion_sources:
    params:
      - id: size
        type: u4
    seq:
      - id: node_count
        type: u4
      - id: sources
        type: u2
        repeat: expr
        repeat-expr: node_count
      - id: axes
        size: 'node_count'
        if: size > 4 + 2 * node_count
      - id: flags
        size: 'node_count'
        if: size > 4 + 2 * node_count
  attachment_nodes:
    seq:
      - id: node_count
        type: u4
      - id: nodes
        type: u2
        repeat: expr
        repeat-expr: node_count
  color:
    seq:
      - id: r
        type: f4
      - id: g
        type: f4
      - id: b
        type: f4
      - id: a
        type: f4
  influence:
    seq:
      - id: weight
        type: f4
      - id: node
        type: u2
      - id: padding
        size: 2
  packed_direction:
    seq:
      - id: x
        type: u1
      - id: y
        type: u1
      - id: z
        type: u1
  packed_position:
    seq:
      - id: x
        type: u2
      - id: y
        type: u2
      - id: z
        type: u2
  quat:
    seq:
      - id: x
        type: f4
      - id: y
        type: f4
      - id: z
        type: f4
      - id: w
        type: f4
  range:
    seq:
      - id: first
        type: u4
      - id: count
        type: u4
  vec2:
    seq:
      - id: x
        type: f4
      - id: y
        type: f4
  vec3:
    seq:
      - id: x
        type: f4
      - id: y
        type: f4
      - id: z
        type: f4
  vec4:
    seq:
      - id: x
        type: f4
      - id: y
        type: f4
      - id: z
        type: f4
      - id: w
        type: f4
  vec2_list:
    seq:
      - id: value
        type: vec2
        repeat: eos
  vec3_list:
    seq:
      - id: value
        type: vec3
        repeat: eos
  vec4_list:
    seq:
      - id: value
        type: vec4
        repeat: eos
  color_list:
    seq:
      - id: value
        type: color
        repeat: eos
  u4_list:
    seq:
      - id: value
        type: u4
        repeat: eos
  # end
