"""Counts what docs/formats/arp.md states of real avatars, which the page's own reader reads and poses."""
import math
import pathlib
import sys
from collections import Counter, defaultdict

from arp_bind import recover, residuals
from facts import of, percent

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "docs"))
import page_readers  # noqa: E402


def is_mine(path, head):
    return path.suffix.lower() in (".jarp", ".arp") and head[4:6] in (b"2.", b"3.")


def length(v):
    return math.sqrt(sum(x * x for x in v))


def shown(value):
    mantissa, exponent = f"{value:.1e}".split("e")
    return f"{mantissa}e{int(exponent)}"


def twist(q):
    size = math.hypot(q[0], q[3])
    return (q[0] / size, 0, 0, q[3] / size) if size > 1e-6 else None


def count(files, fact):
    reader, n = page_readers.load("arp"), Counter()
    rotations, lengths, apart, recipe = [], {}, [], {}
    avatars = {pathlib.Path(name).parent.name: reader.read(data) for name, data in files.items()}
    for name, avatar in avatars.items():
        n["files"] += 1
        bones = {bone["name"]: bone for bone in avatar["bones"]}
        children = defaultdict(list)
        for bone in avatar["bones"]:
            children[bone["parent"]].append(bone)
            rotations.append((abs(length(bone["rotation"]) - 1), name))
            n["bones"] += 1
            part = twist(reader.unit(bone["rotation"]))
            stored = bone["inverse_twist"]
            if part:
                n["twists inverse"] += min(max(abs(s * a - b) for a, b in zip((-part[0], 0, 0, part[3]), stored)) for s in (1, -1)) < 2e-3
        with_children = [bone for bone in avatar["bones"] if children[bone["name"]]]
        wrong = [bone["name"] for bone in with_children
                 if not any(abs(length(child["translation"]) - bone["length"]) < 1e-3 for child in children[bone["name"]])]
        lengths[name] = (len(wrong), len(with_children))
        for mesh in avatar["meshes"]:
            for links in mesh["points"]:
                n["points"] += 1
                n["weights"] = max(n["weights"], abs(sum(link[3] for link in links) - 1))
                n["shared"] += sum(link[3] > 1e-6 for link in links) > 1
                for offset, _, bone, weight, distance in links:
                    n["links"] += 1
                    n["zero links"] += weight <= 1e-6
                    if weight > 1e-6:
                        n["distances"] += 1
                        n["distances x"] += abs(max(0, offset[0]) - distance) < 1e-4
            strip_cuts = len(mesh["strip"]) - 2 - len(reader.triangles(mesh)[0])
            n["joins"] += strip_cuts
            n["strip"] += len(mesh["strip"]) - 2
            n["counted"] += len(mesh["texcoords"]) == len(mesh["points"]) + len(mesh["duplicates"])
            n["used"] += {i for t in reader.triangles(mesh)[0] for i in t} == set(range(len(mesh["texcoords"])))
        n["ambient of five"] += {len(frame[1]) for frame in avatar["ambient"]} == {5}
        n["plain flags"] += avatar["flags"][:6] == (0, 0, 1, 0, 0, 0)
        n["reflectance"] += avatar["reflectance"] == (0.75, 0.75, 0.75)
        apart.append((spread(reader, avatar), name))
        recipe[name] = max(residuals(reader, *recover(reader, avatar, avatar["meshes"][0]))) / (avatar["high"][1] - avatar["low"][1])
    worst = dict((name, max(error for error, other in rotations if other == name)) for name in avatars)
    fact("arp.files", n["files"], "different avatars")
    fact("arp.bones", f"{n['bones']:,}", "bones")
    fact("arp.unit", " · ".join(f"{name} {shown(error)}" for name, error in sorted(worst.items())), "largest error of a bone's quaternion")
    fact("arp.lengths", " · ".join(f"{name} {a} of {b}" for name, (a, b) in sorted(lengths.items())), "bones with children whose length is the distance to none")
    fact("arp.inverse-twist", of(n["twists inverse"], n["bones"]), "stored inverse twists are the inverse of the rest's")
    fact("arp.points", f"{n['points']:,}", "points")
    fact("arp.shared", of(n["shared"], n["points"]), "points with more than one link of some weight")
    fact("arp.links", f"{n['links']:,}", "links")
    fact("arp.zero-links", of(n["zero links"], n["links"]), "links of no weight")
    fact("arp.weights", shown(n["weights"]), "largest error of a sum of weights")
    fact("arp.distances", of(n["distances x"], n["distances"]), "distances are the larger of 0 and x")
    fact("arp.joins", percent(n["joins"], n["strip"], 0), "triangles of strips that are joins")
    fact("arp.counted", of(n["counted"], n["files"]), "as many texture coordinates as points and duplicates")
    fact("arp.used", of(n["used"], n["files"]), "strips that use every vertex")
    fact("arp.ambient-five", of(n["ambient of five"], n["files"]), "ambient frames of five bones each")
    fact("arp.flags", of(n["plain flags"], n["files"]), "flags 0 0 1 0 0 0")
    fact("arp.reflectance", of(n["reflectance"], n["files"]), "reflectance 0.75 three times")
    fact("arp.recipe", " · ".join(f"{name} {percent(value, 1, 4)}" for name, value in sorted(recipe.items())),
         "what the bind pose's recipe leaves at most, of the volume's height")
    fact("arp.apart", " · ".join(f"{name} {percent(value, 1)}" for value, name in sorted(apart, key=lambda x: x[1])),
         "largest distance of two links of a point at the rest, of the volume's height")


def spread(reader, avatar):
    """How far links of one point lie apart at the stored rest, at most, by the volume's height."""
    bones, worst = reader.pose(avatar), 0
    for mesh in avatar["meshes"]:
        for links in mesh["points"]:
            places = []
            for offset, _, bone, weight, _ in links:
                if weight > 1e-6:
                    t, r = bones[bone]
                    places.append([a + b for a, b in zip(t, reader.turn(r, offset))])
            worst = max([worst] + [math.dist(a, places[0]) for a in places[1:]])
    return worst / (avatar["high"][1] - avatar["low"][1])
