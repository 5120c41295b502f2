"""The command as a module: ``python -m kontor.cli``."""

from kontor.cli import main

if __name__ == "__main__":
    main()
