meta:
  id: xpm
  title: EMotion FX morph motion
  application: EMotion FX 3
  file-extension: xpm
  license: MIT
  ks-version: '0.11'
  endian:
    switch-on: byte_order
    cases:
      0: le
      _: be
doc: |
  A morph motion: weights of morph targets by their names.
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
            0x00640001: submotion
            0x00650001: motion_info
            0x00660001: submotions
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
    seq:
      - id: pose_weight
        type: f4
      - id: min_weight
        type: f4
      - id: max_weight
        type: f4
      - id: phoneme_set
        type: u4
      - id: key_count
        type: u4
      - id: name
        type: text
      - id: keys
        type: weight_key
        repeat: expr
        repeat-expr: key_count
  motion_info:
    seq:
      - id: frames_per_second
        type: u4
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
    seq:
      - id: submotion_count
        type: u4
      - id: submotion
        type: submotions_submotion
        repeat: expr
        repeat-expr: submotion_count
  submotions_submotion:
    seq:
      - id: pose_weight
        type: f4
      - id: min_weight
        type: f4
      - id: max_weight
        type: f4
      - id: phoneme_set
        type: u4
      - id: key_count
        type: u4
      - id: name
        type: text
      - id: keys
        type: weight_key
        repeat: expr
        repeat-expr: key_count
  weight_key:
    seq:
      - id: time
        type: f4
      - id: value
        type: u2
      - id: padding
        size: 2
  # end
