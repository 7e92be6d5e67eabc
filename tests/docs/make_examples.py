#!/usr/bin/env python3
"""Writes the example files of docs/formats/examples, field by field as the format pages list them.

It shares nothing with the library, so that files, pages and library check one another. Usage: make_examples.py FOLDER
"""
import math
import pathlib
import struct
import sys

ORDER = "<"  # tests set ">" for big-endian files
NONE = 0xFFFFFFFF
NO_EXTENT = -3.402823466e+38


def stored(kinds, *values):
    return struct.pack(ORDER + kinds, *values)


def header(magic):
    return magic + stored("4B", 1, 0, int(ORDER == ">"), 0)


def text(string):
    data = string.encode()
    return stored("I", len(data)) + data


def chunk(kind, version, content, declared=None):
    return stored("3I", kind, len(content) if declared is None else declared, version) + content


def about_z(degrees, sign=1):
    half = math.radians(degrees) / 2
    return [0, 0, sign * math.sin(half), sign * math.cos(half)]


# ---- an actor: a flag on a pole of two joints ----

ORIGINALS = [(0, 0, 0), (1, 0, 0), (1, 2, 0), (0, 2, 0)]
INFLUENCES = [[(1, 0)], [(1, 0)], [(0.25, 0), (0.75, 1)], [(0.25, 0), (0.75, 1)]]
VERTICES = [0, 1, 2, 3, 0]  # the last one is the first one again, with other texture coordinates
TRIANGLES = [(0, 2, 1), (4, 3, 2)]


def node(name, parent, children, position):
    box = [1, 0, 0, NO_EXTENT, 0, 1, 0, NO_EXTENT, 0, 0, 1, NO_EXTENT, 0, 0, 0, 1]
    return (stored("4f4f3f3f3f", 0, 0, 0, 1, 0, 0, 0, 1, *position, 1, 1, 1, -1, -1, -1) +
            stored("4I", NONE, NONE, parent, children) + stored("4B", 1, 0, 0, 0) + stored("16ff", *box, 1) + text(name))


def layer(kind, form, values, deforms):
    return stored("2I4B", kind, struct.calcsize(ORDER + form), deforms, 0, 0, 0) + b"".join(stored(form, *v) for v in values)


def mesh():
    uvs = [(0, 1), (1, 1), (1, 0), (0, 0), (0.5, 1)]
    layers = [layer(5, "I", [(v,) for v in VERTICES], 0), layer(0, "3f", [ORIGINALS[v] for v in VERTICES], 1),
              layer(1, "3f", [(0, 0, -1)] * 5, 1), layer(3, "2f", uvs, 0), layer(2, "4f", [(1, 0, 0, 1)] * 5, 1)]
    corners = [corner for triangle in TRIANGLES for corner in triangle]
    submesh = stored("4I", len(corners), 5, 1, 2) + stored("6I", *corners) + stored("2I", 0, 1)
    return stored("6I4B", 0, 4, 5, 6, 1, len(layers), 0, 0, 0, 0) + b"".join(layers) + submesh


def skinning():
    table = [pair for pairs in INFLUENCES for pair in pairs]
    firsts = [sum(len(pairs) for pairs in INFLUENCES[:i]) for i in range(4)]
    return (stored("3I4B", 0, 2, len(table), 0, 0, 0, 0) + b"".join(stored("fH2x", *pair) for pair in table) +
            b"".join(stored("2I", first, len(pairs)) for first, pairs in zip(firsts, INFLUENCES)))


def material(name, texture=None):
    fixed = stored("4f4f4f4f4f4B", 0.6, 0.6, 0.6, 1, 0.6, 0.6, 0.6, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 1.5, 0, 0, ord("F"), 1 if texture else 0)
    content = fixed + text(name)
    if not texture:
        return chunk(3, 2, content)
    return chunk(3, 2, content + stored("6fH2B", 1, 0, 0, 1, 1, 0, 1, 2, 0) + text(texture), declared=len(content))


def morph_targets():
    """One target that lifts vertices 2 and 3 by 1, and moves vertex 2 by 0.5 to the left."""
    low, high = -1, 1
    offsets = [(-0.5, 1, 0), (0, 1, 0)]
    codes = [round((c - low) / (high - low) * 65535) for offset in offsets for c in offset]
    deformation = stored("I2fI", 0, low, high, 2) + stored("6H", *codes) + stored("6B", *[128] * 6) + stored("6B", *[128] * 6) + stored("2I", 2, 3)
    return stored("2I", 1, 0) + stored("2f4I", 0, 1, 0, 1, 0, 0) + text("lift") + deformation


def actor(with_targets=False):
    info = stored("2I4Bf", 0, NONE, 3, 0, 0, 0, 0) + text("effigy") + text("flag.ma") + text("Nov 25 2026") + text("flag")
    nodes = stored("2I", 2, 1) + node("pole", NONE, 1, (0, 0, 0)) + node("top", 0, 0, (0, 1, 0))
    chunks = [chunk(7, 2, info), chunk(11, 1, nodes), chunk(13, 1, stored("3I", 2, 2, 0)), material("EMFX Default"),
              material("Standard", "flag"), chunk(1, 1, mesh()), chunk(2, 3, skinning())]
    if with_targets:
        chunks.append(chunk(12, 1, morph_targets()))
    return header(b"XAC ") + b"".join(chunks)


# ---- motions ----

def motion_info():
    return stored("2fI4B", 1, 0, 30, 3, 0, 0, 0) + text("effigy") + text("wave.ma") + text("Nov 25 2026") + text("")


def packed(quat):
    return stored("4h", *[math.trunc(c * 32767) for c in quat])


def floats(quat):
    return stored("4f", *quat)


def submotion(name, quat, position, positions, rotations):
    """Rest pose, bind pose and keys; `quat` writes rotations as the version has them."""
    rest = rotations[0][1] if rotations else about_z(0)
    return (quat(rest) + quat(about_z(0)) * 3 + stored("12f", *position, 1, 1, 1, *position, 1, 1, 1) +
            stored("4If", len(positions), len(rotations), 0, 0, 0) + text(name) +
            b"".join(stored("3ff", *value, time) for time, value in positions) +
            b"".join(quat(value) + stored("f", time) for time, value in rotations))


def motion(version, start):
    """The pole moves 2 to the right, the top turns by 90 degrees and half back; the second of its keys has the other sign."""
    quat = packed if version == 2 else floats
    turns = [(start, about_z(0)), (start + 0.5, about_z(90, -1)), (start + 1, about_z(45))]
    moves = [(0, (0, 0, 0)), (1, (2, 0, 0))]
    content = (stored("I", 2) + submotion("pole", quat, (0, 0, 0), moves, []) +
               submotion("top", quat, (0, 1, 0), [], turns))
    too_much = 2 * 32 if version == 2 else 5 * 20  # as exporters have it: see "Declared sizes"
    return (header(b"XSM ") + chunk(201, 2, motion_info()) +
            chunk(202, version, content, declared=len(content) + too_much))


def morph_motion():
    info = stored("I4B", 30, 3, 0, 0, 0) + text("effigy") + text("lift.ma") + text("Nov 25 2026") + text("")
    keys = [(0, 0), (0.5, 65535), (1, 16384)]
    content = (stored("I", 1) + stored("3f2I", 0, 0, 2, 0, len(keys)) + text("lift") +
               b"".join(stored("fH2x", *key) for key in keys))
    return header(b"XPM ") + chunk(101, 1, info) + chunk(102, 1, content)


# ---- X42 ----

STRINGS = ["", "pole", "top", "all", "wave", "tag_end", "lod0", "models/flag/cloth", "cloth"]


def name(string):
    return sum(len(s) + 1 for s in STRINGS[:STRINGS.index(string)])


def range_codes(values, low, high):
    return [round((value - low) / (high - low) * 65530) for value in values]


def x42():
    identity = (1, 0, 0, 0, 1, 0, 0, 0, 1)
    positions = [(0, 0, 0), (0, 1, 0), (2, 0, 0)]
    rotations = [about_z(0), about_z(90, -1), about_z(-80)]  # the last two are 170 degrees apart
    # type 0 position, 1 scale, 2 rotation; bone; frame; value
    keys = [(0, 0, 0, 0), (0, 0, 4, 2), (1, 0, 0, 0), (1, 0, 4, 0), (2, 0, 0, 0), (2, 0, 4, 0),
            (0, 1, 0, 1), (0, 1, 4, 1), (1, 1, 0, 0), (1, 1, 4, 0), (2, 1, 0, 0), (2, 1, 2, 1),
            (2, 1, 4, 2)]  # needed from frame 2 on
    corners = [(0, 0, 0), (1, 0, 0), (1, 2, 0), (0, 2, 0)]
    uvs = [(0, 1), (1, 1), (1, 0), (0, 0)]
    string_bytes = b"".join(s.encode() + b"\0" for s in STRINGS)
    head = (b"HW42" if ORDER == "<" else b"24WH") + stored("I", 101) + stored("Hh14H2I", 0x105, 1, 5, len(string_bytes), 2, 1, 3, 3, 1, len(keys), 1, 1, 2, 1, 1, 0, 4, 6)
    bounds = stored("3f3f3ff", 0, 0, 0, 1, 2, 0, 0.5, 1, 0, 1.25)
    pack = stored("6f", 0, 2, 0, 2, 0, 2) + stored("2f", 0, 1) + stored("6f", 0, 1, 0, 2, 0, 1) + stored("4f", 0, 1, 0, 1)
    file = head + bounds + pack

    def align(size):
        nonlocal file
        file += bytes(-len(file) % size)

    file += b"".join(stored("4Hf", name(bone), 0, parent, 0, extent) for bone, parent, extent in (("pole", 0xFFFF, 2.24), ("top", 0, 1.42)))
    align(8)
    file += stored("3H", name("all"), 0, 2)
    file += b"".join(stored("3H", *range_codes(p, 0, 2)) for p in positions)
    file += stored("H", 65530)  # scale 1
    file += b"".join(packed(q) for q in rotations)
    align(8)
    file += b"".join(stored("4H", *key) for key in keys)
    file += stored("6H", name("wave"), 1, 5, 0xFFFF, 0xFFFF, 24)
    align(8)
    file += stored("2H12f", name("tag_end"), 1, *identity, 0, 1, 0)
    align(8)
    file += stored("2H12f", 0, 0, *identity, 0, 0, 0) + stored("2H12f", 1, 0, *identity, 0, -1, 0)
    align(8)
    file += stored("3H", name("lod0"), 0, 1)
    align(8)
    file += stored("4H60H2H4I", name("models/flag/cloth"), name("cloth"), 2, 2, 0, 1, *[0] * 58, 4, 0, 0, 4, 0, 6)
    file += b"".join(stored("3H", *(range_codes((x,), 0, 1) + range_codes((y,), 0, 2) + range_codes((z,), 0, 1))) for x, y, z in corners)
    file += stored("3B", 0, 255, 1) * 2 + stored("3B", 0, 64, 1) * 2
    file += stored("3b", 0, 0, 127) * 4
    align(2)
    file += b"".join(stored("2H", *range_codes(uv, 0, 1)) for uv in uvs)
    align(4)
    file += stored("6H", 0, 2, 1, 0, 3, 2)
    return file + string_bytes


FILES = {"flag.xac": actor, "flag-morph.xac": lambda: actor(True), "wave.xsm": lambda: motion(2, 0),
         "wave-float.xsm": lambda: motion(1, 2.5), "lift.xpm": morph_motion, "flag.x42": x42}


def main():
    for file, make in FILES.items():
        (pathlib.Path(sys.argv[1]) / file).write_bytes(make())


if __name__ == "__main__":
    main()
