"""The commands, a module each: its options, and whom it asks. A module is imported when its command is called."""
