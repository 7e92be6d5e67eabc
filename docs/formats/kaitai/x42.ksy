meta:
  id: x42
  title: HermitWorks X42 character model
  application: Space Trader
  file-extension: x42
  license: MIT
  ks-version: '0.11'
  endian:
    switch-on: first_byte
    cases:
      0x48: le
      _: be
doc: |
  Version 5 (101 in the file). How the morph targets of version 6 are stored is not known; see docs/formats/x42.md.
seq:
  # layout: seq
  - id: ident
    size: 4
  - id: version
    type: u4
  - id: header
    type: header
  - id: pack
    type: pack
  - id: padding_before_bones
    size: (8 - _io.pos % 8) % 8
  - id: bone
    type: bone
    repeat: expr
    repeat-expr: header.bone_count
  - id: padding_before_animation_groups
    size: (8 - _io.pos % 8) % 8
  - id: animation_group
    type: animation_group
    repeat: expr
    repeat-expr: header.animation_group_count
  - id: padding_before_positions
    size: (2 - _io.pos % 2) % 2
  - id: positions
    type: u16_x3
    repeat: expr
    repeat-expr: header.position_count
  - id: scales
    type: u2
    repeat: expr
    repeat-expr: 'header.scale_count * ((header.model_flags & 0x100) != 0 ? 1 : 3)'
  - id: rotations
    type: i16_x4
    repeat: expr
    repeat-expr: header.rotation_count
  - id: padding_before_keys
    size: (8 - _io.pos % 8) % 8
  - id: keys
    type: key
    repeat: expr
    repeat-expr: header.key_count
  - id: padding_before_animations
    size: (8 - _io.pos % 8) % 8
  - id: animation
    type: animation
    repeat: expr
    repeat-expr: header.animation_count
  - id: padding_before_tags
    size: (8 - _io.pos % 8) % 8
  - id: tag
    type: tag
    repeat: expr
    repeat-expr: header.tag_count
  - id: padding_before_influences
    size: (8 - _io.pos % 8) % 8
  - id: influence
    type: influence
    repeat: expr
    repeat-expr: header.influence_count
  - id: padding_before_lods
    size: (8 - _io.pos % 8) % 8
  - id: lod
    type: lod
    repeat: expr
    repeat-expr: header.lod_count
  - id: padding_before_groups
    size: (8 - _io.pos % 8) % 8
  - id: group
    type: group(_index)
    repeat: expr
    repeat-expr: header.group_count
  - id: padding_before_vertices
    size: (2 - _io.pos % 2) % 2
  - id: vertices
    type: u16_x3
    repeat: expr
    repeat-expr: header.vertex_count
  - id: blend
    size: 'header.group_count == 0 ? 0 : group.last.blend_end'
  - id: normals
    type: i8_x3
    repeat: expr
    repeat-expr: header.vertex_count
    if: (header.model_flags & 1) != 0
  - id: tangents
    type: i8_x7
    repeat: expr
    repeat-expr: header.vertex_count
    if: (header.model_flags & 2) != 0
  - id: padding_before_texcoords
    size: (2 - _io.pos % 2) % 2
    if: (header.model_flags & 4) != 0
  - id: texcoords
    type: u16_x2
    repeat: expr
    repeat-expr: header.vertex_count
    if: (header.model_flags & 4) != 0
  - id: padding_before_colors
    size: (4 - _io.pos % 4) % 4
    if: (header.model_flags & 8) != 0
  - id: colors
    type: u8_x4
    repeat: expr
    repeat-expr: header.vertex_count
    if: (header.model_flags & 8) != 0
  - id: padding_before_indices
    size: (4 - _io.pos % 4) % 4
  - id: indices
    type: u2
    repeat: expr
    repeat-expr: header.index_count
  - id: strings
    size: 'header.string_size'
  # end
  - id: trailing
    size-eos: true
instances:
  first_byte:
    pos: 0
    type: u1
types:
  # layout: types
  header:
    seq:
      - id: model_flags
        type: u2
      - id: base_frame
        type: s2
      - id: frame_count
        type: u2
      - id: string_size
        type: u2
      - id: bone_count
        type: u2
      - id: animation_group_count
        type: u2
      - id: position_count
        type: u2
      - id: rotation_count
        type: u2
      - id: scale_count
        type: u2
      - id: key_count
        type: u2
      - id: animation_count
        type: u2
      - id: tag_count
        type: u2
      - id: influence_count
        type: u2
      - id: lod_count
        type: u2
      - id: group_count
        type: u2
      - id: padding
        type: u2
      - id: vertex_count
        type: u4
      - id: index_count
        type: u4
      - id: bounds_low
        type: vec3
      - id: bounds_high
        type: vec3
      - id: sphere_center
        type: vec3
      - id: sphere_radius
        type: f4
  pack:
    seq:
      - id: animation_positions
        type: pack_animation_positions
        repeat: expr
        repeat-expr: 3
      - id: animation_scales
        type: f4
        repeat: expr
        repeat-expr: 2
      - id: vertex_positions
        type: pack_vertex_positions
        repeat: expr
        repeat-expr: 3
      - id: texcoords
        type: pack_texcoords
        repeat: expr
        repeat-expr: 2
  pack_animation_positions:
    seq:
      - id: low
        type: f4
      - id: high
        type: f4
  pack_vertex_positions:
    seq:
      - id: low
        type: f4
      - id: high
        type: f4
  pack_texcoords:
    seq:
      - id: low
        type: f4
      - id: high
        type: f4
  pack_morph_positions:
    seq:
      - id: low
        type: f4
      - id: high
        type: f4
  bone:
    seq:
      - id: name
        type: u2
      - id: flags
        type: u2
      - id: parent
        type: u2
      - id: padding
        type: u2
      - id: extent
        type: f4
  animation_group:
    seq:
      - id: name
        type: u2
      - id: begin_bone
        type: u2
      - id: end_bone
        type: u2
  animation:
    seq:
      - id: name
        type: u2
      - id: first_frame
        type: u2
      - id: last_frame
        type: u2
      - id: loop_start
        type: u2
      - id: loop_end
        type: u2
      - id: frame_rate
        type: u2
  tag:
    seq:
      - id: name
        type: u2
      - id: bone
        type: u2
      - id: matrix
        type: f4
        repeat: expr
        repeat-expr: 12
  influence:
    seq:
      - id: bone
        type: u2
      - id: padding
        type: u2
      - id: mesh_to_bone
        type: f4
        repeat: expr
        repeat-expr: 12
  lod:
    seq:
      - id: name
        type: u2
      - id: first_group
        type: u2
      - id: group_count
        type: u2
  group:
    params:
      - id: index
        type: u4
    seq:
      - id: material
        type: u2
      - id: surface
        type: u2
      - id: vertex_influences
        type: u2
      - id: influence_count
        type: u2
      - id: influences
        type: u2
        repeat: expr
        repeat-expr: 60
      - id: type
        type: u2
      - id: padding
        type: u2
      - id: first_vertex
        type: u4
      - id: vertex_count
        type: u4
      - id: first_index
        type: u4
      - id: element_count
        type: u4
    instances:
      blend_size:
        doc: Bytes of this group among the blend weights.
        value: 'vertex_influences == 0 ? 0 : (2 * vertex_influences - 1) * vertex_count'
      blend_end:
        value: 'blend_size + (index == 0 ? 0 : _parent.group[index - 1].blend_end.as<u4>)'
  i16_x4:
    seq:
      - id: x
        type: s2
      - id: y
        type: s2
      - id: z
        type: s2
      - id: w
        type: s2
  i8_x3:
    seq:
      - id: x
        type: s1
      - id: y
        type: s1
      - id: z
        type: s1
  i8_x7:
    seq:
      - id: values
        type: s1
        repeat: expr
        repeat-expr: 7
  key:
    seq:
      - id: type
        type: u2
      - id: bone
        type: u2
      - id: frame
        type: u2
      - id: value
        type: u2
  u16_x2:
    seq:
      - id: x
        type: u2
      - id: y
        type: u2
  u16_x3:
    seq:
      - id: x
        type: u2
      - id: y
        type: u2
      - id: z
        type: u2
  u8_x4:
    seq:
      - id: x
        type: u1
      - id: y
        type: u1
      - id: z
        type: u1
      - id: w
        type: u1
  vec3:
    seq:
      - id: x
        type: f4
      - id: y
        type: f4
      - id: z
        type: f4
  # end
