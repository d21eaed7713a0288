"""How bots are confined: by limits always, by a sandbox on request.

The sandbox is bubblewrap: no network, all files read-only, a private /tmp, process ids of its own (so that nothing
survives the bot), and passwords and keys hidden. Where it is not available, asking for it is an error.
"""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
from pathlib import Path

from cardrome.arena.players.process import Limits
from cardrome.errors import CallerError

_REPLACED = ("/tmp", "/var/tmp", "/run")
_SECRET_FILES = ("/etc/shadow", "/etc/shadow-", "/etc/gshadow", "/etc/gshadow-", "/etc/sudoers")
_SECRET_FOLDERS = (".ssh", ".gnupg", ".aws", ".azure", ".kube", ".docker", ".config", ".password-store", ".mozilla")


def sandboxed(command: list[str], folder: Path | None = None) -> list[str]:
    """The command line that runs a command inside the sandbox; `CallerError` where it is not available."""
    problem = sandbox_problem()
    if problem is not None:
        raise CallerError(f"--sandbox: {problem}")
    home = (folder or Path.cwd()).resolve()
    return [*_bubblewrap(), *_own_files(command, home), "--chdir", str(home), "--", *command]


def _own_files(command: list[str], home: Path) -> list[str]:
    """Arguments that let a bot in a folder which the sandbox replaces see its own files, read-only."""
    named = [path for word in command for path in {Path(os.path.abspath(home / word)), (home / word).resolve()}]
    folders = {home, *(path if path.is_dir() else path.parent for path in named if path.exists())}
    # What lies in a folder named bin, such as the Python of a virtual environment, needs the folders beside it.
    folders |= {folder.parent for folder in folders if folder.name == "bin"}
    hidden = [folder for folder in folders if any(folder.is_relative_to(place) for place in _REPLACED)]
    # The replaced folders themselves stay private, even if a bot is started in one.
    visible = sorted(str(folder) for folder in hidden if str(folder) not in _REPLACED)
    return [argument for folder in visible for argument in ("--ro-bind", folder, folder)]


@functools.cache
def sandbox_problem() -> str | None:
    """Why the sandbox is not available on this machine, or None if it is. Tried once."""
    if shutil.which("bwrap") is None:
        return "bubblewrap is not installed (on Debian and Ubuntu: apt install bubblewrap)"
    tried = subprocess.run([*_bubblewrap(), "--", "true"], capture_output=True, text=True, check=False)
    if tried.returncode != 0:
        return f"bubblewrap does not work here: {tried.stderr.strip() or f'exit code {tried.returncode}'}"
    return None


def _bubblewrap() -> list[str]:
    arguments = ["bwrap", "--unshare-all", "--die-with-parent", "--ro-bind", "/", "/"]
    arguments += ["--dev", "/dev", "--proc", "/proc"]
    for place in _REPLACED:
        arguments += ["--tmpfs", place]
    for file in _SECRET_FILES:
        if os.path.exists(file):
            arguments += ["--ro-bind", "/dev/null", file]
    for name in _SECRET_FOLDERS:
        secret = Path.home() / name
        if secret.is_dir():
            arguments += ["--tmpfs", str(secret)]
    return arguments


def protections(limits: Limits, sandbox: bool) -> str:
    """One line that says which protections are on."""
    bounds = []
    if limits.memory is not None:
        bounds.append(f"memory {_size(limits.memory)}")
    if limits.processes is not None:
        bounds.append(f"processes {limits.processes}" + (" (not enforced for root)" if os.geteuid() == 0 else ""))
    if limits.file_size is not None:
        bounds.append(f"files {_size(limits.file_size)}")
    inside = "no network, read-only files, private /tmp, own process ids" if sandbox else "off"
    return f"protections: limits on {', '.join(bounds)}, no core; children killed; sandbox: {inside}"


def _size(n: int) -> str:
    return f"{n / (1 << 30):g} GiB" if n >= 1 << 30 else f"{n / (1 << 20):g} MiB"
