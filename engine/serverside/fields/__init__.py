"""Field sets: the steps of paths, trees of steps, and the public `FieldSet`."""
