"""`cardrome web`: the site."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import Annotated

import typer

from cardrome.cli.console import tell
from cardrome.cli.options import examples


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        epilog=examples(
            "web",
            "web --port 8080 --no-open",
            "web --store cup.db     # with the standings of a tournament",
            "web --host 0.0.0.0     # for all who can reach this machine",
        )
    )(web)


def web(
    host: Annotated[
        str, typer.Option("--host", metavar="ADDRESS", help="The address to listen on. Only this machine, unless told.")
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option("--port", "-p", min=0, max=65535, metavar="PORT", help="The port; 0 takes any free one.")
    ] = 8000,
    store: Annotated[
        str | None,
        typer.Option(
            "--store",
            metavar="STORE",
            help="Show the tournament in this store: a file, or postgresql://USER@HOST/DATABASE.",
        ),
    ] = None,
    agents: Annotated[
        list[str] | None,
        typer.Option("--agent", "-a", metavar="POLICY", help="Offer a trained policy as an opponent too: policy:FILE."),
    ] = None,
    no_open: Annotated[bool, typer.Option("--no-open", help="Do not open the page in a browser.")] = False,
) -> None:
    """Serve the site, for browsers, until Ctrl-C.

    Play against the agents, watch replays, follow tournaments, browse cards and read the rules.
    """
    from cardrome.web.server import address_of, listen, local_names, serve
    from cardrome.web.site import site

    for name in agents or ():
        _offer(name)
    if store is not None:
        _look_at(store)
    listener = listen(host, port)
    names = local_names(host)
    application = site(store, hosts=names, secret=_secret())
    address = address_of(host, listener.getsockname()[1])
    if names is None:
        typer.echo(f"cardrome: everyone who can reach {host or '*'} can use this site", err=True)
    print(f"Cardrome is at {address} (Ctrl-C ends it)", flush=True)

    def opened() -> None:
        import webbrowser

        if not no_open:
            webbrowser.open(address)

    with contextlib.suppress(KeyboardInterrupt):
        serve(application, listener, opened)


def _look_at(store: str) -> None:
    """Say so if there is nothing in the store yet; refuse a file that is not a store."""
    from cardrome.arena.storage.database import NothingThere
    from cardrome.tournament.store.store import TournamentStore

    try:
        TournamentStore.open(store, claim=False, create=False).close()
    except NothingThere:
        what = "the store" if "://" in store else store  # a URL may hold a password
        tell(f"cardrome: there is no tournament in {what} yet; it is shown once it has begun")


def _offer(name: str) -> None:
    """Add a policy to the agents of its game, under the name of its file."""
    import dataclasses

    from cardrome.errors import CallerError
    from cardrome.games.learning.policies import PREFIX, policy_kind, read_policy

    if not name.startswith(PREFIX):
        raise CallerError(f"--agent {name!r}: expected policy:FILE")
    family, title = read_policy(name.removeprefix(PREFIX)).family, Path(name).stem
    if title in family.agents:
        raise CallerError(f"--agent {name!r}: there is an agent {title!r} already; give the file another name")
    # In front: the last of a family's agents are its best, who give hints and play examples.
    family.agents = {title: dataclasses.replace(policy_kind(name), name=title), **family.agents}


def _secret() -> bytes | None:
    """What signs sessions, kept so that visitors stay who they are when the server is started again."""
    import secrets

    base = os.environ.get("XDG_DATA_HOME") or os.path.join(os.path.expanduser("~"), ".local", "share")
    path = Path(base) / "cardrome" / "web-secret"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                file.write(secrets.token_bytes(32))
        except FileExistsError:
            pass
        found = path.read_bytes()
    except OSError:
        return None
    return found if len(found) >= 32 else None
