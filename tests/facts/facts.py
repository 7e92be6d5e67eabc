#!/usr/bin/env python3
"""Counts the figures that the format pages state, over real files, and compares or renews them.

A figure stands in a page between `<!-- fact KEY -->` and `<!-- /fact -->`. Each family has a file facts_FAMILY.py with

    def is_mine(path, head): ...      whether a file (pathlib.Path, its first 64 bytes) is one of the family
    def count(files, fact): ...       files: {name: bytes}, names from the folder on; calls fact(KEY, TEXT, WHAT)

The pages were counted on the files whose SHA-256 files.txt lists. Only those are compared: where one of them is not at
hand, the family is skipped, and says so. EFFIGY_CORPUS names the folder; without it ../shared/samples is taken.
"""
import argparse
import hashlib
import importlib
import os
import pathlib
import re
import sys

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
LISTED = HERE / "files.txt"
FIGURE = re.compile(r"<!-- fact (\S+) -->(.*?)<!-- (?:/fact|end) -->", re.S)
SKIPPED = 77


def of(part, whole):
    """`n of m` as the pages write it."""
    return f"{part:,} of {whole:,}"


def percent(part, whole, digits=1):
    return f"{100 * part / whole:.{digits}f} %" if whole else "none"


def families():
    return sorted(path.stem[len("facts_"):] for path in HERE.glob("facts_*.py"))


def corpus():
    named = os.environ.get("EFFIGY_CORPUS", ROOT.parent / "shared" / "samples")
    return pathlib.Path(named) if named else None


def find(family, folder):
    """Every file of the family below the folder: {name: bytes}. Equal files count once."""
    found, seen = {}, set()
    if folder is None or not folder.is_dir():
        return found
    for path in sorted(folder.rglob("*")):
        if not path.is_file():
            continue
        with path.open("rb") as file:
            head = file.read(64)
        if not family.is_mine(path, head):
            continue
        content = path.read_bytes()
        digest = hashlib.sha256(content).hexdigest()
        if digest not in seen:
            seen.add(digest)
            found[str(path.relative_to(folder))] = content
    return found


def read_list():
    listed = {}
    if LISTED.exists():
        for line in LISTED.read_text().splitlines():
            if line and not line.startswith("#"):
                family, digest, name = line.split(" ", 2)
                listed.setdefault(family, {})[digest] = name
    return listed


def write_list(listed):
    lines = ["# The files that the pages' figures were counted on: family, SHA-256, name."]
    for family in sorted(listed):
        lines += [f"{family} {digest} {name}" for digest, name in sorted(listed[family].items(), key=lambda x: x[1])]
    LISTED.write_text("\n".join(lines) + "\n")


def pages():
    return sorted((ROOT / "docs").rglob("*.md"))


def stated(family_keys):
    """(page, key, text) for each figure in the pages whose key begins with one of the prefixes."""
    for page in pages():
        for match in FIGURE.finditer(page.read_text()):
            if match[1].split(".")[0] in family_keys:
                yield page, match[1], match[2]


def renew(facts):
    for page in pages():
        text = page.read_text()
        fresh = FIGURE.sub(
            lambda m: f"<!-- fact {m[1]} -->{facts[m[1]][0]}<!-- /fact -->" if m[1] in facts else m[0], text)
        if fresh != text:
            page.write_text(fresh)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("family", nargs="*", help="which families; all of them by default")
    parser.add_argument("--check", action="store_true", help="compare with the pages; 77 where files are missing")
    parser.add_argument("--renew", action="store_true", help="write the figures into the pages")
    parser.add_argument("--list", action="store_true", help="take the files at hand for those that the pages are counted on")
    parser.add_argument("--all", action="store_true", help="count over every file at hand, listed or not")
    options = parser.parse_args()
    sys.path.insert(0, str(HERE))
    listed, failed, skipped = read_list(), False, False
    for name in options.family or families():
        module = importlib.import_module("facts_" + name)
        files = find(module, corpus())
        if options.list and files:
            listed[name] = {hashlib.sha256(content).hexdigest(): path.rsplit("/", 1)[-1] for path, content in files.items()}
            write_list(listed)
        at_hand = {hashlib.sha256(content).hexdigest() for content in files.values()}
        missing = [path for digest, path in listed.get(name, {}).items() if digest not in at_hand]
        if missing and not options.all:
            print(f"skipped {name}: {len(missing)} of {len(listed[name])} files are not in '{corpus() or ''}', {missing[0]} among them")
            skipped = True
            continue
        if not options.all:
            files = {path: content for path, content in files.items()
                     if hashlib.sha256(content).hexdigest() in listed.get(name, {})}
        facts = {}

        def fact(key, text, what, facts=facts):
            assert key not in facts, key
            facts[key] = (str(text), what)

        module.count(files, fact)
        for key, (text, what) in facts.items():
            print(f"{key}\t{text}\t{what}")
        if options.renew:
            renew(facts)
        if options.check:
            for page, key, text in stated({key.split(".")[0] for key in facts}):
                expected = facts.get(key, ("no such figure", ""))[0]
                if text != expected:
                    print(f"{page.relative_to(ROOT)}: {key}: the page has '{text}', counted is '{expected}'", file=sys.stderr)
                    failed = True
    return 1 if failed else SKIPPED if skipped and options.check else 0


if __name__ == "__main__":
    sys.exit(main())
