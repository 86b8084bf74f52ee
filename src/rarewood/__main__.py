"""``python -m rarewood``: the command line, also where its program is not on the path."""

from rarewood.cli import main

if __name__ == "__main__":
    main()
