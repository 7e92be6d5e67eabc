meta:
  id: xmf
  title: Egosoft XMF mesh
  application: X Rebirth, X4
  file-extension: xmf
  license: MIT
  ks-version: '0.11'
  endian:
    switch-on: byte_order
    cases:
      0: le
      _: be
doc: |
  A mesh of X Rebirth or X4: buffers of vertices and indices, most of them zlib streams, and ranges of indices with
  materials. Header, descriptors and materials have the sizes that the header states.
seq:
  # layout: seq
  - id: header
    type: header
    size: header_size
  - id: buffer
    type: buffer
    size: header.descriptor_size
    repeat: expr
    repeat-expr: header.buffer_count
  - id: material
    type: material
    size: header.material_size
    repeat: expr
    repeat-expr: header.material_count
  - id: data
    size-eos: true
  # end
instances:
  byte_order:
    pos: 5
    type: u1
  header_size:
    pos: 6
    type: u1
  data_start:
    value: >-
      header.size + header.buffer_count * header.descriptor_size + header.material_count * header.material_size
types:
  # layout: types
  header:
    seq:
      - id: magic
        size: 4
      - id: version
        type: u1
      - id: big_endian
        type: u1
      - id: size
        type: u1
      - id: reserved
        type: u1
      - id: buffer_count
        type: u1
      - id: descriptor_size
        type: u1
      - id: material_count
        type: u1
      - id: material_size
        type: u1
      - id: cull
        type: u1
      - id: right_handed
        type: u1
      - id: vertex_count
        type: u4
      - id: index_count
        type: u4
      - id: primitive_type
        type: u4
      - id: mesh_optimization
        type: u4
        if: _io.size >= 30
      - id: box_center
        type: vec3
        if: _io.size >= 42
      - id: box_half_size
        type: vec3
        if: _io.size >= 54
      - id: reserved_end
        type: u1
        repeat: expr
        repeat-expr: 10
        if: _io.size >= 64
      - id: rest
        size-eos: true
  buffer:
    seq:
      - id: kind
        type: u4
      - id: usage_index
        type: u4
      - id: data_offset
        type: u4
      - id: compressed
        type: u4
      - id: reserved
        type: u4
      - id: format
        type: u4
      - id: stored_size
        type: u4
      - id: item_count
        type: u4
      - id: item_size
        type: u4
      - id: section_count
        type: u4
      - id: minimum
        type: f8
        if: _io.size >= 48
      - id: maximum
        type: f8
        if: _io.size >= 56
      - id: element_count
        type: u4
        if: _io.size >= 60
      - id: element
        type: buffer_element
        repeat: expr
        repeat-expr: '_io.size < 188 ? (_io.size - 60) / 8 : 16'
        if: _io.size >= 68
      - id: rest
        size-eos: true
    instances:
      stored:
        doc: The bytes as they stand in the file.
        io: _root._io
        pos: _root.data_start + data_offset
        size: stored_size
      content:
        doc: The vertices or indices of a compressed buffer.
        io: _root._io
        pos: _root.data_start + data_offset
        size: stored_size
        process: zlib
        if: compressed != 0
  buffer_element:
    seq:
      - id: type
        type: u4
      - id: usage
        type: u1
      - id: usage_index
        type: u1
      - id: padding
        type: u1
        repeat: expr
        repeat-expr: 2
  material:
    seq:
      - id: first_index
        type: u4
      - id: index_count
        type: u4
      - id: name
        size: '_io.size < 136 ? _io.size - 8 : 128'
      - id: rest
        size-eos: true
  vec3:
    seq:
      - id: x
        type: f4
      - id: y
        type: f4
      - id: z
        type: f4
  # end
