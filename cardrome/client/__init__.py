"""Clients of a Tapdeck server, and a team that plays with an agent."""

from cardrome.client.client import AsyncTapdeckClient, TapdeckClient
from cardrome.client.errors import BadReply, ClientError, CommandRefused, ConnectionLost, RefusalCode

__all__ = [
    "AsyncTapdeckClient",
    "BadReply",
    "ClientError",
    "CommandRefused",
    "ConnectionLost",
    "RefusalCode",
    "TapdeckClient",
]
