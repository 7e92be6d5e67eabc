meta:
  id: xsm
  title: EMotion FX skeletal motion
  application: EMotion FX 3
  file-extension: xsm
  license: MIT
  ks-version: '0.11'
  endian:
    switch-on: byte_order
    cases:
      0: le
      _: be
doc: |
  A skeletal motion: keys of nodes by their names.
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
            0x00320001: motion_events(version, size)
            0x00320002: motion_events(version, size)
            0x00320003: motion_events(version, size)
            0x00320004: motion_events(version, size)
            0x00330001: timestamp
            0x00c80001: submotion(version)
            0x00c80002: submotion(version)
            0x00c80003: submotion(version)
            0x00c90001: motion_info(version)
            0x00c90002: motion_info(version)
            0x00c90003: motion_info(version)
            0x00ca0001: submotions(version)
            0x00ca0002: submotions(version)
            0x00cb0001: wavelet
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
  submotion:
    params:
      - id: version
        type: u4
    seq:
      - id: pose_rotation_2
        type: quat
        if: version <= 2
      - id: bind_pose_rotation_2
        type: quat
        if: version <= 2
      - id: pose_scale_rotation_2
        type: quat
        if: version <= 2
      - id: bind_pose_scale_rotation_2
        type: quat
        if: version <= 2
      - id: pose_rotation
        type: packed_quat
        if: version == 3
      - id: bind_pose_rotation
        type: packed_quat
        if: version == 3
      - id: pose_scale_rotation
        type: packed_quat
        if: version == 3
      - id: bind_pose_scale_rotation
        type: packed_quat
        if: version == 3
      - id: pose_position
        type: vec3
      - id: pose_scale
        type: vec3
      - id: bind_pose_position
        type: vec3
      - id: bind_pose_scale
        type: vec3
      - id: position_key_count
        type: u4
      - id: rotation_key_count
        type: u4
      - id: scale_key_count
        type: u4
      - id: scale_rotation_key_count
        type: u4
      - id: maximum_error
        type: f4
        if: version >= 2
      - id: node_name
        type: text
      - id: position_keys
        type: vector_key
        repeat: expr
        repeat-expr: position_key_count
      - id: rotation_keys
        type:
          switch-on: version <= 2
          cases:
            true: rotation_key
            false: packed_rotation_key
        repeat: expr
        repeat-expr: rotation_key_count
      - id: scale_keys
        type: vector_key
        repeat: expr
        repeat-expr: scale_key_count
      - id: scale_rotation_keys
        type:
          switch-on: version <= 2
          cases:
            true: rotation_key
            false: packed_rotation_key
        repeat: expr
        repeat-expr: scale_rotation_key_count
  motion_info:
    params:
      - id: version
        type: u4
    seq:
      - id: importance_factor
        type: f4
        if: version >= 2
      - id: maximum_error
        type: f4
        if: version >= 2
      - id: frames_per_second
        type: u4
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
      - id: source_application
        type: text
      - id: original_file
        type: text
      - id: export_date
        type: text
      - id: motion_name
        type: text
  submotions:
    params:
      - id: version
        type: u4
    seq:
      - id: submotion_count
        type: u4
      - id: submotion
        type: submotions_submotion(version)
        repeat: expr
        repeat-expr: submotion_count
  submotions_submotion:
    params:
      - id: version
        type: u4
    seq:
      - id: pose_rotation_2
        type: quat
        if: version == 1
      - id: bind_pose_rotation_2
        type: quat
        if: version == 1
      - id: pose_scale_rotation_2
        type: quat
        if: version == 1
      - id: bind_pose_scale_rotation_2
        type: quat
        if: version == 1
      - id: pose_rotation
        type: packed_quat
        if: version == 2
      - id: bind_pose_rotation
        type: packed_quat
        if: version == 2
      - id: pose_scale_rotation
        type: packed_quat
        if: version == 2
      - id: bind_pose_scale_rotation
        type: packed_quat
        if: version == 2
      - id: pose_position
        type: vec3
      - id: pose_scale
        type: vec3
      - id: bind_pose_position
        type: vec3
      - id: bind_pose_scale
        type: vec3
      - id: position_key_count
        type: u4
      - id: rotation_key_count
        type: u4
      - id: scale_key_count
        type: u4
      - id: scale_rotation_key_count
        type: u4
      - id: maximum_error
        type: f4
      - id: node_name
        type: text
      - id: position_keys
        type: vector_key
        repeat: expr
        repeat-expr: position_key_count
      - id: rotation_keys
        type:
          switch-on: version == 1
          cases:
            true: rotation_key
            false: packed_rotation_key
        repeat: expr
        repeat-expr: rotation_key_count
      - id: scale_keys
        type: vector_key
        repeat: expr
        repeat-expr: scale_key_count
      - id: scale_rotation_keys
        type:
          switch-on: version == 1
          cases:
            true: rotation_key
            false: packed_rotation_key
        repeat: expr
        repeat-expr: scale_rotation_key_count
  wavelet:
    seq:
      - id: chunk_count
        type: u4
      - id: samples_per_chunk
        type: u4
      - id: decompressed_rotation_bytes
        type: u4
      - id: decompressed_position_bytes
        type: u4
      - id: decompressed_scale_bytes
        type: u4
      - id: rotation_track_count
        type: u4
      - id: scale_rotation_track_count
        type: u4
      - id: scale_track_count
        type: u4
      - id: position_track_count
        type: u4
      - id: chunk_overhead
        type: u4
      - id: compressed_size
        type: u4
      - id: optimized_size
        type: u4
      - id: uncompressed_size
        type: u4
      - id: scale_rotation_offset
        type: u4
      - id: submotion_count
        type: u4
      - id: position_quantization
        type: f4
      - id: rotation_quantization
        type: f4
      - id: scale_quantization
        type: f4
      - id: sample_spacing
        type: f4
      - id: seconds_per_chunk
        type: f4
      - id: maximum_time
        type: f4
      - id: wavelet
        type: u1
      - id: compressor
        type: u1
      - id: padding
        type: u1
        repeat: expr
        repeat-expr: 2
      - id: mappings
        type: mapping
        repeat: expr
        repeat-expr: submotion_count
      - id: submotion
        type: wavelet_submotion
        repeat: expr
        repeat-expr: submotion_count
      - id: wavelet_chunk
        type: wavelet_wavelet_chunk
        repeat: expr
        repeat-expr: chunk_count
  wavelet_submotion:
    seq:
      - id: pose_rotation
        type: packed_quat
      - id: bind_pose_rotation
        type: packed_quat
      - id: pose_scale_rotation
        type: packed_quat
      - id: bind_pose_scale_rotation
        type: packed_quat
      - id: pose_position
        type: vec3
      - id: pose_scale
        type: vec3
      - id: bind_pose_position
        type: vec3
      - id: bind_pose_scale
        type: vec3
      - id: maximum_error
        type: f4
      - id: node_name
        type: text
  wavelet_wavelet_chunk:
    seq:
      - id: rotation_scale
        type: f4
      - id: position_scale
        type: f4
      - id: scale_scale
        type: f4
      - id: start_time
        type: f4
      - id: rotation_byte_count
        type: u4
      - id: position_byte_count
        type: u4
      - id: scale_byte_count
        type: u4
      - id: position_bits
        type: u4
      - id: rotation_bits
        type: u4
      - id: scale_bits
        type: u4
      - id: rotations
        size: 'rotation_byte_count'
      - id: positions
        size: 'position_byte_count'
      - id: scales
        size: 'scale_byte_count'
  mapping:
    seq:
      - id: x
        type: u2
      - id: y
        type: u2
      - id: z
        type: u2
      - id: w
        type: u2
  packed_quat:
    seq:
      - id: x
        type: s2
      - id: y
        type: s2
      - id: z
        type: s2
      - id: w
        type: s2
  packed_rotation_key:
    seq:
      - id: value
        type: s2
        repeat: expr
        repeat-expr: 4
      - id: time
        type: f4
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
  rotation_key:
    seq:
      - id: value
        type: f4
        repeat: expr
        repeat-expr: 4
      - id: time
        type: f4
  vec3:
    seq:
      - id: x
        type: f4
      - id: y
        type: f4
      - id: z
        type: f4
  vector_key:
    seq:
      - id: value
        type: f4
        repeat: expr
        repeat-expr: 3
      - id: time
        type: f4
  # end
