"""ES modules joined into one script, for pages that are one file.

A browser that loads pages from a server takes the modules as they are. The one-file pages need a single script, because
their content security policy names it by its digest: `joined` wraps each module into a function that returns what it
exports. Modules keep to a plain form of import and export for that: one statement on a line, at its beginning. Comments
and indentation stay behind, so no text may depend on either. Of the texts in `messages`, those come along that a module
asks for: by their whole key, or by how it begins (`` `tab.${name}` ``).
"""

from __future__ import annotations

import functools
import json
import posixpath
import re
from typing import Any

from cardrome.web.templates import asset

_IMPORT = re.compile(r'^import (?:(?:\{ (?P<names>[^}]*) \}|(?P<default>\w+)) from )?"(?P<path>[^"]+)"[^;]*;$', re.M)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|const|let|class) (\w+))", re.M)
_COMMENT = re.compile(r"^\s*//.*\n", re.M)
_INDENT = re.compile(r"^\s+", re.M)
_BEGUN_KEY = re.compile(r"`([a-z-]+\.[\w.-]*)\$\{")


def imports(path: str, text: str) -> list[str]:
    """The paths of what a module imports."""
    return [_beside(path, found["path"]) for found in _IMPORT.finditer(text)]


def _beside(path: str, other: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), other))


@functools.cache
def joined(path: str) -> str:
    """The module at a path inside the package, and all that it imports, as one script."""
    numbers: dict[str, int] = {}
    parts: list[str | dict[str, Any]] = []
    _add(path, numbers, parts, ())
    code = "".join(part for part in parts if isinstance(part, str))
    begun = tuple(_BEGUN_KEY.findall(code))
    return "".join(
        f"const $module{number} = {part if isinstance(part, str) else _asked_for(part, code, begun)};\n"
        for number, part in enumerate(parts)
    )


def _asked_for(texts: dict[str, Any], code: str, begun: tuple[str, ...]) -> str:
    """The texts that some code asks for, as JSON."""
    used = {key: text for key, text in texts.items() if key.startswith(begun) or f'"{key}"' in code}
    return json.dumps(used, ensure_ascii=False, separators=(",", ":"))


def _add(path: str, numbers: dict[str, int], parts: list[str | dict[str, Any]], above: tuple[str, ...]) -> int:
    """Write a module behind those that it imports; returns its number."""
    if path in above:
        raise ValueError(f"modules import each other: {' > '.join([*above, path])}")
    if path in numbers:
        return numbers[path]
    text = asset(path, "cardrome")
    body: str | dict[str, Any]
    if path.endswith(".json"):
        body = json.loads(text)
    else:

        def imported(found: re.Match[str]) -> str:
            number = _add(_beside(path, found["path"]), numbers, parts, (*above, path))
            names = found["default"] or (found["names"] and f"{{ {found['names'].replace(' as ', ': ')} }}")
            return f"const {names} = $module{number};" if names else ""

        text = _IMPORT.sub(imported, _INDENT.sub("", _COMMENT.sub("", text)))
        exported = ", ".join(_EXPORT.findall(text))
        body = f"(() => {{\n{_EXPORT.sub('', text)}return {{ {exported} }};\n}})()"
    numbers[path] = len(numbers)
    parts.append(body)
    return numbers[path]
