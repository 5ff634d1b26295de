"""The playground: its bridge to the command line, its making, and the page in a browser."""
