"""Facts about built-in kinds: names, scopes, deprecations and selectable fields, as data by release.

Nothing here reads or changes an object. Validation and defaults of a kind are in `registry`.
"""
