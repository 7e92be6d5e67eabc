#!/usr/bin/env python3
"""Tries the readers of docs/formats/xmf.md, ani.md and catalog.md. Usage: egosoft.py examples|program|corpus [--renew]"""
import json
import math
import pathlib
import struct
import tempfile

import common
import facts_egosoft
import make_examples_egosoft as made
import page_readers

xmf, ani, catalog = (page_readers.load(name) for name in ("xmf", "ani", "catalog"))
POSITION, NORMAL, TEXCOORD, TANGENT = 0, 3, 5, 6
MOMENTS = [0, 0.25, 0.5, 0.75, 1, 1.5, 2]


def example(name):
    return (common.EXAMPLES / name).read_bytes()


# ---- test vectors ----

def mesh_vectors(name):
    mesh = xmf.read(example(name))
    named = {f"{usage} {number}": common.rounded(values) for (usage, number), values in mesh["vertices"].items()}
    vectors = common.identity(name) | {"elements": mesh["elements"], "vertices": named, "indices": mesh["indices"],
                                       "materials": mesh["materials"]}
    if (TANGENT, 0) in mesh["vertices"]:
        vectors["along_u_along_v_normal"] = [common.rounded(frame) for frame in xmf.frames(mesh)]
    return json.loads(json.dumps(vectors))


def examples():
    vectors = {name: mesh_vectors(name) for name in made.FILES if name.endswith(".xmf")}
    for name in vectors:
        collision = "collision" in name
        places = [tuple(v[:3]) for v in vectors[name]["vertices"]["0 0"]]
        assert places == [tuple(map(float, p)) for p in (made.COLLISION if collision else made.POSITIONS)]
        assert vectors[name]["indices"] == (made.COLLISION_INDICES if collision else made.INDICES)
    for frames in (v["along_u_along_v_normal"] for v in vectors.values() if "along_u_along_v_normal" in v):
        for along_u, along_v, normal in frames:  # as the texture coordinates say, up to a step of the packing
            for found, expected in ((along_u, (1, 0, 0)), (along_v, (0, -1, 0)), (normal, made.NORMAL)):
                assert max(abs(a - b) for a, b in zip(found, expected)) < 0.01
    vectors["HATCH_DATA.ANI"] = common.identity("HATCH_DATA.ANI") | {
        "animations": [{key: one[key] for key in ("part", "state", "duration")} | {"at_seconds": {
            str(t): dict(zip(("translation", "matrix"), (common.rounded([place])[0], common.rounded(matrix))))
            for t in MOMENTS for place, matrix in [ani.pose(one, t)]}} for one in ani.read(example("HATCH_DATA.ANI"))]}
    vectors["01.cat"] = common.identity("01.cat") | {"entries": [list(e) for e in catalog.entries(example("01.cat"))]}
    for name in ("01.dat", "material_library.xml"):
        vectors[name] = common.identity(name)
    vectors["hatch.xml"] = common.identity("hatch.xml") | {"parts_at_rest": {
        part: common.rounded([place])[0] for part, (place, _) in places_of("", 0).items()}}
    common.check_vectors("vectors_egosoft.json", vectors, made.FILES)


# ---- the program's numbers ----

def glb(path):
    """glTF's JSON, and a function that reads an accessor of floats, bytes or 16-bit numbers."""
    data = path.read_bytes()
    size, = struct.unpack_from("<I", data, 12)
    gltf, binary = json.loads(data[20:20 + size]), data[28 + size:]

    def accessor(number):
        found = gltf["accessors"][number]
        view = gltf["bufferViews"][found["bufferView"]]
        code, unit = {5126: ("f", 1), 5121: ("B", 255), 5123: ("H", 65535), 5125: ("I", 1)}[found["componentType"]]
        width = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}[found["type"]]
        unit = unit if found.get("normalized") else 1
        at, step = view.get("byteOffset", 0) + found.get("byteOffset", 0), view.get("byteStride", width * struct.calcsize(code))
        return [tuple(v / unit if unit != 1 else v for v in struct.unpack_from(f"<{width}{code}", binary, at + step * i))
                for i in range(found["count"])]

    return gltf, accessor


def convert(*inputs_and_options):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "out.glb"
        common.run("convert", *inputs_and_options, "-o", path, "-q")
        return glb(path)


def unit(v):
    length = math.sqrt(sum(x * x for x in v))
    return [x / length for x in v]


def difference(found, expected):
    return max((abs(a - b) for one, other in zip(found, expected) for a, b in zip(one, other)), default=0)


def compare_mesh(path, mesh):
    """All vertices in their order, and all triangles, against what the program makes of the file."""
    gltf, accessor = convert(path)
    primitives = gltf["meshes"][0]["primitives"]
    attributes = {name: accessor(number) for name, number in primitives[0]["attributes"].items()}
    vertices = mesh["vertices"]
    positions = [(-x, y, z) for x, y, z, _ in vertices[POSITION, 0]]
    extent = max((abs(c) for p in positions for c in p), default=1) or 1
    assert len(attributes["POSITION"]) == len(positions)
    assert difference(attributes["POSITION"], positions) <= 1e-6 * extent
    if primitives[0].get("indices") is not None:
        indices = [i for one in primitives for i, in accessor(one["indices"])]
        assert sorted(indices) == sorted(mesh["indices"]) and (len(primitives) > 1 or indices == list(mesh["indices"]))
    if "NORMAL" in attributes:
        pairs = [(found, unit((-n[0], n[1], n[2]))) for found, n in zip(attributes["NORMAL"], vertices[NORMAL, 0]) if max(map(abs, n[:3])) > 0.1]
        assert difference((unit(a) for a, _ in pairs), (b for _, b in pairs)) < 1e-5
    if "TANGENT" in attributes and (TANGENT, 0) in vertices:  # the program computes what is missing
        for found, t, n in zip(attributes["TANGENT"], vertices[TANGENT, 0], vertices[NORMAL, 0]):
            assert found[3] == (-1 if n[3] > 0.5 else 1)
            if max(map(abs, t[:3])) > 0.1:  # others have no direction
                assert difference([unit(found[:3])], [unit((t[0], -t[1], -t[2]))]) < 1e-5
    sets = sorted(number for usage, number in vertices if usage == TEXCOORD)
    for index, number in enumerate(sets):
        found, expected = attributes[f"TEXCOORD_{index}"], [v[:2] for v in vertices[TEXCOORD, number]]
        assert difference(found, expected) <= 1e-6 * (max(abs(c) for v in expected for c in v) or 1)
    return len(positions)


def quaternion_matrix(x, y, z, w):
    return [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]


def combined(outer, inner):
    (t, m), (u, n) = outer, inner
    return [a + sum(r * b for r, b in zip(row, u)) for a, row in zip(t, m)], ani.multiply(m, n)


def places_of(state, time):
    """Where the parts of hatch.xml stand, in the file's space: offset, then keys, on the part that they hang on."""
    keys = {one["part"]: ani.pose(one, time) for one in ani.read(example("HATCH_DATA.ANI")) if one["state"] == state}
    still = ([0, 0, 0], quaternion_matrix(0, 0, 0, 1))
    main = combined(([3, 1, 10], quaternion_matrix(0, 0, 0, 1)), keys.get("part_main", still))
    half = math.sqrt(0.5)
    beacon = combined(combined(main, ([0, 1, 0], quaternion_matrix(0, half, 0, half))), keys.get("anim_beacon", still))
    return {"part_main": main, "anim_beacon": beacon}


def program():
    common.check_hex(name for name in made.FILES if name.endswith((".xmf", ".ANI")))
    for name in made.FILES:
        if name.endswith(".xmf"):
            compare_mesh(common.EXAMPLES / name, xmf.read(example(name)))
    compare_animations("HATCH_DATA.ANI", example("HATCH_DATA.ANI"))
    for state, times in (("hatch_opening", MOMENTS[:5]), ("loop", [0.25, 0.75, 1.5, 2])):
        for time in times:
            found = common.posed(common.EXAMPLES / "hatch.xml", "--clip", state, "--time", time, "--no-loop")
            expected = []
            for part, (t, m) in places_of(state, time).items():
                for p in made.POSITIONS:
                    x, y, z = (a + sum(r * b for r, b in zip(row, p)) for a, row in zip(t, m))
                    expected.append((-x, y, z))
            off = max(common.farthest(found, expected), common.farthest(expected, found))
            assert off < 1e-4, (state, time, off)


def compare_animations(name, data):
    """All keys that the program samples, on parts that look like the example, against the reader at these times."""
    animations = ani.read(data)
    compared, worst = 0, 0
    states = {}
    for one in animations:
        if one["positions"] or one["rotations"] or one["scales"]:
            states.setdefault(one["state"].lower(), {}).setdefault(one["part"].lower(), one)
    if not states:
        return 0, 0
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for part in {part for parts in states.values() for part in parts}:
            (folder / (part + "-lod0.xmf")).write_bytes(made.hatch())
        (folder / "keys.ani").write_bytes(data)
        gltf, accessor = convert(*sorted(folder.glob("*.xmf")), folder / "keys.ani", "--resample", "30")
    for clip in gltf.get("animations", []):
        parts = states[clip["name"].lower()]
        channels = {}
        for channel in clip["channels"]:
            node = gltf["nodes"][channel["target"]["node"]]["name"].lower()
            sampler = clip["samplers"][channel["sampler"]]
            channels.setdefault(node, {})[channel["target"]["path"]] = (
                [t for t, in accessor(sampler["input"])], accessor(sampler["output"]), sampler.get("interpolation", "LINEAR"))
        for node, paths in channels.items():
            for path, (times, values, interpolation) in paths.items():
                for time, value in zip(times, values):
                    if interpolation == "CUBICSPLINE":
                        continue
                    found = off(parts[node], path, time, value)
                    if found is not None:
                        compared, worst = compared + 1, max(worst, found)
    assert worst < 1e-4, (name, worst)
    return compared, worst


def off(animation, path, time, value):
    """How far a value of the scene is from the reader's; nothing where the curve jumps."""
    lists = {"translation": ("positions", (0, 0, 0)), "rotation": ("rotations", (0, 0, 0)), "scale": ("scales", (1, 1, 1))}
    keys, default = animation[lists[path][0]], lists[path][1]
    around = [ani.sample(keys, time + d, default) for d in (-1e-4, 0, 1e-4)]
    if max(abs(a - b) for other in (around[0], around[2]) for a, b in zip(around[1], other)) > 0.05:
        return None
    x, y, z = around[1]
    if path == "rotation":
        found, expected = quaternion_matrix(*value), ani.rotation(x, y, z)
        signs = (-1, 1, 1)
        return max(abs(found[i][j] - signs[i] * signs[j] * expected[i][j]) for i in range(3) for j in range(3))
    expected = (-x, y, z) if path == "translation" else (x, y, z)
    return max(abs(a - b) for a, b in zip(value, expected)) / max(1, *map(abs, expected))


def corpus():
    files, folder = common.corpus_files(facts_egosoft)
    common.program()
    vertices = values = meshes = 0
    worst = 0
    for name, data in files.items():
        if data[:4] == b"XUMF":
            vertices += compare_mesh(pathlib.Path(folder) / name, xmf.read(data))
            meshes += 1
        else:
            compared, off_by = compare_animations(name, data)
            values, worst = values + compared, max(worst, off_by)
    print(f"corpus: {meshes} meshes of {vertices} vertices are the program's; {values} sampled values of {len(files) - meshes} ANI files are off by {worst:.1e} at most")


if __name__ == "__main__":
    common.main({"examples": examples, "program": program, "corpus": corpus})
