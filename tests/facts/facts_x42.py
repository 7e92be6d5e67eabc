"""How far the reader of docs/formats/x42.md is from what the game's own loader printed (tests/x42/reference)."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "docs"))
import page_readers  # noqa: E402


def is_mine(path, head):
    return head[:4] in (b"HW42", b"24WH") or path.name.endswith(".expected.txt") and head.startswith(b"bones ")


def in_game(numbers):
    """The game's space: each vector (x, y, z) as (-x, z, y)."""
    return [c for x, y, z in zip(*[iter(numbers)] * 3) for c in (-x, z, y)]


def off(found, expected):
    return max(abs(a - b) for a, b in zip(found, expected))


def count(files, fact):
    reader, worst, frames = page_readers.load("x42"), {"pose": 0, "tag": 0, "sk": 0}, 0
    models = {name: data for name, data in files.items() if name.endswith(".x42")}
    for name, data in models.items():
        model = reader.read(data)
        lines = [line.split() for line in files[name[:-4] + ".expected.txt"].decode().splitlines()]
        moments = sorted({line[1] for line in lines if line[0] == "pose"}, key=float)
        frames = len(moments)
        for moment in moments:
            worlds = reader.pose(model, float(moment))
            points = iter(reader.skin(model, worlds))
            for kind, frame, *numbers in (line for line in lines if line[0] in worst):
                if frame != moment:
                    continue
                numbers = [float(n) for n in numbers]
                if kind == "pose":
                    found, expected = worlds[int(numbers[0])], numbers[1:]
                elif kind == "tag":
                    _, bone, *matrix = model["tags"][int(numbers[0])]
                    found, expected = reader.multiply(worlds[bone], matrix), numbers[1:]
                else:
                    found, expected = next(points), numbers[2:5]
                worst[kind] = max(worst[kind], off(in_game(found), expected))
            assert next(points, None) is None
    fact("x42.files", len(models), "models with the loader's numbers")
    fact("x42.frames", frames, "frames of each")
    for kind, key, what in (("pose", "pose", "bones"), ("tag", "tag", "tags"), ("sk", "skin", "skinned vertices")):
        fact("x42." + key, f"{worst[kind]:.1e}".replace("e-0", "e-"), f"largest difference of {what} to the loader's, units")
