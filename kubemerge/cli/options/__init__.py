"""The options that several commands share, the values they accept, and shell completion."""
