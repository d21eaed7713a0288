"""Modules joined into one script: what is imported comes first, once, and nothing else of the modules changes."""

from __future__ import annotations

import re

import pytest

from cardrome.web import assets, modules
from cardrome.web.modules import joined

FILES = {
    "web/page.js": (
        'import { one, two as zwei } from "./parts/numbers.js";\nimport "./parts/side.js";\nshow(one, zwei);\n'
    ),
    "web/parts/numbers.js": (
        '// Numbers.\nimport words from "../words.json" with { type: "json" };\n'
        'export const one = words["count.one"] + words[`many.${1}`];\n'
        "export function two() {\n  // Two.\n  return 2;\n}\n"
    ),
    "web/parts/side.js": 'import { one } from "./numbers.js";\nexport class Side {}\nnote(one);\n',
    "web/words.json": '{"count.one": 1, "count.two": 2, "many.1": 3, "many.2": 4}\n',
    "web/a.js": 'import { b } from "./b.js";\n',
    "web/b.js": 'import { a } from "./a.js";\n',
}


@pytest.fixture
def files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(modules, "asset", lambda path, package: FILES[path])
    joined.cache_clear()


@pytest.mark.usefixtures("files")
def test_modules_stand_behind_what_they_import_and_bring_the_texts_they_ask_for() -> None:
    assert joined("web/page.js").splitlines() == [
        'const $module0 = {"count.one":1,"many.1":3,"many.2":4};',
        "const $module1 = (() => {",
        "const words = $module0;",
        'const one = words["count.one"] + words[`many.${1}`];',
        "function two() {",
        "return 2;",
        "}",
        "return { one, two };",
        "})();",
        "const $module2 = (() => {",
        "const { one } = $module1;",
        "class Side {}",
        "note(one);",
        "return { Side };",
        "})();",
        "const $module3 = (() => {",
        "const { one, two: zwei } = $module1;",
        "",
        "show(one, zwei);",
        "return {  };",
        "})();",
    ]


@pytest.mark.usefixtures("files")
def test_modules_that_import_each_other_are_refused() -> None:
    with pytest.raises(ValueError, match=r"web/a.js > web/b.js > web/a.js"):
        joined("web/a.js")


def test_nothing_of_the_viewer_is_left_out() -> None:
    joined.cache_clear()
    script = joined("web/static/replay/page.js")
    assert not re.search(r"^\s*(import|export)\b", script, re.M)
    assert "</script" not in script


def test_pages_load_everything_that_a_module_imports_at_once() -> None:
    script = "replay/page.js"
    found = [path.partition("/static/")[2] for path in assets.modules(script)]
    assert len(found) == len(set(found))
    assert {"settings.js", "words.js", "replay/viewer.js", "match/board.js", "cards/icons.js"} <= set(found)
    assert script not in found
