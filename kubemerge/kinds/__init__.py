"""What is known of kinds besides how they merge: their names, scope and versions, and how they are found by a word.

How a kind merges is in the engine's tables, and what a cluster serves in `cluster`.
"""
