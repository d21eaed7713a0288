"""The environment of all templates: nothing gets past escaping, nothing is silently missing; numbers for people."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import subprocess
import sys

import pytest
from jinja2 import UndefinedError

from cardrome.web.templates import (
    alone,
    elo,
    environment,
    milliseconds,
    number,
    percent,
    points,
    printable_lines,
    when,
)
from cardrome.wording import counted

HOSTILE = [
    "</script><script>alert(1)</script>",
    "<!--<script>",
    "-->",
    "<img src=x onerror=alert(1)>",
    '"><svg onload=alert(1)>',
    "' onmouseover='alert(1)",
    "{{ 7 * 7 }}{% include 'icon.html' %}",
    "[[script]]\\1\\g<0>",
    "\u2028\u2029\x00\x1b[2J",
    "&lt;&amp;",
]


def filled(template: str, **values: object) -> str:
    return environment().from_string(template).render(values)


@pytest.mark.parametrize("text", HOSTILE)
def test_values_are_escaped(text: str) -> None:
    for shown in (
        filled("{{ text }}", text=text),
        filled("{% macro m() %}{{ text }}{% endmacro %}{{ m() }}", text=text),
    ):
        assert not re.search("[<>\"']", shown)


@pytest.mark.parametrize("text", HOSTILE)
def test_embedded_json_is_the_same_and_harmless(text: str) -> None:
    written = filled("{{ data|tojson }}", data={text: [text]})
    assert json.loads(written) == {text: [text]}
    assert not re.search("[<>&'\u2028\u2029]", written)


def test_a_value_that_is_missing_is_an_error() -> None:
    for template in (
        "{{ missing }}",
        "{{ given.missing }}",
        "{% if missing %}{% endif %}",
        "{% for x in missing %}{% endfor %}",
    ):
        with pytest.raises(UndefinedError):
            filled(template, given={})


def test_all_templates_compile() -> None:
    names = environment().list_templates(extensions=["html"])
    assert {"live/scoreboard.html", "replay.html", "tournaments/tournament.html"} <= set(names)
    for name in names:
        environment().get_template(name)


def test_no_template_switches_escaping_off() -> None:
    loader = environment().loader
    assert loader is not None
    for name in environment().list_templates():
        source, _, _ = loader.get_source(environment(), name)
        assert not re.search(r"\|\s*safe\b|autoescape", source), name


def test_the_policy_names_the_style_and_the_script() -> None:
    parts = alone("p { color: red; }\n", "alert(1);\n")
    assert parts["policy"].startswith("default-src 'none'; ")
    for part, rule in (("style", "style-src"), ("script", "script-src")):
        digest = base64.b64encode(hashlib.sha256(parts[part].encode()).digest()).decode()
        assert f"{rule} 'sha256-{digest}'" in parts["policy"]
    assert "unsafe" not in parts["policy"]


def test_terminals_do_not_import_the_template_engine() -> None:
    code = "import sys, cardrome.cli.host.view; print('jinja2' in sys.modules)"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout == "False\n"


def test_numbers() -> None:
    assert [number(0), number(12345)] == ["0", "12,345"]
    assert [counted(1, "match", "matches"), counted(1200, "match", "matches"), counted(0, "game")] == [
        "1 match",
        "1,200 matches",
        "0 games",
    ]
    assert [percent(0.5634), percent(1.0, 0)] == ["56.3%", "100%"]
    assert [elo(120.4), elo(-35.2), elo(0.3), elo(-0.3)] == ["+120", "−35", "0", "0"]


def test_numbers_are_written_as_the_language_of_the_page_has_them() -> None:
    template = "{{ n|number }} {{ share|percent }} {{ 2.5|points }} {{ 12000|milliseconds }} {{ 3|elo }}"
    assert filled(template, n=12345, share=0.5634) == "12,345 56.3% 2.5 12.0 s +3"
    assert filled(template, n=12345, share=0.5634, language="fr") == "12\u202f345 56,3\u202f% 2,5 12,0 s +3"


def test_points_are_short() -> None:
    values = (12.0, 12.5, 1 / 3, 1234.0, -0.001, 100.0)
    assert [points(value) for value in values] == ["12", "12.5", "0.33", "1,234", "0", "100"]
    assert [points(value, 1) for value in (12.0, -0.001)] == ["12.0", "0.0"]


def test_times() -> None:
    assert [milliseconds(ms) for ms in (0.84, 3, 12.3, 9_999, 10_500)] == [
        "0.8 ms",
        "3 ms",
        "12 ms",
        "9999 ms",
        "10.5 s",
    ]
    assert when(1_794_700_000.0) == "2026-11-14 23:46"


def test_several_lines_of_a_stranger() -> None:
    assert printable_lines("a\tb\r\n\x1b[2J\u202ec") == "a       b\n\\x1b[2J\\u202ec"
