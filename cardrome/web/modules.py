"""ES modules joined into one script, for pages that are one file.

A browser that loads pages from a server takes the modules as they are. The one-file pages need a single script, because
their content security policy names it by its digest: `joined` wraps each module into a function that returns what it
exports. Modules keep to a plain form of import and export for that: one statement on a line, at its beginning. Comments
and indentation stay behind, so no text may depend on either.
"""

from __future__ import annotations

import functools
import json
import posixpath
import re

from cardrome.web.templates import asset

_IMPORT = re.compile(r'^import (?:(?:\{ (?P<names>[^}]*) \}|(?P<default>\w+)) from )?"(?P<path>[^"]+)"[^;]*;$', re.M)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|const|let|class) (\w+))", re.M)
_COMMENT = re.compile(r"^\s*//.*\n", re.M)
_INDENT = re.compile(r"^\s+", re.M)


@functools.cache
def joined(path: str) -> str:
    """The module at a path inside the package, and all that it imports, as one script."""
    numbers: dict[str, int] = {}
    parts: list[str] = []
    _add(path, numbers, parts, ())
    return "".join(parts)


def _add(path: str, numbers: dict[str, int], parts: list[str], above: tuple[str, ...]) -> int:
    """Write a module behind those that it imports; returns its number."""
    if path in above:
        raise ValueError(f"modules import each other: {' > '.join([*above, path])}")
    if path in numbers:
        return numbers[path]
    text = asset(path, "cardrome")
    if path.endswith(".json"):
        body = json.dumps(json.loads(text), ensure_ascii=False, separators=(",", ":"))
    else:

        def imported(found: re.Match[str]) -> str:
            target = posixpath.normpath(posixpath.join(posixpath.dirname(path), found["path"]))
            number = _add(target, numbers, parts, (*above, path))
            names = found["default"] or (found["names"] and f"{{ {found['names'].replace(' as ', ': ')} }}")
            return f"const {names} = $module{number};" if names else ""

        text = _IMPORT.sub(imported, _INDENT.sub("", _COMMENT.sub("", text)))
        exported = ", ".join(_EXPORT.findall(text))
        body = f"(() => {{\n{_EXPORT.sub('', text)}return {{ {exported} }};\n}})()"
    numbers[path] = len(numbers)
    parts.append(f"const $module{numbers[path]} = {body};\n")
    return numbers[path]
