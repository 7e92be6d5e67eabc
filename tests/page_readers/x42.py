#!/usr/bin/env python3
"""Tries the reader of docs/formats/x42.md. Usage: x42.py examples|program|corpus [--renew]"""
import pathlib

import common
import facts_x42
import make_examples
import page_readers

x42 = page_readers.load("x42")
FRAMES = [0, 0.5, 1, 2, 3, 4]


def points(model, frame):
    return list(x42.skin(model, x42.pose(model, frame)))


def examples():
    model = x42.read((common.EXAMPLES / "flag.x42").read_bytes())
    vectors = {"flag.x42": common.identity("flag.x42") | {
        "strings": model["strings"].decode().split("\0")[:-1],
        "positions": common.rounded(model["positions"]), "rotations": common.rounded(model["rotations"]),
        "scales": common.rounded(model["scales"]), "vertices": common.rounded(model["vertices"]),
        "texcoords": common.rounded(model["texcoords"]), "indices": model["indices"],
        "tag_at_frame_4": common.rounded([x42.multiply(x42.pose(model, 4)[1], model["tags"][0][2:])])[0],
        "at_frame": {str(frame): common.rounded(points(model, frame)) for frame in FRAMES}}}
    with common.big_endian():
        swapped = make_examples.x42()
    assert swapped[:4] == b"24WH" and points(x42.read(swapped), 1) == points(model, 1)
    common.check_vectors("vectors_x42.json", vectors, {"flag.x42": make_examples.x42})


def compare(path, model, frame, rate):
    """In the program's clip a frame is 1 / rate of a second."""
    found = common.posed(path, "--time", frame / rate, "--no-loop")
    expected = points(model, frame)
    return max(common.farthest(found, expected), common.farthest(expected, found))


def program():
    common.check_hex(["flag.x42"])
    model = x42.read((common.EXAMPLES / "flag.x42").read_bytes())
    for frame in FRAMES:
        off = compare(common.EXAMPLES / "flag.x42", model, frame, 24)
        assert off < 5e-5, (frame, off)  # glTF has unit rotations, the game those of 16 bits as they are


def corpus():
    """tests/facts compares the reader with the original loader's numbers; here every file is read."""
    files, folder = common.corpus_files(facts_x42)
    models = {name: data for name, data in files.items() if name.endswith(".x42")}
    for data in models.values():
        points(x42.read(data), 0.5)
    print(f"corpus: {len(models)} X42 files in '{pathlib.Path(folder).name}' read and skinned by the page's reader")


if __name__ == "__main__":
    common.main({"examples": examples, "program": program, "corpus": corpus})
