"""A bare line-echo server: what asyncio costs by itself, to measure the event server against.

Run as a program it prints its port and echoes every line it is sent, until it is killed.
"""

from __future__ import annotations

import asyncio

from cardrome.arena.event_loop import run


async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Send back line by line."""
    while line := await reader.readline():
        writer.write(line)
        await writer.drain()
    writer.close()


async def main() -> None:
    """Serve on a free port of this machine."""
    server = await asyncio.start_server(echo, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    run(main())
