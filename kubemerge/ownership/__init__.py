"""Field owners of live objects, beside the values, and the writer of a field (`who_set`).

A default value counts as set by the server if no other manager owns it than the one that owns most default values.
Terminal output belongs in `cli`.
"""
