"""What the tests of the pages' readers share: test vectors, the program's numbers, the corpus."""
import contextlib
import hashlib
import json
import os
import pathlib
import struct
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
EXAMPLES = ROOT / "docs" / "formats" / "examples"
SKIPPED = 77
sys.path[:0] = [str(ROOT / "tests" / "docs"), str(ROOT / "tests" / "facts")]


def rounded(points):
    return [[round(float(c), 6) + 0.0 for c in point] for point in points]


def identity(name):
    data = (EXAMPLES / name).read_bytes()
    return {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}


def check_vectors(file, vectors, made):
    """The examples are what the program that makes them makes, and decode to the numbers of `file`."""
    for name, make in made.items():
        assert (EXAMPLES / name).read_bytes() == make(), f"{name}: make_examples.py makes another file"
    path = EXAMPLES / file
    if "--renew" in sys.argv:
        lines = [f"{json.dumps(name)}: {json.dumps(value)}" for name, value in vectors.items()]
        path.write_text("{\n" + ",\n".join(lines) + "\n}\n")
    stated = json.loads(path.read_text())
    assert stated.keys() == vectors.keys(), stated.keys()
    for name in vectors:
        assert stated[name] == vectors[name], f"{name}: {file} and the page's reader differ"


@contextlib.contextmanager
def big_endian():
    """Within it, make_examples makes big-endian files."""
    import make_examples
    make_examples.ORDER = ">"
    yield
    make_examples.ORDER = "<"


def program():
    path = os.environ.get("EFFIGY_PROGRAM")
    if not path:
        print("skipped: EFFIGY_PROGRAM names no program")
        sys.exit(SKIPPED)
    return path


def run(*arguments):
    return subprocess.run([program(), *map(str, arguments)], check=True, capture_output=True).stdout


def check_hex(names):
    """NAME.txt is the annotated hex that the program prints."""
    for name in names:
        found = run("dump", "--hex", EXAMPLES / name)
        path = EXAMPLES / (name + ".txt")
        if "--renew" in sys.argv:
            path.write_bytes(found)
        assert path.read_bytes() == found, f"{path.name} is stale: renew it with {sys.argv[0]} program --renew"


def transform(node):
    if "matrix" in node:
        m = node["matrix"]
        return [[m[4 * column + row] for column in range(4)] for row in range(3)]
    x, y, z, w = node.get("rotation", (0, 0, 0, 1))
    s, t = node.get("scale", (1, 1, 1)), node.get("translation", (0, 0, 0))
    rows = [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]
    return [[c * f for c, f in zip(row, s)] + [o] for row, o in zip(rows, t)]


def posed(*inputs_and_options):
    """The points of every mesh in the scene of what `effigy pose` writes, where they stand in it."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "posed.glb"
        run("pose", *inputs_and_options, "-o", path, "-q")
        data = path.read_bytes()
    size, = struct.unpack_from("<I", data, 12)
    gltf, binary = json.loads(data[20:20 + size]), data[28 + size:]
    points = []

    def accessor(number):
        found = gltf["accessors"][number]
        view = gltf["bufferViews"][found["bufferView"]]
        at, step = view.get("byteOffset", 0) + found.get("byteOffset", 0), view.get("byteStride", 12)
        assert found["componentType"] == 5126 and "sparse" not in found
        return [struct.unpack_from("<3f", binary, at + step * i) for i in range(found["count"])]

    def visit(number, parent):
        node = gltf["nodes"][number]
        own = transform(node)
        world = [[sum(p[k] * own[k][c] for k in range(3)) + (p[3] if c == 3 else 0) for c in range(4)] for p in parent]
        if "mesh" in node:
            assert "skin" not in node
            for primitive in gltf["meshes"][node["mesh"]]["primitives"]:
                points.extend([sum(r[k] * p[k] for k in range(3)) + r[3] for r in world] for p in accessor(primitive["attributes"]["POSITION"]))
        for child in node.get("children", []):
            visit(child, world)

    for root in gltf["scenes"][gltf.get("scene", 0)].get("nodes", []):
        visit(root, [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]])
    return points


def farthest(some, others):
    """The largest distance from one of some points to the nearest of the others, if it is below a hundredth of their extent."""
    extent = max((max(abs(c) for c in p) for p in others), default=0) or 1
    cell = extent / 100
    cells = {}
    for p in others:
        cells.setdefault(tuple(int(c // cell) for c in p), []).append(p)
    worst = 0
    for p in some:
        x, y, z = (int(c // cell) for c in p)
        near = [q for i in (x - 1, x, x + 1) for j in (y - 1, y, y + 1) for k in (z - 1, z, z + 1) for q in cells.get((i, j, k), [])]
        worst = max(worst, min((max(abs(a - b) for a, b in zip(p, q)) for q in near), default=extent))
    return worst / extent


def corpus_files(family):
    """The files that `./dev test` reads, which are small, or all with EFFIGY_CORPUS_WHOLE set."""
    import facts
    files = facts.find(family, facts.corpus())
    if "EFFIGY_CORPUS_WHOLE" not in os.environ:
        limit = max(64 * 1024, min(map(len, files.values()), default=0))
        files = {name: data for name, data in files.items() if len(data) <= limit}
    if not files:
        print(f"skipped: no files of {family.__name__.split('_')[1]} in '{facts.corpus() or ''}' (EFFIGY_CORPUS names another folder)")
        sys.exit(SKIPPED)
    return files, facts.corpus()


def main(cases):
    cases[sys.argv[1]]()
