#!/usr/bin/env python3
"""Tries the readers of docs/formats/arp.md and cas.md. Usage: arp.py examples|program|corpus [--renew]"""
import json
import pathlib

import common
import facts_arp
import make_examples_arp as made
import page_readers

arp, cas = page_readers.load("arp"), page_readers.load("cas")
MOTIONS = ("bow.cas.xml", "bow.cas.json")


def avatar_of(name):
    return arp.read((common.EXAMPLES / name).read_bytes())


def motion_of(name):
    return cas.read((common.EXAMPLES / name).read_text())


def ambient(avatar, number):
    """Rotations and amounts of a frame of ambient motion: behind the rest."""
    amounts, entries = avatar["ambient"][number]
    rest = {bone["name"]: bone["rotation"] for bone in avatar["bones"]}
    return {bone: arp.product(arp.unit(rest[bone]), arp.unit(rotation)) for bone, _, rotation in entries if bone in rest}, amounts


def points(avatar, rotations={}, amounts={}, root=None):
    return arp.skin(avatar, avatar["meshes"][0], arp.pose(avatar, rotations, root), amounts)


def signed(avatar, frame):
    _, _, bones, amounts = frame
    rotations = {name: rotation for name, (_, rotation) in bones.items() if rotation}
    return points(avatar, rotations, amounts, bones.get("ROOT", (None, None))[0])


def examples():
    avatar = avatar_of("obelisk.jarp")
    mesh = avatar["meshes"][0]
    triangles, vertices = arp.triangles(mesh)
    upright = {"HEAD": made.about_z(90)}
    bound = points(avatar, upright)
    expected = made.BASE + made.RING + [made.TIP]
    assert max(abs(a - b) for p, q in zip(bound, expected) for a, b in zip(p, q)) < 1e-6, "the bind is where points were bound"
    assert abs(points(avatar, upright, {"smlc": 1})[8][1] - 6.5) < 1e-6
    for a, b, c in triangles:  # counter-clockwise from outside
        a, b, c = (bound[vertices[i]] for i in (a, b, c))
        u, v = ([q - p for p, q in zip(a, other)] for other in (b, c))
        normal = (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])
        assert normal[0] * (a[0] + b[0] + c[0]) + normal[2] * (a[2] + b[2] + c[2]) > 0
    vectors = {"obelisk.jarp": common.identity("obelisk.jarp") | {
        "metres": round(arp.metres(avatar), 9), "triangles": triangles, "vertices": vertices, "texcoords": mesh["texcoords"],
        "bones_at_rest": {name: [common.rounded([part])[0] for part in placed] for name, placed in arp.pose(avatar).items()},
        "at_rest": common.rounded(points(avatar)), "at_rest_with_smlc": common.rounded(points(avatar, {}, {"smlc": 1})),
        "at_the_bind": common.rounded(bound),
        "in_ambient_frame_1": common.rounded(points(avatar, *ambient(avatar, 1)))}}
    for name in MOTIONS:
        frames = motion_of(name)
        vectors[name] = common.identity(name) | {"on": "obelisk.jarp", "frames": [
            {"milliseconds": time, "bones": bones, "morphs": morphs, "points": common.rounded(signed(avatar, frame))}
            for frame in frames for time, _, bones, morphs in [frame]]}
    assert vectors[MOTIONS[0]]["frames"] == vectors[MOTIONS[1]]["frames"]
    common.check_vectors("vectors_arp.json", json.loads(json.dumps(vectors)), made.FILES)


def compare(expected, metres, *arguments):
    found = common.posed(*arguments)
    expected = [tuple(metres * c for c in p) for p in expected]
    return max(common.farthest(found, expected), common.farthest(expected, found))


def program():
    common.check_hex(["obelisk.jarp"])
    path, avatar = common.EXAMPLES / "obelisk.jarp", avatar_of("obelisk.jarp")
    metres = arp.metres(avatar)
    assert compare(points(avatar), metres, path, "--rest") < 1e-5
    for number in (0, 1):
        off = compare(points(avatar, *ambient(avatar, number)), metres, path, "--clip", "ambient", "--time", number / 25, "--no-loop")
        assert off < 1e-5, (number, off)
    for name in MOTIONS:
        for frame in motion_of(name):
            off = compare(signed(avatar, frame), metres, path, common.EXAMPLES / name, "--clip", "bow", "--time", frame[0] / 1000, "--no-loop")
            assert off < 1e-5, (name, frame[0], off)


def corpus():
    """At rest and in three frames of ambient motion; the program's skin stands on a bind pose, which is not exact in all."""
    files, folder = common.corpus_files(facts_arp)
    common.program()
    worst = {}
    for name, data in files.items():
        path, avatar = pathlib.Path(folder) / name, arp.read(data)
        metres = arp.metres(avatar)
        offs = [compare(points(avatar), metres, path, "--rest")]
        for number in (0, 300, 900):
            if number < len(avatar["ambient"]):
                offs.append(compare(points(avatar, *ambient(avatar, number)), metres, path, "--clip", "ambient",
                                    "--time", number / avatar["rate"], "--no-loop"))
        worst[path.parent.name] = max(offs)
    for name, off in worst.items():
        assert off < (2e-3 if name == "siggi" else 1e-4), (name, off)
    print(f"corpus: {len(worst)} avatars in up to four poses: " + ", ".join(f"{name} {off:.1e}" for name, off in worst.items()) + " of their extent")


if __name__ == "__main__":
    common.main({"examples": examples, "program": program, "corpus": corpus})
