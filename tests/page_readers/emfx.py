#!/usr/bin/env python3
"""Tries the readers of docs/formats/xac.md, xsm.md and xpm.md. Usage: emfx.py examples|program|corpus [--renew]"""
import json
import pathlib
import re
import sys
import tempfile
import types

import common
import facts_emfx
import make_examples
import page_readers

PAIRS = [("flag.xac", "wave.xsm"), ("flag.xac", "wave-float.xsm"), ("flag-morph.xac", "lift.xpm")]
MOMENTS = [0, 0.125, 0.25, 0.5, 0.75, 1]


def load(name, page):
    """The readers import one another by their names."""
    code = re.search(rf"<!-- reader {name} -->\n```python\n(.*?)```\n", (page_readers.FORMATS / page).read_text(), re.S)[1]
    module = sys.modules[name] = types.ModuleType(name)
    exec(compile(code, page, "exec"), module.__dict__)
    return module


xac, skin, xsm, xpm = (load(*pair) for pair in (("xac", "xac.md"), ("skin", "xac.md"), ("xsm", "xsm.md"), ("xpm", "xpm.md")))


def points(actor, motion=None, time=0, kinds=(0, 1)):
    """All points of all meshes: at rest, or as a motion's bytes put them."""
    moved, weights = {}, {}
    if motion and motion[:4] == b"XSM ":
        moved = xsm.locals_at(xsm.read(motion), time)
    elif motion:
        weights = xpm.weights_at(xpm.read(motion), time)
    worlds = skin.pose(actor, moved)
    return [p for mesh in actor["meshes"] if mesh["key"][2] in kinds for p in skin.skin(actor, mesh, worlds, weights)]


def example(name):
    return (common.EXAMPLES / name).read_bytes()


def examples():
    vectors = {}
    for name in ("flag.xac", "flag-morph.xac"):
        actor = xac.read(example(name))
        vectors[name] = common.identity(name) | {
            "nodes": [node["name"].decode() for node in actor["nodes"]],
            "triangles": [submesh[1] for mesh in actor["meshes"] for submesh in mesh["submeshes"]],
            "rest": common.rounded(points(actor))}
    for actor, motion in PAIRS:
        vectors[motion] = common.identity(motion) | {"on": actor, "at_seconds": {
            str(t): common.rounded(points(xac.read(example(actor)), example(motion), t)) for t in MOMENTS}}
    for actor, motion in PAIRS:
        with common.big_endian():
            swapped = [make_examples.FILES[name]() for name in (actor, motion)]
        assert swapped[0] != example(actor)
        assert points(xac.read(swapped[0]), swapped[1], 0.75) == points(xac.read(example(actor)), example(motion), 0.75), motion
    made = {name: make for name, make in make_examples.FILES.items() if not name.endswith(".x42")}
    common.check_vectors("vectors_emfx.json", vectors, made)


def mirrored(some):
    return [(x, y, -z) for x, y, z in some]


def compare(path, actor, *rest):
    """The program's points are the reader's, and the other way round but for vertices that no triangle uses."""
    motion, time = rest if rest else (None, 0)
    arguments = [path] + ([motion, "--time", time, "--no-loop"] if motion else [])
    found = common.posed(*arguments)
    data = motion.read_bytes() if motion else None
    expected = mirrored(points(actor, data, time, kinds=(0,)))
    return max(common.farthest(found, expected), common.farthest(expected, found))


def numbers_of_reader(data):
    """What `effigy info --json` says of a file, by the readers."""
    if data[:4] == b"XAC ":
        actor = xac.read(data)
        corners = [submesh[1] for mesh in actor["meshes"] for submesh in mesh["submeshes"]]
        return {"nodes": len(actor["nodes"]), "meshes": len(actor["meshes"]), "morph_targets": len(actor["targets"]),
                "vertices": sum(len(mesh["layers"][0][0]) for mesh in actor["meshes"] if 0 in mesh["layers"]),
                "triangles": sum(len(c) for c in corners) // 3}
    if data[:4] == b"XSM ":
        motion = xsm.read(data)
        kinds = ("position_keys", "rotation_keys", "scale_keys", "scale_rotation_keys")
        counts = {kind: sum(len(s["keys"][i]) for s in motion["submotions"]) for i, kind in enumerate(kinds)}
        return counts | {"submotions": len(motion["submotions"]), "duration": round(xsm.duration(motion), 5)}
    submotions = xpm.read(data)
    return {"submotions": len(submotions), "keys": sum(len(s["keys"]) for s in submotions)}


def compare_info(paths):
    for path, info in zip(paths, json.loads(common.run("info", "--json", *paths)), strict=True):
        expected = numbers_of_reader(path.read_bytes())
        found = {name: info["counts"].get(name, round(info.get("duration", 0), 5)) for name in expected}
        assert found == expected, (path, found, expected)


def swapped_as_well(actor, motion):
    with common.big_endian(), tempfile.TemporaryDirectory() as folder:
        for name in (actor, motion):
            (pathlib.Path(folder) / name).write_bytes(make_examples.FILES[name]())
        off = compare(pathlib.Path(folder) / actor, xac.read(example(actor)), pathlib.Path(folder) / motion, 0.75)
        assert off < 2e-6, ("big-endian", motion, off)


def program():
    names = [name for name in make_examples.FILES if not name.endswith(".x42")]
    common.check_hex(names)
    compare_info([common.EXAMPLES / name for name in names])
    for actor, motion in PAIRS:
        for time in MOMENTS:
            off = compare(common.EXAMPLES / actor, xac.read(example(actor)), common.EXAMPLES / motion, time)
            assert off < 2e-6, (motion, time, off)
        swapped_as_well(actor, motion)


def corpus():
    """Every file is read, the program counts in it what the reader counts, and its points at rest, and in motions beside an actor, are the reader's."""
    files, folder = common.corpus_files(facts_emfx)
    files = {name: data for name, data in files.items() if data[:4] in (b"XAC ", b"XSM ", b"XPM ")}
    compare_info([pathlib.Path(folder) / name for name in files])
    actors, worst, compared = {name: xac.read(data) for name, data in files.items() if data[:4] == b"XAC "}, 0, 0
    for name, actor in actors.items():
        path = pathlib.Path(folder) / name
        pairs = [()]
        own = {node["name"] for node in actor["nodes"]}
        for motion, data in files.items():
            if data[:4] == b"XSM " and pathlib.Path(motion).parent == path.relative_to(folder).parent:
                moved = [s["name"] for s in xsm.read(data)["submotions"] if any(s["keys"])]
                if moved and sum(n in own for n in moved) >= 0.8 * len(moved):
                    pairs.append((pathlib.Path(folder) / motion, 0.3))
        for rest in pairs[:4]:
            off = compare(path, actor, *rest)
            worst, compared = max(worst, off), compared + 1
            assert off < 1e-4, (name, rest, off)
    print(f"corpus: {len(files)} files read by the pages' readers, {compared} poses compared, off by {worst:.1e} of the extent at most")


if __name__ == "__main__":
    common.main({"examples": examples, "program": program, "corpus": corpus})
