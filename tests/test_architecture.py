"""The picture of the house stays true: every package is named, and nothing outside `games` asks which game is meant."""

from __future__ import annotations

import re
import tomllib

from tests.paths import DOCS, ROOT

BY_NATURE = {
    "cli/locm.py",
    "cli/referee.py",
    "cli/join.py",
    "web/live/onair.py",
}
"""Commands that belong to one game, and the page of one of them."""


def test_every_package_has_its_paragraph() -> None:
    page = (DOCS / "architecture.md").read_text(encoding="utf-8")
    packages = [path.parent.relative_to(ROOT).as_posix() for path in (ROOT / "cardrome").rglob("__init__.py")]
    assert [name for name in sorted(packages) if name != "cardrome" and f"`{name}`" not in page] == []
    named = re.findall(r"`(cardrome/[\w/]+)`", page)
    assert [name for name in named if not (ROOT / name).is_dir()] == []


def test_the_layers_are_drawn_as_they_are_checked() -> None:
    linter = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    (checked,) = [each["layers"] for each in linter["contracts"] if each["id"] == "layers"]
    layers = [set(re.findall(r"cardrome\.(\w+)", each)) for each in checked]  # from the highest
    drawn: dict[int, set[str]] = {}
    for y, words in re.findall(r'<text x="\d+" y="(\d+)">(\w+)', (DOCS / "layers.svg").read_text(encoding="utf-8")):
        if words not in ("locm", "tapdeck"):
            drawn.setdefault(int(y), set()).add(words)
    assert [drawn[y] for y in sorted(drawn)] == layers
    [line] = re.findall(r"^engine  <-.*", (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"), re.M)
    assert [set(part.split(", ")) for part in reversed(line.split("  <-  "))] == layers


def test_which_game_is_asked_in_games_only() -> None:
    asking = re.compile(r"games\.(locm|tapdeck)\b|isinstance\([\w.]+, *\w*Edition\)|[=!]= *\"(tapdeck|locm)\"")
    found = []
    for path in sorted((ROOT / "cardrome").rglob("*.py")):
        place = path.relative_to(ROOT / "cardrome").as_posix()
        # The event server and its client are Tapdeck, and what is measured is measured on a game.
        if place in BY_NATURE or place.split("/")[0] in ("games", "server", "client", "bench"):
            continue
        lines = path.read_text(encoding="utf-8").splitlines()
        found += [f"{place}:{n}: {line.strip()}" for n, line in enumerate(lines, 1) if asking.search(line)]
    assert found == []
