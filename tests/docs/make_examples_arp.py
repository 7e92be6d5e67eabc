#!/usr/bin/env python3
"""Writes the avatar and the motions of docs/formats/examples, field by field as the format pages list them.

It shares nothing with the library, so that files, pages and library check one another. Usage: make_examples_arp.py FOLDER
"""
import json
import math
import pathlib
import struct
import sys


def le(kinds, *values):
    return struct.pack("<" + kinds, *values)


def text(string):
    return le("I", len(string)) + string.encode()


# ---- an obelisk of two bones: ROOT at its middle, HEAD three units above, whose x runs up ----

HALF = math.sqrt(0.5)
BONES = [("ROOT", "", (0, 0, 0), (0, 0, 0, 1), 3), ("HEAD", "ROOT", (0, 3, 0), (0, 0, HALF, HALF), 3)]
BASE = [(x, -6, z) for x, z in ((1, 1), (1, -1), (-1, -1), (-1, 1))]
RING = [(0.75 * x, 3, 0.75 * z) for x, _, z in BASE]
TIP = (0, 6, 0)
REST_TILT = 20  # degrees: the skeleton is stored with the head to its left, and the points were bound to it upright
# triangle strip over points 0 to 8 and, as 9 and 10, copies of 0 and 4 with the texture's right edge
STRIP = [0, 1, 4, 5, 8, 8, 8, 1, 1, 2, 5, 6, 8, 8, 8, 2, 2, 3, 6, 7, 8, 8, 8, 3, 3, 9, 7, 10, 8]
DUPLICATES = [0, 4]
TEXCOORDS = [(0, 0), (0.25, 0), (0.5, 0), (0.75, 0), (0, 0.75), (0.25, 0.75), (0.5, 0.75), (0.75, 0.75), (0.5, 1), (1, 0), (1, 0.75)]


def in_head(v):
    """A direction in the frame of HEAD at the bind: x up, y to -x, z ahead."""
    return v[1], -v[0], v[2]


def links(position, normal, weights):
    root, head = (position, normal), (in_head((position[0], position[1] - 3, position[2])), in_head(normal))
    used = [(name, *frame, weight) for name, frame, weight in (("ROOT", root, weights[0]), ("HEAD", head, weights[1])) if weight]
    n = len(used)
    return (le("I", n) + b"".join(le("3f", *offset) for _, offset, _, _ in used) +
            b"".join(le("3f", *direction) for _, _, direction, _ in used) + b"".join(text(name) for name, *_ in used) +
            le(f"{n}f", *(weight for *_, weight in used)) + le(f"{n}f", *(max(0, offset[0]) for _, offset, _, _ in used)))


def mesh():
    def normal(p):
        length = math.hypot(p[0], p[2])
        return (p[0] / length, 0, p[2] / length) if length else (0, 1, 0)

    points = [links(p, normal(p), (1, 0)) for p in BASE] + [links(p, normal(p), (0.75, 0.25)) for p in RING]
    points.append(links(TIP, (0, 1, 0), (0, 1)))
    # `smlc` pulls the tip up by half a unit; offsets stand in a frame that is turned by -90 degrees about HEAD's z
    target = text("smlc") + le("I", 1) + le("If3f3f", 8, 1, 0, 0.5, 0, 0, 1, 0)
    return (le("fI", 0, len(points)) + b"".join(points) + le("I", len(STRIP)) + le(f"{len(STRIP)}H", *STRIP) +
            le("3I", 2, *DUPLICATES) + le("I", len(TEXCOORDS)) + b"".join(le("2f", *uv) for uv in TEXCOORDS) +
            le("I", 1) + target)


def about_z(degrees):
    half = math.radians(degrees) / 2
    return 0, 0, math.sin(half), math.cos(half)


def skeleton():
    rotations = [(0, 0, 0, 1), about_z(90 + REST_TILT)]
    pose = b"".join(le("4s7f", name.encode(), *t, *r) for (name, _, t, _, _), r in zip(BONES, rotations))
    bones = b"".join(le("4s4s3f4f4ff", name.encode(), parent.encode(), *t, *r, 0, 0, 0, 1, length)
                     for (name, parent, t, _, length), r in zip(BONES, rotations))
    return le("I", 2) + pose + le("I", 2) + bones


def ambient():
    def frame(amount, degrees):
        return (le("I", 1) + le("4sf", b"smlc", amount) + le("I", 1) +
                le("4s7f", b"HEAD", 0, 0, 0, math.sin(math.radians(degrees) / 2), 0, 0, math.cos(math.radians(degrees) / 2)))

    return le("If", 2, 25) + frame(0, 0) + frame(0.25, 30)


def avatar():
    header = text("3.1") + le("f3f3f3ff", 1, -3, -6, -3, 3, 6, 3, 0.75, 0.75, 0.75, 0)
    return header + le("I", 1) + mesh() + skeleton() + ambient() + text("obelisk.png") + bytes((0, 0, 1)) + bytes(9)


# ---- motion: a bow, and back; only what changes is named again ----

FRAMES = [(0, 40, True, {"ROOT": ((0, 0, 0), (0, 0, 0, 1)), "HEAD": ((0, 3, 0), about_z(90))}, {}),
          (40, 40, False, {"HEAD": (None, about_z(60))}, {"smlc": 0.5}),
          (80, 40, False, {"ROOT": ((0, -0.5, 0), None)}, {"smlc": 1}),
          (120, 40, False, {"ROOT": ((0, 0, 0), None), "HEAD": (None, about_z(90))}, {})]
ORDER = ["ROOT", "HEAD"]


def number(value):
    return f"{value:.6g}"


def cas_xml():
    out = ['<?xml version="1.0" encoding="utf-8"?>', '<CAS version="2.1" avatar="obelisk">', f'  <frames count="{len(FRAMES)}" signCount="1">',
           '    <signStart index="0" gloss="BOW" />']
    for time, duration, complete, bones, morphs in FRAMES:
        out.append(f'    <frame isComplete="{str(complete).lower()}" time="{time}" duration="{duration}" '
                   f'boneCount="{len(bones)}" morphCount="{len(morphs)}">')
        out += [f'      <morph name="{name}" amount="{number(amount)}" />' for name, amount in morphs.items()]
        for name, (position, rotation) in bones.items():
            out.append(f'      <bone name="{name}" index="{ORDER.index(name)}">')
            if position:
                out.append('        <position x="{}" y="{}" z="{}" />'.format(*map(number, position)))
            if rotation:
                out.append('        <qRotation x="{}" y="{}" z="{}" w="{}" />'.format(*map(number, rotation)))
            out.append('      </bone>')
        out.append('    </frame>')
    return "\n".join(out + ['  </frames>', '</CAS>', '']).encode()


def cas_json():
    def rounded(values):
        return [float(number(v)) for v in values]

    frames = []
    for time, duration, _, bones, morphs in FRAMES:
        listed = []
        for name, (position, rotation) in bones.items():
            listed.append({"id4cc": name, **({"trans": rounded(position)} if position else {}),
                           **({"rot": rounded(rotation)} if rotation else {})})
        frames.append({"time": time, "duration": duration, "morphs": [{"id4cc": n, "amount": a} for n, a in morphs.items()],
                       "bones": listed})
    return (json.dumps({"signIndex": 0, "gloss": "BOW", "baseFrameIndex": 0, "frames": frames}, indent=1) + "\n{}\n").encode()


FILES = {"obelisk.jarp": avatar, "bow.cas.xml": cas_xml, "bow.cas.json": cas_json}


def main():
    for file, make in FILES.items():
        (pathlib.Path(sys.argv[1]) / file).write_bytes(make())


if __name__ == "__main__":
    main()
