"""The language server: with a real client, in a real editor, and with hostile documents."""
