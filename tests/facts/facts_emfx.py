"""Counts what docs/formats/xac.md, xsm.md and xpm.md state of real files."""


def is_mine(path, head):
    return head[:4] in (b"XAC ", b"XSM ", b"XPM ")


def count(files, fact):
    fact("emfx.files", len(files), "files")
