"""`python -m companion`."""

from companion.cli.app import main

if __name__ == "__main__":
    main()
