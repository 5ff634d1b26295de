"""Sets of fields: how the steps of their paths are written, trees of them, and the public `FieldSet`."""
