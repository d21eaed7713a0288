"""Frames as a page makes them again of what changed from one to the next."""

from __future__ import annotations

import json
from typing import Any

Json = dict[str, Any]


def whole(data: Json) -> list[Json]:
    """All frames of a page's data, complete, as the page gets them: plain JSON."""
    shown: Json = {}
    frames = []
    for changes in json.loads(json.dumps(data["frames"])):
        shown = _merged({key: value for key, value in shown.items() if key != "deed"}, changes)
        frames.append(shown)
    return frames


def _merged(before: Json, changes: Json) -> Json:
    after = dict(before)
    for key, value in changes.items():
        was = after.get(key)
        after[key] = _merged(was, value) if isinstance(value, dict) and isinstance(was, dict) else value
    return after
