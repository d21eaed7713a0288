"""`cardrome host`: the live Tapdeck event."""

from cardrome.cli.host.commands import register

__all__ = ["register"]
