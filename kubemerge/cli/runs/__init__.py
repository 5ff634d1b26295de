"""The work of commands on many objects, continuing after failures: what is counted, reported and printed on the way.

What is done to one object is in `actions`, `offline` and the like.
"""
