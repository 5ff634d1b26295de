"""How merging differs: between releases, API versions and specifications, and for one object in particular."""
