"""The commands, one module each: its options, and a call to what does the work. A module is imported on demand."""
