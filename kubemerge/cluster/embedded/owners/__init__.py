"""Who owns which field of an object: what a write notes in managedFields, and what a server-side apply makes of it."""
