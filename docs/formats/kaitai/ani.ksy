meta:
  id: ani
  title: Egosoft ANI animations
  application: X Rebirth, X4
  file-extension: ani
  license: MIT
  ks-version: '0.11'
  endian: le
doc: How the parts of a component move in its states. A file without keys may have an offset of keys that leads nowhere.
seq:
  # layout: seq
  - id: animation_count
    type: u4
  - id: key_offset
    type: u4
  - id: version
    type: u4
  - id: reserved
    type: u4
  - id: animation
    type: animation
    repeat: expr
    repeat-expr: animation_count
  - id: gap
    size: key_offset - 16 - 160 * animation_count
    if: key_offset > 16 + 160 * animation_count and has_keys
  - id: keys
    type: keys(animation[_index])
    repeat: expr
    repeat-expr: animation_count
  # end
  - id: trailing
    size-eos: true
instances:
  has_keys:
    value: _io.size > 16 + 160 * animation_count
types:
  # layout: types
  animation:
    seq:
      - id: part
        size: 64
      - id: state
        size: 64
      - id: position_count
        type: u4
      - id: rotation_count
        type: u4
      - id: scale_count
        type: u4
      - id: pre_scale_count
        type: u4
      - id: post_scale_count
        type: u4
      - id: duration
        type: f4
      - id: reserved
        type: u4
        repeat: expr
        repeat-expr: 2
  keys:
    params:
      - id: animation
        type: animation
    seq:
      - id: positions
        type: key
        repeat: expr
        repeat-expr: animation.position_count
      - id: rotations
        type: key
        repeat: expr
        repeat-expr: animation.rotation_count
      - id: scales
        type: key
        repeat: expr
        repeat-expr: animation.scale_count
      - id: pre_scales
        type: key
        repeat: expr
        repeat-expr: animation.pre_scale_count
      - id: post_scales
        type: key
        repeat: expr
        repeat-expr: animation.post_scale_count
  key:
    seq:
      - id: value
        type: f4
        repeat: expr
        repeat-expr: 3
      - id: interpolation
        type: u4
        repeat: expr
        repeat-expr: 3
      - id: time
        type: f4
      - id: handles
        type: f4
        repeat: expr
        repeat-expr: 12
      - id: tcb_and_ease
        type: f4
        repeat: expr
        repeat-expr: 5
      - id: derivative
        type: u4
      - id: derivatives
        type: f4
        repeat: expr
        repeat-expr: 6
      - id: angle
        type: u4
  # end
