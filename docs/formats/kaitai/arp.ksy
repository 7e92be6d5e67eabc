meta:
  id: arp
  title: ARP signing avatar
  application: JASigning, CWASA
  file-extension:
    - arp
    - jarp
  license: MIT
  ks-version: '0.11'
  endian: le
doc: |
  An avatar of version 2.0 to 3.1, laid out as its version says. Variants, which only an exact fit tells, are in
  docs/formats/arp.md.
seq:
  # layout: seq
  - id: version
    type: text
  - id: scale
    type: f4
  - id: volume_low
    type: vec3
  - id: volume_high
    type: vec3
  - id: mesh_count_2
    type: u4
    if: version_number == 200
  - id: mesh_2
    type: mesh(version_number)
    repeat: expr
    repeat-expr: mesh_count_2
    if: version_number == 200
  - id: pose_count_2
    type: u4
    if: version_number == 200
  - id: default_pose_2
    type: pose_entry
    repeat: expr
    repeat-expr: pose_count_2
    if: version_number == 200
  - id: bone_count_2
    type: u4
    if: version_number == 200
  - id: bone_2
    type: bone(version_number)
    repeat: expr
    repeat-expr: bone_count_2
    if: version_number == 200
  - id: reflectance
    type: f4
    repeat: expr
    repeat-expr: 3
  - id: texture_name_3
    type: text
    if: version_number == 200
  - id: skeleton_offset
    type: f4
  - id: mesh_count
    type: u4
    if: version_number >= 210
  - id: mesh
    type: mesh(version_number)
    repeat: expr
    repeat-expr: mesh_count
    if: version_number >= 210
  - id: pose_count
    type: u4
    if: version_number >= 210
  - id: default_pose
    type: pose_entry
    repeat: expr
    repeat-expr: pose_count
    if: version_number >= 210
  - id: bone_count
    type: u4
    if: version_number >= 210
  - id: bone
    type: bone(version_number)
    repeat: expr
    repeat-expr: bone_count
    if: version_number >= 210
  - id: texture_embedded
    type: u4
    if: version_number <= 210
  - id: texture_name_2
    type: text
    if: version_number >= 220 and version_number <= 300
  - id: texture_flags_2
    type: u1
    repeat: expr
    repeat-expr: 12
    if: version_number >= 220 and version_number <= 300
  - id: image_size_2
    type: u4
    if: version_number <= 300 and has_image
  - id: image_2
    size: 'image_size_2'
    if: version_number <= 300 and has_image
  - id: frame_count
    type: u4
    if: version_number >= 220 and (version_number == 310 or not _io.eof)
  - id: frames_per_second
    type: f4
    if: version_number == 310 and frame_count != 0
  - id: frame
    type: frame(version_number)
    repeat: expr
    repeat-expr: frame_count
    if: version_number >= 220 and (version_number == 310 or not _io.eof)
  - id: texture_name
    type: text
    if: version_number == 310
  - id: texture_flags
    type: u1
    repeat: expr
    repeat-expr: 12
    if: version_number == 310
  - id: image_size
    type: u4
    if: version_number == 310 and has_image
  - id: image
    size: 'image_size'
    if: version_number == 310 and has_image
  # end
  - id: trailing
    size-eos: true
instances:
  # "3.1" is 310; what is not exactly that, but 3.0 and a digit, is 300.
  version_number:
    value: >-
      version.bytes[0] < 0x33 ? (version.bytes[0] - 0x30) * 100 + (version.bytes[2] - 0x30) * 10 :
      version.bytes[2] == 0x30 ? 300 : 310
  has_image:
    value: >-
      version_number <= 210 ? texture_embedded == 1 :
      version_number < 310 ? texture_flags_2[0] != 0 : texture_flags[0] != 0
types:
  text:
    seq:
      - id: length
        type: u4
      - id: bytes
        size: length
  # layout: types
  mesh:
    params:
      - id: version
        type: u4
    seq:
      - id: switch_distance
        type: f4
      - id: point_count
        type: u4
      - id: point
        type: mesh_point(version)
        repeat: expr
        repeat-expr: point_count
      - id: index_count
        type: u4
      - id: strip
        type: u2
        repeat: expr
        repeat-expr: index_count
      - id: duplicate_count
        type: u4
      - id: duplicates
        type:
          switch-on: version <= 210
          cases:
            true: u2
            false: u4
        repeat: expr
        repeat-expr: duplicate_count
      - id: texcoord_count
        type: u4
      - id: texcoords
        type: vec2
        repeat: expr
        repeat-expr: texcoord_count
      - id: morph_target_count
        type: u4
      - id: morph_target
        type: mesh_morph_target(version)
        repeat: expr
        repeat-expr: morph_target_count
  mesh_point:
    params:
      - id: version
        type: u4
    seq:
      - id: link_count
        type: u4
      - id: offsets
        type: vec3
        repeat: expr
        repeat-expr: link_count
      - id: normals
        type: vec3
        repeat: expr
        repeat-expr: link_count
      - id: bone
        type: text
        repeat: expr
        repeat-expr: link_count
      - id: weights
        type: f4
        repeat: expr
        repeat-expr: link_count
      - id: distances
        type: f4
        repeat: expr
        repeat-expr: link_count
      - id: neighbour_count
        type: u4
        if: version <= 220
      - id: neighbours
        type: u4
        repeat: expr
        repeat-expr: neighbour_count
        if: version <= 220
  mesh_morph_target:
    params:
      - id: version
        type: u4
    seq:
      - id: name
        type: text
      - id: set_count
        type: u4
      - id: sets
        type:
          switch-on: version <= 220
          cases:
            true: morph_set
            false: morph_set_of_32
        repeat: expr
        repeat-expr: set_count
  bone:
    params:
      - id: version
        type: u4
    seq:
      - id: name_2
        type: text
        if: version <= 300
      - id: parent_2
        type: text
        if: version <= 300
      - id: name
        size: 4
        if: version == 310
      - id: parent
        size: 4
        if: version == 310
      - id: translation
        type: vec3
      - id: rotation
        type: quat
      - id: inverse_twist
        type: quat
      - id: length
        type: f4
  frame:
    params:
      - id: version
        type: u4
    seq:
      - id: time
        type: f4
        if: version <= 300
      - id: morph_count
        type: u4
      - id: morphs
        type: morph_amount
        repeat: expr
        repeat-expr: morph_count
      - id: bone_count
        type: u4
      - id: bones
        type: pose_entry
        repeat: expr
        repeat-expr: bone_count
  morph_amount:
    seq:
      - id: target
        size: 4
      - id: amount
        type: f4
  morph_set:
    seq:
      - id: point
        type: u4
      - id: weight
        type: f4
      - id: offset
        type: f4
        repeat: expr
        repeat-expr: 3
  morph_set_of_32:
    seq:
      - id: point
        type: u4
      - id: weight
        type: f4
      - id: offset
        type: f4
        repeat: expr
        repeat-expr: 3
      - id: normal
        type: f4
        repeat: expr
        repeat-expr: 3
  pose_entry:
    seq:
      - id: bone
        size: 4
      - id: translation
        type: f4
        repeat: expr
        repeat-expr: 3
      - id: rotation
        type: f4
        repeat: expr
        repeat-expr: 4
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
  # end
