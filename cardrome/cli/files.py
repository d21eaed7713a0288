"""Files that commands write."""

from __future__ import annotations

from pathlib import Path


def write_new(path: Path, text: str) -> None:
    """Write a file that must not be there yet."""
    from cardrome.errors import CallerError

    try:
        with path.open("x") as file:
            file.write(text)
    except FileExistsError:
        raise CallerError(f"{path} is there already; it was left alone") from None
    except OSError as error:
        raise CallerError(f"{path} cannot be written: {error.strerror}") from None
