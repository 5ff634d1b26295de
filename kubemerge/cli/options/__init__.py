"""The options that several commands share, what they accept, and what a shell completes."""
