"""The recipe of docs/formats/arp.md, "Bind pose", as it stands there: where bones were when points were bound to them."""
import math


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def mean(points):
    return [sum(p[k] for p in points) / len(points) for k in range(3)]


def outer(pairs):
    """The sum of b a^T."""
    return [[sum(weight * b[i] * a[j] for a, b, weight in pairs) for j in range(3)] for i in range(3)]


def rotation_matrix(q):
    x, y, z, w = q
    return [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]


def horn(m, guess):
    """The rotation R (x, y, z, w) that maximises the trace of R^T M."""
    largest = max(abs(x) for row in m for x in row)
    if not largest:
        return guess
    m = [[x / largest + 1e-9 * g for x, g in zip(row, other)] for row, other in zip(m, rotation_matrix(guess))]
    (a, b, c), (d, e, f), (g, h, i) = m
    n = [[a + e + i, h - f, c - g, d - b], [h - f, a - e - i, b + d, c + g],
         [c - g, b + d, e - a - i, f + h], [d - b, c + g, f + h, i - a - e]]
    vectors = [[float(r == k) for k in range(4)] for r in range(4)]
    for _ in range(10):  # Jacobi
        for p in range(3):
            for q in range(p + 1, 4):
                if abs(n[p][q]) < 1e-22:
                    continue
                theta = (n[q][q] - n[p][p]) / (2 * n[p][q])
                t = math.copysign(1 / (abs(theta) + math.hypot(theta, 1)), theta)
                cosine = 1 / math.hypot(t, 1)
                sine = t * cosine
                for k in range(4):
                    n[k][p], n[k][q] = cosine * n[k][p] - sine * n[k][q], sine * n[k][p] + cosine * n[k][q]
                for k in range(4):
                    n[p][k], n[q][k] = cosine * n[p][k] - sine * n[q][k], sine * n[p][k] + cosine * n[q][k]
                    vectors[k][p], vectors[k][q] = cosine * vectors[k][p] - sine * vectors[k][q], sine * vectors[k][p] + cosine * vectors[k][q]
    best = max(range(4), key=lambda k: n[k][k])
    w, x, y, z = (vectors[k][best] for k in range(4))
    return x, y, z, w


def spread(points):
    centre = mean(points)
    c = [[sum((p[i] - centre[i]) * (p[j] - centre[j]) for p in points) / len(points) for j in range(3)] for i in range(3)]
    trace = c[0][0] + c[1][1] + c[2][2]
    minors = sum(c[i][i] * c[j][j] - c[i][j] * c[j][i] for i, j in ((0, 1), (0, 2), (1, 2)))
    return math.sqrt(max(0, minors)) / trace if trace else 0


def recover(reader, avatar, mesh):
    """name -> (translation, rotation), and the links that count of each point that has several."""
    names = [bone["name"] for bone in avatar["bones"]]
    shared = []
    for links in mesh["points"]:
        counting = [(bone, offset, reader.unit(normal)) for offset, normal, bone, weight, _ in links if weight > 1e-6 and bone in names][:8]
        if len(counting) > 1:
            shared.append(counting)
    of_bone = {name: [] for name in names}  # (own link, the other links of its point)
    for links in shared:
        for k, link in enumerate(links):
            of_bone[link[0]].append((link, links[:k] + links[k + 1:]))
    rest, placed = reader.pose(avatar), {}
    placed["ROOT"] = rest["ROOT"]
    waiting = [bone for bone in avatar["bones"] if bone["name"] != "ROOT"]
    while waiting:
        ready = [bone for bone in waiting if bone["parent"] in placed or bone["parent"] not in names]

        def pairs(bone):
            return [(own, other) for own, others in of_bone[bone["name"]] for other in others if other[0] in placed]

        bone = max(ready, key=lambda one: len(pairs(one)))  # of equals the first
        waiting.remove(bone)
        placed[bone["name"]] = place(reader, bone, placed, pairs(bone))
    return placed, shared


def place(reader, bone, placed, pairs):
    t, q = bone["translation"], reader.unit(bone["rotation"])
    if bone["parent"] in placed:
        t0, q0 = placed[bone["parent"]]
        t, q = [a + b for a, b in zip(t0, reader.turn(q0, t))], reader.product(q0, q)

    def in_space(link):
        return [x + y for x, y in zip(placed[link[0]][0], reader.turn(placed[link[0]][1], link[1]))]

    own, other = [a[1] for a, _ in pairs], [in_space(b) for _, b in pairs]
    if len(pairs) >= 4 and spread(own) > 0.02:
        a0, b0 = mean(own), mean(other)
        r = horn(outer([([x - y for x, y in zip(a, a0)], [x - y for x, y in zip(b, b0)], 1) for a, b in zip(own, other)]), q)
        return tuple(x - y for x, y in zip(b0, reader.turn(r, a0))), r
    if pairs:
        normals = [(a[2], reader.turn(placed[b[0]][1], b[2]), 2) for a, b in pairs]
        places = [(a, [x - y for x, y in zip(b, t)], 1) for a, b in zip(own, other)]
        return tuple(t), horn(outer(places + normals), q)
    return tuple(t), q


def residuals(reader, placed, shared):
    found = []
    for links in shared:
        at = [[x + y for x, y in zip(placed[bone][0], reader.turn(placed[bone][1], offset))] for bone, offset, _ in links]
        found.append(max(math.dist(at[0], other) for other in at[1:]))
    return found
