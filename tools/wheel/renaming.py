"""Moves the modules of one package into another, by what they say of themselves.

Modules are imported as `from PACKAGE import MODULE`, and named in tables as
"PACKAGE.MODULE:NAME"; both are found by Python's own parser.
"""

import ast
import re


def move(source: str, *, old: str, new: str, path: str) -> str:
    """Returns a source that imports from `new` what it imported from `old`.

    Args:
      source: of a Python module.
      old: the package that moves, e.g. "tools.cli".
      new: what it is called from now on.
      path: names the source in errors.

    Raises:
      ValueError: if the source still needs the top-level package of `old`.
    """
    lines = source.split("\n")
    for node in _references(source, old):
        start = rf"^(from\s+|[\"']){re.escape(old)}\b"
        line = lines[node.lineno - 1].encode()
        head, tail = line[: node.col_offset], line[node.col_offset :].decode()
        lines[node.lineno - 1] = head.decode() + re.sub(
            start, lambda found: found[1] + new, tail
        )
    moved = "\n".join(lines)
    top = old.partition(".")[0]
    if left := list(_references(moved, top)):
        line_number = left[0].lineno
        raise ValueError(
            f"{path}:{line_number}: expected nothing of {top!r} but"
            f" 'from {old} import ...', found"
            f" {lines[line_number - 1].strip()!r}."
        )
    return moved


def _references(source: str, package: str) -> list[ast.stmt | ast.Constant]:
    """Returns what names a package or a module of it; from right to left."""
    module = re.compile(rf"{re.escape(package)}(\.\w+)*")
    # Without a dot it is a word like any other.
    reference = re.compile(rf"(?=.*\.){re.escape(package)}(\.\w+)*(:\w+)?")
    found: list[ast.stmt | ast.Constant] = []
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.ImportFrom(module=str(name), level=0) if module.fullmatch(name):
                found.append(node)
            case ast.Import(names=names):
                found += [node for alias in names if module.fullmatch(alias.name)]
            case ast.Constant(value=str(text)) if reference.fullmatch(text):
                found.append(node)
    return sorted(found, key=lambda node: (-node.lineno, -node.col_offset))
