"""JSON values: kinds, copies and equality, the texts that Go makes of them, and quantities."""
