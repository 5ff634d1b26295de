"""What is known about kinds besides how they merge: names, scope and versions, and how a word finds them.

How a kind merges is in the engine's tables, and what a cluster serves in `cluster`.
"""
