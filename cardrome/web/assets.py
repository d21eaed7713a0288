"""Static files: style sheets, modules and texts, as the package has them.

Addresses look like ``/assets/DIGEST/static/replay/viewer.js``. The digest is that of all files, so a browser may keep
them for good, and the modules' relative imports stay within one version. Only what was found in the package is served.
"""

from __future__ import annotations

import functools
import gzip
import hashlib
from collections.abc import Iterator, Mapping
from importlib import resources
from importlib.resources.abc import Traversable

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from cardrome.web.modules import imports

_TYPES = {"css": "text/css", "js": "text/javascript", "json": "application/json"}
_FOLDERS = ("static", "messages")


@functools.cache
def files() -> Mapping[str, bytes]:
    """All files by their path."""
    package = resources.files("cardrome.web")
    return {path: file.read_bytes() for name in _FOLDERS for path, file in _walk(package / name, name)}


def _walk(folder: Traversable, path: str) -> Iterator[tuple[str, Traversable]]:
    for entry in folder.iterdir():
        inner = f"{path}/{entry.name}"
        if entry.is_dir():
            yield from _walk(entry, inner)
        elif entry.name.rpartition(".")[2] in _TYPES:
            yield inner, entry


@functools.cache
def digest() -> str:
    """What tells this version of the files from others."""
    whole = hashlib.sha256()
    for path, content in sorted(files().items()):
        whole.update(f"{path}\0{len(content)}\0".encode() + content)
    return whole.hexdigest()[:16]


def address(path: str) -> str:
    """Where a file in `static` is served."""
    if f"static/{path}" not in files():
        raise ValueError(f"there is no static file {path}")
    return f"/assets/{digest()}/static/{path}"


@functools.cache
def modules(path: str) -> tuple[str, ...]:
    """The addresses of all modules that one imports, whatever stands between: to be loaded at once, not one by one."""
    found: dict[str, None] = {}

    def follow(module: str) -> None:
        for name in imports(module, files()[module].decode()):
            if name.endswith(".js") and name not in found:
                found[name] = None
                follow(name)

    follow(f"static/{path}")
    return tuple(address(name.removeprefix("static/")) for name in found)


@functools.cache
def _packed(path: str) -> bytes:
    return gzip.compress(files()[path], mtime=0)


async def _serve(request: Request) -> Response:
    path = request.path_params["path"]
    if path not in files():
        raise HTTPException(404)
    # A page from before a restart may still ask for the files of its own version: it gets today's, for now.
    current = request.path_params["digest"] == digest()
    headers = {
        "Cache-Control": "public, max-age=31536000, immutable" if current else "no-cache",
        "Vary": "Accept-Encoding",
    }
    body = files()[path]
    if "gzip" in request.headers.get("accept-encoding", ""):
        headers["Content-Encoding"] = "gzip"
        body = _packed(path)
    return Response(body, media_type=_TYPES[path.rpartition(".")[2]], headers=headers)


ROUTES = [Route("/assets/{digest}/{path:path}", _serve)]
