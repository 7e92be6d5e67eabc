"""Takes the readers out of the format pages: the Python behind `<!-- reader NAME -->`, as a module."""
import pathlib
import re
import types

FORMATS = pathlib.Path(__file__).resolve().parent.parent.parent / "docs" / "formats"


def load(name):
    """The module that docs/formats/NAME.md shows."""
    page = FORMATS / (name + ".md")
    found = re.search(rf"<!-- reader {name} -->\n```python\n(.*?)```\n", page.read_text(), re.S)
    if not found:
        raise SystemExit(f"{page} has no reader")
    module = types.ModuleType("reader_" + name)
    exec(compile(found[1], str(page), "exec"), module.__dict__)
    return module
