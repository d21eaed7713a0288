"""``python -m cardrome`` is the command line."""

from cardrome.cli import main

main()
