#!/usr/bin/env python3
"""Writes the Egosoft examples of docs/formats/examples, field by field as the format pages list them.

It shares nothing with the library, so that files, pages and library check one another. Usage: make_examples_egosoft.py FOLDER
"""
import hashlib
import math
import pathlib
import struct
import sys
import zlib


def le(kinds, *values):
    return struct.pack("<" + kinds, *values)


# ---- a hatch of two triangles, 2 m wide and 1 m high, that looks along -z ----

POSITIONS = [(-1, 0, 0), (1, 0, 0), (1, 1, 0), (-1, 1, 0)]
NORMAL, TANGENT = (0, 0, -1), (-1, 0, 0)  # u grows along +x, and the stored tangent points the other way
TEXCOORDS = [(0, 1), (1, 1), (1, 0), (0, 0)]
COLORS = [(128, 128, 128, 0), (128, 128, 128, 0), (255, 64, 0, 102), (128, 128, 128, 0)]  # red, green, blue, alpha
INDICES = [0, 1, 2, 0, 2, 3]
MATERIAL = (0, 6, "hatch.paint")
COLLISION = [(x, y, z) for z in (-0.125, 0.125) for y in (0, 1) for x in (-1, 1)]
COLLISION_INDICES = [0, 1, 3, 0, 3, 2, 5, 4, 6, 5, 6, 7, 4, 0, 2, 4, 2, 6, 1, 5, 7, 1, 7, 3, 2, 3, 7, 2, 7, 6, 4, 5, 1, 4, 1, 0]


def color(red, green, blue, alpha):
    return bytes((blue, green, red, alpha))


def packed(direction, alpha):
    return color(*(math.floor((v + 1) / 2 * 255) for v in direction), alpha)


def interleaved():
    # the normal's alpha is 0: the picture is not mirrored
    return b"".join(le("3f", *p) + packed(NORMAL, 0) + packed(TANGENT, 0) + le("2f", *uv) + color(*c)
                    for p, uv, c in zip(POSITIONS, TEXCOORDS, COLORS))


def xmf(buffers, vertices, indices, material, descriptor, game):
    streams = [zlib.compress(content, 9) for *_, content in buffers]
    file = b"XUMF" + bytes((3, 0, 64, 0, len(buffers), descriptor, len(material), 136, game, 0))
    file += le("4I", vertices, indices, 4, game) + bytes(24 + 10)
    at = 0
    for (kind, usage, form, item, low, high, elements, content), stream in zip(buffers, streams):
        file += le("10I2d", kind, usage, at, 1, 0, form, len(stream), len(content) // item, item, 1, low, high)
        if descriptor == 188:
            unused = b"\xff\xff\xff\xff\0\0\0\0" * (16 - len(elements))
            file += le("I", len(elements)) + b"".join(le("I4B", t, u, n, 0, 0) for t, u, n in elements) + unused
        at += len(stream)
    for first, count, name in material:
        file += le("2I128s", first, count, name.encode())
    return file + b"".join(streams)


def hatch():
    elements = [(2, 0, 0), (4, 3, 0), (4, 6, 0), (1, 5, 0), (4, 10, 0)]
    vertices = interleaved()
    return xmf([(0, 0, 32, 32, 0, 0, elements, vertices), (30, 0, 30, 2, 0, 3, [], le("6H", *INDICES))],
               4, 6, [MATERIAL], 188, 0)


def collision():
    corners = b"".join(le("3f", *p) for p in COLLISION)
    return xmf([(0, 0, 2, 12, -1, 1, [], corners), (30, 0, 31, 4, 0, 7, [], le("36I", *COLLISION_INDICES))],
               8, 36, [], 188, 0)


def streams():
    """The hatch as X Rebirth's oldest files have it: one stream for each element, descriptors of 56 bytes."""
    return xmf([(0, 0, 16, 8, -1, 1, [], b"".join(le("4e", *p, 0) for p in POSITIONS)),
                (3, 0, 4, 4, -1, 0, [], packed(NORMAL, 0) * 4),
                (4, 0, 4, 4, -1, 0, [], packed(TANGENT, 0) * 4),
                (6, 0, 15, 4, 0, 1, [], b"".join(le("2e", *uv) for uv in TEXCOORDS)),
                (8, 0, 4, 4, 0, 1, [], b"".join(color(*c) for c in COLORS)),
                (30, 0, 30, 2, 0, 3, [], le("6H", *INDICES))], 4, 6, [MATERIAL], 56, 1)


# ---- how it opens ----

STEP, LINEAR, BEZIER = 1, 2, 5


def key(time, value, kind, handles=((0, 0, 0, 0),) * 3):
    return le("3f3If12f", *value, kind, kind, kind, time, *(n for axis in handles for n in axis)) + bytes(52)


def ani():
    # slides down by a metre in a second, slowly at both ends; the handles stand at thirds: time and value after, then before
    slide = [key(0, (0, 0, 0), BEZIER, ((1 / 3, 0, 0, 0),) * 3),
             key(1, (0, -1, 0), BEZIER, ((1, 0, 2 / 3, 0), (1, -1, 2 / 3, -1), (1, 0, 2 / 3, 0)))]
    spin = [key(0, (0, 0, 0), LINEAR), key(2, (math.pi / 2, math.pi, 4 * math.pi), LINEAR)]
    blink = [key(0, (1, 1, 1), STEP), key(0.5, (2, 2, 2), STEP)]
    animations = [("part_main", "hatch_opening", 1, [slide, [], []]), ("anim_beacon", "loop", 2, [[], spin, blink])]
    file = le("4I", len(animations), 16 + 160 * len(animations), 1, 0)
    for part, state, duration, lists in animations:
        file += le("64s64s5If2I", part.encode(), state.encode(), *map(len, lists), 0, 0, duration, 0, 0)
    return file + b"".join(one for *_, lists in animations for keys in lists for one in keys)


COMPONENT = """<?xml version="1.0" encoding="utf-8"?>
<components>
  <component name="hatch" class="object">
    <source geometry="hatch_data" />
    <layers>
      <layer />
    </layers>
    <connections>
      <connection name="container" tags="contents" value="0" />
      <connection name="position" tags="position" value="1" />
      <connection name="space" tags="part" value="1" />
      <connection name="con_part_main" tags="part animation">
        <offset>
          <position x="3" y="1" z="10" />
        </offset>
        <animations>
          <animation name="hatch_opening" start="0" end="30" />
        </animations>
        <parts>
          <part name="part_main">
            <lods>
              <lod index="0">
                <materials>
                  <material id="1" ref="hatch.paint" />
                </materials>
              </lod>
            </lods>
            <size>
              <max x="1" y="0.5" z="0" />
              <center x="0" y="0.5" z="0" />
            </size>
          </part>
        </parts>
      </connection>
      <connection name="con_anim_beacon" parent="part_main" tags="part animation nocollision">
        <offset>
          <position x="0" y="1" z="0" />
          <quaternion qx="0" qy="0.70710677" qz="0" qw="0.70710677" />
        </offset>
        <animations>
          <animation name="loop" start="0" end="60" />
        </animations>
        <parts>
          <part name="anim_beacon">
            <lods>
              <lod index="0">
                <materials>
                  <material id="1" ref="hatch.paint" />
                </materials>
              </lod>
            </lods>
          </part>
        </parts>
      </connection>
    </connections>
  </component>
</components>
"""

LIBRARY = """<?xml version="1.0" encoding="utf-8"?>
<diff>
  <add sel="/materiallibrary">
    <collection name="hatch">
      <material name="paint" shader="P1_complex_surface.fx" blendmode="NONE">
        <properties>
          <property type="Color" name="diffuse_color" r="255" g="128" b="0" a="255" />
          <property type="Float" name="Smoothness" value="0.25" />
        </properties>
      </material>
    </collection>
  </add>
</diff>
"""


def catalog():
    files = [("hatch.xml", COMPONENT.encode()), ("libraries/material_library.xml", LIBRARY.encode())]
    lines = [f"{name} {len(content)} 1700000000 {hashlib.md5(content).hexdigest()}\n" for name, content in files]
    return "".join(lines).encode(), b"".join(content for _, content in files)


FILES = {"hatch.xml": COMPONENT.encode, "HATCH_DATA.ANI": ani, "hatch_data/part_main-lod0.xmf": hatch,
         "hatch_data/anim_beacon-lod0.xmf": streams, "hatch_data/part_main-collision.xmf": collision,
         "material_library.xml": LIBRARY.encode, "01.cat": lambda: catalog()[0], "01.dat": lambda: catalog()[1]}


def main():
    for file, make in FILES.items():
        path = pathlib.Path(sys.argv[1]) / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(make())


if __name__ == "__main__":
    main()
