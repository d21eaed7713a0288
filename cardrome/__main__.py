"""Where the program starts: the script ``cardrome``, and ``python -m cardrome``."""

import os
import sys

import cardrome


def main() -> None:
    """Run the command line. While it is still being loaded, Ctrl-C ends the process at once and without a word."""
    import signal

    ours = signal.getsignal(signal.SIGINT) is signal.default_int_handler  # unless whoever started us ignores it
    if ours:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from cardrome import cli

    try:
        if ours:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        cli.main()
    except KeyboardInterrupt:  # another one, while the first was dealt with
        sys.exit(130)


if __name__ == "__main__":
    # Python has put the current folder in front of all libraries. It stays only where this package comes from it.
    if not sys.flags.safe_path and sys.path[0] != os.path.dirname(cardrome.__path__[0]):
        del sys.path[0]
    main()
