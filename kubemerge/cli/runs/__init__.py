"""The work of commands over many objects, past those that fail: what is counted, told and printed on the way.

What is done to one object stands in `actions`, `offline` and the like.
"""
