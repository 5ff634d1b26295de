"""One client-side apply of one object: last-applied, the patch, the outcome and its reasons, and moving fields.

`apply` is the entry. How a patch is made belongs in `strategic` and `json_merge`; reading files and talking to servers
belong outside of the engine.
"""
