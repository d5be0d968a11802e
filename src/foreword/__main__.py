"""Runs the command line as `python -m foreword`; everything it does lives in `foreword.cli`."""

from foreword.cli.main import main

if __name__ == "__main__":
    main()
