"""The merge algorithms of older releases: oracles pinned to old Go modules, and their recorded answers."""
