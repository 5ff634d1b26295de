"""Client-side apply of one object: last-applied, the patch, the outcome and its reasons, and moving fields.

`apply` is the entry point. Making patches belongs in `strategic` and `json_merge`. Reading files and talking to servers
belong outside the engine.
"""
