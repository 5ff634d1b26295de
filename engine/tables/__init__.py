"""Merge rules: of a field, a type, a kind, a release; how tables are loaded, laid over each other and asked."""
