"""``python -m cardrome`` is the command line."""

import os
import sys

import cardrome

# Python has put the current folder in front of all libraries. It stays only where this package itself comes from it.
if not sys.flags.safe_path and sys.path[0] != os.path.dirname(cardrome.__path__[0]):
    del sys.path[0]

from cardrome.cli import main

main()
