"""Counts what docs/formats/xac.md, xsm.md and xpm.md state of real files. The reader is of its own, not the library's."""
import math
import struct
from collections import Counter, defaultdict

from facts import of, percent

NONE = 0xFFFFFFFF
NO_EXTENT = struct.unpack("<f", struct.pack("<f", -3.402823466e+38))[0]


def is_mine(path, head):
    return head[:4] in (b"XAC ", b"XSM ", b"XPM ") or path.suffix == ".xsmtime"


# ---- reading ----

class Stream:
    def __init__(self, data, at, order):
        self.data, self.at, self.order = data, at, order

    def take(self, kinds):
        values = struct.unpack_from(self.order + kinds, self.data, self.at)
        self.at += struct.calcsize(self.order + kinds)
        return values

    def u32(self):
        return self.take("I")[0]

    def text(self):
        size = self.u32()
        assert self.at + size <= len(self.data)
        self.at += size
        return self.data[self.at - size:self.at]


def node(s, v):
    n = {"rotation": s.take("4f"), "scale_rotation": s.take("4f"), "position": s.take("3f"), "scale": s.take("3f"),
         "shear": s.take("3f"), "masks": s.take("2I" if v >= 4 else "I"), "parent": s.u32()}
    n["children"] = s.u32() if v >= 4 else None
    n["flags"] = s.take("4B")[0] if v >= 2 else None
    n["box"] = s.take("16f") if v >= 3 else None
    n["importance"] = s.take("f")[0] if v >= 4 else None
    n["name"] = s.text()
    return n


def nodes(s, _):
    count, roots = s.take("2I")
    return {"roots": roots, "nodes": [node(s, 4) for _ in range(count)]}


LAYER_KINDS = {0: "3f", 1: "3f", 2: "4f", 3: "2f", 4: "4B", 5: "I", 6: "4f"}


def mesh(s, v):
    m = {"node": s.u32(), "lod": s.u32() if v >= 2 else 0}
    m["originals"], m["vertices"], m["indices"], submeshes, layers, m["collision"] = s.take("5IB3x")
    m["layers"], m["submeshes"] = [], []
    for _ in range(layers):
        kind, size, deforms, scale = s.take("2I2B2x")
        assert struct.calcsize("<" + LAYER_KINDS[kind]) == size
        values = list(struct.iter_unpack(s.order + LAYER_KINDS[kind], s.data[s.at:s.at + size * m["vertices"]]))
        s.at += size * m["vertices"]
        m["layers"].append({"kind": kind, "deforms": deforms, "scale": scale, "values": values})
    for _ in range(submeshes):
        indices, vertices, material, bones = s.take("4I")
        m["submeshes"].append({"vertices": vertices, "material": material, "indices": s.take(f"{indices}I"), "bones": s.take(f"{bones}I")})
    return m


def skinning(s, v, originals):
    k = {"node": s.u32(), "lod": s.u32() if v >= 4 else 0, "bones": s.u32() if v >= 3 else None, "count": s.u32() if v >= 2 else 0}
    k["collision"] = s.take("B3x")[0]
    k["influences"] = [s.take("fH2x") for _ in range(k["count"])]
    k["ranges"] = [s.take("2I") for _ in range(originals[k["node"], k["lod"], k["collision"]])]
    return k


def layer2(s):
    return dict(zip(("amount", "u", "v", "tile_u", "tile_v", "rotation", "material", "map", "blend"), s.take("6fH2B")), texture=s.text())


def material(s, v):
    m = {"lod": s.u32() if v >= 3 else 0, "colors": s.take("16f"), "numbers": s.take("4f")}
    m["double_sided"], m["wireframe"], m["transparency"], count = s.take("4B")
    m["name"] = s.text()
    m["layers"] = [layer2(s) for _ in range(count if v >= 2 else 0)]
    return m


def fx_material(s, v):
    assert v == 2
    ints, floats, colors, bools, vectors, bitmaps = s.take("6I")
    m = {"name": s.text(), "effect": s.text(), "technique": s.text(), "bitmaps": []}
    for kinds, count in (("i", ints), ("f", floats), ("4f", colors), ("B", bools), ("3f", vectors)):
        for _ in range(count):
            s.take(kinds), s.text()
    for _ in range(bitmaps):
        m["bitmaps"].append((s.text(), s.text()))
    return m


def info(s, v):
    fixed = s.take({1: "2I2B2x", 2: "2I2B2xf", 3: "3I2B2xf", 4: "3I2B2xf"}[v])
    return {"exporter": fixed[2:4] if v <= 2 else fixed[3:5], "mask": fixed[0], "source": s.text(), "file": s.text(), "date": s.text(), "name": s.text()}


def motion_info(s, v):
    importance = s.take("2f") if v >= 2 else None
    rate = s.u32()
    s.take("I" if v >= 3 else "")
    return {"importance": importance, "rate": rate, "exporter": s.take("2B2x"), "source": s.text(), "file": s.text(), "date": s.text(), "name": s.text()}


def submotion(s, packed, has_error=True):
    quat = "4h" if packed else "4f"
    m = {"rotation": s.take(quat), "bind_rotation": s.take(quat), "scale_rotation": s.take(quat), "bind_scale_rotation": s.take(quat)}
    m["position"], m["scale"], m["bind_position"], m["bind_scale"] = (s.take("3f") for _ in range(4))
    counts = s.take("4I")
    m["error"] = s.take("f")[0] if has_error else None
    m["name"] = s.text()
    m["keys"] = [[s.take(kinds + "f") for _ in range(count)] for kinds, count in zip(("3f", quat, "3f", quat), counts)]
    m["packed"] = packed
    return m


def weights(s):
    fixed = s.take("3f2I")
    return {"fixed": fixed, "name": s.text(), "keys": [s.take("fH2x") for _ in range(fixed[4])]}


READERS = {
    b"XAC ": {0: node, 1: mesh, 3: material, 4: lambda s, v: layer2(s), 5: fx_material, 6: lambda s, v: s.take("18f9B3xI"), 7: info, 11: nodes,
              8: lambda s, v: (s.u32(), s.take(f"{s.u32()}s")[0]), 10: lambda s, v: s.take("H")[0], 13: lambda s, v: s.take("3I")},
    b"XSM ": {201: motion_info, 200: lambda s, v: [submotion(s, v == 3, v > 1)], 202: lambda s, v: [submotion(s, v == 2) for _ in range(s.u32())]},
    b"XPM ": {101: motion_info, 102: lambda s, v: [weights(s) for _ in range(s.u32())]},
}


class File:
    def __init__(self, name, data):
        self.name, self.magic, self.major, self.minor, self.endian, self.order = name, *struct.unpack_from("<4s4B", data)
        s = Stream(data, 8, ">" if self.endian else "<")
        self.chunks, originals = [], {}
        while s.at < len(data):
            kind, size, version = s.take("3I")
            start = s.at
            if (self.magic, kind) == (b"XAC ", 2):
                record = skinning(s, version, originals)
            else:
                record = READERS[self.magic][kind](s, version)
            if (self.magic, kind) == (b"XAC ", 1):
                originals[record["node"], record["lod"], record["collision"]] = record["originals"]
            self.chunks.append({"kind": kind, "version": version, "declared": size, "true": s.at - start, "record": record, "last": s.at == len(data)})
        self.whole = s.at == len(data)

    def all(self, *kinds):
        return [chunk["record"] for chunk in self.chunks if chunk["kind"] in kinds]

    def nodes(self):
        return [n for chunk in self.chunks for n in ([chunk["record"]] if chunk["kind"] == 0 else chunk["record"]["nodes"] if chunk["kind"] == 11 else [])]


def load(files):
    found, embedded = [], []
    for name, data in files.items():
        if data[:4] not in READERS:
            continue
        found.append(File(name, data))
        queue = [found[-1]] if data[:4] == b"XAC " else []
        while queue:
            for _, inner in queue.pop().all(8):
                embedded.append(File(name + ":lod", inner))
                queue.append(embedded[-1])
    return found, embedded


# ---- vectors ----

def sub(a, b): return [x - y for x, y in zip(a, b)]
def dot(a, b): return sum(x * y for x, y in zip(a, b))
def length(a): return math.sqrt(dot(a, a))
def cross(a, b): return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


# ---- counting ----

def container(found, fact):
    for kind, text in ((b"XAC ", "xac"), (b"XSM ", "xsm"), (b"XPM ", "xpm")):
        fact(f"emfx.{text}_files", sum(f.magic == kind for f in found), f"files of {text.upper()}")
    fact("emfx.whole", of(sum(f.whole for f in found), len(found)), "files whose structure ends where the file ends")
    fact("emfx.version_1_0", of(sum((f.major, f.minor) == (1, 0) for f in found), len(found)), "headers of version 1.0")
    fact("emfx.little", of(sum(f.endian == 0 for f in found), len(found)), "little-endian files")
    producers = Counter()
    for f in found:
        i = f.all(7, 101, 201)
        if i:
            source = i[0]["source"].decode("latin-1")
            producers[("Maya" if "Maya" in source else "3ds Max" if "Max" in source else source or "none"), i[0]["exporter"], f.order] += 1
    for program in ("Maya", "3ds Max"):
        total = sum(n for (p, _, _), n in producers.items() if p == program)
        ones = sum(n for (p, _, o), n in producers.items() if p == program and o == 1)
        fact(f"emfx.order_1_{program.replace('3ds ', '').lower()}", of(ones, total), f"files of {program} with multiplication order 1")
    for (program, exporter, order), n in sorted(producers.items()):
        fact(f"emfx.producer_{program.replace('3ds ', '').lower()}_{exporter[0]}_{exporter[1]}_order_{order}", n, f"files of {program}, exporter {exporter[0]}.{exporter[1]}, order {order}")


def sizes(found, fact):
    right, total = Counter(), Counter()
    over = defaultdict(list)
    for f in found:
        for c in f.chunks:
            key = (f.magic, c["kind"], c["version"])
            total[key] += 1
            right[key] += c["declared"] == c["true"]
            if c["declared"] != c["true"]:
                over[key].append((c["declared"] - c["true"], c))
    for (magic, kind, version), n in sorted(total.items()):
        fact(f"emfx.size_{magic.decode().strip().lower()}_{kind}_v{version}", of(right[magic, kind, version], n), f"{magic.decode()}chunk {kind} v{version}: declared size is the true one")
    materials = [(c, f) for f in found for c in f.chunks if f.magic == b"XAC " and (c["kind"], c["version"]) == (3, 2)]
    without = [c for c, f in materials if not c["record"]["layers"]]
    fact("emfx.size_without_layers", of(sum(c["declared"] == c["true"] for c in without), len(without)), "XAC chunks 3 v2 without layers: the size is true")
    fact("emfx.size_of_name", of(sum(c["declared"] == 88 + len(c["record"]["name"]) for c, f in materials), len(materials)), "XAC chunks 3 v2: size = 88 + length of the name")
    for version in (1, 2):
        extra = [o for o, _ in over[b"XSM ", 202, version]]
        if extra:
            fact(f"emfx.size_202_v{version}_over", f"{min(extra):,} to {max(extra):,}", f"XSM 202 v{version}: bytes that the size is too large by")
    v2 = over[b"XSM ", 202, 2]
    fact("emfx.size_202_v2_rule", of(sum(o >= 32 * len(c["record"]) and (o - 32 * len(c["record"])) % 12 == 0 for o, c in v2), len(v2)),
         "XSM 202 v2: 32 bytes too many for each submotion, and a multiple of 12")


def skeleton(actors, fact):
    every = [n for a in actors for n in a.nodes()]
    boxes = [n for n in every if n["box"]]
    full = [n for n in every if n["children"] is not None]
    fact("xac.actors", len(actors), "actors, embedded ones counted")
    fact("xac.nodes", f"{len(every):,}", "nodes")
    fact("xac.shear", of(sum(n["shear"] == (-1, -1, -1) for n in every), len(every)), "nodes with shear -1, -1, -1")
    fact("xac.masks", of(sum(all(m == NONE for m in n["masks"]) for n in every), len(every)), "nodes with all level bits set")
    fact("xac.flag_bit_0", of(sum(bool(n["flags"] & 1) for n in every if n["flags"] is not None), len(every)), "nodes with bit 0 of the flags set")
    fact("xac.flag_other_bits", of(sum(n["flags"] not in (0, 1) for n in every if n["flags"] is not None), len(every)), "nodes with other bits set as well")
    fact("xac.importance", of(sum(n["importance"] == 1 for n in full), len(full)), "nodes of chunk 11 with importance 1")
    extents = [[n["box"][i] for i in (3, 7, 11)] for n in boxes]
    none = [e for e in extents if e == [NO_EXTENT] * 3]
    nan = [e for e in extents if any(math.isnan(x) for x in e)]
    half = [e for e in extents if e not in none and any(x < 0 for x in e)]
    fact("xac.no_box", of(len(none), len(boxes)), "node boxes with extents of -FLT_MAX")
    fact("xac.box_other_none", of(len(nan) + len(half), len(boxes)), "node boxes with NaN or other negative extents")
    fact("xac.box_nan", len(nan), "node boxes with NaN")
    fact("xac.box_negative", len(half), "node boxes with negative extents other than -FLT_MAX")
    fact("xac.box", of(sum(all(x >= 0 for x in e) for e in extents), len(boxes)), "node boxes with extents of 0 or more")
    unit = [n for n, e in zip(boxes, extents) if all(x >= 0 for x in e)]
    fact("xac.box_axes", of(sum(all(abs(length(n["box"][i:i + 3]) - 1) < 1e-4 for i in (0, 4, 8)) for n in unit), len(unit)), "of those, boxes with unit axes")
    good = sum(all(n["parent"] == NONE or n["parent"] < i for i, n in enumerate(a.nodes())) for a in actors)
    fact("xac.parents_first", of(good, len(actors)), "actors whose nodes stand behind their parents")
    counted = [a for a in actors if a.all(11)]
    good = sum(all(n["children"] == sum(m["parent"] == i for m in a.nodes()) for i, n in enumerate(a.nodes())) and
               a.all(11)[0]["roots"] == sum(n["parent"] == NONE for n in a.nodes()) for a in counted)
    fact("xac.child_counts", of(good, len(counted)), "actors with chunk 11 whose counts of children and roots are true")
    fact("xac.unique_names", of(sum(len({n["name"] for n in a.nodes()}) == len(a.nodes()) for a in actors), len(actors)), "actors whose nodes have different names")
    uneven = [n for n in every if max(n["scale"]) - min(n["scale"]) > 1e-5 * max(map(abs, n["scale"]))]
    fact("xac.uneven_scale", of(len(uneven), len(every)), "nodes with uneven scale")
    fact("xac.scale_rotation", of(sum(abs(abs(n["scale_rotation"][3]) - 1) > 1e-6 for n in uneven), len(uneven)), "of those, nodes with a scale rotation")
    fact("xac.negative_scale", of(sum(min(n["scale"]) < 0 for n in every), len(every)), "nodes with a negative scale")


def geometry(actors, fact):
    meshes = [(m, a) for a in actors for m in a.all(1)]
    layers = [l for m, _ in meshes for l in m["layers"]]
    kinds = [[l["kind"] for l in m["layers"]] for m, _ in meshes]
    drawn = [m for m, _ in meshes if m["vertices"]]
    fact("xac.meshes", len(meshes), "meshes")
    regular = [k == [5, 0, 1] + [3] * k.count(3) + [2] * k.count(2) for k in kinds]
    fact("xac.layer_order", of(sum(regular), len(kinds)), "meshes with layers in the order 5, 0, 1, UV sets, tangents")
    fact("xac.tangents_as_uv", of(sum(k.count(2) == k.count(3) for k in kinds), len(kinds)), "meshes with as many tangent layers as UV sets")
    fact("xac.tangents_none", of(sum(k.count(2) == 0 and k.count(3) > 0 for k in kinds), len(kinds)), "meshes with UV sets and no tangents")
    fact("xac.deforms", of(sum(l["deforms"] == (l["kind"] in (0, 1, 2)) for l in layers), len(layers)), "layers with enable_deformations 1 for kinds 0 to 2 and 0 for others")
    fact("xac.is_scale", of(sum(l["scale"] == 0 for l in layers), len(layers)), "layers with is_scale 0")
    submeshes = [s for m, _ in meshes for s in m["submeshes"]]
    fact("xac.submeshes", len(submeshes), "submeshes")
    fact("xac.triangles", of(sum(len(s["indices"]) % 3 == 0 for s in submeshes), len(submeshes)), "submeshes with indices divisible by 3")
    fact("xac.sums", of(sum(m["vertices"] == sum(s["vertices"] for s in m["submeshes"]) and m["indices"] == sum(len(s["indices"]) for s in m["submeshes"])
                            for m, _ in meshes), len(meshes)), "meshes whose counts are the sums of their submeshes'")
    fact("xac.more_originals", of(sum(m["originals"] > m["vertices"] for m, _ in meshes), len(meshes)), "meshes with more original than render vertices")
    materials = {id(a): len(a.all(3, 5)) for a in actors}
    fact("xac.material_in_range", of(sum(s["material"] < materials[id(a)] for m, a in meshes for s in m["submeshes"]), len(submeshes)),
         "submeshes whose material is one of chunks 3 and 5")
    normals = [n for m in drawn for l in m["layers"] if l["kind"] == 1 for n in l["values"]]
    fact("xac.normals_unit", percent(sum(abs(length(n) - 1) < 1e-3 for n in normals), len(normals), 2), "normals of length 1 within 0.001")
    fact("xac.normals_meshes", of(sum(any(abs(length(n) - 1) >= 1e-3 for l in m["layers"] if l["kind"] == 1 for n in l["values"]) for m in drawn), len(drawn)),
         "meshes with normals that are not unit")
    tangents = [t for m in drawn for l in m["layers"] if l["kind"] == 2 for t in l["values"]]
    fact("xac.tangent_w", of(sum(t[3] in (1, -1) for t in tangents), len(tangents)), "tangents with w 1 or -1")
    fact("xac.tangent_zero", of(sum(length(t[:3]) == 0 for t in tangents), len(tangents)), "tangents of length 0")
    winding(drawn, fact)


def winding(meshes, fact):
    """Triangles against the mean of their corners' normals; the first UV set's tangents against dP/du and dP/dv of the triangle, at each of its corners."""
    agree = faces = along_u = along_v = corners = 0
    for m in meshes:
        layers = defaultdict(list)
        for l in m["layers"]:
            layers[l["kind"]].append(l["values"])
        if not layers[1]:
            continue
        p, n, first = layers[0][0], layers[1][0], 0
        for s in m["submeshes"]:
            for i in range(0, len(s["indices"]), 3):
                t = [first + j for j in s["indices"][i:i + 3]]
                e1, e2 = sub(p[t[1]], p[t[0]]), sub(p[t[2]], p[t[0]])
                face, mean = cross(e1, e2), [sum(n[j][k] for j in t) for k in range(3)]
                if length(face) < 1e-12 or abs(dot(face, mean)) == 0 or math.isnan(dot(face, mean)):
                    continue
                faces += 1
                agree += dot(face, mean) > 0
                if not (layers[2] and layers[3]):
                    continue
                uv, tangents = layers[3][0], layers[2][0]
                d1, d2 = sub(uv[t[1]], uv[t[0]]), sub(uv[t[2]], uv[t[0]])
                area = d1[0] * d2[1] - d2[0] * d1[1]
                if abs(area) < 1e-12:
                    continue
                du = [(a * d2[1] - b * d1[1]) / area for a, b in zip(e1, e2)]
                dv = [(b * d1[0] - a * d2[0]) / area for a, b in zip(e1, e2)]
                for j in t:
                    x, y = dot(tangents[j][:3], du), dot(cross(n[j], tangents[j][:3]), dv) * tangents[j][3]
                    if x == 0 or y == 0 or math.isnan(x + y):
                        continue
                    corners += 1
                    along_u += x > 0
                    along_v += y > 0
            first += s["vertices"]
    fact("xac.winding", percent(agree, faces), "triangles counter-clockwise in the stored numbers, seen against their normals")
    fact("xac.tangent_u", percent(along_u, corners), "corners whose tangent runs along dP/du")
    fact("xac.tangent_v", percent(along_v, corners), "corners whose cross(normal, tangent) x w runs along dP/dv")


def skins(actors, fact):
    pairs = []
    for a in actors:
        meshes = {(m["node"], m["lod"], m["collision"]): m for m in a.all(1)}
        pairs += [(k, meshes[k["node"], k["lod"], k["collision"]]) for k in a.all(2)]
    fact("xac.skins", len(pairs), "skinnings")
    used = [{n for _, n in k["influences"]} for k, _ in pairs]
    counted = [(k, u) for (k, _), u in zip(pairs, used) if k["bones"] is not None]
    fact("xac.local_bones", of(sum(k["bones"] == len(u) for k, u in counted), len(counted)), "skinnings of v3 whose local_bone_count is true")
    runs = 0
    for k, _ in pairs:
        at, run = 0, True
        for first, count in k["ranges"]:
            run, at = run and first == at, at + count
        runs += run and at == k["count"]
    fact("xac.one_run", of(runs, len(pairs)), "skinnings whose table is one run without gaps")
    vertices = [k["influences"][first:first + count] for k, _ in pairs for first, count in k["ranges"]]
    fact("xac.weights_sum", of(sum(abs(sum(w for w, _ in v) - 1) < 1e-4 for v in vertices), len(vertices)), "original vertices whose weights add up to 1 within 0.0001")
    fact("xac.most_influences", max(map(len, vertices), default=0), "most influences of a vertex")
    fact("xac.no_influences", of(sum(not v for v in vertices), len(vertices)), "original vertices without influences")
    equal = total = 0
    for k, m in pairs:
        original = next((l["values"] for l in m["layers"] if l["kind"] == 5), None)
        first = 0
        for s in m["submeshes"]:
            total += 1
            moved = set()
            for v in range(first, first + s["vertices"]):
                start, count = k["ranges"][original[v][0]]
                moved |= {n for _, n in k["influences"][start:start + count]}
            equal += moved == set(s["bones"])
            first += s["vertices"]
    fact("xac.palette", of(equal, total), "skinned submeshes whose bones are just the nodes that move their vertices")


def materials(actors, fact):
    standard = [m for a in actors for m in a.all(3)]
    fact("xac.standard", len(standard), "standard materials")
    fact("xac.transparency_f", of(sum(m["transparency"] == ord("F") for m in standard), len(standard)), "standard materials with transparency F")
    fact("xac.one_sided", of(sum(m["double_sided"] == 0 == m["wireframe"] for m in standard), len(standard)), "standard materials that are neither double-sided nor wireframe")
    layers = [l for m in standard for l in m["layers"]] + [l for a in actors for l in a.all(4)]
    maps = Counter(l["map"] for l in layers)
    fact("xac.material_layers", len(layers), "material layers")
    for number, name in ((2, "diffuse"), (3, "specular"), (4, "opacity"), (5, "bump")):
        fact(f"xac.map_{name}", maps[number], f"layers with the {name} map")
    fact("xac.map_others", sum(n for k, n in maps.items() if k not in (2, 3, 4, 5)), "layers with another map")
    plain = sum((l["amount"], l["u"], l["v"], l["tile_u"], l["tile_v"], l["rotation"]) == (1, 0, 0, 1, 1, 0) for l in layers)
    fact("xac.layer_plain", of(plain, len(layers)), "layers of amount 1 that are not moved, tiled or rotated")
    fact("xac.fx", sum(len(a.all(5)) for a in actors), "FX materials")
    limits = [l for a in actors for l in a.all(6)]
    fact("xac.limits_on", of(sum(l[18:27] == (1,) * 9 for l in limits), len(limits)), "limits with all flags set")
    fact("xac.groups_none", of(sum(g == 0 for a in actors for g in a.all(10)), sum(len(a.all(10)) for a in actors)), "chunks 10 without groups")
    levels = [level for a in actors for level, _ in a.all(8)]
    fact("xac.lod_level_0", of(levels.count(0), len(levels)), "chunks 8 with level 0")
    fact("xac.info_first", of(sum(a.chunks[0]["kind"] == 7 and a.chunks[1]["kind"] in (11, 0) for a in actors), len(actors)), "actors that begin with info and nodes")
    fact("xac.no_chunk_13", of(sum(not a.all(13) for a in actors), len(actors)), "actors without material info")


def unit_length(q, packed):
    return length(q) / (32767 if packed else 1)


def motions(found, fact):
    files = [f for f in found if f.magic == b"XSM "]
    subs = [(s, f) for f in files for r in f.all(200, 202) for s in r]
    tracks = [(k, s, i, f) for s, f in subs for i, k in enumerate(s["keys"]) if k]
    fact("xsm.submotions", f"{len(subs):,}", "submotions")
    fact("xsm.tracks", f"{len(tracks):,}", "tracks with keys")
    fact("xsm.two_keys", of(sum(len(k) >= 2 for k, *_ in tracks), len(tracks)), "tracks with at least two keys")
    for i, name in enumerate(("position", "rotation", "scale", "scale_rotation")):
        fact(f"xsm.tracks_{name}", f"{sum(j == i for _, _, j, _ in tracks):,}", f"{name.replace('_', ' ')} tracks")
    late = [t for t in tracks if t[0][0][-1] > 0]
    fact("xsm.from_0", of(len(tracks) - len(late), len(tracks)), "tracks whose first key is at 0")
    fact("xsm.late_files", of(len({id(t[3]) for t in late}), len(files)), "motions with tracks that begin later")
    fact("xsm.late_start", ", ".join(f"{t:.2f}" for t in sorted({round(k[0][-1], 2) for k, *_ in late})) or "none", "where those begin, s")
    fields = ("position", "rotation", "scale", "scale_rotation")

    def is_pose(k, s, i):
        pose, value = s[fields[i]], k[0][:-1]
        near = lambda sign: all(abs(a - sign * b) <= 1e-4 * max(1, abs(b)) * (32767 if s["packed"] and i % 2 else 1) for a, b in zip(value, pose))
        return near(1) or (i % 2 and near(-1))

    fact("xsm.first_is_pose", of(sum(bool(is_pose(k, s, i)) for k, s, i, _ in tracks), len(tracks)), "tracks whose first key is the pose value (rotations up to the sign)")
    flips = neighbours = same = falling = 0
    norms = {True: [], False: []}
    for k, s, i, _ in tracks:
        for a, b in zip(k, k[1:]):
            same += a[-1] == b[-1]
            falling += a[-1] > b[-1]
            if i == 1:
                neighbours += 1
                flips += dot(a[:4], b[:4]) < 0
        if i == 1:
            norms[s["packed"]] += [unit_length(q[:4], s["packed"]) for q in k]
    fact("xsm.sign_flips", of(flips, neighbours), "neighbouring rotation keys that point away from each other")
    fact("xsm.same_time", same, "pairs of keys at one time")
    fact("xsm.falling_time", falling, "keys before the key before them")
    for packed, name in ((True, "packed"), (False, "float")):
        fact(f"xsm.norm_{name}", f"{min(norms[packed]):.5f} to {max(norms[packed]):.5f}", f"lengths of {name} rotation keys")
    twice = [f for f in files if len({s["name"] for r in f.all(200, 202) for s in r}) < sum(len(r) for r in f.all(200, 202))]
    fact("xsm.name_twice", of(len(twice), len(files)), "motions with two submotions of one name")
    errors = Counter("FLT_MAX" if s["error"] == -NO_EXTENT else "0" if s["error"] == 0 else "other" for s, _ in subs if s["error"] is not None)
    fact("xsm.error_max", f"{errors['FLT_MAX']:,}", "submotions with maximum_error FLT_MAX")
    fact("xsm.error_0", f"{errors['0']:,}", "submotions with maximum_error 0")
    fact("xsm.error_other", f"{errors['other']:,}", "submotions with another maximum_error")
    infos = [i for f in files for i in f.all(201)]
    fact("xsm.importance_1", of(sum(i["importance"] is None or i["importance"][0] == 1 for i in infos), len(infos)), "motions with importance 1, or none")
    fact("xsm.rates", ", ".join(str(r) for r in sorted({i["rate"] for i in infos})), "frames per second in chunk 201")
    fact("xsm.no_name", of(sum(i["name"] == b"" for i in infos), len(infos)), "motions with an empty name")


def morph_motions(found, fact):
    files = [f for f in found if f.magic == b"XPM "]
    lists = [r for f in files for r in f.all(102)]
    subs = [s for r in lists for s in r]
    fact("xpm.empty", of(sum(not r for r in lists), len(lists)), "lists without a submotion")
    fact("xpm.submotions", len(subs), "submotions")
    fact("xpm.phonemes_none", of(sum(s["fixed"][3] == 0 for s in subs), len(subs)), "submotions with phoneme_set 0")
    fact("xpm.range_0_1", of(sum(s["fixed"][1:3] == (0, 1) for s in subs), len(subs)), "submotions with weights from 0 to 1")
    fact("xpm.values", ", ".join(str(v) for v in sorted({v for s in subs for _, v in s["keys"]})[:4]), "the smallest values of keys")
    fact("xpm.from_0", of(sum(s["keys"][0][0] == 0 for s in subs if s["keys"]), sum(bool(s["keys"]) for s in subs)), "tracks whose first key is at 0")


def sample_times(files, found, fact):
    times, lasts = [], []
    for name, data in files.items():
        if name.endswith(".xsmtime"):
            mark, count = struct.unpack_from("<iI", data)
            entries = list(struct.iter_unpack("<fH", data[8:]))
            times.append((name, mark, count, entries))
    fact("xsm.time_files", len(times), ".xsmtime files")
    fact("xsm.time_fits", of(sum(mark == -1 and count == len(e) for _, mark, count, e in times), len(times)), ".xsmtime files of -1, a count and so many entries of 6 bytes")
    fact("xsm.time_zero", of(sum(v == 0 for *_, e in times for _, v in e), sum(len(e) for *_, e in times)), "entries whose value is 0")
    fact("xsm.time_last", ", ".join(f"{e[-1][0]:.3f}" for *_, e in times), "last times of the .xsmtime files, s")
    stems = {f.name.rsplit(".", 1)[0]: f for f in found if f.magic == b"XSM "}
    for name, _, _, _ in times:
        f = stems.get(name.rsplit(".", 1)[0])
        lasts.append(max(k[-1][-1] for r in f.all(202) for s in r for k in s["keys"] if k))
    fact("xsm.time_motion", ", ".join(f"{t:.3f}" for t in lasts), "last key times of the motions beside them, s")
    fact("xsm.time_counts", ", ".join(str(count) for _, _, count, _ in times), "numbers of their entries")


def count(files, fact):
    found, embedded = load(files)
    actors = [f for f in found if f.magic == b"XAC "] + embedded
    container(found, fact)
    sizes(found, fact)
    skeleton(actors, fact)
    geometry(actors, fact)
    skins(actors, fact)
    materials(actors, fact)
    motions(found, fact)
    morph_motions(found, fact)
    sample_times(files, found, fact)
