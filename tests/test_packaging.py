"""What is published works away from the source tree: the wheel in an environment of its own, the sdist like a clone."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import venv
import zipfile
from pathlib import Path

import pytest

from tests.paths import ROOT

VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]


def sources(folder: str) -> set[str]:
    """The files of a folder of the source tree, without what running it leaves behind."""
    files = (path for path in (ROOT / folder).rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return {str(path.relative_to(ROOT)) for path in files}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-d", folder], cwd=ROOT, check=True, capture_output=True
    )
    return folder


def test_the_wheel_has_the_whole_package_and_nothing_else(built: Path) -> None:
    with zipfile.ZipFile(built / f"cardrome-{VERSION}-py3-none-any.whl") as wheel:
        files = {name for name in wheel.namelist() if ".dist-info/" not in name}
    assert files == sources("cardrome")
    for kind in ("py.typed", ".npz", ".csv", ".toml", ".html", ".css", ".js", "messages/fr.json", "rulebook/fr.md"):
        assert any(name.endswith(kind) for name in files), kind


def test_the_sdist_is_enough_to_test_and_to_build_the_documentation(built: Path) -> None:
    with tarfile.open(built / f"cardrome-{VERSION}.tar.gz") as sdist:
        files = {name.partition("/")[2] for name in sdist.getnames()}
    for folder in ("cardrome", "tests", "docs", "examples"):
        assert sources(folder) <= files, folder
    assert {"Makefile", "README.md", "LICENSE", "CHANGELOG.md", "CONTRIBUTING.md", "CITATION.cff"} <= files


def test_the_wheel_works_in_an_environment_of_its_own(built: Path, tmp_path: Path) -> None:
    environment = tmp_path / "env"
    venv.create(environment)
    python, program = environment / "bin" / "python", environment / "bin" / "cardrome"
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", str(python)]
    subprocess.run([*pip, "install", "-q", "--no-deps", "--no-index", *map(str, built.glob("*.whl"))], check=True)
    # Its dependencies are those of this environment, but not what this environment has from the source tree.
    (site,) = environment.glob("lib/python3.*/site-packages")
    (site / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()

    def run(*words: object, **variables: str) -> str:
        cleared = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        command = list(map(str, words))
        done = subprocess.run(command, cwd=elsewhere, env=cleared | variables, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert run(python, "-c", "import cardrome; print(cardrome.__file__)").startswith(str(site))
    assert run(python, "-m", "cardrome", "--version").startswith(f"cardrome {VERSION}\n")
    assert "rule-based" in run(program, "demo", "--games", "2", "--jobs", "1")
    assert (elsewhere / "cardrome-demo" / "report" / "index.html").exists()
    completing = {"_CARDROME_COMPLETE": "complete_bash", "COMP_WORDS": "cardrome tour", "COMP_CWORD": "1"}
    assert run(program, **completing).strip() == "tournament"


def test_the_version_is_the_same_everywhere() -> None:
    assert f"\nversion: {VERSION}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\n## {VERSION} (" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
