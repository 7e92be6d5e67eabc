"""Counts what docs/formats/xmf.md and ani.md state of real files. Meshes and keys are read by the pages' own readers, which
are thereby tried on all files; what they leave out is read here."""
import math
import pathlib
import struct
import sys
from collections import Counter

from facts import of, percent

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "docs"))
import page_readers  # noqa: E402

POSITION, NORMAL, TEXCOORD, TANGENT, COLOR = 0, 3, 5, 6, 10


def is_mine(path, head):
    return head[:4] == b"XUMF" or path.suffix.lower() == ".ani"


# ---- what the readers leave out ----

def buffers_of(data):
    size, count, step = data[6], data[8], data[9]
    start = size + count * step + data[10] * data[11]
    found = []
    for i in range(count):
        at = size + i * step
        kind, usage, offset, compressed, _, form, stored, number, item, sections = struct.unpack_from("<10I", data, at)
        low, high = struct.unpack_from("<2d", data, at + 40)
        elements = struct.unpack_from("<I", data, at + 56)[0] if step >= 60 else 0
        found.append({"kind": kind, "usage": usage, "format": form, "count": number, "item": item, "low": low, "high": high,
                      "begin": start + offset, "end": start + offset + stored, "compressed": compressed, "sections": sections,
                      "elements": elements,
                      "padding": [data[at + 66 + 8 * k:at + 68 + 8 * k] for k in range(elements)],
                      "slots": data[at + 60 + 8 * elements:at + step] if step >= 60 else b""})
    return found


def maker(data, buffers):
    vertices, indices = struct.unpack_from("<2I", data, 14)
    by = {b["kind"] == 30: b["count"] for b in buffers}
    if (vertices, indices) != (by[False], by[True]) or data[7] or data[13]:
        return "xrconverters"
    if data[56:58] == b"\x84\x80":
        return "tools"
    return "xrebirth" if data[12] == 1 else "x4"


def near(a, b):
    return abs(a - b) <= 0.011 * max(1, abs(a))  # packed values are off by a step


def subtract(a, b):
    return [x - y for x, y in zip(a, b)]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


# ---- meshes ----

class Meshes:
    def __init__(self, files, reader):
        self.n = Counter()
        self.layouts = Counter()
        for data in files:
            self.n["files"] += 1
            self.add(data, buffers_of(data), reader.read(data))

    def add(self, data, buffers, mesh):
        n, made_by = self.n, maker(data, buffers)
        n[made_by] += 1
        n["contiguous"] += all(a["end"] == b["begin"] for a, b in zip(buffers, buffers[1:])) and buffers[-1]["end"] == len(data)
        n["fixed"] += data[4:7] == b"\3\0\x40" and data[11] == 136 and struct.unpack_from("<I", data, 22)[0] == 4
        n["box zero"] += not any(data[30:54])
        n["short descriptors"] += data[9] == 56
        n["cull garbage"] += data[12] > 1
        n["cull garbage of xrconverters"] += data[12] > 1 and made_by == "xrconverters"
        for b in buffers:
            n["buffers"] += 1
            n["plain buffers"] += b["compressed"] == 1 and b["sections"] == 1
            n["level 9"] += data[b["begin"]:b["begin"] + 2] == b"\x78\xda"
            n["default level"] += data[b["begin"]:b["begin"] + 2] == b"\x78\x9c"
            self.layouts[b["kind"], b["format"], b["usage"], b["elements"] > 0] += 1
            n["elements"] += b["elements"]
            for padding in b["padding"]:
                n["padding garbage"] += padding != b"\0\0"
                n["padding garbage of xrconverters"] += padding != b"\0\0" and made_by == "xrconverters"
                n["elements of xrconverters"] += made_by == "xrconverters"
            self.range(b, mesh, made_by)
        if set(mesh["vertices"]) == {(POSITION, 0)}:
            n["collision"] += 1
            n["collision 32"] += buffers[-1]["format"] == 31
            n["collision without materials"] += data[10] == 0
        else:
            self.visible(data, buffers, mesh)
        if (NORMAL, 0) in mesh["vertices"]:
            self.normals(mesh, made_by)
        if (TANGENT, 0) in mesh["vertices"] and (TEXCOORD, 0) in mesh["vertices"]:
            self.tangents(mesh)

    def visible(self, data, buffers, mesh):
        n = self.n
        vertices = len(mesh["vertices"][POSITION, 0])
        n["visible"] += 1
        n["visible without materials"] += not mesh["materials"]
        n["visible width"] += [b["format"] for b in buffers if b["kind"] == 30] == [30 if vertices <= 65535 else 31]
        place = 0
        for first, count, _ in mesh["materials"]:
            place = place + count if first == place else -1
        n["with materials"] += bool(mesh["materials"])
        n["ranges whole"] += bool(mesh["materials"]) and place == len(mesh["indices"])

    def range(self, b, mesh, made_by):
        n = self.n
        if b["kind"] == 30:
            n["index buffers"] += 1
            n["index range"] += (b["low"], b["high"]) == (min(mesh["indices"]), max(mesh["indices"]))
            n["index range 0"] += made_by == "xrconverters" and (b["low"], b["high"]) == (0, 0)
        elif b["elements"]:
            n["interleaved"] += 1
            n["interleaved range 0"] += (b["low"], b["high"]) == (0, 0)
        elif made_by != "xrconverters":
            usage = {0: POSITION, 2: NORMAL, 3: NORMAL, 4: TANGENT, 8: COLOR}.get(b["kind"], TEXCOORD)
            width = 4 if usage == COLOR else 2 if usage == TEXCOORD else 3
            values = [v[:width] for v in mesh["vertices"][usage, b["usage"]]]
            low, high = min(map(min, values)), max(map(max, values))
            n["single", usage] += 1
            n["single own", usage] += near(low, b["low"]) and near(high, b["high"])
            if usage == POSITION:
                flipped = [(x, y, -z) for x, y, z in values]
                low, high = min(map(min, flipped)), max(map(max, flipped))
                n["single flipped"] += near(low, b["low"]) and near(high, b["high"])
                n["single either"] += near(low, b["low"]) and near(high, b["high"]) or (
                    near(min(map(min, values)), b["low"]) and near(max(map(max, values)), b["high"]))

    def normals(self, mesh, made_by):
        n = self.n
        for *v, _ in mesh["vertices"][NORMAL, 0]:
            middle = [x + 1 / 255 for x in v]  # 2 (b + 0.5) / 255 - 1
            n["normals"] += 1
            n["normals on the grid"] += abs(math.sqrt(dot(v, v)) - 1) <= 0.0067
            n["normals in the middle"] += abs(math.sqrt(dot(middle, middle)) - 1) <= 0.0067
            stored = [round((x + 1) * 127.5) for x in v]
            for axis in range(3):
                others = stored[:axis] + stored[axis + 1:]
                if stored[axis] in (0, 255) and set(others) <= {127, 128}:
                    n["zeros"] += 2
                    n["zeros as 127"] += others.count(127)

    def tangents(self, mesh):
        n = self.n
        places, uvs = mesh["vertices"][POSITION, 0], mesh["vertices"][TEXCOORD, 0]
        normals, tangents = mesh["vertices"][NORMAL, 0], mesh["vertices"][TANGENT, 0]
        for i in range(0, len(mesh["indices"]), 3):
            a, b, c = mesh["indices"][i:i + 3]
            e1, e2 = subtract(places[b], places[a])[:3], subtract(places[c], places[a])[:3]
            u1, v1 = subtract(uvs[b], uvs[a])[:2]
            u2, v2 = subtract(uvs[c], uvs[a])[:2]
            area = u1 * v2 - u2 * v1
            if abs(area) < 1e-12:
                continue
            along_u = [(x * v2 - y * v1) / area for x, y in zip(e1, e2)]
            along_v = [(y * u1 - x * u2) / area for x, y in zip(e1, e2)]
            for corner in (a, b, c):
                *normal, alpha = normals[corner]
                side = dot(cross(normal, tangents[corner][:3]), along_v) > 0
                n["corners"] += 1
                n["corners against u"] += dot(tangents[corner][:3], along_u) < 0
                key = "corners mirrored" if alpha > 0.5 else "corners plain"
                n[key] += 1
                n[key + " right"] += side == (alpha > 0.5)


def layout_table(layouts):
    rows = []
    for (kind, form, usage, explicit), count in sorted(layouts.items()):
        what = {30: "indices"}.get(kind, "explicit elements" if explicit else "one implicit element, number " + str(usage))
        rows.append(f"| {kind} | {form} | {what} | {count} |")
    return "\n".join(["", "| kind | format | holds | buffers |", "|---|---|---|---|"] + rows + [""])


def count_meshes(files, fact):
    meshes = Meshes(files, page_readers.load("xmf"))
    n = meshes.n
    visible = n["xrconverters"] + n["tools"]
    fact("xmf.files", n["files"], "different files")
    fact("xmf.fixed", of(n["fixed"], n["files"]), "version 3, little-endian, header 64, materials of 136 bytes, triangles")
    fact("xmf.box", of(n["box zero"], n["files"]), "boxes of zeros")
    fact("xmf.short", of(n["short descriptors"], n["files"]), "descriptors of 56 bytes")
    fact("xmf.contiguous", of(n["contiguous"], n["files"]), "streams without gaps up to the end of the file")
    fact("xmf.compressed", of(n["plain buffers"], n["buffers"]), "buffers compressed, of one section")
    fact("xmf.zlib9", of(n["level 9"], n["buffers"]), "streams begin with 78 DA")
    fact("xmf.zlib-default", of(n["default level"], n["buffers"]), "streams begin with 78 9C")
    fact("xmf.cull", of(n["cull garbage"], n["files"]), "cull is neither 0 nor 1")
    fact("xmf.cull-xrconverters", of(n["cull garbage of xrconverters"], n["xrconverters"]), "the same, of XRConverters' files")
    fact("xmf.padding", of(n["padding garbage"], n["elements"]), "elements with padding that is not 0")
    fact("xmf.padding-xrconverters", of(n["padding garbage of xrconverters"], n["elements of xrconverters"]), "of XRConverters' files")
    fact("xmf.layouts", layout_table(meshes.layouts), "kinds and formats of buffers")
    fact("xmf.index-range", of(n["index range"], n["index buffers"] - n["index range 0"]), "index buffers state their smallest and largest index")
    fact("xmf.index-range-0", of(n["index range 0"], n["xrconverters"]), "index buffers of XRConverters state 0 and 0")
    fact("xmf.interleaved-range", of(n["interleaved range 0"], n["interleaved"]), "interleaved buffers state 0 and 0")
    for key, usage in (("positions", POSITION), ("normals", NORMAL), ("tangents", TANGENT), ("colors", COLOR), ("texcoords", TEXCOORD)):
        fact("xmf.range-" + key, of(n["single own", usage], n["single", usage]), "single " + key + " state their own range")
    fact("xmf.range-positions-either", of(n["single either"], n["single", POSITION]), "single positions, as they are or with z negated")
    fact("xmf.collision-32", of(n["collision 32"], n["collision"]), "collision meshes with 32-bit indices")
    fact("xmf.collision-materials", of(n["collision without materials"], n["collision"]), "collision meshes without materials")
    fact("xmf.visible-width", of(n["visible width"], n["visible"]), "visible meshes with 16 bits up to 65535 vertices, else 32")
    fact("xmf.visible-unnamed", of(n["visible without materials"], n["visible"]), "visible meshes without materials")
    fact("xmf.ranges", of(n["ranges whole"], n["with materials"]), "ranges follow each other and cover all indices")
    fact("xmf.grid", percent(n["normals on the grid"], n["normals"]), f"of {n['normals']:,} normals of unit length as b / 255 * 2 - 1")
    fact("xmf.middle", percent(n["normals in the middle"], n["normals"], 2), "the same as 2 (b + 0.5) / 255 - 1")
    fact("xmf.normals", f"{n['normals']:,}", "normals")
    fact("xmf.zeros", percent(n["zeros as 127"], n["zeros"]), f"of {n['zeros']:,} zeros of axis-aligned normals are 127")
    fact("xmf.zeros-all", f"{n['zeros']:,}", "zeros of axis-aligned normals")
    fact("xmf.tangent-u", percent(n["corners against u"], n["corners"]), "corners whose tangent points against growing u")
    fact("xmf.corners", f"{n['corners']:,}", "corners of triangles with tangents and texture coordinates")
    fact("xmf.alpha-255", percent(n["corners mirrored right"], n["corners mirrored"], 3), "alpha 255: v grows along N x T")
    fact("xmf.alpha-0", percent(n["corners plain right"], n["corners plain"]), "alpha 0: v grows against N x T")
    assert visible <= n["files"]


# ---- animations ----

def count_animations(files, fact):
    reader, n = page_readers.load("ani"), Counter()
    for data in files:
        animations = reader.read(data)
        n["files"] += 1
        size = 16 + 160 * len(animations)
        for i, one in enumerate(animations):
            keys = [key for name in reader.LISTS for key in one[name]]
            size += 128 * len(keys)
            n["animations"] += 1
            n["keys"] += len(keys)
            raw = data[16 + 160 * i:144 + 160 * i]
            n["garbage"] += any(any(name[name.index(0):]) for name in (raw[:64], raw[64:]))
            for key in keys:
                for kind in key["kind"]:
                    n["kind", kind] += 1
            n["segments"] += sum(bezier(one[name], n) for name in reader.LISTS[:3])
            if keys:
                last = max(key["time"] for key in keys)
                n["with keys"] += 1
                n["ends elsewhere"] += abs(last - one["duration"]) > 1e-4
                n["ends after"] += last > one["duration"] + 1e-4
        n["whole"] += size == len(data)
    fact("ani.files", n["files"], "different files")
    fact("ani.whole", of(n["whole"], n["files"]), "files end where the keys do")
    fact("ani.animations", n["animations"], "animations")
    fact("ani.keyless", of(n["animations"] - n["with keys"], n["animations"]), "animations without keys")
    fact("ani.elsewhere", of(n["ends elsewhere"], n["with keys"]), "last key elsewhere than the duration")
    fact("ani.after", of(n["ends after"], n["ends elsewhere"]), "of these behind the duration")
    fact("ani.garbage", of(n["garbage"], n["animations"]), "names with garbage behind their end")
    fact("ani.kinds", ", ".join(f"{kind}: {n['kind', kind]:,}" for kind in (1, 2, 5)), "kinds of interpolation, of each axis")
    fact("ani.other-kinds", sum(v for k, v in n.items() if isinstance(k, tuple) and k[1] not in (1, 2, 5)), "other kinds")
    fact("ani.thirds", of(n["thirds"], n["segments"]), "Bezier segments with handles at thirds, in seconds")
    fact("ani.frames", of(n["frames"], n["segments"]), "with handles in frames of the scene, a third apart")


def bezier(keys, n):
    segments = 0
    for a, b in zip(keys, keys[1:]):
        length = b["time"] - a["time"]
        for axis in range(3):
            if length <= 0 or a["kind"][axis] != 5:
                continue
            segments += 1
            out, into = a["handles"][axis][0][0] - a["time"], b["handles"][axis][1][0] - a["time"]
            if abs(out / length - 1 / 3) < 0.01 and abs(into / length - 2 / 3) < 0.01:
                n["thirds"] += 1
            elif abs((into - out) / length / 30 - 1 / 3) < 0.01:
                n["frames"] += 1
    return segments


def count(files, fact):
    count_meshes([data for data in files.values() if data[:4] == b"XUMF"], fact)
    count_animations([data for data in files.values() if data[:4] != b"XUMF"], fact)
